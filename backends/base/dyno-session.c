/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-port.h"
#include "dyno-session.h"

/* Longer names of operators are cut; no exporter comes near this length. */
#define MAX_NAME 1000

G_DEFINE_ABSTRACT_TYPE (DynoSession, dyno_session, G_TYPE_OBJECT)

static gboolean
dyno_session_real_carry (DynoSession *self, const char *output, const char *input, GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               _ ("This backend cannot pass the output “%s” to the input “%s”."), output, input);
  return FALSE;
}

/* The default implementation copies through the host's memory. */
gboolean
dyno_session_copy_over (
    DynoSession *self, const char *const *names, DynoSession *to, guint slot, GError **error)
{
  g_autoptr (GPtrArray) outputs = dyno_session_get_outputs (self, error);
  g_autoptr (GPtrArray) handed = g_ptr_array_new ();

  for (guint i = 0; outputs != NULL && names[i] != NULL; i++)
    {
      DynoTensor *tensor = NULL;

      for (guint k = 0; tensor == NULL && k < outputs->len; k++)
        if (g_str_equal (dyno_tensor_get_name (outputs->pdata[k]), names[i]))
          tensor = outputs->pdata[k];

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
  klass->hand_over = dyno_session_copy_over;
  klass->end_profile = dyno_session_real_end_profile;
  klass->get_allocator_stats = dyno_session_real_get_allocator_stats;
  klass->get_provider = dyno_session_real_get_provider;
}

static void
dyno_session_init (DynoSession *self)
{
}

const char *
dyno_session_options_get (const DynoSessionOptions *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->engine != NULL ? g_hash_table_lookup (self->engine, name) : NULL;
}

gboolean
dyno_session_options_are_mixed (const DynoSessionOptions *self)
{
  for (guint i = 0; self->stages != NULL && i < self->stages->len; i++)
    if (((const DynoStageOptions *)self->stages->pdata[i])->backend != NULL)
      return TRUE;
  return FALSE;
}

void
dyno_stage_options_free (DynoStageOptions *self)
{
  g_free (self->name);
  g_free (self->backend);
  g_free (self->device);
  g_free (self->precision);
  g_clear_pointer (&self->engine, g_hash_table_unref);
  g_free (self);
}

/* Frees the members of a stage; the clear function of an array of stages. */
static void
clear_stage (DynoLoadStage *self)
{
  g_clear_pointer (&self->name, g_free);
}

GArray *
dyno_load_stages_new (void)
{
  GArray *stages = g_array_new (FALSE, FALSE, sizeof (DynoLoadStage));

  g_array_set_clear_func (stages, (GDestroyNotify)clear_stage);
  return stages;
}

void
dyno_load_stages_add (GArray *stages, const char *name, gint64 duration_ns)
{
  DynoLoadStage stage = { g_strdup (name), duration_ns };

  g_array_append_val (stages, stage);
}

void
dyno_node_profile_free (DynoNodeProfile *self)
{
  g_free (self->name);
  g_free (self->op_type);
  g_free (self->provider);
  g_free (self->kernel);
  g_clear_pointer (&self->inputs, g_array_unref);
  g_clear_pointer (&self->outputs, g_array_unref);
  g_free (self);
}

gboolean
dyno_session_set_inputs (DynoSession *self, guint slot, GPtrArray *tensors, GError **error)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  g_return_val_if_fail (tensors != NULL, FALSE);

  for (guint i = 0; !DYNO_SESSION_GET_CLASS (self)->takes_all_types && i < tensors->len; i++)
    if (!dyno_data_type_is_number (dyno_tensor_get_shape (tensors->pdata[i])->type))
      return dyno_port_refuse_type (tensors->pdata[i], error);
  return DYNO_SESSION_GET_CLASS (self)->set_inputs (self, slot, tensors, error);
}

gboolean
dyno_session_run (DynoSession *self, GError **error)
{
  return DYNO_SESSION_GET_CLASS (self)->run (self, error);
}

GPtrArray *
dyno_session_get_outputs (DynoSession *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  return DYNO_SESSION_GET_CLASS (self)->get_outputs (self, error);
}

gboolean
dyno_session_carry (DynoSession *self, const char *output, const char *input, GError **error)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  g_return_val_if_fail (output != NULL, FALSE);
  g_return_val_if_fail (input != NULL, FALSE);

  return DYNO_SESSION_GET_CLASS (self)->carry (self, output, input, error);
}

gboolean
dyno_session_hand_over (
    DynoSession *self, const char *const *names, DynoSession *to, guint slot, GError **error)
{
  return DYNO_SESSION_GET_CLASS (self)->hand_over (self, names, to, slot, error);
}

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

/* The name of an operator may come from a stranger's model, and it reaches stores, screens and documents. */
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
  clean_name (&node->kernel);
}

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

GPtrArray *
dyno_session_get_profile_values (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_profile_values != NULL ? klass->get_profile_values (self) : NULL;
}

gboolean
dyno_session_get_allocator_stats (DynoSession *self, DynoAllocatorStats *stats)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  g_return_val_if_fail (stats != NULL, FALSE);

  return DYNO_SESSION_GET_CLASS (self)->get_allocator_stats (self, stats);
}

const char *
dyno_session_get_provider (DynoSession *self)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  return DYNO_SESSION_GET_CLASS (self)->get_provider (self);
}

gboolean
dyno_session_has_own_clock (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->run_timed != NULL && (klass->has_own_clock == NULL || klass->has_own_clock (self));
}

gboolean
dyno_session_run_timed (DynoSession *self, guint n_steps, gint64 *elapsed_ns, GError **error)
{
  g_return_val_if_fail (dyno_session_has_own_clock (self), FALSE);
  g_return_val_if_fail (n_steps > 0, FALSE);
  g_return_val_if_fail (elapsed_ns != NULL, FALSE);

  return DYNO_SESSION_GET_CLASS (self)->run_timed (self, n_steps, elapsed_ns, error);
}

double
dyno_session_get_clock_resolution_ns (DynoSession *self)
{
  g_return_val_if_fail (dyno_session_has_own_clock (self), 0);

  return DYNO_SESSION_GET_CLASS (self)->get_clock_resolution_ns (self);
}

GArray *
dyno_session_get_load_stages (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_load_stages != NULL ? klass->get_load_stages (self) : NULL;
}

GArray *
dyno_session_get_processes (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_processes != NULL ? klass->get_processes (self) : NULL;
}

gboolean
dyno_session_get_transfer_times (DynoSession *self, DynoTransferTimes *times)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  g_return_val_if_fail (times != NULL, FALSE);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_transfer_times != NULL && klass->get_transfer_times (self, times);
}

gboolean
dyno_session_is_made_up (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->is_made_up != NULL && klass->is_made_up (self);
}

guint
dyno_session_get_requests (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), 1);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->get_requests != NULL ? klass->get_requests (self) : 1;
}

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

void
dyno_session_set_not_recording (GError **error)
{
  g_set_error_literal (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
      _ ("The model was not opened for recording its operators, or the recording has ended."));
}

GHashTable *
dyno_session_read_settings (DynoSession *self)
{
  DynoSessionClass *klass;

  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);

  klass = DYNO_SESSION_GET_CLASS (self);
  return klass->read_settings != NULL ? klass->read_settings (self) : NULL;
}

gboolean
dyno_session_serve (
    DynoSession *self, guint prompt_tokens, guint max_tokens, DynoServed *served, GError **error)
{
  g_return_val_if_fail (DYNO_SESSION_GET_CLASS (self)->serve != NULL, FALSE);
  return DYNO_SESSION_GET_CLASS (self)->serve (self, prompt_tokens, max_tokens, served, error);
}

gboolean
dyno_session_read_account (DynoSession *self, DynoServerAccount *account)
{
  *account = (DynoServerAccount){ 0 };
  g_return_val_if_fail (DYNO_IS_SESSION (self), FALSE);
  return DYNO_SESSION_GET_CLASS (self)->read_account != NULL &&
         DYNO_SESSION_GET_CLASS (self)->read_account (self, account);
}

DynoServer *
dyno_session_describe_server (DynoSession *self)
{
  g_return_val_if_fail (DYNO_IS_SESSION (self), NULL);
  return DYNO_SESSION_GET_CLASS (self)->describe_server != NULL
             ? DYNO_SESSION_GET_CLASS (self)->describe_server (self)
             : NULL;
}
