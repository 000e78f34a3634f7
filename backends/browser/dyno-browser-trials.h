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

DynoBrowserTrials *dyno_browser_trials_new (DynoBrowserHost *host, gint64 deadline_us);
void dyno_browser_trials_free (DynoBrowserTrials *self);
DynoSession *dyno_browser_trials_open (DynoBrowserTrials *self,
                                       const DynoBrowserTarget *target,
                                       const char *onnx_path,
                                       const DynoSessionOptions *options,
                                       GError **error);
gboolean dyno_browser_trials_take_failure (DynoBrowserTrials *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserTrials, dyno_browser_trials_free)

G_END_DECLS
