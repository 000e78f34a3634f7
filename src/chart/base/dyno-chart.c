/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-ink.h"

#define CURSOR_SIZE 6.0
/* The room around the panels, in px. */
#define ROOM      28.0
#define NOTE_ROOM 8.0
#define NOTE_LINE 16.0
/* The average width of a letter of the note, in px. */
#define NOTE_LETTER 6.5
/* The room around the words beside rows. */
#define ASIDE_ROOM           12.0
#define ASIDE_ROOM_WITH_NAME 18.0
/* The most lines of which a selection tells the values. */
#define MAX_TOLD 3

struct _DynoChart
{
  GObject parent_instance;

  const DynoChartInfo *info;
  GPtrArray *runs;
  DynoResult *result;
  gpointer subject;
  GDestroyNotify free_subject;
  GHashTable *ceilings;
  guint aspect;

  char *title;
  char *caption;
  char *finding;
  char *selected_finding; /* in its place while a part is selected */
  char *note;
  char *doubt;
  char *empty_message;
  char *cursor_text;
  DynoChartData *data; /* only while it is being built */
  GPtrArray *panels;
  GPtrArray *series;
  GPtrArray *legend;
  GPtrArray *layers;
  DynoChartTable *table;
  GPtrArray *rows;
  GPtrArray *aspects;
  gboolean labels_lines;
  gboolean names_lines; /* whether the last picture had room for that */
  gboolean keeps_aside;

  GArray *taken;
  DynoChartCursor cursor;
  DynoChartLink *link;
  DynoChartSelection selection;
  double anchor; /* where a selection by keys began, in s; NaN without one */
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoChart, dyno_chart, G_TYPE_OBJECT)

static guint signals[N_SIGNALS];

static void
clear_contents (DynoChart *self)
{
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->caption, g_free);
  g_clear_pointer (&self->finding, g_free);
  g_clear_pointer (&self->selected_finding, g_free);
  g_clear_pointer (&self->note, g_free);
  g_clear_pointer (&self->doubt, g_free);
  g_clear_pointer (&self->empty_message, g_free);
  g_clear_pointer (&self->cursor_text, g_free);
  g_ptr_array_set_size (self->panels, 0);
  g_ptr_array_add (self->panels, dyno_chart_panel_new ());
  g_ptr_array_set_size (self->aspects, 0);
  g_ptr_array_set_size (self->legend, 0);
  g_ptr_array_set_size (self->series, 0);
  g_ptr_array_set_size (self->layers, 0);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->table, dyno_chart_table_free);
  self->table = dyno_chart_table_new ();
}

static void
dyno_chart_finalize (GObject *object)
{
  DynoChart *self = DYNO_CHART (object);

  if (self->link != NULL)
    dyno_chart_link_remove (self->link, self);
  g_clear_object (&self->link);
  clear_contents (self);
  g_ptr_array_unref (self->panels);
  g_ptr_array_unref (self->legend);
  g_ptr_array_unref (self->series);
  g_ptr_array_unref (self->layers);
  g_clear_pointer (&self->table, dyno_chart_table_free);
  g_ptr_array_unref (self->runs);
  g_ptr_array_unref (self->aspects);
  g_hash_table_unref (self->ceilings);
  g_array_unref (self->taken);
  g_clear_object (&self->result);
  if (self->free_subject != NULL)
    self->free_subject (self->subject);

  G_OBJECT_CLASS (dyno_chart_parent_class)->finalize (object);
}

static void
dyno_chart_class_init (DynoChartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_chart_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_chart_init (DynoChart *self)
{
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->panels = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_chart_panel_free);
  self->legend = g_ptr_array_new ();
  self->series = g_ptr_array_new_with_free_func (g_object_unref);
  self->layers = g_ptr_array_new_with_free_func (g_object_unref);
  self->aspects = g_ptr_array_new_with_free_func (g_free);
  self->ceilings = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify)g_ptr_array_unref);
  self->taken = g_array_new (FALSE, FALSE, sizeof (DynoTextBox));
  self->names_lines = TRUE;
  self->anchor = NAN;
  self->cursor.series = self->series;
  self->cursor.layers = self->layers;
  self->cursor.panels = self->panels;
}

static void
emit_changed (DynoChart *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
cursor_moved (DynoChart *self)
{
  emit_changed (self);
  if (self->link != NULL)
    dyno_chart_link_share_cursor (self->link, self);
}

static void
axes_moved (DynoChart *self)
{
  emit_changed (self);
  if (self->link != NULL)
    dyno_chart_link_share_axes (self->link, self);
}

static gboolean
has_doubt (DynoChart *self, DynoDoubt doubt)
{
  for (guint i = 0; i < self->series->len; i++)
    if (dyno_series_has_doubt (g_ptr_array_index (self->series, i), doubt))
      return TRUE;
  return FALSE;
}

static void
build (DynoChart *self, DynoChartData *data)
{
  clear_contents (self);
  self->data = data;
  if (self->info->has_data != NULL)
    {
      GPtrArray *cases = dyno_chart_data_get_cases (data);
      const DynoChartInfo *info = self->info;
      g_autoptr (GPtrArray) shown =
          dyno_chart_cases_select (cases, info->has_data, info->limit > 0 ? info->limit : G_MAXUINT);

      self->title = g_strdup (_ (info->title != NULL ? info->title : info->label));
      self->empty_message = info->dup_empty != NULL ? info->dup_empty (cases) : NULL;
      if (self->empty_message == NULL)
        self->empty_message = g_strdup (_ (info->empty));
      if (shown->len > 0)
        {
          if (info->limit > 0)
            self->caption = dyno_chart_cases_dup_limited_caption (cases, shown, info->has_data);
          dyno_chart_tell_doubtful (self, shown);
          info->build (self, shown);
        }
    }
  else
    self->info->build (self, dyno_chart_data_get_cases (data));
  self->data = NULL;

  GString *note = g_string_new (self->note);
  if (has_doubt (self, DYNO_DOUBT_IMPORTED))
    dyno_sentences_append (note, _ ("Dotted ring: imported, as another tool measured it."));
  if (has_doubt (self, DYNO_DOUBT_DOUBTFUL))
    dyno_sentences_append (note, _ ("Amber ring: doubtful."));
  if (has_doubt (self, DYNO_DOUBT_UNSTEADY))
    dyno_sentences_append (note, _ ("Amber dashes: unsteady."));
  dyno_sentences_append (note, self->doubt);
  dyno_chart_take_note (self, g_string_free (note, note->len == 0));
}

/* Builds it again from the current state of its runs. */
static void
build_anew (DynoChart *self)
{
  g_autoptr (DynoChartData) data = dyno_chart_data_new (self->runs, self->result, self->ceilings);

  build (self, data);
}

static DynoChartPanel *
get_panel (DynoChart *self, guint index)
{
  return g_ptr_array_index (self->panels, index);
}

/* Returns the panel that is being filled. */
static DynoChartPanel *
get_last_panel (DynoChart *self)
{
  return get_panel (self, self->panels->len - 1);
}

/* --- functions for the files of the kinds --- */

DynoChart *
dyno_chart_create (const DynoChartInfo *info, DynoChartData *data)
{
  DynoChart *self = g_object_new (DYNO_TYPE_CHART, NULL);
  GPtrArray *runs = dyno_chart_data_get_runs (data);

  self->info = info;
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (self->runs, g_object_ref (g_ptr_array_index (runs, i)));
  dyno_chart_data_copy_ceilings (dyno_chart_data_get_ceilings (data), self->ceilings);
  g_set_object (&self->result, dyno_chart_data_get_result (data));
  build (self, data);
  dyno_chart_set_link (self, dyno_chart_data_get_link (data));
  return self;
}

DynoChart *
dyno_chart_create_for (const DynoChartInfo *info, gpointer subject, GDestroyNotify free)
{
  DynoChart *self = g_object_new (DYNO_TYPE_CHART, NULL);

  self->info = info;
  self->subject = subject;
  self->free_subject = free;
  build_anew (self);
  return self;
}

gpointer
dyno_chart_get_subject (DynoChart *self)
{
  return self->subject;
}

GPtrArray *
dyno_chart_get_runs (DynoChart *self)
{
  return self->runs;
}

GPtrArray *
dyno_chart_get_cases (DynoChart *self)
{
  return dyno_chart_data_get_cases (self->data);
}

guint
dyno_chart_get_slot (DynoChart *self, const DynoChartCase *kase, guint among)
{
  return dyno_chart_data_get_slot (self->data, kase, among);
}

DynoSeries *
dyno_chart_find_series (
    DynoChart *self, GPtrArray *all, const DynoChartCase *kase, const char *name, guint among)
{
  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (dyno_series_get_name (g_ptr_array_index (all, i)), name))
      return g_ptr_array_index (all, i);
  g_ptr_array_add (all, dyno_series_new (name, dyno_chart_get_slot (self, kase, among)));
  return g_ptr_array_index (all, all->len - 1);
}

void
dyno_chart_begin_panel (DynoChart *self, const char *name)
{
  if (get_last_panel (self)->name != NULL)
    g_ptr_array_add (self->panels, dyno_chart_panel_new ());
  get_last_panel (self)->name = g_strdup (name);
}

void
dyno_chart_name_panel_axis (DynoChart *self)
{
  get_last_panel (self)->names_axis = TRUE;
}

void
dyno_chart_take_panel_finding (DynoChart *self, char *finding)
{
  DynoChartPanel *panel = get_last_panel (self);

  g_free (panel->finding);
  panel->finding = finding;
}

void
dyno_chart_take_title (DynoChart *self, char *title)
{
  g_free (self->title);
  self->title = title;
}

void
dyno_chart_take_caption (DynoChart *self, char *caption)
{
  g_free (self->caption);
  self->caption = caption;
}

void
dyno_chart_take_finding (DynoChart *self, char *finding)
{
  g_free (self->finding);
  self->finding = finding;
}

void
dyno_chart_take_note (DynoChart *self, char *note)
{
  g_free (self->note);
  self->note = note;
}

void
dyno_chart_tell_doubtful (DynoChart *self, GPtrArray *cases)
{
  g_free (self->doubt);
  self->doubt = dyno_chart_cases_dup_doubtful (cases);
}

void
dyno_chart_set_empty_message (DynoChart *self, const char *message)
{
  g_free (self->empty_message);
  self->empty_message = g_strdup (message);
}

void
dyno_chart_take_axes (DynoChart *self, DynoAxis *x_axis, DynoAxis *y_axis)
{
  DynoChartPanel *panel = get_last_panel (self);

  g_clear_object (&panel->x_axis);
  g_clear_object (&panel->y_axis);
  panel->x_axis = x_axis;
  panel->y_axis = y_axis;
  dyno_chart_panel_forget (panel);
}

void
dyno_chart_take_lower_axis (DynoChart *self, DynoAxis *y_axis)
{
  DynoChartPanel *panel = get_last_panel (self);

  g_clear_object (&panel->lower_axis);
  panel->lower_axis = y_axis;
  dyno_chart_panel_forget (panel);
}

void
dyno_chart_add_aspect (DynoChart *self, const char *name)
{
  g_ptr_array_add (self->aspects, g_strdup (name));
}

void
dyno_chart_set_labels_lines (DynoChart *self, gboolean labels_lines)
{
  self->labels_lines = labels_lines;
}

void
dyno_chart_keep_aside (DynoChart *self)
{
  self->keeps_aside = TRUE;
}

/* The legend leaves out a series that follows another one. */
void
dyno_chart_add_series (DynoChart *self, DynoSeries *series)
{
  g_ptr_array_add (self->series, g_object_ref (series));
  if (!dyno_series_has_leader (series))
    g_ptr_array_add (self->legend, series);
}

void
dyno_chart_take_layer (DynoChart *self, DynoLayer *layer)
{
  dyno_layer_set_panel (layer, self->panels->len - 1);
  g_ptr_array_add (self->layers, layer);
}

void
dyno_chart_take_lower_layer (DynoChart *self, DynoLayer *layer)
{
  dyno_layer_set_lower (layer, TRUE);
  dyno_chart_take_layer (self, layer);
}

/* Creates the table of a chart that is being built, to be filled. */
DynoChartTable *
dyno_chart_build_table (DynoChart *self)
{
  return self->table;
}

/* --- public --- */

/* Says what the selected part of each line is, up to a few lines. */
static void
describe_selection (DynoChart *self)
{
  g_autoptr (GString) words = g_string_new (NULL);
  guint n_told = 0;

  g_clear_pointer (&self->selected_finding, g_free);
  if (!self->selection.is_set || !self->selection.is_done || !dyno_chart_can_select (self))
    return;
  DynoAxis *time = get_panel (self, 0)->x_axis;
  g_autofree char *from = dyno_axis_format (time, self->selection.from);
  g_autofree char *to = dyno_axis_format (time, self->selection.to);
  for (guint i = 0; i < self->series->len && n_told < MAX_TOLD; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->series, i);
      DynoChartCursor here = self->cursor;

      here.is_set = TRUE;
      here.index = i;
      DynoLayer *layer = dyno_chart_cursor_get_layer (&here);
      if (layer == NULL || dyno_layer_is_lower (layer))
        continue;
      g_autofree char *part = dyno_chart_panel_describe (get_panel (self, dyno_layer_get_panel (layer)),
                                                         series, self->selection.from, self->selection.to);
      if (part == NULL)
        continue;
      if (n_told++ > 0)
        g_string_append (words, "; ");
      if (self->legend->len > 1)
        g_string_append_printf (words, "%s ", dyno_series_get_name (series));
      g_string_append (words, part);
    }
  if (n_told == 0)
    /* Translators: the beginning and the end of a selected time */
    self->selected_finding = g_strdup_printf (_ ("Nothing was read from %s to %s."), from, to);
  else
    /* Translators: the beginning and the end of a selected time, and what was read in it */
    self->selected_finding = g_strdup_printf (_ ("From %s to %s: %s."), from, to, words->str);
}

static void
restore_zoom (DynoAxis *axis, DynoAxis *before)
{
  if (axis != NULL && before != NULL && dyno_axis_is_like (axis, before))
    dyno_axis_copy_zoom (axis, before);
}

void
dyno_chart_refresh (DynoChart *self)
{
  g_return_if_fail (DYNO_IS_CHART (self));

  g_autoptr (GHashTable) hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < self->legend->len; i++)
    if (!dyno_chart_get_series_visible (self, i))
      g_hash_table_add (hidden, g_strdup (dyno_chart_get_series_name (self, i)));
  g_autofree char *title = g_strdup (self->title);
  g_autoptr (GPtrArray) before = self->panels;
  self->panels = self->cursor.panels = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_chart_panel_free);
  build_anew (self);
  if (self->link != NULL)
    dyno_chart_link_join (self->link);
  if (self->title == NULL)
    self->title = g_steal_pointer (&title);
  for (guint i = 0; i < self->legend->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (self->legend, i);

      dyno_series_set_visible (series, !g_hash_table_contains (hidden, dyno_series_get_name (series)));
    }
  for (guint i = 0; i < MIN (before->len, self->panels->len); i++)
    {
      const DynoChartPanel *old = g_ptr_array_index (before, i);

      restore_zoom (get_panel (self, i)->x_axis, old->x_axis);
      restore_zoom (get_panel (self, i)->y_axis, old->y_axis);
    }
  dyno_chart_cursor_check (&self->cursor);
  describe_selection (self);
  axes_moved (self);
}

void
dyno_chart_set_link (DynoChart *self, DynoChartLink *link)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (link == NULL || DYNO_IS_CHART_LINK (link));

  if (self->link == link)
    return;
  if (self->link != NULL)
    dyno_chart_link_remove (self->link, self);
  g_set_object (&self->link, link);
  if (link != NULL)
    dyno_chart_link_add (link, self);
  else
    emit_changed (self);
}

GPtrArray *
dyno_chart_get_panels (DynoChart *self)
{
  return self->panels;
}

void
dyno_chart_follow (DynoChart *self, DynoChart *leader)
{
  if (dyno_chart_cursor_follow (&self->cursor, &leader->cursor))
    emit_changed (self);
}

void
dyno_chart_set_ceilings (DynoChart *self, DynoRun *run, GPtrArray *ceilings)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (DYNO_IS_RUN (run));
  g_return_if_fail (ceilings != NULL);

  g_hash_table_insert (self->ceilings, g_object_ref (run), g_ptr_array_ref (ceilings));
  if (self->info->flags & DYNO_CHART_HAS_ROOFS)
    dyno_chart_refresh (self);
}

static void
prepare (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GPtrArray *results = data;

  for (guint i = 0; i < results->len; i++)
    {
      g_autoptr (DynoResult) result = dyno_chart_guard_result (g_ptr_array_index (results, i));
      g_autoptr (DynoTrace) joined = dyno_chart_cases_join_trace (result, "latency");
      g_autoptr (DynoSeries) series = dyno_series_new_from_trace ("", 0, joined);

      g_array_unref (dyno_chart_cases_sort_steady (result));
    }
  g_task_return_boolean (task, TRUE);
}

/* A run that goes on still changes, and no thread may read it. */
void
dyno_chart_prepare_cases (DynoChart *self)
{
  GQuark quark = g_quark_from_static_string ("dyno-chart-prepared");
  GPtrArray *results = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  g_return_if_fail (DYNO_IS_CHART (self));

  for (guint i = 0; i < self->runs->len; i++)
    {
      GListModel *all = dyno_run_get_results (self->runs->pdata[i]);
      gboolean is_over = dyno_run_get_finished_at (self->runs->pdata[i]) > 0;

      for (guint j = 0; is_over && j < g_list_model_get_n_items (all); j++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (all, j);
          DynoTrace *trace = dyno_result_get_trace (result, "latency");

          if (trace == NULL || dyno_trace_get_length (trace) < DYNO_SERIES_LONG ||
              g_object_get_qdata (G_OBJECT (trace), quark) != NULL)
            continue;
          g_object_set_qdata (G_OBJECT (trace), quark, trace);
          g_ptr_array_add (results, g_steal_pointer (&result));
        }
    }
  gboolean has_any = results->len > 0;
  g_task_set_source_tag (task, dyno_chart_prepare_cases);
  g_task_set_task_data (task, results, (GDestroyNotify)g_ptr_array_unref);
  if (has_any)
    g_task_run_in_thread (task, prepare);
}

double
dyno_chart_get_natural_height (DynoChart *self, double width)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), 0);

  guint n_rows = dyno_chart_panel_count_rows (get_panel (self, 0));
  if (self->panels->len == 1 && n_rows == 0)
    return 0;
  double height = dyno_chart_panels_get_height (self->panels, width);
  if (self->panels->len > 1)
    height = MAX (height, DYNO_CHART_MIN_PANELS_HEIGHT);
  return height + ROOM;
}

double
dyno_chart_get_note_height (DynoChart *self, double width)
{
  if (self->note == NULL)
    return 0;
  double n_lines = ceil ((double)g_utf8_strlen (self->note, -1) * NOTE_LETTER / MAX (width, 1));
  return NOTE_ROOM + MIN (n_lines, DYNO_CHART_MAX_NOTE_LINES) * NOTE_LINE;
}

gboolean
dyno_chart_names_lines (DynoChart *self)
{
  guint n_lower = 0;

  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);

  /* The titles of the axes name a lone line in each of two plots. */
  for (guint i = 0; i < self->layers->len; i++)
    n_lower += dyno_layer_is_lower (self->layers->pdata[i]) && dyno_layer_has_points (self->layers->pdata[i]);
  return (self->labels_lines && self->names_lines) ||
         (self->panels->len == 1 && n_lower == 1 && self->legend->len == 2);
}

guint
dyno_chart_get_n_panels (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), 0);
  return self->panels->len;
}

guint
dyno_chart_get_n_plots (DynoChart *self)
{
  guint n_plots;

  g_return_val_if_fail (DYNO_IS_CHART (self), 0);

  n_plots = self->panels->len;
  for (guint i = 0; i < self->panels->len; i++)
    n_plots += get_panel (self, i)->lower_axis != NULL ? 1 : 0;
  return n_plots;
}

const char *
dyno_chart_get_panel_title (DynoChart *self, guint panel)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  g_return_val_if_fail (panel < self->panels->len, NULL);
  return dyno_chart_panel_get_title (get_panel (self, panel));
}

guint
dyno_chart_get_n_aspects (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), 0);
  return self->aspects->len;
}

const char *
dyno_chart_get_aspect_name (DynoChart *self, guint aspect)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  g_return_val_if_fail (aspect < self->aspects->len, NULL);
  return g_ptr_array_index (self->aspects, aspect);
}

guint
dyno_chart_get_aspect (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), 0);
  return self->aspect;
}

void
dyno_chart_set_aspect (DynoChart *self, guint aspect)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (aspect < self->aspects->len);

  if (aspect == self->aspect)
    return;
  self->aspect = aspect;
  dyno_chart_refresh (self);
}

const char *
dyno_chart_get_title (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  return self->title;
}

const char *
dyno_chart_get_caption (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  return self->caption != NULL ? self->caption : "";
}

const char *
dyno_chart_get_note (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  return self->note != NULL ? self->note : "";
}

const char *
dyno_chart_get_finding (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  if (dyno_chart_get_empty_message (self) != NULL)
    return self->empty_message;
  if (self->selected_finding != NULL)
    return self->selected_finding;
  return self->finding != NULL ? self->finding : "";
}

const char *
dyno_chart_get_empty_message (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);

  for (guint i = 0; i < self->series->len; i++)
    if (dyno_series_get_length (g_ptr_array_index (self->series, i)) > 0)
      return NULL;
  return self->empty_message;
}

guint
dyno_chart_get_n_series (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), 0);
  return self->legend->len;
}

const char *
dyno_chart_get_series_name (DynoChart *self, guint series)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  g_return_val_if_fail (series < self->legend->len, NULL);
  return dyno_series_get_name (g_ptr_array_index (self->legend, series));
}

gboolean
dyno_chart_get_series_visible (DynoChart *self, guint series)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);
  g_return_val_if_fail (series < self->legend->len, FALSE);
  return dyno_series_get_visible (g_ptr_array_index (self->legend, series));
}

void
dyno_chart_set_series_visible (DynoChart *self, guint series, gboolean visible)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (series < self->legend->len);

  if (dyno_chart_get_series_visible (self, series) == visible)
    return;
  dyno_series_set_visible (g_ptr_array_index (self->legend, series), visible);
  dyno_chart_cursor_check (&self->cursor);
  emit_changed (self);
}

void
dyno_chart_render_swatch (
    DynoChart *self, guint series, cairo_t *cr, double width, double height, const DynoChartStyle *style)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (series < self->legend->len);
  dyno_ink_draw_swatch (g_ptr_array_index (self->legend, series), cr, style, width, height);
}

/* --- drawing --- */

static gboolean
is_in (DynoChart *self, guint layer, guint panel, gboolean lower)
{
  DynoLayer *here = g_ptr_array_index (self->layers, layer);

  return dyno_layer_get_panel (here) == panel && dyno_layer_is_lower (here) == lower;
}

/* Returns the panel and the series of the point under the cursor, if there are several. */
static const char *
dup_cursor_name (DynoChart *self, char **name)
{
  const char *series = dyno_series_get_name (g_ptr_array_index (self->series, self->cursor.index));
  const char *panel =
      dyno_chart_get_panel_title (self, dyno_layer_get_panel (dyno_chart_cursor_get_layer (&self->cursor)));

  if (panel != NULL)
    *name = self->legend->len > 1 ? g_strdup_printf ("%s · %s", panel, series) : g_strdup (panel);
  else
    *name = self->legend->len > 1 ? g_strdup (series) : NULL;
  return *name;
}

static void
draw_cursor (DynoChart *self, cairo_t *cr, double width, double height, const DynoChartStyle *style)
{
  DynoLayer *layer = dyno_chart_cursor_get_layer (&self->cursor);
  g_autofree char *name = NULL;
  double x, y;

  if (layer == NULL)
    return;
  const DynoPlot *plot = dyno_chart_cursor_get_plot (&self->cursor);
  if (plot->height <= 0)
    return;
  dyno_layer_locate (layer, plot, self->cursor.point, &x, &y);
  if (!dyno_plot_contains (plot, x, y))
    return;
  cairo_new_path (cr);
  cairo_arc (cr, x, y, CURSOR_SIZE, 0, 2 * G_PI);
  dyno_ink_set_faded (cr, &style->accent, 0.25);
  cairo_fill_preserve (cr);
  dyno_ink_set (cr, &style->accent);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  g_autofree char *text = dyno_chart_cursor_describe (&self->cursor);
  dyno_chart_tooltip_draw (dup_cursor_name (self, &name), text, x, y, width, height, cr, style);
}

static void
draw_plot (DynoChart *self, guint index, gboolean lower, cairo_t *cr, const DynoChartStyle *style)
{
  /* Room for markers and their rings at the very edge. */
  double slack = has_doubt (self, DYNO_DOUBT_IMPORTED) || has_doubt (self, DYNO_DOUBT_DOUBTFUL) ||
                         has_doubt (self, DYNO_DOUBT_UNSTEADY)
                     ? 9
                     : 5;
  const DynoChartPanel *panel = get_panel (self, index);
  const DynoPlot *plot = lower ? &panel->lower : &panel->plot;

  if (plot->height <= 0)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, plot->x - (DYNO_IS_CATEGORY_AXIS (plot->y_axis) ? 0 : slack), plot->y - slack,
                   plot->width + plot->aside + 2 * slack, plot->height + 2 * slack);
  cairo_clip (cr);
  g_array_set_size (self->taken, 0);
  for (guint i = 0; i < self->layers->len; i++)
    if (is_in (self, i, index, lower))
      dyno_layer_render (g_ptr_array_index (self->layers, i), cr, plot, style);
  for (guint i = 0; i < self->layers->len; i++)
    if (is_in (self, i, index, lower))
      dyno_layer_annotate (g_ptr_array_index (self->layers, i), cr, plot, style);
  if (self->selection.is_set && dyno_chart_can_select (self))
    {
      double left = CLAMP (dyno_plot_get_x (plot, self->selection.from), plot->x, plot->x + plot->width);
      double right = CLAMP (dyno_plot_get_x (plot, self->selection.to), plot->x, plot->x + plot->width);

      cairo_rectangle (cr, left, plot->y, right - left, plot->height);
      dyno_ink_set_faded (cr, &style->accent, style->high_contrast ? 0.3 : 0.15);
      cairo_fill (cr);
      cairo_rectangle (cr, round (left), plot->y, 1, plot->height);
      cairo_rectangle (cr, round (right) - 1, plot->y, 1, plot->height);
      dyno_ink_set (cr, &style->accent);
      cairo_fill (cr);
    }
  cairo_restore (cr);
}

/* Lays out the inside of the frame and draws it between the grid and the words. */
static void
draw_panel (DynoChart *self, guint index, DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  DynoChartPanel *panel = get_panel (self, index);

  frame->plot = (DynoPlot){ .x_axis = panel->x_axis, .y_axis = panel->y_axis, .taken = self->taken };
  frame->lower = (DynoPlot){ .x_axis = panel->x_axis, .y_axis = panel->lower_axis, .taken = self->taken };
  dyno_chart_frame_layout (frame, cr, style);
  panel->plot = frame->plot;
  panel->lower = frame->lower;
  dyno_chart_frame_draw_grid (frame, cr, style);
  draw_plot (self, index, FALSE, cr, style);
  draw_plot (self, index, TRUE, cr, style);
  dyno_chart_frame_draw_axes (frame, cr, style);
  dyno_chart_frame_draw_words (frame, cr, style);
  dyno_chart_frame_clear (frame);
}

/* Each small multiple is a picture within the picture. */
static void
draw_multiples (DynoChart *self, DynoChartFrame *frame, cairo_t *cr, const DynoChartStyle *style)
{
  frame->role = DYNO_CHART_FRAME_AROUND;
  dyno_chart_frame_layout (frame, cr, style);
  DynoPlot content = frame->plot;
  guint n_drawn = dyno_chart_panels_layout (self->panels, &content);
  if (n_drawn < self->panels->len)
    {
      content.height -= dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style);
      n_drawn = dyno_chart_panels_layout (self->panels, &content);
    }
  for (guint i = 0; i < n_drawn; i++)
    {
      DynoChartPanel *panel = get_panel (self, i);
      DynoChartFrame inner = {
        .role = DYNO_CHART_FRAME_PANEL,
        .title = dyno_chart_panel_get_title (panel),
        .finding = panel->finding,
        .is_above = i + 1 < n_drawn && dyno_chart_panels_share_time (self->panels),
        .width = panel->cell.width,
        .height = panel->cell.height,
      };

      cairo_save (cr);
      cairo_translate (cr, panel->cell.x, panel->cell.y);
      draw_panel (self, i, &inner, cr, style);
      cairo_restore (cr);
      dyno_chart_panel_move (panel, panel->cell.x, panel->cell.y);
    }
  for (guint i = n_drawn; i < self->panels->len; i++)
    dyno_chart_panel_forget (get_panel (self, i));
  dyno_chart_frame_draw_words (frame, cr, style);
  dyno_chart_frame_draw_left_out (frame, self->panels->len - n_drawn, cr, style);
}

static double
measure_words (const char *words, cairo_t *cr, const DynoChartStyle *style)
{
  DynoText text = { .text = words, .size = DYNO_TEXT_SMALL };
  double width = 0;
  double height;

  if (words != NULL)
    dyno_text_measure (&text, cr, style, &width, &height);
  return width;
}

static void
draw_contents (DynoChart *self, cairo_t *cr, double width, double height, const DynoChartStyle *style)
{
  DynoChartFrame frame = {
    .title = self->title,
    .finding = dyno_chart_get_finding (self),
    .note = self->note,
    .caption = dyno_chart_get_caption (self),
    .series = self->legend,
    .labels_lines = self->labels_lines,
    .width = width,
    .height = height,
  };

  if (dyno_chart_get_empty_message (self) != NULL)
    {
      dyno_chart_frame_draw_message (&frame, self->empty_message, cr, style);
      return;
    }
  if (self->keeps_aside)
    for (guint i = 0; i < self->series->len; i++)
      {
        DynoSeries *series = g_ptr_array_index (self->series, i);
        double name = measure_words (dyno_series_get_name (series), cr, style);

        for (guint j = 0; j < dyno_series_get_length (series); j++)
          {
            double label = measure_words (dyno_series_get_label (series, j), cr, style);

            frame.aside[0] = MAX (frame.aside[0], ceil (label + name + ASIDE_ROOM_WITH_NAME));
            frame.aside[1] = MAX (frame.aside[1], ceil (label + ASIDE_ROOM));
          }
      }
  if (self->panels->len == 1)
    {
      draw_panel (self, 0, &frame, cr, style);
      self->names_lines = frame.labels_width > 0;
    }
  else
    draw_multiples (self, &frame, cr, style);
  draw_cursor (self, cr, width, height, style);
}

void
dyno_chart_render (DynoChart *self, cairo_t *cr, double width, double height, const DynoChartStyle *style)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (cr != NULL);
  g_return_if_fail (style != NULL);

  if (width < 1 || height < 1)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  if (style->background.alpha > 0)
    {
      dyno_ink_set (cr, &style->background);
      cairo_paint (cr);
    }
  draw_contents (self, cr, width, height, style);
  cairo_restore (cr);
}

/* --- cursor --- */

gboolean
dyno_chart_hover (DynoChart *self, double x, double y)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);

  if (dyno_chart_cursor_pick (&self->cursor, x, y))
    cursor_moved (self);
  return self->cursor.is_set;
}

void
dyno_chart_unhover (DynoChart *self)
{
  g_return_if_fail (DYNO_IS_CHART (self));

  if (dyno_chart_cursor_clear (&self->cursor))
    cursor_moved (self);
}

gboolean
dyno_chart_move_cursor (DynoChart *self, int d_point, int d_series)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);

  gboolean moved = dyno_chart_cursor_move (&self->cursor, d_point, d_series);
  if (moved)
    cursor_moved (self);
  return moved;
}

const char *
dyno_chart_get_cursor_text (DynoChart *self)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);

  g_clear_pointer (&self->cursor_text, g_free);
  if (!self->cursor.is_set)
    return NULL;
  g_autofree char *text = dyno_chart_cursor_describe (&self->cursor);
  self->cursor_text = dup_cursor_name (self, &name) != NULL ? g_strdup_printf ("%s. %s", name, text)
                                                            : g_steal_pointer (&text);
  return self->cursor_text;
}

GObject *
dyno_chart_get_cursor_subject (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  return self->cursor.is_set ? dyno_series_get_subject (g_ptr_array_index (self->series, self->cursor.index),
                                                        self->cursor.point)
                             : NULL;
}

/* --- selection --- */

gboolean
dyno_chart_can_select (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);

  DynoAxis *along = get_panel (self, 0)->x_axis;
  return along != NULL && DYNO_IS_TIME_AXIS (along);
}

const DynoChartSelection *
dyno_chart_peek_selection (DynoChart *self)
{
  return &self->selection;
}

/* A chart without time is built again, of the part that is selected. */
void
dyno_chart_take_over_selection (DynoChart *self, const DynoChartSelection *selection)
{
  DynoChartSelection before = self->selection;

  self->selection = *selection;
  if (!before.is_set && !selection->is_set)
    return;
  if (!selection->is_set)
    self->anchor = NAN;
  if (dyno_chart_can_select (self))
    {
      describe_selection (self);
      emit_changed (self);
    }
  else if (selection->is_done || !selection->is_set)
    dyno_chart_refresh (self);
}

static void
change_selection (DynoChart *self, const DynoChartSelection *selection)
{
  dyno_chart_take_over_selection (self, selection);
  if (self->link != NULL)
    dyno_chart_link_share_selection (self->link, self);
}

void
dyno_chart_select (DynoChart *self, double x, double other_x, gboolean is_done)
{
  g_return_if_fail (DYNO_IS_CHART (self));

  const DynoPlot *plot = &get_panel (self, 0)->plot;
  if (!dyno_chart_can_select (self) || plot->width <= 0)
    return;
  double left = CLAMP (MIN (x, other_x), plot->x, plot->x + plot->width);
  double right = CLAMP (MAX (x, other_x), plot->x, plot->x + plot->width);
  if (left < right)
    change_selection (self, &(DynoChartSelection){ TRUE, is_done, dyno_plot_get_x_value (plot, left),
                                                   dyno_plot_get_x_value (plot, right) });
}

void
dyno_chart_unselect (DynoChart *self)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  change_selection (self, &(DynoChartSelection){ 0 });
}

gboolean
dyno_chart_get_selection (DynoChart *self, double *from, double *to)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);

  *from = self->selection.from;
  *to = self->selection.to;
  return self->selection.is_set;
}

static double
get_cursor_x (DynoChart *self)
{
  return dyno_series_get_x (g_ptr_array_index (self->series, self->cursor.index))[self->cursor.point];
}

gboolean
dyno_chart_extend_selection (DynoChart *self, int d_point)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);

  if (!dyno_chart_can_select (self) || (!self->cursor.is_set && !dyno_chart_move_cursor (self, 0, 0)))
    return FALSE;
  if (isnan (self->anchor))
    self->anchor = get_cursor_x (self);
  if (!dyno_chart_move_cursor (self, d_point, 0))
    return FALSE;
  double x = get_cursor_x (self);
  if (x != self->anchor)
    change_selection (self,
                      &(DynoChartSelection){ TRUE, TRUE, MIN (x, self->anchor), MAX (x, self->anchor) });
  return TRUE;
}

void
dyno_chart_zoom_to_selection (DynoChart *self)
{
  g_return_if_fail (DYNO_IS_CHART (self));

  if (!self->selection.is_set || !dyno_chart_can_select (self))
    return;
  for (guint i = 0; i < self->panels->len; i++)
    dyno_axis_set_visible (get_panel (self, i)->x_axis, self->selection.from, self->selection.to);
  axes_moved (self);
}

/* --- marks --- */

/* In px. */
#define MARK_SIZE     16.0
#define MARK_DISTANCE 6.0
/* In a series with more points than this, neighbours on the line cannot be distinguished. */
#define MAX_MARKS 100

static void
mark_clear (gpointer data)
{
  g_free (((DynoChartMark *)data)->text);
}

/* Adds the marks of the series under the cursor. A bar marks its whole area, any other point its neighbourhood. */
static void
add_marks (DynoChart *self, GArray *marks)
{
  DynoLayer *layer = dyno_chart_cursor_get_layer (&self->cursor);
  const DynoPlot *plot = layer != NULL ? dyno_chart_cursor_get_plot (&self->cursor) : NULL;
  DynoSeries *series = g_ptr_array_index (self->series, self->cursor.index);
  DynoMark kind = dyno_series_get_mark (series);
  guint length = dyno_series_get_length (series);
  double last = -INFINITY;

  if (plot == NULL || plot->width <= 0 || plot->height <= 0)
    return;
  gboolean is_bar =
      DYNO_IS_CATEGORY_AXIS (plot->y_axis) && (kind == DYNO_MARK_BAR || kind == DYNO_MARK_HATCH);
  for (guint i = 0; i < length; i++)
    {
      DynoChartMark mark = { .height = MARK_SIZE };
      double x, y;

      dyno_layer_locate (layer, plot, i, &x, &y);
      if (!dyno_plot_contains (plot, x, y) || (length > MAX_MARKS && fabs (x - last) < MARK_DISTANCE))
        continue;
      last = x;
      self->cursor.point = i;
      mark.x = is_bar ? MIN (plot->x, x) : x - MARK_SIZE / 2;
      mark.y = y - MARK_SIZE / 2;
      mark.width = is_bar ? MAX (x - mark.x, 1) : MARK_SIZE;
      mark.text = g_strdup (dyno_chart_get_cursor_text (self));
      g_array_append_val (marks, mark);
    }
}

/* Where bars overlap, the shorter one is in front. */
static int
compare_widths (gconstpointer a, gconstpointer b)
{
  const DynoChartMark *first = a, *second = b;

  return (second->width > first->width) - (second->width < first->width);
}

GArray *
dyno_chart_list_marks (DynoChart *self)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (DynoChartMark));
  DynoChartCursor before = self->cursor;

  g_return_val_if_fail (DYNO_IS_CHART (self), marks);

  g_array_set_clear_func (marks, mark_clear);
  self->cursor.is_set = TRUE;
  for (guint i = 0; i < self->series->len; i++)
    {
      self->cursor.index = i;
      self->cursor.point = 0;
      add_marks (self, marks);
    }
  self->cursor = before;
  g_array_sort (marks, compare_widths);
  return marks;
}

GArray *
dyno_chart_list_parts (DynoChart *self)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (DynoChartPart));
  DynoChartCursor cursor = self->cursor;

  cursor.is_set = TRUE;
  for (cursor.index = 0; cursor.index < self->series->len; cursor.index++)
    {
      DynoLayer *layer = dyno_chart_cursor_get_layer (&cursor);
      DynoChartPart part = { g_ptr_array_index (self->series, cursor.index) };

      if (layer == NULL || dyno_series_get_length (part.series) == 0)
        continue;
      part.panel = dyno_chart_get_panel_title (self, dyno_layer_get_panel (layer));
      part.x_axis = dyno_chart_cursor_get_plot (&cursor)->x_axis;
      part.y_axis = dyno_chart_cursor_get_plot (&cursor)->y_axis;
      g_array_append_val (parts, part);
    }
  return parts;
}

/* --- zoom --- */

static gboolean
can_zoom (DynoAxis *axis)
{
  return axis != NULL && dyno_axis_get_zoomable (axis);
}

/* Returns the panel at that position; the first panel if it is beside them all. */
static DynoChartPanel *
find_panel (DynoChart *self, double x, double y)
{
  for (guint i = 0; i < self->panels->len; i++)
    {
      const DynoPlot *cell = &get_panel (self, i)->cell;

      if (x >= cell->x && x < cell->x + cell->width && y >= cell->y && y < cell->y + cell->height)
        return get_panel (self, i);
    }
  return get_panel (self, 0);
}

void
dyno_chart_zoom (DynoChart *self, double factor, double x, double y)
{
  g_return_if_fail (DYNO_IS_CHART (self));
  g_return_if_fail (factor > 0);

  const DynoChartPanel *panel = find_panel (self, x, y);
  const DynoPlot *plot = &panel->plot;
  if (plot->width <= 0)
    return;
  gboolean left = x < plot->x;
  gboolean below = y > plot->y + plot->height;
  if (can_zoom (panel->x_axis) && !left)
    dyno_axis_zoom (panel->x_axis, factor, CLAMP ((x - plot->x) / plot->width, 0, 1));
  if (can_zoom (panel->y_axis) && !below && (left || !DYNO_IS_TIME_AXIS (panel->x_axis)))
    dyno_axis_zoom (panel->y_axis, factor, CLAMP (1 - (y - plot->y) / plot->height, 0, 1));
  axes_moved (self);
}

void
dyno_chart_pan (DynoChart *self, double x, double y, double dx, double dy)
{
  g_return_if_fail (DYNO_IS_CHART (self));

  const DynoChartPanel *panel = find_panel (self, x, y);
  if (panel->plot.width <= 0)
    return;
  if (can_zoom (panel->x_axis))
    dyno_axis_pan (panel->x_axis, -dx / panel->plot.width);
  if (DYNO_IS_CATEGORY_AXIS (panel->y_axis))
    dyno_axis_pan (panel->y_axis, -dy / panel->plot.height);
  else if (can_zoom (panel->y_axis))
    dyno_axis_pan (panel->y_axis, dy / panel->plot.height);
  axes_moved (self);
}

void
dyno_chart_reset_zoom (DynoChart *self)
{
  g_return_if_fail (DYNO_IS_CHART (self));

  if (!dyno_chart_is_zoomed (self))
    return;
  for (guint i = 0; i < self->panels->len; i++)
    {
      dyno_axis_reset (get_panel (self, i)->x_axis);
      dyno_axis_reset (get_panel (self, i)->y_axis);
    }
  axes_moved (self);
}

gboolean
dyno_chart_is_zoomed (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), FALSE);

  for (guint i = 0; i < self->panels->len; i++)
    {
      const DynoChartPanel *panel = get_panel (self, i);

      if (panel->x_axis != NULL &&
          (dyno_axis_is_zoomed (panel->x_axis) || dyno_axis_is_zoomed (panel->y_axis)))
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
dyno_chart_get_table (DynoChart *self)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);

  if (self->rows == NULL)
    self->rows = dyno_chart_table_dup_rows (self->table);
  return self->rows;
}

char *
dyno_chart_dup_table (DynoChart *self, char separator)
{
  g_return_val_if_fail (DYNO_IS_CHART (self), NULL);
  return dyno_chart_table_dup_text (self->table, separator);
}
