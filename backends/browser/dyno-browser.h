/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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
