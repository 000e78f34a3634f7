/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdatomic.h>

#include "dyno-device.h"
#include "dyno-diagnostic.h"
#include "dyno-disturbance.h"
#include "dyno-energy-trace.h"
#include "dyno-load-summary.h"
#include "dyno-model.h"
#include "dyno-operator.h"
#include "dyno-phase.h"
#include "dyno-process-memory.h"
#include "dyno-sensor-set.h"
#include "dyno-sensor.h"
#include "dyno-session.h"
#include "dyno-stats.h"
#include "dyno-trace.h"
#include "dyno-value.h"

G_BEGIN_DECLS

/* dyno-load-outcome */

/**
 * DynoLoadPoint:
 * @shape: a closed loop or a rate
 * @n_clients: number of clients
 * @rate: the requested rate, 0 for a closed loop
 * @requests: (nullable): its requests
 * @summary: their outcome
 * @served: (element-type DynoServed) (nullable): the requests as the clients saw them, in no order
 *
 * One stretch of a measurement under load.
 */
typedef struct
{
  DynoLoadShape shape;
  guint n_clients;
  double rate;
  DynoRequests *requests;
  DynoLoadSummary summary;
  GPtrArray *served;
} DynoLoadPoint;

/**
 * DynoLoadOutcome:
 * @load: the load of the case
 * @points: (element-type DynoLoadPoint): every stretch, in the order of time; one, unless the capacity was searched
 * @chosen: the point that gives the latency, the throughput and the energy of the case
 * @capacity: the highest number of requests per second in a closed loop, 0 if it was not searched
 * @knee: the fewest clients that reached it
 * @best_rate: the highest rate that was delivered within the limit, 0 if there was none
 * @is_broken_off: whether the search was interrupted, so that values not found by then are unknown
 *
 * The outcome of a case under load.
 */
typedef struct
{
  DynoLoad load;
  GArray *points;
  guint chosen;
  double capacity;
  guint knee;
  double best_rate;
  gboolean is_broken_off;
} DynoLoadOutcome;

/* Returns an outcome without points. */
DynoLoadOutcome *dyno_load_outcome_new (const DynoLoad *load);
void dyno_load_outcome_free (DynoLoadOutcome *self);
/* Returns the point that gives the numbers of the case. */
const DynoLoadPoint *dyno_load_outcome_get_chosen (const DynoLoadOutcome *self);

/* dyno-samples */

/**
 * DynoSamples:
 * @starts: monotonic time at which each step began, in ns
 * @durations: its duration, in ns
 * @capacity: largest number of steps
 * @length: number of steps; written by the measuring thread, readable from any
 *
 * The buffer for timed steps: allocated and touched beforehand, so that recording neither allocates nor faults.
 */
typedef struct
{
  gint64 *starts;
  gint64 *durations;
  gsize capacity;
  atomic_size_t length;
} DynoSamples;

/* Returns an empty buffer with all its pages mapped. @capacity: how many steps it must hold. */
DynoSamples *dyno_samples_new (gsize capacity);
void dyno_samples_free (DynoSamples *self);
/* Returns the sum of their durations, in ns. */
gint64 dyno_samples_sum (const DynoSamples *self, gsize first, gsize end);
/* Returns the duration of one step of each sample, in ms. The caller owns it. */
double *
dyno_samples_to_milliseconds (const DynoSamples *self, gsize first, gsize end, guint steps_per_sample);
/* Forgets all but the first @n; only the measuring thread may call it, and no other may read them. */
void dyno_samples_truncate (DynoSamples *self, gsize n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSamples, dyno_samples_free)

static inline gsize
dyno_samples_get_length (const DynoSamples *self)
{
  return atomic_load_explicit (&self->length, memory_order_acquire);
}

static inline gboolean
dyno_samples_is_full (const DynoSamples *self)
{
  return atomic_load_explicit (&self->length, memory_order_relaxed) >= self->capacity;
}

/**
 * dyno_samples_get_last_end:
 * @self: a buffer that is not empty
 *
 * Returns: when the last step ended, in ns: the current time for a caller that has just recorded it, without reading
 *   the clock again
 */
static inline gint64
dyno_samples_get_last_end (const DynoSamples *self)
{
  gsize last = atomic_load_explicit (&self->length, memory_order_relaxed) - 1;

  return self->starts[last] + self->durations[last];
}

/**
 * dyno_samples_record:
 * @self: a buffer that is not full
 * @start: when the step began, in ns
 * @end: when it ended, in ns
 *
 * Records one step; only the measuring thread may call it.
 */
static inline void
dyno_samples_record (DynoSamples *self, gint64 start, gint64 end)
{
  gsize index = atomic_load_explicit (&self->length, memory_order_relaxed);

  self->starts[index] = start;
  self->durations[index] = end - start;
  atomic_store_explicit (&self->length, index + 1, memory_order_release);
}

/* dyno-sensor-device */

/* Returns whether both belong to the same device: by its address, else by its unique id, else by name. */
gboolean dyno_sensor_device_is_same (const DynoSensorInfo *a, const DynoSensorInfo *b);
/* Returns whether that is its address or its unique id. @name may be NULL. */
gboolean dyno_sensor_device_is_called (const DynoSensorInfo *info, const char *name);
/* If the address is known, only a sensor at that address counts; if not, that of the only device. Returns one of its
 * sensors; NULL if there is none. @id: the id of the device that did the work, NULL if none was named. @address: its
 * address, NULL if unknown. @reason: why it has no sensors, NULL if no device has any. */
const DynoSensorInfo *
dyno_sensor_device_find (DynoSensorSet *sensors, const char *id, const char *address, char **reason);

/* dyno-sampler */

/**
 * DynoSampler:
 *
 * The one thread that reads sensors while a case runs, each at its own period, if possible on a core that the work
 * does not use. Add sensors, start it, mark the edges of the measurement, stop it.
 */
typedef struct _DynoSampler DynoSampler;

/* Returns a sampler without sensors. @origin_ns: the clock's time at zero of the traces. */
DynoSampler *dyno_sampler_new (gint64 origin_ns);
void dyno_sampler_free (DynoSampler *self);

/* Returns the trace of the readings; read it only when @self is stopped. The caller owns it. */
DynoTrace *
dyno_sampler_add (DynoSampler *self, DynoSensor *sensor, const char *trace_name, guint period_milliseconds);
/* Lets the sampler read up to eight times less often while the readings stay the same, and at every edge: for what
 * something else keeps the peak of. */
void dyno_sampler_set_may_rest (DynoSampler *self, DynoTrace *trace, gboolean may_rest);
/* Starts reading; without sensors, no thread is started. */
void dyno_sampler_start (DynoSampler *self);
/* Reads energy, power and traffic at once, because a measurement begins or ends. Called by the measuring thread,
 * never in the timed region. */
void dyno_sampler_mark_edge (DynoSampler *self);
/* Ends the thread and takes a last reading of every sensor. It cannot be started again. */
void dyno_sampler_stop (DynoSampler *self);
/* Adds the sensors of how busy whole processors and devices are that have readings, and their latest rates; none once
 * it is stopped. Any thread may ask. @names: elements are const char. @percents: elements are double. */
void dyno_sampler_list_usage (DynoSampler *self, GPtrArray *names, GArray *percents);
/* Returns the processor time of the thread over the time it ran, in per cent of one processor; 0 if it did not
 * run. */
double dyno_sampler_get_load_percent (DynoSampler *self);

/* Returns the time between readings, in µs: the requested period, but long enough that reading takes at most a
 * hundredth of the time. @asked_us: the requested period, in µs. @cost_ns: the duration of a reading, in ns. @n_same: how
 * many readings were the same as the one before; each of the first three doubles the time. */
gint64 dyno_sampler_choose_period (gint64 asked_us, gint64 cost_ns, guint n_same);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSampler, dyno_sampler_free)

/* dyno-measurement */

/* A stretch of about this length is either disturbed or not. */
#define DYNO_WINDOW_NS 50000000
/* A window is disturbed if its threads waited for a processor for a larger part of it, or other programs used its cores
 * for a larger part, in per cent: chosen so that the sampler's own readings, about one per cent, do not count. */
#define DYNO_WINDOW_MAX_QUEUED_PERCENT 5
#define DYNO_WINDOW_MAX_OTHERS_PERCENT 5
/* Or if the clock of its cores was lower than in half of the windows, in per cent of that. */
#define DYNO_WINDOW_MIN_CLOCK_PERCENT 95
/* Undisturbed windows represent a case if they are no smaller a part of its time, in per cent, and have as many samples. */
#define DYNO_UNDISTURBED_MIN_PERCENT 20
#define DYNO_UNDISTURBED_MIN_SAMPLES 10

/**
 * DynoWindowCauses:
 * @DYNO_WINDOW_CAUSE_QUEUE: the threads of this process waited for a processor
 * @DYNO_WINDOW_CAUSE_OTHERS: other programs used its cores
 * @DYNO_WINDOW_CAUSE_CLOCK: the clock of its cores fell
 * @DYNO_WINDOW_CAUSE_LIMIT: a control group stopped it
 * @DYNO_WINDOW_CAUSE_STEAL: a hypervisor took time
 *
 * Why a window is disturbed.
 */
typedef enum
{
  DYNO_WINDOW_CAUSE_QUEUE = 1 << 0,
  DYNO_WINDOW_CAUSE_OTHERS = 1 << 1,
  DYNO_WINDOW_CAUSE_CLOCK = 1 << 2,
  DYNO_WINDOW_CAUSE_LIMIT = 1 << 3,
  DYNO_WINDOW_CAUSE_STEAL = 1 << 4,
} DynoWindowCauses;

#define DYNO_N_WINDOW_CAUSES 5

/**
 * DynoWindow:
 * @end: the index after its last sample
 * @begin_ns: when it began
 * @end_ns: when it ended
 * @queued_percent: for how long the threads of this process waited for a processor, in per cent of the window
 * @others_percent: for how long other programs used the cores of this process, at the least, in per cent of the window;
 *   NaN if unknown
 * @clock_mhz: the clock of its cores, NaN if unknown
 * @causes: what disturbed it, by the kernel's counters alone; 0 for nothing
 *
 * A short part of the measurement; the latencies in it have no say in whether it was disturbed.
 */
typedef struct
{
  gsize end;
  gint64 begin_ns;
  gint64 end_ns;
  double queued_percent;
  double others_percent;
  double clock_mhz;
  DynoWindowCauses causes;
} DynoWindow;

/**
 * DynoStageSamples:
 * @name: the name of the stage
 * @seen_ns: its clock at the last recorded sample
 * @n_times: how often it runs in a step
 * @samples: for each sample of the measurement, the part of it that the stage took
 * @seen_handed_ns: likewise the time until the stage had its inputs
 * @handed: (nullable): for each sample, the part of it in which tensors came from stages on other devices
 * @opened_ns: when opening the stage began and ended
 * @peak_bytes: the most bytes in use at once in the runtime's allocator for it; 0 if the runtime tells nothing
 * @clock: its clock, while the session is open
 *
 * The time of one graph of a model of several.
 */
typedef struct
{
  char *name;
  gint64 seen_ns;
  gint64 n_times;
  DynoSamples *samples;
  gint64 seen_handed_ns;
  DynoSamples *handed;
  gint64 opened_ns[2];
  gint64 peak_bytes;
  const DynoStageClock *clock;
} DynoStageSamples;

/**
 * DynoStepAnalysis:
 * @shapes: (element-type DynoNodeProfile) (nullable): one step of the original graph, for its shapes; like all
 *   profiles, of one request
 * @shapes_from_cpu: whether @shapes are of a step on the CPU backend
 * @traffic: (element-type DynoNodeProfile) (nullable): steps of the optimised graph with all shapes, for its bytes
 * @traffic_steps: number of steps in @traffic
 * @traffic_from_cpu: whether @traffic is of a step on the CPU backend
 * @profile: (element-type DynoNodeProfile) (nullable): steps of the optimised graph, for its times
 * @profile_steps: number of steps in @profile
 * @profile_values: (element-type DynoValue) (nullable): the device's values from the engine's profile
 * @graph_flops: if @shapes are missing, the FLOPs of a step by Dyno's own graph of the model; 0 if there is none
 * @graph_product_bytes: likewise, the bytes that the matrix products and convolutions of the step read and write
 * @is_of_header: whether these two follow from the header of a GGUF file, which has no graph
 *
 * The engine's profiles of steps of one kind.
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
  GPtrArray *profile_values;
  double graph_flops;
  double graph_product_bytes;
  gboolean is_of_header;
} DynoStepAnalysis;

/**
 * DynoMeasurement:
 * @model: the model that runs
 * @session: the engine's session, NULL before it is loaded and once it is closed for the analysis
 * @provider: (nullable): the engine's name for the requested device
 * @stage_providers: (nullable) (element-type utf8 utf8): likewise by the names of stages, of a model of several graphs
 * @device: (nullable): id of the requested device, NULL for the backend's first
 * @settings: (nullable): the engine's effective settings, as of dyno_session_read_settings()
 * @device_kind: the kind of the device, if the backend reports it
 * @device_address: (nullable): the address of the device
 * @load_stages: (element-type DynoLoadStage) (nullable): the parts of loading, if the engine reports them
 * @transfers: the times of one step's inputs and outputs between host and device
 * @has_transfers: whether the engine reports those times; otherwise a step includes them, or has none
 * @board: (nullable): a sensor of the only device on which a server's processes have memory, once the measurement is over
 * @server: (nullable): the server that does the work, NULL if this process does it, and before it is loaded
 * @seed: of all random choices
 * @batch_size: items of one request
 * @n_requests: how many requests one step starts together
 * @sequence_length: tokens of one item, 0 if the model has no sequence or its tokens do not measure the work
 * @prompt_tokens: tokens that precede the first generated one: those of @sequence_length, and of passages that the
 *   model retrieves itself
 * @sampling_milliseconds: period at which memory is sampled, 0 for not at all
 * @power_milliseconds: period at which power, temperatures and clocks are sampled, 0 for not at all
 * @idle_seconds: how long to measure the idle machine, if a sensor measures power
 * @sensors: (nullable): the machine's sensors
 * @sampler: (nullable): reads the sensors that metrics add when they start
 * @rest_seconds: how long to rest before loading, and again at the end; metrics may request it when they start
 * @rest_ns: when the rest before loading began and ended, 0 for never
 * @rest_after_ns: when the rest after the analysis began and ended, 0 for never
 * @window_seconds: the minimum duration of the steady state; metrics may request it when the model is loaded
 * @is_of_given_duration: whether it lasts for a given time, instead of until its numbers are precise
 * @has_own_clock: whether the engine's own clock times the steps, because the engine is behind a connection
 * @clock_resolution_ns: smallest step of the clock that times the steps
 * @clock_overhead_ns: the time to read it
 * @origin_ns: monotonic time at which the case began; time zero of all traces
 * @origin_wall_us: the time of day at @origin_ns, in µs since 1970 UTC
 * @phase_ns: when each phase began, and at DYNO_N_PHASES when the last one ended; 0 for not yet
 * @warm_up: steps of the first run and the warm-up
 * @warm_rate: answered requests per second of the warm-up from all clients together, 0 for one client
 * @samples: (nullable): steps measured; each may time several steps at once; NULL if another process measured them, which
 *   told its values
 * @prefills: (nullable): when generating, the first part of each generation, up to the first token; @steps_per_sample
 *   of them belong to a sample
 * @decodes: (nullable): when generating, the steps of one token each
 * @served: (element-type DynoServed) (nullable): the answered requests to a server, @steps_per_sample for a sample;
 *   under load the counted ones, in their scheduled order
 * @broken: (element-type DynoServed) (nullable): the requests that broke off after their first piece of text
 * @n_failed_requests: number of other failed requests
 * @last_failure: (nullable): the error of the last of those
 * @stages: (element-type DynoStageSamples): one for each graph of a model of several, and for each of @own_clocks; empty for
 *   other models
 * @own_clocks: (nullable): the clocks of the parts of a step that are not the engine's, such as reading a picture file
 * @n_own_clocks: their number
 * @steps_per_sample: number of steps in a sample, if one is too short for the clock
 * @turn_starts: (element-type gint64) (nullable): when each turn began, if the case took turns with others; each turn is
 *   a stretch without a pause
 * @turn_wait_ns: how long it waited for turns
 * @cold: (nullable): the first sample of each turn, which does not count
 * @windows: (element-type DynoWindow) (nullable): the parts of the measurement, in the order of time, if all its work
 *   is done by this process; NULL under load
 * @watch: (nullable): watches the cores of the measurement, with @windows
 * @window_begin_ns: when the present window began
 * @window_queued_ns: how long the threads of this process had waited for a processor by then, -1 if unknown
 * @chunk_ends: (element-type gsize) (nullable): the index after the last sample of each stretch without a pause
 * @chunk_end_ns: (element-type gint64) (nullable): the end of each of those stretches
 * @disturbances: (element-type DynoDisturbance) (nullable): the disturbances in each of them
 * @account: a server's totals of all requests before the current stretch
 * @accounts: (element-type DynoServerAccount) (nullable): its totals for each of those stretches
 * @steady_first: index of the first sample of the steady state
 * @steady_end: index after its last one
 * @steady_wall_ns: wall time of the steady samples, with the gaps between them; by the engine's own clock, without
 *   gaps
 * @steadiness: the shape of the measured samples
 * @load: (nullable): the outcome of the load; NULL if requests ran one after another. Then a sample is a request,
 *   from its intended time to its answer
 * @cache_bytes: size of the key-value cache at its longest, 0 when there is none
 * @allocator_loaded: the memory that the runtime reported after loading the model, before any run
 * @allocator: the memory that the runtime reported at the end of the measurement
 * @has_allocator: whether the runtime reported them
 * @n_generated: number of tokens that a step generates, under load a request: the first with the prompt, then one in
 *   each step; 0 for none
 * @expert_tokens: (nullable): for a mixture of experts, how many tokens each expert of each layer got in a step, or
 *   in all steps of a generation: [layers, experts]
 * @analysis: the operators of a step; when generating, of the one over the prompt
 * @decode_analysis: the operators of a step of one token in the middle of a generation
 * @given_bytes: the traffic of a step by the user's own estimate; 0 without one
 *
 * All data of a case during and after its measurement; metrics read it and add their results.
 */
typedef struct
{
  DynoModel *model;
  DynoSession *session;
  char *provider;
  GHashTable *stage_providers;
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
  const DynoStageClock *own_clocks;
  guint n_own_clocks;
  guint steps_per_sample;
  GArray *turn_starts;
  gint64 turn_wait_ns;
  DynoSamples *cold;
  GArray *windows;
  DynoCoreWatch *watch;
  gint64 window_begin_ns;
  gint64 window_queued_ns;
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
  double given_bytes;

  DynoProcessMemory *others; /* processes that work for the session; any thread may read it */

  /*< private >*/
  GPtrArray *values;
  GPtrArray *traces;
  GPtrArray *operators;
  GPtrArray *diagnostics;
} DynoMeasurement;

/* Returns an empty measurement. */
DynoMeasurement *dyno_measurement_new (void);
void dyno_measurement_free (DynoMeasurement *self);

/* Returns the provider of the device that was asked for an operator of that name; NULL if it is unknown. */
const char *dyno_measurement_get_asked_provider (DynoMeasurement *self, const char *operator_name);
/* Makes room for the time of each stage of the model, and starts counting it anew. @n_samples: the largest number of
 * samples. */
void dyno_measurement_reserve_stages (DynoMeasurement *self, gsize n_samples);
/* Records the part of the sample that each stage took. @self: a measurement that has just recorded a sample, and has
 * room for its stages. */
void dyno_measurement_record_stages (DynoMeasurement *self);
/* Takes the peaks of the stages from their sessions, which must be open. */
void dyno_measurement_record_stage_memory (DynoMeasurement *self);
/* Leaves out what the stages took since the last recorded sample. */
void dyno_measurement_skip_stages (DynoMeasurement *self);

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
/* Returns the duration of the phase, in ms; NaN if it did not end. */
double dyno_measurement_get_phase_milliseconds (DynoMeasurement *self, DynoPhase phase);
/* Returns the number of items in a step, over all its requests. */
double dyno_measurement_get_items_per_step (const DynoMeasurement *self);
/* Returns the number of steps in the wall time of the steady state; under load the number of requests answered in it,
 * whenever they were sent. */
double dyno_measurement_count_steady_steps (DynoMeasurement *self);
/* Returns whether the load was too high, so that latencies grew throughout. */
gboolean dyno_measurement_is_overloaded (const DynoMeasurement *self);
/* Returns why the duration of requests is meaningless; NULL if it is not. */
const char *dyno_measurement_explain_overload (const DynoMeasurement *self);
/* Returns the value of an earlier metric, which may be unsupported with a reason; NULL if there is none. */
DynoValue *dyno_measurement_get_value (DynoMeasurement *self, const char *name);
/* Returns the number of an earlier metric; NaN if there is none. */
double dyno_measurement_get_number (DynoMeasurement *self, const char *name);
/* Adds a number that represents one level. If the latency never became steady, there is no such level: the number is
 * that of the whole window, is marked *unsteady*, and has a reason. */
void dyno_measurement_add_settled (DynoMeasurement *self,
                                   const char *name,
                                   double number,
                                   const char *unit,
                                   DynoQuality quality,
                                   const char *source);
/* Returns why there are too few values for it; NULL if there are enough. The caller owns it. */
char *dyno_measurement_explain_percentile (gsize n, double n_effective, double percent);
/* Adds the median as `STEM_latency_ms`, and `STEM_p90_ms` and `STEM_p99_ms` if there are enough values for them.
 * @values: times in ms, in the order in which they were measured. */
void dyno_measurement_add_percentiles (
    DynoMeasurement *self, const char *stem, const double *values, gsize n, const char *what);
/* A median, a mean or a rate over something that never settled is not reproducible: it is reported because it
 * happened, and marked. Returns why its numbers are unsteady; NULL if the latency was steady. */
const char *dyno_measurement_explain_unsteady (DynoMeasurement *self);
/* Counters are only differenced over the steady state, because a value per item or second would suggest a single
 * level. Returns why one of them is not; NULL if the latency was steady. The caller owns it. @rule: a sentence in people's
 * language that says what is differenced over a steady state only. */
char *dyno_measurement_explain_no_sum (DynoMeasurement *self, const char *rule);
/* Returns whether the work is done out of sight, so that this machine's sensors do not measure it. */
gboolean dyno_measurement_is_elsewhere (DynoMeasurement *self);
/* Returns why no sensor can be assigned to the device of a server; NULL if this process does the work, or if the
 * server has only the processor. */
const char *dyno_measurement_explain_unseen (DynoMeasurement *self);
/* Returns the index of the first counted request. */
gsize dyno_measurement_find_served (const DynoMeasurement *self, gsize *end);
/* Returns the number of tokens that the server counted in the answers that ended in the wall time of the steady
 * state; NaN if it does not count them all. */
double dyno_measurement_count_served_tokens (const DynoMeasurement *self);
/* Returns whether the measurement consists of windows that are known to be disturbed or not. */
gboolean dyno_measurement_has_windows (const DynoMeasurement *self);
/* Returns the undisturbed share of the time of the windows with samples from @first up to @end, in per cent; NaN if
 * that is unknown. */
double dyno_measurement_get_undisturbed_percent (DynoMeasurement *self, gsize first, gsize end);
/* Returns the share of the time that the causes disturbed, likewise. @causes: any of them. */
double dyno_measurement_get_disturbed_percent (DynoMeasurement *self,
                                               gsize first,
                                               gsize end,
                                               DynoWindowCauses causes);
/* Compares the clock of each window with the usual one of all, and says where it fell. */
void dyno_measurement_judge_clock (DynoMeasurement *self);
/* Returns the indices of the samples from @first up to @end in undisturbed windows; NULL if these are too small a part
 * of the time, have too few samples, or are unknown. Elements are gsize. The caller owns the list. */
GArray *dyno_measurement_list_undisturbed (DynoMeasurement *self, gsize first, gsize end);
/* Returns the times of the steady samples, on the traces' axis of time and by the clock of all measurements, without
 * the pauses in which the samples were judged; under load the window, without the ramp before it and the last answers
 * after it. Elements are DynoStretch. */
GArray *dyno_measurement_list_steady_stretches (DynoMeasurement *self);
/* A graphics processor that shares the processor's package and memory counts as the processor, which includes its
 * power and memory. Returns whether the work runs on an accelerator with its own power and memory, according to the
 * backend's kind of device, else to the engine's name for it. */
gboolean dyno_measurement_is_on_device (DynoMeasurement *self);
/* Returns a sensor of the device that does the work; NULL also if that is the processor. @reason (nullable): why the
 * device has none, if the reason is not just that there is none. */
const DynoSensorInfo *dyno_measurement_find_device_sensor (DynoMeasurement *self, char **reason);
/* Returns whether there is a reading within those phases. @mean may be NULL. @highest may be NULL. */
gboolean dyno_measurement_sum_up_readings (
    DynoMeasurement *self, DynoTrace *trace, DynoPhase first, DynoPhase last, double *mean, double *highest);
/* Returns the clock of its steps, as part of a source. */
const char *dyno_measurement_get_clock_name (DynoMeasurement *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMeasurement, dyno_measurement_free)

G_END_DECLS
