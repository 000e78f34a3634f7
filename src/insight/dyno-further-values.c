/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-further-values.h"
#include "dyno-metric.h"

/* Imported values that the fixed columns of a table do not have: each tool has its own, and a reader only
 * sees those in the table. Dyno's own values beyond the columns are in its charts. */

/* A table with more extra columns is hard to read. */
#define MAX_COLUMNS 6

/* The spread of a latency, and its number of steps: details of an existing column. */
#define DETAIL "latency_"

static gboolean
is_further (DynoValue *value, const char *const *shown)
{
  return dyno_value_get_quality (value) == DYNO_QUALITY_IMPORTED && dyno_value_is_number (value) &&
         !g_strv_contains (shown, dyno_value_get_name (value));
}

gboolean
dyno_further_values_tells_mean (DynoResult *result)
{
  DynoValue *mean;

  g_return_val_if_fail (DYNO_IS_RESULT (result), FALSE);

  mean = dyno_result_get_value (result, "latency_mean_ms");
  return mean != NULL && dyno_value_is_number (mean) &&
         (dyno_value_get_quality (mean) == DYNO_QUALITY_IMPORTED ||
          !isfinite (dyno_result_get_number (result, "latency_p50_ms")));
}

/* A name, and the number of cases that have a value of it. */
typedef struct
{
  char *name;
  guint n;
} Candidate;

static void
candidate_free (gpointer data)
{
  g_free (((Candidate *)data)->name);
  g_free (data);
}

static void
count_values (GPtrArray *candidates, DynoResult *result, const char *const *shown)
{
  GPtrArray *values = dyno_result_get_values (result);

  for (guint i = 0; i < values->len; i++)
    {
      const char *name = dyno_value_get_name (values->pdata[i]);
      Candidate *candidate = NULL;

      if (!is_further (values->pdata[i], shown) || g_str_has_prefix (name, DETAIL))
        continue;
      for (guint k = 0; k < candidates->len && candidate == NULL; k++)
        if (g_str_equal (((Candidate *)candidates->pdata[k])->name, name))
          candidate = candidates->pdata[k];
      if (candidate == NULL)
        {
          candidate = g_new (Candidate, 1);
          *candidate = (Candidate){ g_strdup (name), 0 };
          g_ptr_array_add (candidates, candidate);
        }
      candidate->n++;
    }
}

/* Values that readers look for first come first; all others follow in the order of their files. */
static guint
get_rank (const Candidate *candidate)
{
  static const char *const first[] = { "energy_joules",          "energy_step_joules",
                                       "energy_per_item_joules", "energy_per_token_joules",
                                       "power_avg_watts",        "emissions_g" };

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    if (g_str_equal (candidate->name, first[i]))
      return i;
  return G_N_ELEMENTS (first);
}

GPtrArray *
dyno_further_values_choose (GListModel *results, const char *const *shown)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);
  GPtrArray *chosen = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (G_IS_LIST_MODEL (results), chosen);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      count_values (candidates, result, shown);
    }
  while (candidates->len > 0 && chosen->len < MAX_COLUMNS)
    {
      guint best = 0;
      Candidate *next;

      for (guint i = 1; i < candidates->len; i++)
        {
          const Candidate *a = candidates->pdata[i];
          const Candidate *b = candidates->pdata[best];

          if (a->n != b->n ? a->n > b->n : get_rank (a) < get_rank (b))
            best = i;
        }
      next = g_ptr_array_steal_index (candidates, best);
      g_ptr_array_add (chosen, g_steal_pointer (&next->name));
      candidate_free (next);
    }
  return chosen;
}

char *
dyno_further_values_dup_rest (DynoResult *result,
                              const char *const *shown,
                              GPtrArray *chosen,
                              char *(*format) (DynoValue *value))
{
  GPtrArray *values;
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (DYNO_IS_RESULT (result), NULL);

  values = dyno_result_get_values (result);
  for (guint i = 0; i < values->len; i++)
    {
      const char *name = dyno_value_get_name (values->pdata[i]);
      g_autofree char *title = NULL;
      g_autofree char *number = NULL;

      if (!is_further (values->pdata[i], shown) ||
          g_ptr_array_find_with_equal_func (chosen, name, g_str_equal, NULL))
        continue;
      title = dyno_metric_title_dup (name);
      number = format (values->pdata[i]);
      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "; " : "", title, number);
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}
