/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-insight-private.h"
#include "dyno-json.h"
#include "dyno-prober.h"
#include "dyno-race.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"
#include "dyno-verdict.h"

/* So many of the newest results of a setting are looked at for one of the same engine and Dyno. */
#define MOST_TRIES 3

/* The work that settings share where one is behind another. */
#define WORK                                                                                                 \
  (DYNO_CASE_SEQUENCE | DYNO_CASE_GENERATE | DYNO_CASE_IMAGES | DYNO_CASE_DIMENSIONS | DYNO_CASE_BATCH |     \
   DYNO_CASE_LOAD)

struct _DynoStoredSettings
{
  DynoStore *store;
  GPtrArray *points;   /* of DynoHistoryPoint */
  GHashTable *by_key;  /* lists of them by the case, the newest first */
  GHashTable *best;    /* the best cost of the work in a run, by both */
  GHashTable *n_of;    /* how many settings that run measured, likewise */
  GHashTable *checked; /* DynoStoredSetting by the case, or NULL */
  double sign;         /* less is better after multiplying the logarithm with it */
};

DynoStoredSetting *
dyno_stored_setting_dup (const DynoStoredSetting *self)
{
  DynoStoredSetting *copy = g_memdup2 (self, sizeof *self);

  copy->result = g_object_ref (self->result);
  copy->label = NULL;
  copy->run_id = g_strdup (self->run_id);
  copy->model = g_strdup (self->model);
  copy->library = g_strdup (self->library);
  return copy;
}

void
dyno_stored_setting_free (DynoStoredSetting *self)
{
  if (self == NULL)
    return;
  g_free (self->label);
  g_free (self->run_id);
  g_free (self->model);
  g_free (self->library);
  g_object_unref (self->result);
  g_free (self);
}

void
dyno_stored_settings_free (DynoStoredSettings *self)
{
  g_object_unref (self->store);
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->best);
  g_hash_table_unref (self->n_of);
  g_hash_table_unref (self->checked);
  g_ptr_array_unref (self->points);
  g_free (self);
}

static gboolean
is_of_model (DynoResult *head, gpointer model)
{
  return g_str_equal (dyno_case_get_model (dyno_result_get_case (head)), model);
}

static char *
dup_work (const DynoHistoryPoint *point)
{
  g_autofree char *work = dyno_case_parts_dup_key (point->head, WORK);

  return g_strdup_printf ("%s %s", point->run_id, work);
}

static double
get_cost (const DynoStoredSettings *self, const DynoHistoryPoint *point)
{
  return self->sign * log (point->value);
}

static void
add_point (DynoStoredSettings *self, DynoHistoryPoint *point)
{
  g_autofree char *key = dyno_case_parts_dup_key (point->head, DYNO_CASE_ALL);
  g_autofree char *work = dup_work (point);
  GPtrArray *list = g_hash_table_lookup (self->by_key, key);
  double *best = g_hash_table_lookup (self->best, work);
  double cost = get_cost (self, point);

  if (!isfinite (cost))
    return;
  if (list == NULL)
    {
      list = g_ptr_array_new ();
      g_hash_table_insert (self->by_key, g_steal_pointer (&key), list);
    }
  g_ptr_array_insert (list, 0, point);
  g_hash_table_replace (self->n_of, g_strdup (work),
                        GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (self->n_of, work)) + 1));
  if (best == NULL || cost < *best)
    g_hash_table_replace (self->best, g_steal_pointer (&work), g_memdup2 (&cost, sizeof cost));
}

DynoStoredSettings *
dyno_stored_settings_new (DynoStore *store, DynoMachine *machine, const char *model, const DynoGoal *goal)
{
  const char *metric = dyno_objective_get_metric (dyno_goal_get_main (goal));
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *snapshot = dyno_json_text_write (node, FALSE);
  g_autoptr (GError) error = NULL;
  DynoStoredSettings *self = g_new0 (DynoStoredSettings, 1);

  self->store = g_object_ref (store);
  self->sign = dyno_verdict_more_is_better (metric) ? -1 : 1;
  self->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
  self->best = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->n_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->checked =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)dyno_stored_setting_free);
  self->points = dyno_store_list_history (store, snapshot, metric, is_of_model, (gpointer)model, &error);
  if (self->points == NULL)
    {
      g_debug ("No stored results for the race: %s", error->message);
      self->points = g_ptr_array_new ();
    }
  for (guint i = 0; i < self->points->len; i++)
    add_point (self, self->points->pdata[i]);
  return self;
}

/* Only numbers of the same engine, taken in the same way, say something about those to come. */
static DynoStoredSetting *
read_point (DynoStoredSettings *self, const DynoHistoryPoint *point, DynoCase *kase)
{
  g_autoptr (DynoRun) run = dyno_store_load_case (self->store, point->run_id, point->ordinal, NULL);
  g_autoptr (DynoResult) result = run != NULL ? g_list_model_get_item (dyno_run_get_results (run), 0) : NULL;
  g_autofree char *work = dup_work (point);
  const char *engine = dyno_case_get_backend (kase);
  DynoBackend *backend = dyno_backend_lookup (engine, NULL);
  g_autoptr (DynoProbe) probe = NULL;
  g_autoptr (JsonObject) machine = NULL;
  DynoStoredSetting *setting;

  if (result == NULL || backend == NULL || dyno_run_is_imported (run) ||
      g_strcmp0 (dyno_run_get_app_version (run), PACKAGE_VERSION) != 0 ||
      !dyno_case_state_has_numbers (dyno_result_get_state (result)))
    return NULL;
  probe = dyno_prober_probe (dyno_prober_get_default (), backend, DYNO_PROBER_NONE, NULL);
  machine = dyno_json_try_object (dyno_run_get_machine (run), -1);
  if (g_strcmp0 (dyno_run_engines_find (machine, engine), dyno_probe_get_runtime (probe)) != 0)
    return NULL;
  setting = g_new0 (DynoStoredSetting, 1);
  setting->result = dyno_result_new (kase, 0);
  setting->run_id = g_strdup (point->run_id);
  setting->measured_at = point->started_at;
  setting->value = point->value;
  setting->n_processes = point->n_processes;
  setting->model = g_strdup (dyno_result_find_message (result, "model"));
  setting->library = g_strdup (dyno_result_find_message (result, "engine-library"));
  setting->ratio = GPOINTER_TO_UINT (g_hash_table_lookup (self->n_of, work)) > 1
                       ? exp (get_cost (self, point) - *(double *)g_hash_table_lookup (self->best, work))
                       : NAN;
  return setting;
}

DynoStoredSetting *
dyno_stored_settings_find (DynoStoredSettings *self, DynoCase *kase)
{
  g_autoptr (DynoResult) head = dyno_result_new (kase, 0);
  g_autofree char *key = dyno_case_parts_dup_key (head, DYNO_CASE_ALL);
  DynoStoredSetting *setting = g_hash_table_lookup (self->checked, key);
  GPtrArray *list = g_hash_table_lookup (self->by_key, key);

  if (list == NULL || g_hash_table_contains (self->checked, key))
    return setting;
  for (guint i = 0; i < MIN (list->len, MOST_TRIES) && setting == NULL; i++)
    setting = read_point (self, list->pdata[i], kase);
  g_hash_table_insert (self->checked, g_steal_pointer (&key), setting);
  return setting;
}

/* Returns whether the files of both are the same, as far as that is known. */
static gboolean
is_of_same_files (const DynoStoredSetting *self, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      const char *model = dyno_result_find_message (result, "model");
      const char *library = dyno_result_find_message (result, "engine-library");

      if (model != NULL && self->model != NULL && !g_str_equal (model, self->model))
        return FALSE;
      if (library != NULL && self->library != NULL && !g_str_equal (library, self->library) &&
          g_str_equal (dyno_case_get_backend (dyno_result_get_case (result)),
                       dyno_case_get_backend (dyno_result_get_case (self->result))))
        return FALSE;
    }
  return TRUE;
}

GPtrArray *
dyno_stored_settings_list_alike (GPtrArray *stored, DynoRun *run)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < stored->len; i++)
    if (is_of_same_files (stored->pdata[i], run))
      g_ptr_array_add (list, stored->pdata[i]);
  return list;
}

/* Returns the settings with their numbers and days, joined; NULL if there are none. */
static char *
dup_list (GPtrArray *stored, const DynoGoal *goal, gboolean is_left_out)
{
  const char *unit = dyno_objective_get_unit (dyno_goal_get_main (goal));
  g_autoptr (GPtrArray) words = g_ptr_array_new_null_terminated (0, g_free, TRUE);

  for (guint i = 0; i < stored->len; i++)
    {
      const DynoStoredSetting *setting = stored->pdata[i];
      g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (setting->measured_at / G_USEC_PER_SEC);
      g_autofree char *day = g_date_time_format (time, "%x");
      g_autofree char *value = dyno_unit_format (setting->value, unit);

      if (setting->is_left_out == is_left_out)
        /* Translators: a setting, its number, and the day on which it was measured */
        g_ptr_array_add (words, g_strdup_printf (_ ("%s %s (%s)"), setting->label, value, day));
    }
  return words->len > 0 ? g_strjoinv (", ", (char **)words->pdata) : NULL;
}

char *
dyno_stored_settings_dup_text (GPtrArray *stored, const DynoGoal *goal)
{
  g_autofree char *order = dup_list (stored, goal, FALSE);
  g_autofree char *left_out = dup_list (stored, goal, TRUE);
  g_autofree char *first =
      order != NULL
          ? g_strdup_printf (
                /* Translators: settings, each with its number and day */
                _ ("Earlier runs decided the order; their numbers are no part of the lead: %s."), order)
          : NULL;
  g_autofree char *second =
      left_out != NULL
          ? g_strdup_printf (
                /* Translators: settings, each with its number and day */
                _ ("Not measured now, because they were far behind in earlier runs: %s."), left_out)
          : NULL;

  return first != NULL && second != NULL ? g_strconcat (first, " ", second, NULL)
         : first != NULL                 ? g_steal_pointer (&first)
                                         : g_steal_pointer (&second);
}
