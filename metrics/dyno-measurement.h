/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-disturbance.h"
#include "dyno-device.h"
#include "dyno-diagnostic.h"
#include "dyno-energy-trace.h"
#include "dyno-load-outcome.h"
#include "dyno-model.h"
#include "dyno-operator.h"
#include "dyno-phase.h"
#include "dyno-process-memory.h"
#include "dyno-sampler.h"
#include "dyno-samples.h"
#include "dyno-sensor-device.h"
#include "dyno-sensor-set.h"
#include "dyno-session.h"
#include "dyno-stats.h"
#include "dyno-trace.h"
#include "dyno-value.h"

G_BEGIN_DECLS

/**
 * DynoStageSamples:
 * @name: of the stage
 * @seen_ns: what its clock showed when the last sample was recorded
 * @n_times: how often it runs in a step
 * @samples: for each sample of the measurement, the part of it that the stage took
 *
 * The time of one graph of a model of several.
 */
typedef struct
{
  char *name;
  gint64 seen_ns;
  gint64 n_times;
  DynoSamples *samples;
} DynoStageSamples;

/**
 * DynoStepAnalysis:
 * @shapes: (element-type DynoNodeProfile) (nullable): one step of the graph as given, for its shapes; as all profiles,
 *   of one request
 * @shapes_from_cpu: whether @shapes are of a step on the CPU backend
 * @traffic: (element-type DynoNodeProfile) (nullable): steps of the optimised graph with all shapes, for its bytes
 * @traffic_steps: how many steps @traffic is the sum of
 * @traffic_from_cpu: whether @traffic is of a step on the CPU backend
 * @profile: (element-type DynoNodeProfile) (nullable): steps of the optimised graph, for its times
 * @profile_steps: how many steps @profile is the sum of
 * @graph_flops: where @shapes are missing, the FLOPs of a step by Dyno's own graph of the model; 0 where there is none
 * @graph_product_bytes: likewise, what the matrix products and convolutions of the step read and write
 *
 * What the engine's profiler shows of steps of one kind.
 */
typedef struct
{
  GPtrArray *shapes;
  gboolean shapes_from_cpu;
  GPtrArray *traffic;
  guint traffic_steps;
  gboolean traffic_from_cpu;
  GPtrArray *profile;
  guint profile_steps;
  double graph_flops;
  double graph_product_bytes;
} DynoStepAnalysis;

/**
 * DynoMeasurement:
 * @model: what runs
 * @session: the engine's session, %NULL before it is loaded and once it is closed for the analysis
 * @provider: (nullable): the engine's name for the requested device
 * @device: (nullable): id of the requested device, %NULL for the backend's first
 * @settings: (nullable): what the engine computed with, as of [method@Dyno.Session.read_settings]
 * @device_kind: the kind of the device, where the backend reports it
 * @device_address: (nullable): where the device sits
 * @load_stages: (element-type DynoLoadStage) (nullable): the parts of loading, where the engine tells them apart
 * @transfers: how long one step's inputs and outputs took between host and device
 * @has_transfers: whether the engine reports those times; a step has them within itself otherwise, or has none
 * @board: (nullable): a sensor of the only device on which a server's processes have memory, once the measurement is over
 * @server: (nullable): the server that does the work, %NULL where this process does it, and before it is loaded
 * @seed: of everything that is left to chance
 * @batch_size: items of one request
 * @n_requests: how many requests one step starts together
 * @sequence_length: tokens of one item, 0 where the model has no sequence or its tokens do not measure the work
 * @prompt_tokens: tokens that are read before the first is generated: those of @sequence_length, and of passages that the
 *   model finds itself
 * @sampling_milliseconds: period at which memory is sampled along, 0 for not at all
 * @power_milliseconds: period at which power, temperatures and clocks are sampled along, 0 for not at all
 * @idle_seconds: how long to measure the idle machine, where a sensor measures power
 * @sensors: (nullable): the machine's sensors
 * @sampler: (nullable): reads what metrics add to it when they start
 * @rest_seconds: how long to do nothing before loading, and again when all is over; metrics may ask for it when they start
 * @rest_ns: when that began and ended before loading, 0 for never
 * @rest_after_ns: when that began and ended after the analysis, 0 for never
 * @window_seconds: how long the steady state must at least be; metrics may ask for it when the model is loaded
 * @is_of_given_duration: whether it lasts as long as was asked for, instead of until its numbers are good
 * @has_own_clock: whether the engine's own clock times the steps, because it sits behind a wire
 * @clock_resolution_ns: smallest step of the clock that times the steps
 * @clock_overhead_ns: what reading it costs
 * @origin_ns: monotonic time at which the case began; time zero of all traces
 * @origin_wall_us: the time of day at @origin_ns, in µs since 1970 UTC
 * @phase_ns: when each phase began, and at %DYNO_N_PHASES when the last one ended; 0 for not yet
 * @warm_up: steps of the first run and the warm-up
 * @warm_rate: requests that several clients together had answered in a second of the warm-up, 0 where there was one client
 * @samples: steps measured; each may time several steps at once
 * @prefills: (nullable): when generating, the first part of each generation: the prompt up to the first token;
 *   @steps_per_sample of them belong to a sample
 * @decodes: (nullable): when generating, the steps of one token each
 * @served: (element-type DynoServed) (nullable): the requests to a server that were answered, @steps_per_sample for a
 *   sample; under load those that count, in the order in which they were to be sent
 * @broken: (element-type DynoServed) (nullable): those that broke off after their first piece of text
 * @n_failed_requests: how many more failed meanwhile
 * @last_failure: (nullable): how the last of those failed
 * @stages: (element-type DynoStageSamples): of a model of several graphs each; empty of others
 * @steps_per_sample: how many steps a sample times together, because one is too short for the clock
 * @chunk_ends: (element-type gsize) (nullable): the index after the last sample of each stretch that was measured
 *   without a pause
 * @chunk_end_ns: (element-type gint64) (nullable): when each of those stretches was over
 * @disturbances: (element-type DynoDisturbance) (nullable): what disturbed each of them
 * @account: what a server told of all requests before the stretch under way
 * @accounts: (element-type DynoServerAccount) (nullable): what it told of those in each of those stretches
 * @steady_first: index of the first sample of the steady state
 * @steady_end: index after its last one
 * @steady_wall_ns: wall time that the steady samples took, what lies between them included; by the engine's own
 *   clock, the steps alone
 * @steadiness: the shape of the measured samples
 * @load: (nullable): what came of the load; %NULL where one request came after another. Then a sample is a request, from its
 *   intended time to its answer
 * @cache_bytes: size of the key-value cache at its longest, 0 when there is none
 * @allocator_loaded: the runtime's own account of its memory when the model was loaded and nothing had run
 * @allocator: the runtime's own account of its memory, taken when the measurement ended
 * @has_allocator: whether the runtime gave those accounts
 * @n_generated: how many tokens a step generates, under load a request: the first with the prompt, then one in each
 *   step; 0 where none are
 * @expert_tokens: (nullable): of a mixture of experts, how many tokens each expert of each layer got in a step, of a
 *   generation in all its steps: [layers, experts]
 * @analysis: the operators of a step; where tokens are generated, of that over the prompt
 * @decode_analysis: those of a step of one token in the middle of a generation
 *
 * What is known of a case while and after it is measured; metrics read it and add what they found.
 */
typedef struct
{
  DynoModel *model;
  DynoSession *session;
  char *provider;
  char *device;
  GHashTable *settings;
  DynoDeviceKind device_kind;
  char *device_address;
  GArray *load_stages;
  DynoTransferTimes transfers;
  gboolean has_transfers;
  DynoServer *server;
  const DynoSensorInfo *board;
  guint64 seed;
  guint batch_size;
  guint n_requests;
  guint sequence_length;
  guint prompt_tokens;
  guint sampling_milliseconds;
  guint power_milliseconds;
  double idle_seconds;

  DynoSensorSet *sensors;
  DynoSampler *sampler;
  double rest_seconds;
  gint64 rest_ns[2];
  gint64 rest_after_ns[2];
  double window_seconds;

  gboolean is_of_given_duration;
  gboolean has_own_clock;
  double clock_resolution_ns;
  double clock_overhead_ns;
  gint64 origin_ns;
  gint64 origin_wall_us;
  gint64 phase_ns[DYNO_N_PHASES + 1];

  DynoSamples *warm_up;
  double warm_rate;
  DynoSamples *samples;
  DynoSamples *prefills;
  DynoSamples *decodes;
  GPtrArray *served;
  GPtrArray *broken;
  guint n_failed_requests;
  char *last_failure;
  GArray *stages;
  guint steps_per_sample;
  GArray *chunk_ends;
  GArray *chunk_end_ns;
  GArray *disturbances;
  DynoServerAccount account;
  GArray *accounts;
  gsize steady_first;
  gsize steady_end;
  gint64 steady_wall_ns;
  DynoSteadiness steadiness;

  DynoLoadOutcome *load;

  gint64 cache_bytes;
  DynoAllocatorStats allocator_loaded;
  DynoAllocatorStats allocator;
  gboolean has_allocator;
  guint n_generated;
  DynoTensor *expert_tokens;
  DynoStepAnalysis analysis;
  DynoStepAnalysis decode_analysis;

  DynoProcessMemory *others; /* what works for the session in other processes; any thread may read it */

  /*< private >*/
  GPtrArray *values;
  GPtrArray *traces;
  GPtrArray *operators;
  GPtrArray *diagnostics;
} DynoMeasurement;

/* Returns a measurement of nothing yet. */
DynoMeasurement *dyno_measurement_new (void);
void dyno_measurement_free (DynoMeasurement *self);

/* Makes room for the time of each stage of the model, and begins to count it anew. @n_samples: how many
 * samples will come at most. */
void dyno_measurement_reserve_stages (DynoMeasurement *self, gsize n_samples);
/* Records how much of the sample each stage took. @self: a measurement that has just recorded a sample,
 * and has room for its stages. */
void dyno_measurement_record_stages (DynoMeasurement *self);

void dyno_measurement_add_measured (
    DynoMeasurement *self, const char *name, double number, const char *unit, const char *source);
void dyno_measurement_add_estimated (
    DynoMeasurement *self, const char *name, double number, const char *unit, const char *source);
void dyno_measurement_add_unsupported (DynoMeasurement *self,
                                       const char *name,
                                       const char *unit,
                                       const char *reason);
/* Takes @trace. */
void dyno_measurement_take_trace (DynoMeasurement *self, DynoTrace *trace);
/* Takes @op. */
void dyno_measurement_take_operator (DynoMeasurement *self, DynoOperator *op);
void dyno_measurement_add_diagnostic (DynoMeasurement *self,
                                      DynoSeverity severity,
                                      const char *code,
                                      const char *message);
/* Returns how long the phase took, in ms; NaN when it did not end. */
double dyno_measurement_get_phase_milliseconds (DynoMeasurement *self, DynoPhase phase);
/* Returns how many items a step works on, those of all its requests. */
double dyno_measurement_get_items_per_step (const DynoMeasurement *self);
/* Returns how many steps were done in the wall time of the steady state; under load those that were
 * answered in it, whenever they came. */
double dyno_measurement_count_steady_steps (const DynoMeasurement *self);
/* Returns whether its load was more than could be borne, so that latencies grew for as long as it lasted. */
gboolean dyno_measurement_is_overloaded (const DynoMeasurement *self);
/* Returns why nothing can be said of how long requests took, NULL where it can. */
const char *dyno_measurement_explain_overload (const DynoMeasurement *self);
/* Returns what a metric before this one found, or why it did not; NULL if there is none. */
DynoValue *dyno_measurement_get_value (DynoMeasurement *self, const char *name);
/* Returns the number that a metric before this one found; NaN when there is none. */
double dyno_measurement_get_number (DynoMeasurement *self, const char *name);
/* Adds a number that stands for one level. Where the latency never became steady there is none: the number
 * is that of the whole window, is marked *unsteady*, and says why. */
void dyno_measurement_add_settled (DynoMeasurement *self,
                                   const char *name,
                                   double number,
                                   const char *unit,
                                   DynoQuality quality,
                                   const char *source);
/* Returns why they are too few for it, NULL if they are not. The caller owns it. */
char *dyno_measurement_explain_percentile (gsize n, double n_effective, double percent);
/* Adds the median as `STEM_latency_ms`, and `STEM_p90_ms` and `STEM_p99_ms` where there are enough values
 * for them. @values: times in ms, in the order in which they were measured. */
void dyno_measurement_add_percentiles (
    DynoMeasurement *self, const char *stem, const double *values, gsize n, const char *what);
/* A median, a mean or a rate over something that never settled is no level to come back to: it is shown
 * because it happened, and marked. Returns why its numbers are unsteady, NULL where the latency was
 * steady. */
const char *dyno_measurement_explain_unsteady (DynoMeasurement *self);
/* Counters are differenced over the steady state only, because what is made of it, for each item or
 * second, would pretend that there is one level. Returns why neither energy nor traffic is summed up, NULL
 * where the latency was steady. The caller owns it. */
char *dyno_measurement_explain_no_sum (DynoMeasurement *self);
/* Returns whether what does the work cannot be seen from here, so that what this machine's sensors read
 * says nothing of it. */
gboolean dyno_measurement_is_elsewhere (DynoMeasurement *self);
/* Returns why no sensor can be said to be that of what does the work, as far as a server does it; NULL
 * where this process does it, and where a server has but the processor to do it on. */
const char *dyno_measurement_explain_unseen (DynoMeasurement *self);
/* Returns the index of the first request that counts. */
gsize dyno_measurement_find_served (const DynoMeasurement *self, gsize *end);
/* Returns how many tokens the server counted in the answers that ended in the wall time of the steady
 * state; NaN where it does not count them all. */
double dyno_measurement_count_served_tokens (const DynoMeasurement *self);
/* Returns when the steady samples were taken, on the traces' axis of time and by the clock of all
 * measurements, without the pauses in which the samples were judged; under load the window, without the
 * ramp before it and the time in which the last requests were answered. Elements are DynoStretch. */
GArray *dyno_measurement_list_steady_stretches (DynoMeasurement *self);
/* A graphics processor that shares the processor's package and memory counts as the processor: its power
 * and memory are within those. Returns whether the work runs on an accelerator with power and memory of
 * its own, by what the backend says of the device, else by the engine's name for it. */
gboolean dyno_measurement_is_on_device (DynoMeasurement *self);
/* Returns a sensor of the device that does the work; NULL also where that is the processor. @reason
 * (nullable): why the device has none, where there is more to say than that none has. */
const DynoSensorInfo *dyno_measurement_find_device_sensor (DynoMeasurement *self, char **reason);
/* Returns whether there is a reading within those phases. @mean may be NULL. @highest may be NULL. */
gboolean dyno_measurement_sum_up_readings (
    DynoMeasurement *self, DynoTrace *trace, DynoPhase first, DynoPhase last, double *mean, double *highest);
/* Returns what times its steps, as part of a source. */
const char *dyno_measurement_get_clock_name (DynoMeasurement *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMeasurement, dyno_measurement_free)

G_END_DECLS
