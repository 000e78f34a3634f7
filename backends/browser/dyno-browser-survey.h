/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-host.h"

G_BEGIN_DECLS

/**
 * DynoBrowserSurvey:
 * @host: the chosen browser, our page open in it
 * @answer: what the page reports about it: `agent`, `webnn`, `webgpu`, `wasm`
 * @is_provisional: whether a browser that comes before it broke down or hung, and might be chosen another time
 *
 * Which of the browsers that are found is used: the first whose page has WebNN, else the first that opens the page.
 */
typedef struct
{
  DynoBrowserHost *host;
  DynoBrowserMessage *answer;
  gboolean is_provisional;
} DynoBrowserSurvey;

DynoBrowserSurvey *dyno_browser_survey_new (gint64 deadline_us, GError **error);
void dyno_browser_survey_free (DynoBrowserSurvey *self);
char *dyno_browser_survey_choose (GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserSurvey, dyno_browser_survey_free)

G_END_DECLS
