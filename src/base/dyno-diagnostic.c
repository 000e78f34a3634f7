/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-diagnostic.h"
#include "dyno-enum.h"

struct _DynoDiagnostic
{
  DynoSeverity severity;
  char *code;
  char *message;
};

G_DEFINE_ENUM_TYPE (DynoSeverity,
                    dyno_severity,
                    G_DEFINE_ENUM_VALUE (DYNO_SEVERITY_INFO, "info"),
                    G_DEFINE_ENUM_VALUE (DYNO_SEVERITY_WARNING, "warning"),
                    G_DEFINE_ENUM_VALUE (DYNO_SEVERITY_ERROR, "error"))

G_DEFINE_BOXED_TYPE (DynoDiagnostic, dyno_diagnostic, dyno_diagnostic_ref, dyno_diagnostic_unref)

const char *
dyno_severity_to_string (DynoSeverity severity)
{
  return dyno_enum_to_word (DYNO_TYPE_SEVERITY, severity);
}

gboolean
dyno_severity_from_string (const char *string, DynoSeverity *severity)
{
  return dyno_enum_from_word (DYNO_TYPE_SEVERITY, string, severity);
}

const char *
dyno_severity_get_label (DynoSeverity severity)
{
  if (severity == DYNO_SEVERITY_INFO)
    return NULL;
  return severity == DYNO_SEVERITY_WARNING ? _ ("Warning") : _ ("Error");
}

DynoDiagnostic *
dyno_diagnostic_new (DynoSeverity severity, const char *code, const char *message)
{
  DynoDiagnostic *self;

  g_return_val_if_fail (code != NULL, NULL);
  g_return_val_if_fail (message != NULL, NULL);

  self = g_atomic_rc_box_new0 (DynoDiagnostic);
  self->severity = severity;
  self->code = g_strdup (code);
  self->message = g_strdup (message);
  return self;
}

DynoDiagnostic *
dyno_diagnostic_ref (DynoDiagnostic *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_diagnostic (gpointer data)
{
  DynoDiagnostic *self = data;

  g_free (self->code);
  g_free (self->message);
}

void
dyno_diagnostic_unref (DynoDiagnostic *self)
{
  g_atomic_rc_box_release_full (self, clear_diagnostic);
}

DynoSeverity
dyno_diagnostic_get_severity (DynoDiagnostic *self)
{
  g_return_val_if_fail (self != NULL, DYNO_SEVERITY_INFO);
  return self->severity;
}

const char *
dyno_diagnostic_get_code (DynoDiagnostic *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->code;
}

const char *
dyno_diagnostic_get_message (DynoDiagnostic *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->message;
}

DynoDiagnostic *
dyno_diagnostic_find (GPtrArray *diagnostics, const char *code)
{
  for (guint i = 0; i < diagnostics->len; i++)
    if (g_str_equal (dyno_diagnostic_get_code (diagnostics->pdata[i]), code))
      return diagnostics->pdata[i];
  return NULL;
}

gboolean
dyno_diagnostic_is_noise (DynoDiagnostic *self)
{
  static const char *const codes[] = {
    "machine-load",
    "load-during",
    "steal-time",
    "memory-pressure",
    "io-pressure",
    "shared-node",
    "swap",
    "server-shared",
    "not-pinned",
    "slow-down",
    "load-drift",
    "interval-not-reached",
    "short-samples",
    "unsteady-processes",
    "invocations-missing",
    "energy-quantised",
    "power-meter-quantised",
    NULL,
  };

  g_return_val_if_fail (self != NULL, FALSE);
  return self->severity == DYNO_SEVERITY_WARNING && g_strv_contains (codes, self->code);
}

DynoSeverity
dyno_diagnostic_get_shown_severity (DynoDiagnostic *self)
{
  g_return_val_if_fail (self != NULL, DYNO_SEVERITY_INFO);
  return dyno_diagnostic_is_noise (self) ? DYNO_SEVERITY_INFO : self->severity;
}

gboolean
dyno_diagnostic_is_doubt (DynoDiagnostic *self)
{
  static const char *const about_roofs[] = { "above-roof", "disturbed-roof", NULL };

  g_return_val_if_fail (self != NULL, FALSE);
  return self->severity == DYNO_SEVERITY_WARNING && !dyno_diagnostic_is_noise (self) &&
         !g_strv_contains (about_roofs, self->code) && !g_str_has_prefix (self->code, "alert-");
}

gboolean
dyno_diagnostic_is_record (DynoDiagnostic *self)
{
  static const char *const codes[] = {
    "dyno-build", "engine-library", "model", "outliers", "placement", "warm-up-extended", NULL,
  };

  g_return_val_if_fail (self != NULL, FALSE);
  return self->severity == DYNO_SEVERITY_INFO && g_strv_contains (codes, self->code);
}
