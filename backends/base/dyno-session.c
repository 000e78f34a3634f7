/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-port.h"
#include "dyno-session.h"

/* Longer names of operators are cut; no exporter comes near it. */
#define MAX_NAME 1000

G_DEFINE_ABSTRACT_TYPE (DynoSession, dyno_session, G_TYPE_OBJECT)

static gboolean
dyno_session_real_carry (DynoSession *self, const char *output, const char *input, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("This backend cannot pass the output “%s” to the input “%s”."), output, input);
  return FALSE;
}

static DynoTensor *
find_tensor (GPtrArray *tensors, const char *name)
{
  for (guint i = 0; i < tensors->len; i++)
    if (g_str_equal (dyno_tensor_get_name (tensors->pdata[i]), name))
      return tensors->pdata[i];
  return NULL;
}

/* Through the host's memory. */
static gboolean
dyno_session_real_hand_over (
    DynoSession *self, const char *const *names, DynoSession *to, guint slot, GError **error)
{
  g_autoptr (GPtrArray) outputs = dyno_session_get_outputs (self, error);
  g_autoptr (GPtrArray) handed = g_ptr_array_new ();

  for (guint i = 0; outputs != NULL && names[i] != NULL; i++)
    {
      DynoTensor *tensor = find_tensor (outputs, names[i]);

      if (tensor == NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
                       _ ("The engine gave no output “%s”, which another stage of the model takes."),
                       names[i]);
          return FALSE;
        }
      g_ptr_array_add (handed, tensor);
    }
  return outputs != NULL && dyno_session_set_inputs (to, slot, handed, error);
}

static GPtrArray *
dyno_session_real_end_profile (DynoSession *self, GError **error)
{
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("This backend does not record its operators."));
  return NULL;
}

static gboolean
dyno_session_real_get_allocator_stats (DynoSession *self, DynoAllocatorStats *stats)
{
  return FALSE;
}

static const char *
dyno_session_real_get_provider (DynoSession *self)
{
  return NULL;
}

static void
dyno_session_class_init (DynoSessionClass *klass)
{
  klass->carry = dyno_session_real_carry;
  klass->hand_over = dyno_session_real_hand_over;
  klass->end_profile = dyno_session_real_end_profile;
  klass->get_allocator_stats = dyno_session_real_get_allocator_stats;
  klass->get_provider = dyno_session_real_get_provider;
}

static void
dyno_session_init (DynoSession *self)
{
}

/**
 * dyno_session_options_get:
 * @self: options
 * @name: the name of one of the backend's own options
 *
 * Returns: (transfer none) (nullable): its value, or %NULL where the backend's default holds
 */
const char *
dyno_session_options_get (const DynoSessionOptions *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->engine != NULL ? g_hash_table_lookup (self->engine, name) : NULL;
}

/**
 * clear_stage:
 * @self: a stage
 *
 * Frees what it holds; the clear function of an array of stages.
 */
static void
clear_stage (DynoLoadStage *self)
{
  g_clear_pointer (&self->name, g_free);
}

/**
 * dyno_load_stages_new:
 *
 * Returns: (transfer full) (element-type DynoLoadStage): no stages yet
 */
GArray *
dyno_load_stages_new (void)
{
  GArray *stages = g_array_new (FALSE, FALSE, sizeof (DynoLoadStage));

  g_array_set_clear_func (stages, (GDestroyNotify)clear_stage);
  return stages;
}

/**
 * dyno_load_stages_add:
 * @stages: (element-type DynoLoadStage): the stages so far
 * @name: a stable word in lower case
 * @duration_ns: how long it took
 */
void
dyno_load_stages_add (GArray *stages, const char *name, gint64 duration_ns)
{
  DynoLoadStage stage = { g_strdup (name), duration_ns };

  g_array_append_val (stages, stage);
}

/**
 * dyno_node_profile_free:
 * @self: (transfer full): a profile
 */
void
dyno_node_profile_free (DynoNodeProfile *self)
{
  g_free (self->name);
  g_free (self->op_type);
  g_free (self->provider);
  g_clear_pointer (&self->inputs, g_array_unref);
  g_clear_pointer (&self->outputs, g_array_unref);
  g_free (self);
}

static gboolean
check_types (DynoSession *self, GPtrArray *tensors, GError **error)
{
  for (guint i = 0; !DYNO_SESSION_GET_CLASS (self)->takes_all_types && i < tensors->len; i++)
    if (!dyno_data_type_is_number (dyno_tensor_get_shape (tensors->pdata[i])->type))
      return dyno_port_refuse_type (tensors->pdata[i], error);
  return TRUE;
}

/**
 * dyno_session_set_inputs:
 * @self: a session
 * @slot: which slot, at most the number of slots so far
 * @tensors: (element-type DynoTensor): inputs by name; the session keeps references and reads the tensors'
 *   memory in place
 * @error: return location for an error
 *
 * Fills a slot outside the timed region. Inputs that are not among @tensors keep what the slot held, so that
 * a decoding step sets only what changes; a run with an input that was never set is an error.
 *
 * Returns: whether all tensors fit the model's inputs
 */
gboolean
dyno_session_set_inputs (DynoSession *self, guint slot, GPtrArray *tensors, GError **error)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  g_return_val_if_fail (tensors != NULL, FALSE);

  return check_types (self, tensors, error) &&
         DYNO_SESSION_GET_CLASS (self)->set_inputs (self, slot, tensors, error);
}

/**
 * dyno_session_run:
 * @self: a session
 * @error: return location for an error
 *
 * One step on the inputs of the next slot, or slots; returns when the device is done. This is the timed region: nothing is
 * checked, logged or allocated here but what the engine itself does.
 *
 * Returns: whether the engine ran the model
 */
gboolean
dyno_session_run (DynoSession *self, GError **error)
{
  return DYNO_SESSION_GET_CLASS (self)->run (self, error);
}

/**
 * dyno_session_get_outputs:
 * @self: a session that has run
 * @error: return location for an error
 *
 * Returns: (transfer full) (element-type DynoTensor): copies of the last run's outputs that are tensors of
 *   numbers, in the model's order, but for those that were carried on
 */
GPtrArray *
dyno_session_get_outputs (DynoSession *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  return DYNO_SESSION_GET_CLASS (self)->get_outputs (self, error);
}

/**
 * dyno_session_carry:
 * @self: a session that has run
 * @output: name of an output of the last run
 * @input: name of the input that it becomes
 * @error: return location for an error
 *
 * Moves an output of the last run into the slot of the next run, without a copy: how a key-value cache grows.
 *
 * Returns: whether the output was moved
 */
gboolean
dyno_session_carry (DynoSession *self, const char *output, const char *input, GError **error)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  g_return_val_if_fail (output != NULL, FALSE);
  g_return_val_if_fail (input != NULL, FALSE);

  return DYNO_SESSION_GET_CLASS (self)->carry (self, output, input, error);
}

/**
 * dyno_session_hand_over:
 * @self: a session that has run
 * @names: (array zero-terminated=1): outputs of the last run
 * @to: another session of the same backend, with inputs of these names
 * @slot: a slot of it that has been set
 * @error: return location for an error
 *
 * Gives outputs to the inputs of the same names, without a copy through the host where the engine can: then they are read
 * where they lie, so the next run of @self may write over them. They stay inputs of the slot until others are set.
 *
 * Returns: whether the outputs were handed over
 */
gboolean
dyno_session_hand_over (
    DynoSession *self, const char *const *names, DynoSession *to, guint slot, GError **error)
{
  return DYNO_SESSION_GET_CLASS (self)->hand_over (self, names, to, slot, error);
}

/**
 * dyno_session_get_stage_clocks:
 * @self: a session
 * @n_stages: (out): how many stages there are
 *
 * Returns: (transfer none) (nullable) (array length=n_stages): a clock for each stage, in the order in which they run, that
 *   goes on as long as the session lives; %NULL of a model that is one graph
 */
const DynoStageClock *
dyno_session_get_stage_clocks (DynoSession *self, guint *n_stages)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);
  g_return_val_if_fail (n_stages != NULL, NULL);

  *n_stages = 0;
  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_stage_clocks != NULL ? klass->get_stage_clocks (self, n_stages) : NULL;
}

/* What an engine calls an operator it may have from a stranger's model, and it goes to stores, screens and documents. */
static void
clean_name (char **name)
{
  char *valid;

  if (*name == NULL || (strlen (*name) <= MAX_NAME && g_utf8_validate (*name, -1, NULL)))
    return;
  valid = g_utf8_make_valid (*name, MIN (strlen (*name), MAX_NAME));
  g_free (*name);
  *name = valid;
}

static void
clean_node (gpointer data, gpointer user_data)
{
  DynoNodeProfile *node = data;

  if (node->name == NULL)
    node->name = g_strdup ("");
  if (node->op_type == NULL)
    node->op_type = g_strdup ("");
  clean_name (&node->name);
  clean_name (&node->op_type);
  clean_name (&node->provider);
}

/**
 * dyno_session_end_profile:
 * @self: a session opened with `profile`
 * @error: return location for an error
 *
 * Ends the recording that began with the session; runs after it are not recorded.
 *
 * Returns: (transfer full) (element-type DynoNodeProfile): every node that ran, in order of its first run,
 *   with its times summed over all runs but the first, which still allocates; over that one where it is the
 *   only one. Names are UTF-8, and no longer than 1000 bytes or so, whatever the engine calls its operators.
 */
GPtrArray *
dyno_session_end_profile (DynoSession *self, GError **error)
{
  GPtrArray *nodes;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  nodes = DYNO_SESSION_GET_CLASS (self)->end_profile (self, error);
  if (nodes != NULL)
    g_ptr_array_foreach (nodes, clean_node, NULL);
  return nodes;
}

/**
 * dyno_session_get_allocator_stats:
 * @self: a session
 * @stats: (out caller-allocates): where to put them
 *
 * Returns: whether the engine keeps account of its memory; if not, @stats is left alone
 */
gboolean
dyno_session_get_allocator_stats (DynoSession *self, DynoAllocatorStats *stats)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  g_return_val_if_fail (stats != NULL, FALSE);

  return DYNO_SESSION_GET_CLASS (self)->get_allocator_stats (self, stats);
}

/**
 * dyno_session_get_provider:
 * @self: a session
 *
 * What [struct@Dyno.NodeProfile] calls the provider of a node that ran on the requested device; a node with another
 * provider fell back.
 *
 * Returns: (transfer none) (nullable): the provider's name, or %NULL where nodes have no provider
 */
const char *
dyno_session_get_provider (DynoSession *self)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  return DYNO_SESSION_GET_CLASS (self)->get_provider (self);
}

/**
 * dyno_session_has_own_clock:
 * @self: a session
 *
 * Returns: whether steps must be timed by [method@Dyno.Session.run_timed] instead of from outside
 */
gboolean
dyno_session_has_own_clock (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->run_timed != NULL && (klass->has_own_clock == NULL || klass->has_own_clock (self));
}

/**
 * dyno_session_run_timed:
 * @self: a session with a clock of its own
 * @n_steps: how many steps to run
 * @elapsed_ns: (out): how long they took together, by that clock
 * @error: return location for an error
 *
 * Returns: whether all of them ran
 */
gboolean
dyno_session_run_timed (DynoSession *self, guint n_steps, gint64 *elapsed_ns, GError **error)
{
  g_return_val_if_fail (dyno_session_has_own_clock (self), FALSE);
  g_return_val_if_fail (n_steps > 0, FALSE);
  g_return_val_if_fail (elapsed_ns != NULL, FALSE);

  return DYNO_SESSION_GET_CLASS (self)->run_timed (self, n_steps, elapsed_ns, error);
}

/**
 * dyno_session_get_clock_resolution_ns:
 * @self: a session with a clock of its own
 *
 * Returns: the resolution of that clock, in ns
 */
double
dyno_session_get_clock_resolution_ns (DynoSession *self)
{
  g_return_val_if_fail (dyno_session_has_own_clock (self), 0);

  return DYNO_SESSION_GET_CLASS (self)->get_clock_resolution_ns (self);
}

/**
 * dyno_session_get_load_stages:
 * @self: a session
 *
 * Returns: (transfer full) (nullable) (element-type DynoLoadStage): the parts of opening it in their order, or %NULL
 *   where the engine does not distinguish them
 */
GArray *
dyno_session_get_load_stages (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_load_stages != NULL ? klass->get_load_stages (self) : NULL;
}

/**
 * dyno_session_get_processes:
 * @self: a session
 *
 * Processes whose memory belongs to the session besides this one's. They may come and go between two calls.
 *
 * Returns: (transfer full) (nullable) (element-type GPid): their ids, or %NULL where all happens in this process
 */
GArray *
dyno_session_get_processes (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_processes != NULL ? klass->get_processes (self) : NULL;
}

/**
 * dyno_session_get_transfer_times:
 * @self: a session that has run, and whose outputs were fetched
 * @times: (out caller-allocates): where to put them
 *
 * Returns: whether transfers are measured apart from the steps; if not, @times is left alone: then they are either a
 *   part of each step, or there are none, or the outputs were not fetched
 */
gboolean
dyno_session_get_transfer_times (DynoSession *self, DynoTransferTimes *times)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  g_return_val_if_fail (times != NULL, FALSE);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_transfer_times != NULL && klass->get_transfer_times (self, times);
}

/**
 * dyno_session_is_made_up:
 * @self: a session
 *
 * Returns: whether its outputs are made up instead of computed, so that comparing them means nothing
 */
gboolean
dyno_session_is_made_up (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->is_made_up != NULL && klass->is_made_up (self);
}

/**
 * dyno_session_get_requests:
 * @self: a session
 *
 * A step of several requests takes as many slots, and there must be so many. It begins with the first request and
 * ends when the last is done; no step begins before that.
 *
 * Returns: how many requests one step starts together
 */
guint
dyno_session_get_requests (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), 1);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_requests != NULL ? klass->get_requests (self) : 1;
}

/**
 * dyno_session_get_request_outputs:
 * @self: a session that has run
 * @request: which request of the last step, below [method@Dyno.Session.get_requests]
 * @error: return location for an error
 *
 * Returns: (transfer full) (element-type DynoTensor): as [method@Dyno.Session.get_outputs], which gives those of the
 *   first request
 */
GPtrArray *
dyno_session_get_request_outputs (DynoSession *self, guint request, GError **error)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);
  g_return_val_if_fail (request < dyno_session_get_requests (self), NULL);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_request_outputs != NULL ? klass->get_request_outputs (self, request, error)
                                            : klass->get_outputs (self, error);
}

/**
 * dyno_session_open_lane:
 * @self: a session that was opened by a backend
 * @error: return location, %DYNO_ERROR_UNSUPPORTED where the engine runs one step at a time
 *
 * A lane has slots, inputs and outputs of its own and shares the loaded model, so that clients on different threads can
 * have requests under way at the same time. It keeps what it shares alive.
 *
 * Returns: (transfer full): a session without inputs
 */
DynoSession *
dyno_session_open_lane (DynoSession *self, GError **error)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  klass = DYNO_SESSION_GET_CLASS (self);
  if (klass->open_lane != NULL)
    return klass->open_lane (self, error);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("A session of this model runs one step at a time, so clients cannot share it. Give "
                          "each client its own (“sessions=own”), or measure one request at a time."));
  return NULL;
}

/**
 * dyno_session_set_not_recording:
 * @error: return location for an error
 *
 * For engines: says why there is no profile to end.
 */
void
dyno_session_set_not_recording (GError **error)
{
  g_set_error_literal (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
      _ ("The model was not opened for recording its operators, or the recording has ended."));
}

/**
 * dyno_session_read_settings:
 * @self: a session
 *
 * Whether they were set or chosen by the engine: `inference-precision`, `threads` and options of its own.
 *
 * Returns: (transfer full) (nullable) (element-type utf8 utf8): the settings that the engine reports, in the form in
 *   which they can be set; what it does not report is left out, %NULL where it reports nothing
 */
GHashTable *
dyno_session_read_settings (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->read_settings != NULL ? klass->read_settings (self) : NULL;
}

/**
 * dyno_session_serve:
 * @self: a session of a server
 * @prompt_tokens: about how many tokens the prompt has; the server knows how many
 * @max_tokens: how many to write at most
 * @served: (inout): a new request; gets what came of it, also where it failed
 * @error: return location; of %DYNO_ERROR_TIMED_OUT where the server turned the request away
 *
 * Returns: whether the whole answer came
 */
gboolean
dyno_session_serve (
    DynoSession *self, guint prompt_tokens, guint max_tokens, DynoServed *served, GError **error)
{
  g_return_val_if_fail (DYNO_SESSION_GET_CLASS (self)->serve != NULL, FALSE);
  return DYNO_SESSION_GET_CLASS (self)->serve (self, prompt_tokens, max_tokens, served, error);
}

/**
 * dyno_session_read_account:
 * @self: a session
 * @account: (out caller-allocates): what the server tells of all requests until now
 *
 * Takes milliseconds, and asks the server.
 *
 * Returns: whether it tells; %FALSE also where this process does the work
 */
gboolean
dyno_session_read_account (DynoSession *self, DynoServerAccount *account)
{
  *account = (DynoServerAccount){ 0 };
  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  return DYNO_SESSION_GET_CLASS (self)->read_account != NULL &&
         DYNO_SESSION_GET_CLASS (self)->read_account (self, account);
}

/**
 * dyno_session_describe_server:
 * @self: a session
 *
 * Takes milliseconds, and asks the server.
 *
 * Returns: (transfer full) (nullable): what is known of the server that does the work, %NULL where this process does it
 */
DynoServer *
dyno_session_describe_server (DynoSession *self)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);
  return DYNO_SESSION_GET_CLASS (self)->describe_server != NULL
             ? DYNO_SESSION_GET_CLASS (self)->describe_server (self)
             : NULL;
}
