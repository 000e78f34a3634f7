/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-app-widgets-private.h"
#include "dyno-cases.h"
#include "dyno-grade.h"
#include "dyno-unit.h"

char *
dyno_format_number (double number)
{
  return isfinite (number) ? dyno_unit_format_significant (number) : g_strdup ("—");
}

char *
dyno_format_quantity (double number, const char *unit)
{
  g_return_val_if_fail (unit != NULL, NULL);

  if (!isfinite (number))
    return g_strdup ("—");
  return dyno_unit_format (number, unit);
}

char *
dyno_format_latency (double milliseconds)
{
  return dyno_format_quantity (milliseconds, "ms");
}

char *
dyno_format_value (DynoResult *result, DynoValue *value)
{
  if (value == NULL)
    return g_strdup ("—");
  return dyno_format_quantity (dyno_value_get_number (value),
                               dyno_item_unit_get (result, dyno_value_get_unit (value)));
}

char *
dyno_format_count (gint64 count)
{
  return g_strdup_printf ("%'" G_GINT64_FORMAT, count);
}

char *
dyno_format_bytes (gint64 bytes)
{
  return g_format_size (MAX (bytes, 0));
}

char *
dyno_format_date (gint64 microseconds)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (microseconds / G_USEC_PER_SEC);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) date = utc != NULL ? g_date_time_to_local (utc) : NULL;

  if (microseconds == 0 || date == NULL)
    return g_strdup ("—");
  if (g_date_time_get_year (date) != g_date_time_get_year (now))
    /* Translators: a date of another year, for g_date_time_format */
    return g_date_time_format (date, _ ("%-e %B %Y, %H:%M"));
  if (g_date_time_get_day_of_year (date) != g_date_time_get_day_of_year (now))
    /* Translators: a date of this year, for g_date_time_format */
    return g_date_time_format (date, _ ("%-e %B, %H:%M"));
  /* Translators: a time of today, for g_date_time_format */
  return g_date_time_format (date, _ ("Today, %H:%M"));
}

char *
dyno_format_difference (double ratio)
{
  double percent = (ratio - 1) * 100;

  if (!isfinite (ratio))
    return g_strdup ("—");
  if (fabs (percent) < 0.05)
    return g_strdup (_ ("0.0 %"));
  return g_strdup_printf (percent > 0 ? "+%.1f %%" : "−%.1f %%", fabs (percent));
}

const char *
dyno_format_quality (DynoQuality quality)
{
  if (quality == DYNO_QUALITY_UNSTEADY)
    return _ ("unsteady");
  if (quality == DYNO_QUALITY_IMPORTED)
    return _ ("imported");
  return quality == DYNO_QUALITY_ESTIMATED ? _ ("estimated") : NULL;
}

const char *
dyno_format_state_icon (DynoCaseState state)
{
  static const char *const icons[DYNO_N_CASE_STATES] = {
    [DYNO_CASE_STATE_WAITING] = "content-loading-symbolic",
    [DYNO_CASE_STATE_RUNNING] = "media-playback-start-symbolic",
    [DYNO_CASE_STATE_MEASURED] = "emblem-ok-symbolic",
    [DYNO_CASE_STATE_IMPORTED] = "document-open-symbolic",
    [DYNO_CASE_STATE_DOUBTFUL] = "dialog-warning-symbolic",
    [DYNO_CASE_STATE_UNSTEADY] = "dialog-warning-symbolic",
    [DYNO_CASE_STATE_FAILED] = "dialog-error-symbolic",
    [DYNO_CASE_STATE_SKIPPED] = "media-skip-forward-symbolic",
    [DYNO_CASE_STATE_NOT_RUN] = "media-playback-stop-symbolic",
  };

  g_return_val_if_fail ((guint)state < DYNO_N_CASE_STATES, NULL);
  return icons[state];
}

static gboolean
is_graded (DynoResult *result)
{
  return dyno_result_get_state (result) == DYNO_CASE_STATE_MEASURED;
}

const char *
dyno_format_status_icon (DynoResult *result)
{
  if (is_graded (result) && dyno_result_get_grade (result) == DYNO_GRADE_ROUGH)
    return "dialog-information-symbolic";
  return dyno_format_state_icon (dyno_result_get_state (result));
}

const char *
dyno_format_status_css_class (DynoResult *result)
{
  if (is_graded (result) && dyno_result_get_grade (result) == DYNO_GRADE_ROUGH)
    return "dim-label";
  return dyno_format_state_css_class (dyno_result_get_state (result));
}

const char *
dyno_format_state_css_class (DynoCaseState state)
{
  switch (state)
    {
    case DYNO_CASE_STATE_RUNNING:
    case DYNO_CASE_STATE_IMPORTED:
      return "accent";
    case DYNO_CASE_STATE_MEASURED:
      return "success";
    case DYNO_CASE_STATE_DOUBTFUL:
    case DYNO_CASE_STATE_UNSTEADY:
      return "warning";
    case DYNO_CASE_STATE_FAILED:
      return "error";
    case DYNO_CASE_STATE_WAITING:
    case DYNO_CASE_STATE_SKIPPED:
    case DYNO_CASE_STATE_NOT_RUN:
    default:
      return "dim-label";
    }
}
