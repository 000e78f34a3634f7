/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdatomic.h>

#include "dyno-served.h"
#include "dyno-tensor.h"

G_BEGIN_DECLS

/**
 * DynoSessionOptions:
 * @device: (nullable): id of the device, %NULL for the backend's usual one
 * @precision: what to compute in, `fp32`
 * @threads: threads inside an operator, 0 for one per core the process may use
 * @optimise: whether the engine may rewrite the graph; off gives every operator's own shapes
 * @plain_weights: whether weights keep the model's layout, so that a profile shows their shapes; slower
 * @profile: whether to record every operator; costs time, so never while latency is measured, and a step is one request
 * @left_alone: whether only the device is set, and the rest is up to the engine; for engines that report their settings
 *   only
 * @bytes: (nullable): what stands in the file as far as the engine is concerned, of the CPU backend only; files that it
 *   refers to lie beside it all the same
 * @bytes_path: (nullable): which file @bytes stand for, where a model has one for each stage
 * @external_files: (nullable) (element-type utf8): the files with weights of an ONNX file, relative to its folder
 * @inputs: (nullable) (element-type DynoTensorInfo): the inputs as the model names them, where an engine knows several names
 *   for one
 * @outputs: (nullable) (element-type DynoTensorInfo): likewise its outputs
 * @engine: (nullable) (element-type utf8 utf8): the backend's own options by name, checked against
 *   [method@Dyno.Backend.check_option]
 * @heard: (nullable): counts what a server sent, so that a long answer is not taken for none; must outlive the session
 *
 * How to open a model.
 */
typedef struct
{
  const char *device;
  const char *precision;
  guint threads;
  gboolean optimise;
  gboolean plain_weights;
  gboolean profile;
  gboolean left_alone;
  GBytes *bytes;
  const char *bytes_path;
  GPtrArray *external_files;
  GPtrArray *inputs;
  GPtrArray *outputs;
  GHashTable *engine;
  atomic_uint *heard;
} DynoSessionOptions;

/* Returns its value, or NULL where the backend's default holds. */
const char *dyno_session_options_get (const DynoSessionOptions *self, const char *name);

/**
 * DynoNodeProfile:
 * @name: the node's name
 * @op_type: the operator
 * @provider: (nullable): where it ran
 * @precision: (nullable): what it computed in, where the engine tells that and shapes do not
 * @time_ns: the time of all its calls together, -1 where it is not known
 * @calls: how many calls @time_ns is the sum of
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
 * @in_use: bytes the allocator has given out
 * @held: bytes it has reserved from the system
 * @peak: most bytes in use at once
 *
 * The runtime's own account of its memory.
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
 * A part of opening a model that is worth telling apart.
 */
typedef struct
{
  char *name;
  gint64 duration_ns;
} DynoLoadStage;

/* Returns no stages yet. Elements are DynoLoadStage. */
GArray *dyno_load_stages_new (void);
/* @stages holds DynoLoadStage. */
void dyno_load_stages_add (GArray *stages, const char *name, gint64 duration_ns);

/**
 * DynoTransferTimes:
 * @to_device_ns: how long the inputs of one step took to the device
 * @from_device_ns: how long the outputs of one step took back
 *
 * What is no part of a step, where inputs and outputs lie in a device's memory.
 */
typedef struct
{
  gint64 to_device_ns;
  gint64 from_device_ns;
} DynoTransferTimes;

/**
 * DynoStageClock:
 * @name: of the stage, `encoder`
 * @elapsed_ns: how long its runs took together since the model was opened
 * @n_times: how often it runs in a step: once, unless it repeats
 *
 * Where the time of the steps goes, of a model of several graphs.
 */
typedef struct
{
  const char *name;
  gint64 elapsed_ns;
  gint64 n_times;
} DynoStageClock;

#define DYNO_TYPE_SESSION (dyno_session_get_type ())

/**
 * DynoSession:
 *
 * A model loaded into an engine, ready to run. Inputs are set into numbered slots before the timed region;
 * each run takes the next slot in turn, or the next few where a step is several requests at once, so that no
 * cache can answer. Used by one thread at a time; another thread that runs the same model at the same time has a lane of
 * it ([method@Dyno.Session.open_lane]).
 */
G_DECLARE_DERIVABLE_TYPE (DynoSession, dyno_session, DYNO, SESSION, GObject)

/**
 * DynoSessionClass:
 * @run_timed: (nullable): runs some steps and says how long the engine's own clock saw them take, for an engine
 *   that sits behind a wire which must not be part of the number
 * @has_own_clock: (nullable): whether @run_timed is that of such an engine; where it is %NULL, that it is there says so
 * @get_clock_resolution_ns: of that clock
 * @hand_over: gives outputs of the last run to another session of the same backend
 * @get_stage_clocks: (nullable): the time of each stage of a model of several graphs
 * @get_load_stages: (nullable): the parts of opening
 * @get_processes: (nullable): processes beside this one that work for the session
 * @get_transfer_times: (nullable): how long inputs and outputs took between host and device
 * @is_made_up: (nullable): whether the outputs are played instead of computed
 * @get_requests: (nullable): how many requests one step starts together
 * @get_request_outputs: (nullable): the outputs of one of those; must be there where @get_requests is
 * @open_lane: (nullable): another session of the same loaded model, whose steps may run at the same time as those of this
 *   one and its other lanes
 * @serve: (nullable): asks a server for text, and notes when it came
 * @read_account: (nullable): what the server tells of all requests so far
 * @describe_server: (nullable): what is known of that server; must be there where @serve is
 * @read_settings: (nullable): what the engine computes with; it must then be able to open a model left alone
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
};

/* Fills a slot outside the timed region. Inputs that are not among @tensors keep what the slot held, so
 * that a decoding step sets only what changes; a run with an input that was never set is an error. Returns
 * whether all tensors fit the model's inputs. @slot: which slot, at most the number of slots so far.
 * @tensors: inputs by name; the session keeps references and reads the tensors' memory in place. @error:
 * return location for an error. */
gboolean dyno_session_set_inputs (DynoSession *self, guint slot, GPtrArray *tensors, GError **error);
/* One step on the inputs of the next slot, or slots; returns when the device is done. This is the timed
 * region: nothing is checked, logged or allocated here but what the engine itself does. Returns whether
 * the engine ran the model. @error: return location for an error. */
gboolean dyno_session_run (DynoSession *self, GError **error);
/* Returns copies of the last run's outputs that are tensors of numbers, in the model's order, but for
 * those that were carried on. Elements are DynoTensor. The caller owns it. @error: return location for an
 * error. */
GPtrArray *dyno_session_get_outputs (DynoSession *self, GError **error);
/* Moves an output of the last run into the slot of the next run, without a copy: how a key-value cache
 * grows. Returns whether the output was moved. @error: return location for an error. */
gboolean dyno_session_carry (DynoSession *self, const char *output, const char *input, GError **error);
/* Gives outputs to the inputs of the same names, without a copy through the host where the engine can:
 * then they are read where they lie, so the next run of @self may write over them. They stay inputs of the
 * slot until others are set. Returns whether the outputs were handed over. @to: another session of the
 * same backend, with inputs of these names. @error: return location for an error. */
gboolean dyno_session_hand_over (
    DynoSession *self, const char *const *names, DynoSession *to, guint slot, GError **error);
/* Returns a clock for each stage, in the order in which they run, that goes on as long as the session
 * lives; NULL of a model that is one graph. */
const DynoStageClock *dyno_session_get_stage_clocks (DynoSession *self, guint *n_stages);
/* Ends the recording that began with the session; runs after it are not recorded. Returns every node that
 * ran, in order of its first run, with its times summed over all runs but the first, which still
 * allocates; over that one where it is the only one. Names are UTF-8, and no longer than 1000 bytes or so,
 * whatever the engine calls its operators. Elements are DynoNodeProfile. The caller owns it. @self: a
 * session opened with `profile`. @error: return location for an error. */
GPtrArray *dyno_session_end_profile (DynoSession *self, GError **error);
/* Returns whether the engine keeps account of its memory; if not, @stats is left alone. */
gboolean dyno_session_get_allocator_stats (DynoSession *self, DynoAllocatorStats *stats);
/* What DynoNodeProfile calls the provider of a node that ran on the requested device; a node with another
 * provider fell back. Returns the provider's name, or NULL where nodes have no provider. */
const char *dyno_session_get_provider (DynoSession *self);
/* Returns whether steps must be timed by dyno_session_run_timed() instead of from outside. */
gboolean dyno_session_has_own_clock (DynoSession *self);
/* Returns whether all of them ran. @error: return location for an error. */
gboolean dyno_session_run_timed (DynoSession *self, guint n_steps, gint64 *elapsed_ns, GError **error);
/* Returns the resolution of that clock, in ns. */
double dyno_session_get_clock_resolution_ns (DynoSession *self);
/* Returns the parts of opening it in their order, or NULL where the engine does not distinguish them.
 * Elements are DynoLoadStage. */
GArray *dyno_session_get_load_stages (DynoSession *self);
/* Processes whose memory belongs to the session besides this one's. They may come and go between two
 * calls. Returns their ids, or NULL where all happens in this process. Elements are GPid. The caller owns
 * it. */
GArray *dyno_session_get_processes (DynoSession *self);
/* Returns whether transfers are measured apart from the steps; if not, @times is left alone: then they are
 * either a part of each step, or there are none, or the outputs were not fetched. @self: a session that
 * has run, and whose outputs were fetched. */
gboolean dyno_session_get_transfer_times (DynoSession *self, DynoTransferTimes *times);
/* Returns whether its outputs are made up instead of computed, so that comparing them means nothing. */
gboolean dyno_session_is_made_up (DynoSession *self);
/* A step of several requests takes as many slots, and there must be so many. It begins with the first
 * request and ends when the last is done; no step begins before that. Returns how many requests one step
 * starts together. */
guint dyno_session_get_requests (DynoSession *self);
/* Returns as dyno_session_get_outputs(), which gives those of the first request. Elements are DynoTensor.
 * The caller owns it. @request: which request of the last step, below dyno_session_get_requests(). @error:
 * return location for an error. */
GPtrArray *dyno_session_get_request_outputs (DynoSession *self, guint request, GError **error);
/* Whether they were set or chosen by the engine: `inference-precision`, `threads` and options of its own.
 * Returns the settings that the engine reports, in the form in which they can be set; what it does not
 * report is left out, NULL where it reports nothing. It maps utf8 to utf8. The caller owns it. */
GHashTable *dyno_session_read_settings (DynoSession *self);
/* A lane has slots, inputs and outputs of its own and shares the loaded model, so that clients on
 * different threads can have requests under way at the same time. It keeps what it shares alive. Returns a
 * session without inputs. Fails with DYNO_ERROR_UNSUPPORTED where the engine runs one step at a time. */
DynoSession *dyno_session_open_lane (DynoSession *self, GError **error);
/* Returns whether the whole answer came. @prompt_tokens: about how many tokens the prompt has; the server
 * knows how many. @max_tokens: how many to write at most. @served: a new request; gets what came of it,
 * also where it failed. @error: of DYNO_ERROR_TIMED_OUT where the server turned the request away. */
gboolean dyno_session_serve (
    DynoSession *self, guint prompt_tokens, guint max_tokens, DynoServed *served, GError **error);
/* Takes milliseconds, and asks the server. Returns whether it tells; FALSE also where this process does
 * the work. */
gboolean dyno_session_read_account (DynoSession *self, DynoServerAccount *account);
/* Takes milliseconds, and asks the server. Returns what is known of the server that does the work, NULL
 * where this process does it. The caller owns it. */
DynoServer *dyno_session_describe_server (DynoSession *self);
/* For engines: says why there is no profile to end. @error: return location for an error. */
void dyno_session_set_not_recording (GError **error);

G_END_DECLS
