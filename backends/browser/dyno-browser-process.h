/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define DYNO_TYPE_BROWSER_PROCESS (dyno_browser_process_get_type ())

/**
 * DynoBrowserProcess:
 *
 * A headless browser with a home of its own, which ends with this process and leaves nothing behind. The signal
 * `exited` is emitted in the main context that it was started in.
 */
G_DECLARE_FINAL_TYPE (DynoBrowserProcess, dyno_browser_process, DYNO, BROWSER_PROCESS, GObject)

/* Starts a browser in a process group of its own. It lives no longer than the calling thread. Returns the
 * browser, starting; NULL if there is none. The caller owns it. @error: return location for an error. */
DynoBrowserProcess *dyno_browser_process_start (const char *path, const char *url, GError **error);
/* Ends it with all its processes and removes its folder. To be called in the thread that started it,
 * before the last reference is dropped. */
void dyno_browser_process_stop (DynoBrowserProcess *self);
/* Returns how it ended, what to do, and what it said last if that can be about its end, for people. The
 * caller owns it. */
char *dyno_browser_process_describe_end (DynoBrowserProcess *self);
/* Returns the number of its first process, which is that of its process group; 0 once it is stopped. */
GPid dyno_browser_process_get_pid (DynoBrowserProcess *self);
/* Returns the folder with its profile; NULL once it is stopped. */
const char *dyno_browser_process_get_folder (DynoBrowserProcess *self);
/* Removes what browsers of processes that are gone have left behind. Folders are named after the process
 * that made them; one that was killed could not remove its own. */
void dyno_browser_process_remove_orphans (void);

G_END_DECLS
