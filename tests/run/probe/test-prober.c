/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "dyno-browser.h"
#include "dyno-litert-private.h"
#include "dyno-llamacpp-private.h"
#include "dyno-openvino-private.h"
#include "dyno-ort.h"
#include "dyno-paths.h"
#include "dyno-prober.h"
#include "dyno-run-probe-private.h"
#include "dyno-run-worker-private.h"
#include "suite.h"

typedef struct
{
  char *folder;
  char *script;
  DynoBackend *backend;
} Fixture;

static void
write_script (Fixture *fixture, const char *json)
{
  g_assert_true (g_file_set_contents (fixture->script, json, -1, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer json)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("dyno-prober-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->script = g_strdup (g_getenv ("DYNO_FAKE_BACKEND"));
  write_script (fixture, json);
  dyno_paths_set_root (DYNO_PATH_CACHE, fixture->folder);
  fixture->backend = dyno_backend_lookup ("fake", &error);
  g_assert_no_error (error);
}

static char *
build_cache_path (Fixture *fixture)
{
  return g_build_filename (fixture->folder, "probes", "fake.json", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer json)
{
  g_autofree char *path = build_cache_path (fixture);
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_rmdir (folder);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_free (fixture->script);
}

/* A new prober that knows only the contents of the cache folder. */
static DynoProbe *
ask_anew (Fixture *fixture)
{
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);

  return dyno_prober_probe (prober, fixture->backend, DYNO_PROBER_NONE, NULL);
}

static void
assert_unsupported (DynoProbe *probe, const char *first, const char *second)
{
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_UNSUPPORTED);
  g_test_message ("%s", dyno_probe_get_reason (probe));
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), first));
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), second));
  g_assert_nonnull (dyno_probe_get_remedy (probe));
}

#define TWO_DEVICES                                                                                          \
  "{\"runtime\": \"Fake 2\", \"devices\": ["                                                                 \
  "{\"id\": \"a:1\", \"name\": \"One\", \"kind\": \"discrete-gpu\", \"address\": \"0000:65:00.0\","          \
  " \"driver\": \"d 1\", \"memory_mb\": 8000, \"precisions\": [\"fp32\", \"fp16\"]},"                        \
  "{\"id\": \"b\", \"name\": \"Two\", \"kind\": \"software\"}]}"

static void
test_answer (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProbe) probe = ask_anew (fixture);
  DynoDevice *device = dyno_probe_find_device (probe, NULL);

  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_AVAILABLE);
  g_assert_cmpstr (dyno_probe_get_runtime (probe), ==, "Fake 2");
  g_assert_cmpstr (dyno_device_get_id (device), ==, "a:1");
  g_assert_cmpstr (dyno_device_get_address (device), ==, "0000:65:00.0");
  g_assert_cmpstr (dyno_device_get_driver (device), ==, "d 1");
  g_assert_cmpint (dyno_device_get_kind (device), ==, DYNO_DEVICE_KIND_DISCRETE_GPU);
  g_assert_cmpint (dyno_device_get_memory (device), ==, G_GINT64_CONSTANT (8000000000));
  g_assert_cmpstrv (dyno_device_get_precisions (device), ((const char *[]){ "fp32", "fp16", NULL }));
  device = dyno_probe_find_device (probe, "b");
  g_assert_cmpint (dyno_device_get_kind (device), ==, DYNO_DEVICE_KIND_SOFTWARE);
  g_assert_null (dyno_probe_find_device (probe, "c"));
}

static void
test_crash (Fixture *fixture, gconstpointer json)
{
  g_autofree char *path = build_cache_path (fixture);
  g_autofree char *number = g_strdup_printf ("signal %d", SIGSEGV);
  g_autoptr (DynoProbe) probe = ask_anew (fixture);

  assert_unsupported (probe, "crashed", number);
  /* The next start may succeed: only answers of the backend itself are kept. */
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_exit (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProbe) probe = ask_anew (fixture);

  assert_unsupported (probe, "ended the process", "no device was found");
}

static void
test_hang (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProbe) probe = ask_anew (fixture);

  assert_unsupported (probe, "for 5 s", "stopped");
  g_assert_nonnull (strstr (dyno_probe_get_remedy (probe), "--fresh"));
}

static void
test_no (Fixture *fixture, gconstpointer json)
{
  g_autofree char *path = build_cache_path (fixture);
  g_autoptr (DynoProbe) probe = ask_anew (fixture);

  assert_unsupported (probe, "It is Sunday.", "");
  g_assert_cmpstr (dyno_probe_get_remedy (probe), ==, "Come again.");
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* An empty engine, and a browser that is killed while it starts. */
static char *
use_broken_browser (Fixture *fixture)
{
  g_autofree char *engine = g_build_filename (fixture->folder, "onnxruntime-web-9.9.9", NULL);
  g_autofree char *file = g_build_filename (engine, "ort.all.min.mjs", NULL);
  g_autofree char *browser =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "browser-killed.sh", NULL);
  char *before = g_strdup (g_getenv ("DYNO_RUNTIMES_DIR"));

  g_assert_cmpint (g_mkdir (engine, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "", -1, NULL));
  g_setenv ("DYNO_RUNTIMES_DIR", fixture->folder, TRUE);
  g_setenv ("DYNO_BROWSER", browser, TRUE);
  return before;
}

static void
drop_broken_browser (Fixture *fixture, char *runtimes)
{
  g_autofree char *engine = g_build_filename (fixture->folder, "onnxruntime-web-9.9.9", NULL);
  g_autofree char *file = g_build_filename (engine, "ort.all.min.mjs", NULL);

  g_unsetenv ("DYNO_BROWSER");
  g_unsetenv ("DYNO_RUNTIMES_DIR");
  if (runtimes != NULL)
    g_setenv ("DYNO_RUNTIMES_DIR", runtimes, TRUE);
  g_unlink (file);
  g_rmdir (engine);
  g_free (runtimes);
}

/* A backend that crashes once does not count as broken forever. */
static void
test_broken_browser (Fixture *fixture, gconstpointer json)
{
  g_autofree char *path = g_build_filename (fixture->folder, "probes", "webnn.json", NULL);
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);
  char *runtimes = use_broken_browser (fixture);
  g_autoptr (DynoProbe) probe =
      dyno_prober_probe (prober, dyno_backend_lookup ("webnn", NULL), DYNO_PROBER_NONE, NULL);

  drop_broken_browser (fixture, runtimes);
  g_test_message ("%s %s", dyno_probe_get_reason (probe), dyno_probe_get_remedy (probe));
#ifdef HAVE_LIBSOUP
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_DEFERRED);
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), "Killed"));
  g_assert_nonnull (strstr (dyno_probe_get_remedy (probe), "--fresh"));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
#else
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_UNSUPPORTED);
  g_assert_cmpint (g_unlink (path), ==, 0);
#endif
}

static void
change_cache (Fixture *fixture, const char *from, const char *to)
{
  g_autofree char *path = build_cache_path (fixture);
  g_autofree char *text = NULL;
  g_autoptr (GString) changed = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  changed = g_string_new (text);
  g_assert_cmpuint (g_string_replace (changed, from, to, 0), >, 0);
  g_assert_true (g_file_set_contents (path, changed->str, -1, NULL));
}

static void
test_cache (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);
  g_autoptr (DynoProbe) first = ask_anew (fixture);
  g_autoptr (DynoProbe) cached = NULL;
  g_autoptr (DynoProbe) again = NULL;
  g_autoptr (DynoProbe) fresh = NULL;

  change_cache (fixture, "Fake 2", "From the cache");
  cached = dyno_prober_probe (prober, fixture->backend, DYNO_PROBER_NONE, NULL);
  again = dyno_prober_probe (prober, fixture->backend, DYNO_PROBER_NONE, NULL);
  fresh = dyno_prober_probe (prober, fixture->backend, DYNO_PROBER_FRESH, NULL);
  g_assert_cmpstr (dyno_probe_get_runtime (cached), ==, "From the cache");
  g_assert_true (again == cached);
  g_assert_cmpstr (dyno_probe_get_runtime (fresh), ==, "Fake 2");
}

/* The pid of this process is in the file; for the worker of another one it is that one's. */
static void
pass_off_as_worker (Fixture *fixture)
{
  g_autofree char *own = g_strdup_printf ("\"process\" : %d", (int)getpid ());
  g_autofree char *parent = g_strdup_printf ("\"process\" : %d", (int)getppid ());

  change_cache (fixture, own, parent);
}

/* A provisional answer is stored for workers of the process that asked, and for no others. */
static void
test_provisional (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProbe) first = ask_anew (fixture);
  g_autoptr (DynoProbe) stranger = NULL;
  g_autoptr (DynoProbe) worker = NULL;

  g_assert_true (dyno_probe_is_provisional (first));
  change_cache (fixture, "Fake 2", "From the cache");
  stranger = ask_anew (fixture);
  g_assert_cmpstr (dyno_probe_get_runtime (stranger), ==, "Fake 2");
  change_cache (fixture, "Fake 2", "From the cache");
  pass_off_as_worker (fixture);
  worker = ask_anew (fixture);
  g_assert_cmpstr (dyno_probe_get_runtime (worker), ==, "From the cache");
}

/* Another process of Dyno has put its answer there, and then this one has a case to measure. */
static void
test_provisional_again (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);
  g_autoptr (DynoProbe) first = dyno_prober_probe (prober, fixture->backend, DYNO_PROBER_NONE, NULL);
  g_autoptr (DynoProbe) second = NULL;
  g_autoptr (DynoProbe) worker = NULL;

  change_cache (fixture, "Fake 2", "Of another process");
  pass_off_as_worker (fixture);
  second = dyno_prober_probe (prober, fixture->backend, DYNO_PROBER_NONE, NULL);
  g_assert_true (second == first);
  pass_off_as_worker (fixture);
  worker = ask_anew (fixture);
  g_assert_cmpstr (dyno_probe_get_runtime (worker), ==, "Fake 2");
}

static void
test_change (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);
  g_autoptr (DynoProbe) before = dyno_prober_probe (prober, fixture->backend, DYNO_PROBER_NONE, NULL);
  g_autoptr (DynoProbe) after = NULL;

  write_script (fixture, "{\"runtime\": \"Fake 3\"}");
  after = dyno_prober_probe (prober, fixture->backend, DYNO_PROBER_NONE, NULL);
  g_assert_cmpstr (dyno_probe_get_runtime (before), ==, "Fake 2");
  g_assert_cmpstr (dyno_probe_get_runtime (after), ==, "Fake 3");
}

/* The last answer is known without asking, even where something has changed since. */
static void
test_recall (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);
  g_autoptr (DynoProbe) nothing = dyno_prober_recall (prober, fixture->backend);
  g_autoptr (DynoProbe) first = ask_anew (fixture);
  g_autoptr (DynoProbe) last = NULL;

  g_assert_null (nothing);
  write_script (fixture, "{\"runtime\": \"Fake 3\"}");
  last = dyno_prober_recall (prober, fixture->backend);
  g_assert_nonnull (last);
  g_assert_cmpstr (dyno_probe_get_runtime (last), ==, "Fake 2");
}

static void
test_damaged_cache (Fixture *fixture, gconstpointer json)
{
  static const char *const damages[][2] = {
    { "\"Fake 2\"", "7" },       { "\"available\"", "\"perhaps\"" },
    { "\"probe\"", "\"prob\"" }, { "{", "[" },
    { "\"One\"", "null" },       { "\"state\"", "\"provisional\": true, \"state\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autoptr (DynoProbe) first = ask_anew (fixture);
      g_autoptr (DynoProbe) again = NULL;

      change_cache (fixture, damages[i][0], damages[i][1]);
      again = ask_anew (fixture);
      g_assert_cmpstr (dyno_probe_get_runtime (again), ==, "Fake 2");
    }
}

static void
test_no_worker (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProbe) probe = NULL;

  dyno_paths_set_root (DYNO_PATH_LIBEXEC, "/missing");
  probe = ask_anew (fixture);
  dyno_paths_set_root (DYNO_PATH_LIBEXEC, NULL);
  g_assert_cmpint (dyno_probe_get_state (probe), ==, DYNO_PROBE_DEFERRED);
  g_assert_nonnull (strstr (dyno_probe_get_reason (probe), "/missing"));
}

static void
test_all (Fixture *fixture, gconstpointer json)
{
  g_autoptr (GListModel) backends = dyno_backend_list ();
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);
  g_autoptr (GPtrArray) probes = NULL;
  g_autofree char *folder = g_build_filename (fixture->folder, "probes", NULL);
  guint n = g_list_model_get_n_items (backends);

  probes = dyno_prober_probe_all (prober, backends, DYNO_PROBER_NONE, NULL);
  g_assert_cmpuint (probes->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      g_autofree char *name = g_strdup_printf ("%s.json", dyno_backend_get_id (backend));
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_true (DYNO_IS_PROBE (probes->pdata[i]));
      if (!g_str_equal (name, "fake.json"))
        g_unlink (path);
    }
}

static void
store_result (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

static GAsyncResult *
ask_async (Fixture *fixture, DynoProber *prober, GCancellable *cancellable)
{
  GAsyncResult *result = NULL;

  dyno_prober_probe_async (prober, fixture->backend, DYNO_PROBER_FRESH, cancellable, store_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return result;
}

static void
test_async (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);
  g_autoptr (GAsyncResult) result = ask_async (fixture, prober, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoProbe) probe = dyno_prober_probe_finish (prober, result, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (dyno_probe_get_runtime (probe), ==, "Fake 2");
}

/* The script hangs, and the test would with it. */
static void
test_cancel (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  result = ask_async (fixture, prober, cancellable);
  g_assert_null (dyno_prober_probe_finish (prober, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* The error of a process that cannot start would tell that one was started. */
static void
test_cancel_before (Fixture *fixture, gconstpointer json)
{
  g_autoptr (DynoProber) prober = g_object_new (DYNO_TYPE_PROBER, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *before = g_strdup (g_getenv ("DYNO_LIBEXEC_DIR"));
  g_autoptr (DynoProbe) probe = NULL;

  g_setenv ("DYNO_LIBEXEC_DIR", "/nonexistent", TRUE);
  g_cancellable_cancel (cancellable);
  probe = dyno_prober_probe (prober, fixture->backend, DYNO_PROBER_FRESH, cancellable);
  g_assert_cmpstr (dyno_probe_get_reason (probe), ==, "The probe was stopped.");
  g_setenv ("DYNO_LIBEXEC_DIR", before, TRUE);
}

static void
test_named_engines (Fixture *fixture, gconstpointer json)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autofree char *before = g_strdup (g_getenv ("DYNO_BROWSER"));

  g_unsetenv ("DYNO_BROWSER");
  dyno_engine_path_set ("DYNO_BROWSER", "/opt/browser");
  dyno_engine_path_set ("DYNO_OPENVINO", "/opt/openvino");
  dyno_engine_path_set ("DYNO_ONNXRUNTIME", "/opt/onnxruntime");
  launcher = dyno_worker_process_prepare (G_SUBPROCESS_FLAGS_NONE);
  g_assert_cmpstr (g_subprocess_launcher_getenv (launcher, "DYNO_BROWSER"), ==, "/opt/browser");
  g_assert_cmpstr (g_subprocess_launcher_getenv (launcher, "DYNO_OPENVINO"), ==, "/opt/openvino");
  g_assert_cmpstr (g_subprocess_launcher_getenv (launcher, "DYNO_ONNXRUNTIME"), ==, "/opt/onnxruntime");
  g_assert_cmpstr (g_subprocess_launcher_getenv (launcher, "ORT_DISABLE_TELEMETRY"), ==, "1");
  dyno_engine_path_set ("DYNO_BROWSER", NULL);
  dyno_engine_path_set ("DYNO_OPENVINO", NULL);
  dyno_engine_path_set ("DYNO_ONNXRUNTIME", NULL);
  if (before != NULL)
    g_setenv ("DYNO_BROWSER", before, TRUE);
}

static char *
take_fingerprint (const char *id)
{
  g_autoptr (GError) error = NULL;
  DynoBackend *backend = dyno_backend_lookup (id, &error);

  g_assert_no_error (error);
  return dyno_probe_fingerprint_take (backend);
}

/* An answer about one path must not be taken for that about another, nor for that before the file was there; but for
 * that of a worker, which is told by a variable. */
static void
assert_path_matters (const char *id, const char *variable, const char *path)
{
  g_autofree char *before = take_fingerprint (id);
  g_autofree char *named = NULL, *told = NULL, *there = NULL, *after = NULL;

  dyno_engine_path_set (variable, path);
  named = take_fingerprint (id);
  g_setenv (variable, path, TRUE);
  told = take_fingerprint (id);
  g_unsetenv (variable);
  g_assert_true (g_file_set_contents (path, "no library", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
  there = take_fingerprint (id);
  g_assert_cmpint (g_unlink (path), ==, 0);
  dyno_engine_path_set (variable, NULL);
  after = take_fingerprint (id);
  g_assert_cmpstr (named, !=, before);
  g_assert_cmpstr (told, ==, named);
  g_assert_cmpstr (there, !=, named);
  g_assert_cmpstr (after, ==, before);
}

static void
test_paths_matter (Fixture *fixture, gconstpointer json)
{
  static const struct
  {
    const char *id;
    const char *variable;
  } engines[] = {
    { "cpu", "DYNO_ONNXRUNTIME" },   { "onnxruntime", "DYNO_ONNXRUNTIME_PLUGINS" },
    { "openvino", "DYNO_OPENVINO" }, { "llamacpp", "DYNO_LLAMA_CPP" },
    { "litert", "DYNO_LITERT" },     { "webnn", "DYNO_BROWSER" },
  };
  g_autofree char *path = g_build_filename (fixture->folder, "engine", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    {
      g_autofree char *said = g_strdup (g_getenv (engines[i].variable));

      g_test_message ("%s", engines[i].variable);
      g_unsetenv (engines[i].variable);
      assert_path_matters (engines[i].id, engines[i].variable, path);
      if (said != NULL)
        g_setenv (engines[i].variable, said, TRUE);
    }
}

/* What one backend found does not depend on an engine of another's, or on another's script. */
static void
test_paths_of_others (Fixture *fixture, gconstpointer json)
{
  g_autofree char *before = take_fingerprint ("cpu");
  g_autofree char *browser_before = take_fingerprint ("webnn");
  g_autofree char *fake_before = take_fingerprint ("fake");
  g_autofree char *after = NULL, *browser_after = NULL, *fake_after = NULL;

  dyno_engine_path_set ("DYNO_OPENVINO", "/opt/openvino");
  g_setenv ("DYNO_FAKE_BACKEND", "/opt/script.json", TRUE);
  after = take_fingerprint ("cpu");
  browser_after = take_fingerprint ("webnn");
  fake_after = take_fingerprint ("fake");
  g_setenv ("DYNO_FAKE_BACKEND", fixture->script, TRUE);
  dyno_engine_path_set ("DYNO_OPENVINO", NULL);
  g_assert_cmpstr (after, ==, before);
  g_assert_cmpstr (browser_after, ==, browser_before);
  g_assert_cmpstr (fake_after, !=, fake_before);
}

static void
test_shared_path (Fixture *fixture, gconstpointer json)
{
  g_autofree char *before = NULL, *after = NULL;

  dyno_engine_path_set ("DYNO_ONNXRUNTIME", "/opt/one/runtime");
  before = take_fingerprint ("cuda");
  dyno_engine_path_set ("DYNO_ONNXRUNTIME", "/opt/other/runtime");
  after = take_fingerprint ("cuda");
  dyno_engine_path_set ("DYNO_ONNXRUNTIME", NULL);
  g_assert_cmpstr (after, !=, before);
}

#define ADD(name, json) g_test_add ("/prober/" #name, Fixture, json, set_up, test_##name, tear_down)

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *script = NULL;
  int fd, status;

  g_test_init (&argc, &argv, NULL);
  /* The list of backends is made once: the script must be there before. */
  fd = g_file_open_tmp ("dyno-script-XXXXXX.json", &script, NULL);
  g_assert_true (g_close (fd, NULL));
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  ADD (answer, TWO_DEVICES);
  ADD (crash, "{\"probe\": \"crash\"}");
  ADD (exit, "{\"probe\": \"exit\"}");
  ADD (hang, "{\"probe\": \"hang\"}");
  ADD (no, "{\"unsupported\": \"It is Sunday.\", \"remedy\": \"Come again.\"}");
  ADD (cache, TWO_DEVICES);
  ADD (provisional, "{\"runtime\": \"Fake 2\", \"probe\": \"hesitate\"}");
  ADD (provisional_again, "{\"runtime\": \"Fake 2\", \"probe\": \"hesitate\"}");
  ADD (change, TWO_DEVICES);
  ADD (recall, TWO_DEVICES);
  ADD (damaged_cache, TWO_DEVICES);
  ADD (no_worker, TWO_DEVICES);
  ADD (all, TWO_DEVICES);
  ADD (async, TWO_DEVICES);
  ADD (cancel, "{\"probe\": \"hang\"}");
  ADD (cancel_before, "{\"probe\": \"hang\"}");
  ADD (named_engines, TWO_DEVICES);
  ADD (paths_matter, TWO_DEVICES);
  ADD (paths_of_others, TWO_DEVICES);
  ADD (shared_path, TWO_DEVICES);
  ADD (broken_browser, TWO_DEVICES);
  status = g_test_run ();
  g_unlink (script);
  return status;
}

SUITE (run_suite)
