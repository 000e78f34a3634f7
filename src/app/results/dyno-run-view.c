/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-run-view"

#include "config.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "dyno-application.h"
#include "dyno-case-parts.h"
#include "dyno-case-table.h"
#include "dyno-case-view.h"
#include "dyno-chart-groups.h"
#include "dyno-columns.h"
#include "dyno-compat.h"
#include "dyno-format.h"
#include "dyno-machine.h"
#include "dyno-report.h"
#include "dyno-run-view.h"
#include "dyno-tile.h"
#include "dyno-toast.h"

/* How long to wait for a run before a spinner takes the place of the last one. */
#define PATIENCE_MS 300

struct _DynoRunView
{
  AdwBin parent_instance;

  DynoRunEntry *entry;
  DynoRun *run;
  GCancellable *cancellable;
  GCancellable *loading_ceilings;
  guint patience_id;
  gboolean is_new;
  gboolean narrow;
  GtkWidget *focus_before_renaming; /* weak */

  GtkStack *stack;
  AdwStatusPage *failed_page;
  GtkScrolledWindow *scrolled_window;
  GtkStack *title_stack;
  GtkLabel *title_label;
  GtkEditable *title_entry;
  GtkLabel *details_label;
  GtkWidget *document_bar;
  GtkLabel *document_label;
  DynoTile *latency_tile;
  DynoTile *throughput_tile;
  DynoTile *memory_tile;
  DynoTile *flops_tile;
  DynoTile *bandwidth_tile;
  DynoTile *energy_tile;
  DynoTile *efficiency_tile;
  DynoTile *cases_tile;
  DynoChartGroups *charts;
  DynoCaseTable *case_table;
  DynoCaseView *case_view;
  GtkTextView *notes_view;
};

enum
{
  PROP_0,
  PROP_ENTRY,
  PROP_NARROW,
  PROP_RUN,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoRunView, dyno_run_view, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

/* Headline numbers */

static DynoResult *
find_extreme (DynoRun *run, const char *metric, double sign)
{
  GListModel *results = dyno_run_get_results (run);
  DynoResult *best = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      double number = dyno_result_get_number (result, metric);

      if (!isnan (number) && (best == NULL || sign * number > sign * dyno_result_get_number (best, metric)))
        best = result;
    }
  return best;
}

/* What was estimated says so wherever it stands alone. */
static char *
dup_tile_label (DynoResult *result, const char *metric)
{
  DynoQuality quality = dyno_value_get_quality (dyno_result_get_value (result, metric));
  g_autofree char *label = dyno_case_parts_dup_label (result);

  if (quality != DYNO_QUALITY_ESTIMATED)
    return g_steal_pointer (&label);
  /* Translators: %s is a case */
  return g_strdup_printf (_ ("estimated · %s"), label);
}

static void
show_extreme (DynoTile *tile, DynoRun *run, const char *metric, double sign)
{
  DynoResult *result = find_extreme (run, metric, sign);
  g_autofree char *value = NULL;
  g_autofree char *label = NULL;

  gtk_widget_set_visible (GTK_WIDGET (tile), result != NULL);
  if (result == NULL)
    return;
  value = dyno_format_value (dyno_result_get_value (result, metric));
  label = dup_tile_label (result, metric);
  dyno_tile_set_value (tile, value, label);
}

static void
show_counts (DynoTile *tile, DynoRun *run)
{
  DynoCaseCounts counts = { 0 };
  g_autofree char *value = NULL;
  g_autofree char *text = NULL;
  guint n_measured;

  dyno_run_count_cases (run, &counts);
  n_measured = dyno_case_counts_get_n_with_numbers (&counts);
  text = dyno_case_counts_dup_text (&counts);
  /* Translators: so many of all cases */
  value = n_measured == counts.n_cases ? dyno_format_count (n_measured)
                                       : g_strdup_printf (_ ("%u of %u"), n_measured, counts.n_cases);
  dyno_tile_set_value (tile, value,
                       counts.of[DYNO_CASE_STATE_MEASURED] == counts.n_cases ? _ ("all measured") : text);
}

static void
show_tiles (DynoRunView *self)
{
  show_extreme (self->latency_tile, self->run, "latency_p50_ms", -1);
  show_extreme (self->throughput_tile, self->run, "throughput_items_per_sec", 1);
  show_extreme (self->memory_tile, self->run, "memory_peak_mb", 1);
  show_extreme (self->flops_tile, self->run, "flops_per_sec", 1);
  show_extreme (self->bandwidth_tile, self->run, "avg_bandwidth_gbps", 1);
  show_extreme (self->energy_tile, self->run, "energy_per_item_joules", -1);
  show_extreme (self->efficiency_tile, self->run, "gflops_per_watt", 1);
  show_counts (self->cases_tile, self->run);
}

/* Words */

static char *
dup_machine (DynoRun *run)
{
  const char *json = dyno_run_get_machine (run);
  g_autoptr (JsonNode) node = json != NULL ? json_from_string (json, NULL) : NULL;

  return node != NULL ? dyno_machine_dup_summary (node) : NULL;
}

static void
show_details (DynoRunView *self)
{
  gint64 started_at = dyno_run_get_started_at (self->run);
  gint64 finished_at = dyno_run_get_finished_at (self->run);
  g_autofree char *date = dyno_format_date (started_at);
  g_autofree char *machine = dup_machine (self->run);
  GString *text = g_string_new (date);

  if (finished_at > started_at)
    {
      g_autofree char *duration = dyno_format_duration ((finished_at - started_at) / (double)G_USEC_PER_SEC);
      g_string_append_printf (text, " · %s", duration);
    }
  if (machine != NULL)
    g_string_append_printf (text, " · %s", machine);
  gtk_label_set_label (self->details_label, text->str);
  g_string_free (text, TRUE);
}

static void
show_title (DynoRunView *self)
{
  g_autofree char *title = dyno_run_entry_dup_title (self->entry);

  gtk_label_set_label (self->title_label, title);
}

static void
show_notes (DynoRunView *self)
{
  const char *notes = dyno_run_get_notes (dyno_run_entry_get_run (self->entry));

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->notes_view), notes != NULL ? notes : "", -1);
}

static void
show_document (DynoRunView *self)
{
  gboolean document = dyno_run_entry_is_document (self->entry);
  gboolean writable = dyno_run_entry_is_writable (self->entry);
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->document_bar, document);
  gtk_text_view_set_editable (self->notes_view, writable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.rename", writable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.import", document);
  if (!document)
    return;
  name = g_path_get_basename (dyno_store_get_path (dyno_run_entry_get_store (self->entry)));
  text = g_strdup_printf (_ ("This run is in “%s”, not among your own results."), name);
  gtk_label_set_label (self->document_label, text);
}

/* Charts and cases */

/* What its machine can do at most comes with the run: it may be another machine's. */
static void
ceilings_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoRunView) self = DYNO_RUN_VIEW (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ceilings = dyno_store_load_ceilings_finish (DYNO_STORE (object), result, &error);
  g_autoptr (GHashTable) of_run = NULL;

  if (ceilings == NULL)
    {
      g_debug ("No ceilings: %s", error->message);
      return;
    }
  of_run = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify)g_ptr_array_unref);
  g_hash_table_insert (of_run, g_object_ref (self->run), g_steal_pointer (&ceilings));
  dyno_chart_groups_set_ceilings (self->charts, of_run);
  dyno_case_view_set_ceilings (self->case_view, of_run);
}

static void
forget_ceilings (DynoRunView *self)
{
  g_cancellable_cancel (self->loading_ceilings);
  g_clear_object (&self->loading_ceilings);
}

static void
load_ceilings (DynoRunView *self)
{
  const char *machine = dyno_run_get_machine (self->run);

  dyno_chart_groups_set_ceilings (self->charts, NULL);
  dyno_case_view_set_ceilings (self->case_view, NULL);
  forget_ceilings (self);
  self->loading_ceilings = g_cancellable_new ();
  if (machine != NULL)
    dyno_store_load_ceilings_async (dyno_run_entry_get_store (self->entry), machine, self->loading_ceilings,
                                    ceilings_cb, g_object_ref (self));
}

static void
show_charts (DynoRunView *self)
{
  load_ceilings (self);
  dyno_chart_groups_set_run (self->charts, self->run, NULL);
}

static void
case_selected_cb (DynoRunView *self)
{
  DynoResult *result = dyno_case_table_get_selected (self->case_table);

  gtk_widget_set_visible (GTK_WIDGET (self->case_view), result != NULL);
  if (result != NULL && self->run != NULL)
    dyno_case_view_set_result (self->case_view, self->run, result);
}

/* Whoever looks at a case goes on looking at it when the run grows. */
static void
select_ordinal (DynoRunView *self, guint ordinal)
{
  GListModel *results = dyno_run_get_results (self->run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      if (dyno_result_get_ordinal (result) == ordinal)
        dyno_case_table_select (self->case_table, result);
    }
}

/* What a case is comes below the table, so the table goes to the top. */
static void
scroll_to_cases (DynoRunView *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled_window);
  graphene_point_t place;

  if (gtk_widget_compute_point (gtk_widget_get_parent (GTK_WIDGET (self->case_table)),
                                GTK_WIDGET (self->scrolled_window), &GRAPHENE_POINT_INIT (0, 0), &place))
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + place.y);
}

static void
chart_activated_cb (DynoRunView *self, GObject *subject)
{
  if (!DYNO_IS_RESULT (subject))
    return;
  dyno_case_table_select (self->case_table, DYNO_RESULT (subject));
  gtk_widget_child_focus (GTK_WIDGET (self->case_table), GTK_DIR_TAB_FORWARD);
  scroll_to_cases (self);
}

static void
show_cases (DynoRunView *self)
{
  DynoResult *selected = dyno_case_table_get_selected (self->case_table);
  guint ordinal = selected != NULL ? dyno_result_get_ordinal (selected) : 0;

  dyno_case_table_set_run (self->case_table, self->run);
  if (!self->is_new)
    select_ordinal (self, ordinal);
  case_selected_cb (self);
}

static void
show_run (DynoRunView *self)
{
  if (self->is_new)
    {
      show_title (self);
      show_notes (self);
      gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled_window), 0);
    }
  show_document (self);
  show_details (self);
  show_tiles (self);
  show_charts (self);
  show_cases (self);
  self->is_new = FALSE;
  gtk_stack_set_visible_child_name (self->stack, "run");
}

static void
set_run (DynoRunView *self, DynoRun *run)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.save", run != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.report", run != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.compare", run != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.rename", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "run.import", FALSE);
  if (!g_set_object (&self->run, run))
    return;
  forget_ceilings (self);
  if (run != NULL)
    show_run (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUN]);
}

/* Loading */

/* What was shown stays until what comes is there, unless that takes long. */
static gboolean
out_of_patience_cb (gpointer user_data)
{
  DynoRunView *self = user_data;

  self->patience_id = 0;
  gtk_stack_set_visible_child_name (self->stack, "loading");
  return G_SOURCE_REMOVE;
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoRunView) self = DYNO_RUN_VIEW (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = dyno_store_load_run_finish (DYNO_STORE (object), result, &error);
  g_autofree char *description = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  if (run != NULL)
    {
      set_run (self, run);
      return;
    }
  description = g_markup_escape_text (error->message, -1);
  adw_status_page_set_description (self->failed_page, description);
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

static void
load (DynoRunView *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  dyno_store_load_run_async (dyno_run_entry_get_store (self->entry), dyno_run_entry_get_id (self->entry),
                             self->cancellable, loaded_cb, g_object_ref (self));
}

static void
retry_cb (DynoRunView *self)
{
  gtk_stack_set_visible_child_name (self->stack, "loading");
  load (self);
}

/* While a run goes on, its cases come one by one. */
static void
details_changed_cb (DynoRunView *self)
{
  DynoRun *summary = dyno_run_entry_get_run (self->entry);
  DynoCaseCounts now = { 0 };
  DynoCaseCounts shown = { 0 };

  if (self->run == NULL || self->cancellable != NULL)
    return;
  dyno_run_count_cases (summary, &now);
  dyno_run_count_cases (self->run, &shown);
  if (memcmp (&now, &shown, sizeof now) != 0 ||
      dyno_run_get_finished_at (summary) != dyno_run_get_finished_at (self->run))
    load (self);
}

/* Editing */

static gboolean
is_renaming (DynoRunView *self)
{
  return gtk_stack_get_visible_child (self->title_stack) == GTK_WIDGET (self->title_entry);
}

static void
stop_renaming (DynoRunView *self)
{
  gtk_stack_set_visible_child (self->title_stack, GTK_WIDGET (self->title_label));
}

/* To where it came from, if that is still there. */
static void
return_focus (DynoRunView *self)
{
  GtkWidget *before = self->focus_before_renaming;

  if (before == NULL || !gtk_widget_get_mapped (before) || !gtk_widget_grab_focus (before))
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
}

static void
title_left_cb (DynoRunView *self)
{
  const char *title = gtk_editable_get_text (self->title_entry);

  if (!is_renaming (self))
    return;
  stop_renaming (self);
  if (*title != '\0')
    dyno_run_entry_set_title (self->entry, title);
}

static void
title_activated_cb (DynoRunView *self)
{
  title_left_cb (self);
  return_focus (self);
}

static gboolean
title_key_cb (DynoRunView *self, guint key)
{
  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  stop_renaming (self);
  return_focus (self);
  return GDK_EVENT_STOP;
}

static void
commit_notes (DynoRunView *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->notes_view);
  GtkTextIter start, end;
  g_autofree char *notes = NULL;

  /* Until the run is read, the notes are still those of the run before. */
  if (self->run == NULL || !dyno_run_entry_is_writable (self->entry))
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  notes = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  if (*notes != '\0' || dyno_run_get_notes (dyno_run_entry_get_run (self->entry)) != NULL)
    dyno_run_entry_set_notes (self->entry, notes);
}

static void
write_failed_cb (DynoRunView *self, GError *error)
{
  dyno_toast_report_error (GTK_WIDGET (self), _ ("The change could not be kept"), error);
}

/* Actions */

static void
rename_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);
  g_autofree char *title = dyno_run_entry_dup_title (self->entry);

  if (!is_renaming (self))
    g_set_weak_pointer (&self->focus_before_renaming, gtk_root_get_focus (gtk_widget_get_root (widget)));
  gtk_editable_set_text (self->title_entry, title);
  gtk_stack_set_visible_child (self->title_stack, GTK_WIDGET (self->title_entry));
  gtk_widget_grab_focus (GTK_WIDGET (self->title_entry));
}

static void
compare_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);

  gtk_widget_activate_action (widget, "win.compare-run", "(ss)",
                              dyno_store_get_path (dyno_run_entry_get_store (self->entry)),
                              dyno_run_entry_get_id (self->entry));
}

static void
imported_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoRunView) self = DYNO_RUN_VIEW (user_data);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) ids = dyno_store_import_document_finish (DYNO_STORE (object), result, &error);
  g_autofree char *text = NULL;
  guint n_runs;

  if (ids == NULL)
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("The runs could not be imported"), error);
      return;
    }
  n_runs = g_strv_length (ids);
  text = n_runs == 0 ? g_strdup (_ ("These runs are among your results already"))
                     : g_strdup_printf (ngettext ("%u run imported", "%u runs imported", n_runs), n_runs);
  dyno_toast_say (GTK_WIDGET (self), text);
}

static void
import_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoRunView *self = DYNO_RUN_VIEW (widget);
  DynoStore *store = dyno_application_get_store (DYNO_APPLICATION (g_application_get_default ()));

  if (store == NULL)
    {
      dyno_toast_say (widget, _ ("The store of your results is not open"));
      return;
    }
  dyno_store_import_document_async (store, dyno_store_get_path (dyno_run_entry_get_store (self->entry)), NULL,
                                    imported_cb, g_object_ref (self));
}

static void
say_saved (DynoRunView *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = g_strdup_printf (_ ("Saved to “%s”"), name);

  dyno_toast_say (GTK_WIDGET (self), text);
}

typedef struct
{
  DynoRunView *view;
  GFile *file;
} Saving;

static void
saving_free (Saving *saving)
{
  g_object_unref (saving->view);
  g_object_unref (saving->file);
  g_free (saving);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Saving, saving_free)

static void
document_saved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) saving = user_data;
  g_autoptr (GError) error = NULL;

  if (dyno_store_save_document_finish (DYNO_STORE (object), result, &error))
    say_saved (saving->view, saving->file);
  else
    dyno_toast_report_error (GTK_WIDGET (saving->view), _ ("The run could not be saved"), error);
}

static void
document_file_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoRunView *self = DYNO_RUN_VIEW (object);
  g_autoptr (DynoRunEntry) entry = user_data;
  g_autoptr (GFile) file = dyno_compat_choose_file_finish (result, NULL);
  const char *ids[] = { dyno_run_entry_get_id (entry), NULL };
  Saving *saving;

  if (file == NULL || g_file_peek_path (file) == NULL)
    return;
  saving = g_new (Saving, 1);
  *saving = (Saving){ g_object_ref (self), g_object_ref (file) };
  dyno_store_save_document_async (dyno_run_entry_get_store (entry), ids, g_file_peek_path (file), NULL,
                                  document_saved_cb, saving);
}

static char *
dup_file_name (DynoRunView *self, const char *suffix)
{
  g_autofree char *title = dyno_run_entry_dup_title (self->entry);

  g_strdelimit (title, "/", '-');
  return g_strdup_printf ("%s.%s", title, suffix);
}

static void
save_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_run_view_save (DYNO_RUN_VIEW (widget));
}

static void
report_saved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoRunView) self = DYNO_RUN_VIEW (user_data);
  g_autoptr (GError) error = NULL;

  if (g_file_replace_contents_finish (G_FILE (object), result, NULL, &error))
    say_saved (self, G_FILE (object));
  else
    dyno_toast_report_error (GTK_WIDGET (self), _ ("The report could not be written"), error);
}

static gboolean
get_report_format (GFile *file, DynoReportFormat *format)
{
  g_autofree char *name = g_file_get_basename (file);
  const char *dot = strrchr (name, '.');

  if (dot == NULL)
    return FALSE;
  return dyno_report_format_from_string (g_str_equal (dot, ".md") ? "markdown" : dot + 1, format);
}

static void
report_file_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoRunView *self = DYNO_RUN_VIEW (object);
  g_autoptr (DynoRun) run = user_data;
  g_autoptr (GFile) file = dyno_compat_choose_file_finish (result, NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  DynoReportFormat format;
  char *text;

  if (file == NULL)
    return;
  if (!get_report_format (file, &format))
    {
      dyno_toast_say (GTK_WIDGET (self), _ ("Choose a name that ends in .md, .json or .csv"));
      return;
    }
  g_ptr_array_add (runs, run);
  text = dyno_report_write (runs, format);
  bytes = g_bytes_new_take (text, strlen (text));
  g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, NULL,
                                       report_saved_cb, g_object_ref (self));
}

static void
report_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  static const char *const suffixes[] = { "md", "json", "csv", NULL };
  DynoRunView *self = DYNO_RUN_VIEW (widget);
  g_autoptr (GListStore) filters = g_list_store_new (GTK_TYPE_FILE_FILTER);
  g_autoptr (GtkFileFilter) filter =
      dyno_compat_file_filter_new (_ ("Reports (Markdown, JSON, CSV)"), suffixes);
  g_autofree char *name = dup_file_name (self, g_variant_get_string (parameter, NULL));

  g_list_store_append (filters, filter);
  dyno_compat_save_file_async (widget, _ ("Save Report"), name, G_LIST_MODEL (filters), NULL, report_file_cb,
                               g_object_ref (self->run));
}

static void
dyno_run_view_dispose (GObject *object)
{
  DynoRunView *self = DYNO_RUN_VIEW (object);

  if (self->notes_view != NULL)
    commit_notes (self);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  forget_ceilings (self);
  if (self->entry != NULL)
    g_signal_handlers_disconnect_by_data (self->entry, self);
  g_clear_object (&self->entry);
  g_clear_object (&self->run);
  g_clear_weak_pointer (&self->focus_before_renaming);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_RUN_VIEW);

  G_OBJECT_CLASS (dyno_run_view_parent_class)->dispose (object);
}

static void
dyno_run_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoRunView *self = DYNO_RUN_VIEW (object);

  switch (prop_id)
    {
    case PROP_ENTRY:
      g_value_set_object (value, self->entry);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    case PROP_RUN:
      g_value_set_object (value, self->run);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_narrow (DynoRunView *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  if (narrow)
    gtk_widget_add_css_class (GTK_WIDGET (self), "dyno-narrow");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "dyno-narrow");
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NARROW]);
}

static void
dyno_run_view_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoRunView *self = DYNO_RUN_VIEW (object);

  switch (prop_id)
    {
    case PROP_ENTRY:
      dyno_run_view_set_entry (self, g_value_get_object (value));
      break;
    case PROP_NARROW:
      set_narrow (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, failed_page);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, scrolled_window);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, title_stack);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, title_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, title_entry);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, details_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, document_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, document_label);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, latency_tile);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, throughput_tile);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, memory_tile);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, flops_tile);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, bandwidth_tile);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, energy_tile);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, efficiency_tile);
  gtk_widget_class_bind_template_callback (widget_class, chart_activated_cb);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, cases_tile);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, charts);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, case_table);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, case_view);
  gtk_widget_class_bind_template_child (widget_class, DynoRunView, notes_view);
  gtk_widget_class_bind_template_callback (widget_class, retry_cb);
  gtk_widget_class_bind_template_callback (widget_class, title_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, title_left_cb);
  gtk_widget_class_bind_template_callback (widget_class, title_key_cb);
  gtk_widget_class_bind_template_callback (widget_class, commit_notes);
  gtk_widget_class_bind_template_callback (widget_class, case_selected_cb);
}

static void
dyno_run_view_class_init (DynoRunViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = dyno_run_view_dispose;
  object_class->get_property = dyno_run_view_get_property;
  object_class->set_property = dyno_run_view_set_property;

  properties[PROP_ENTRY] = g_param_spec_object ("entry", NULL, NULL, DYNO_TYPE_RUN_ENTRY, flags);
  properties[PROP_NARROW] = g_param_spec_boolean ("narrow", NULL, NULL, FALSE, flags);
  properties[PROP_RUN] =
      g_param_spec_object ("run", NULL, NULL, DYNO_TYPE_RUN, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (DYNO_TYPE_TILE);
  g_type_ensure (DYNO_TYPE_COLUMNS);
  g_type_ensure (DYNO_TYPE_CHART_GROUPS);
  g_type_ensure (DYNO_TYPE_CASE_TABLE);
  g_type_ensure (DYNO_TYPE_CASE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-run-view.ui");
  bind_template (widget_class);
  gtk_widget_class_install_action (widget_class, "run.rename", NULL, rename_action);
  gtk_widget_class_install_action (widget_class, "run.compare", NULL, compare_action);
  gtk_widget_class_install_action (widget_class, "run.import", NULL, import_action);
  gtk_widget_class_install_action (widget_class, "run.save", NULL, save_action);
  gtk_widget_class_install_action (widget_class, "run.report", "s", report_action);
}

static void
dyno_run_view_init (DynoRunView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  set_run (self, NULL);
}

/**
 * dyno_run_view_get_entry:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it shows
 */
DynoRunEntry *
dyno_run_view_get_entry (DynoRunView *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_VIEW (self), NULL);
  return self->entry;
}

/**
 * dyno_run_view_set_entry:
 * @self: a view
 * @entry: (nullable): what it shall show
 *
 * Reads the run and shows it.
 */
void
dyno_run_view_set_entry (DynoRunView *self, DynoRunEntry *entry)
{
  g_return_if_fail (DYNO_IS_RUN_VIEW (self));
  g_return_if_fail (entry == NULL || DYNO_IS_RUN_ENTRY (entry));

  if (self->entry == entry)
    return;

  commit_notes (self);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->entry != NULL)
    g_signal_handlers_disconnect_by_data (self->entry, self);
  stop_renaming (self);
  g_set_object (&self->entry, entry);
  set_run (self, NULL);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  if (entry == NULL)
    gtk_stack_set_visible_child_name (self->stack, "none");
  if (entry != NULL)
    {
      g_signal_connect_object (entry, "notify::title", G_CALLBACK (show_title), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (entry, "notify::details", G_CALLBACK (details_changed_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (entry, "write-failed", G_CALLBACK (write_failed_cb), self, G_CONNECT_SWAPPED);
      self->is_new = TRUE;
      self->patience_id = g_timeout_add (PATIENCE_MS, out_of_patience_cb, self);
      load (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENTRY]);
}

/**
 * dyno_run_view_get_run:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): the run with its results, once they are read
 */
DynoRun *
dyno_run_view_get_run (DynoRunView *self)
{
  g_return_val_if_fail (DYNO_IS_RUN_VIEW (self), NULL);
  return self->run;
}

/**
 * dyno_run_view_save:
 * @self: a view
 *
 * Asks where to, and saves the run as a `.dyno` document.
 */
void
dyno_run_view_save (DynoRunView *self)
{
  static const char *const suffixes[] = { "dyno", NULL };
  g_autoptr (GListStore) filters = g_list_store_new (GTK_TYPE_FILE_FILTER);
  g_autoptr (GtkFileFilter) filter = dyno_compat_file_filter_new (_ ("Dyno results"), suffixes);
  g_autofree char *name = NULL;

  g_return_if_fail (DYNO_IS_RUN_VIEW (self));

  if (self->run == NULL)
    return;
  g_list_store_append (filters, filter);
  name = dup_file_name (self, "dyno");
  dyno_compat_save_file_async (GTK_WIDGET (self), _ ("Save Results"), name, G_LIST_MODEL (filters), NULL,
                               document_file_cb, g_object_ref (self->entry));
}
