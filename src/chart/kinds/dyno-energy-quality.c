/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-kinds-private.h"
#include "dyno-unit.h"

static const char *const values[] = { "energy_joules", "energy_per_item_joules", "power_avg_watts" };

gboolean
dyno_energy_quality_is_estimated (const DynoChartCase *kase)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (dyno_chart_cases_is_estimated (kase->result, values[i]))
      return TRUE;
  return FALSE;
}

static guint
count_estimated (GPtrArray *cases)
{
  guint n_estimated = 0;

  for (guint i = 0; i < cases->len; i++)
    n_estimated += dyno_energy_quality_is_estimated (g_ptr_array_index (cases, i));
  return n_estimated;
}

DynoEnergyQuality
dyno_energy_quality_from_count (guint n_estimated, guint n_all)
{
  if (n_estimated == 0)
    return DYNO_ENERGY_MEASURED;
  return n_estimated == n_all ? DYNO_ENERGY_ESTIMATED : DYNO_ENERGY_MIXED;
}

DynoEnergyQuality
dyno_energy_quality_from_cases (GPtrArray *cases)
{
  return dyno_energy_quality_from_count (count_estimated (cases), cases->len);
}

GPtrArray *
dyno_energy_quality_select_comparable (GPtrArray *cases)
{
  GPtrArray *comparable = g_ptr_array_new ();
  gboolean only_measured = dyno_energy_quality_from_cases (cases) == DYNO_ENERGY_MIXED;

  for (guint i = 0; i < cases->len; i++)
    if (!only_measured || !dyno_energy_quality_is_estimated (g_ptr_array_index (cases, i)))
      g_ptr_array_add (comparable, g_ptr_array_index (cases, i));
  return comparable;
}

char *
dyno_energy_quality_dup_heading (DynoEnergyQuality quality, const char *plain)
{
  if (quality == DYNO_ENERGY_MIXED)
    return g_strdup_printf (
        /* Translators: the title of a chart of power or energy, some of which was estimated and not measured */
        _ ("%s, partly estimated"), plain);
  return dyno_energy_quality_dup_name (quality == DYNO_ENERGY_ESTIMATED, plain);
}

char *
dyno_energy_quality_dup_name (gboolean estimated, const char *plain)
{
  /* Translators: the name of bars, points or a chart, whose power or energy was estimated and not measured */
  return estimated ? g_strdup_printf (_ ("%s, estimated"), plain) : g_strdup (plain);
}

char *
dyno_energy_quality_dup_amount (gboolean estimated, double number, const char *unit)
{
  g_autofree char *amount = dyno_unit_format (number, unit);

  /* Translators: an amount of power or energy within a sentence: “an estimated 12 W” */
  return estimated ? g_strdup_printf (_ ("an estimated %s"), amount) : g_steal_pointer (&amount);
}

char *
dyno_energy_quality_dup_finding (DynoEnergyQuality quality, const char *plain)
{
  if (quality != DYNO_ENERGY_MIXED)
    return g_strdup (plain);
  /* Translators: %s is the finding, a whole sentence */
  return g_strdup_printf (_ ("%s Estimates are left out."), plain);
}

char *
dyno_energy_quality_dup_caption (GPtrArray *cases, const char *plain)
{
  guint n_estimated = count_estimated (cases);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) sources = g_string_new (NULL);
  g_autofree char *note = NULL;

  if (n_estimated == 0)
    return g_strdup (plain);
  for (guint i = 0; i < cases->len; i++)
    {
      const DynoChartCase *kase = g_ptr_array_index (cases, i);
      DynoValue *energy = dyno_result_get_value (kase->result, values[0]);
      const char *source = energy != NULL ? dyno_value_get_source (energy) : NULL;

      if (source != NULL && *source != '\0' && dyno_energy_quality_is_estimated (kase) &&
          g_hash_table_add (known, (gpointer)source))
        g_string_append_printf (sources, "%s%s", sources->len > 0 ? "; " : "", source);
    }
  if (n_estimated == cases->len)
    /* Translators: how it was estimated */
    note = g_strdup_printf (_ ("Power is estimated, not measured: %s."), sources->str);
  else
    note = g_strdup_printf (ngettext ("The power of %u case is estimated, not measured: %s.",
                                      "The power of %u cases is estimated, not measured: %s.", n_estimated),
                            n_estimated, sources->str);
  return *plain == '\0' ? g_steal_pointer (&note) : g_strdup_printf ("%s\n%s", plain, note);
}
