/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-comparison-builder.h"
#include "dyno-engine-name.h"
#include "dyno-insight-private.h"
#include "dyno-race.h"

#define ENGINE (DYNO_CASE_BACKEND | DYNO_CASE_DEVICE)
#define SIZES                                                                                                \
  (DYNO_CASE_BATCH | DYNO_CASE_SEQUENCE | DYNO_CASE_GENERATE | DYNO_CASE_IMAGES | DYNO_CASE_DIMENSIONS |     \
   DYNO_CASE_LOAD)

static void
entry_free (gpointer data)
{
  DynoEngineEntry *entry = data;

  g_free (entry->engine);
  g_free (entry->sizes);
  g_free (entry->setting);
  g_object_unref (entry->result);
  g_free (entry);
}

guint
dyno_every_engine_count_bits (const char *precision)
{
  return (guint)strtoul (precision + strcspn (precision, "0123456789"), NULL, 10);
}

static gboolean
are_alike (const DynoEngineEntry *a, const DynoEngineEntry *b)
{
  return a->bits == b->bits && g_str_equal (a->sizes, b->sizes);
}

/* Entries */

static double
get_latency (const DynoEngineEntry *entry)
{
  return dyno_result_get_number (entry->result, DYNO_COMPARISON_METRIC);
}

/* Returns the place of the first entry of the same engine, bits and sizes; their number if there is none. */
static guint
find_same (GPtrArray *entries, const DynoEngineEntry *wanted)
{
  guint i = 0;

  while (i < entries->len && !(are_alike (entries->pdata[i], wanted) &&
                               g_str_equal (((DynoEngineEntry *)entries->pdata[i])->engine, wanted->engine)))
    i++;
  return i;
}

/* The fastest of its class comes first, even where the rounds say so and not the medians. */
static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const DynoEngineEntry *first = *(DynoEngineEntry *const *)a, *second = *(DynoEngineEntry *const *)b;
  int by_sizes = strcmp (first->sizes, second->sizes);

  if (by_sizes != 0)
    return by_sizes;
  if (first->bits != second->bits)
    return first->bits < second->bits ? 1 : -1;
  if (first->fastest[0] != NULL && (first->fastest[0] == first) != (second->fastest[0] == second))
    return first->fastest[0] == first ? -1 : 1;
  return (get_latency (first) > get_latency (second)) - (get_latency (first) < get_latency (second));
}

/* A setting that took turns need not be steady: it is only compared with those that took turns with it. */
static char *
explain (DynoResult *result)
{
  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  goal.allows_moving_turns = TRUE;
  return dyno_goal_explain (&goal, result);
}

/* Comparisons */

static DynoComparison *
compare (DynoEveryEngine *self, guint question, const char *metric)
{
  DynoComparison *comparison = dyno_comparison_new_empty (metric, "ms", DYNO_COMPARISON_THRESHOLD);

  comparison->baseline =
      /* Translators: “Median latency, relative to the fastest with as many bits” */
      dyno_comparison_add_side (comparison, self->run, _ ("the fastest with as many bits"));
  for (guint i = 0; i < self->entries->len; i++)
    {
      DynoEngineEntry *entry = self->entries->pdata[i];
      const DynoEngineEntry *fastest = entry->fastest[question];
      const DynoCasePair pair = { fastest->result, entry->result };
      DynoComparedCase *kase;
      guint side = 1;

      while (side < comparison->sides->len &&
             !g_str_equal (dyno_comparison_get_side_title (comparison, side), entry->engine))
        side++;
      if (side == comparison->sides->len)
        dyno_comparison_add_side (comparison, self->run, entry->engine);
      entry->margins[question] = NULL;
      if (entry == fastest)
        continue;
      kase = dyno_comparison_add_case (comparison, side, fastest->result, entry->result);
      g_free (kase->label);
      /* Translators: the setting of an engine, and the fastest engine: “int4-32 beside llama.cpp” */
      kase->label = g_strdup_printf (_ ("%s beside %s"), entry->setting, fastest->engine);
      kase->reason =
          dyno_comparison_differences_dup_confounding (comparison, side, &pair, DYNO_CASE_ALTERNATIVES);
      if (kase->reason != NULL)
        kase->verdict = DYNO_VERDICT_CONFOUNDED;
      entry->margins[question] = kase;
    }
  return comparison;
}

/* The medians of all steps decide at first, because rounds need two sides. */
static void
lead_by_medians (DynoEveryEngine *self, guint question, const char *metric)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      DynoEngineEntry *entry = self->entries->pdata[i];

      entry->fastest[question] = entry;
      for (guint k = 0; k < self->entries->len; k++)
        {
          const DynoEngineEntry *other = self->entries->pdata[k];

          if (are_alike (entry, other) &&
              dyno_result_get_number (other->result, metric) <
                  dyno_result_get_number (entry->fastest[question]->result, metric))
            entry->fastest[question] = other;
        }
    }
}

/* An entry that is ahead within the rounds is the fastest, whatever the medians say. Returns whether there is one. */
static gboolean
lead_by_rounds (DynoEveryEngine *self, guint question)
{
  gboolean is_new = FALSE;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const DynoEngineEntry *entry = self->entries->pdata[i];
      const DynoComparedCase *margin = entry->margins[question];
      double ratio = margin != NULL && margin->in_blocks ? margin->ratio : 1;

      for (guint k = 0; k < self->entries->len && ratio < 1; k++)
        {
          DynoEngineEntry *other = self->entries->pdata[k];
          const DynoComparedCase *best = other->fastest[question]->margins[question];

          if (are_alike (entry, other) && (best == NULL || ratio < best->ratio))
            other->fastest[question] = entry;
        }
      is_new |= ratio < 1;
    }
  return is_new;
}

static void
compare_all (DynoEveryEngine *self)
{
  static const char *const of_tokens[] = { "inter_token_latency_ms", "first_token_latency_ms", NULL };
  static const char *const of_steps[] = { DYNO_COMPARISON_METRIC, NULL };
  const char *const *metrics = self->entries->len > 0 ? of_tokens : of_steps;
  gboolean is_new = TRUE;

  for (guint i = 0; i < self->entries->len; i++)
    if (!isfinite (dyno_result_get_number (((DynoEngineEntry *)self->entries->pdata[i])->result, *of_tokens)))
      metrics = of_steps;
  for (guint question = 0; metrics[question] != NULL; question++)
    lead_by_medians (self, question, metrics[question]);
  for (guint pass = 0; pass < 2 && is_new; pass++)
    {
      is_new = FALSE;
      g_ptr_array_set_size (self->comparisons, 0);
      for (guint question = 0; metrics[question] != NULL; question++)
        g_ptr_array_add (self->comparisons, compare (self, question, metrics[question]));
      dyno_comparison_judge_together ((DynoComparison *const *)self->comparisons->pdata,
                                      self->comparisons->len);
      for (guint question = 0; metrics[question] != NULL && pass == 0; question++)
        is_new |= lead_by_rounds (self, question);
      if (is_new)
        g_ptr_array_sort (self->entries, compare_entries);
    }
}

/* Lists what differs between each entry and the fastest one. */
static void
list_differences (DynoEveryEngine *self)
{
  DynoComparison *first = self->comparisons->pdata[0];

  for (guint side = 1; side < first->sides->len; side++)
    {
      DynoCaseAlignment alignment = { .pairs = g_array_new (FALSE, FALSE, sizeof (DynoCasePair)) };

      for (guint i = 0; i < first->cases->len; i++)
        {
          const DynoComparedCase *kase = first->cases->pdata[i];
          const DynoCasePair pair = { kase->baseline, kase->result };

          if (kase->side == side)
            g_array_append_val (alignment.pairs, pair);
        }
      dyno_comparison_differences_find (first, side, &alignment);
      g_array_unref (alignment.pairs);
    }
}

/* Takes @reason. @bits: 0 if the engine has no entry at all. */
static void
leave_out (DynoEveryEngine *self, const char *engine, guint bits, char *reason)
{
  DynoComparison *first = self->comparisons->pdata[0];
  DynoLeftOutCase *kase = g_new0 (DynoLeftOutCase, 1);

  kase->side = first->baseline;
  kase->engine = g_strdup (engine);
  kase->bits = bits;
  if (bits > 0)
    /* Translators: an engine, and how many bits a weight has */
    kase->label = g_strdup_printf (ngettext ("%s, %u bit", "%s, %u bits", (gulong)bits), engine, bits);
  else
    kase->label = g_strdup (engine);
  kase->reason = reason;
  g_ptr_array_add (first->left_out, kase);
}

static gboolean
has_backend (DynoRun *run, const char *backend)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (g_str_equal (dyno_case_get_backend (dyno_result_get_case (result)), backend))
        return TRUE;
    }
  return FALSE;
}

/* An engine that has no entry in a class has a case there that was refused, or the plan had none for it. */
static void
list_left_out (DynoEveryEngine *self, GPtrArray *refused)
{
  const char *json = dyno_run_get_plan (self->run);
  g_autoptr (DynoPlan) plan = json != NULL ? dyno_plan_new_from_json (json, NULL) : NULL;

  for (guint i = 0; i < refused->len; i++)
    {
      const DynoEngineEntry *entry = refused->pdata[i];
      gboolean is_part = FALSE;

      for (guint k = 0; k < self->entries->len; k++)
        is_part =
            is_part || g_str_equal (((DynoEngineEntry *)self->entries->pdata[k])->engine, entry->engine);
      if (find_same (self->entries, entry) == self->entries->len && find_same (refused, entry) == i)
        leave_out (self, entry->engine, is_part ? entry->bits : 0, explain (entry->result));
    }
  for (const char *const *spec = plan != NULL ? dyno_plan_get_backends (plan) : NULL;
       spec != NULL && *spec != NULL; spec++)
    {
      g_autofree char *device = NULL;
      DynoBackend *backend = dyno_backend_lookup_spec (*spec, &device, NULL);
      g_autofree char *engine =
          backend != NULL ? dyno_engine_name_dup (dyno_backend_get_id (backend), device) : NULL;

      if (engine != NULL && !has_backend (self->run, dyno_backend_get_id (backend)))
        leave_out (self, engine, 0,
                   g_strdup (_ ("It cannot open this model in any of the chosen precisions.")));
    }
}

gboolean
dyno_every_engine_is_of_one_model (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (DynoResult) first = g_list_model_get_item (results, 0);

  for (guint i = 1; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (g_strcmp0 (dyno_case_get_model (dyno_result_get_case (result)),
                     dyno_case_get_model (dyno_result_get_case (first))) != 0)
        return FALSE;
    }
  return TRUE;
}

DynoEveryEngine *
dyno_every_engine_new (DynoRun *run)
{
  DynoEveryEngine *self = g_new0 (DynoEveryEngine, 1);
  g_autoptr (GPtrArray) refused = g_ptr_array_new_with_free_func (entry_free);

  self->run = g_object_ref (run);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->comparisons = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_comparison_unref);

  /* Each engine has its fastest setting in each class; what may not be recommended goes to @refused. */
  GListModel *results = dyno_run_get_results (self->run);
  DynoCaseParts varying = dyno_case_parts_find_varying (results);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autofree char *reason = explain (result);
      DynoEngineEntry *entry = g_new0 (DynoEngineEntry, 1);
      entry->engine = dyno_case_parts_dup_text (result, ENGINE);
      entry->bits = dyno_every_engine_count_bits (dyno_case_get_precision (dyno_result_get_case (result)));
      entry->sizes = dyno_case_parts_dup_text (result, SIZES);
      entry->setting = dyno_case_parts_dup_text (result, (varying & ~ENGINE & ~SIZES) | DYNO_CASE_PRECISION);
      entry->result = g_object_ref (result);
      guint place = find_same (self->entries, entry);

      if (reason != NULL)
        g_ptr_array_add (refused, entry);
      else if (place == self->entries->len)
        g_ptr_array_add (self->entries, entry);
      else if (get_latency (entry) < get_latency (self->entries->pdata[place]))
        {
          entry_free (self->entries->pdata[place]);
          self->entries->pdata[place] = entry;
        }
      else
        entry_free (entry);
    }
  g_ptr_array_sort (self->entries, compare_entries);

  compare_all (self);
  list_differences (self);
  list_left_out (self, refused);
  return self;
}

void
dyno_every_engine_free (DynoEveryEngine *self)
{
  g_ptr_array_unref (self->comparisons);
  g_ptr_array_unref (self->entries);
  g_object_unref (self->run);
  g_free (self);
}
