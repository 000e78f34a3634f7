/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

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
  g_test_message ("%s is at least %d px wide: a %s (%s) %s", what, get_minimum_width (widget),
                  G_OBJECT_TYPE_NAME (widest), gtk_buildable_get_buildable_id (GTK_BUILDABLE (widest)),
                  text != NULL ? text : "");
  g_test_fail ();
}

void
fit_fixture_assert_template (const char *resource)
{
  GType type = template_fixture_find_type (resource);
  GtkWidget *widget;

  if (type == G_TYPE_INVALID)
    return;
  widget = g_object_ref_sink (template_fixture_construct (type));
  /* What lays itself out once it is shown is another test. */
  if (page_fixture_find (widget, DYNO_TYPE_NARROW_BIN) == NULL)
    assert_fits (widget, resource, NARROW);
  if (GTK_IS_WINDOW (widget))
    gtk_window_destroy (GTK_WINDOW (widget));
  g_object_unref (widget);
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
  DynoWindow *window = window_fixture_open (NARROW);
  DynoNarrowBin *bin = DYNO_NARROW_BIN (page_fixture_find_named (GTK_WIDGET (window), "narrow_bin"));

  dyno_window_show_run (window, dyno_run_get_id (run));
  page_fixture_wait (shows_run, page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE));
  window_fixture_wait_frames (GTK_WIDGET (window));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      dyno_window_show_page (window, pages[i]);
      window_fixture_wait_frames (GTK_WIDGET (window));
      assert_fits (dyno_narrow_bin_get_child (bin), pages[i], NARROW);
      assert_fits (page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RUN_VIEW), "run", NARROW);
    }
  window_fixture_close (window);
}
