/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-browser-message.h"
#include "dyno-browser-model.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BROWSER_HOST (dyno_browser_host_get_type ())

/**
 * DynoBrowserHost:
 *
 * A browser with our page in it, driven from a separate thread. Calls block until the page has answered, the browser
 * has ended, or the time is up. Used by one thread at a time, except dyno_browser_host_get_pid().
 */
G_DECLARE_FINAL_TYPE (DynoBrowserHost, dyno_browser_host, DYNO, BROWSER_HOST, GObject)

/* Finds ONNX Runtime Web, and opens our page in the browser. Returns the host, its page waiting for calls;
 * NULL on error. @model (nullable): the model whose files the page may read. @deadline_us: the monotonic
 * time by which this and all calls must end, G_MAXINT64 for the limit of each call. */
DynoBrowserHost *
dyno_browser_host_new (const char *browser, DynoBrowserModel *model, gint64 deadline_us, GError **error);
/* @deadline_us: the monotonic time by which calls must end from now on, G_MAXINT64 for the limit of each call. */
void dyno_browser_host_set_deadline (DynoBrowserHost *self, gint64 deadline_us);
/* @model: the model whose files the page may read from now on, instead of an earlier one's. */
void dyno_browser_host_offer (DynoBrowserHost *self, DynoBrowserModel *model);
/* Applies to all hosts of this process; call it before there is one. @start_seconds: how long a browser may take to
 * open the page. @call_seconds: how long the page may take to answer. */
void dyno_browser_host_set_limits (double start_seconds, double call_seconds);
/* Returns the page's answer; NULL on error. The caller owns it. @request: an object whose member `call` names the
 * function of the page. @payload may be NULL. @error: return location for an error: the page's own, or that the
 * browser has ended or hangs. */
DynoBrowserMessage *
dyno_browser_host_call (DynoBrowserHost *self, JsonNode *request, GByteArray *payload, GError **error);
/* Returns whether the browser or its page has ended or hangs, so that every further call fails. */
gboolean dyno_browser_host_is_broken (DynoBrowserHost *self);
/* Returns the browser's executable. */
const char *dyno_browser_host_get_browser (DynoBrowserHost *self);
/* Returns the time from the browser's start to its first request. */
gint64 dyno_browser_host_get_browser_start_ns (DynoBrowserHost *self);
/* Returns the time from its first request until the page was ready for calls. */
gint64 dyno_browser_host_get_page_load_ns (DynoBrowserHost *self);
/* Returns the address of the page. */
const char *dyno_browser_host_get_url (DynoBrowserHost *self);
/* Returns the folder of the browser's profile, which is removed with the host. */
const char *dyno_browser_host_get_folder (DynoBrowserHost *self);
/* Returns the first process of the browser; 0 once it has ended. Any thread may call this. */
GPid dyno_browser_host_get_pid (DynoBrowserHost *self);

G_END_DECLS
