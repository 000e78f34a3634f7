/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-outcome.h"
#include "dyno-text.h"

struct _DynoOutcome
{
  DynoCase *kase;
  gboolean has_run;
  char *reason;
  gint64 measured_at;
};

DynoOutcome *
dyno_outcome_new (DynoCase *kase, gboolean has_run, const char *reason, gint64 measured_at)
{
  DynoOutcome *self;

  g_return_val_if_fail (DYNO_IS_CASE (kase), NULL);

  self = g_new0 (DynoOutcome, 1);
  self->kase = g_object_ref (kase);
  self->has_run = has_run;
  self->reason = g_strdup (reason);
  self->measured_at = measured_at;
  return self;
}

void
dyno_outcome_free (DynoOutcome *self)
{
  g_object_unref (self->kase);
  g_free (self->reason);
  g_free (self);
}

DynoCase *
dyno_outcome_get_case (const DynoOutcome *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->kase;
}

gboolean
dyno_outcome_has_run (const DynoOutcome *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->has_run;
}

char *
dyno_outcome_dup_text (const DynoOutcome *self)
{
  g_autofree char *date = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  date = dyno_date_format (self->measured_at);
  if (self->has_run)
    /* Translators: %s is a date */
    return g_strdup_printf (_ ("Measured on %s with batch size %u."), date,
                            dyno_case_get_batch_size (self->kase));
  if (self->reason == NULL || *self->reason == '\0')
    /* Translators: %s is a date */
    return g_strdup_printf (_ ("It failed on %s."), date);
  /* Translators: a date, and the reason in one or more sentences */
  return g_strdup_printf (_ ("It failed on %s: %s"), date, self->reason);
}

static gboolean
is_empty (const char *text)
{
  return text == NULL || *text == '\0';
}

const DynoOutcome *
dyno_outcome_find (
    GPtrArray *outcomes, DynoCase *wanted, const char *backend, const char *device, const char *usual_device)
{
  const DynoOutcome *latest = NULL;

  g_return_val_if_fail (DYNO_IS_CASE (wanted), NULL);
  g_return_val_if_fail (backend != NULL && device != NULL, NULL);

  for (guint i = 0; outcomes != NULL && i < outcomes->len; i++)
    {
      const DynoOutcome *outcome = outcomes->pdata[i];
      const char *own = dyno_case_get_device (outcome->kase);

      /* A failure at a larger size, or with other engine options, says nothing about the wanted case. */
      if ((latest == NULL || outcome->measured_at >= latest->measured_at) &&
          g_str_equal (dyno_case_get_backend (outcome->kase), backend) &&
          g_str_equal (dyno_case_get_model (outcome->kase), dyno_case_get_model (wanted)) &&
          g_str_equal (dyno_case_get_precision (outcome->kase), dyno_case_get_precision (wanted)) &&
          g_strcmp0 (is_empty (own) ? usual_device : own, device) == 0 &&
          (outcome->has_run ||
           (is_empty (dyno_case_get_options (outcome->kase)) &&
            dyno_case_get_batch_size (outcome->kase) <= dyno_case_get_batch_size (wanted) &&
            dyno_case_get_sequence_length (outcome->kase) <= dyno_case_get_sequence_length (wanted))))
        latest = outcome;
    }
  return latest;
}
