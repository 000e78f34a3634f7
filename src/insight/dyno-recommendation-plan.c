/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-recommendation.h"

static DynoCase *
get_first (GPtrArray *candidates)
{
  return candidates->len > 0
             ? dyno_result_get_case (((DynoCandidate *)g_ptr_array_index (candidates, 0))->result)
             : NULL;
}

/* Returns any case of a row or a column: all of them share the parts that the place determines. */
static DynoCase *
find_case (const DynoRecommendation *self, guint first, guint step, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const DynoRecommendationCell *cell = self->cells->pdata[first + i * step];
      DynoCase *found = get_first (cell->candidates);

      if (found == NULL)
        found = get_first (cell->refused);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
add_backend (GPtrArray *backends, DynoCase *kase)
{
  g_autofree char *backend = dyno_case_dup_place (kase);

  if (!g_ptr_array_find_with_equal_func (backends, backend, g_str_equal, NULL))
    g_ptr_array_add (backends, g_steal_pointer (&backend));
}

static void
set_text (DynoPlan *plan, const char *property, const char *text)
{
  const char *const list[] = { text, NULL };

  g_object_set (plan, property, list, NULL);
}

static void
set_number (DynoPlan *plan, const char *property, guint number)
{
  g_autofree char *text = g_strdup_printf ("%u", number);

  set_text (plan, property, text);
}

DynoPlan *
dyno_recommendation_plan_new (const DynoRecommendation *self, guint row, guint column)
{
  guint n_columns = self->columns->len;
  DynoCase *of_row = find_case (self, row * n_columns, 1, n_columns);
  DynoCase *of_column = find_case (self, column, n_columns, self->rows->len);
  DynoCaseParts told = dyno_recommendation_axis_get_parts (self->column_axis);
  g_autoptr (GPtrArray) backends = g_ptr_array_new_with_free_func (g_free);
  DynoPlan *plan;

  if (of_row == NULL || of_column == NULL)
    return NULL;
  /* Lists all backends that may be recommended in any cell. */
  for (guint i = 0; i < self->cells->len; i++)
    {
      GPtrArray *candidates = ((DynoRecommendationCell *)self->cells->pdata[i])->candidates;

      for (guint k = 0; k < candidates->len; k++)
        add_backend (backends, dyno_result_get_case (((DynoCandidate *)candidates->pdata[k])->result));
    }
  plan = dyno_plan_new ();
  set_text (plan, "models",
            dyno_case_get_model (g_str_equal (self->column_axis, "model") ? of_column : of_row));
  set_number (plan, "batch-sizes", dyno_case_get_batch_size (told & DYNO_CASE_BATCH ? of_column : of_row));
  set_number (plan, "sequence-lengths",
              MAX (dyno_case_get_sequence_length (told & DYNO_CASE_SEQUENCE ? of_column : of_row), 1));
  set_number (plan, "threads", dyno_case_get_threads (told & DYNO_CASE_THREADS ? of_column : of_row));
  set_text (plan, "precisions", dyno_case_get_precision (told & DYNO_CASE_PRECISION ? of_column : of_row));
  set_number (plan, "generate-tokens",
              dyno_case_get_generate_tokens (told & DYNO_CASE_GENERATE ? of_column : of_row));
  set_number (plan, "images", dyno_case_get_images (told & DYNO_CASE_IMAGES ? of_column : of_row));
  if (told & DYNO_CASE_BACKEND || g_str_equal (self->row_axis, "backend"))
    {
      g_ptr_array_set_size (backends, 0);
      add_backend (backends, told & DYNO_CASE_BACKEND ? of_column : of_row);
    }
  if (backends->len == 0)
    add_backend (backends, of_row);
  g_ptr_array_add (backends, NULL);
  g_object_set (plan, "backends", backends->pdata, NULL);
  return plan;
}
