/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"
#include "suite.h"
#include "window-fixture.h"

static gboolean
is_narrow (gpointer bin)
{
  return dyno_narrow_bin_get_narrow (bin);
}

static gboolean
is_wide (gpointer bin)
{
  return !is_narrow (bin);
}

static DynoNarrowBin *
present (GtkWidget *child, int width)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *bin = dyno_narrow_bin_new ();

  dyno_narrow_bin_set_child (DYNO_NARROW_BIN (bin), child);
  gtk_window_set_default_size (GTK_WINDOW (window), width, 200);
  gtk_window_set_child (GTK_WINDOW (window), bin);
  gtk_window_present (GTK_WINDOW (window));
  window_fixture_wait_frames (window);
  return DYNO_NARROW_BIN (bin);
}

static void
close_window (DynoNarrowBin *bin)
{
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (bin))));
}

static void
test_threshold (void)
{
  DynoNarrowBin *bin = present (gtk_label_new ("A"), 500);

  page_fixture_wait (is_narrow, bin);
  dyno_narrow_bin_set_threshold (bin, 300);
  page_fixture_wait (is_wide, bin);
  dyno_narrow_bin_set_threshold (bin, 2000);
  page_fixture_wait (is_narrow, bin);
  close_window (bin);
}

/* Where text is large, a page that would do with the usual one is narrow. */
static void
test_large_text (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  DynoNarrowBin *bin = present (gtk_label_new ("A"), 700);
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 96 * 1024, NULL);
  page_fixture_wait (is_wide, bin);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  page_fixture_wait (is_narrow, bin);
  g_object_set (settings, "gtk-xft-dpi", 96 * 1024, NULL);
  page_fixture_wait (is_wide, bin);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  close_window (bin);
}

static gboolean
is_stacked (gpointer columns)
{
  return gtk_widget_get_width (gtk_widget_get_first_child (columns)) == gtk_widget_get_width (columns);
}

static gboolean
is_beside (gpointer columns)
{
  return !is_stacked (columns);
}

/* So are columns, which stack. */
static void
test_columns (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  GtkWidget *columns = g_object_new (DYNO_TYPE_COLUMNS, "threshold", 600, NULL);
  DynoNarrowBin *bin;
  int dpi;

  for (guint i = 0; i < 2; i++)
    gtk_widget_set_parent (gtk_label_new ("A"), columns);
  bin = present (columns, 700);
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 96 * 1024, NULL);
  page_fixture_wait (is_beside, columns);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  page_fixture_wait (is_stacked, columns);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  close_window (bin);
}

/* A child that is temporarily wide does not prevent the window from becoming narrow. */
static void
test_minimum (void)
{
  GtkWidget *child = gtk_label_new ("A");
  DynoNarrowBin *bin = present (child, 800);
  int minimum, natural;

  gtk_widget_set_size_request (child, 700, -1);
  gtk_widget_measure (GTK_WIDGET (bin), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  g_assert_cmpint (minimum, ==, 360);
  g_assert_cmpint (natural, ==, 700);
  gtk_widget_set_size_request (child, 100, -1);
  gtk_widget_measure (GTK_WIDGET (bin), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, ==, 100);
  close_window (bin);
}

static void
count_cb (GObject *object, GParamSpec *pspec, int *n)
{
  *n += 1;
}

static void
test_properties (void)
{
  g_autoptr (GtkWidget) widget = g_object_ref_sink (dyno_narrow_bin_new ());
  DynoNarrowBin *bin = DYNO_NARROW_BIN (widget);
  GtkWidget *child = gtk_label_new ("A");
  int n_notified = 0;

  g_signal_connect (bin, "notify", G_CALLBACK (count_cb), &n_notified);
  g_object_set (bin, "child", child, "threshold", 100, NULL);
  g_assert_cmpint (n_notified, ==, 2);
  g_object_set (bin, "child", child, "threshold", 100, NULL);
  g_assert_cmpint (n_notified, ==, 2);
  g_assert_true (dyno_narrow_bin_get_child (bin) == child);
  dyno_narrow_bin_set_child (bin, NULL);
  g_assert_null (gtk_widget_get_first_child (widget));
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/narrow-bin/threshold", test_threshold);
  g_test_add_func ("/narrow-bin/large-text", test_large_text);
  g_test_add_func ("/narrow-bin/columns", test_columns);
  g_test_add_func ("/narrow-bin/minimum", test_minimum);
  g_test_add_func ("/narrow-bin/properties", test_properties);
  return g_test_run ();
}

SUITE (run_suite)
