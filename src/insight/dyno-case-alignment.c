/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-insight-private.h"

/* Maps keys to results; a key that several results share maps to NULL. */
static GHashTable *
create_index (GPtrArray *results, DynoCaseParts parts)
{
  GHashTable *index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < results->len; i++)
    {
      char *key = dyno_case_parts_dup_key (results->pdata[i], parts);
      gboolean is_only = !g_hash_table_contains (index, key);

      g_hash_table_replace (index, key, is_only ? results->pdata[i] : NULL);
    }
  return index;
}

static DynoResult *
find (GHashTable *index, DynoResult *result, DynoCaseParts parts)
{
  g_autofree char *key = dyno_case_parts_dup_key (result, parts);

  return g_hash_table_lookup (index, key);
}

static void
take_pair (DynoCaseAlignment *self, DynoResult *baseline, DynoResult *result)
{
  DynoCasePair pair = { g_object_ref (baseline), g_object_ref (result) };

  g_array_append_val (self->pairs, pair);
  g_ptr_array_remove (self->only_baseline, baseline);
  g_ptr_array_remove (self->only_results, result);
}

static GPtrArray *
copy (GPtrArray *results)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_extend (list, results, (GCopyFunc)g_object_ref, NULL);
  return list;
}

/* Returns keys with a running number that tells equal cases apart. Cases with numbers come first, so that a failed case
 * is never paired with one that succeeded. */
static GHashTable *
number_cases (GPtrArray *results, DynoCaseParts parts)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTable *keys = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < results->len; i++)
      if (dyno_case_state_has_numbers (dyno_result_get_state (results->pdata[i])) == (pass == 0))
        {
          char *key = dyno_case_parts_dup_key (results->pdata[i], parts);
          guint number = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1;

          g_hash_table_insert (keys, results->pdata[i], g_strdup_printf ("%u %s", number, key));
          g_hash_table_replace (counts, key, GUINT_TO_POINTER (number));
        }
  return keys;
}

/* Pairs repeated measurements in order: the first with the first, and so on. */
static void
match_same (DynoCaseAlignment *self, DynoCaseParts parts)
{
  g_autoptr (GHashTable) keys_before = number_cases (self->only_baseline, parts);
  g_autoptr (GHashTable) keys_after = number_cases (self->only_results, parts);
  g_autoptr (GHashTable) before = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) results = copy (self->only_results);

  for (guint i = 0; i < self->only_baseline->len; i++)
    g_hash_table_insert (before, g_hash_table_lookup (keys_before, self->only_baseline->pdata[i]),
                         self->only_baseline->pdata[i]);
  for (guint i = 0; i < results->len; i++)
    {
      DynoResult *baseline =
          g_hash_table_lookup (before, g_hash_table_lookup (keys_after, results->pdata[i]));

      if (baseline != NULL)
        take_pair (self, baseline, results->pdata[i]);
    }
}

static void
clear_pair (gpointer data)
{
  DynoCasePair *pair = data;

  g_object_unref (pair->baseline);
  g_object_unref (pair->result);
}

DynoCaseAlignment *
dyno_case_alignment_new (GPtrArray *baseline, GPtrArray *results)
{
  DynoCaseAlignment *self = g_new0 (DynoCaseAlignment, 1);

  self->pairs = g_array_new (FALSE, FALSE, sizeof (DynoCasePair));
  g_array_set_clear_func (self->pairs, clear_pair);
  self->only_baseline = copy (baseline);
  self->only_results = copy (results);
  for (DynoCaseParts part = 1; part <= DYNO_CASE_ALTERNATIVES; part <<= 1)
    if (part & DYNO_CASE_ALTERNATIVES)
      {
        g_autofree char *old_id = dyno_case_parts_dup_common (baseline, part, dyno_case_parts_dup_ids);
        g_autofree char *new_id = dyno_case_parts_dup_common (results, part, dyno_case_parts_dup_ids);

        if (old_id != NULL && new_id != NULL && !g_str_equal (old_id, new_id))
          self->compared |= part;
      }
  match_same (self, DYNO_CASE_ALL & ~self->compared);

  /* Pairs the remaining results that have exactly one partner. */
  DynoCaseParts parts = DYNO_CASE_ALL & ~self->compared & ~(guint)DYNO_CASE_DEVICE;
  g_autoptr (GHashTable) before = create_index (self->only_baseline, parts);
  g_autoptr (GHashTable) after = create_index (self->only_results, parts);

  for (guint i = 0; i < self->only_results->len;)
    {
      DynoResult *result = self->only_results->pdata[i];
      DynoResult *partner = find (before, result, parts);

      if (partner == NULL || find (after, result, parts) == NULL)
        i++;
      else
        take_pair (self, partner, result);
    }
  return self;
}

void
dyno_case_alignment_free (DynoCaseAlignment *self)
{
  g_array_unref (self->pairs);
  g_ptr_array_unref (self->only_baseline);
  g_ptr_array_unref (self->only_results);
  g_free (self);
}
