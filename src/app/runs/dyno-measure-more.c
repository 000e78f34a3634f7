/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-runs-private.h"
#include "dyno-chart-kind.h"

#define WIDTH  460
#define HEIGHT 520

static void
edit_cb (GtkWidget *window, GtkWidget *button)
{
  gtk_widget_activate_action (g_object_get_data (G_OBJECT (window), "owner"), "run.edit-and-run", NULL);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* An empty chart of runs says which measurement would fill it. */
static GtkWidget *
create_charts (DynoRun *run)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  GtkWidget *group = g_object_new (ADW_TYPE_PREFERENCES_GROUP, "title", _ ("Charts"), NULL);
  g_autoptr (DynoChartData) data = NULL;
  guint n = 0;

  g_ptr_array_add (runs, run);
  data = dyno_chart_data_new (runs, NULL, NULL);
  for (DynoChartKind kind = 0; kind < dyno_chart_kind_count (); kind++)
    {
      g_autoptr (DynoChart) chart =
          dyno_chart_kind_is_of_one_case (kind) || !dyno_chart_kind_concerns (kind, runs)
              ? NULL
              : dyno_chart_new_for_data (kind, data);
      const char *reason = chart != NULL ? dyno_chart_get_empty_message (chart) : NULL;

      if (reason == NULL)
        continue;
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                                 g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title",
                                               dyno_chart_get_title (chart), "subtitle", reason,
                                               "subtitle-lines", 0, NULL));
      n++;
    }
  gtk_widget_set_visible (group, n > 0);
  return group;
}

void
dyno_measure_more_present (GtkWidget *owner, DynoRun *run)
{
  GtkWidget *window, *box, *header, *edit, *page, *missing, *group;

  g_return_if_fail (GTK_IS_WIDGET (owner));
  g_return_if_fail (DYNO_IS_RUN (run));

  window = g_object_new (ADW_TYPE_WINDOW, "title", _ ("Measure More"), "modal", TRUE, "transient-for",
                         gtk_widget_get_root (owner), "default-width", WIDTH, "default-height", HEIGHT, NULL);
  header = adw_header_bar_new ();
  edit = g_object_new (GTK_TYPE_BUTTON, "label", _ ("_Edit and Run"), "use-underline", TRUE, NULL);
  gtk_widget_add_css_class (edit, "suggested-action");
  g_object_set_data_full (G_OBJECT (window), "owner", g_object_ref (owner), g_object_unref);
  g_signal_connect_object (edit, "clicked", G_CALLBACK (edit_cb), window, G_CONNECT_SWAPPED);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), edit);

  page = adw_preferences_page_new ();
  group = adw_preferences_group_new ();
  missing = g_object_new (DYNO_TYPE_MISSING_VIEW, NULL);
  dyno_missing_view_set_results (DYNO_MISSING_VIEW (missing), dyno_run_get_results (run));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), missing);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (create_charts (run)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));

  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
}
