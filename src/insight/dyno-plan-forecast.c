/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-model-reader.h"
#include "dyno-plan-forecast.h"
#include "dyno-unit.h"

/* Building a graph takes time, and a plan may have thousands of cases. */
#define MAX_CASES 60

/* The extremes of the cases of a plan. */
typedef struct
{
  gint64 needed;
  double least;
  double most;
  GPtrArray *notes; /* without duplicates */
} Forecast;

static void
forecast_clear (Forecast *self)
{
  g_ptr_array_unref (self->notes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Forecast, forecast_clear)

static void
add_case (Forecast *self, DynoCase *kase, const char *machine, GPtrArray *ceilings)
{
  g_auto (DynoCaseForecast) one = { 0 };

  dyno_case_forecast_make (&one, kase, machine, ceilings);
  self->needed = MAX (self->needed, one.needed);
  if (one.note != NULL && !g_ptr_array_find_with_equal_func (self->notes, one.note, g_str_equal, NULL))
    g_ptr_array_add (self->notes, g_steal_pointer (&one.note));
  if (!isfinite (one.prediction.milliseconds))
    return;
  self->least = fmin (self->least, one.prediction.milliseconds);
  self->most = fmax (self->most, one.prediction.milliseconds);
}

void
dyno_case_forecast_make (DynoCaseForecast *self, DynoCase *kase, const char *machine, GPtrArray *ceilings)
{
  g_autoptr (DynoModel) read = dyno_model_reader_load (dyno_case_get_model (kase), NULL, NULL);
  g_autoptr (DynoModel) model = read != NULL ? dyno_case_adapt_model (kase, read, NULL) : NULL;
  g_autoptr (GHashTable) binding = model != NULL ? dyno_model_bind (model, dyno_case_get_batch_size (kase),
                                                                    dyno_case_get_sequence_length (kase),
                                                                    dyno_case_get_dimensions (kase), NULL)
                                                 : NULL;

  *self = (DynoCaseForecast){ 0, { NAN, NULL }, NULL };
  if (binding == NULL || dyno_model_is_served (model))
    return;
  self->needed = dyno_model_estimate_memory (model, binding, NULL);
  self->note = dyno_model_dup_note (model);
  dyno_prediction_make (&self->prediction, model, binding, kase, machine, ceilings);
}

void
dyno_case_forecast_clear (DynoCaseForecast *self)
{
  dyno_prediction_clear (&self->prediction);
  g_free (self->note);
}

char *
dyno_plan_forecast_dup (
    GPtrArray *cases, const char *machine, GPtrArray *ceilings, gint64 available, GCancellable *cancellable)
{
  g_auto (Forecast)
      forecast = { .least = INFINITY, .most = 0, .notes = g_ptr_array_new_with_free_func (g_free) };
  g_autofree char *memory = NULL;

  for (guint i = 0; i < MIN (cases->len, MAX_CASES) && !g_cancellable_is_cancelled (cancellable); i++)
    add_case (&forecast, g_ptr_array_index (cases, i), machine, ceilings);
  if (forecast.needed == 0)
    return NULL;

  g_autofree char *needed = g_format_size ((guint64)forecast.needed);
  g_autofree char *free_text = g_format_size ((guint64)MAX (available, 0));

  memory =
      g_strdup_printf (forecast.needed <= available
                           /* Translators: the memory that the largest case needs, and the available memory */
                           ? _ ("Memory: about %s needed, %s available.")
                           : _ ("Memory: about %s needed, but only %s available: some cases cannot run."),
                       needed, free_text);
  if (forecast.most > 0)
    {
      g_autofree char *least = dyno_unit_format (forecast.least, "ms");
      g_autofree char *most = dyno_unit_format (forecast.most, "ms");
      gboolean is_range = forecast.most >= 1.01 * forecast.least;

      g_ptr_array_insert (
          forecast.notes, 0,
          is_range ? g_strdup_printf (
                         _ ("Predicted from FLOPs, bytes and measured roofs: about %s to %s per step."),
                         least, most)
                   : g_strdup_printf (
                         _ ("Predicted from FLOPs, bytes and measured roofs: about %s per step."), most));
    }
  g_ptr_array_insert (forecast.notes, 0, g_steal_pointer (&memory));
  g_ptr_array_add (forecast.notes, NULL);
  return g_strjoinv (" ", (char **)forecast.notes->pdata);
}
