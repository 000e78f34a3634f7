/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-app-runs-private.h"
#include "dyno-chart-kind.h"
#include "dyno-plan.h"

#define WIDTH  460
#define HEIGHT 520

/* The most threads to offer. */
#define MOST_THREADS 8

typedef struct
{
  const char *axis;
  const char *title;
  const char *subtitle;
  const char *values[5];
  gboolean (*suits) (DynoRun *run);
} Addition;

static gboolean
has_lengths (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_case_get_sequence_length (dyno_result_get_case (result)) > 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_cores (DynoRun *run)
{
  return g_get_num_processors () > 1;
}

static const Addition additions[] = {
  { "batch-sizes",
    N_ ("Batch Sizes"),
    N_ ("How throughput grows with 1, 2, 4 and 8 at once"),
    { "1", "2", "4", "8" },
    NULL },
  { "sequence-lengths",
    N_ ("Text Lengths"),
    N_ ("How latency grows with 32, 128 and 512 tokens"),
    { "32", "128", "512" },
    has_lengths },
  { "threads", N_ ("Threads"), N_ ("How much more cores help"), { NULL }, has_cores },
  { "loads",
    N_ ("Load"),
    N_ ("How long answers take when 1, 2, 4 and 8 clients ask at a time"),
    { "concurrent=1,2,4,8" },
    NULL },
};

/* Returns the plan of the run with more values of an axis; NULL if it has several already. */
static DynoPlan *
create_plan (DynoRun *run, const Addition *addition)
{
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (dyno_run_get_plan (run), NULL);
  g_auto (GStrv) values = NULL;
  g_autoptr (GStrvBuilder) threads = g_strv_builder_new ();
  g_auto (GStrv) numbers = NULL;

  if (plan == NULL || (addition->suits != NULL && !addition->suits (run)))
    return NULL;
  g_object_get (plan, addition->axis, &values, NULL);
  /* A load may hold several numbers itself. */
  if (g_strv_length (values) > 1 || (*values != NULL && strchr (*values, ',') != NULL))
    return NULL;
  for (guint n = 1; n <= MIN (g_get_num_processors (), MOST_THREADS); n *= 2)
    {
      g_autofree char *number = g_strdup_printf ("%u", n);

      g_strv_builder_add (threads, number);
    }
  numbers = g_strv_builder_end (threads);
  /* The list of cases does not have the added ones, and the title may name a suite. */
  g_object_set (plan, addition->axis, addition->values[0] != NULL ? (char **)addition->values : numbers,
                "cases", (char *[]){ NULL }, "title", "", NULL);
  return g_steal_pointer (&plan);
}

static void
activated_cb (GtkWidget *window, AdwActionRow *row)
{
  GtkWidget *owner = g_object_get_data (G_OBJECT (window), "owner");

  gtk_widget_activate_action (owner, g_object_get_data (G_OBJECT (row), "action"), "s",
                              g_object_get_data (G_OBJECT (row), "target"));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
add_row (GtkWidget *window,
         GtkWidget *group,
         const char *title,
         const char *subtitle,
         const char *action,
         const char *target)
{
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle",
                                 subtitle, "subtitle-lines", 0, "activatable", TRUE, NULL);

  adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
  g_object_set_data (G_OBJECT (row), "action", (gpointer)action);
  g_object_set_data_full (G_OBJECT (row), "target", g_strdup (target), g_free);
  g_signal_connect_object (row, "activated", G_CALLBACK (activated_cb), window, G_CONNECT_SWAPPED);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
}

static gboolean
has_energy (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      for (DynoChartKind kind = 0; kind < dyno_chart_kind_count (); kind++)
        {
          const DynoChartInfo *info = dyno_chart_kind_get_info (kind);

          if (info->group == DYNO_CHART_GROUP_ENERGY && info->has_data != NULL && info->has_data (result))
            return TRUE;
        }
    }
  return FALSE;
}

static GtkWidget *
create_choices (GtkWidget *window, DynoRun *run)
{
  GtkWidget *group = g_object_new (ADW_TYPE_PREFERENCES_GROUP, "description",
                                   _ ("Each opens Benchmark with the models and engines of this run."), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (additions); i++)
    {
      g_autoptr (DynoPlan) plan = create_plan (run, &additions[i]);
      g_autofree char *json = plan != NULL ? dyno_plan_to_json (plan) : NULL;

      if (json != NULL)
        add_row (window, group, _ (additions[i].title), _ (additions[i].subtitle), "win.show-plan", json);
    }
  if (!has_energy (run))
    add_row (window, group, _ ("Energy"), _ ("Hardware says which meters and counters can be read here"),
             "win.show-page", "hardware");
  return group;
}

gboolean
dyno_measure_more_has_choices (DynoRun *run)
{
  g_return_val_if_fail (DYNO_IS_RUN (run), FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (additions); i++)
    {
      g_autoptr (DynoPlan) plan = create_plan (run, &additions[i]);

      if (plan != NULL)
        return TRUE;
    }
  return FALSE;
}

void
dyno_measure_more_present (GtkWidget *owner, DynoRun *run)
{
  GtkWidget *window, *box, *page, *missing, *group;

  g_return_if_fail (GTK_IS_WIDGET (owner));
  g_return_if_fail (DYNO_IS_RUN (run));

  window = g_object_new (ADW_TYPE_WINDOW, "title", _ ("Measure More"), "modal", TRUE, "transient-for",
                         gtk_widget_get_root (owner), "default-width", WIDTH, "default-height", HEIGHT, NULL);
  g_object_set_data_full (G_OBJECT (window), "owner", g_object_ref (owner), g_object_unref);

  page = adw_preferences_page_new ();
  group = adw_preferences_group_new ();
  missing = g_object_new (DYNO_TYPE_MISSING_VIEW, NULL);
  dyno_missing_view_set_results (DYNO_MISSING_VIEW (missing), dyno_run_get_results (run));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), missing);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (create_choices (window, run)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));

  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
}
