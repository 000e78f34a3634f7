/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>
#include <libsoup/soup.h>

G_BEGIN_DECLS

/**
 * DynoServerHttp:
 * @soup: used on the thread that created it
 * @server: scheme, host and port
 * @key: (nullable): the key that gives access to the server
 * @sent_ns: when the last question was sent
 * @has_answered: whether there was an earlier answer, so that a connection may be open
 * @closes: whether the server closes the connection after each answer
 *
 * An HTTP client of a server.
 */
typedef struct
{
  SoupSession *soup;
  char *server;
  char *key;
  gint64 sent_ns;
  gboolean has_answered;
  gboolean closes;
} DynoServerHttp;

/* Returns a client of the server. @is_trusted: whether someone named the server, so that it may get the key in the
 * environment; a server that only answers at a default port may not. @timeout_seconds: how long it may be silent, 0
 * for no limit. */
DynoServerHttp *dyno_server_http_new (const char *server, gboolean is_trusted, guint timeout_seconds);
void dyno_server_http_free (DynoServerHttp *self);
/* Returns the answer, as it arrives. The caller owns it. @body: JSON to post, NULL to get. @error:
 * DYNO_ERROR_TIMED_OUT if the server rejected the request. */
GInputStream *
dyno_server_http_send (DynoServerHttp *self, const char *path, const char *body, GError **error);
/* Returns the whole answer, an object. The caller owns it. @body: JSON to post, NULL to get. */
JsonNode *dyno_server_http_read (DynoServerHttp *self, const char *path, const char *body, GError **error);
/* Returns the whole answer as text; NULL if there is none. The caller owns it. */
char *dyno_server_http_read_text (DynoServerHttp *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoServerHttp, dyno_server_http_free)

G_END_DECLS
