/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-session.h"

G_BEGIN_DECLS

/**
 * DynoBrowserTrials:
 *
 * One browser that opens several small models, one after the other, within a time limit. If it crashes, the next
 * model gets another one.
 */
typedef struct _DynoBrowserTrials DynoBrowserTrials;

/* Returns the trials. @deadline_us: the monotonic time by which models must be opened and run. */
DynoBrowserTrials *dyno_browser_trials_new (DynoBrowserHost *host, gint64 deadline_us);
/* Takes @self. */
void dyno_browser_trials_free (DynoBrowserTrials *self);
/* Returns the model, loaded; NULL on error. Earlier models become unusable. @target: the device to run on;
 * must outlive the session. */
DynoSession *dyno_browser_trials_open (DynoBrowserTrials *self,
                                       const DynoBrowserTarget *target,
                                       const char *onnx_path,
                                       const DynoSessionOptions *options,
                                       GError **error);
/* Returns whether the browser crashed or the time was up since the last call, so that models which did not run might
 * have. */
gboolean dyno_browser_trials_take_failure (DynoBrowserTrials *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserTrials, dyno_browser_trials_free)

G_END_DECLS
