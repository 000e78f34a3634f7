/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DynoHttp:
 *
 * Downloads files from servers: follows safe redirects, and waits when a server asks for it. Belongs to one
 * thread.
 */
typedef struct _DynoHttp DynoHttp;

/**
 * DynoHttpHandlers:
 * @wait: called before waiting at a server's request, with the number of seconds
 * @set_status_error: explains an HTTP status for the requested file
 * @set_unreachable_error: explains that no server answered, and why; must keep the domain and code of @cause
 * @answer_seconds: the time limit of an answer, without the download of its file; 0 for a minute
 * @pace_seconds: the time over which a download must reach DYNO_PACE_LEAST; 0 for a minute
 * @too_often_remedy: (nullable): a further remedy if a server limits the rate of requests, a translated sentence
 *
 * The parts that only the caller knows.
 */
typedef struct
{
  void (*wait) (guint seconds, gpointer data);
  void (*set_status_error) (guint status, const char *reason, gpointer data, GError **error);
  void (*set_unreachable_error) (const GError *cause, gpointer data, GError **error);
  guint answer_seconds;
  guint pace_seconds;
  const char *too_often_remedy;
} DynoHttpHandlers;

/* Returns whether the text is an address to download from. */
gboolean dyno_http_is_address (const char *text);
/* Returns a client for the endpoint; NULL if there is none. @token (nullable): an access token, sent only
 * to the host of @endpoint. Fails with DYNO_ERROR_INVALID_ARGUMENT if @endpoint is not an address. */
DynoHttp *dyno_http_new (
    const char *endpoint, const char *token, const DynoHttpHandlers *handlers, gpointer data, GError **error);
void dyno_http_free (DynoHttp *self);
/* Returns the whole address; NULL if it is invalid. The caller owns it. @reference: an address, or a path
 * relative to the endpoint, escaped. */
char *dyno_http_resolve (DynoHttp *self, const char *reference, GError **error);
/* Returns the file; NULL if there is none. Follows redirects, and waits a while if the server asks for it.
 * The time of the download itself is up to the caller. @address: a whole address, or a path relative to the
 * endpoint, escaped, with its query. @offset: the requested first byte; set to the one at which the file
 * starts. @cancellable may be NULL. @error: of G_IO_ERROR if the connection failed and another attempt may
 * help. */
GInputStream *dyno_http_open (
    DynoHttp *self, const char *address, guint64 *offset, GCancellable *cancellable, GError **error);
/* Returns the time over which a download must reach DYNO_PACE_LEAST, in seconds. */
guint dyno_http_get_pace_seconds (DynoHttp *self);
/* Returns the text at @address; NULL if there is none. @accept (nullable): the accepted media types, as in
 * the header `Accept`. @cancellable may be NULL. */
GBytes *dyno_http_load (
    DynoHttp *self, const char *address, const char *accept, GCancellable *cancellable, GError **error);

/* Sends a JSON text to @address, and waits for the answer, half a minute at most. Returns whether the server accepted it. */
gboolean dyno_http_post (const char *address, const char *json, GError **error);

/* dyno-cloud-metadata */

/* Asks the metadata service of the cloud provider for the type and the region of this instance, for all snapshots from then on.
 * Waits for a few seconds at most. Returns whether they are known. */
gboolean dyno_cloud_ask (GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHttp, dyno_http_free)

G_END_DECLS
