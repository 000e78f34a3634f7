/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "dyno-browser.h"
#include "dyno-session.h"
#include "dyno-tensor-info.h"

G_BEGIN_DECLS

/* dyno-browser-process */

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

/* dyno-browser-profile */

/* WebNN fuses many operators into one node; this returns the operators instead, with their shapes in a
 * session like this one. Only WebAssembly reports the times of operators. Returns the nodes. Elements are
 * DynoNodeProfile. The caller owns it. @answer: the page's answer at the end of its recording. @provider
 * may be NULL. */
GPtrArray *dyno_browser_profile_read (DynoBrowserMessage *answer,
                                      const char *provider,
                                      gboolean is_half,
                                      GError **error);

/* dyno-browser-server */

#define DYNO_TYPE_BROWSER_SERVER (dyno_browser_server_get_type ())

/**
 * DynoBrowserServer:
 *
 * Serves a page on the loopback interface: our own page, the files of ONNX Runtime Web, the files of one model, and a
 * web socket to one client. All of them are below a random path, the token; nothing else is served. A client without
 * the token is refused before a body is read, and cannot hold more than a few connections.
 *
 * Signals, in the main context of its creation: `requested` for the first request, `connected` when the page has
 * opened its socket, `message` with a #GBytes, `closed` when the page is gone.
 */
G_DECLARE_FINAL_TYPE (DynoBrowserServer, dyno_browser_server, DYNO, BROWSER_SERVER, GObject)

/* Returns a server that listens on its own port, in the thread's main context; NULL on error. */
DynoBrowserServer *dyno_browser_server_new (const char *runtime_folder, GError **error);
/* The file is read when it is requested. @name: the name in the page's request, below `model/`. */
void dyno_browser_server_add_file (DynoBrowserServer *self, const char *name, const char *path);
/* Returns the address of the page. */
const char *dyno_browser_server_get_url (DynoBrowserServer *self);
/* Returns whether there is a page that gets the message. */
gboolean dyno_browser_server_send (DynoBrowserServer *self, GBytes *message);
/* Closes the port and the connections; no signal is emitted afterwards. */
void dyno_browser_server_close (DynoBrowserServer *self);

G_END_DECLS
