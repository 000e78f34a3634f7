/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-session-private.h"
#include "dyno-ceiling.h"
#include "dyno-ceilings.h"
#include "dyno-app-widgets-private.h"
#include "dyno-device-ceilings.h"
#include "dyno-json.h"
#include "dyno-machine.h"

/* The name of the processor in ceilings. */
#define PROCESSOR "cpu"

struct _DynoCeilingsModel
{
  GObject parent_instance;

  DynoStore *store;
  GListStore *ceilings;
  GCancellable *loading;
  GCancellable *measuring;
  gboolean forgets; /* whether the measurement replaces better ones */
  char *device;
  double fraction;
  char *step;
};

enum
{
  PROP_0,
  PROP_STORE,
  PROP_CEILINGS,
  PROP_MEASURING,
  PROP_FRACTION,
  PROP_STEP,
  N_PROPS
};

enum
{
  FAILED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoCeilingsModel, dyno_ceilings_model, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* Data of a thread that stores new ceilings, if there are any, and reads them all. */
typedef struct
{
  DynoStore *store;
  GPtrArray *ceilings;
  gboolean forgets;
} Request;

static void
request_free (Request *request)
{
  g_object_unref (request->store);
  g_clear_pointer (&request->ceilings, g_ptr_array_unref);
  g_free (request);
}

static void
request_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  Request *request = task_data;
  GError *error = NULL;
  g_autoptr (DynoMachine) snapshot = dyno_machine_snapshot (&error);
  g_autoptr (JsonNode) node = snapshot != NULL ? dyno_machine_to_json (snapshot) : NULL;
  g_autofree char *machine = node != NULL ? dyno_json_text_write (node, FALSE) : NULL;
  GPtrArray *ceilings = NULL;
  gboolean is_current = machine != NULL;

  if (is_current && request->ceilings != NULL)
    is_current = request->forgets
                     ? dyno_store_replace_ceilings (request->store, machine, request->ceilings, &error)
                     : dyno_store_save_ceilings (request->store, machine, request->ceilings, &error);
  if (is_current)
    ceilings = dyno_store_load_ceilings (request->store, machine, &error);
  if (ceilings != NULL)
    g_task_return_pointer (task, ceilings, (GDestroyNotify)g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
show (DynoCeilingsModel *self, GPtrArray *ceilings)
{
  g_list_store_splice (self->ceilings, 0, g_list_model_get_n_items (G_LIST_MODEL (self->ceilings)),
                       ceilings->pdata, ceilings->len);
}

static void
fail (DynoCeilingsModel *self, GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_signal_emit (self, signals[FAILED], 0, error);
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoCeilingsModel *self = DYNO_CEILINGS_MODEL (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ceilings = g_task_propagate_pointer (G_TASK (result), &error);

  if (ceilings != NULL)
    show (self, ceilings);
  else
    fail (self, error);
}

static void
end_measuring (DynoCeilingsModel *self)
{
  g_clear_object (&self->measuring);
  g_clear_pointer (&self->device, g_free);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MEASURING]);
}

/* Ceilings that could not be stored are shown nonetheless, where they are better than older ones. */
static void
show_unkept (DynoCeilingsModel *self, GPtrArray *measured)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) best = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->ceilings)); i++)
    g_ptr_array_add (all, g_list_model_get_item (G_LIST_MODEL (self->ceilings), i));
  g_ptr_array_extend (all, measured, (GCopyFunc)(GCallback)g_object_ref, NULL);
  best = dyno_ceilings_keep_best (all);
  show (self, best);
}

static void
kept_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoCeilingsModel *self = DYNO_CEILINGS_MODEL (object);
  Request *request = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ceilings = g_task_propagate_pointer (G_TASK (result), &error);

  dyno_writing_end ();
  if (ceilings != NULL)
    show (self, ceilings);
  else
    {
      show_unkept (self, request->ceilings);
      fail (self, error);
    }
  end_measuring (self);
}

static void
send (DynoCeilingsModel *self, GPtrArray *ceilings, GCancellable *cancellable)
{
  Request *request = g_new0 (Request, 1);

  request->store = g_object_ref (self->store);
  request->ceilings = ceilings != NULL ? g_ptr_array_ref (ceilings) : NULL;
  request->forgets = self->forgets;
  dyno_thread_task_run (self, cancellable, request_thread, request, (GDestroyNotify)request_free,
                        ceilings != NULL ? kept_cb : loaded_cb);
}

static void
set_progress (double fraction, const char *step, gpointer user_data)
{
  DynoCeilingsModel *self = user_data;

  self->fraction = fraction;
  if (g_strcmp0 (self->step, step) != 0)
    {
      g_free (self->step);
      self->step = g_strdup (step);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STEP]);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FRACTION]);
}

static void
take_measured (DynoCeilingsModel *self, GPtrArray *ceilings, GError *error)
{
  if (ceilings == NULL)
    {
      end_measuring (self);
      fail (self, error);
      return;
    }
  /* A read that began earlier would return the old ceilings. */
  g_cancellable_cancel (self->loading);
  if (self->store != NULL)
    {
      dyno_writing_begin ();
      send (self, ceilings, NULL);
      return;
    }
  show_unkept (self, ceilings);
  end_measuring (self);
}

static void
measured_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoCeilingsModel) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ceilings = dyno_ceilings_measure_finish (result, &error);

  take_measured (self, ceilings, error);
}

static void
device_measured_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoCeilingsModel) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ceilings = dyno_device_ceilings_measure_finish (result, &error);

  take_measured (self, ceilings, error);
}

static void
begin_measuring (DynoCeilingsModel *self, const char *device, const char *step)
{
  self->measuring = g_cancellable_new ();
  self->forgets = FALSE;
  self->device = g_strdup (device);
  set_progress (0, step, self);
}

static void
dyno_ceilings_model_finalize (GObject *object)
{
  DynoCeilingsModel *self = DYNO_CEILINGS_MODEL (object);

  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_object (&self->store);
  g_clear_object (&self->ceilings);
  g_clear_pointer (&self->step, g_free);
  g_clear_pointer (&self->device, g_free);

  G_OBJECT_CLASS (dyno_ceilings_model_parent_class)->finalize (object);
}

static void
dyno_ceilings_model_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoCeilingsModel *self = DYNO_CEILINGS_MODEL (object);

  switch (prop_id)
    {
    case PROP_STORE:
      g_value_set_object (value, self->store);
      break;
    case PROP_CEILINGS:
      g_value_set_object (value, self->ceilings);
      break;
    case PROP_MEASURING:
      g_value_set_boolean (value, self->measuring != NULL);
      break;
    case PROP_FRACTION:
      g_value_set_double (value, self->fraction);
      break;
    case PROP_STEP:
      g_value_set_string (value, self->step);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_ceilings_model_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_STORE:
      dyno_ceilings_model_set_store (DYNO_CEILINGS_MODEL (object), g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_ceilings_model_class_init (DynoCeilingsModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_ceilings_model_finalize;
  object_class->get_property = dyno_ceilings_model_get_property;
  object_class->set_property = dyno_ceilings_model_set_property;

  properties[PROP_STORE] =
      g_param_spec_object ("store", NULL, NULL, DYNO_TYPE_STORE,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_CEILINGS] = g_param_spec_object ("ceilings", NULL, NULL, G_TYPE_LIST_MODEL, flags);
  properties[PROP_MEASURING] = g_param_spec_boolean ("measuring", NULL, NULL, FALSE, flags);
  properties[PROP_FRACTION] = g_param_spec_double ("fraction", NULL, NULL, 0, 1, 0, flags);
  properties[PROP_STEP] = g_param_spec_string ("step", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
dyno_ceilings_model_init (DynoCeilingsModel *self)
{
  self->ceilings = g_list_store_new (DYNO_TYPE_CEILING);
}

DynoCeilingsModel *
dyno_ceilings_model_new (void)
{
  return g_object_new (DYNO_TYPE_CEILINGS_MODEL, NULL);
}

void
dyno_ceilings_model_set_store (DynoCeilingsModel *self, DynoStore *store)
{
  g_return_if_fail (DYNO_IS_CEILINGS_MODEL (self));
  g_return_if_fail (store == NULL || DYNO_IS_STORE (store));

  if (!g_set_object (&self->store, store))
    return;
  dyno_ceilings_model_load (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STORE]);
}

GListModel *
dyno_ceilings_model_get_ceilings (DynoCeilingsModel *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_MODEL (self), NULL);
  return G_LIST_MODEL (self->ceilings);
}

gboolean
dyno_ceilings_model_get_measuring (DynoCeilingsModel *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_MODEL (self), FALSE);
  return self->measuring != NULL;
}

double
dyno_ceilings_model_get_fraction (DynoCeilingsModel *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_MODEL (self), 0);
  return self->fraction;
}

const char *
dyno_ceilings_model_get_step (DynoCeilingsModel *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_MODEL (self), NULL);
  return self->step;
}

const char *
dyno_ceilings_model_get_device (DynoCeilingsModel *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_MODEL (self), NULL);
  return self->device;
}

void
dyno_ceilings_model_load (DynoCeilingsModel *self)
{
  g_return_if_fail (DYNO_IS_CEILINGS_MODEL (self));

  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  if (self->store == NULL)
    return;
  self->loading = g_cancellable_new ();
  send (self, NULL, self->loading);
}

void
dyno_ceilings_model_measure (DynoCeilingsModel *self, double seconds)
{
  g_return_if_fail (DYNO_IS_CEILINGS_MODEL (self));

  if (self->measuring != NULL)
    return;
  begin_measuring (self, PROCESSOR, NULL);
  dyno_ceilings_measure_async (0, seconds, set_progress, self, self->measuring, measured_cb,
                               g_object_ref (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MEASURING]);
}

void
dyno_ceilings_model_measure_device (DynoCeilingsModel *self, const char *device, double seconds)
{
  g_return_if_fail (DYNO_IS_CEILINGS_MODEL (self));
  g_return_if_fail (device != NULL);

  if (self->measuring != NULL)
    return;
  begin_measuring (self, device, _ ("Matrix multiplication and copy"));
  dyno_device_ceilings_measure_async (device, seconds, self->measuring, device_measured_cb,
                                      g_object_ref (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MEASURING]);
}

void
dyno_ceilings_model_forget (DynoCeilingsModel *self)
{
  g_return_if_fail (DYNO_IS_CEILINGS_MODEL (self));
  g_return_if_fail (self->measuring != NULL);
  self->forgets = TRUE;
}

void
dyno_ceilings_model_cancel (DynoCeilingsModel *self)
{
  g_return_if_fail (DYNO_IS_CEILINGS_MODEL (self));
  g_cancellable_cancel (self->measuring);
}
