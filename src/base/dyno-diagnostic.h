/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * DynoSeverity:
 * @DYNO_SEVERITY_INFO: worth knowing
 * @DYNO_SEVERITY_WARNING: something disturbed the measurement or its surroundings
 * @DYNO_SEVERITY_ERROR: the case failed
 */
typedef enum
{
  DYNO_SEVERITY_INFO,
  DYNO_SEVERITY_WARNING,
  DYNO_SEVERITY_ERROR,
} DynoSeverity;

#define DYNO_TYPE_SEVERITY   (dyno_severity_get_type ())
#define DYNO_TYPE_DIAGNOSTIC (dyno_diagnostic_get_type ())

GType dyno_severity_get_type (void);
const char *dyno_severity_to_string (DynoSeverity severity);
/* Returns the translated word that a sentence of this severity begins with; NULL for one that is worth knowing. */
const char *dyno_severity_get_label (DynoSeverity severity);
gboolean dyno_severity_from_string (const char *string, DynoSeverity *severity);

/**
 * DynoDiagnostic:
 *
 * A finding about a result other than a number, immutable: a warm-up that never settled, a noisy machine, a
 * fallback.
 */
typedef struct _DynoDiagnostic DynoDiagnostic;

GType dyno_diagnostic_get_type (void);

/* Returns a new diagnostic. @code: a stable word for machines, such as `no-steady-state`. */
DynoDiagnostic *dyno_diagnostic_new (DynoSeverity severity, const char *code, const char *message);
DynoDiagnostic *dyno_diagnostic_ref (DynoDiagnostic *self);
void dyno_diagnostic_unref (DynoDiagnostic *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoDiagnostic, dyno_diagnostic_unref)

DynoSeverity dyno_diagnostic_get_severity (DynoDiagnostic *self);
const char *dyno_diagnostic_get_code (DynoDiagnostic *self);
const char *dyno_diagnostic_get_message (DynoDiagnostic *self);
/* Returns the first of them with that code; NULL if there is none. Elements are DynoDiagnostic. */
DynoDiagnostic *dyno_diagnostic_find (GPtrArray *diagnostics, const char *code);
/* Returns whether the numbers may be wrong because of it, however narrow their interval is: a warning, but not
 * one about a roof, nor one whose cause only widens the interval. */
gboolean dyno_diagnostic_is_doubt (DynoDiagnostic *self);
/* Returns whether it is a warning whose cause only widens the interval: noise, the load of others, too few
 * samples or processes, drift, or a coarse counter. */
gboolean dyno_diagnostic_is_noise (DynoDiagnostic *self);
/* Returns its severity as people see it: what only widens the interval is worth knowing, no warning. */
DynoSeverity dyno_diagnostic_get_shown_severity (DynoDiagnostic *self);
/* Returns whether it only records how the case was measured, such as a hash, and asks for nothing. */
gboolean dyno_diagnostic_is_record (DynoDiagnostic *self);

G_END_DECLS
