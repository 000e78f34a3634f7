/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-message.h"
#include "dyno-browser-model.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BROWSER_HOST (dyno_browser_host_get_type ())

/**
 * DynoBrowserHost:
 *
 * A browser with our page in it, driven from a thread of its own. Calls block until the page has answered, the browser
 * has ended, or the time is up. Used by one thread at a time, but for [method@Dyno.BrowserHost.get_pid].
 */
G_DECLARE_FINAL_TYPE (DynoBrowserHost, dyno_browser_host, DYNO, BROWSER_HOST, GObject)

DynoBrowserHost *
dyno_browser_host_new (const char *browser, DynoBrowserModel *model, gint64 deadline_us, GError **error);
void dyno_browser_host_set_deadline (DynoBrowserHost *self, gint64 deadline_us);
void dyno_browser_host_offer (DynoBrowserHost *self, DynoBrowserModel *model);
void dyno_browser_host_set_limits (double start_seconds, double call_seconds);
DynoBrowserMessage *
dyno_browser_host_call (DynoBrowserHost *self, JsonNode *request, GByteArray *payload, GError **error);
gboolean dyno_browser_host_is_broken (DynoBrowserHost *self);
const char *dyno_browser_host_get_browser (DynoBrowserHost *self);
gint64 dyno_browser_host_get_browser_start_ns (DynoBrowserHost *self);
gint64 dyno_browser_host_get_page_load_ns (DynoBrowserHost *self);
const char *dyno_browser_host_get_url (DynoBrowserHost *self);
const char *dyno_browser_host_get_folder (DynoBrowserHost *self);
GPid dyno_browser_host_get_pid (DynoBrowserHost *self);

G_END_DECLS
