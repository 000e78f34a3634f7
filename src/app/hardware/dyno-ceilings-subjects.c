/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-hardware-private.h"
#include "dyno-prober.h"

struct _DynoCeilingsSubjects
{
  GObject parent_instance;

  GListStore *list;
  GListModel *ceilings;
  GListModel *backends;
  GHashTable *probes; /* by backend id */
  GCancellable *finding;
};

G_DEFINE_FINAL_TYPE (DynoCeilingsSubjects, dyno_ceilings_subjects, G_TYPE_OBJECT)

/* Data of a probe's callback. */
typedef struct
{
  DynoCeilingsSubjects *self;
  DynoBackend *backend;
} Question;

static void
question_free (Question *question)
{
  g_object_unref (question->self);
  g_object_unref (question->backend);
  g_free (question);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

static gboolean
is_same (gconstpointer a, gconstpointer b)
{
  return dyno_ceilings_subject_is_same ((gpointer)a, (gpointer)b);
}

static void
take (GPtrArray *subjects, DynoCeilingsSubject *subject)
{
  if (g_ptr_array_find_with_equal_func (subjects, subject, is_same, NULL))
    g_object_unref (subject);
  else
    g_ptr_array_add (subjects, subject);
}

static gboolean
is_as_listed (DynoCeilingsSubjects *self, GPtrArray *subjects)
{
  GListModel *list = G_LIST_MODEL (self->list);

  if (g_list_model_get_n_items (list) != subjects->len)
    return FALSE;
  for (guint i = 0; i < subjects->len; i++)
    {
      g_autoptr (DynoCeilingsSubject) listed = g_list_model_get_item (list, i);

      if (!is_same (listed, subjects->pdata[i]) ||
          g_strcmp0 (dyno_ceilings_subject_get_name (listed),
                     dyno_ceilings_subject_get_name (subjects->pdata[i])) != 0)
        return FALSE;
    }
  return TRUE;
}

static void
fill (DynoCeilingsSubjects *self)
{
  g_autoptr (GPtrArray) subjects = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (subjects, dyno_ceilings_subject_new_processor ());
  for (guint i = 0; i < g_list_model_get_n_items (self->backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (self->backends, i);

      /* The processor as a device of a runtime belongs to the processor's ceilings. */
      DynoProbe *probe = g_hash_table_lookup (self->probes, dyno_backend_get_id (backend));
      GListModel *devices = probe != NULL ? dyno_probe_get_devices (probe) : NULL;
      if (devices != NULL && dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE)
        {
          for (guint k = 0; k < g_list_model_get_n_items (devices); k++)
            {
              g_autoptr (DynoDevice) device = g_list_model_get_item (devices, k);

              if (dyno_device_get_kind (device) != DYNO_DEVICE_KIND_CPU)
                take (subjects, dyno_ceilings_subject_new_device (backend, device));
            }
        }
    }
  for (guint i = 0; self->ceilings != NULL && i < g_list_model_get_n_items (self->ceilings); i++)
    {
      g_autoptr (DynoCeiling) ceiling = g_list_model_get_item (self->ceilings, i);

      take (subjects, dyno_ceilings_subject_new_for_ceiling (ceiling));
    }
  if (!is_as_listed (self, subjects))
    g_list_store_splice (self->list, 0, g_list_model_get_n_items (G_LIST_MODEL (self->list)), subjects->pdata,
                         subjects->len);
}

static void
probe_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  DynoProbe *probe = dyno_prober_probe_finish (DYNO_PROBER (object), result, NULL);

  /* The list of backends shows the error. */
  if (probe == NULL)
    return;
  g_hash_table_insert (question->self->probes, g_strdup (dyno_backend_get_id (question->backend)), probe);
  fill (question->self);
}

static void
dyno_ceilings_subjects_dispose (GObject *object)
{
  DynoCeilingsSubjects *self = DYNO_CEILINGS_SUBJECTS (object);

  dyno_ceilings_subjects_set_ceilings (self, NULL);
  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);

  G_OBJECT_CLASS (dyno_ceilings_subjects_parent_class)->dispose (object);
}

static void
dyno_ceilings_subjects_finalize (GObject *object)
{
  DynoCeilingsSubjects *self = DYNO_CEILINGS_SUBJECTS (object);

  g_clear_object (&self->list);
  g_clear_object (&self->backends);
  g_clear_pointer (&self->probes, g_hash_table_unref);

  G_OBJECT_CLASS (dyno_ceilings_subjects_parent_class)->finalize (object);
}

static void
dyno_ceilings_subjects_class_init (DynoCeilingsSubjectsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_ceilings_subjects_dispose;
  object_class->finalize = dyno_ceilings_subjects_finalize;
}

static void
dyno_ceilings_subjects_init (DynoCeilingsSubjects *self)
{
  self->list = g_list_store_new (DYNO_TYPE_CEILINGS_SUBJECT);
  self->backends = dyno_backend_list ();
  self->probes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  fill (self);
}

DynoCeilingsSubjects *
dyno_ceilings_subjects_new (void)
{
  return g_object_new (DYNO_TYPE_CEILINGS_SUBJECTS, NULL);
}

GListModel *
dyno_ceilings_subjects_get_list (DynoCeilingsSubjects *self)
{
  g_return_val_if_fail (DYNO_IS_CEILINGS_SUBJECTS (self), NULL);
  return G_LIST_MODEL (self->list);
}

void
dyno_ceilings_subjects_set_ceilings (DynoCeilingsSubjects *self, GListModel *ceilings)
{
  g_return_if_fail (DYNO_IS_CEILINGS_SUBJECTS (self));

  if (self->ceilings != NULL)
    g_signal_handlers_disconnect_by_data (self->ceilings, self);
  g_set_object (&self->ceilings, ceilings);
  if (ceilings == NULL)
    return;
  g_signal_connect_object (ceilings, "items-changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  fill (self);
}

void
dyno_ceilings_subjects_find_devices (DynoCeilingsSubjects *self)
{
  g_return_if_fail (DYNO_IS_CEILINGS_SUBJECTS (self));

  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
  self->finding = g_cancellable_new ();
  for (guint i = 0; i < g_list_model_get_n_items (self->backends); i++)
    {
      Question *question = g_new (Question, 1);

      *question = (Question){ g_object_ref (self), g_list_model_get_item (self->backends, i) };
      dyno_prober_probe_async (dyno_prober_get_default (), question->backend, DYNO_PROBER_NONE, self->finding,
                               probe_cb, question);
    }
}
