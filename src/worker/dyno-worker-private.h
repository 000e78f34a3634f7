/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "dyno-backend.h"
#include "dyno-case.h"
#include "dyno-engine-library.h"
#include "dyno-load.h"
#include "dyno-measurement.h"
#include "dyno-method.h"
#include "dyno-model.h"
#include "dyno-model-description.h"
#include "dyno-result.h"
#include "dyno-served.h"
#include "dyno-session.h"
#include "dyno-stop-rule.h"
#include "dyno-tensor.h"

G_BEGIN_DECLS

/* dyno-workload */

#define DYNO_TYPE_WORKLOAD (dyno_workload_get_type ())

/**
 * DynoWorkload:
 *
 * The content of one timed sample: a step, or the generation of some tokens. Inputs, buffers and everything
 * else that is not the engine's work are prepared outside the timed region.
 */
G_DECLARE_DERIVABLE_TYPE (DynoWorkload, dyno_workload, DYNO, WORKLOAD, GObject)

/**
 * DynoWorkloadVisit:
 * @session: the session that just ran a step
 * @user_data: the caller's data
 * @error: return location
 *
 * Returns: whether to go on
 */
typedef gboolean (*DynoWorkloadVisit) (DynoSession *session, gpointer user_data, GError **error);

/**
 * DynoWorkloadClass:
 * @prepare: sets the inputs of @session
 * @prepare_same: sets the same inputs every time, in all slots of @session
 * @prepare_decode: (nullable): sets the inputs of a step in the middle of a generation, after one over the
 * prompt
 * @sample: times `steps` steps together and records one sample into `samples`
 * @walk: (nullable): as dyno_workload_walk(), if a sample is more than one step
 * @ask: (nullable): serves one request under load, if it records more than its duration; as in
 * [callback@Dyno.LoadServe]
 * @take_served: (nullable): returns its records of those requests
 * @reserve: (nullable): allocates its additional records, for a number of samples of `steps_per_sample`
 * steps
 */
struct _DynoWorkloadClass
{
  GObjectClass parent_class;

  gboolean (*prepare) (DynoWorkload *self, DynoSession *session, GError **error);
  gboolean (*prepare_same) (DynoWorkload *self, DynoSession *session, GError **error);
  gboolean (*prepare_decode) (DynoWorkload *self, DynoSession *session, GError **error);
  gboolean (*sample) (DynoWorkload *self, DynoSamples *samples, guint steps, GError **error);
  gboolean (*walk) (
      DynoWorkload *self, DynoSession *session, DynoWorkloadVisit visit, gpointer user_data, GError **error);
  gboolean (*ask) (DynoWorkload *self, DynoRequest *request, GError **error);
  GPtrArray *(*take_served) (DynoWorkload *self);
  void (*reserve) (DynoWorkload *self, gsize n_samples, DynoMeasurement *measurement);
};

/* Returns the workload for the case. @error: set if the sizes do not fit the model. */
DynoWorkload *dyno_workload_new (DynoCase *kase, DynoModel *model, GError **error);
/* Returns whether the session accepted the inputs. @session: the session to run on from now on; the
 * workload holds no reference. */
gboolean dyno_workload_prepare (DynoWorkload *self, DynoSession *session, GError **error);
/* Sets the same inputs for every session, to compare the outputs of two engines; the next step of a
 * generation is the prefill. Returns whether the session accepted the inputs. @session: a session that gets
 * the same inputs as any other session prepared by this. */
gboolean dyno_workload_prepare_same (DynoWorkload *self, DynoSession *session, GError **error);
/* Runs the step over the prompt, the first one, which no profile includes. Each later step decodes the same
 * token in the middle of the generation. Returns whether the step ran and the session accepted the inputs
 * of the next ones. */
gboolean dyno_workload_prepare_decode (DynoWorkload *self, DynoSession *session, GError **error);
/* Returns whether the engine ran. @samples: where to record; must not be full. */
gboolean dyno_workload_sample (DynoWorkload *self, DynoSamples *samples, guint steps, GError **error);
/* Visits the outputs of the session, outside of any timing. A generation runs once more, step by step; if a
 * sample is one step, its last run is visited. Returns whether every step ran and was visited. */
gboolean dyno_workload_walk (
    DynoWorkload *self, DynoSession *session, DynoWorkloadVisit visit, gpointer user_data, GError **error);
/* Serves one request under load: a sample, unless the workload overrides it. Returns whether the load can
 * go on.
 * @request: as in [callback@Dyno.LoadServe]. */
gboolean dyno_workload_ask (DynoWorkload *self, DynoRequest *request, DynoSamples *samples, GError **error);
/* Returns its records of the requests to a server since the last call; NULL without a server. Elements are
 * DynoServed. */
GPtrArray *dyno_workload_take_served (DynoWorkload *self);
/* @measurement: gets the buffers for the workload's additional records. */
void dyno_workload_reserve (DynoWorkload *self, gsize n_samples, DynoMeasurement *measurement);

/* dyno-analysis */

/**
 * DynoAnalysis:
 * @backend: the backend to run on
 * @onnx_path: the model
 * @options: as measured
 * @workload: provides the inputs; if it generates, the prefill step is analysed
 * @precision: the precision of the model
 * @exact: (nullable): the same model in `fp32`, if @onnx_path has quantised weights, is in `bf16` or has
 * fused attention
 * @exact_workload: (nullable): provides the inputs of @exact in its own types
 * @seed: seed of the weights
 * @activations: whether to look at activations
 * @profiled: a session that was opened under the profiler and has not run, which is taken; or the place of NULL
 *
 * A model to analyse; it is opened in the ways that show its operators.
 */
typedef struct
{
  DynoBackend *backend;
  const char *onnx_path;
  const DynoSessionOptions *options;
  DynoWorkload *workload;
  const char *precision;
  DynoModel *exact;
  DynoWorkload *exact_workload;
  guint64 seed;
  gboolean activations;
  DynoSession **profiled;
} DynoAnalysis;

/* Runs the model again under the engine's profiler: optimised, for real times; optimised without prepacked
 * weights, for the bytes that the operators read; and as given, because only then every operator keeps the
 * shapes from which its work is counted. If the engine does not report shapes, they come from the CPU
 * backend, which runs the same model and also checks activations. If tokens are generated, a step that
 * decodes one of them is analysed in the same way. A failed analysis becomes a diagnostic; the measurement
 * stays valid. @measurement: a finished measurement; shapes that it has from the CPU backend are kept. */
void dyno_analysis_run (const DynoAnalysis *self, DynoMeasurement *measurement);

/* dyno-activations */

/**
 * DynoActivationCounts:
 * @n: elements
 * @n_zero: zeros among them
 * @n_subnormal: subnormal numbers, with which most processors compute very slowly; none in fp16, where they cost
 *   nothing
 * @n_infinite: infinities and NaNs
 *
 * The elements of one value by kind.
 */
typedef struct
{
  gint64 n;
  gint64 n_zero;
  gint64 n_subnormal;
  gint64 n_infinite;
} DynoActivationCounts;

/* Runs one step on the CPU backend with every value of the graph as an output, and classifies their
 * numbers. Zeros and infinities are checked in layers that multiply with weights or normalise; subnormal
 * numbers in all layers. @measurement: its analysis, with the shapes of its operators on the CPU backend;
 * gets diagnostics. */
void dyno_activations_check (const DynoAnalysis *analysis, DynoMeasurement *measurement);

/* dyno-answer */

/* Runs one more step with known inputs. Returns the outputs of each request of that step; NULL without an
 * error if there is nothing to compare, because the engine is itself the reference or computes nothing; a
 * model with quantised weights is also compared with itself in `fp32`. Elements are GPtrArray. */
GPtrArray *dyno_answer_take (const DynoAnalysis *analysis, DynoSession *session, GError **error);
/* Compares each answer with that of the CPU backend on the same inputs. Without a reference the answers
 * stay unchecked, with the reason; if they differ from it, the case fails. For a model with quantised
 * weights, on any backend, the recorded error is that against the same model in `fp32`; the case fails if
 * the cosine is below that of dyno_output_comparison_get_least_cosine(). Returns FALSE if the answers are
 * known to be wrong. @measurement: a finished measurement; gets the shapes of the CPU backend's operators.
 * @answers holds GPtrArray. Fails with DYNO_ERROR_WRONG_OUTPUT naming the output and its fault. */
gboolean dyno_answer_check (const DynoAnalysis *analysis,
                            DynoMeasurement *measurement,
                            GPtrArray *answers,
                            DynoBinding *binding,
                            GError **error);

/* dyno-bare-loop */

/* Runs the model of a case step by step for so many seconds with nothing around it: no sampler, no metric, no check. Its
 * median is what the measurer's is held against. Returns `median_ms`, `steps`, the `path` of the ONNX file and its
 * `inputs` with name, type and shape. */
JsonObject *dyno_bare_loop_run (DynoCase *kase, double seconds, GError **error);

/* dyno-batching */

/**
 * DYNO_BATCHING_MIN_RESOLUTIONS:
 *
 * A sample must last at least this many resolutions of its clock, for an error of at most a thousandth.
 */
#define DYNO_BATCHING_MIN_RESOLUTIONS 1000

/* Returns how many steps to time together from now on for no sample to be too short, even if steps become
 * somewhat faster than the fastest so far; 1 if each step is long enough on its own. */
guint dyno_batching_choose_steps (
    const DynoSamples *samples, gsize first, gsize end, guint steps_per_sample, double resolution_ns);
/* Returns whether every sample is long enough for the clock. */
gboolean dyno_batching_is_enough (const DynoSamples *samples, gsize first, gsize end, double resolution_ns);
/* A clock that is too coarse for one sample still resolves the mean of many. Returns the time of a step of
 * the shortest sample in ns, above zero. */
double dyno_batching_find_shortest_step (
    const DynoSamples *samples, gsize first, gsize end, guint steps_per_sample, double resolution_ns);
/* Notes that samples got more steps. @measurement: a measurement that starts over, with its new
 * `steps_per_sample`. */
void dyno_batching_report_enlarged (DynoMeasurement *measurement, guint steps_before, gsize n_dropped);
/* Adds a diagnostic if steady samples are still too short for the clock. In a generation, each token is
 * timed on its own. @measurement: a finished measurement whose steady part is known. */
void dyno_batching_sum_up (DynoMeasurement *measurement);

/* dyno-calibration */

/* The number of inputs over which ranges are measured. */
#define DYNO_CALIBRATION_INPUTS 4

/* Like dyno_model_prepare(), for the model of a case; if it needs ranges, another process measures them: over the
 * inputs that the case is given, else over seeded ones that no measurement uses. */
char *dyno_calibration_prepare (DynoCase *kase, DynoBackend *backend, DynoModel *model, GError **error);
/* Like dyno_model_export(); ranges are measured over seeded inputs. */
gboolean dyno_calibration_export (DynoModel *model, guint64 seed, const char *path, GError **error);
/* Measures ranges in this process. Returns them as a DynoModelCalibration does. @arguments: those that
 * dyno_calibration_prepare() gives to a worker. */
JsonObject *dyno_calibration_measure (char **arguments, GError **error);

/* dyno-device-roofs */

/* Measures the ceilings of a device that can only be reached through a runtime: the fastest matrix product
 * in each of its precisions, and the bandwidth of the longest array that it reads and writes. Both use the
 * same sessions and clocks as cases, so they show how fast the device is through the runtime. If every step
 * copies its outputs back, the array would not measure the device: then there is no memory ceiling, and the
 * others say why. Returns the ceilings. Elements are DynoCeiling. The caller owns it. @seconds: about how
 * long it may take. */
GPtrArray *
dyno_device_roofs_measure (DynoBackend *backend, DynoDevice *device, double seconds, GError **error);

/* dyno-engine-default */

/* Returns `settings`, those of the session by name, and `step_ms`, the approximate time of a step if it is
 * known. The caller owns it. */
JsonObject *dyno_engine_default_try (DynoSession *session, DynoWorkload *workload);
/* Reports if the engine's defaults would use another precision, or other numbers of threads and streams,
 * than the case: people see the defaults where they use the engine elsewhere. A separate process, which
 * may use the processors that were available before the work was pinned, opens the engine with its
 * defaults; the calling thread is not pinned any more. A short trial there estimates the time of a step
 * with all of these settings. */
void dyno_engine_default_report (DynoCase *kase, DynoBackend *backend, DynoMeasurement *measurement);

/* dyno-expert-count */

/* Sums the counts of a mixture of experts over the steps of a sample: one decoding step chooses only a
 * token's few experts, so alone it does not show how evenly they are used. Copies all outputs, so call it
 * after the peak of memory is measured. Returns whether the steps ran. @measurement: a measurement whose
 * session is still open; gets `expert_tokens`. */
gboolean dyno_expert_count_take (DynoWorkload *workload, DynoMeasurement *measurement, GError **error);

/* dyno-generation-workload */

#define DYNO_TYPE_GENERATION_WORKLOAD (dyno_generation_workload_get_type ())

/**
 * DynoGenerationWorkload:
 *
 * A prompt in one step (prefill), then one token per step with a growing key-value cache (decode). A sample is a whole
 * generation: the sum of its timed steps. The tokens are seeded, not chosen from the logits, and preparing them is not
 * timed.
 */
G_DECLARE_FINAL_TYPE (
    DynoGenerationWorkload, dyno_generation_workload, DYNO, GENERATION_WORKLOAD, DynoWorkload)

/* Returns the workload, with the inputs of every step. @kase: the case to measure, with at least one token
 * to generate. @error: set if the sizes do not fit the model or the names of its cache are unknown. */
DynoWorkload *dyno_generation_workload_new (DynoCase *kase, DynoModel *model, GError **error);

/* dyno-graph-work */

/* Takes the work of a step from the model's graph, if Dyno built it: an engine may report no shapes, and
 * the CPU backend need not compute in the precision of the model. For a model of several graphs it is
 * unknown which of them a decoding step runs. */
void dyno_graph_work_take (DynoCase *kase, DynoMeasurement *measurement);

/* dyno-load-clients */

/**
 * DynoLoadClients:
 *
 * The clients that send requests: each with its own inputs and session, or with a lane of a shared session.
 */
typedef struct _DynoLoadClients DynoLoadClients;

/* Returns no clients yet. @onnx_path: the model's file; must outlive the clients. @options: how to open
 * it; must outlive the clients. */
DynoLoadClients *dyno_load_clients_new (DynoCase *kase,
                                        DynoModel *model,
                                        DynoBackend *backend,
                                        const char *onnx_path,
                                        const DynoSessionOptions *options);
void dyno_load_clients_free (DynoLoadClients *self);
/* Returns whether there are at least that many clients. @share: whether they share that session, instead of
 * each opening the model. Fails with DYNO_ERROR_UNSUPPORTED if that many are impossible. */
gboolean
dyno_load_clients_open (DynoLoadClients *self, DynoSession *session, guint n, gboolean share, GError **error);
guint dyno_load_clients_count (DynoLoadClients *self);
/* Returns all clients, for dyno_load_clients_serve(). */
gpointer *dyno_load_clients_get_all (DynoLoadClients *self);
/* Serves one request of the client: a step, the generation of some tokens, or a question to a server.
 * Returns whether the load can go on. @request: as in [callback@Dyno.LoadServe]. */
gboolean dyno_load_clients_serve (gpointer client, DynoRequest *request, GError **error);
/* Returns the records that all clients made of their requests to a server since the last call, grouped by
 * client; NULL without a server. Elements are DynoServed. */
GPtrArray *dyno_load_clients_take_served (DynoLoadClients *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoLoadClients, dyno_load_clients_free)

/* dyno-load-driver */

/**
 * DynoLoadServe:
 * @client: the client that sends it
 * @request: (inout): has its intended time; may get the time of its answer if that is not the time of the
 * return, whether it failed, and data about its tokens
 * @error: return location
 *
 * Serves one request until it is answered. Called on the client's own thread.
 *
 * Returns: whether the load can go on
 */
typedef gboolean (*DynoLoadServe) (gpointer client, DynoRequest *request, GError **error);

/**
 * DynoLoadLook:
 * @n_sent: how many requests a client has taken so far
 * @n_answered: how many were answered so far
 * @data: the caller's data
 *
 * Called now and then on the thread that drives the load.
 *
 * Returns: whether to go on
 */
typedef gboolean (*DynoLoadLook) (gsize n_sent, gsize n_answered, gpointer data);

/**
 * DynoLoadDrive:
 * @shape: how requests come
 * @clients: (array length=n_clients): the clients
 * @n_clients: the number of clients, at least one
 * @serve: serves a request of a client
 * @requests: gets the requests; a rate and an offline load fill its capacity, a loop sends as many as there
 * is time for
 * @arrivals: (nullable) (array): for a rate: when each arrives, in ns after the beginning
 * @look: (nullable): tells whether a loop goes on
 * @look_data: for @look
 *
 * A load to drive.
 */
typedef struct
{
  DynoLoadShape shape;
  gpointer *clients;
  guint n_clients;
  DynoLoadServe serve;
  DynoRequests *requests;
  const gint64 *arrivals;
  DynoLoadLook look;
  gpointer look_data;
} DynoLoadDrive;

/* Puts the clients under load, each on a thread of its own with the placement of the calling one, and waits
 * for the end. One more thread sends the requests of a rate, on a core without work if there is one.
 * Afterwards the requests are in the order of their intended times. Returns whether every request that a
 * client took was answered. Fails with an error of the first request that failed. */
gboolean dyno_load_drive (const DynoLoadDrive *drive, GError **error);

/* dyno-load-run */

/**
 * DynoLoadRun:
 * @measurement: gets the results of the load
 * @method: the duration of one invocation
 * @load: the load
 * @clients: the clients that send requests
 * @session: the session of the first client
 * @seed: the seed of the arrivals
 * @show: shows answered requests in the meantime; NULL samples before they are freed
 * @show_data: for @show
 *
 * The measurement of a case under load.
 */
typedef struct
{
  DynoMeasurement *measurement;
  DynoMethod *method;
  DynoLoad load;
  DynoLoadClients *clients;
  DynoSession *session;
  guint64 seed;
  void (*show) (gpointer data, DynoSamples *samples);
  gpointer show_data;
} DynoLoadRun;

/* Lets all clients run together for the warm-up of the method; some engines start threads and take memory
 * only then. Returns whether the engine answered. */
gboolean dyno_load_run_warm_up (DynoLoadRun *self, GError **error);
/* Measures the load. Without a rate, looks for the capacity by closed loops and then measures rates up to
 * it. The measurement then has the samples of one stretch, as if it had been measured alone. If a search
 * breaks off, the finished part is kept, with the diagnostic `load-broken-off`. Returns whether there is
 * any result. */
gboolean dyno_load_run_measure (DynoLoadRun *self, GError **error);

/* dyno-turn-gate */

/**
 * DynoTurnReport:
 * @sample_ms: how long a sample takes, by the warm-up or the last turn, in ms
 * @cold_ms: the latency of the first step of the last turn, in ms; NaN before the first turn
 * @median_ms: the median latency of its other steps; NaN before the first turn, and if there was no room for more samples
 *
 * The state of a side that waits for its turn.
 */
typedef struct
{
  double sample_ms;
  double cold_ms;
  double median_ms;
} DynoTurnReport;

typedef void (*DynoTurnArrived) (const DynoTurnReport *report, gpointer data);

/**
 * DynoTurnGate:
 *
 * The place where the measuring thread waits until it is its side's turn. It waits on a descriptor, so it takes no
 * processor time meanwhile.
 */
typedef struct _DynoTurnGate DynoTurnGate;

/* Returns a closed gate; NULL if there are no descriptors left. @arrived: called in the main context whenever the thread
 * has begun to wait. */
DynoTurnGate *dyno_turn_gate_new (DynoTurnArrived arrived, gpointer data, GError **error);
void dyno_turn_gate_free (DynoTurnGate *self);
/* Lets the thread through for a turn of so many samples; 0 if there are no more turns. */
void dyno_turn_gate_open (DynoTurnGate *self, guint32 n_samples);
/* Waits for the next turn. Returns its number of samples; 0 if there are no more turns. */
guint dyno_turn_gate_wait (DynoTurnGate *self, const DynoTurnReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTurnGate, dyno_turn_gate_free)

/* dyno-measurer */

#define DYNO_TYPE_MEASURER (dyno_measurer_get_type ())

/**
 * DynoMeasurer:
 *
 * Measures one case in this process: prepares the model, runs the phases, and asks every metric for its
 * values. dyno_measurer_run() needs a thread of its own; the other functions may be called from
 * other threads meanwhile.
 */
G_DECLARE_FINAL_TYPE (DynoMeasurer, dyno_measurer, DYNO, MEASURER, GObject)

/* Returns a measurer for one run. @invocation: index of the invocation; the first one also measures the idle machine
 * and looks at the outputs. @analyses: whether the first one then analyses the model and compares its outputs, too. */
DynoMeasurer *dyno_measurer_new (DynoCase *kase, guint invocation, gboolean analyses);
/* Returns a measurer for dyno_measurer_analyse(). @measured: the case with the values of its first invocation. @activations:
 * whether it looks at activations, too. */
DynoMeasurer *dyno_measurer_new_for_analysis (DynoResult *measured, gboolean activations);
/* Lets dyno_measurer_run() measure in turns: whenever the gate opens, instead of until its own stop rule says so. @gate:
 * must outlive the run. */
void dyno_measurer_set_gate (DynoMeasurer *self, DynoTurnGate *gate);
/* Returns the result, its status ok. The caller owns it. @error: the reason why the case cannot be
 * measured. */
DynoResult *dyno_measurer_run (DynoMeasurer *self, GError **error);
/* Analyses a case that was measured. Returns what the analysis adds to the measurement: values, operators and
 * diagnostics. The caller owns it. @error: DYNO_ERROR_WRONG_OUTPUT or DYNO_ERROR_FELL_BACK if the case has failed; else
 * the reason why it cannot be analysed. */
DynoResult *dyno_measurer_analyse (DynoMeasurer *self, GError **error);
/* Opens the model as dyno_measurer_run() does, and runs one step. It is not timed, and its outputs are not
 * checked. Returns whether the step ran, at least in part on the requested device. @error: the reason why
 * the case cannot run. */
gboolean dyno_measurer_try (DynoMeasurer *self, GError **error);
/* Opens the model with the engine's defaults on the device, on a thread that is not pinned. Call it in a
 * process that has not opened an engine before, because threads of an engine stay where they were started.
 * Returns the result of dyno_engine_default_try(). The caller owns it. @error: the reason why the model
 * cannot be opened. */
JsonObject *dyno_measurer_try_left_alone (DynoMeasurer *self, GError **error);

/* Returns the current phase: `prepare`, or the name of a DynoPhase. */
const char *dyno_measurer_get_phase (DynoMeasurer *self);
/* Returns a number that changes with every step and phase, and while a server answers; its lower 32 bits
 * are the number of samples. */
guint64 dyno_measurer_get_progress (DynoMeasurer *self);
/* Returns time since the case began in ns, the time axis of all its traces; negative before the first
 * phase and if nothing is measured. */
gint64 dyno_measurer_get_time (DynoMeasurer *self);
/* Returns memory of the helper processes, such as those of a browser, in bytes. */
gint64 dyno_measurer_read_other_memory (DynoMeasurer *self);
/* Adds the names and the latest rates of how busy processors and devices are, as dyno_sampler_list_usage() does; none
 * before the sampler runs. */
void dyno_measurer_read_usage (DynoMeasurer *self, GPtrArray *names, GArray *percents);
/* Adds the latencies recorded since the last call, for a live chart; the result has every sample.
 * @max_points: the most points to return, above zero; more are thinned out evenly. @times_ns holds gint64.
 * @milliseconds holds double. */
void
dyno_measurer_read_latencies (DynoMeasurer *self, guint max_points, GArray *times_ns, GArray *milliseconds);

/* dyno-output-check */

/**
 * DynoOutputDeclaration:
 * @outputs: (element-type DynoTensorInfo): the outputs as the model declares them
 * @binding: (nullable): the sizes of the free dimensions of the last run, NULL if they changed from run to
 * run
 * @notes: (nullable) (element-type utf8): gets a sentence for each declared shape that a result
 * contradicts; NULL if that is an error
 * @empty: (element-type utf8): gets the names of outputs without elements
 * @is_covered: whether a test vector has the right numbers, even if they are not finite
 *
 * The declaration that outputs are checked against. The shapes in a file are a claim of its exporter, but
 * those of a graph that Dyno built are true.
 */
typedef struct
{
  GPtrArray *outputs;
  DynoBinding *binding;
  GPtrArray *notes;
  GPtrArray *empty;
  gboolean is_covered;
} DynoOutputDeclaration;

/* All numbers of every output must be finite, unless a test vector covers it. Its shape must be the
 * declared one, as far as that is known, unless the declaration is only the claim of an exporter. Returns
 * whether the outputs of the last run, those of all its requests, can be used. @declaration: the outputs as
 * the model declares them; gets the notes. Fails with DYNO_ERROR_WRONG_OUTPUT naming the output and its
 * fault. */
gboolean dyno_output_check (DynoSession *session, const DynoOutputDeclaration *declaration, GError **error);

/* dyno-output-comparison */

/* Returns how far outputs may differ, relative to their scale; for an unknown precision that of the
 * coarsest one. */
double dyno_output_comparison_get_tolerance (const char *precision);
/* Returns the smallest cosine that its outputs may have with those in single precision; 0 if there is no
 * limit. */
double dyno_output_comparison_get_least_cosine (const char *precision);
/* Ranks and sizes of all outputs must be the same. The values of integer outputs are not compared, because
 * they are choices among near equals. Returns whether the outputs are the same within @tolerance. @outputs
 * holds DynoTensor. @expected holds DynoTensor. @whose: whose outputs they are in a message: “that of the
 * CPU backend”. @tolerance: how far they may differ, relative to the largest number of each output.
 * @max_error: how far they differ; NaN if no output holds floating-point numbers. Fails with
 * DYNO_ERROR_WRONG_OUTPUT naming the output and its fault. */
gboolean dyno_output_compare (GPtrArray *outputs,
                              GPtrArray *expected,
                              const char *whose,
                              double tolerance,
                              double *max_error,
                              GError **error);

/* Removes the expected outputs that the engine's sessions cannot return because of their type, such as
 * numbers of a byte or less, texts and sequences. @outputs holds DynoTensor. @expected holds DynoTensor. */
void dyno_output_leave_out (DynoMeasurement *measurement, GPtrArray *outputs, GPtrArray *expected);
/* Returns the smallest cosine of all outputs, each a · b / (|a| |b|) of a floating-point output as one
 * vector: 1 if both point the same way; NaN if none of them can be compared. @outputs holds DynoTensor.
 * @expected holds DynoTensor. */
double dyno_output_get_cosine (GPtrArray *outputs, GPtrArray *expected);
/* Leaves only the scores of the next token of each item, as llama.cpp gives them. */
void dyno_output_keep_next (GPtrArray *outputs);
/* The Kullback–Leibler divergence, in nats, of the expected distribution of the next token from that of
 * the engine. Returns the mean over all positions; NaN if the two cannot be compared. @logits (nullable):
 * the output of an engine, [… vocabulary]. @expected may be NULL. */
double dyno_output_get_divergence (DynoTensor *logits, DynoTensor *expected);
/* Returns the output of that name; NULL if there is none. @outputs holds DynoTensor. */
DynoTensor *dyno_output_find (GPtrArray *outputs, const char *name);

/* dyno-picture */

/**
 * DynoPicture:
 *
 * A bundled picture file and how a model takes it: decoded by gdk-pixbuf, scaled to the model's sides, and normalised.
 */
typedef struct _DynoPicture DynoPicture;

/* @model: a model that takes picture files. Fails with DYNO_ERROR_UNSUPPORTED where gdk-pixbuf is missing. */
DynoPicture *dyno_picture_new (DynoModel *model, GError **error);
void dyno_picture_free (DynoPicture *self);
/* Reads the file once for each item, and fills the tensor. @pixels: [batch, 3, height, width], of real numbers. */
gboolean dyno_picture_prepare (DynoPicture *self, DynoTensor *pixels, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPicture, dyno_picture_free)

/* dyno-provenance */

/* Only the server identifies the model. Returns a sentence. The caller owns it. */
char *dyno_provenance_describe_served (const char *spec, const DynoServer *server);
/* Identifies the model, so that two results can be checked for the same model. Uses the hash of a file
 * (without weights in other files); for a model that Dyno built, the name in the cache, which contains a
 * hash of the whole graph, and the hash of trained weights, which does not depend on the precision. Returns
 * a sentence. The caller owns it. */
char *dyno_provenance_describe (const char *spec, const char *onnx_path, guint64 seed);
/* Returns the names of @library and of the engine's other libraries beside it, as far as this process has loaded them,
 * each with its SHA-256; empty if there is none. */
char *dyno_provenance_describe_libraries (const char *library);
/* Adds the hashes of the engine and of this program, by which others can tell whether they have the same ones. Reads
 * both, which takes some tenths of a second. @libraries: of the engine, then of others on which stages ran. Elements are
 * DynoEngineLibrary. */
void dyno_provenance_add (DynoResult *result, GPtrArray *libraries);

/* dyno-reference */

/**
 * DynoReference:
 * @backend: the backend that runs the graph as it is
 * @answer: its output in an error, as “The output differs from that of the CPU backend”, translated when shown
 * @outputs: the same in the source of a value
 *
 * With what the outputs of an engine are compared.
 */
typedef struct
{
  const char *backend;
  const char *answer;
  const char *outputs;
} DynoReference;

/* Returns the reference for files that only one engine reads. @format: theirs; NULL for all other models. */
DynoReference dyno_reference_get (const DynoEngineFormat *format);
/* Returns whether it is the reference for all other backends, and opens all stages of the model itself. */
gboolean dyno_reference_is_backend (DynoBackend *backend, const DynoSessionOptions *options);
/* Returns whether a step of the model on the CPU backend takes a reasonable time and fits the memory.
 * Fails with DYNO_ERROR_UNSUPPORTED with the arithmetic. */
gboolean dyno_reference_is_affordable (DynoModel *model, DynoBinding *binding, GError **error);
/* Runs one step of the graph as given on the CPU backend, the reference for all other engines: for the
 * expected outputs, and for the shapes of operators if the other engine does not report them. Returns the
 * operators, including shapes of weights. Elements are DynoNodeProfile. The caller owns it. @outputs holds
 * DynoTensor. */
GPtrArray *dyno_reference_run (const char *onnx_path,
                               const DynoSessionOptions *options,
                               DynoWorkload *workload,
                               GPtrArray **outputs,
                               GError **error);
/* Returns the operators of such a step on the CPU backend, including shapes of weights. Elements are
 * DynoNodeProfile. The caller owns it. @decodes: whether the step is one of a token in the middle of a
 * generation. @optimise: whether the graph may be optimised. */
GPtrArray *dyno_reference_profile (const char *onnx_path,
                                   const DynoSessionOptions *options,
                                   DynoWorkload *workload,
                                   gboolean decodes,
                                   gboolean optimise,
                                   GError **error);
/* Returns all outputs of one step of the unoptimised graph on the CPU backend. Elements are DynoTensor.
 * The caller owns it. @file: one of its graphs; the model itself if it has only one. */
GPtrArray *dyno_reference_run_tapped (const char *onnx_path,
                                      const char *file,
                                      GBytes *tapped,
                                      const DynoSessionOptions *options,
                                      DynoWorkload *workload,
                                      GError **error);

/* Opens a model in fp32 on the CPU backend, optimised, with more outputs. The caller owns it. @file: as for
 * dyno_reference_run_tapped(). */
DynoSession *
dyno_reference_open_tapped (const char *onnx_path, const char *file, GBytes *tapped, GError **error);

/* dyno-served-workload */

#define DYNO_TYPE_SERVED_WORKLOAD (dyno_served_workload_get_type ())

/**
 * DynoServedWorkload:
 *
 * One request to a server after another, each with a prompt of its own.
 */
G_DECLARE_FINAL_TYPE (DynoServedWorkload, dyno_served_workload, DYNO, SERVED_WORKLOAD, DynoWorkload)

/* Returns the workload. @kase: the case to measure, with a model on a server. */
DynoWorkload *dyno_served_workload_new (DynoCase *kase);

/* dyno-size-search */

/* Returns dimensions with sizes to try, as for dyno_model_bind(), the likely ones first: the numbers in the
 * shapes that the graph computes, then sizes that many models have. A file does not state its sizes, and
 * the usual ones for a name or a place may be wrong. @given: sizes of dimensions that a person chose, which
 * stay. */
char **dyno_size_search_list (DynoModel *model, const char *given);

/* dyno-steady-state */

/**
 * DynoVerdict:
 * @DYNO_VERDICT_MORE: go on measuring
 * @DYNO_VERDICT_DONE: steady, and the median is precise enough
 *
 * Whether there are enough measurements.
 */
typedef enum
{
  DYNO_VERDICT_MORE,
  DYNO_VERDICT_DONE,
} DynoVerdict;

/* Returns whether the steady part is long enough, has enough samples, and gives a precise enough median,
 * both now and at the previous look. @measurement: the measurement so far; its steady part is updated. */
DynoVerdict dyno_steady_state_judge (DynoMeasurement *measurement, DynoMethod *method, DynoStopRule *rule);
/* Computes the wall time of the steady part and adds diagnostics for requirements that were not met. @method: the share of
 * this process in @whole, that of the case. @chunk_ends: index after the last sample of each uninterrupted stretch. */
void dyno_steady_state_sum_up (DynoMeasurement *measurement,
                               DynoMethod *method,
                               DynoMethod *whole,
                               GArray *chunk_ends);

/* dyno-step-error */

/* Adds a remedy: an ONNX file does not state its sizes, and those that Dyno chooses by the names of
 * dimensions may be too small for it. Models that Dyno builds take all sizes that it allows. @error: why a
 * step failed in an engine. @sizes may be NULL. @values may be NULL. */
void dyno_step_error_add_remedy (GError *error, DynoModel *model, DynoBinding *sizes, const char *values);

/* @length: a number of tokens with which a step was tried and succeeded. */
void dyno_step_error_add_length (GError *error, DynoBinding *sizes, guint length);

/* dyno-step-timer */

/**
 * DynoStepTimer:
 * @session: the session to run
 * @n_steps: how many steps to time together
 * @start_ns: (out): when they began, on the clock of all measurements
 * @end_ns: (out): @start_ns plus the time that they took
 * @error: return location
 *
 * The timed region. It is chosen once for a session, before anything is timed.
 *
 * Returns: whether all steps ran
 */
typedef gboolean (*DynoStepTimer) (
    DynoSession *session, guint n_steps, gint64 *start_ns, gint64 *end_ns, GError **error);

/* Returns how to time its steps: by two reads of our clock around them, or by the engine's own clock if it
 * has one. */
DynoStepTimer dyno_step_timer_choose (DynoSession *session);

/* dyno-step-workload */

/**
 * DYNO_STEP_WORKLOAD_MAX_SLOTS:
 *
 * The most sets of inputs that are used in turn.
 */
#define DYNO_STEP_WORKLOAD_MAX_SLOTS 4

#define DYNO_TYPE_STEP_WORKLOAD (dyno_step_workload_get_type ())

/**
 * DynoStepWorkload:
 *
 * Forward passes over a few distinct sets of inputs in turn.
 */
G_DECLARE_FINAL_TYPE (DynoStepWorkload, dyno_step_workload, DYNO, STEP_WORKLOAD, DynoWorkload)

/* Returns the workload, with its inputs. @error: set if the sizes do not fit the model. */
DynoWorkload *dyno_step_workload_new (DynoCase *kase, DynoModel *model, GError **error);

/* dyno-stretch */

/* A stretch is measured without a pause; sensors are read at both of its ends. At those of each of its
 * windows, Dyno reads how long the work waited for a processor, how long others used its cores, and their clock. */
void dyno_stretch_begin_window (DynoMeasurement *measurement);
void dyno_stretch_end_window (DynoMeasurement *measurement);
void dyno_stretch_begin (DynoMeasurement *measurement, DynoDisturbance *before);
/* Adds the end of the stretch, its disturbance and the server's report to the earlier stretches. @before:
 * the disturbance until the stretch began; becomes that of the stretch. */
void dyno_stretch_end (DynoMeasurement *measurement, DynoDisturbance *before);

/* dyno-vector-check */

/* Returns whether the case runs with the inputs of a test vector that has all outputs, so that it also
 * shows which numbers are not finite for good reason. */
gboolean dyno_vector_check_covers (DynoCase *kase, DynoModel *model);
/* Runs a last step with the inputs of a test vector, and compares the outputs. Ignores a vector beside a
 * model whose sizes are not those of the case. Returns FALSE if the outputs are known to be wrong. Fails
 * with DYNO_ERROR_WRONG_OUTPUT naming the output and its fault. */
gboolean
dyno_vector_check (DynoCase *kase, DynoMeasurement *measurement, DynoBinding *binding, GError **error);

/* dyno-confinement */

/* Gives up for good all that reading a model does not need: other programs, the network, other processes, the files of
 * its user, and writing; as far as this system can enforce that. Call it before the model is read, while there is one
 * thread. Returns `seccomp`, whether system calls are confined, `landlock`, the version that confines files, or 0, and
 * `seccomp_reason` and `landlock_reason`, why not. The caller owns it. @spec (nullable): the model that can still be
 * read. @inputs (nullable): values that name files, which can be read, too. @writable (nullable): folders in which
 * files can be written, NULL-terminated; NULL if it opens none for writing. */
JsonObject *dyno_confinement_enter (const char *spec, const char *inputs, const char *const *writable);

/* dyno-work-count */

/* Runs one unoptimised step on the CPU backend, because only then every operator has the shapes from which
 * its work is counted. Returns `flops`, their number, and `uncounted`, the operators without a cost rule.
 * The caller owns it. @dimensions: sizes of other free dimensions, such as `height=320,width=320`. @inputs
 * (nullable): values of inputs, as for dyno_model_create_inputs(). */
JsonObject *dyno_work_count (const char *spec,
                             guint batch_size,
                             guint sequence_length,
                             const char *dimensions,
                             const char *inputs,
                             GError **error);

/* dyno-worker-service */

#define DYNO_TYPE_WORKER_SERVICE (dyno_worker_service_get_type ())

/**
 * DynoWorkerService:
 *
 * The worker's side of the D-Bus connection: receives one case, measures it on a thread, sends heartbeats meanwhile,
 * and answers with the result.
 */
G_DECLARE_FINAL_TYPE (DynoWorkerService, dyno_worker_service, DYNO, WORKER_SERVICE, GObject)

/* Returns a service that the peer can call. */
DynoWorkerService *dyno_worker_service_new (GDBusConnection *connection, GError **error);

G_END_DECLS
