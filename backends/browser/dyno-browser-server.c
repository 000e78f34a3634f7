/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

#include "dyno-browser-resources.h"
#include "dyno-browser-server.h"
#include "dyno-error.h"

#define RESOURCE_FOLDER "/io/github/dynobench/Dyno/browser"
#define RUNTIME_FOLDER  "runtime/"
#define MODEL_FOLDER    "model/"
#define SOCKET          "socket"

struct _DynoBrowserServer
{
  GObject parent_instance;

  SoupServer *server;
  SoupWebsocketConnection *socket;
  GHashTable *files; /* paths by what the page calls them */
  char *runtime_folder;
  char *root; /* of the paths served, with slashes around */
  char *host; /* what a request must name */
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
dyno_browser_server_dispose (GObject *object)
{
  DynoBrowserServer *self = DYNO_BROWSER_SERVER (object);

  dyno_browser_server_close (self);
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

/* The engine's own files have no folders. */
static GBytes *
find_runtime_file (DynoBrowserServer *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->runtime_folder, name, NULL);

  if (strchr (name, '/') != NULL || !(g_str_has_suffix (name, ".mjs") || g_str_has_suffix (name, ".wasm")))
    return NULL;
  return map_file (path);
}

static GBytes *
find_file (DynoBrowserServer *self, const char *name)
{
  g_autofree char *resource = NULL;
  const char *path;

  if (g_str_has_prefix (name, RUNTIME_FOLDER))
    return find_runtime_file (self, name + strlen (RUNTIME_FOLDER));
  if (g_str_has_prefix (name, MODEL_FOLDER))
    {
      path = g_hash_table_lookup (self->files, name + strlen (MODEL_FOLDER));
      return path != NULL ? map_file (path) : NULL;
    }
  if (strchr (name, '/') != NULL)
    return NULL;
  resource = g_build_path ("/", RESOURCE_FOLDER, name, NULL);
  return g_resource_lookup_data (dyno_browser_get_resource (), resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

/* A page may use threads and the finer clock only if it is isolated from all others. */
static void
answer_with (SoupServerMessage *message, const char *name, GBytes *bytes)
{
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

static gboolean
names_host (DynoBrowserServer *self, SoupServerMessage *message)
{
  const char *host = soup_message_headers_get_one (soup_server_message_get_request_headers (message), "Host");

  return g_strcmp0 (host, self->host) == 0;
}

/* A name that points to the loopback interface is how a foreign page would reach in. */
static void
early_cb (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data)
{
  DynoBrowserServer *self = data;

  if (!names_host (self, message))
    soup_server_message_set_status (message, SOUP_STATUS_FORBIDDEN, NULL);
  else if (!g_str_has_prefix (path, self->root))
    soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
  else if (soup_server_message_get_method (message) != SOUP_METHOD_GET)
    soup_server_message_set_status (message, SOUP_STATUS_METHOD_NOT_ALLOWED, NULL);
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
    answer_with (message, name, bytes);
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

/* There is one page; whoever comes second is not it. */
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
  soup_websocket_connection_set_max_incoming_payload_size (connection, 0);
  g_signal_connect_swapped (connection, "message", G_CALLBACK (message_cb), self);
  g_signal_connect_swapped (connection, "closed", G_CALLBACK (closed_cb), self);
  g_signal_emit (self, signals[CONNECTED], 0);
}

static gboolean
listen_locally (DynoBrowserServer *self, GError **error)
{
  g_autofree char *token = g_uuid_string_random ();
  g_autoptr (GError) problem = NULL;
  GSList *uris;

  if (!soup_server_listen_local (self->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &problem))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("The page for the browser cannot be served on the loopback interface: %s."),
                   problem->message);
      return FALSE;
    }
  uris = soup_server_get_uris (self->server);
  self->host = g_strdup_printf ("127.0.0.1:%d", g_uri_get_port (uris->data));
  self->root = g_strdup_printf ("/%s/", token);
  self->url = g_strconcat ("http://", self->host, self->root, "page.html", NULL);
  g_slist_free_full (uris, (GDestroyNotify)g_uri_unref);
  return TRUE;
}

static void
add_handlers (DynoBrowserServer *self)
{
  g_autofree char *socket = g_strconcat (self->root, SOCKET, NULL);
  g_autofree char *origin = g_strconcat ("http://", self->host, NULL);

  /* Inputs and outputs do not get smaller, only later. */
  soup_server_remove_websocket_extension (self->server, SOUP_TYPE_WEBSOCKET_EXTENSION_DEFLATE);
  soup_server_add_early_handler (self->server, NULL, early_cb, self, NULL);
  soup_server_add_handler (self->server, NULL, request_cb, self, NULL);
  soup_server_add_early_handler (self->server, socket, early_cb, self, NULL);
  soup_server_add_websocket_handler (self->server, socket, origin, NULL, socket_cb, self, NULL);
}

/**
 * dyno_browser_server_new:
 * @runtime_folder: the folder with the files of ONNX Runtime Web
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): a server that listens on a port of its own, in the thread's main context
 */
DynoBrowserServer *
dyno_browser_server_new (const char *runtime_folder, GError **error)
{
  g_autoptr (DynoBrowserServer) self = g_object_new (DYNO_TYPE_BROWSER_SERVER, NULL);

  g_return_val_if_fail (runtime_folder != NULL, NULL);

  self->runtime_folder = g_strdup (runtime_folder);
  self->server = soup_server_new (NULL, NULL);
  if (!listen_locally (self, error))
    return NULL;
  add_handlers (self);
  return g_steal_pointer (&self);
}

/**
 * dyno_browser_server_add_file:
 * @self: a server
 * @name: what the page asks for, below `model/`
 * @path: the file it gets
 *
 * Files are read when they are asked for.
 */
void
dyno_browser_server_add_file (DynoBrowserServer *self, const char *name, const char *path)
{
  g_hash_table_replace (self->files, g_strdup (name), g_strdup (path));
}

/**
 * dyno_browser_server_get_url:
 * @self: a server
 *
 * Returns: (transfer none): the address of the page
 */
const char *
dyno_browser_server_get_url (DynoBrowserServer *self)
{
  return self->url;
}

/**
 * dyno_browser_server_send:
 * @self: a server
 * @message: what to tell the page
 *
 * Returns: whether there is a page to tell it to
 */
gboolean
dyno_browser_server_send (DynoBrowserServer *self, GBytes *message)
{
  if (self->socket == NULL || soup_websocket_connection_get_state (self->socket) != SOUP_WEBSOCKET_STATE_OPEN)
    return FALSE;
  soup_websocket_connection_send_message (self->socket, SOUP_WEBSOCKET_DATA_BINARY, message);
  return TRUE;
}

/**
 * dyno_browser_server_close:
 * @self: a server
 *
 * Closes the port and the connections; no signal is emitted any more.
 */
void
dyno_browser_server_close (DynoBrowserServer *self)
{
  if (self->socket != NULL)
    g_signal_handlers_disconnect_by_data (self->socket, self);
  g_clear_object (&self->socket);
  if (self->server != NULL)
    soup_server_disconnect (self->server);
}
