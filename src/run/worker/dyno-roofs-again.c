/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-ceilings.h"
#include "dyno-device-ceilings.h"
#include "dyno-roofline.h"
#include "dyno-run-worker-private.h"

#define PROCESSOR "cpu"

typedef struct
{
  char *device;
  guint threads; /* 0 for a device of a runtime */
  char *pinning;
} Roof;

typedef struct
{
  GPtrArray *roofs;
  guint next;
  double seconds;
  GPtrArray *ceilings;
} Measuring;

static void
roof_free (gpointer data)
{
  Roof *self = data;

  g_free (self->device);
  g_free (self->pinning);
  g_free (self);
}

static void
measuring_free (gpointer data)
{
  Measuring *self = data;

  g_ptr_array_unref (self->roofs);
  g_ptr_array_unref (self->ceilings);
  g_free (self);
}

static gboolean
is_same_roof (gconstpointer a, gconstpointer b)
{
  const Roof *one = a, *other = b;

  return one->threads == other->threads && g_str_equal (one->device, other->device) &&
         g_strcmp0 (one->pinning, other->pinning) == 0;
}

static GPtrArray *
list_exceeded (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  GPtrArray *roofs = g_ptr_array_new_with_free_func (roof_free);

  for (guint i = 0; i < g_list_model_get_n_items (results) && roofs->len < DYNO_ROOFS_AGAIN_MOST; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      DynoCase *kase = dyno_result_get_case (result);
      Roof *roof;

      if (dyno_result_find_message (result, DYNO_ROOFLINE_ABOVE) == NULL)
        continue;
      roof = g_new0 (Roof, 1);
      roof->device = dyno_roofline_dup_device (kase, dyno_run_get_machine (run));
      if (g_str_equal (roof->device, PROCESSOR))
        {
          roof->threads = dyno_roofline_count_busy_threads (kase, dyno_run_get_machine (run));
          roof->pinning = g_strdup (dyno_case_get_pinning (kase));
        }
      if (g_ptr_array_find_with_equal_func (roofs, roof, is_same_roof, NULL))
        roof_free (roof);
      else
        g_ptr_array_add (roofs, roof);
    }
  return roofs;
}

guint
dyno_roofs_again_count (DynoRun *run)
{
  g_autoptr (GPtrArray) roofs = list_exceeded (run);

  return roofs->len;
}

static void measure_next (GTask *task);

/* Ceilings that cannot be measured now stay as they are. */
static void
take (GTask *task, GPtrArray *ceilings)
{
  Measuring *self = g_task_get_task_data (task);

  if (ceilings != NULL)
    g_ptr_array_extend_and_steal (self->ceilings, ceilings);
  measure_next (task);
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;

  take (task, dyno_ceilings_measure_finish (result, NULL));
}

static void
device_measured_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;

  take (task, dyno_device_ceilings_measure_finish (result, NULL));
}

static void
measure_next (GTask *task)
{
  Measuring *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  const Roof *roof;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->next == self->roofs->len)
    {
      g_task_return_pointer (task, g_ptr_array_ref (self->ceilings), (GDestroyNotify)g_ptr_array_unref);
      return;
    }
  roof = self->roofs->pdata[self->next++];
  if (g_str_equal (roof->device, PROCESSOR))
    dyno_ceilings_measure_pinned_async (roof->pinning, roof->threads, self->seconds, NULL, NULL, cancellable,
                                        measured_cb, g_object_ref (task));
  else
    dyno_device_ceilings_measure_async (roof->device, self->seconds, cancellable, device_measured_cb,
                                        g_object_ref (task));
}

void
dyno_roofs_again_measure_async (
    DynoRun *run, double seconds, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (run, cancellable, callback, user_data);
  Measuring *self = g_new0 (Measuring, 1);

  self->roofs = list_exceeded (run);
  self->seconds = seconds;
  self->ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  g_task_set_source_tag (task, dyno_roofs_again_measure_async);
  g_task_set_task_data (task, self, measuring_free);
  measure_next (task);
}

GPtrArray *
dyno_roofs_again_measure_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
