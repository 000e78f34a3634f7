/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-case.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-plan-forecast.h"
#include "dyno-unit.h"

static void
part_free (gpointer data)
{
  DynoPlanPart *part = data;

  g_free (part->spec);
  g_free (part->title);
  g_array_unref (part->blocks);
  g_free (part);
}

void
dyno_plan_count_free (DynoPlanCount *self)
{
  g_free (self->machine);
  g_free (self->forecast);
  g_ptr_array_unref (self->engines);
  g_ptr_array_unref (self->parts);
  g_free (self);
}

static guint
find_engine (GPtrArray *engines, char *name)
{
  guint index;

  if (!g_ptr_array_find_with_equal_func (engines, name, g_str_equal, &index))
    {
      index = engines->len;
      g_ptr_array_add (engines, g_strdup (name));
    }
  return index;
}

static DynoPlanPart *
find_part (GPtrArray *parts, const char *spec)
{
  DynoPlanPart *part;

  for (guint i = 0; i < parts->len; i++)
    {
      part = parts->pdata[i];
      if (g_str_equal (part->spec, spec))
        return part;
    }
  part = g_new0 (DynoPlanPart, 1);
  part->spec = g_strdup (spec);
  part->title = dyno_model_dup_title (spec);
  part->blocks = g_array_new (FALSE, FALSE, sizeof (DynoPlanBlock));
  g_ptr_array_add (parts, part);
  return part;
}

DynoPlanCount *
dyno_plan_count_new (
    DynoPlan *plan, DynoStore *store, const char *machine, GPtrArray **cases_out, GError **error)
{
  g_autoptr (GPtrArray) cases = dyno_plan_expand_for_run (plan, error);
  g_autoptr (GHashTable) durations = NULL;
  g_autoptr (GPtrArray) ceilings = NULL;
  g_autoptr (DynoMachine) snapshot = NULL;
  g_autoptr (JsonNode) node = NULL;
  DynoPlanCount *self;

  if (cases == NULL)
    return NULL;
  self = g_new0 (DynoPlanCount, 1);
  self->engines = g_ptr_array_new_with_free_func (g_free);
  self->parts = g_ptr_array_new_with_free_func (part_free);
  /* The store knows this machine by its snapshot; without it, all durations are guesses. */
  snapshot = machine == NULL ? dyno_machine_snapshot (NULL) : NULL;
  node = snapshot != NULL ? dyno_machine_to_json (snapshot) : NULL;
  self->machine = node != NULL ? dyno_json_text_write (node, FALSE) : g_strdup (machine);
  if (store != NULL && self->machine != NULL)
    {
      durations = dyno_store_load_durations (store, self->machine, NULL);
      ceilings = dyno_store_load_ceilings (store, self->machine, NULL);
    }
  for (guint i = 0; i < cases->len; i++)
    {
      DynoCase *kase = cases->pdata[i];
      g_autofree char *engine = dyno_case_dup_engine (kase);
      DynoPlanPart *part = find_part (self->parts, dyno_case_get_model (kase));

      if (durations == NULL || !dyno_case_learn_seconds (kase, durations))
        dyno_prediction_expect_seconds (kase, self->machine, ceilings);

      DynoPlanBlock block = { find_engine (self->engines, engine), dyno_case_get_expected_seconds (kase) };
      part->seconds += block.seconds;
      g_array_append_val (part->blocks, block);
    }
  self->n_cases = cases->len;
  self->seconds = dyno_plan_estimate_seconds (cases);
  if (cases_out != NULL)
    *cases_out = g_steal_pointer (&cases);
  return self;
}

void
dyno_plan_count_add_forecast (DynoPlanCount *self,
                              GPtrArray *cases,
                              DynoStore *store,
                              GCancellable *cancellable)
{
  g_autoptr (GPtrArray) ceilings = NULL;

  if (store != NULL && self->machine != NULL)
    ceilings = dyno_store_load_ceilings (store, self->machine, NULL);
  self->forecast = dyno_plan_forecast_dup (cases, self->machine, ceilings,
                                           dyno_machine_read_available_memory (), cancellable);
}

char *
dyno_plan_count_dup_text (const DynoPlanCount *self)
{
  g_autofree char *cases = g_strdup_printf (ngettext ("%u case", "%u cases", self->n_cases), self->n_cases);
  g_autofree char *duration = dyno_unit_format_duration (self->seconds);
  /* No line of a card begins with a lone unit. */
  g_auto (GStrv) words = g_strsplit (duration, " ", -1);
  g_autofree char *unbroken = g_strjoinv ("\u00a0", words);

  /* A duration that is said to be less than another is not about anything. */
  if (self->seconds < 1)
    /* Translators: the first %s is such as “12 cases”, the second is “less than 1 s” */
    return g_strdup_printf (_ ("%s · %s"), cases, unbroken);
  /* Translators: the first %s is such as “12 cases”, the second such as “1 min 20 s” */
  return g_strdup_printf (_ ("%s · about %s"), cases, unbroken);
}
