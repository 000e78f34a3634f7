/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-case-check.h"
#include "dyno-error.h"
#include "dyno-insight-private.h"
#include "dyno-model-reader.h"
#include "dyno-prober.h"
#include "dyno-race.h"

#define USUAL_TOKENS "32"

static void
propose_engines (DynoPlan *plan, DynoModel *model)
{
  g_autoptr (GListModel) all = dyno_backend_list ();
  g_autoptr (GListStore) backends = g_list_store_new (DYNO_TYPE_BACKEND);
  g_autoptr (GStrvBuilder) places = g_strv_builder_new ();
  g_autoptr (GPtrArray) probes = NULL;
  g_auto (GStrv) list = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (all, i);

      /* A server runs the models that it holds, and no others. */
      if (dyno_backend_serves (backend) == dyno_model_is_served (model))
        g_list_store_append (backends, backend);
    }
  probes =
      dyno_prober_probe_all (dyno_prober_get_default (), G_LIST_MODEL (backends), DYNO_PROBER_NONE, NULL);
  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (G_LIST_MODEL (backends), i);

      dyno_race_plan_add_places (places, backend, probes->pdata[i]);
    }
  list = g_strv_builder_end (places);
  g_object_set (plan, "backends", list, NULL);
}

/* Each class has the precision of each format that most people use: every further one takes as long as an engine. Weights of
 * four bits are for models of text, whose products hold nearly all of them. */
static const char *const *
list_precisions (DynoModel *model)
{
  static const char *const of_generators[] = { "fp16",   "bf16", "int8-weights", "q8_0", "int4-32",
                                               "q4_k_m", NULL };
  static const char *const of_text[] = { "fp32", "fp16", "bf16", "int8", "int4-32", NULL };
  static const char *const of_others[] = { "fp32", "fp16", "bf16", "int8", NULL };

  if (dyno_model_has_cache (model))
    return of_generators;
  return dyno_model_has_sequence (model) ? of_text : of_others;
}

/* Notes which engines can run at all, and which in so many bits. */
static char *
dup_class (DynoCase *kase)
{
  g_autofree char *place = dyno_case_dup_place (kase);

  return g_strdup_printf ("%s %u", place, dyno_every_engine_count_bits (dyno_case_get_precision (kase)));
}

/* Keeps the cases that can run, and one case of each class that cannot; of an engine that can run nothing, one of all. */
static gboolean
pick (DynoPlan *plan, GError **error)
{
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (error);
  g_autoptr (GPtrArray) cases = machine != NULL ? dyno_plan_expand (plan, error) : NULL;
  g_autoptr (GHashTable) told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) able = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GStrvBuilder) numbers = g_strv_builder_new ();
  g_autofree gboolean *runs = cases != NULL ? g_new (gboolean, cases->len) : NULL;
  g_auto (GStrv) list = NULL;

  if (cases == NULL)
    return FALSE;
  for (guint i = 0; i < cases->len; i++)
    {
      g_autoptr (DynoResult) result = dyno_result_new (cases->pdata[i], i);

      runs[i] = dyno_case_check_alone (result, machine);
      if (!runs[i])
        continue;
      g_hash_table_add (able, dyno_case_dup_place (cases->pdata[i]));
      g_hash_table_add (told, dup_class (cases->pdata[i]));
    }
  for (guint i = 0; i < cases->len; i++)
    {
      g_autofree char *place = dyno_case_dup_place (cases->pdata[i]);
      g_autofree char *number = g_strdup_printf ("%u", i + 1);
      char *key = g_hash_table_contains (able, place) ? dup_class (cases->pdata[i]) : g_strdup (place);

      if (g_hash_table_add (told, key) || runs[i])
        g_strv_builder_add (numbers, number);
    }
  list = g_strv_builder_end (numbers);
  g_object_set (plan, "cases", list, NULL);
  return TRUE;
}

gboolean
dyno_every_engine_plan (DynoPlan *plan, GHashTable *given, GError **error)
{
  static const char *const tokens[] = { USUAL_TOKENS, NULL };
  static const char *const all[] = { NULL };
  const char *const *models = dyno_plan_get_models (plan);
  g_autoptr (DynoModel) model = NULL;

  g_return_val_if_fail (DYNO_IS_PLAN (plan), FALSE);

  if (*models == NULL || models[1] != NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                           _ ("Engines are compared for one model at a time: name one model."));
      return FALSE;
    }
  model = dyno_model_reader_load (*models, NULL, error);
  if (model == NULL)
    return FALSE;
  if (!g_hash_table_contains (given, "backends"))
    propose_engines (plan, model);
  if (!g_hash_table_contains (given, "precisions"))
    g_object_set (plan, "precisions", list_precisions (model), NULL);
  if (!g_hash_table_contains (given, "generate-tokens") && dyno_model_has_cache (model))
    g_object_set (plan, "generate-tokens", tokens, NULL);
  if (!g_hash_table_contains (given, "title"))
    {
      /* Translators: %s is a model */
      g_autofree char *title = g_strdup_printf (_ ("Every engine for %s"), dyno_model_get_name (model));

      g_object_set (plan, "title", title, NULL);
    }
  g_object_set (plan, "turns", TRUE, "cases", all, NULL);
  return pick (plan, error);
}
