/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DynoHttp:
 *
 * Gets files from servers: follows safe redirects, waits where it is asked to. Belongs to one thread.
 */
typedef struct _DynoHttp DynoHttp;

/**
 * DynoHttpHandlers:
 * @wait: called before waiting as a server asks, with the number of seconds
 * @set_status_error: says in words what an HTTP status means for what was asked for
 * @set_unreachable_error: says in words that no server answered, and why; must keep the domain and code of @cause
 * @answer_seconds: how long an answer may take, beside the file it may bring; 0 for a minute
 * @pace_seconds: over how long a download must reach %DYNO_PACE_LEAST; 0 for a minute
 * @too_often_remedy: (nullable): what more to do where a server limits how often it is asked, a translated sentence
 *
 * What only the caller knows.
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

/* Returns whether files can be asked for there. */
gboolean dyno_http_is_address (const char *text);
/* Returns what asks there; NULL if there is none. @token (nullable): what lets in, sent to the host of
 * @endpoint alone. Fails with DYNO_ERROR_INVALID_ARGUMENT if @endpoint is no address. */
DynoHttp *dyno_http_new (
    const char *endpoint, const char *token, const DynoHttpHandlers *handlers, gpointer data, GError **error);
void dyno_http_free (DynoHttp *self);
/* Returns the whole address; NULL if there is none. The caller owns it. @reference: an address, or a path
 * from the endpoint on, escaped. */
char *dyno_http_resolve (DynoHttp *self, const char *reference, GError **error);
/* Follows redirects, and waits a while where the server asks for it. How long the file itself may take is
 * up to the caller. Returns the file; NULL if there is none. @address: a whole address, or a path from the
 * endpoint on, escaped, with its query. @offset: from which byte on it is wanted; from which it comes.
 * @cancellable may be NULL. @error: of G_IO_ERROR where the connection failed and another attempt may
 * help. */
GInputStream *dyno_http_open (
    DynoHttp *self, const char *address, guint64 *offset, GCancellable *cancellable, GError **error);
/* Returns over how long a download must reach DYNO_PACE_LEAST. */
guint dyno_http_get_pace_seconds (DynoHttp *self);
/* Returns the text at @address; NULL if there is none. @accept (nullable): the media types that are
 * understood, as the header `Accept` has them. @cancellable may be NULL. */
GBytes *dyno_http_load (
    DynoHttp *self, const char *address, const char *accept, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHttp, dyno_http_free)

G_END_DECLS
