/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdatomic.h>

#include "dyno-served.h"
#include "dyno-tensor.h"

G_BEGIN_DECLS

/**
 * DynoSessionOptions:
 * @device: (nullable): id of the device, NULL for the backend's usual one
 * @precision: the precision to compute in, `fp32`
 * @threads: threads inside an operator, 0 for one per core the process may use
 * @batch_size: how many items a step has, 0 if unknown
 * @n_positions: for how many tokens of an item a cache will hold keys and values, 0 if unknown; for engines that
 *   allocate it in advance
 * @optimise: whether the engine may rewrite the graph; off gives every operator's own shapes
 * @plain_weights: whether weights keep the model's layout, so that a profile shows their shapes; slower
 * @profile: whether to record every operator; slows it down, so latency is never measured meanwhile, and a step is
 *   one request
 * @left_alone: whether to set only the device and leave the rest to the engine; only for engines that report their
 *   settings
 * @bytes: (nullable): contents to use in place of the file's, for the CPU backend only; external files are still
 *   found beside the file
 * @bytes_path: (nullable): the file that @bytes replace, if a model has one for each stage
 * @external_files: (nullable) (element-type utf8): the files with weights of an ONNX file, relative to its folder
 * @inputs: (nullable) (element-type DynoTensorInfo): the inputs as the model names them, for engines that have
 *   several names for one
 * @outputs: (nullable) (element-type DynoTensorInfo): likewise its outputs
 * @sizes: (nullable) (element-type utf8 gint64): the sizes of free dimensions by name, if they are the same in every
 *   step, for engines that need them to be fixed
 * @engine: (nullable) (element-type utf8 utf8): the backend's own options by name, checked against
 *   dyno_backend_check_option()
 * @stages: (nullable) (element-type DynoStageOptions): the stages of a model of several graphs that are opened
 *   otherwise than the rest
 * @heard: (nullable): counts the messages of a server, so that a long answer does not look like none; must outlive
 *   the session
 *
 * How to open a model.
 */
typedef struct
{
  const char *device;
  const char *precision;
  guint threads;
  guint batch_size;
  guint n_positions;
  gboolean optimise;
  gboolean plain_weights;
  gboolean profile;
  gboolean left_alone;
  GBytes *bytes;
  const char *bytes_path;
  GPtrArray *external_files;
  GPtrArray *inputs;
  GPtrArray *outputs;
  GHashTable *sizes;
  GHashTable *engine;
  GPtrArray *stages;
  atomic_uint *heard;
} DynoSessionOptions;

/**
 * DynoStageOptions:
 * @name: of the stage
 * @backend: (nullable): the id of the backend that opens it, NULL for that of the model
 * @device: (nullable): the id of the device, NULL for the usual one of @backend; without @backend, for that of the model
 * @precision: the precision to compute in
 * @threads: threads inside an operator, as in DynoSessionOptions
 * @engine: (element-type utf8 utf8): the options of the backend that opens it
 *
 * How to open one stage of a model of several graphs.
 */
typedef struct
{
  char *name;
  char *backend;
  char *device;
  char *precision;
  guint threads;
  GHashTable *engine;
} DynoStageOptions;

/* Takes @self. */
void dyno_stage_options_free (DynoStageOptions *self);

/* Returns whether other backends than that of the model open some of its stages. */
gboolean dyno_session_options_are_mixed (const DynoSessionOptions *self);
/* Returns its value; NULL for the backend's default. */
const char *dyno_session_options_get (const DynoSessionOptions *self, const char *name);

/**
 * DynoNodeProfile:
 * @name: the node's name
 * @op_type: the operator
 * @provider: (nullable): the provider that ran it
 * @kernel: (nullable): the kernel, primitive or algorithm that ran, as the engine names it
 * @precision: (nullable): the precision of the computation, if the engine reports it and shapes do not
 * @time_ns: the time of all its calls together, -1 if unknown
 * @calls: the number of calls in @time_ns
 * @inputs: (element-type DynoShape): actual shapes of its last call
 * @outputs: (element-type DynoShape): actual shapes of its last call
 *
 * One node of the graph as it ran.
 */
typedef struct
{
  char *name;
  char *op_type;
  char *provider;
  char *kernel;
  const char *precision;
  gint64 time_ns;
  gint64 calls;
  GArray *inputs;
  GArray *outputs;
} DynoNodeProfile;

/* Takes @self. */
void dyno_node_profile_free (DynoNodeProfile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoNodeProfile, dyno_node_profile_free)

/**
 * DynoAllocatorStats:
 * @in_use: bytes in use by the engine
 * @held: bytes it has reserved from the system
 * @peak: most bytes in use at once
 *
 * The memory of a runtime, as it reports it.
 */
typedef struct
{
  gint64 in_use;
  gint64 held;
  gint64 peak;
} DynoAllocatorStats;

/**
 * DynoLoadStage:
 * @name: a stable word in lower case, `browser_start`, `compile`
 * @duration_ns: how long it took
 *
 * A part of opening a model that is worth reporting.
 */
typedef struct
{
  char *name;
  gint64 duration_ns;
} DynoLoadStage;

/* Returns an empty array of stages. Elements are DynoLoadStage. */
GArray *dyno_load_stages_new (void);
/* @stages holds DynoLoadStage. */
void dyno_load_stages_add (GArray *stages, const char *name, gint64 duration_ns);

/**
 * DynoTransferTimes:
 * @to_device_ns: how long the inputs of one step took to the device
 * @from_device_ns: how long the outputs of one step took back
 *
 * The times of transfers, which are not part of a step if inputs and outputs are in a device's memory.
 */
typedef struct
{
  gint64 to_device_ns;
  gint64 from_device_ns;
} DynoTransferTimes;

typedef struct _DynoSession DynoSession;

/**
 * DynoStageClock:
 * @name: of the stage, `encoder`
 * @elapsed_ns: the total time of its runs since the model was opened
 * @n_times: how often it runs in a step: once, unless it repeats
 * @is_handed: whether it takes tensors of a stage on another device, through the memory of the host
 * @handed_ns: the total time until it had them
 * @session: the stage alone
 * @opened_ns: when opening it began and ended
 *
 * The time of one stage in the steps of a model of several graphs.
 */
typedef struct
{
  const char *name;
  gint64 elapsed_ns;
  gint64 n_times;
  gboolean is_handed;
  gint64 handed_ns;
  DynoSession *session;
  gint64 opened_ns[2];
} DynoStageClock;

#define DYNO_TYPE_SESSION (dyno_session_get_type ())

/**
 * DynoSession:
 *
 * A model loaded into an engine, ready to run. Inputs are set into numbered slots before the timed region; each run
 * takes the next slot in turn, or the next few where a step is several requests at once, so that no cache can answer.
 * Used by one thread at a time; another thread that runs the same model at the same time needs a lane of it
 * (dyno_session_open_lane()).
 */
G_DECLARE_DERIVABLE_TYPE (DynoSession, dyno_session, DYNO, SESSION, GObject)

/**
 * DynoSessionClass:
 * @run_timed: (nullable): runs some steps and times them by the engine's own clock, for an engine behind a connection
 *   whose time must not count
 * @has_own_clock: (nullable): whether @run_timed belongs to such an engine; if NULL, the presence of @run_timed
 *   means so
 * @get_clock_resolution_ns: of that clock
 * @hand_over: gives outputs of the last run to another session of the same backend
 * @get_stage_clocks: (nullable): the time of each stage of a model of several graphs
 * @get_load_stages: (nullable): the parts of opening
 * @get_processes: (nullable): processes beside this one that work for the session
 * @get_transfer_times: (nullable): the times of inputs and outputs between host and device
 * @is_made_up: (nullable): whether the outputs are made up instead of computed
 * @get_requests: (nullable): how many requests one step starts together
 * @get_request_outputs: (nullable): the outputs of one of those; required with @get_requests
 * @open_lane: (nullable): another session of the same loaded model, whose steps may run in parallel with those of
 *   this one and its other lanes
 * @serve: (nullable): asks a server for text, and records when it arrives
 * @read_account: (nullable): the server's totals of all requests so far
 * @describe_server: (nullable): the known facts about that server; required with @serve
 * @read_settings: (nullable): the effective settings of the engine; it must then be able to open a model with
 *   @left_alone
 * @get_profile_values: (nullable): the values of the device in the engine's profile
 * @takes_all_types: whether inputs may also be strings, sequences and optional values
 */
struct _DynoSessionClass
{
  GObjectClass parent_class;
  gboolean takes_all_types;

  gboolean (*set_inputs) (DynoSession *self, guint slot, GPtrArray *tensors, GError **error);
  gboolean (*run) (DynoSession *self, GError **error);
  GPtrArray *(*get_outputs) (DynoSession *self, GError **error);
  gboolean (*carry) (DynoSession *self, const char *output, const char *input, GError **error);
  GPtrArray *(*end_profile) (DynoSession *self, GError **error);
  gboolean (*get_allocator_stats) (DynoSession *self, DynoAllocatorStats *stats);
  const char *(*get_provider) (DynoSession *self);
  gboolean (*run_timed) (DynoSession *self, guint n_steps, gint64 *elapsed_ns, GError **error);
  gboolean (*has_own_clock) (DynoSession *self);
  double (*get_clock_resolution_ns) (DynoSession *self);
  gboolean (*hand_over) (
      DynoSession *self, const char *const *names, DynoSession *to, guint slot, GError **error);
  const DynoStageClock *(*get_stage_clocks) (DynoSession *self, guint *n_stages);
  GArray *(*get_load_stages) (DynoSession *self);
  GArray *(*get_processes) (DynoSession *self);
  gboolean (*get_transfer_times) (DynoSession *self, DynoTransferTimes *times);
  gboolean (*is_made_up) (DynoSession *self);
  guint (*get_requests) (DynoSession *self);
  GPtrArray *(*get_request_outputs) (DynoSession *self, guint request, GError **error);
  GHashTable *(*read_settings) (DynoSession *self);
  DynoSession *(*open_lane) (DynoSession *self, GError **error);
  gboolean (*serve) (
      DynoSession *self, guint prompt_tokens, guint max_tokens, DynoServed *served, GError **error);
  gboolean (*read_account) (DynoSession *self, DynoServerAccount *account);
  DynoServer *(*describe_server) (DynoSession *self);
  GPtrArray *(*get_profile_values) (DynoSession *self);
};

/* Fills a slot outside the timed region. Inputs that are not among @tensors keep their value in the slot,
 * so that a decoding step sets only changed inputs; a run with an input that was never set is an error.
 * Returns whether all tensors fit the model's inputs. @slot: the slot, at most the number of slots so far.
 * @tensors: inputs by name; the session keeps references and reads the tensors' memory in place. */
gboolean dyno_session_set_inputs (DynoSession *self, guint slot, GPtrArray *tensors, GError **error);
/* Runs one step on the inputs of the next slot, or slots; returns when the device is done. This is the
 * timed region: it checks, logs and allocates nothing outside the engine. Returns whether the engine ran
 * the model. */
gboolean dyno_session_run (DynoSession *self, GError **error);
/* Returns copies of the last run's outputs, in the model's order, except those
 * that were carried on. Elements are DynoTensor. The caller owns it. */
GPtrArray *dyno_session_get_outputs (DynoSession *self, GError **error);
/* Moves an output of the last run into the slot of the next run, without a copy; a key-value cache grows
 * this way. Returns whether the output was moved. */
gboolean dyno_session_carry (DynoSession *self, const char *output, const char *input, GError **error);
/* Gives outputs to the inputs of the same names, if possible without a copy through the host: then the
 * other session reads them in place, so the next run of @self may overwrite them. They stay inputs of the
 * slot until others are set. Returns whether the outputs were handed over. @to: another session of the
 * same backend, with inputs of these names. */
gboolean dyno_session_hand_over (
    DynoSession *self, const char *const *names, DynoSession *to, guint slot, GError **error);
/* Gives copies of outputs to the inputs of the same names, through the memory of the host. Returns whether they were
 * handed over. @to: any other session with inputs of these names. */
gboolean dyno_session_copy_over (
    DynoSession *self, const char *const *names, DynoSession *to, guint slot, GError **error);
/* Returns a clock for each stage, in the order in which they run, which goes on as long as the session lives; NULL
 * for a model of one graph. */
const DynoStageClock *dyno_session_get_stage_clocks (DynoSession *self, guint *n_stages);
/* Ends the recording that began with the session; runs after it are not recorded. Returns every node that
 * ran, in order of its first run, with its times summed over all runs but the first, which still
 * allocates; if there is only one run, over that one. Names are UTF-8, and no longer than about 1000
 * bytes, whatever the engine calls its operators. Elements are DynoNodeProfile. The caller owns it. @self:
 * a session opened with `profile`. */
GPtrArray *dyno_session_end_profile (DynoSession *self, GError **error);
/* Returns values of one step of the ended profile, with names of the metric “device”; NULL if the engine
 * reports none. Elements are DynoValue. The caller owns it. */
GPtrArray *dyno_session_get_profile_values (DynoSession *self);
/* Returns whether the engine reports its memory; if not, @stats is left alone. */
gboolean dyno_session_get_allocator_stats (DynoSession *self, DynoAllocatorStats *stats);
/* A node with another provider than this one in its DynoNodeProfile fell back to another device. Returns the provider
 * of nodes that run on the requested device; NULL if nodes have no provider. */
const char *dyno_session_get_provider (DynoSession *self);
/* Returns whether steps must be timed by dyno_session_run_timed() instead of from outside. */
gboolean dyno_session_has_own_clock (DynoSession *self);
/* Returns whether all of them ran. */
gboolean dyno_session_run_timed (DynoSession *self, guint n_steps, gint64 *elapsed_ns, GError **error);
/* Returns the resolution of that clock, in ns. */
double dyno_session_get_clock_resolution_ns (DynoSession *self);
/* Returns the parts of opening it in their order, or NULL if the engine does not distinguish them. Elements are
 * DynoLoadStage. */
GArray *dyno_session_get_load_stages (DynoSession *self);
/* The memory of these processes belongs to the session in addition to this one's. They may come and go between two
 * calls. Returns their ids, or NULL if all work happens in this process. Elements are GPid. The caller owns it. */
GArray *dyno_session_get_processes (DynoSession *self);
/* Returns whether transfers are measured apart from the steps. If not, @times is left alone, and transfers are part
 * of each step, or there are none, or the outputs were not fetched. @self: a session that has run, and whose outputs
 * were fetched. */
gboolean dyno_session_get_transfer_times (DynoSession *self, DynoTransferTimes *times);
/* Returns whether its outputs are made up instead of computed, so that comparing them is meaningless. */
gboolean dyno_session_is_made_up (DynoSession *self);
/* A step of several requests needs as many slots. It begins with the first request and ends when the last is done; no
 * other step begins before that. Returns how many requests one step starts together. */
guint dyno_session_get_requests (DynoSession *self);
/* Returns the outputs of one request, as dyno_session_get_outputs() does for the first. Elements are
 * DynoTensor. The caller owns it. @request: which request of the last step, below
 * dyno_session_get_requests(). */
GPtrArray *dyno_session_get_request_outputs (DynoSession *self, guint request, GError **error);
/* Includes settings that the engine chose itself: `inference-precision`, `threads` and its own options. Returns the
 * settings that the engine reports, in the form in which they can be set; NULL if it reports none. It maps utf8 to
 * utf8. The caller owns it. */
GHashTable *dyno_session_read_settings (DynoSession *self);
/* A lane has its own slots, inputs and outputs and shares the loaded model, so that clients on different threads can
 * have requests in progress at the same time. It keeps the shared parts alive. Returns a session without inputs.
 * Fails with DYNO_ERROR_UNSUPPORTED if the engine runs one step at a time. */
DynoSession *dyno_session_open_lane (DynoSession *self, GError **error);
/* Returns whether the whole answer came. @prompt_tokens: about how many tokens the prompt has; only the server knows
 * the exact number. @max_tokens: the largest number of tokens to write. @served: a new request; gets the outcome,
 * also on failure. @error: DYNO_ERROR_TIMED_OUT if the server rejected the request. */
gboolean dyno_session_serve (
    DynoSession *self, guint prompt_tokens, guint max_tokens, DynoServed *served, GError **error);
/* Takes milliseconds, and asks the server. Returns whether the server reports totals; FALSE if this process does the
 * work. */
gboolean dyno_session_read_account (DynoSession *self, DynoServerAccount *account);
/* Takes milliseconds, and asks the server. Returns the facts about the server that does the work; NULL if this
 * process does it. The caller owns it. */
DynoServer *dyno_session_describe_server (DynoSession *self);
/* For engines: sets an error that there is no profile to end. */
void dyno_session_set_not_recording (GError **error);

G_END_DECLS
