/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metric.h"
#include "dyno-missing.h"
#include "dyno-similar-text.h"

static void
missing_free (DynoMissing *missing)
{
  g_free (missing->reason);
  g_ptr_array_unref (missing->names);
  g_ptr_array_unref (missing->results);
  g_free (missing);
}

static void
add_value (GPtrArray *list, GHashTable *index, DynoResult *result, DynoValue *value)
{
  const char *source = dyno_value_get_source (value);
  const char *name = dyno_value_get_name (value);
  const char *reason = source != NULL && *source != '\0' ? source : _ ("No reason was given.");
  g_autofree char *key = NULL;
  DynoMissing *missing;

  if (dyno_value_get_quality (value) != DYNO_QUALITY_UNSUPPORTED)
    return;
  key = dyno_similar_text_dup_key (reason);
  missing = g_hash_table_lookup (index, key);
  if (missing != NULL)
    {
      g_autofree char *before = missing->reason;

      missing->reason = dyno_similar_text_merge (before, reason);
    }
  else
    {
      missing = g_new0 (DynoMissing, 1);
      missing->reason = g_strdup (reason);
      missing->names = g_ptr_array_new_with_free_func (g_free);
      missing->results = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (list, missing);
      g_hash_table_insert (index, g_steal_pointer (&key), missing);
    }
  if (!g_ptr_array_find_with_equal_func (missing->names, name, g_str_equal, NULL))
    g_ptr_array_add (missing->names, g_strdup (name));
  /* Results are visited in order, so one that is in the group already is its last. */
  if (missing->results->len == 0 || missing->results->pdata[missing->results->len - 1] != result)
    g_ptr_array_add (missing->results, g_object_ref (result));
}

static guint
find_place (const char *name)
{
  guint place = G_MAXUINT;

  g_ptr_array_find (dyno_metric_list_values (), dyno_metric_find_value (name), &place);
  return place;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  guint left = find_place (*(const char *const *)a), right = find_place (*(const char *const *)b);

  return left < right ? -1 : left > right;
}

GPtrArray *
dyno_missing_find (GListModel *results)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)missing_free);
  g_autoptr (GHashTable) index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_return_val_if_fail (G_IS_LIST_MODEL (results), list);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      GPtrArray *values = dyno_result_get_values (result);

      for (guint k = 0; k < values->len; k++)
        {
          DynoValue *value = g_ptr_array_index (values, k);

          add_value (list, index, result, value);
        }
    }
  for (guint i = 0; i < list->len; i++)
    g_ptr_array_sort (((DynoMissing *)list->pdata[i])->names, compare_places);
  return list;
}

char *
dyno_missing_dup_title (const DynoMissing *self)
{
  g_autoptr (GPtrArray) topics = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *names = self->names;
  g_autofree char *joined = NULL;

  for (guint i = 0; i < names->len; i++)
    {
      const char *topic = names->len > 1 ? dyno_metric_title_get_topic (names->pdata[i]) : NULL;
      g_autofree char *title = topic != NULL ? g_strdup (topic) : dyno_metric_title_dup (names->pdata[i]);

      if (!g_ptr_array_find_with_equal_func (topics, title, g_str_equal, NULL))
        g_ptr_array_add (topics, g_steal_pointer (&title));
    }
  g_ptr_array_add (topics, NULL);
  joined = g_strjoinv (", ", (char **)topics->pdata);
  if (names->len == topics->len - 1)
    return g_steal_pointer (&joined);
  /* Translators: the topics of values, and the number of values */
  return g_strdup_printf (ngettext ("%s (%u value)", "%s (%u values)", names->len), joined, names->len);
}
