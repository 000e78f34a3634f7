/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-module.h"
#include "dyno-unit.h"

#define MODULES   0
#define OPERATORS 1

/* Consecutive operators that belong to one module and ran on one provider. */
typedef struct
{
  const DynoModule *module;
  const char *provider;
  guint n_operators;
  gint64 begin_ns;
  gint64 end_ns;
} Stretch;

/* A provider and its time. */
typedef struct
{
  const char *name;
  char *label;
  gint64 time_ns;
  DynoSeries *series;
} Provider;

typedef struct
{
  DynoChart *chart;
  GPtrArray *operators;
  GPtrArray *providers; /* the longest time first */
  GHashTable *modules;  /* by operator */
  double total_ns;
} Strip;

static void
free_provider (gpointer data)
{
  Provider *self = data;

  g_clear_object (&self->series);
  g_free (self->label);
  g_free (self);
}

static Provider *
find_provider (const Strip *self, const char *name)
{
  for (guint i = 0; i < self->providers->len; i++)
    {
      Provider *provider = g_ptr_array_index (self->providers, i);

      if (g_strcmp0 (provider->name, name) == 0)
        return provider;
    }
  return NULL;
}

static int
compare_providers (gconstpointer a, gconstpointer b)
{
  gint64 left = (*(Provider *const *)a)->time_ns;
  gint64 right = (*(Provider *const *)b)->time_ns;

  return (left < right) - (left > right);
}

/* The first provider has the colour of the case; the others are hatched, for people who cannot distinguish
 * colours. */
static void
list_providers (Strip *self)
{
  for (guint i = 0; i < self->operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (self->operators, i);
      Provider *provider = find_provider (self, dyno_operator_get_provider (op));

      if (provider == NULL)
        {
          provider = g_new0 (Provider, 1);
          provider->name = dyno_operator_get_provider (op);
          provider->label = provider->name != NULL ? dyno_operator_dup_provider_label (op)
                                                   : g_strdup (_ ("an unknown provider"));
          g_ptr_array_add (self->providers, provider);
        }
      provider->time_ns += dyno_operator_get_time_ns (op);
      self->total_ns += (double)dyno_operator_get_time_ns (op);
    }
  g_ptr_array_sort (self->providers, compare_providers);
  for (guint i = 0; i < self->providers->len; i++)
    {
      Provider *provider = g_ptr_array_index (self->providers, i);

      provider->series = dyno_series_new (provider->label, i);
      if (i > 0)
        dyno_series_set_mark (provider->series, DYNO_MARK_HATCH);
    }
}

static void
map_operators (GHashTable *modules, const DynoModule *block, const DynoModule *module)
{
  for (guint i = 0; i < module->operators->len; i++)
    g_hash_table_insert (modules, g_ptr_array_index (module->operators, i), (gpointer)block);
  for (guint i = 0; i < module->modules->len; i++)
    map_operators (modules, block, g_ptr_array_index (module->modules, i));
}

static double
get_share (const Strip *self, gint64 time_ns)
{
  return 100 * (double)time_ns / self->total_ns;
}

/* Pieces with zero time have no width; only the table lists them. */
static gboolean
add_piece (const Strip *self,
           const Provider *provider,
           guint row,
           gint64 begin_ns,
           gint64 end_ns,
           const char *text,
           const char *label)
{
  DynoSeries *series = provider->series;
  double begin = get_share (self, begin_ns);
  double end = get_share (self, end_ns);
  double place = row + 0.98 * ((begin + end) / 200 - 0.5);

  if (end_ns <= begin_ns || !dyno_series_add_with_band (series, place, end, begin, end))
    return FALSE;
  dyno_series_set_text (series, dyno_series_get_length (series) - 1, text);
  dyno_series_set_label (series, dyno_series_get_length (series) - 1, label);
  return TRUE;
}

/* --- modules --- */

static void
add_stretch (const Strip *self, const Stretch *stretch)
{
  g_autofree char *label = stretch->module != NULL ? dyno_module_dup_label (stretch->module) : NULL;
  const char *name = label != NULL ? label : _ ("Between modules");
  g_autofree char *percent = dyno_unit_format_percent (get_share (self, stretch->end_ns - stretch->begin_ns));
  g_autofree char *text = g_strdup_printf (
      /* Translators: a module, its operators that run one behind the other, their share of the time in per cent */
      ngettext ("%s: %u operator, %s %% of the time", "%s: %u operators, %s %% of the time",
                stretch->n_operators),
      name, stretch->n_operators, percent);

  add_piece (self, find_provider (self, stretch->provider), MODULES, stretch->begin_ns, stretch->end_ns, text,
             label);
}

static void
add_stretches (const Strip *self)
{
  Stretch stretch = { 0 };

  for (guint i = 0; i < self->operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (self->operators, i);
      const DynoModule *module = g_hash_table_lookup (self->modules, op);
      const char *provider = dyno_operator_get_provider (op);

      if (i > 0 && (module != stretch.module || g_strcmp0 (provider, stretch.provider) != 0))
        {
          add_stretch (self, &stretch);
          stretch = (Stretch){ .begin_ns = stretch.end_ns, .end_ns = stretch.end_ns };
        }
      stretch.module = module;
      stretch.provider = provider;
      stretch.n_operators++;
      stretch.end_ns += dyno_operator_get_time_ns (op);
    }
  add_stretch (self, &stretch);
}

/* --- operators --- */

static void
add_operators (const Strip *self, const DynoChartCase *kase)
{
  gint64 begin_ns = 0;

  for (guint i = 0; i < self->operators->len; i++)
    {
      DynoOperator *op = g_ptr_array_index (self->operators, i);
      gint64 time_ns = dyno_operator_get_time_ns (op);
      const Provider *provider = find_provider (self, dyno_operator_get_provider (op));
      const char *type = dyno_operator_get_op_type (op);
      g_autofree char *percent = dyno_unit_format_percent (get_share (self, time_ns));
      g_autofree char *time = dyno_unit_format ((double)time_ns / 1e6, "ms");
      /* Translators: an operator, its type, its share of the time in per cent, its time */
      g_autofree char *text = g_strdup_printf (_ ("%s (%s): %s %% of the time, %s"),
                                               dyno_operator_get_name (op), type, percent, time);

      if (add_piece (self, provider, OPERATORS, begin_ns, begin_ns + time_ns, text, type))
        dyno_series_set_subject (provider->series, dyno_series_get_length (provider->series) - 1, op);

      DynoChartTable *table = dyno_chart_build_table (self->chart);
      const DynoModule *module = g_hash_table_lookup (self->modules, op);
      g_autofree char *label = module != NULL ? dyno_module_dup_label (module) : NULL;

      dyno_chart_table_begin_row (table, kase);
      dyno_chart_table_add_number (table, i + 1);
      dyno_chart_table_add_text (table, dyno_operator_get_name (op));
      dyno_chart_table_add_text (table, dyno_operator_get_op_type (op));
      dyno_chart_table_add_text (table, label);
      dyno_chart_table_add_text (table, dyno_operator_get_provider (op));
      dyno_chart_table_add_number (table, (double)dyno_operator_get_time_ns (op) / 1e6);
      dyno_chart_table_add_number (table, get_share (self, dyno_operator_get_time_ns (op)));
      dyno_chart_table_add_number (table, (double)dyno_operator_get_calls (op));

      begin_ns += time_ns;
    }
}

static void
build (DynoChart *chart, GPtrArray *cases)
{
  const DynoChartCase *kase = g_ptr_array_index (cases, 0);
  g_autoptr (GPtrArray) providers = g_ptr_array_new_with_free_func (free_provider);
  g_autoptr (GHashTable) modules = g_hash_table_new (NULL, NULL);
  g_autoptr (DynoModule) root = dyno_module_new (kase->result);
  g_autoptr (GPtrArray) blocks = dyno_module_list_blocks (root);
  g_autofree char *left_out = dyno_operator_times_dup_note (dyno_chart_get_cases (chart));
  Strip self = { chart, dyno_result_get_operators (kase->result), providers, modules, 0 };
  DynoAxis *rows = dyno_category_axis_new ("");
  DynoAxis *shares = dyno_linear_axis_new (_ ("Time of a step, in the order of the graph"), "%");

  for (guint i = 0; i < blocks->len; i++)
    map_operators (modules, g_ptr_array_index (blocks, i), g_ptr_array_index (blocks, i));
  list_providers (&self);
  dyno_chart_table_add_columns (dyno_chart_build_table (chart), _ ("Place"), _ ("Operator"), _ ("Type"),
                                _ ("Module"), _ ("Provider"), _ ("Time of all calls (ms)"),
                                _ ("Share of the time (%)"), _ ("Calls"), NULL);
  add_stretches (&self);
  add_operators (&self, kase);
  for (guint i = 0; i < providers->len; i++)
    {
      const Provider *provider = g_ptr_array_index (providers, i);

      dyno_chart_add_series (chart, provider->series);
      dyno_chart_take_layer (chart, dyno_strip_layer_new (provider->series));
    }
  dyno_category_axis_add (DYNO_CATEGORY_AXIS (rows), _ ("Modules"));
  dyno_category_axis_add (DYNO_CATEGORY_AXIS (rows), _ ("Operators"));
  dyno_axis_set_range (shares, 0, 100);
  dyno_axis_set_zoomable (shares, TRUE);
  dyno_chart_take_axes (chart, shares, rows);
  dyno_chart_take_caption (chart, g_strconcat (dyno_chart_get_caption (chart), left_out, NULL));
  dyno_operator_times_tell_selection (chart);
  const Provider *first = g_ptr_array_index (providers, 0);
  guint n_changes = 0;
  for (guint i = 1; i < self.operators->len; i++)
    n_changes += g_strcmp0 (dyno_operator_get_provider (g_ptr_array_index (self.operators, i - 1)),
                            dyno_operator_get_provider (g_ptr_array_index (self.operators, i))) != 0;
  g_autofree char *percent = dyno_unit_format_percent (get_share (&self, first->time_ns));
  dyno_chart_take_finding (
      chart,
      providers->len == 1
          ? g_strdup_printf (
                ngettext ("%u operator ran, on %s.", "All %u operators ran on %s.", self.operators->len),
                self.operators->len, first->label)
          : g_strdup_printf (
                ngettext ("%s %% of the time on %s; the work goes from one provider to another once.",
                          "%s %% of the time on %s; the work goes from one provider to another %u times.",
                          n_changes),
                percent, first->label, n_changes));
}

const DynoChartInfo dyno_placement_chart = {
  .name = "placement",
  .label = N_ ("Placement of operators"),
  .title = N_ ("Placement of the operators"),
  .empty = N_ ("There are no times per operator."),
  .dup_empty = dyno_operator_times_dup_reasons,
  .group = DYNO_CHART_GROUP_OPERATORS,
  .flags = DYNO_CHART_OF_ONE_CASE | DYNO_CHART_IS_WIDE,
  .has_data = dyno_operator_times_have_any,
  .limit = 1,
  .build = build,
};
