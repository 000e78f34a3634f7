/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-app-engines-private.h"
#include "dyno-engine.h"
#include "page-fixture.h"
#include "suite.h"

#define LIST                                                                                                 \
  "{\"engines\": [{\"id\": \"toy\", \"name\": \"Toy\", \"summary\": \"toys\", \"backends\": [\"cpu\"],"      \
  " \"registry\": \"npm\", \"package\": \"toy\", \"license\": {\"name\": \"MIT\", \"files\": []},"           \
  " \"versions\": [{\"version\": \"1.0\", \"archives\": {\"x86_64\": %s, \"aarch64\": %s}}]}]}"
#define ARCHIVE                                                                                              \
  "{\"file\": \"toy-1.0.tgz\", \"size\": %zu, \"sha256\": \"%s\", \"unpacked\": 100,"                        \
  " \"take\": [{\"from\": \"*/libtoy.so\"}]}"

static char *home;
static char *package;
static gsize package_size;

static void
make_package (void)
{
  const char *const command[] = { "tar", "-czf", "-", "package/libtoy.so", NULL };
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) tar = NULL;
  g_autoptr (GBytes) output = NULL;
  g_autofree char *folder = g_build_filename (home, "package", NULL);
  g_autofree char *file = g_build_filename (folder, "libtoy.so", NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "toy", -1, NULL));
  g_subprocess_launcher_set_cwd (launcher, home);
  tar = g_subprocess_launcher_spawnv (launcher, command, NULL);
  g_assert_nonnull (tar);
  g_assert_true (g_subprocess_communicate (tar, NULL, NULL, &output, NULL, NULL));
  package = g_bytes_unref_to_data (g_steal_pointer (&output), &package_size);
}

static void
write_list (void)
{
  g_autofree char *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *)package, package_size);
  g_autofree char *archive = g_strdup_printf (ARCHIVE, package_size, hash);
  g_autofree char *text = g_strdup_printf (LIST, archive, archive);
  g_autofree char *path = g_build_filename (home, "engines.json", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_setenv ("DYNO_ENGINES", path, TRUE);
}

static GtkWidget *
open_window (void)
{
  g_autoptr (GPtrArray) missing = dyno_engine_find_missing ("cpu");
  GtkWidget *window = dyno_engine_window_new (missing);

  g_assert_cmpuint (missing->len, ==, 1);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static gboolean
has_problem (gpointer window)
{
  return gtk_widget_get_visible (page_fixture_find_named (window, "problem_label"));
}

static void
never_cb (void)
{
  g_assert_not_reached ();
}

/* Only what serves the backend, has a package for this machine and is not there is offered. */
static void
test_missing (void)
{
  g_autoptr (GPtrArray) none = dyno_engine_find_missing ("webgpu");
  g_autoptr (GPtrArray) missing = dyno_engine_find_missing ("cpu");

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (missing->len, ==, 1);
}

/* Words in the window, which can be asked again. */
static void
test_unreachable (void)
{
  GtkWidget *window = open_window ();
  GtkWidget *button = page_fixture_find_named (window, "install_button");
  const char *problem;

  g_signal_connect (window, "installed", G_CALLBACK (never_cb), NULL);
  g_assert_true (gtk_widget_is_sensitive (button));
  gtk_widget_activate_action (window, "engine.install", NULL);
  g_assert_false (gtk_widget_is_sensitive (button));
  g_assert_true (gtk_widget_get_visible (page_fixture_find_named (window, "progress_box")));
  page_fixture_wait (has_problem, window);
  problem = gtk_label_get_label (GTK_LABEL (page_fixture_find_named (window, "problem_label")));
#ifdef HAVE_LIBSOUP
  g_assert_nonnull (strstr (problem, "“http://127.0.0.1:1” cannot be reached"));
#else
  g_assert_nonnull (strstr (problem, "libsoup"));
#endif
  g_assert_true (gtk_widget_is_sensitive (button));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What is not chosen is not installed. */
static void
test_nothing_chosen (void)
{
  GtkWidget *window = open_window ();
  GtkWidget *check = page_fixture_find (window, GTK_TYPE_CHECK_BUTTON);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), FALSE);
  g_assert_false (gtk_widget_is_sensitive (page_fixture_find_named (window, "install_button")));
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *)data == NULL;
}

static void
test_close (void)
{
  GtkWidget *window = open_window ();
  gpointer watched = window;

  g_signal_connect (window, "installed", G_CALLBACK (never_cb), NULL);
  g_object_add_weak_pointer (G_OBJECT (window), &watched);
  gtk_widget_activate_action (window, "engine.install", NULL);
  gtk_window_close (GTK_WINDOW (window));
  page_fixture_wait (is_gone, &watched);
}

#ifdef HAVE_LIBSOUP

static void
count_cb (gpointer window, guint *n_installed)
{
  (*n_installed)++;
}

static gboolean
is_probed (gpointer group)
{
  return !dyno_backend_group_get_probing (group);
}

static gboolean
is_probing (gpointer group)
{
  return dyno_backend_group_get_probing (group);
}

/* As a download leaves it that was whole. */
static void
place_package (void)
{
  g_autofree char *part = g_build_filename (home, "runtimes", "toy-1.0.part", NULL);
  g_autofree char *path = g_build_filename (part, "toy-1.0.tgz", NULL);

  g_assert_cmpint (g_mkdir_with_parents (part, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, package, (gssize)package_size, NULL));
}

/* Afterwards all backends are asked again, without a restart. */
static void
test_installed (void)
{
  GtkWidget *owner = gtk_window_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *group, *window;
  g_autofree char *library = g_build_filename (home, "runtimes", "toy-1.0", "libtoy.so", NULL);
  gpointer watched;
  guint n_installed = 0;

  place_package ();
  /* It scrolls, as it does in the preferences: when rows grow, a window may still have its former size. */
  group = g_object_new (DYNO_TYPE_BACKEND_GROUP, NULL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), group);
  gtk_window_set_child (GTK_WINDOW (owner), scrolled);
  gtk_window_present (GTK_WINDOW (owner));
  page_fixture_wait (is_probed, group);

  watched = window = open_window ();
  g_object_add_weak_pointer (G_OBJECT (window), &watched);
  g_signal_connect (window, "installed", G_CALLBACK (count_cb), &n_installed);
  gtk_widget_activate_action (window, "engine.install", NULL);
  page_fixture_wait (is_gone, &watched);
  g_assert_cmpuint (n_installed, ==, 1);
  g_assert_true (g_file_test (library, G_FILE_TEST_IS_REGULAR));
  page_fixture_wait (is_probing, group);
  page_fixture_wait (is_probed, group);
  gtk_window_destroy (GTK_WINDOW (owner));
}

#endif

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *runtimes = NULL;

  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  home = g_dir_make_tmp ("dyno-engine-window-XXXXXX", NULL);
  runtimes = g_build_filename (home, "runtimes", NULL);
  g_setenv ("DYNO_RUNTIMES_DIR", runtimes, TRUE);
  /* Nothing listens there. */
  g_setenv ("npm_config_registry", "http://127.0.0.1:1", TRUE);
  make_package ();
  write_list ();

  g_test_add_func ("/engine-window/missing", test_missing);
  g_test_add_func ("/engine-window/unreachable", test_unreachable);
  g_test_add_func ("/engine-window/nothing-chosen", test_nothing_chosen);
  g_test_add_func ("/engine-window/close", test_close);
#ifdef HAVE_LIBSOUP
  g_test_add_func ("/engine-window/installed", test_installed);
#endif
  return g_test_run ();
}

SUITE (run_suite)
