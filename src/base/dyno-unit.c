/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dyno-unit.h"

/* Smaller shares are shown as “less than” this, in per cent. */
#define LEAST_PERCENT 0.01

/* A step of a ladder of units applies from @from on, in the stored unit. */
typedef struct
{
  const char *unit;
  double from;
  DynoUnit chosen;
  gboolean is_word;
} Step;

/* clang-format off */
#define WITH_PREFIXES(unit)                                                                                  \
  { unit, 1e15, { 1e-15, "P" unit } }, { unit, 1e12, { 1e-12, "T" unit } },                                  \
  { unit, 1e9, { 1e-9, "G" unit } }, { unit, 1e6, { 1e-6, "M" unit } }, { unit, 1e3, { 1e-3, "k" unit } }
/* clang-format on */

static const Step steps[] = {
  WITH_PREFIXES ("FLOP"),
  WITH_PREFIXES ("FLOP/s"),
  WITH_PREFIXES ("MAC"),
  WITH_PREFIXES ("OP/s"),
  WITH_PREFIXES ("B"),
  WITH_PREFIXES ("B/s"),
  { "ms", 1e3, { 1e-3, "s" } },
  { "ms", 1, { 1, "ms" } },
  { "ms", 1e-3, { 1e3, "µs" } },
  { "ms", 0, { 1e6, "ns" } },
  { "s", 1, { 1, "s" } },
  { "s", 1e-3, { 1e3, "ms" } },
  { "s", 1e-6, { 1e6, "µs" } },
  { "s", 0, { 1e9, "ns" } },
  { "MB", 1e6, { 1e-6, "TB" } },
  { "MB", 1e3, { 1e-3, "GB" } },
  { "MB", 1, { 1, "MB" } },
  { "MB", 0, { 1e3, "kB" } },
  { "items/s", 1e9, { 1e-9, N_ ("G items/s") }, TRUE },
  { "items/s", 1e6, { 1e-6, N_ ("M items/s") }, TRUE },
  { "items/s", 0, { 1, N_ ("items/s") }, TRUE },
  { "1/s", 1e9, { 1e-9, N_ ("G items/s") }, TRUE },
  { "1/s", 1e6, { 1e-6, N_ ("M items/s") }, TRUE },
  { "1/s", 0, { 1, N_ ("items/s") }, TRUE },
  { "images/s", 0, { 1, N_ ("images/s") }, TRUE },
  { "texts/s", 0, { 1, N_ ("texts/s") }, TRUE },
  { "prompts/s", 0, { 1, N_ ("prompts/s") }, TRUE },
  { "1/s/W", 0, { 1, N_ ("items/J") }, TRUE },
  { "images/J", 0, { 1, N_ ("images/J") }, TRUE },
  { "texts/J", 0, { 1, N_ ("texts/J") }, TRUE },
  { "prompts/J", 0, { 1, N_ ("prompts/J") }, TRUE },
  { "J", 1e3, { 1e-3, "kJ" } },
  { "J", 1, { 1, "J" } },
  { "J", 1e-3, { 1e3, "mJ" } },
  { "J", 0, { 1e6, "µJ" } },
  { "W", 1, { 1, "W" } },
  { "W", 0, { 1e3, "mW" } },
  { "MHz", 1e3, { 1e-3, "GHz" } },
  { "tokens/s", 1e9, { 1e-9, "G tokens/s" } },
  { "tokens/s", 1e6, { 1e-6, "M tokens/s" } },
};

void
dyno_unit_choose (const char *unit, double magnitude, DynoUnit *chosen)
{
  g_return_if_fail (unit != NULL);
  g_return_if_fail (chosen != NULL);

  *chosen = (DynoUnit){ 1, unit };
  if (magnitude == 0 || !isfinite (magnitude))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (strcmp (steps[i].unit, unit) == 0 && fabs (magnitude) >= steps[i].from)
      {
        *chosen = steps[i].chosen;
        if (steps[i].is_word)
          chosen->name = _ (chosen->name);
        return;
      }
}

char *
dyno_unit_format_number (double value, int decimals)
{
  g_autofree char *plain = NULL;

  if (fabs (value) < 0.5 * pow (10, -decimals))
    value = 0;
  plain = g_strdup_printf ("%'.*f", decimals, value);
  return plain[0] == '-' ? g_strconcat ("−", plain + 1, NULL) : g_steal_pointer (&plain);
}

char *
dyno_unit_format_significant (double value)
{
  double size = fabs (value);

  if (!isfinite (value))
    return g_strdup ("–");
  if (size != 0 && (size < 1e-3 || size >= 1e9))
    return g_strdup_printf ("%.3g", value);
  /* A number converted from another unit may have a rounding error. */
  if (size == 0 || size >= 100 || (size >= 1 && fabs (size - round (size)) <= 1e-12 * size))
    return dyno_unit_format_number (value, 0);
  return dyno_unit_format_number (value, 2 - (int)floor (log10 (size)));
}

char *
dyno_unit_format_exact (double value)
{
  double size = fabs (value);
  int most = size > 0 && isfinite (size) ? MAX (9 - (int)floor (log10 (size)), 0) : 0;
  int decimals = 0;

  while (decimals < most && fabs (size * pow (10, decimals) - round (size * pow (10, decimals))) >
                                1e-10 * size * pow (10, decimals))
    decimals++;
  return dyno_unit_format_number (value, decimals);
}

char *
dyno_unit_format_plain (double value)
{
  return fabs (value) < 9999.5 ? g_strdup_printf ("%.4g", value) : g_strdup_printf ("%.0f", value);
}

char *
dyno_unit_format_ratio (double ratio)
{
  return dyno_unit_format_number (ratio, ratio < 100 ? 1 : 0);
}

char *
dyno_unit_format_percent (double percent)
{
  g_autofree char *least = NULL;

  if (percent > 0 && percent < LEAST_PERCENT)
    {
      least = dyno_unit_format_number (LEAST_PERCENT, 2);
      /* Translators: a small number, in front of a per cent sign */
      return g_strdup_printf (_ ("less than %s"), least);
    }
  return dyno_unit_format_number (percent, !(percent > 0) || percent >= 9.95 ? 0 : percent >= 0.1 ? 1 : 2);
}

char *
dyno_unit_format (double value, const char *unit)
{
  g_autofree char *number = NULL;
  DynoUnit chosen;

  dyno_unit_choose (unit, value, &chosen);
  if (strcmp (unit, "%") == 0)
    number = value > 0 && value < 0.1 ? dyno_unit_format_percent (value) : dyno_unit_format_number (value, 1);
  else
    number = dyno_unit_format_significant (value * chosen.factor);
  return *chosen.name == '\0' ? g_steal_pointer (&number)
                              : g_strdup_printf ("%s\u00a0%s", number, chosen.name);
}

char *
dyno_unit_format_duration (double seconds)
{
  guint64 whole = (guint64)(MAX (seconds, 0) + 0.5);

  if (seconds < 1)
    /* Translators: a duration of less than one second */
    return g_strdup (_ ("less than 1 s"));
  if (whole < 60)
    /* Translators: a duration in seconds */
    return g_strdup_printf (_ ("%" PRIu64 " s"), whole);
  if (whole < 3600 && whole % 60 == 0)
    /* Translators: a duration in minutes */
    return g_strdup_printf (_ ("%" PRIu64 " min"), whole / 60);
  if (whole < 3600)
    /* Translators: a duration in minutes and seconds */
    return g_strdup_printf (_ ("%" PRIu64 " min %" PRIu64 " s"), whole / 60, whole % 60);
  if (whole % 3600 < 60)
    /* Translators: a duration in hours */
    return g_strdup_printf (_ ("%" PRIu64 " h"), whole / 3600);
  /* Translators: a duration in hours and minutes */
  return g_strdup_printf (_ ("%" PRIu64 " h %" PRIu64 " min"), whole / 3600, whole % 3600 / 60);
}
