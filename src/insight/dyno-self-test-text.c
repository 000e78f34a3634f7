/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-self-test-plan.h"
#include "dyno-text.h"
#include "dyno-unit.h"

char *
dyno_self_test_dup_floor (const DynoSelfTest *self, const char *metric)
{
  double noise_floor = dyno_self_test_get_floor (self, metric);
  g_autofree char *percent = NULL;
  g_autofree char *date = NULL;

  if (!isfinite (noise_floor))
    return NULL;
  percent = dyno_unit_format_percent (noise_floor * 100);
  date = dyno_date_format (self->measured_at);
  if (self->is_doubtful)
    /* Translators: a percentage, and a date */
    return g_strdup_printf (_ ("%s %%, doubtful self-test on %s"), percent, date);
  /* Translators: a percentage, and a date */
  return g_strdup_printf (_ ("%s %%, self-test on %s"), percent, date);
}

char *
dyno_self_test_dup_sentence (const DynoSelfTest *self, const char *metric)
{
  g_autofree char *noise_floor = dyno_self_test_dup_floor (self, metric);

  if (noise_floor != NULL && self->is_doubtful)
    /* Translators: “1.8 %, doubtful self-test on 12 May 2026” */
    return g_strdup_printf (_ ("Noise floor of this machine: %s. It may be too high: repeat the self-test "
                               "while nothing else runs."),
                            noise_floor);
  if (noise_floor != NULL)
    /* Translators: “1.8 %, self-test on 12 May 2026” */
    return g_strdup_printf (_ ("Noise floor of this machine: %s."), noise_floor);
  if (self != NULL)
    return g_strdup (_ ("The self-test of this machine has no noise floor for this value."));
  return g_strdup (
      _ ("The noise floor of this machine is not known. “Noise Floor” on the page “Hardware” or “dyno-cli "
         "selftest” measures it."));
}
