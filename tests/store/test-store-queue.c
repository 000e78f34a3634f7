/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>

#include "store-fixture.h"
#include "suite.h"

/* Adds a run of a model of that name, by which tests know it. */
static char *
add (StoreFixture *fixture, const char *model, DynoQueuePriority priority)
{
  const char *const models[] = { model, NULL };
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (GError) error = NULL;
  char *id;

  g_object_set (plan, "models", models, NULL);
  id = dyno_store_add_to_queue (fixture->store, plan, priority, &error);
  g_assert_no_error (error);
  g_assert_nonnull (id);
  return id;
}

/* @expected: the models of the waiting runs, in their order. */
static void
assert_queue (StoreFixture *fixture, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_list_queue (fixture->store, &error);
  g_autoptr (GString) models = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (models, "%s%s", i > 0 ? " " : "",
                            *dyno_plan_get_models (((DynoQueuedRun *)runs->pdata[i])->plan));
  g_assert_cmpstr (models->str, ==, expected);
}

static void
change (StoreFixture *fixture, const char *id, const char *how)
{
  g_autoptr (GError) error = NULL;

  dyno_store_change_queue (fixture->store, id, how, &error);
  g_assert_no_error (error);
}

static void
test_order (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *idle = add (fixture, "idle", DYNO_QUEUE_IDLE);
  g_autofree char *a = add (fixture, "a", DYNO_QUEUE_NORMAL);
  g_autofree char *b = add (fixture, "b", DYNO_QUEUE_NORMAL);
  g_autofree char *high = add (fixture, "high", DYNO_QUEUE_HIGH);

  assert_queue (fixture, "high a b idle");
  change (fixture, b, "up");
  assert_queue (fixture, "high b a idle");
  change (fixture, b, "down");
  assert_queue (fixture, "high a b idle");
  change (fixture, idle, "high");
  assert_queue (fixture, "high idle a b");
  change (fixture, high, "normal");
  assert_queue (fixture, "idle a b high");
  change (fixture, a, "remove");
  assert_queue (fixture, "idle b high");
}

/* Another process may be in another folder. Names that are no files stay as they are. */
static void
test_files (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *file = add (fixture, "./own.onnx", DYNO_QUEUE_NORMAL);
  g_autofree char *part = add (fixture, "own/clip.onnx@image", DYNO_QUEUE_NORMAL);
  g_autofree char *bundled = add (fixture, "bert-tiny@text", DYNO_QUEUE_NORMAL);
  g_autofree char *served = add (fixture, "server:own.gguf", DYNO_QUEUE_NORMAL);
  g_autofree char *folder = g_get_current_dir ();
  g_autofree char *expected =
      g_strdup_printf ("%s/own.onnx %s/own/clip.onnx@image bert-tiny@text server:own.gguf", folder, folder);

  assert_queue (fixture, expected);
}

/* Another process, and this one after its next start, see the same queue. */
static void
test_stays (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *a = add (fixture, "a", DYNO_QUEUE_IDLE);
  g_autofree char *b = NULL;
  g_autoptr (DynoStore) other = store_fixture_open (fixture->path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  dyno_store_change_queue (other, a, "high", &error);
  g_assert_no_error (error);
  b = add (fixture, "b", DYNO_QUEUE_NORMAL);
  store_fixture_reopen (fixture);
  assert_queue (fixture, "a b");
  runs = dyno_store_list_queue (fixture->store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (((DynoQueuedRun *)runs->pdata[0])->priority, ==, DYNO_QUEUE_HIGH);
  g_assert_cmpstr (((DynoQueuedRun *)runs->pdata[0])->id, ==, a);
}

static void
test_refused (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *a = add (fixture, "a", DYNO_QUEUE_HIGH);
  g_autofree char *b = add (fixture, "b", DYNO_QUEUE_NORMAL);
  const struct
  {
    const char *id;
    const char *change;
    int code;
    const char *words;
  } rows[] = {
    { a, "up", DYNO_ERROR_INVALID_ARGUMENT, "first of its priority" },
    { a, "down", DYNO_ERROR_INVALID_ARGUMENT, "last of its priority" },
    { b, "up", DYNO_ERROR_INVALID_ARGUMENT, "first of its priority" },
    { b, "sideways", DYNO_ERROR_INVALID_ARGUMENT, "“sideways”" },
    { "nosuch", "up", DYNO_ERROR_NOT_FOUND, "“nosuch”" },
    { "", "remove", DYNO_ERROR_NOT_FOUND, "Several" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s %s", rows[i].id, rows[i].change);
      g_assert_false (dyno_store_change_queue (fixture->store, rows[i].id, rows[i].change, &error));
      g_assert_error (error, DYNO_ERROR, rows[i].code);
      g_assert_nonnull (strstr (error->message, rows[i].words));
      assert_queue (fixture, "a b");
    }
}

/* A process that is stopped while it changes the queue makes no other wait for ever. */
static void
test_held (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *a = add (fixture, "a", DYNO_QUEUE_NORMAL);
  g_autofree char *path = dyno_store_dup_queue_path (fixture->store);
  g_autofree char *name = g_strconcat (path, ".lock", NULL);
  g_autoptr (GError) error = NULL;
  int fd = g_open (name, O_RDWR | O_CLOEXEC, 0);

  g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, 0);
  g_assert_false (dyno_store_change_queue (fixture->store, a, "remove", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_LOCKED);
  g_assert_nonnull (strstr (error->message, path));
  assert_queue (fixture, "a");
  g_close (fd, NULL);
  change (fixture, a, "remove");
  assert_queue (fixture, "");
}

/* A damaged queue is a sentence, and stays as it is for somebody to mend it. */
static void
test_damaged (StoreFixture *fixture, gconstpointer data)
{
  static const char *const texts[] = {
    "",
    "{",
    "[]",
    "{}",
    "{\"runs\": 1}",
    "{\"runs\": [1]}",
    "{\"runs\": [{\"id\": \"a\", \"priority\": \"normal\"}]}",
    "{\"runs\": [{\"id\": \"a\", \"priority\": \"soon\", \"plan\": \"{}\"}]}",
    "{\"runs\": [{\"id\": \"a\", \"priority\": \"normal\", \"plan\": \"{\\\"of-tomorrow\\\": 1}\"}]}",
  };
  g_autofree char *path = dyno_store_dup_queue_path (fixture->store);
  g_autoptr (DynoPlan) plan = dyno_plan_new ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) add_error = NULL;
      g_autoptr (GError) change_error = NULL;
      g_autofree char *text = NULL;

      g_test_message ("%s", texts[i]);
      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
      g_assert_null (dyno_store_list_queue (fixture->store, &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
      g_assert_nonnull (strstr (error->message, path));
      g_assert_null (dyno_store_add_to_queue (fixture->store, plan, DYNO_QUEUE_HIGH, &add_error));
      g_assert_error (add_error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
      g_assert_false (dyno_store_change_queue (fixture->store, "a", "remove", &change_error));
      g_assert_error (change_error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, texts[i]);
    }
}

/* Only a run that is to wait for an idle machine waits, and no longer than its plan says if that is longer. */
static void
test_idle (StoreFixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < DYNO_N_QUEUE_PRIORITIES; i++)
    {
      g_autoptr (DynoPlan) plan = dyno_plan_new ();
      DynoQueuedRun run = { NULL, plan, i };
      double usual = dyno_method_get_wait_quiet (dyno_plan_get_method (plan));

      dyno_queued_run_prepare (&run);
      g_assert_cmpfloat (dyno_method_get_wait_quiet (dyno_plan_get_method (plan)), ==,
                         i == DYNO_QUEUE_IDLE ? DYNO_QUEUE_IDLE_SECONDS : usual);
    }
}

static void
assert_refused (StoreFixture *fixture, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (dyno_store_claim_queue (fixture->store, &error), ==, -1);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, words));
}

/* Two never measure at once. */
static void
test_claim (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) run = store_fixture_make_run ("run", 1000, "Run");
  g_autoptr (GError) error = NULL;
  int claim = dyno_store_claim_queue (fixture->store, &error);

  g_assert_no_error (error);
  g_assert_cmpint (claim, >=, 0);
  assert_refused (fixture, "taking runs from the queue");
  g_close (claim, NULL);
  store_fixture_begin (fixture->store, run);
  assert_refused (fixture, "is measuring");
  dyno_result_sink_end_run (DYNO_RESULT_SINK (fixture->store), run, &error);
  g_assert_no_error (error);
  claim = dyno_store_claim_queue (fixture->store, &error);
  g_assert_no_error (error);
  g_close (claim, NULL);
}

static void
add_tests (void)
{
  static const SuiteFixtureTest (StoreFixture) tests[] = {
    { "/store/queue/order", test_order },     { "/store/queue/stays", test_stays },
    { "/store/queue/refused", test_refused }, { "/store/queue/damaged", test_damaged },
    { "/store/queue/idle", test_idle },       { "/store/queue/claim", test_claim },
    { "/store/queue/files", test_files },     { "/store/queue/held", test_held },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, StoreFixture, NULL, store_fixture_set_up, tests[i].run,
                store_fixture_tear_down);
}

SUITE_ADD (add_tests)
