/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>
#include <libsoup/soup.h>

G_BEGIN_DECLS

/**
 * DynoServerHttp:
 * @soup: used on the thread that made it
 * @server: scheme, host and port
 * @key: (nullable): what the server is told to let one in
 * @sent_ns: when the last question was sent
 * @has_answered: whether there was an answer before, so that a connection may be open
 * @closes: whether the server closes the connection after each answer
 *
 * How a server is asked.
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

DynoServerHttp *dyno_server_http_new (const char *server, gboolean is_trusted, guint timeout_seconds);
void dyno_server_http_free (DynoServerHttp *self);
GInputStream *
dyno_server_http_send (DynoServerHttp *self, const char *path, const char *body, GError **error);
JsonNode *dyno_server_http_read (DynoServerHttp *self, const char *path, const char *body, GError **error);
char *dyno_server_http_read_text (DynoServerHttp *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoServerHttp, dyno_server_http_free)

G_END_DECLS
