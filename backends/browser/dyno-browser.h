/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-browser-private.h"

G_BEGIN_DECLS

/* dyno-browser-survey */

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

/* dyno-browser-trials */

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

/* A named browser is used, or it is an error: never silently another one. @path: the browser in the user's settings,
 * NULL to search. */
void dyno_browser_set_path (const char *path);
/* The environment variable `DYNO_BROWSER` takes precedence over dyno_browser_set_path(). The variable passes the path
 * on to a process that measures. Returns the path of the named browser, or NULL to search. */
char *dyno_browser_dup_path (void);
/* Finds browsers of the Chromium family: only the named one; else those in `PATH`, and the newest one in the runtimes
 * folder. None is started; dyno_browser_survey_choose() finds out which of them has WebNN. Returns the paths of their
 * executables, at least one; NULL on error. @error: return location for an error; its remedy is
 * dyno_browser_get_remedy(). */
char **dyno_browser_list (GError **error);
/* Returns a text that changes with the list of installed browsers; an updated browser keeps its name. */
char *dyno_browser_dup_state (void);
/* Returns the subfolder of the runtimes folder with the files of ONNX Runtime Web; NULL if there is none. The caller
 * owns it. @error: return location for an error; its remedy is dyno_browser_get_remedy(). */
char *dyno_browser_find_runtime (GError **error);
/* Returns the version of ONNX Runtime Web from the name of its folder, empty if there is none. */
char *dyno_browser_dup_runtime_version (void);
/* Returns the remedy for a missing browser or a missing engine inside it, as a sentence. */
const char *dyno_browser_get_remedy (void);
/* Returns the remedy for a browser that crashed or hung, as a sentence. */
const char *dyno_browser_get_retry_remedy (void);

G_END_DECLS
