/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-session.h"

G_BEGIN_DECLS

/**
 * DynoBrowserTrials:
 *
 * One browser in which several small models are opened, one after the other, within a time. If it breaks down, the next
 * model gets another.
 */
typedef struct _DynoBrowserTrials DynoBrowserTrials;

/* Returns the trials. @deadline_us: the monotonic time up to which models are opened and may run. */
DynoBrowserTrials *dyno_browser_trials_new (DynoBrowserHost *host, gint64 deadline_us);
/* Takes @self. */
void dyno_browser_trials_free (DynoBrowserTrials *self);
/* Returns the model, loaded; what was opened before cannot be used any more; NULL if there is none.
 * @target: what to run on; must outlive the session. @error: return location for an error. */
DynoSession *dyno_browser_trials_open (DynoBrowserTrials *self,
                                       const DynoBrowserTarget *target,
                                       const char *onnx_path,
                                       const DynoSessionOptions *options,
                                       GError **error);
/* Returns whether since the last call the browser broke down or the time was up, so that what did not run
 * might have. */
gboolean dyno_browser_trials_take_failure (DynoBrowserTrials *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserTrials, dyno_browser_trials_free)

G_END_DECLS
