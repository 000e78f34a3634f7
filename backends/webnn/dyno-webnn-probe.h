/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-browser.h"

G_BEGIN_DECLS

/* Returns the devices that a page can use, after a trial, and the others with the reasons. @survey: the browser in
 * use and the report of its page. @targets: the possible devices of a page. */
DynoProbe *dyno_webnn_probe_new (DynoBackend *backend,
                                 DynoBrowserSurvey *survey,
                                 DynoBrowserTrials *trials,
                                 const DynoBrowserTarget *targets,
                                 guint n_targets);

G_END_DECLS
