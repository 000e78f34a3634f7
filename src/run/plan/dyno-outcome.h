/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"

G_BEGIN_DECLS

/**
 * DynoOutcome:
 *
 * The outcome of a case that was measured earlier on this machine; immutable.
 */
typedef struct _DynoOutcome DynoOutcome;

/* Returns the outcome of a case. @reason may be NULL. @measured_at: when its run began, in µs since 1970. */
DynoOutcome *dyno_outcome_new (DynoCase *kase, gboolean has_run, const char *reason, gint64 measured_at);
void dyno_outcome_free (DynoOutcome *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOutcome, dyno_outcome_free)

DynoCase *dyno_outcome_get_case (const DynoOutcome *self);
gboolean dyno_outcome_has_run (const DynoOutcome *self);
/* Returns when it was measured and at which batch size, or why it failed, as sentences. */
char *dyno_outcome_dup_text (const DynoOutcome *self);

/* Returns the latest outcome of the same model and precision there; NULL if there is none. @outcomes may
 * be NULL. @outcomes holds DynoOutcome. @usual_device may be NULL. */
const DynoOutcome *dyno_outcome_find (
    GPtrArray *outcomes, DynoCase *wanted, const char *backend, const char *device, const char *usual_device);

G_END_DECLS
