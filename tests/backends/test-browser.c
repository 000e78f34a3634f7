/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "dyno-backend.h"
#include "dyno-browser.h"
#include "dyno-browser-private.h"
#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-process-family.h"
#include "dyno-system.h"
#include "suite.h"

#define RUNTIME "onnxruntime-web-9.9.9"

typedef struct
{
  char *folder; /* a runtimes folder with an empty engine */
  char *runtime;
} Fixture;

static void
write_file (const char *folder, const char *name, const char *text, gssize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, length, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("dyno-test-browser-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->runtime = g_build_filename (fixture->folder, RUNTIME, NULL);
  g_assert_cmpint (g_mkdir (fixture->runtime, 0700), ==, 0);
  write_file (fixture->runtime, "ort.all.min.mjs", "engine", -1);
  write_file (fixture->runtime, "secret.txt", "secret", -1);
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, fixture->folder);
  dyno_paths_set_root (DYNO_PATH_CACHE, fixture->folder);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_all (child);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  dyno_engine_path_set ("DYNO_BROWSER", NULL);
  dyno_paths_set_root (DYNO_PATH_RUNTIMES, NULL);
  dyno_paths_set_root (DYNO_PATH_CACHE, NULL);
  remove_all (fixture->folder);
  g_free (fixture->runtime);
  g_free (fixture->folder);
}

static char *
build_browser_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "backends", "fixtures", name, NULL);
}

static DynoBrowserHost *
open_browser (const char *name, GError **error)
{
  g_autofree char *path = build_browser_path (name);

  return dyno_browser_host_new (path, NULL, G_MAXINT64, error);
}

static void
test_named (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_browser_path ("browser-exits.sh");
  g_auto (GStrv) found = NULL;
  g_autofree char *chosen = NULL;
  g_autoptr (GError) error = NULL;

  dyno_engine_path_set ("DYNO_BROWSER", path);
  found = dyno_browser_list (&error);
  g_assert_no_error (error);
  g_assert_cmpstrv (found, ((const char *[]){ path, NULL }));
  chosen = dyno_browser_survey_choose (&error);
  g_assert_no_error (error);
  g_assert_cmpstr (chosen, ==, path);

  dyno_engine_path_set ("DYNO_BROWSER", fixture->folder);
  g_assert_null (dyno_browser_list (&error));
  suite_assert_error (error, DYNO_ERROR_NO_RUNTIME, fixture->folder);
}

static char *
add_browser (const char *folder, const char *name, const char *fixture)
{
  g_autofree char *target = build_browser_path (fixture);
  char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (symlink (target, path), ==, 0);
  return path;
}

/* A browser with two names is listed once, and that of the runtimes folder comes last. */
static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path_before = g_strdup (g_getenv ("PATH"));
  g_autofree char *folder = g_build_filename (fixture->folder, "bin", NULL);
  g_autofree char *unpacked = g_build_filename (fixture->folder, "chromium-9.9.9", NULL);
  g_autofree char *first = add_browser (folder, "google-chrome", "browser-exits.sh");
  g_autofree char *twin = add_browser (folder, "google-chrome-stable", "browser-exits.sh");
  g_autofree char *second = add_browser (folder, "chromium", "browser-waits.sh");
  g_autofree char *third = add_browser (unpacked, "chromium", "browser-killed.sh");
  g_auto (GStrv) found = NULL;
  g_autofree char *state = NULL;
  g_autofree char *later_state = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("PATH", folder, TRUE);
  found = dyno_browser_list (&error);
  state = dyno_browser_dup_state ();
  g_assert_cmpint (g_unlink (second), ==, 0);
  later_state = dyno_browser_dup_state ();
  g_setenv ("PATH", path_before, TRUE);
  g_assert_no_error (error);
  g_assert_cmpstrv (found, ((const char *[]){ first, second, third, NULL }));
  g_assert_cmpstr (state, !=, later_state);
}

/* None of them works, and the error names the one that may work another time. */
static void
test_survey_of_broken (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path_before = g_strdup (g_getenv ("PATH"));
  g_autofree char *folder = g_build_filename (fixture->folder, "bin", NULL);
  g_autofree char *none = g_build_filename (folder, "google-chrome", NULL);
  g_autofree char *killed = add_browser (folder, "chromium", "browser-killed.sh");
  g_autoptr (GError) error = NULL;

  write_file (folder, "google-chrome", "#!/missing/interpreter\n", -1);
  g_assert_cmpint (g_chmod (none, 0700), ==, 0);
  g_setenv ("PATH", folder, TRUE);
  g_assert_null (dyno_browser_survey_new (G_MAXINT64, &error));
  g_setenv ("PATH", path_before, TRUE);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED);
  g_assert_nonnull (strstr (error->message, "Killed"));
}

/* The highest version with everything that is needed. */
static void
test_runtimes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *newer = g_build_filename (fixture->folder, "onnxruntime-web-9.10.0", NULL);
  g_autofree char *empty = g_build_filename (fixture->folder, "onnxruntime-web-10.0.0", NULL);
  g_autofree char *found = NULL;
  g_autofree char *version = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (newer, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  write_file (newer, "ort.all.min.mjs", "", -1);
  found = dyno_browser_find_runtime (&error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, newer);
  version = dyno_browser_dup_runtime_version ();
  g_assert_cmpstr (version, ==, "9.10.0");

  dyno_paths_set_root (DYNO_PATH_RUNTIMES, empty);
  g_assert_null (dyno_browser_find_runtime (&error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME);
}

/* A field of a message of Protocol Buffers; contents are shorter than 128 bytes. */
static void
put (GByteArray *message, guint number, const void *content, gsize length)
{
  guint8 head[] = { (guint8)(number << 3 | 2), (guint8)length };

  g_assert_cmpuint (length, <, 128);
  g_byte_array_append (message, head, sizeof head);
  g_byte_array_append (message, content, (guint)length);
}

static void
put_number (GByteArray *message, guint number, guint8 value)
{
  guint8 field[] = { (guint8)(number << 3), value };

  g_byte_array_append (message, field, sizeof field);
}

/* An input or output: a single float. */
static void
put_value (GByteArray *graph, guint number, const char *name)
{
  g_autoptr (GByteArray) tensor = g_byte_array_new ();
  g_autoptr (GByteArray) type = g_byte_array_new ();
  g_autoptr (GByteArray) value = g_byte_array_new ();

  put_number (tensor, 1, DYNO_DATA_TYPE_FLOAT);
  put (tensor, 2, "", 0);
  put (type, 1, tensor->data, tensor->len);
  put (value, 1, name, strlen (name));
  put (value, 2, type->data, type->len);
  put (graph, number, value->data, value->len);
}

/* A model with one weight, which lies in another file. */
static char *
write_external_model (const char *folder, const char *location)
{
  g_autoptr (GByteArray) entry = g_byte_array_new ();
  g_autoptr (GByteArray) weight = g_byte_array_new ();
  g_autoptr (GByteArray) node = g_byte_array_new ();
  g_autoptr (GByteArray) graph = g_byte_array_new ();
  g_autoptr (GByteArray) model = g_byte_array_new ();

  put (entry, 1, "location", 8);
  put (entry, 2, location, strlen (location));
  put_number (weight, 2, DYNO_DATA_TYPE_INT8);
  put (weight, 8, "w", 1);
  put (weight, 13, entry->data, entry->len);
  put_number (weight, 14, 1);
  put (node, 1, "x", 1);
  put (node, 1, "w", 1);
  put (node, 2, "y", 1);
  put (node, 4, "Add", 3);
  put (graph, 1, node->data, node->len);
  put (graph, 5, weight->data, weight->len);
  put_value (graph, 11, "x");
  put_value (graph, 12, "y");
  put (model, 7, graph->data, graph->len);
  write_file (folder, "model.onnx", (const char *)model->data, model->len);
  return g_build_filename (folder, "model.onnx", NULL);
}

static void
test_model (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoBrowserModel) model = dyno_browser_model_new (path, &error);
  g_autofree char *input = NULL;
  g_autofree char *output = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (model->files->len, ==, 1);
  g_assert_cmpuint (model->inputs->len, ==, 1);
  g_assert_cmpuint (model->outputs->len, ==, 1);
  input = dyno_tensor_info_to_string (model->inputs->pdata[0]);
  output = dyno_tensor_info_to_string (model->outputs->pdata[0]);
  g_assert_cmpstr (input, ==, "x: float [batch, 3]");
  g_assert_cmpstr (output, ==, "y: float [batch, 2]");
  g_assert_true (dyno_browser_model_is_free (model));
}

static void
test_model_damaged (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "empty.onnx", "truncated.onnx", "fail.json" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", names[i], NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_browser_model_new (path, &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
    }
}

static void
test_model_external (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_external_model (fixture->folder, "model.onnx.data");
  g_autoptr (DynoBrowserModel) model = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_browser_model_new (path, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  write_file (fixture->folder, "model.onnx.data", "12345", 5);
  model = dyno_browser_model_new (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (model->files->len, ==, 2);
  g_assert_cmpstr (((DynoBrowserFile *)model->files->pdata[1])->name, ==, "model.onnx.data");
  g_assert_cmpint (((DynoBrowserFile *)model->files->pdata[1])->size, ==, 5);
}

static void
test_model_outside (Fixture *fixture, gconstpointer data)
{
  static const char *const locations[] = { "../x", "a/../../x", "", "/x" };

  for (guint i = 0; i < G_N_ELEMENTS (locations); i++)
    {
      g_autofree char *path = write_external_model (fixture->folder, locations[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_browser_model_new (path, &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
    }
}

/* The file is sparse. */
static void
test_model_too_large (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_external_model (fixture->folder, "weights");
  g_autofree char *weights = g_build_filename (fixture->folder, "weights", NULL);
  g_autoptr (GError) error = NULL;

  write_file (fixture->folder, "weights", "", 0);
  if (truncate (weights, (off_t)1 << 31) != 0)
    {
      g_test_skip ("The file system holds no files of 2 GiB.");
      return;
    }
  g_assert_null (dyno_browser_model_new (path, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY);
  g_assert_nonnull (strstr (error->message, "2.15 GB"));
}

typedef struct
{
  guint16 port;
  const char *text;
  char *answer;
  gint is_done;
} Request;

static gpointer
ask_in_thread (gpointer data)
{
  Request *request = data;
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocketConnection) connection =
      g_socket_client_connect_to_host (client, "127.0.0.1", request->port, NULL, &error);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();

  g_assert_no_error (error);
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), request->text,
                             strlen (request->text), NULL, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_splice (memory, g_io_stream_get_input_stream (G_IO_STREAM (connection)),
                          G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, &error);
  g_assert_no_error (error);
  request->answer = g_strndup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (memory)),
                               g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (memory)));
  g_atomic_int_set (&request->is_done, TRUE);
  g_main_context_wakeup (NULL);
  return NULL;
}

/* The server answers in this thread, so another one asks. */
static char *
ask (DynoBrowserServer *server, const char *method, const char *path, const char *host)
{
  g_autoptr (GUri) url = g_uri_parse (dyno_browser_server_get_url (server), G_URI_FLAGS_NONE, NULL);
  g_autofree char *folder = g_path_get_dirname (g_uri_get_path (url));
  g_autofree char *own_host = g_strdup_printf ("127.0.0.1:%d", g_uri_get_port (url));
  g_autofree char *target = *path == '/' ? g_strdup (path) : g_strconcat (folder, "/", path, NULL);
  g_autofree char *text = g_strdup_printf ("%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method,
                                           target, host != NULL ? host : own_host);
  Request request = { (guint16)g_uri_get_port (url), text, NULL, FALSE };
  GThread *thread = g_thread_new ("ask", ask_in_thread, &request);

  while (!g_atomic_int_get (&request.is_done))
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);
  return request.answer;
}

static void
assert_status (DynoBrowserServer *server, const char *method, const char *path, const char *host, int status)
{
  g_autofree char *answer = ask (server, method, path, host);
  g_autofree char *expected = g_strdup_printf ("HTTP/1.1 %d ", status);

  g_test_message ("%s %s: %.40s", method, path, answer);
  g_assert_true (g_str_has_prefix (answer, expected));
}

static void
test_server_serves (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoBrowserServer) server = dyno_browser_server_new (fixture->runtime, &error);
  g_autofree char *path = g_build_filename (fixture->runtime, "secret.txt", NULL);
  g_autofree char *page = NULL;
  g_autofree char *engine = NULL;
  g_autofree char *model = NULL;

  g_assert_no_error (error);
  dyno_browser_server_add_file (server, "0", path);
  page = ask (server, "GET", "page.html", NULL);
  g_assert_nonnull (strstr (page, "200 OK"));
  g_assert_nonnull (strstr (page, "Cross-Origin-Opener-Policy: same-origin"));
  g_assert_nonnull (strstr (page, "Cross-Origin-Embedder-Policy: require-corp"));
  g_assert_nonnull (strstr (page, "page.js"));
  engine = ask (server, "GET", "runtime/ort.all.min.mjs", NULL);
  g_assert_true (g_str_has_suffix (engine, "\r\n\r\nengine"));
  model = ask (server, "GET", "model/0", NULL);
  g_assert_true (g_str_has_suffix (model, "\r\n\r\nsecret"));
}

static void
test_server_refuses (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoBrowserServer) server = dyno_browser_server_new (fixture->runtime, &error);

  g_assert_no_error (error);
  assert_status (server, "GET", "/", NULL, 404);
  assert_status (server, "GET", "/page.html", NULL, 404);
  assert_status (server, "GET", "/00000000-0000-0000-0000-000000000000/page.html", NULL, 404);
  assert_status (server, "GET", "/00000000-0000-0000-0000-000000000000/socket", NULL, 404);
  assert_status (server, "GET", "page.html", "evil.example", 403);
  assert_status (server, "GET", "page.html", "localhost", 403);
  assert_status (server, "GET", "socket", "evil.example", 403);
  assert_status (server, "GET", "socket", NULL, 400);
  assert_status (server, "POST", "page.html", NULL, 405);
  assert_status (server, "GET", "runtime/secret.txt", NULL, 404);
  assert_status (server, "GET", "runtime/../" RUNTIME "/secret.txt", NULL, 404);
  assert_status (server, "GET", "runtime/..%2f" RUNTIME "%2fort.all.min.mjs", NULL, 400);
  assert_status (server, "GET", "model/0", NULL, 404);
  assert_status (server, "GET", "page.html/", NULL, 404);
}

#define ENDLESS ((gsize)64 << 20)

typedef struct
{
  DynoBrowserServer *server;
  const char *head;
  gsize n_sent;
  gint is_done;
} Flood;

static GSocketConnection *
connect_to (DynoBrowserServer *server)
{
  g_autoptr (GUri) url = g_uri_parse (dyno_browser_server_get_url (server), G_URI_FLAGS_NONE, NULL);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  GSocketConnection *connection =
      g_socket_client_connect_to_host (client, "127.0.0.1", (guint16)g_uri_get_port (url), NULL, &error);

  g_assert_no_error (error);
  return connection;
}

/* Sends a body until somebody stops it. */
static gpointer
flood_in_thread (gpointer data)
{
  static const char block[1 << 16] = { 0 };
  Flood *flood = data;
  g_autoptr (GSocketConnection) connection = connect_to (flood->server);
  GOutputStream *stream = g_io_stream_get_output_stream (G_IO_STREAM (connection));

  g_assert_true (g_output_stream_write_all (stream, flood->head, strlen (flood->head), NULL, NULL, NULL));
  while (flood->n_sent < ENDLESS && g_output_stream_write_all (stream, block, sizeof block, NULL, NULL, NULL))
    flood->n_sent += sizeof block;
  g_atomic_int_set (&flood->is_done, TRUE);
  g_main_context_wakeup (NULL);
  return NULL;
}

static void
test_server_reads_no_bodies (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoBrowserServer) server = dyno_browser_server_new (fixture->runtime, NULL);
  g_autoptr (GUri) url = g_uri_parse (dyno_browser_server_get_url (server), G_URI_FLAGS_NONE, NULL);
  g_autofree char *own =
      g_strdup_printf ("POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 100000000000\r\n\r\n",
                       g_uri_get_path (url), g_uri_get_port (url));
  const char *const heads[] = {
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000000\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000000\r\n\r\n",
    "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nEndless: ",
    own,
  };

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      Flood flood = { server, heads[i], 0, FALSE };
      GThread *thread = g_thread_new ("flood", flood_in_thread, &flood);

      while (!g_atomic_int_get (&flood.is_done))
        g_main_context_iteration (NULL, TRUE);
      g_thread_join (thread);
      g_test_message ("%.20s: %" G_GSIZE_FORMAT " bytes were taken", heads[i], flood.n_sent);
      g_assert_cmpuint (flood.n_sent, <, ENDLESS);
    }
  assert_status (server, "GET", "page.html", NULL, 200);
}

static void
read_cb (GObject *stream, GAsyncResult *result, gpointer data)
{
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (stream), result, NULL);

  g_assert_true (bytes == NULL || g_bytes_get_size (bytes) == 0);
  *(gboolean *)data = TRUE;
}

/* Silent connections are limited in number, and never block the browser. */
static void
test_server_counts_idle (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoBrowserServer) server = dyno_browser_server_new (fixture->runtime, NULL);
  g_autoptr (GPtrArray) idle = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean is_dropped = FALSE;

  for (guint i = 0; i < 100; i++)
    {
      g_ptr_array_add (idle, connect_to (server));
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  assert_status (server, "GET", "page.html", NULL, 200);
  g_input_stream_read_bytes_async (g_io_stream_get_input_stream (idle->pdata[0]), 1, G_PRIORITY_DEFAULT, NULL,
                                   read_cb, &is_dropped);
  while (!is_dropped)
    g_main_context_iteration (NULL, TRUE);
}

/* Two servers have different ports and paths. */
static void
test_server_is_unguessable (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoBrowserServer) first = dyno_browser_server_new (fixture->runtime, NULL);
  g_autoptr (DynoBrowserServer) second = dyno_browser_server_new (fixture->runtime, NULL);
  g_autoptr (GUri) url = g_uri_parse (dyno_browser_server_get_url (second), G_URI_FLAGS_NONE, NULL);

  g_assert_cmpstr (dyno_browser_server_get_url (first), !=, dyno_browser_server_get_url (second));
  assert_status (first, "GET", g_uri_get_path (url), NULL, 404);
}

/* Neither a profile nor a child process is left. */
static void
assert_nothing_left (void)
{
  g_autofree char *prefix = g_strdup_printf ("dyno-scratch-%d-", (int)getpid ());
  g_autoptr (GDir) dir = g_dir_open (g_get_tmp_dir (), 0, NULL);
  g_autoptr (GArray) family = dyno_process_family_list (getpid ());
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_false (g_str_has_prefix (name, prefix));
  g_assert_cmpuint (family->len, ==, 1);
}

/* A browser that ends before it connects. */
typedef struct
{
  const char *path;
  const char *script;
  const char *words[2];
  const char *unsaid;
} Death;

static const Death deaths[] = {
  { "/browser/exits", "browser-exits.sh", { "code 3", "Missing X server" } },
  /* A killed browser does not know why, so its earlier output is not quoted. */
  { "/browser/killed", "browser-killed.sh", { "Killed", "memory" }, "sandbox" },
  /* A crashed browser has logged the reason. */
  { "/browser/crashes", "browser-crashes.sh", { "Check failed", "Preferences" } },
};

static void
test_browser_dies (Fixture *fixture, gconstpointer data)
{
  const Death *death = data;
  g_autoptr (GError) error = NULL;

  g_assert_null (open_browser (death->script, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED);
  for (guint i = 0; i < G_N_ELEMENTS (death->words); i++)
    g_assert_nonnull (strstr (error->message, death->words[i]));
  if (death->unsaid != NULL)
    g_assert_null (strstr (error->message, death->unsaid));
  assert_nothing_left ();
}

static void
test_browser_never_connects (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_browser_path ("browser-waits.sh");
  g_autoptr (GError) error = NULL;

  g_assert_null (
      dyno_browser_host_new (path, NULL, g_get_monotonic_time () + G_TIME_SPAN_MILLISECOND * 200, &error));
  suite_assert_error (error, DYNO_ERROR_TIMED_OUT, "browser-waits.sh");
  assert_nothing_left ();
}

/* A killed process leaves its folder; the next one removes it, but none of another container, whose processes it does not see. */
static void
test_orphans (Fixture *fixture, gconstpointer data)
{
  g_autofree char *own = dyno_system_dup_own_name ("");
  g_autofree char *dead = g_strconcat ("dyno-scratch-999999999", strchr (own, '-'), NULL);
  g_autofree char *orphan = g_build_filename (g_get_tmp_dir (), dead, NULL);
  g_autofree char *inside = g_build_filename (orphan, "profile", NULL);
  g_autofree char *foreign = g_build_filename (g_get_tmp_dir (), "dyno-scratch-999999999-1-abcdef", NULL);

  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (foreign, 0700), ==, 0);
  g_assert_null (open_browser ("browser-exits.sh", NULL));
  g_assert_false (g_file_test (orphan, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (foreign, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_rmdir (foreign), ==, 0);
}

static void
test_message (void)
{
  static const guint8 bytes[] = { 1, 2, 3 };
  g_autoptr (JsonNode) header = json_from_string ("{\"call\":\"run\"}", NULL);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GBytes) packed = NULL;
  g_autoptr (DynoBrowserMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  g_byte_array_append (payload, bytes, sizeof bytes);
  packed = dyno_browser_message_pack (header, payload);
  g_assert_cmpuint (g_bytes_get_size (packed) % 8, ==, sizeof bytes);
  message = dyno_browser_message_parse (packed, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (json_object_get_string_member (message->header, "call"), ==, "run");
  g_assert_cmpmem (g_bytes_get_data (message->payload, NULL), g_bytes_get_size (message->payload), bytes, 3);
}

static void
test_message_garbled (void)
{
  static const char *const texts[] = { "",           "\1\0",       "\377\377\377\377{}",
                                       "\2\0\0\0[]", "\2\0\0\0{x", "\0\0\0\0" };
  static const gsize lengths[] = { 0, 2, 6, 6, 6, 4 };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (texts[i], lengths[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_browser_message_parse (bytes, &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
    }
}

static void
add (const char *path, void (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

static void
add_tests (void)
{
  g_unsetenv ("DYNO_BROWSER");

  add ("/browser/named", test_named);
  add ("/browser/list", test_list);
  add ("/browser/survey-of-broken", test_survey_of_broken);
  add ("/browser/runtimes", test_runtimes);
  add ("/browser/model", test_model);
  add ("/browser/model-damaged", test_model_damaged);
  add ("/browser/model-external", test_model_external);
  add ("/browser/model-outside", test_model_outside);
  add ("/browser/model-too-large", test_model_too_large);
  add ("/browser/server-serves", test_server_serves);
  add ("/browser/server-refuses", test_server_refuses);
  add ("/browser/server-reads-no-bodies", test_server_reads_no_bodies);
  add ("/browser/server-counts-idle", test_server_counts_idle);
  add ("/browser/server-is-unguessable", test_server_is_unguessable);
  for (guint i = 0; i < G_N_ELEMENTS (deaths); i++)
    g_test_add (deaths[i].path, Fixture, &deaths[i], set_up, test_browser_dies, tear_down);
  add ("/browser/never-connects", test_browser_never_connects);
  add ("/browser/orphans", test_orphans);
  g_test_add_func ("/browser/message", test_message);
  g_test_add_func ("/browser/message-garbled", test_message_garbled);
}

SUITE_ADD (add_tests)
