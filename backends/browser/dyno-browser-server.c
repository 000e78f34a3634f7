/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

#include "dyno-browser-private.h"
#include "dyno-browser-resources.h"
#include "dyno-error.h"
#include "dyno-file.h"

#define RESOURCE_FOLDER "/io/github/dynobench/Dyno/browser"
#define RUNTIME_FOLDER  "runtime/"
#define MODEL_FOLDER    "model/"
#define SOCKET          "socket"

/* A browser opens six connections to a host, and one for the socket. */
#define MAX_CONNECTIONS 16

/* The address space of WebAssembly is 4 GiB, and each message is copied once there. */
#define MAX_MESSAGE_BYTES (G_GUINT64_CONSTANT (1) << 31)

#define KNOWN "dyno-is-known"

struct _DynoBrowserServer
{
  GObject parent_instance;

  SoupServer *server;
  GSocketService *service;
  GQueue connections; /* of #GSocketConnection, the oldest first; not owned */
  SoupWebsocketConnection *socket;
  GHashTable *files; /* paths by their names in the page */
  char *runtime_folder;
  char *root; /* of the served paths, with slashes around */
  char *host; /* the host that a request must name */
  char *url;
  gboolean was_requested;
};

enum
{
  REQUESTED,
  CONNECTED,
  MESSAGE,
  CLOSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (DynoBrowserServer, dyno_browser_server, G_TYPE_OBJECT)

static void
forget_cb (gpointer data, GObject *connection)
{
  DynoBrowserServer *self = data;

  g_queue_remove (&self->connections, connection);
}

static void
dyno_browser_server_dispose (GObject *object)
{
  DynoBrowserServer *self = DYNO_BROWSER_SERVER (object);

  dyno_browser_server_close (self);
  g_clear_object (&self->service);
  g_clear_object (&self->server);

  G_OBJECT_CLASS (dyno_browser_server_parent_class)->dispose (object);
}

static void
dyno_browser_server_finalize (GObject *object)
{
  DynoBrowserServer *self = DYNO_BROWSER_SERVER (object);

  g_clear_pointer (&self->files, g_hash_table_unref);
  g_free (self->runtime_folder);
  g_free (self->root);
  g_free (self->host);
  g_free (self->url);

  G_OBJECT_CLASS (dyno_browser_server_parent_class)->finalize (object);
}

static void
dyno_browser_server_class_init (DynoBrowserServerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_browser_server_dispose;
  object_class->finalize = dyno_browser_server_finalize;

  signals[REQUESTED] = g_signal_new ("requested", DYNO_TYPE_BROWSER_SERVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 0);
  signals[CONNECTED] = g_signal_new ("connected", DYNO_TYPE_BROWSER_SERVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 0);
  signals[MESSAGE] = g_signal_new ("message", DYNO_TYPE_BROWSER_SERVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_BYTES);
  signals[CLOSED] = g_signal_new ("closed", DYNO_TYPE_BROWSER_SERVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
dyno_browser_server_init (DynoBrowserServer *self)
{
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static const char *
guess_type (const char *name)
{
  if (g_str_has_suffix (name, ".html"))
    return "text/html; charset=utf-8";
  if (g_str_has_suffix (name, ".js") || g_str_has_suffix (name, ".mjs"))
    return "text/javascript; charset=utf-8";
  if (g_str_has_suffix (name, ".wasm"))
    return "application/wasm";
  return "application/octet-stream";
}

static GBytes *
map_file (const char *path)
{
  g_autoptr (GMappedFile) mapped = g_mapped_file_new (path, FALSE, NULL);

  return mapped != NULL ? g_mapped_file_get_bytes (mapped) : NULL;
}

static GBytes *
find_file (DynoBrowserServer *self, const char *name)
{
  static gsize is_registered;
  g_autofree char *resource = NULL;
  const char *path;

  if (g_str_has_prefix (name, RUNTIME_FOLDER))
    {
      g_autofree char *file = NULL;

      /* The engine's own files are not in subfolders. */
      name += strlen (RUNTIME_FOLDER);
      if (strchr (name, '/') != NULL ||
          !(g_str_has_suffix (name, ".mjs") || g_str_has_suffix (name, ".wasm")))
        return NULL;
      file = g_build_filename (self->runtime_folder, name, NULL);
      return map_file (file);
    }
  if (g_str_has_prefix (name, MODEL_FOLDER))
    {
      path = g_hash_table_lookup (self->files, name + strlen (MODEL_FOLDER));
      return path != NULL ? map_file (path) : NULL;
    }
  if (strchr (name, '/') != NULL)
    return NULL;
  resource = g_build_path ("/", RESOURCE_FOLDER, name, NULL);
  dyno_resource_ensure (&is_registered, dyno_browser_register_resource);
  return g_resources_lookup_data (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

/* The server would read a body to its end before answering, so a request with a body gets no answer. */
static void
refuse (GSocketConnection *connection, SoupServerMessage *message, guint status)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  SoupEncoding encoding = soup_message_headers_get_encoding (headers);
  gboolean has_body =
      encoding != SOUP_ENCODING_NONE &&
      (encoding != SOUP_ENCODING_CONTENT_LENGTH || soup_message_headers_get_content_length (headers) > 0);

  soup_server_message_set_status (message, status, NULL);
  soup_message_headers_replace (soup_server_message_get_response_headers (message), "Connection", "close");
  if (has_body)
    g_socket_close (g_socket_connection_get_socket (connection), NULL);
}

/* The token is checked first. A foreign page could reach in by a name that points to the loopback interface. */
static void
early_cb (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data)
{
  DynoBrowserServer *self = data;
  GSocketAddress *address = soup_server_message_get_remote_address (message);
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  gboolean has_token = g_str_has_prefix (path, self->root);
  GSocketConnection *connection = NULL;

  for (GList *item = self->connections.head; connection == NULL && item != NULL; item = item->next)
    {
      g_autoptr (GSocketAddress) other = g_socket_connection_get_remote_address (item->data, NULL);

      if (other != NULL && g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (other)) ==
                               g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)))
        connection = item->data;
    }
  if (connection == NULL)
    return;
  if (has_token)
    g_object_set_data (G_OBJECT (connection), KNOWN, GINT_TO_POINTER (TRUE));
  if (!has_token)
    refuse (connection, message, SOUP_STATUS_NOT_FOUND);
  else if (g_strcmp0 (soup_message_headers_get_one (headers, "Host"), self->host) != 0)
    refuse (connection, message, SOUP_STATUS_FORBIDDEN);
  else if (soup_server_message_get_method (message) != SOUP_METHOD_GET)
    refuse (connection, message, SOUP_STATUS_METHOD_NOT_ALLOWED);
  else if (soup_message_headers_get_encoding (headers) != SOUP_ENCODING_NONE)
    refuse (connection, message, SOUP_STATUS_BAD_REQUEST);
}

static void
request_cb (
    SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data)
{
  DynoBrowserServer *self = data;
  const char *name = path + strlen (self->root);
  g_autoptr (GBytes) bytes = find_file (self, name);

  if (!self->was_requested)
    {
      self->was_requested = TRUE;
      g_signal_emit (self, signals[REQUESTED], 0);
    }
  if (bytes == NULL)
    soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
  else
    {
      /* A page may use threads and the finer clock only if it is isolated from all other pages. */
      SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

      soup_message_headers_replace (headers, "Cross-Origin-Opener-Policy", "same-origin");
      soup_message_headers_replace (headers, "Cross-Origin-Embedder-Policy", "require-corp");
      soup_message_headers_replace (headers, "Cross-Origin-Resource-Policy", "same-origin");
      soup_message_headers_replace (headers, "Cache-Control", "no-store");
      soup_message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
      soup_message_headers_set_content_type (headers, guess_type (name), NULL);
      soup_message_body_append_bytes (soup_server_message_get_response_body (message), bytes);
      soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
    }
}

static void
message_cb (DynoBrowserServer *self, SoupWebsocketDataType type, GBytes *message)
{
  g_signal_emit (self, signals[MESSAGE], 0, message);
}

static void
closed_cb (DynoBrowserServer *self)
{
  g_signal_emit (self, signals[CLOSED], 0);
}

/* There is one page; a second client is refused. */
static void
socket_cb (SoupServer *server,
           SoupServerMessage *message,
           const char *path,
           SoupWebsocketConnection *connection,
           gpointer data)
{
  DynoBrowserServer *self = data;

  if (self->socket != NULL)
    {
      soup_websocket_connection_close (connection, SOUP_WEBSOCKET_CLOSE_POLICY_VIOLATION, NULL);
      return;
    }
  self->socket = g_object_ref (connection);
  soup_websocket_connection_set_max_incoming_payload_size (connection, MAX_MESSAGE_BYTES);
  g_signal_connect_swapped (connection, "message", G_CALLBACK (message_cb), self);
  g_signal_connect_swapped (connection, "closed", G_CALLBACK (closed_cb), self);
  g_signal_emit (self, signals[CONNECTED], 0);
}

/* A client without identification is dropped for the next one. */
static gboolean
make_room (DynoBrowserServer *self)
{
  if (self->connections.length < MAX_CONNECTIONS)
    return TRUE;
  for (GList *item = self->connections.head; item != NULL; item = item->next)
    if (g_object_get_data (item->data, KNOWN) == NULL)
      {
        GSocket *socket = g_socket_connection_get_socket (item->data);

        g_object_weak_unref (item->data, forget_cb, self);
        g_queue_delete_link (&self->connections, item);
        g_socket_close (socket, NULL);
        return TRUE;
      }
  return FALSE;
}

static gboolean
incoming_cb (DynoBrowserServer *self, GSocketConnection *connection)
{
  g_autoptr (GSocketAddress) local = g_socket_connection_get_local_address (connection, NULL);
  g_autoptr (GSocketAddress) remote = g_socket_connection_get_remote_address (connection, NULL);

  if (local == NULL || remote == NULL || !make_room (self))
    return TRUE;
  g_object_weak_ref (G_OBJECT (connection), forget_cb, self);
  g_queue_push_tail (&self->connections, connection);
  soup_server_accept_iostream (self->server, G_IO_STREAM (connection), local, remote, NULL);
  return TRUE;
}

DynoBrowserServer *
dyno_browser_server_new (const char *runtime_folder, GError **error)
{
  g_autoptr (DynoBrowserServer) self = g_object_new (DYNO_TYPE_BROWSER_SERVER, NULL);
  g_autofree char *socket = NULL;
  g_autofree char *origin = NULL;

  g_return_val_if_fail (runtime_folder != NULL, NULL);

  self->runtime_folder = g_strdup (runtime_folder);
  self->server = soup_server_new (NULL, NULL);
  self->service = g_socket_service_new ();

  g_autofree char *token = g_uuid_string_random ();
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any_port = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (GError) problem = NULL;

  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), any_port, G_SOCKET_TYPE_STREAM,
                                      G_SOCKET_PROTOCOL_TCP, NULL, &address, &problem))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("The page for the browser cannot be served on the loopback interface: %s."),
                   problem->message);
      return NULL;
    }
  self->host =
      g_strdup_printf ("127.0.0.1:%d", g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)));
  self->root = g_strdup_printf ("/%s/", token);
  self->url = g_strconcat ("http://", self->host, self->root, "page.html", NULL);
  g_signal_connect_swapped (self->service, "incoming", G_CALLBACK (incoming_cb), self);
  socket = g_strconcat (self->root, SOCKET, NULL);
  origin = g_strconcat ("http://", self->host, NULL);
  /* Compression makes inputs and outputs later, but not smaller. */
  soup_server_remove_websocket_extension (self->server, SOUP_TYPE_WEBSOCKET_EXTENSION_DEFLATE);
  soup_server_add_early_handler (self->server, NULL, early_cb, self, NULL);
  soup_server_add_handler (self->server, NULL, request_cb, self, NULL);
  soup_server_add_early_handler (self->server, socket, early_cb, self, NULL);
  soup_server_add_websocket_handler (self->server, socket, origin, NULL, socket_cb, self, NULL);
  return g_steal_pointer (&self);
}

void
dyno_browser_server_add_file (DynoBrowserServer *self, const char *name, const char *path)
{
  g_hash_table_replace (self->files, g_strdup (name), g_strdup (path));
}

const char *
dyno_browser_server_get_url (DynoBrowserServer *self)
{
  return self->url;
}

gboolean
dyno_browser_server_send (DynoBrowserServer *self, GBytes *message)
{
  if (self->socket == NULL || soup_websocket_connection_get_state (self->socket) != SOUP_WEBSOCKET_STATE_OPEN)
    return FALSE;
  soup_websocket_connection_send_message (self->socket, SOUP_WEBSOCKET_DATA_BINARY, message);
  return TRUE;
}

void
dyno_browser_server_close (DynoBrowserServer *self)
{
  if (self->socket != NULL)
    g_signal_handlers_disconnect_by_data (self->socket, self);
  g_clear_object (&self->socket);
  if (self->service != NULL)
    {
      g_socket_service_stop (self->service);
      g_socket_listener_close (G_SOCKET_LISTENER (self->service));
      g_signal_handlers_disconnect_by_data (self->service, self);
    }

  for (GList *item = self->connections.head; item != NULL; item = item->next)
    g_object_weak_unref (item->data, forget_cb, self);
  g_queue_clear (&self->connections);
  if (self->server != NULL)
    soup_server_disconnect (self->server);
}
