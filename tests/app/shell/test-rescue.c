/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "dyno-app-shell-private.h"
#include "page-fixture.h"
#include "suite.h"

/* The dialog's type is private to dyno-compat; its name and properties identify it. */
static GtkWindow *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (g_object_class_find_property (G_OBJECT_GET_CLASS (window), "default-response") != NULL)
        return window; /* the list keeps it */
    }
  return NULL;
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *)data == NULL;
}

/* Only the user can discard the run; the dialog asks first and says why. */
static void
test_discard (void)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  DynoRun *run = dyno_run_new (NULL);
  GtkWindow *dialog;
  g_autofree char *body = NULL;
  g_autofree char *response = NULL;

  dyno_rescue_present (window, run, "The disk is full.");
  dialog = find_dialog ();
  g_assert_nonnull (dialog);
  g_object_get (dialog, "body", &body, "default-response", &response, NULL);
  g_assert_cmpstr (body, ==, "The disk is full.");
  g_assert_cmpstr (response, ==, "save");

  g_object_add_weak_pointer (G_OBJECT (run), (gpointer *)&run);
  g_object_unref (run);
  g_assert_nonnull (run);
  gtk_window_close (dialog); /* which counts as the answer “discard” */
  page_fixture_wait (is_gone, &run);
  gtk_window_destroy (window);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/rescue/discard", test_discard);
  return g_test_run ();
}

SUITE (run_suite)
