/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A browser that is named is used or is an error: never silently another one. @path: the browser that the
 * user's settings name, NULL to search. */
void dyno_browser_set_path (const char *path);
/* The browser that was named: by the environment variable `DYNO_BROWSER`, else by dyno_browser_set_path().
 * The variable passes it on to a process that measures. Returns its path, or NULL if it is to be searched. */
char *dyno_browser_dup_path (void);
/* Finds browsers of the Chromium family: the one that was named alone; else those in `PATH`, and the
 * newest one in the runtimes folder. None is started; which of them has WebNN,
 * dyno_browser_survey_choose() asks them. Returns the paths of their executables, at least one; NULL if
 * there is none. @error: return location for an error; its remedy is dyno_browser_get_remedy(). */
char **dyno_browser_list (GError **error);
/* Returns a text that stays the same as long as the browsers that are found do; one that is updated keeps
 * its name. */
char *dyno_browser_dup_state (void);
/* Returns the folder of the runtimes folder that holds the files of ONNX Runtime Web; NULL if there is
 * none. The caller owns it. @error: return location for an error; its remedy is dyno_browser_get_remedy(). */
char *dyno_browser_find_runtime (GError **error);
/* Returns the version of ONNX Runtime Web after which its folder is named, empty if there is none. */
char *dyno_browser_dup_runtime_version (void);
/* Returns what to do when the browser or the engine inside it is missing, as a sentence. */
const char *dyno_browser_get_remedy (void);
/* Returns what to do about a browser that broke down or hung, as a sentence. */
const char *dyno_browser_get_retry_remedy (void);

G_END_DECLS
