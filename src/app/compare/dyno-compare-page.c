/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-compare-private.h"
#include "dyno-app-reports-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-metric.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

struct _DynoComparePage
{
  DynoPage parent_instance;

  GPtrArray *runs;
  DynoRun *baseline;
  gboolean is_baseline_chosen; /* otherwise the oldest run is the baseline */
  char *picked;                /* the id of the run picked last; it gets a partner if it is alone */
  char *partner;               /* the id of a run that was added automatically */
  GCancellable *seeking;       /* cancels the search for a partner */
  GHashTable *stores;          /* maps each run to the store that holds it */
  GHashTable *ceilings;        /* of the machines of the runs */
  GQueue *waiting;             /* ids of runs to read one after the other: the first is the baseline */
  DynoComparison *comparison;
  GCancellable *comparing;
  GPtrArray *offered; /* metrics to choose from */
  const char *metric;
  gboolean filling;       /* the selection changes because its list is being filled */
  GtkMenuButton *picking; /* the button that has the picker */
  DynoRun *replaced;      /* the run in whose place the next one comes; owned */

  GtkStack *stack;
  DynoRunPicker *picker;
  DynoRunPicker *first_picker;
  GtkWidget *runs_group;
  GtkListBox *runs_list;
  AdwStatusPage *hint;
  GtkWidget *head;
  GtkLabel *headline;
  GtkLabel *summary;
  GtkWidget *choices;
  GtkWidget *sides;
  GtkMenuButton *before_button;
  GtkLabel *before_title;
  GtkLabel *before_date;
  GtkWidget *swap_button;
  GtkMenuButton *after_button;
  GtkLabel *after_title;
  GtkLabel *after_date;
  GtkMenuButton *add_button;
  GtkDropDown *metric_choice;
  GtkDropDown *baseline_choice;
  GtkButton *measure_button;
  DynoReportButton *report_button;
  GtkWidget *content;
  DynoDifferenceList *differences;
  DynoChartPairs *pairs;
  DynoChartGroups *charts;
  GtkListBox *details;
};

enum
{
  MEASURE_AGAIN,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoComparePage, dyno_compare_page, DYNO_TYPE_PAGE)

static guint signals[N_SIGNALS];

/* Comparable values that the runs may have. */
static const char *const metrics[] = {
  "latency_p50_ms",
  "latency_p90_ms",
  "latency_p99_ms",
  "throughput_items_per_sec",
  "throughput_tokens_per_sec",
  "first_token_latency_ms",
  "inter_token_latency_ms",
  "load_time_ms",
  "memory_peak_mb",
  "energy_per_item_joules",
};

static void update (DynoComparePage *self);

/* The runs */

static GtkCheckButton *
get_check (DynoComparePage *self, int position)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->runs_list, position);

  return row != NULL ? g_object_get_data (G_OBJECT (row), "check") : NULL;
}

static void
baseline_toggled_cb (GtkCheckButton *button, DynoComparePage *self)
{
  DynoRun *run = g_object_get_data (G_OBJECT (button), "run");

  if (!gtk_check_button_get_active (button) || !g_set_object (&self->baseline, run))
    return;
  self->is_baseline_chosen = TRUE;
  update (self);
}

/* The oldest run is the baseline unless the user chooses another. */
static void
choose_oldest (DynoComparePage *self)
{
  guint oldest = 0;

  if (self->is_baseline_chosen)
    return;
  for (guint i = 1; i < self->runs->len; i++)
    if (dyno_run_get_started_at (self->runs->pdata[i]) < dyno_run_get_started_at (self->runs->pdata[oldest]))
      oldest = i;
  g_set_object (&self->baseline, self->runs->pdata[oldest]);
  gtk_check_button_set_active (get_check (self, (int)oldest), TRUE);
}

static void
let_go (DynoComparePage *self, DynoRun *run)
{
  dyno_run_catalog_take_back (dyno_run_picker_get_catalog (self->picker), dyno_run_get_id (run));
  dyno_run_catalog_take_back (dyno_run_picker_get_catalog (self->first_picker), dyno_run_get_id (run));
  g_hash_table_remove (self->ceilings, run);
  g_hash_table_remove (self->stores, run);
}

/* Rows have the titles that charts and table use. The runs keep their own, because a thread may be comparing them. */
static void
name_rows (DynoComparePage *self)
{
  g_auto (GStrv) titles = dyno_run_titles_dup (self->runs);

  for (guint i = 0; i < self->runs->len; i++)
    adw_preferences_row_set_title (
        ADW_PREFERENCES_ROW (gtk_list_box_get_row_at_index (self->runs_list, (int)i)), titles[i]);
}

static void
remove_run (DynoComparePage *self, DynoRun *run, int position)
{
  gtk_list_box_remove (self->runs_list,
                       GTK_WIDGET (gtk_list_box_get_row_at_index (self->runs_list, position)));
  let_go (self, run);
  if (run == self->baseline || self->runs->len == 1)
    {
      g_clear_object (&self->baseline);
      self->is_baseline_chosen = FALSE;
    }
  g_ptr_array_remove (self->runs, run);
  name_rows (self);
  if (self->runs->len > 0)
    choose_oldest (self);
}

static void
remove_cb (GtkButton *button, DynoComparePage *self)
{
  g_autoptr (DynoRun) run = g_object_ref (g_object_get_data (G_OBJECT (button), "run"));
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (button), GTK_TYPE_LIST_BOX_ROW);
  int position = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));

  remove_run (self, run, position);
  update (self);

  /* The focus stays in the list, so that the user can remove several runs by keyboard, or goes where the sides of the
   * last two are chosen. */
  GtkListBoxRow *next =
      gtk_list_box_get_row_at_index (self->runs_list, MIN (position, (int)self->runs->len - 1));
  GtkWidget *others = next != NULL ? self->choices : gtk_stack_get_visible_child (self->stack);
  gtk_widget_child_focus (gtk_widget_get_visible (self->runs_group) ? GTK_WIDGET (next) : others,
                          GTK_DIR_TAB_FORWARD);
}

static void
connect_to_run (
    DynoComparePage *self, GtkWidget *widget, const char *signal_name, GCallback callback, DynoRun *run)
{
  g_object_set_data_full (G_OBJECT (widget), "run", g_object_ref (run), g_object_unref);
  g_signal_connect_object (widget, signal_name, callback, self, 0);
}

static GtkWidget *
create_check (DynoComparePage *self, DynoRun *run)
{
  GtkWidget *check = gtk_check_button_new ();

  gtk_check_button_set_group (GTK_CHECK_BUTTON (check), get_check (self, 0));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), run == self->baseline);
  gtk_widget_set_tooltip_text (check, _ ("Use as Baseline"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Use as Baseline"), -1);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  connect_to_run (self, check, "toggled", G_CALLBACK (baseline_toggled_cb), run);
  return check;
}

/* Choices */

static gboolean
is_measured (DynoComparePage *self, const char *metric)
{
  for (guint i = 0; i < self->runs->len; i++)
    {
      GListModel *results = dyno_run_get_results (g_ptr_array_index (self->runs, i));

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);

          if (isfinite (dyno_result_get_number (result, metric)))
            return TRUE;
        }
    }
  return FALSE;
}

/* Fills a drop-down without counting that as a change by the user. */
static void
set_choice (DynoComparePage *self, GtkDropDown *choice, GtkStringList *list, guint selected)
{
  self->filling = TRUE;
  gtk_drop_down_set_model (choice, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (choice, selected);
  self->filling = FALSE;
}

/* Returns the title of the chosen side of a single run, or the id of the baseline among several runs. */
static const char *
get_baseline (DynoComparePage *self)
{
  guint selected = gtk_drop_down_get_selected (self->baseline_choice);

  if (self->runs->len > 1)
    return dyno_run_get_id (self->baseline);
  if (self->comparison == NULL || self->comparison->sides->len <= selected)
    return NULL;
  return dyno_comparison_get_side_title (self->comparison, selected);
}

/* Results */

static gboolean
has_room (DynoComparePage *self)
{
  return gtk_orientable_get_orientation (GTK_ORIENTABLE (self->choices)) == GTK_ORIENTATION_HORIZONTAL;
}

/* The sides of one run have one date, and the name of a run with the title of another is its time. */
static void
show_side (DynoComparePage *self, guint number, GtkLabel *title, GtkLabel *date)
{
  const DynoComparisonSide *side = self->comparison->sides->pdata[number];
  const char *own = dyno_run_get_title (side->run);
  gboolean is_timed = own != NULL && !g_str_has_prefix (side->title, own);
  g_autofree char *text = dyno_format_date (dyno_run_get_started_at (side->run));

  gtk_label_set_label (title, side->title);
  gtk_label_set_label (date, text);
  gtk_widget_set_visible (GTK_WIDGET (date), self->runs->len > 1 && !is_timed && has_room (self));
}

static void
take_name (GtkMenuButton *button, char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_free (name);
}

static void
show_sides (DynoComparePage *self)
{
  const DynoComparison *comparison = self->comparison;
  guint n = comparison->sides->len - 1;

  show_side (self, comparison->baseline, self->before_title, self->before_date);
  take_name (self->before_button,
             g_strdup_printf (_ ("Baseline: %s"), gtk_label_get_label (self->before_title)));
  if (n == 1)
    show_side (self, comparison->baseline == 0 ? 1 : 0, self->after_title, self->after_date);
  else
    {
      /* Translators: the number of runs or settings, beside the one that they are compared with */
      g_autofree char *others = g_strdup_printf (ngettext ("%u other", "%u others", n), n);

      gtk_label_set_label (self->after_title, others);
      gtk_widget_set_visible (GTK_WIDGET (self->after_date), FALSE);
    }
  take_name (self->after_button,
             g_strdup_printf (_ ("Compared: %s"), gtk_label_get_label (self->after_title)));
  gtk_widget_set_visible (GTK_WIDGET (self->before_button), self->runs->len > 1);
  gtk_widget_set_sensitive (self->swap_button, n == 1);

  /* Lists the sides of a single run; for several runs, their list offers the choice. */
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  for (guint i = 0; i < comparison->sides->len; i++)
    gtk_string_list_append (list, dyno_comparison_get_side_title (comparison, i));
  set_choice (self, self->baseline_choice, list, comparison->baseline);
  gtk_widget_set_visible (GTK_WIDGET (self->baseline_choice), self->runs->len == 1);
}

/* Two sides have charts side by side; those of more sides are drawn over each other. */
static void
show_charts (DynoComparePage *self)
{
  gboolean is_pair = self->comparison->sides->len == 2;

  gtk_widget_set_visible (GTK_WIDGET (self->pairs), is_pair);
  gtk_widget_set_visible (GTK_WIDGET (self->charts), !is_pair);
  dyno_chart_pairs_set_comparison (self->pairs, is_pair ? self->comparison : NULL, self->ceilings);
  if (!is_pair)
    {
      dyno_chart_groups_set_runs (self->charts, self->runs);
      dyno_chart_groups_set_ceilings (self->charts, self->ceilings);
    }
}

static void
selected_cb (DynoComparePage *self, guint number)
{
  dyno_chart_pairs_select (self->pairs, number);
}

static void
show_comparison (DynoComparePage *self)
{
  g_autofree char *headline = dyno_comparison_dup_headline (self->comparison);
  g_autofree char *summary = dyno_comparison_dup_summary (self->comparison);
  gboolean any = self->comparison->cases->len > 0;

  gtk_label_set_label (self->headline, headline);
  gtk_label_set_label (self->summary, summary);
  gtk_widget_set_visible (GTK_WIDGET (self->summary), *summary != '\0');
  show_sides (self);

  /* Measuring again can show more where a case is open, or where the sides were measured one after another. */
  double seconds = dyno_comparison_get_cost (self->comparison, NULL);
  g_autofree char *cost = dyno_comparison_dup_cost (self->comparison);
  g_autofree char *duration = dyno_unit_format_duration (seconds);
  /* Translators: a button that measures again, and how long that takes */
  g_autofree char *label = g_strdup_printf (_ ("_Make Sure · %s"), duration);
  gtk_button_set_label (self->measure_button, seconds > 0 ? label : _ ("_Measure Again, Side by Side"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->measure_button), cost);
  gtk_widget_set_visible (GTK_WIDGET (self->measure_button), dyno_comparison_fits_one_run (self->comparison));

  dyno_difference_list_set_comparison (self->differences, self->comparison);
  dyno_comparison_details_fill (self->details, self->comparison);
  show_charts (self);
  gtk_widget_set_visible (GTK_WIDGET (self->differences), any);
  gtk_widget_set_visible (GTK_WIDGET (self->details), TRUE);

  /* A report reads the compared runs again. */
  const DynoComparison *comparison = self->comparison;
  g_autofree char *title = g_strdup_printf (
      /* Translators: the name of a file; %s is what others are compared with */
      _ ("Comparison with %s"), dyno_comparison_get_side_title (comparison, comparison->baseline));
  DynoReportSubject *subject = dyno_report_subject_new (&dyno_report_comparison_template, title);
  for (guint i = 0; i < self->runs->len; i++)
    {
      DynoRun *run = g_ptr_array_index (self->runs, i);
      dyno_report_subject_add_run (subject, g_hash_table_lookup (self->stores, run), dyno_run_get_id (run));
    }
  dyno_report_subject_set_comparison (subject, self->metric, get_baseline (self));
  dyno_report_button_take_subject (self->report_button, subject);
}

static void
compared_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoComparePage) self = DYNO_COMPARE_PAGE (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoComparison) comparison = dyno_comparison_task_compare_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_pointer (&self->comparison, dyno_comparison_unref);
  self->comparison = g_steal_pointer (&comparison);
  adw_status_page_set_description (self->hint, error != NULL ? error->message : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->hint), error != NULL);
  gtk_widget_set_visible (self->content, error == NULL);
  gtk_widget_set_visible (self->head, error == NULL);
  if (self->comparison != NULL)
    show_comparison (self);
  else
    {
      /* A run that cannot be compared with itself waits for another one. */
      g_auto (GStrv) titles = dyno_run_titles_dup (self->runs);
      g_autofree char *date = dyno_format_date (dyno_run_get_started_at (self->runs->pdata[0]));

      gtk_label_set_label (self->before_title, titles[0]);
      gtk_label_set_label (self->before_date, date);
      gtk_label_set_label (self->after_title, _ ("Choose a Run…"));
      gtk_widget_set_visible (GTK_WIDGET (self->before_date), has_room (self));
      gtk_widget_set_visible (GTK_WIDGET (self->after_date), FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->before_button), TRUE);
      gtk_widget_set_visible (GTK_WIDGET (self->baseline_choice), FALSE);
      gtk_widget_set_sensitive (self->swap_button, FALSE);
    }
}

static void
compare (DynoComparePage *self)
{
  g_cancellable_cancel (self->comparing);
  g_clear_object (&self->comparing);
  self->comparing = g_cancellable_new ();
  if (self->comparison == NULL)
    {
      /* The previous results belong to other runs. */
      gtk_label_set_label (self->headline, _ ("Comparing…"));
      gtk_widget_set_visible (GTK_WIDGET (self->summary), FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->measure_button), FALSE);
      dyno_report_button_take_subject (self->report_button, NULL);
      gtk_widget_set_visible (GTK_WIDGET (self->differences), FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->details), FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->pairs), FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->charts), FALSE);
    }
  dyno_comparison_task_compare (self->runs, self->metric, get_baseline (self), self->comparing, compared_cb,
                                g_object_ref (self));
}

/* The other side becomes the baseline. */
static void
swap_cb (DynoComparePage *self)
{
  guint other = self->comparison != NULL && self->comparison->baseline == 0 ? 1 : 0;

  if (self->comparison == NULL || self->comparison->sides->len != 2)
    return;
  if (self->runs->len == 1)
    gtk_drop_down_set_selected (self->baseline_choice, other);
  else
    gtk_check_button_set_active (get_check (self, (int)other), TRUE);
}

static void
choice_changed_cb (DynoComparePage *self)
{
  guint selected = gtk_drop_down_get_selected (self->metric_choice);

  if (self->filling || selected >= self->offered->len)
    return;
  self->metric = g_ptr_array_index (self->offered, selected);
  compare (self);
}

/* Measuring the disputed cases again */

static void
planned_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoComparePage) self = DYNO_COMPARE_PAGE (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_comparison_task_plan_finish (result, &error);

  if (plan != NULL)
    g_signal_emit (self, signals[MEASURE_AGAIN], 0, plan);
  else
    dyno_toast_say (GTK_WIDGET (self), error->message);
}

static void
measure_again_cb (DynoComparePage *self)
{
  if (self->comparison != NULL)
    dyno_comparison_task_plan (self->comparison, planned_cb, g_object_ref (self));
}

static void
update (DynoComparePage *self)
{
  /* A single run is the baseline and needs no choice. */
  gboolean has_choice = self->runs->len >= 2;

  for (guint i = 0; i < self->runs->len; i++)
    {
      GtkWidget *check = GTK_WIDGET (get_check (self, i));

      gtk_widget_set_sensitive (check, has_choice);
      gtk_widget_set_visible (check, has_choice);
      gtk_widget_set_visible (g_object_get_data (G_OBJECT (check), "badge"),
                              has_choice && gtk_check_button_get_active (GTK_CHECK_BUTTON (check)));
    }
  gtk_stack_set_visible_child_name (self->stack, self->runs->len > 0 ? "runs" : "empty");
  gtk_widget_set_visible (self->runs_group, self->runs->len > 2);
  g_cancellable_cancel (self->comparing);
  g_clear_pointer (&self->comparison, dyno_comparison_unref);
  if (self->runs->len == 0)
    return;

  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint selected = 0;
  g_ptr_array_set_size (self->offered, 0);
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    if (i == 0 || is_measured (self, metrics[i]))
      {
        if (metrics[i] == self->metric)
          selected = self->offered->len;
        g_ptr_array_add (self->offered, (char *)metrics[i]);
        gtk_string_list_take (list, dyno_metric_title_dup (metrics[i]));
      }
  self->metric = g_ptr_array_index (self->offered, selected);
  set_choice (self, self->metric_choice, list, selected);

  compare (self);
}

/* Each run has the roofs of its own machine. */

typedef struct
{
  DynoComparePage *page;
  DynoRun *run;
} CeilingsRequest;

static void
ceilings_request_free (CeilingsRequest *request)
{
  g_object_unref (request->page);
  g_object_unref (request->run);
  g_free (request);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CeilingsRequest, ceilings_request_free)

static void
ceilings_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CeilingsRequest) request = user_data;
  DynoComparePage *self = request->page;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ceilings = dyno_store_load_ceilings_finish (DYNO_STORE (object), result, &error);

  if (ceilings == NULL)
    {
      g_debug ("No ceilings: %s", error->message);
      return;
    }
  if (self->charts == NULL || !g_ptr_array_find (self->runs, request->run, NULL))
    return;
  g_hash_table_insert (self->ceilings, g_object_ref (request->run), g_ptr_array_ref (ceilings));
  if (self->comparison != NULL)
    show_charts (self);
}

static void
load_ceilings (DynoComparePage *self, DynoStore *store, DynoRun *run)
{
  const char *machine = dyno_run_get_machine (run);
  CeilingsRequest *request;

  if (machine == NULL)
    return;
  request = g_new (CeilingsRequest, 1);
  request->page = g_object_ref (self);
  request->run = g_object_ref (run);
  dyno_store_load_ceilings_async (store, machine, NULL, ceilings_cb, request);
}

static void
add_run (DynoComparePage *self, DynoStore *store, DynoRun *run)
{
  for (guint i = 0; i < self->runs->len; i++)
    if (g_str_equal (dyno_run_get_id (g_ptr_array_index (self->runs, i)), dyno_run_get_id (run)))
      {
        dyno_toast_say (GTK_WIDGET (self), _ ("This run is already in the comparison"));
        return;
      }

  g_ptr_array_add (self->runs, g_object_ref (run));
  g_hash_table_insert (self->stores, run, g_object_ref (store));
  dyno_run_catalog_leave_out (dyno_run_picker_get_catalog (self->picker), dyno_run_get_id (run));
  dyno_run_catalog_leave_out (dyno_run_picker_get_catalog (self->first_picker), dyno_run_get_id (run));
  if (self->baseline == NULL)
    g_set_object (&self->baseline, run);

  g_autofree char *date = dyno_format_date (dyno_run_get_started_at (run));
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "subtitle", date, NULL);
  GtkWidget *check = create_check (self, run);
  GtkWidget *label = gtk_label_new (_ ("Baseline"));
  GtkWidget *remove_button = dyno_icon_button_new ("list-remove-symbolic", _ ("Remove From Comparison"));

  connect_to_run (self, remove_button, "clicked", G_CALLBACK (remove_cb), run);
  gtk_widget_add_css_class (label, "dim-label");
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), remove_button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  g_object_set_data (G_OBJECT (row), "check", check);
  g_object_set_data (G_OBJECT (check), "badge", label);
  gtk_list_box_append (self->runs_list, row);
  name_rows (self);

  choose_oldest (self);
  update (self);
  load_ceilings (self, store, run);
}

/* The run that was added last takes over the role of @run. */
static void
replace_run (DynoComparePage *self, DynoRun *run)
{
  gboolean was_baseline = run == self->baseline;
  guint position;

  if (self->runs->len < 3 || !g_ptr_array_find (self->runs, run, &position))
    return;
  self->is_baseline_chosen = TRUE;
  if (was_baseline)
    gtk_check_button_set_active (get_check (self, (int)self->runs->len - 1), TRUE);
  remove_run (self, run, (int)position);
  update (self);
}

static void
load_next (DynoComparePage *self, DynoStore *store)
{
  g_autofree char *id = g_queue_pop_head (self->waiting);

  if (id != NULL)
    dyno_compare_page_add_run (self, store, id);
}

static void loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data);

/* Finds the run to compare the picked one with. */

typedef struct
{
  DynoStore *store;
  char *id;
} TwinRequest;

static void
twin_request_free (TwinRequest *request)
{
  g_object_unref (request->store);
  g_free (request->id);
  g_free (request);
}

static void
twin_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  TwinRequest *request = task_data;
  GError *error = NULL;
  char *twin = dyno_store_find_twin (request->store, request->id, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, twin, g_free);
}

/* By now, the user may have added another run. */
static void
twin_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoComparePage *self = DYNO_COMPARE_PAGE (object);
  TwinRequest *request = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *twin = g_task_propagate_pointer (G_TASK (result), &error);

  if (error != NULL)
    g_debug ("No run to compare with: %s", error->message);
  if (twin == NULL || self->runs_list == NULL || self->runs->len > 1)
    return;
  g_free (self->partner);
  self->partner = g_strdup (twin);
  dyno_store_load_run_async (request->store, twin, self->seeking, loaded_cb, g_object_ref (self));
}

static void
stop_seeking (DynoComparePage *self)
{
  if (self->seeking != NULL)
    g_cancellable_cancel (self->seeking);
  g_clear_object (&self->seeking);
}

/* A run in turns holds both of its sides. */
static gboolean
took_turns (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_result_get_trace (result, "turns") != NULL)
        return TRUE;
    }
  return FALSE;
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoComparePage) self = DYNO_COMPARE_PAGE (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = dyno_store_load_run_finish (DYNO_STORE (object), result, &error);

  if (self->runs_list == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (run != NULL)
    {
      g_autoptr (DynoRun) replaced = g_steal_pointer (&self->replaced);

      add_run (self, DYNO_STORE (object), run);
      if (replaced != NULL)
        replace_run (self, replaced);
    }
  else
    dyno_toast_report_error (GTK_WIDGET (self), _ ("The run could not be read"), error);
  if (run != NULL && self->runs->len == 1 && g_strcmp0 (dyno_run_get_id (run), self->picked) == 0 &&
      !took_turns (run))
    {
      TwinRequest *request = g_new (TwinRequest, 1);

      stop_seeking (self);
      self->seeking = g_cancellable_new ();
      *request = (TwinRequest){ g_object_ref (DYNO_STORE (object)), g_strdup (self->picked) };
      dyno_thread_task_run (self, self->seeking, twin_thread, request, (GDestroyNotify)twin_request_free,
                            twin_cb);
    }
  load_next (self, DYNO_STORE (object));
}

/* Moves the picker to the button that was pressed. */
static void
take_picker_cb (GtkMenuButton *button, gpointer user_data)
{
  DynoComparePage *self = user_data;
  g_autoptr (GtkWidget) picker = GTK_WIDGET (g_object_ref (self->picker));

  if (self->picking == button)
    return;
  gtk_menu_button_set_popover (self->picking, NULL);
  gtk_menu_button_set_popover (button, picker);
  self->picking = button;
}

/* Of two runs, the picked one takes the place of the one whose button was pressed. */
static void
picked_cb (DynoComparePage *self, DynoRunEntry *entry)
{
  g_clear_object (&self->replaced);
  for (guint i = 0; self->runs->len == 2 && self->picking != self->add_button && i < 2; i++)
    if ((self->runs->pdata[i] == self->baseline) == (self->picking == self->before_button))
      self->replaced = g_object_ref (self->runs->pdata[i]);
  if (self->replaced != NULL)
    gtk_menu_button_popdown (self->picking);
  dyno_compare_page_add_run (self, dyno_run_entry_get_store (entry), dyno_run_entry_get_id (entry));
}

static void
narrow_cb (DynoComparePage *self, GParamSpec *pspec, DynoNarrowBin *bin)
{
  GtkOrientation orientation =
      dyno_narrow_bin_get_narrow (bin) ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->head), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->choices), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->sides), orientation);
  if (self->comparison != NULL)
    show_sides (self);
}

static void
dyno_compare_page_constructed (GObject *object)
{
  DynoComparePage *self = DYNO_COMPARE_PAGE (object);
  DynoAppSession *session = dyno_page_get_session (DYNO_PAGE (self));

  G_OBJECT_CLASS (dyno_compare_page_parent_class)->constructed (object);

  dyno_run_picker_set_session (self->picker, session);
  dyno_run_picker_set_session (self->first_picker, session);
}

static void
dyno_compare_page_dispose (GObject *object)
{
  DynoComparePage *self = DYNO_COMPARE_PAGE (object);

  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_COMPARE_PAGE);
  g_cancellable_cancel (self->comparing);
  g_clear_object (&self->comparing);
  stop_seeking (self);
  g_clear_object (&self->baseline);
  g_clear_object (&self->replaced);

  G_OBJECT_CLASS (dyno_compare_page_parent_class)->dispose (object);
}

static void
dyno_compare_page_finalize (GObject *object)
{
  DynoComparePage *self = DYNO_COMPARE_PAGE (object);

  g_ptr_array_unref (self->runs);
  g_hash_table_unref (self->ceilings);
  g_hash_table_unref (self->stores);
  g_queue_free_full (self->waiting, g_free);
  g_clear_pointer (&self->comparison, dyno_comparison_unref);
  g_ptr_array_unref (self->offered);
  g_free (self->picked);
  g_free (self->partner);

  G_OBJECT_CLASS (dyno_compare_page_parent_class)->finalize (object);
}

static void
dyno_compare_page_class_init (DynoComparePageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = dyno_compare_page_constructed;
  object_class->dispose = dyno_compare_page_dispose;
  object_class->finalize = dyno_compare_page_finalize;

  signals[MEASURE_AGAIN] = g_signal_new ("measure-again", DYNO_TYPE_COMPARE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 1, DYNO_TYPE_PLAN);

  g_type_ensure (DYNO_TYPE_CHART_GROUPS);
  g_type_ensure (DYNO_TYPE_CHART_PAIRS);
  g_type_ensure (DYNO_TYPE_DIFFERENCE_LIST);
  g_type_ensure (DYNO_TYPE_NARROW_BIN);
  g_type_ensure (DYNO_TYPE_REPORT_BUTTON);
  g_type_ensure (DYNO_TYPE_RUN_PICKER);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-compare-page.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, picker);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, first_picker);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, runs_group);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, runs_list);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, hint);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, content);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, pairs);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, charts);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, details);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, head);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, headline);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, summary);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, choices);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, sides);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, before_button);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, before_title);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, before_date);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, swap_button);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, after_button);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, after_title);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, after_date);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, add_button);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, metric_choice);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, baseline_choice);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, measure_button);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, report_button);
  gtk_widget_class_bind_template_child (widget_class, DynoComparePage, differences);
  gtk_widget_class_bind_template_callback (widget_class, picked_cb);
  gtk_widget_class_bind_template_callback (widget_class, choice_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, swap_cb);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, narrow_cb);
  gtk_widget_class_bind_template_callback (widget_class, measure_again_cb);
}

static void
dyno_compare_page_init (DynoComparePage *self)
{
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->ceilings = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify)g_ptr_array_unref);
  self->stores = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  self->waiting = g_queue_new ();
  self->offered = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  self->picking = self->add_button;
  /* Their labels are made when they are shown. */
  g_signal_connect_after (self->baseline_choice, "map", G_CALLBACK (dyno_labels_shrink), NULL);
  g_signal_connect_after (self->metric_choice, "map", G_CALLBACK (dyno_labels_shrink), NULL);
  gtk_menu_button_set_create_popup_func (self->before_button, take_picker_cb, self, NULL);
  gtk_menu_button_set_create_popup_func (self->after_button, take_picker_cb, self, NULL);
  gtk_menu_button_set_create_popup_func (self->add_button, take_picker_cb, self, NULL);
  update (self);
}

void
dyno_compare_page_add_run (DynoComparePage *self, DynoStore *store, const char *id)
{
  g_return_if_fail (DYNO_IS_COMPARE_PAGE (self));
  g_return_if_fail (DYNO_IS_STORE (store));
  g_return_if_fail (id != NULL);

  dyno_store_load_run_async (store, id, NULL, loaded_cb, g_object_ref (self));
}

void
dyno_compare_page_compare_run (DynoComparePage *self, DynoStore *store, const char *id)
{
  g_return_if_fail (DYNO_IS_COMPARE_PAGE (self));
  g_return_if_fail (DYNO_IS_STORE (store));
  g_return_if_fail (id != NULL);

  stop_seeking (self);
  if (g_strcmp0 (id, self->partner) != 0)
    {
      /* A picked run replaces the one that was added automatically. */
      for (guint i = 0; self->partner != NULL && i < self->runs->len; i++)
        {
          g_autoptr (DynoRun) run = g_object_ref (self->runs->pdata[i]);

          if (g_str_equal (dyno_run_get_id (run), self->partner))
            remove_run (self, run, (int)i);
        }
    }
  g_clear_pointer (&self->partner, g_free); /* the user has picked it now */
  g_free (self->picked);
  self->picked = g_strdup (id);
  dyno_compare_page_add_run (self, store, id);
}

void
dyno_compare_page_set_runs (DynoComparePage *self, DynoStore *store, const char *const *ids)
{
  g_return_if_fail (DYNO_IS_COMPARE_PAGE (self));
  g_return_if_fail (DYNO_IS_STORE (store));
  g_return_if_fail (ids != NULL);

  dyno_list_box_clear (self->runs_list);
  for (guint i = 0; i < self->runs->len; i++)
    let_go (self, g_ptr_array_index (self->runs, i));
  g_ptr_array_set_size (self->runs, 0);
  g_clear_object (&self->baseline);
  stop_seeking (self);
  g_clear_pointer (&self->picked, g_free);
  g_clear_pointer (&self->partner, g_free);
  self->is_baseline_chosen = FALSE;
  update (self);

  self->is_baseline_chosen = g_strv_length ((char **)ids) > 1;
  g_queue_clear_full (self->waiting, g_free);
  for (guint i = 0; ids[i] != NULL; i++)
    g_queue_push_tail (self->waiting, g_strdup (ids[i]));
  load_next (self, store);
}

guint
dyno_compare_page_get_n_runs (DynoComparePage *self)
{
  g_return_val_if_fail (DYNO_IS_COMPARE_PAGE (self), 0);
  return self->runs->len;
}

const DynoPageInfo dyno_compare_page_info = { "compare",    N_ ("_Compare"),  "dyno-compare-symbolic",
                                              "<Control>3", "comparing.html", dyno_compare_page_get_type };
