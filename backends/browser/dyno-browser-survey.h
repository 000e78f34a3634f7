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

/* Opens our page in the browsers that are found, one after the other, until one has WebNN. A browser that
 * was named is the only one. Returns the browser that is used from now on; NULL if there is none.
 * @deadline_us: the monotonic time up to which it may take. @error: return location for an error:
 * DYNO_ERROR_NO_RUNTIME where there is no browser or no engine for it; anything else may go better another
 * time. */
DynoBrowserSurvey *dyno_browser_survey_new (gint64 deadline_us, GError **error);
/* Also ends the browser, unless the host is still in use. Takes @self. */
void dyno_browser_survey_free (DynoBrowserSurvey *self);
/* What the last survey chose, as long as the same browsers are there. Only where there are several and
 * none was taken yet, it takes one, and as long as that takes. Returns the executable of the browser to
 * use; NULL if there is none. The caller owns it. @error: return location for an error. */
char *dyno_browser_survey_choose (GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserSurvey, dyno_browser_survey_free)

G_END_DECLS
