/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gtk/gtk.h>

#include "dyno-app-session-private.h"
#include "page-fixture.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

#define N_RUNS 250

typedef struct
{
  DynoStore *store;
  guint position;
  guint n_removed;
  guint n_added;
} Fixture;

static void
set_up (Fixture *self, gconstpointer n_runs)
{
  g_autoptr (GError) error = NULL;

  self->store = dyno_store_open_default (&error);
  g_assert_no_error (error);
  for (guint i = 0; i < GPOINTER_TO_UINT (n_runs); i++)
    {
      g_autofree char *title = g_strdup_printf ("Run %u", i);
      g_autoptr (DynoRun) run = dyno_run_new (NULL);

      g_object_set (run, "title", title, "started-at", (gint64)(i + 1) * G_USEC_PER_SEC, "plan", "{}",
                    "machine", "{}", "source", "dyno", "app-version", PACKAGE_VERSION, NULL);
      run_fixture_keep (self->store, run);
    }
}

static void
tear_down (Fixture *self, gconstpointer n_runs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (self->store, NULL, 0, G_MAXINT, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < runs->len; i++)
    dyno_store_delete_run (self->store, dyno_run_get_id (g_ptr_array_index (runs, i)), NULL);
  page_fixture_finalize (self->store);
}

static gboolean
is_loaded (gpointer list)
{
  return !dyno_run_list_get_loading (list);
}

static DynoRunList *
load_list (Fixture *self)
{
  DynoRunList *list = dyno_run_list_new (self->store, FALSE, FALSE);

  g_assert_true (dyno_run_list_get_loading (list));
  page_fixture_wait (is_loaded, list);
  g_assert_null (dyno_run_list_get_problem (list));
  return list;
}

static char *
dup_title (DynoRunList *list, guint position)
{
  g_autoptr (DynoRunEntry) entry = g_list_model_get_item (G_LIST_MODEL (list), position);

  return dyno_run_entry_dup_title (entry);
}

static void
assert_title (DynoRunList *list, guint position, const char *expected)
{
  g_autofree char *title = dup_title (list, position);

  g_assert_cmpstr (title, ==, expected);
}

static void
count_changes (Fixture *self, guint position, guint n_removed, guint n_added)
{
  self->position = position;
  self->n_removed += n_removed;
  self->n_added += n_added;
}

/* Pages are loaded when the end of the list is near, never all at once. */
static void
test_pages (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunList) list = load_list (self);
  guint n_items = g_list_model_get_n_items (G_LIST_MODEL (list));

  g_assert_cmpuint (n_items, >, 0);
  g_assert_cmpuint (n_items, <, N_RUNS);
  assert_title (list, 0, "Run 249");
  g_assert_false (dyno_run_list_get_loading (list));
  while (n_items < N_RUNS)
    {
      g_autofree char *last = dup_title (list, n_items - 1);
      g_assert_true (dyno_run_list_get_loading (list));
      page_fixture_wait (is_loaded, list);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), >, n_items);
      n_items = g_list_model_get_n_items (G_LIST_MODEL (list));
    }
  g_assert_cmpuint (n_items, ==, N_RUNS);
  assert_title (list, N_RUNS - 1, "Run 0");
  g_assert_false (dyno_run_list_get_loading (list));
}

static gboolean
has_four (gpointer list)
{
  return g_list_model_get_n_items (list) == 4;
}

/* A new run moves only the rows that it must. */
static void
test_follows (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunList) list = load_list (self);
  g_autoptr (DynoRunEntry) first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_autoptr (DynoRunEntry) same = NULL;
  g_autoptr (DynoRun) run = NULL;

  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (count_changes), self);
  run = run_fixture_add (self->store, "The newest", 100 * G_USEC_PER_SEC, 1);
  page_fixture_wait (has_four, list);
  assert_title (list, 0, "The newest");
  g_assert_cmpuint (self->position, ==, 0);
  g_assert_cmpuint (self->n_removed, ==, 0);
  g_assert_cmpuint (self->n_added, ==, 1);
  same = g_list_model_get_item (G_LIST_MODEL (list), 1);
  g_assert_true (same == first);
}

static void
test_search (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunList) list = load_list (self);

  dyno_run_list_set_search (list, "Run 1");
  page_fixture_wait (is_loaded, list);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 1);
  assert_title (list, 0, "Run 1");
  dyno_run_list_set_search (list, NULL);
  page_fixture_wait (is_loaded, list);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 3);
}

static void
test_hide (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunList) list = load_list (self);
  g_autoptr (DynoRunEntry) entry = g_list_model_get_item (G_LIST_MODEL (list), 1);
  const char *id = dyno_run_entry_get_id (entry);

  dyno_run_list_hide (list, id);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 2);
  dyno_run_list_refresh (list);
  page_fixture_wait (is_loaded, list);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 2);
  dyno_run_list_unhide (list, id);
  page_fixture_wait (is_loaded, list);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 3);
}

static gboolean
is_written (gpointer data)
{
  Fixture *self = data;

  return dyno_store_count_runs (self->store, "third", NULL) == 1;
}

/* Of several edits in quick succession, the last one is stored. */
static void
test_write (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunList) list = load_list (self);
  g_autoptr (DynoRunEntry) entry = g_list_model_get_item (G_LIST_MODEL (list), 0);

  dyno_run_entry_set_title (entry, "first");
  dyno_run_entry_set_title (entry, "second");
  dyno_run_entry_set_title (entry, "third");
  assert_title (list, 0, "third");
  page_fixture_wait (is_written, self);
  g_assert_cmpuint (dyno_store_count_runs (self->store, "second", NULL), ==, 0);
}

static void
failed_cb (DynoRunEntry *entry, GError *error, char **message)
{
  *message = g_strdup (error->message);
}

static gboolean
is_set (gpointer pointer)
{
  return *(gpointer *)pointer != NULL;
}

static void
test_write_fails (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunList) list = load_list (self);
  g_autoptr (DynoRunEntry) entry = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_autofree char *message = NULL;

  g_signal_connect (entry, "write-failed", G_CALLBACK (failed_cb), &message);
  dyno_store_delete_run (self->store, dyno_run_entry_get_id (entry), NULL);
  dyno_store_empty_bin (self->store, NULL);
  dyno_run_entry_set_title (entry, "too late");
  page_fixture_wait (is_set, &message);
  g_assert_cmpuint (strlen (message), >, 0);
}

static gboolean
catalog_is_loaded (gpointer catalog)
{
  return !dyno_run_catalog_get_loading (catalog);
}

/* Documents come first, and go when they are closed. */
static void
test_catalog (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunCatalog) catalog = dyno_run_catalog_new (FALSE);
  g_autoptr (GListStore) documents = g_list_store_new (DYNO_TYPE_STORE);
  g_autoptr (DynoRunEntry) entry = NULL;
  GListModel *model = dyno_run_catalog_get_model (catalog);

  dyno_run_catalog_set_documents (catalog, G_LIST_MODEL (documents));
  dyno_run_catalog_set_store (catalog, self->store);
  page_fixture_wait (catalog_is_loaded, catalog);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 3);

  g_list_store_append (documents, self->store);
  page_fixture_wait (catalog_is_loaded, catalog);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 6);
  entry = g_list_model_get_item (model, 0);
  g_assert_true (dyno_run_entry_is_document (entry));
  g_assert_false (dyno_run_entry_is_writable (entry));

  g_list_store_remove_all (documents);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 3);
}

/* The runs of a submission, among others. */
static void
add_node (Fixture *self, const char *submission, const char *node, gint64 seconds)
{
  g_autofree char *title = g_strdup_printf ("Quick on %s", node);
  g_autofree char *machine = g_strdup_printf (
      "{\"state\": {\"cluster\": {\"submission\": \"%s\", \"node\": \"%s\", \"title\": \"Quick\"}}}",
      submission, node);
  g_autoptr (DynoRun) run = dyno_run_new (NULL);

  g_object_set (run, "title", title, "started-at", seconds * G_USEC_PER_SEC, "plan", "{}", "machine", machine,
                "source", "dyno", "app-version", PACKAGE_VERSION, NULL);
  run_fixture_keep (self->store, run);
}

static DynoRunList *
load_folded (Fixture *self)
{
  DynoRunList *list = dyno_run_list_new (self->store, FALSE, TRUE);

  page_fixture_wait (is_loaded, list);
  return list;
}

/* Models and engines that the title begins with are not named again. */
static void
test_summarized (Fixture *self, gconstpointer data)
{
  static const char *const titles[] = { "BERT tiny · CPU · batch 1–4", "Mine" };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      g_autoptr (DynoRun) run =
          g_object_new (DYNO_TYPE_RUN, "title", titles[i], "summary", "BERT tiny · CPU", NULL);
      g_autoptr (DynoRunEntry) entry = dyno_run_entry_new (self->store, run, FALSE);
      gboolean summarized = i == 0;

      g_object_get (entry, "summarized", &summarized, NULL);
      g_assert_cmpint (summarized, ==, i > 0);
    }
}

/* Several runs of a submission share an entry, where the newest of them stands; one alone stays what it is. */
static void
test_groups (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunList) list = NULL;
  g_autoptr (DynoRunEntry) group = NULL;
  g_autoptr (DynoRunEntry) alone = NULL;
  g_autofree char *summary = NULL;

  add_node (self, "first", "n2", 10);
  add_node (self, "first", "n1", 11);
  add_node (self, "second", "n9", 12);
  list = load_folded (self);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 5);
  assert_title (list, 0, "Quick on n9");
  assert_title (list, 1, "Quick");
  assert_title (list, 2, "Run 2");
  alone = g_list_model_get_item (G_LIST_MODEL (list), 0);
  group = g_list_model_get_item (G_LIST_MODEL (list), 1);
  g_assert_null (dyno_run_entry_get_members (alone));
  g_assert_cmpuint (dyno_run_entry_get_members (group)->len, ==, 2);
  g_assert_cmpstr (dyno_run_entry_get_id (group), ==, "first");
  g_assert_false (dyno_run_entry_is_writable (group));
  g_object_get (group, "summary", &summary, NULL);
  g_assert_cmpstr (summary, ==, "n1, n2");
}

/* What comes later joins the group that is shown, and what is deleted leaves it. */
static void
test_group_changes (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunList) list = NULL;
  g_autoptr (DynoRunEntry) group = NULL;
  g_autoptr (DynoRunEntry) same = NULL;
  g_autoptr (DynoRunEntry) left = NULL;

  add_node (self, "first", "n1", 10);
  add_node (self, "first", "n2", 11);
  list = load_folded (self);
  group = g_list_model_get_item (G_LIST_MODEL (list), 0);
  add_node (self, "first", "n3", 12);
  dyno_run_list_refresh (list);
  page_fixture_wait (is_loaded, list);
  same = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_true (same == group);
  g_assert_cmpuint (dyno_run_entry_get_members (group)->len, ==, 3);

  for (guint i = 0; i < 2; i++)
    dyno_run_list_hide (list, dyno_run_get_id (dyno_run_entry_get_members (group)->pdata[i]));
  page_fixture_wait (is_loaded, list);
  left = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_null (dyno_run_entry_get_members (left));
  assert_title (list, 0, "Quick on n3");
}

/* The members may lie on different pages. */
static void
test_group_over_pages (Fixture *self, gconstpointer data)
{
  g_autoptr (DynoRunList) list = NULL;
  guint n_items;

  add_node (self, "first", "n1", 1);
  add_node (self, "first", "n2", 10000);
  list = load_folded (self);
  assert_title (list, 0, "Quick on n2");
  do
    {
      n_items = g_list_model_get_n_items (G_LIST_MODEL (list));
      g_free (dup_title (list, n_items - 1));
      page_fixture_wait (is_loaded, list);
    }
  while (g_list_model_get_n_items (G_LIST_MODEL (list)) != n_items);
  g_assert_cmpuint (n_items, ==, N_RUNS + 1);
  assert_title (list, 0, "Quick");
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  window_fixture_init ();

#define ADD(path, n_runs, func) g_test_add (path, Fixture, GUINT_TO_POINTER (n_runs), set_up, func, tear_down)
  ADD ("/run-list/pages", N_RUNS, test_pages);
  ADD ("/run-list/follows", 3, test_follows);
  ADD ("/run-list/search", 3, test_search);
  ADD ("/run-list/hide", 3, test_hide);
  ADD ("/run-list/write", 3, test_write);
  ADD ("/run-list/write-fails", 3, test_write_fails);
  ADD ("/run-list/catalog", 3, test_catalog);
  ADD ("/run-list/summarized", 0, test_summarized);
  ADD ("/run-list/groups", 3, test_groups);
  ADD ("/run-list/group-changes", 3, test_group_changes);
  ADD ("/run-list/group-over-pages", N_RUNS, test_group_over_pages);
  return window_fixture_run ();
}

SUITE (run_suite)
