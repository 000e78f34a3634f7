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

/* Finds ONNX Runtime Web, and opens our page in the browser. Returns the host, its page waiting for calls;
 * NULL if there is none. @model (nullable): the model whose files the page may have. @deadline_us: the
 * monotonic time up to which this and all calls may take, G_MAXINT64 for each one's own limit. @error:
 * return location for an error. */
DynoBrowserHost *
dyno_browser_host_new (const char *browser, DynoBrowserModel *model, gint64 deadline_us, GError **error);
/* @deadline_us: the monotonic time up to which calls may take from now on, G_MAXINT64 for their own limit. */
void dyno_browser_host_set_deadline (DynoBrowserHost *self, gint64 deadline_us);
/* @model: a model whose files the page may have from now on, instead of an earlier one's. */
void dyno_browser_host_offer (DynoBrowserHost *self, DynoBrowserModel *model);
/* For all hosts of this process. To be called before there is one. @start_seconds: how long a browser may
 * take to open the page. @call_seconds: how long the page may take to answer. */
void dyno_browser_host_set_limits (double start_seconds, double call_seconds);
/* Returns the page's answer; NULL if there is none. The caller owns it. @request: an object whose member
 * `call` names what the page is to do. @payload may be NULL. @error: return location for an error: the
 * page's own, or that the browser has ended or hangs. */
DynoBrowserMessage *
dyno_browser_host_call (DynoBrowserHost *self, JsonNode *request, GByteArray *payload, GError **error);
/* Returns whether the browser or its page has ended or hangs, so that every further call fails. */
gboolean dyno_browser_host_is_broken (DynoBrowserHost *self);
/* Returns the browser's executable. */
const char *dyno_browser_host_get_browser (DynoBrowserHost *self);
/* Returns how long the browser took from its start to the first request. */
gint64 dyno_browser_host_get_browser_start_ns (DynoBrowserHost *self);
/* Returns how long it took from then on until the page was ready for calls. */
gint64 dyno_browser_host_get_page_load_ns (DynoBrowserHost *self);
/* Returns the address of the page. */
const char *dyno_browser_host_get_url (DynoBrowserHost *self);
/* Returns the folder of the browser's profile, which goes with the host. */
const char *dyno_browser_host_get_folder (DynoBrowserHost *self);
/* Returns the first process of the browser, 0 once it has ended; from any thread. */
GPid dyno_browser_host_get_pid (DynoBrowserHost *self);

G_END_DECLS
