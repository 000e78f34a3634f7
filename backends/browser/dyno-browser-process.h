/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define DYNO_TYPE_BROWSER_PROCESS (dyno_browser_process_get_type ())

/**
 * DynoBrowserProcess:
 *
 * A headless browser with its own home folder, which ends with this process and leaves no files behind. The signal
 * `exited` is emitted in the main context in which it was started.
 */
G_DECLARE_FINAL_TYPE (DynoBrowserProcess, dyno_browser_process, DYNO, BROWSER_PROCESS, GObject)

/* Starts a browser in a new process group. It lives no longer than the calling thread. Returns the
 * browser, which is still starting; NULL on error. The caller owns it. */
DynoBrowserProcess *dyno_browser_process_start (const char *path, const char *url, GError **error);
/* Ends it with all its processes and removes its folder. Must be called in the thread that started it, before the
 * last reference is dropped. */
void dyno_browser_process_stop (DynoBrowserProcess *self);
/* Returns how it ended, a remedy, and its last output if that can be about its end, for people. The caller owns
 * it. */
char *dyno_browser_process_describe_end (DynoBrowserProcess *self);
/* Returns the id of its first process, which is also that of its process group; 0 once it is stopped. */
GPid dyno_browser_process_get_pid (DynoBrowserProcess *self);
/* Returns the folder with its profile; NULL once it is stopped. */
const char *dyno_browser_process_get_folder (DynoBrowserProcess *self);
/* Removes the browser folders of ended processes. Folders are named after the process that created them; a killed
 * process could not remove its own. */
void dyno_browser_process_remove_orphans (void);

G_END_DECLS
