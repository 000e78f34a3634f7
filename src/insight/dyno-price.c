/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-cases.h"
#include "dyno-error.h"
#include "dyno-goal.h"
#include "dyno-unit.h"

#define SECONDS_PER_HOUR 3600
#define MANY             1e6

gboolean
dyno_price_parse (DynoPrice *self, const char *text, GError **error)
{
  g_autofree char *rest = NULL;
  char *end = NULL;
  double per_hour;

  *self = (DynoPrice){ 0 };
  if (*text == '\0')
    return TRUE;
  per_hour = g_ascii_strtod (text, &end);
  rest = g_strstrip (g_strdup (end));
  if (end != text && per_hour > 0 && isfinite (per_hour) && strlen (rest) < sizeof self->currency &&
      strpbrk (rest, "0123456789") == NULL)
    {
      self->per_hour = per_hour;
      g_strlcpy (self->currency, rest, sizeof self->currency);
      return TRUE;
    }
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
      _ ("“%s” is no price of an hour: write a number above 0, and perhaps a currency, such as “2.5 USD”."),
      text);
  return FALSE;
}

/* Returns the value by which work is counted: tokens where the case generates some. */
static DynoValue *
find_rate (DynoResult *result)
{
  static const char *const names[] = { "decode_tokens_per_sec", "throughput_items_per_sec" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (dyno_result_get_number (result, names[i]) > 0)
      return dyno_result_get_value (result, names[i]);
  return NULL;
}

static char *
dup_amount (const DynoPrice *self, double amount)
{
  g_autofree char *number = dyno_unit_format_significant (amount);

  return *self->currency != '\0' ? g_strdup_printf ("%s %s", number, self->currency)
                                 : g_steal_pointer (&number);
}

double
dyno_price_get_cost (const DynoPrice *self, DynoResult *result)
{
  DynoValue *rate = self->per_hour > 0 ? find_rate (result) : NULL;

  return rate != NULL ? MANY * self->per_hour / (dyno_value_get_number (rate) * SECONDS_PER_HOUR) : NAN;
}

char *
dyno_price_dup_cost (const DynoPrice *self, DynoResult *result)
{
  double cost = dyno_price_get_cost (self, result);
  g_autofree char *amount = NULL;
  g_autofree char *noun = NULL;
  const char *unit;

  if (isnan (cost))
    return NULL;
  amount = dup_amount (self, cost);
  unit = dyno_item_unit_get (result, dyno_value_get_unit (find_rate (result)));
  if (g_str_has_suffix (unit, "/s") && !g_str_equal (unit, "1/s"))
    noun = g_strndup (unit, strlen (unit) - strlen ("/s"));
  /* Translators: an amount of money, and items such as “tokens” or “images” */
  return g_strdup_printf (_ ("%s per million %s"), amount, noun != NULL ? noun : _ ("items"));
}

char *
dyno_price_dup_source (const DynoPrice *self, DynoResult *result)
{
  DynoValue *rate = self->per_hour > 0 ? find_rate (result) : NULL;
  g_autofree char *amount = NULL;
  g_autofree char *speed = NULL;

  if (rate == NULL)
    return NULL;
  amount = dup_amount (self, self->per_hour);
  speed = dyno_unit_format (dyno_value_get_number (rate),
                            dyno_item_unit_get (result, dyno_value_get_unit (rate)));
  /* Translators: an amount of money, and a rate such as “120 tokens/s” */
  return g_strdup_printf (_ ("%s per hour, as given, and %s, as measured"), amount, speed);
}
