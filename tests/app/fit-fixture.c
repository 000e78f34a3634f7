/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-charts-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "fit-fixture.h"
#include "template-fixture.h"
#include "window-fixture.h"

#define NARROW  360
#define MARGINS 24

static int
get_minimum_width (GtkWidget *widget)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

/* The innermost widget that is too wide. */
static GtkWidget *
find_widest (GtkWidget *widget, int most)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child) && get_minimum_width (child) > most)
      return find_widest (child, most);
  return widget;
}

static void
assert_fits (GtkWidget *widget, const char *what, int most)
{
  GtkWidget *widest = find_widest (widget, most - MARGINS);
  g_autofree char *text = GTK_IS_LABEL (widest) ? g_strdup (gtk_label_get_text (GTK_LABEL (widest))) : NULL;

  if (get_minimum_width (widget) <= most)
    return;
  g_test_message ("%s is at least %d px wide, not %d: a %s (%s) %s", what, get_minimum_width (widget), most,
                  G_OBJECT_TYPE_NAME (widest), gtk_buildable_get_buildable_id (GTK_BUILDABLE (widest)),
                  text != NULL ? text : "");
  for (GtkWidget *child = gtk_widget_get_first_child (widest); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    g_test_message ("  %d px: %s (%s)", get_minimum_width (child), G_OBJECT_TYPE_NAME (child),
                    gtk_buildable_get_buildable_id (GTK_BUILDABLE (child)));
  g_test_fail ();
}

/* A narrow bin cuts off a child that is too wide, and so hides it from all around it. */
static void
assert_bins_fit (GtkWidget *widget, const char *what)
{
  GtkWidget *child =
      DYNO_IS_NARROW_BIN (widget) ? dyno_narrow_bin_get_child (DYNO_NARROW_BIN (widget)) : NULL;

  if (!gtk_widget_get_mapped (widget))
    return;
  if (child != NULL && gtk_widget_get_visible (child))
    assert_fits (child, what, gtk_widget_get_width (widget));
  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_bins_fit (child, what);
}

void
fit_fixture_assert_template (const char *resource)
{
  GType type = template_fixture_find_type (resource);
  GtkWidget *widget, *window;

  if (type == G_TYPE_INVALID)
    return;
  widget = g_object_ref_sink (template_fixture_construct (type));
  window = GTK_IS_WINDOW (widget) ? widget : gtk_window_new ();
  if (page_fixture_find (widget, DYNO_TYPE_NARROW_BIN) == NULL)
    assert_fits (widget, resource, NARROW);
  else if (!DYNO_IS_WINDOW (widget))
    {
      if (window != widget)
        gtk_window_set_child (GTK_WINDOW (window), widget);
      gtk_window_set_default_size (GTK_WINDOW (window), NARROW, 600);
      gtk_window_present (GTK_WINDOW (window));
      window_fixture_wait_frames (window);
      assert_bins_fit (window, resource);
    }
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (widget);
}

/* Whatever the run shows: its charts, its table, a case. */
static void
assert_run_fits (GtkWidget *view)
{
  GtkWidget *groups = page_fixture_find (view, DYNO_TYPE_CHART_GROUPS);
  g_autoptr (DynoResult) first =
      g_list_model_get_item (dyno_run_get_results (dyno_run_view_get_run (DYNO_RUN_VIEW (view))), 0);

  dyno_chart_groups_show_page (DYNO_CHART_GROUPS (groups), "table");
  window_fixture_wait_frames (view);
  assert_fits (view, "table", NARROW);
  assert_bins_fit (view, "table");
  dyno_run_view_open_case (DYNO_RUN_VIEW (view), first);
  window_fixture_wait_frames (view);
  assert_fits (view, "case", NARROW);
  assert_bins_fit (view, "case");
}

static gboolean
shows_run (gpointer page)
{
  return page_fixture_find (page, DYNO_TYPE_RUN_VIEW) != NULL &&
         gtk_widget_get_mapped (page_fixture_find (page, DYNO_TYPE_RUN_VIEW));
}

void
fit_fixture_assert_pages (DynoRun *run)
{
  static const char *const pages[] = { "benchmark", "results", "compare", "hardware" };
  static const char *const asides[] = { "results.history", "results.recommend" };
  DynoWindow *window = window_fixture_open (NARROW);
  GtkWidget *page, *view;
  DynoNarrowBin *bin = DYNO_NARROW_BIN (page_fixture_find_named (GTK_WIDGET (window), "narrow_bin"));

  dyno_window_show_run (window, dyno_run_get_id (run));
  page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE);
  view = page_fixture_find (page, DYNO_TYPE_RUN_VIEW);
  page_fixture_wait (shows_run, page);
  window_fixture_wait_frames (GTK_WIDGET (window));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      dyno_window_show_page (window, pages[i]);
      window_fixture_wait_frames (GTK_WIDGET (window));
      assert_fits (dyno_narrow_bin_get_child (bin), pages[i], NARROW);
      assert_fits (view, "run", NARROW);
      assert_bins_fit (GTK_WIDGET (window), pages[i]);
    }
  dyno_window_show_page (window, "results");
  window_fixture_wait_frames (GTK_WIDGET (window));
  assert_run_fits (view);
  gtk_widget_activate_action (page, "results.back", NULL);
  window_fixture_wait_frames (GTK_WIDGET (window));
  g_assert_false (gtk_widget_get_mapped (view));
  assert_fits (dyno_narrow_bin_get_child (bin), "runs", NARROW);
  assert_bins_fit (GTK_WIDGET (window), "runs");
  for (guint i = 0; i < G_N_ELEMENTS (asides); i++)
    {
      gtk_widget_activate_action (page, asides[i], NULL);
      window_fixture_wait_frames (GTK_WIDGET (window));
      assert_fits (dyno_narrow_bin_get_child (bin), asides[i], NARROW);
      assert_bins_fit (GTK_WIDGET (window), asides[i]);
    }
  window_fixture_close (window);
}
