/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-cli-private.h"
#include "dyno-engine-name.h"
#include "dyno-unit.h"

static const struct
{
  double factor;
  const char *prefix;
} prefixes[] = { { 1e15, "P" }, { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } };

/* Units with large numbers, which read best with a prefix. */
static const char *const prefixed_units[] = { "FLOP", "FLOP/s", "MAC", "OP/s", "B", "B/s", NULL };

char *
dyno_cli_format_quantity (double number, const char *unit)
{
  g_autofree char *text = NULL;

  if (!g_strv_contains (prefixed_units, unit))
    return dyno_unit_format (number, unit);
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (fabs (number) >= prefixes[i].factor)
      {
        text = dyno_unit_format_significant (number / prefixes[i].factor);
        return g_strdup_printf ("%s\u00a0%s%s", text, prefixes[i].prefix, unit);
      }
  text = dyno_unit_format_significant (number);
  return g_strdup_printf ("%s\u00a0%s", text, unit);
}

char *
dyno_cli_format_text (const char *text)
{
  return g_strdup (text != NULL ? text : "");
}

char *
dyno_cli_format_value (DynoValue *value)
{
  g_autofree char *number = NULL;
  DynoQuality quality;

  if (value == NULL)
    return g_strdup ("");
  if (!dyno_value_is_number (value))
    return g_strdup ("—");
  number = dyno_cli_format_quantity (dyno_value_get_number (value), dyno_value_get_unit (value));
  quality = dyno_value_get_quality (value);
  return g_strconcat (quality == DYNO_QUALITY_UNSTEADY   ? "~"
                      : quality == DYNO_QUALITY_IMPORTED ? "←"
                                                         : "",
                      number, NULL);
}

char *
dyno_cli_format_engine (const char *backend_id, const char *device)
{
  g_autofree char *name = dyno_engine_name_dup (backend_id, device);

  return dyno_engine_name_tells_device (backend_id, device) ? g_steal_pointer (&name)
                                                            : g_strdup_printf ("%s\u00a0· %s", name, device);
}

char *
dyno_cli_format_count (gint64 count)
{
  return g_strdup_printf ("%'" G_GINT64_FORMAT, count);
}

char *
dyno_cli_format_duration (double seconds)
{
  guint whole = (guint)CLAMP (seconds + 0.5, 0, G_MAXUINT);

  if (whole < 3600)
    return g_strdup_printf ("%u:%02u", whole / 60, whole % 60);
  return g_strdup_printf ("%u:%02u:%02u", whole / 3600, whole % 3600 / 60, whole % 60);
}
