/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cases.h"

static int
compare_ordinals (gconstpointer a, gconstpointer b)
{
  guint first = dyno_result_get_ordinal (*(DynoResult *const *)a);
  guint second = dyno_result_get_ordinal (*(DynoResult *const *)b);

  return (first > second) - (first < second);
}

GPtrArray *
dyno_case_order_sort (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  GPtrArray *sorted = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    g_ptr_array_add (sorted, g_list_model_get_item (results, i));
  g_ptr_array_sort (sorted, compare_ordinals);
  return sorted;
}
