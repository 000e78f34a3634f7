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

DynoBrowserProcess *dyno_browser_process_start (const char *path, const char *url, GError **error);
void dyno_browser_process_stop (DynoBrowserProcess *self);
char *dyno_browser_process_describe_end (DynoBrowserProcess *self);
GPid dyno_browser_process_get_pid (DynoBrowserProcess *self);
const char *dyno_browser_process_get_folder (DynoBrowserProcess *self);
void dyno_browser_process_remove_orphans (void);

G_END_DECLS
