/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-kinds-private.h"
#include "dyno-module.h"

/* The groups of similar modules that take the longest have their own colours; the last colour is for all
 * others. */
#define LAST_SLOT (DYNO_ROOFLINE_MAX_SERIES - 1)

typedef struct
{
  char *stem;
  double time_ns;
} Kin;

static void
free_kin (gpointer data)
{
  g_free (((Kin *)data)->stem);
  g_free (data);
}

/* Operators that only move data take time and traffic, and are part of their module. */
static gboolean
has_work (DynoOperator *op)
{
  return dyno_operator_get_time_ns (op) > 0 && dyno_operator_get_calls (op) > 0 &&
         dyno_operator_get_flops (op) >= 0 && dyno_operator_get_bytes (op) > 0;
}

static gboolean
has_flops (DynoOperator *op)
{
  return has_work (op) && dyno_operator_get_flops (op) > 0;
}

/* Shares refer to the time of all operators, so there are none if one operator has no time. */
static gboolean
has_modules (DynoResult *result)
{
  return dyno_operator_times_have (result, has_flops);
}

static int
compare_kin (gconstpointer a, gconstpointer b)
{
  double left = (*(Kin *const *)a)->time_ns;
  double right = (*(Kin *const *)b)->time_ns;

  return left > right ? -1 : left < right;
}

static void
add_operators (DynoRooflineGroups *groups,
               GHashTable *added,
               const DynoModule *module,
               const char *name,
               const DynoRooflineFamily *family)
{
  for (guint i = 0; i < module->operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (module->operators, i);

      if (!has_work (op))
        continue;
      dyno_roofline_groups_add (groups, op, name, name, family);
      g_hash_table_add (added, op);
    }
  for (guint i = 0; i < module->modules->len; i++)
    add_operators (groups, added, g_ptr_array_index (module->modules, i), name, family);
}

static void
add_modules (DynoRooflineGroups *groups, DynoResult *result)
{
  g_autoptr (DynoModule) root = dyno_module_new (result);
  g_autoptr (GPtrArray) blocks = dyno_module_list_blocks (root);
  g_autoptr (GPtrArray) kin = g_ptr_array_new_with_free_func (free_kin);
  g_autoptr (GHashTable) by_stem = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) added = g_hash_table_new (NULL, NULL);
  GPtrArray *operators = dyno_result_get_operators (result);

  /* Groups the blocks by their common stem, the longest time first. */
  for (guint i = 0; i < blocks->len; i++)
    {
      const DynoModule *block = g_ptr_array_index (blocks, i);
      g_autofree char *stem = dyno_module_dup_stem (block);
      Kin *known = g_hash_table_lookup (by_stem, stem);

      if (known == NULL)
        {
          known = g_new0 (Kin, 1);
          known->stem = g_steal_pointer (&stem);
          g_ptr_array_add (kin, known);
          g_hash_table_insert (by_stem, known->stem, known);
        }
      known->time_ns += (double)block->counted.time_ns;
    }
  g_ptr_array_sort (kin, compare_kin);

  for (guint i = 0; i < blocks->len; i++)
    {
      const DynoModule *block = g_ptr_array_index (blocks, i);
      g_autofree char *name = dyno_module_dup_label (block);
      g_autofree char *stem = dyno_module_dup_stem (block);
      guint slot = 0;
      DynoRooflineFamily family = { .name = stem };

      while (slot < MIN (kin->len, LAST_SLOT) && !g_str_equal (((Kin *)kin->pdata[slot])->stem, stem))
        slot++;
      family.slot = slot < kin->len ? slot : LAST_SLOT;
      family.series = family.slot < LAST_SLOT ? stem : _ ("Other modules");
      add_operators (groups, added, block, name, &family);
    }
  for (guint i = 0; i < operators->len; i++)
    if (!g_hash_table_contains (added, g_ptr_array_index (operators, i)))
      dyno_roofline_groups_hide (groups, g_ptr_array_index (operators, i));
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  const DynoRooflineWords words = { _ ("Module"), _ ("Alike"), FALSE, TRUE };

  dyno_roofline_groups_build (chart, cases, &words, add_modules);
}

const DynoChartInfo dyno_roofline_modules_chart = {
  .name = "roofline-modules",
  .label = N_ ("Roofline of modules"),
  .title = N_ ("Roofline of the modules"),
  .dup_empty = dyno_roofline_groups_dup_empty_message,
  .group = DYNO_CHART_GROUP_LIMITS,
  .flags = DYNO_CHART_OF_ONE_CASE | DYNO_CHART_HAS_ROOFS | DYNO_CHART_IS_WIDE,
  .has_data = has_modules,
  .limit = 1,
  .build = build,
};
