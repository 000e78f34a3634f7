/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-host.h"

G_BEGIN_DECLS

/**
 * DynoBrowserSurvey:
 * @host: the chosen browser, our page open in it
 * @answer: the page's report about it: `agent`, `webnn`, `webgpu`, `wasm`
 * @is_provisional: whether an earlier browser crashed or hung, and might be chosen another time
 *
 * The choice among the installed browsers: the first whose page has WebNN, else the first that opens the page.
 */
typedef struct
{
  DynoBrowserHost *host;
  DynoBrowserMessage *answer;
  gboolean is_provisional;
} DynoBrowserSurvey;

/* Opens our page in the installed browsers, one after the other, until one has WebNN. A named browser is the only
 * one. Returns the browser to use from now on; NULL on error. @deadline_us: the monotonic time by which it must end.
 * @error: return location for an error: DYNO_ERROR_NO_RUNTIME if there is no browser or no engine for it; any other
 * error may be temporary. */
DynoBrowserSurvey *dyno_browser_survey_new (gint64 deadline_us, GError **error);
/* Also ends the browser, unless the host is still in use. Takes @self. */
void dyno_browser_survey_free (DynoBrowserSurvey *self);
/* Uses the choice of the last survey as long as the same browsers are installed. Runs a survey only if
 * there are several and none was chosen yet, and then takes as long as that. Returns the executable of the
 * browser to use; NULL on error. The caller owns it. */
char *dyno_browser_survey_choose (GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserSurvey, dyno_browser_survey_free)

G_END_DECLS
