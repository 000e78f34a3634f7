/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-browser-survey.h"
#include "dyno-browser-trials.h"

G_BEGIN_DECLS

/* Returns what the page can have, tried out, and what it cannot, with the reasons. @survey: which browser
 * is used, and what its page reported. @targets: what a page may run on. */
DynoProbe *dyno_webnn_probe_new (DynoBackend *backend,
                                 DynoBrowserSurvey *survey,
                                 DynoBrowserTrials *trials,
                                 const DynoBrowserTarget *targets,
                                 guint n_targets);

G_END_DECLS
