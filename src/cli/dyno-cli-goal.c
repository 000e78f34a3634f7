/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cli-private.h"
#include "dyno-error.h"

void
dyno_cli_goal_add_entries (DynoCliGoal *self, GArray *entries)
{
  const GOptionEntry own[] = {
    { "goal", 'g', 0, G_OPTION_ARG_STRING, &self->text,
      "The goal, or several with weights, such as latency=2,memory=1 (latency)",
      "latency|throughput|energy|memory" },
    { "max-latency", 0, 0, G_OPTION_ARG_DOUBLE, &self->limits[DYNO_LIMIT_LATENCY],
      "At most this p90 latency, in ms", "MS" },
    { "max-memory", 0, 0, G_OPTION_ARG_DOUBLE, &self->limits[DYNO_LIMIT_MEMORY],
      "At most this peak memory, in MB", "MB" },
    { "max-power", 0, 0, G_OPTION_ARG_DOUBLE, &self->limits[DYNO_LIMIT_POWER],
      "At most this mean power, in W", "W" },
    { "max-error", 0, 0, G_OPTION_ARG_DOUBLE, &self->limits[DYNO_LIMIT_ERROR],
      "At most this output error, in per cent", "PERCENT" },
  };

  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
}

void
dyno_cli_goal_add_price (DynoCliGoal *self, GArray *entries)
{
  const GOptionEntry entry = {
    "cost-per-hour",
    0,
    0,
    G_OPTION_ARG_STRING,
    &self->price,
    "Add what a million tokens or items cost, by the price of an hour, such as 2.5USD",
    "PRICE"
  };

  g_array_append_val (entries, entry);
}

gboolean
dyno_cli_goal_read (const DynoCliGoal *self, DynoGoal *goal, GError **error)
{
  dyno_goal_init (goal, DYNO_OBJECTIVE_LATENCY);
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    {
      if (self->limits[i] < 0 || !isfinite (self->limits[i]))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("--max-%s must be above 0."),
                       dyno_limit_to_string (i));
          return FALSE;
        }
      if (self->limits[i] > 0)
        goal->limits[i] = self->limits[i];
    }
  return (self->text == NULL || dyno_goal_parse (goal, self->text, error)) &&
         (self->price == NULL || dyno_price_parse (&goal->price, self->price, error));
}

void
dyno_cli_goal_clear (DynoCliGoal *self)
{
  g_free (self->text);
  g_free (self->price);
}
