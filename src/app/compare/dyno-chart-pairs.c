/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-compare-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-chart-info.h"
#include "dyno-chart-kind-list.h"
#include "dyno-chart-pair.h"

#define COLUMNS_THRESHOLD 560
#define SPACING           12

/* Kinds of all cases, then those of one case. */
static const DynoChartKind kinds[] = {
  DYNO_CHART_SCALING_LATENCY, DYNO_CHART_SCALING_THROUGHPUT,
  DYNO_CHART_ROOFLINE,        DYNO_CHART_EFFICIENCY,
  DYNO_CHART_DISTRIBUTION,    DYNO_CHART_LATENCY,
  DYNO_CHART_MEMORY,          DYNO_CHART_POWER,
};

struct _DynoChartPairs
{
  AdwBin parent_instance;

  DynoComparison *comparison;
  DynoRun *runs[2]; /* of the compared cases alone, so that both sides have the same panels */
  GHashTable *ceilings;
  guint next; /* the kind that is made next */
  guint source;

  GtkBox *of_all;
  GtkBox *of_one;
  GtkDropDown *choice;
};

G_DEFINE_FINAL_TYPE (DynoChartPairs, dyno_chart_pairs, ADW_TYPE_BIN)

static guint
get_side (DynoChartPairs *self, guint i)
{
  return i == 0 ? self->comparison->baseline : 1 - self->comparison->baseline;
}

static DynoRun *
create_run (DynoChartPairs *self, guint i)
{
  const DynoComparisonSide *side = self->comparison->sides->pdata[get_side (self, i)];
  DynoRun *run =
      g_object_new (DYNO_TYPE_RUN, "id", dyno_run_get_id (side->run), "title", side->title, "started-at",
                    dyno_run_get_started_at (side->run), "machine", dyno_run_get_machine (side->run), NULL);
  GPtrArray *ceilings = self->ceilings != NULL ? g_hash_table_lookup (self->ceilings, side->run) : NULL;

  dyno_run_set_origin (run, dyno_run_get_origin (side->run));
  for (guint k = 0; k < self->comparison->cases->len; k++)
    {
      const DynoComparedCase *kase = self->comparison->cases->pdata[k];

      dyno_run_add_result (run, i == 0 ? kase->baseline : kase->result);
    }
  if (ceilings != NULL)
    g_hash_table_insert (self->ceilings, g_object_ref (run), g_ptr_array_ref (ceilings));
  return run;
}

static DynoChart *
create_chart (DynoChartPairs *self, DynoChartKind kind, guint i)
{
  guint selected = gtk_drop_down_get_selected (self->choice);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (DynoChartData) data = NULL;
  const DynoComparedCase *kase;
  DynoResult *result = NULL;

  if (dyno_chart_kind_is_of_one_case (kind))
    {
      kase = self->comparison->cases->pdata[MIN (selected, self->comparison->cases->len - 1)];
      result = i == 0 ? kase->baseline : kase->result;
    }
  g_ptr_array_add (runs, self->runs[i]);
  data = dyno_chart_data_new (runs, result, self->ceilings);
  return dyno_chart_new_for_data (kind, data);
}

static void
pair (DynoChart *before, DynoChart *after)
{
  dyno_chart_pair (before, g_object_get_data (G_OBJECT (before), "side"), after,
                   g_object_get_data (G_OBJECT (after), "side"));
}

/* Another aspect builds a chart anew, and the other side follows. */
static void
follow_cb (DynoChart *other, DynoChart *chart)
{
  guint aspect = dyno_chart_get_aspect (chart);
  gboolean is_before = g_object_get_data (G_OBJECT (chart), "is-before") != NULL;

  if (dyno_chart_get_aspect (other) == aspect)
    return;
  g_signal_handlers_block_by_func (other, follow_cb, chart);
  dyno_chart_set_aspect (other, aspect);
  pair (is_before ? chart : other, is_before ? other : chart);
  g_signal_emit_by_name (other, "changed");
  g_signal_emit_by_name (chart, "changed");
  g_signal_handlers_unblock_by_func (other, follow_cb, chart);
}

/* Makes a pair of charts, if both sides have data for it. */
static void
add_pair (DynoChartPairs *self, DynoChartKind kind)
{
  g_autoptr (DynoChart) before = create_chart (self, kind, 0);
  g_autoptr (DynoChart) after = create_chart (self, kind, 1);
  g_autoptr (DynoChartLink) link = dyno_chart_link_new ();
  DynoChart *const charts[] = { before, after };
  GtkBox *box = dyno_chart_kind_is_of_one_case (kind) ? self->of_one : self->of_all;
  GtkWidget *columns;

  if (dyno_chart_get_empty_message (before) != NULL || dyno_chart_get_empty_message (after) != NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    g_object_set_data_full (G_OBJECT (charts[i]), "side",
                            g_strdup (dyno_comparison_get_side_title (self->comparison, get_side (self, i))),
                            g_free);
  pair (before, after);
  dyno_chart_set_link (before, link);
  dyno_chart_set_link (after, link);
  g_object_set_data (G_OBJECT (before), "is-before", before);
  columns = g_object_new (DYNO_TYPE_COLUMNS, "threshold", COLUMNS_THRESHOLD, "spacing", SPACING, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      GtkWidget *view = dyno_chart_view_new (charts[i]);

      g_signal_connect_object (charts[i], "changed", G_CALLBACK (follow_cb), charts[1 - i],
                               G_CONNECT_SWAPPED);
      gtk_widget_add_css_class (view, "card");
      gtk_widget_set_parent (view, columns);
    }
  gtk_box_append (box, columns);
}

/* One pair at a time, so that the window stays responsive. */
static gboolean
add_next_cb (gpointer user_data)
{
  DynoChartPairs *self = user_data;

  add_pair (self, kinds[self->next]);
  self->next++;
  gtk_widget_set_visible (GTK_WIDGET (self->choice),
                          gtk_widget_get_first_child (GTK_WIDGET (self->of_one)) != NULL);
  if (self->next < G_N_ELEMENTS (kinds))
    return G_SOURCE_CONTINUE;
  self->source = 0;
  return G_SOURCE_REMOVE;
}

static void
begin (DynoChartPairs *self, guint first)
{
  g_clear_handle_id (&self->source, g_source_remove);
  self->next = first;
  if (self->comparison != NULL && self->comparison->cases->len > 0)
    self->source = g_idle_add_full (G_PRIORITY_LOW, add_next_cb, self, NULL);
}

static void
choice_changed_cb (DynoChartPairs *self)
{
  guint first = 0;

  while (first < G_N_ELEMENTS (kinds) && !dyno_chart_kind_is_of_one_case (kinds[first]))
    first++;
  dyno_box_clear (self->of_one);
  begin (self, MIN (first, self->source != 0 ? self->next : first));
}

static void
dyno_chart_pairs_dispose (GObject *object)
{
  DynoChartPairs *self = DYNO_CHART_PAIRS (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->comparison, dyno_comparison_unref);
  g_clear_object (&self->runs[0]);
  g_clear_object (&self->runs[1]);
  g_clear_pointer (&self->ceilings, g_hash_table_unref);

  G_OBJECT_CLASS (dyno_chart_pairs_parent_class)->dispose (object);
}

static void
dyno_chart_pairs_class_init (DynoChartPairsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dyno_chart_pairs_dispose;
}

static void
dyno_chart_pairs_init (DynoChartPairs *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  GtkWidget *choice = gtk_drop_down_new (NULL, NULL);

  self->of_all = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING));
  self->of_one = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING));
  self->choice = GTK_DROP_DOWN (choice);
  gtk_widget_set_halign (choice, GTK_ALIGN_START);
  /* Its label is made when it is shown. */
  g_signal_connect_after (choice, "map", G_CALLBACK (dyno_labels_shrink), NULL);
  gtk_widget_set_tooltip_text (choice, _ ("Case of the Charts Below"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Case of the Charts Below"), -1);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (choice_changed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->of_all));
  gtk_box_append (GTK_BOX (box), choice);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->of_one));
  adw_bin_set_child (ADW_BIN (self), box);
}

void
dyno_chart_pairs_set_comparison (DynoChartPairs *self, DynoComparison *comparison, GHashTable *ceilings)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  g_return_if_fail (DYNO_IS_CHART_PAIRS (self));
  g_return_if_fail (comparison == NULL || comparison->sides->len == 2);

  g_clear_handle_id (&self->source, g_source_remove);
  dyno_box_clear (self->of_all);
  dyno_box_clear (self->of_one);
  g_clear_pointer (&self->comparison, dyno_comparison_unref);
  g_clear_pointer (&self->ceilings, g_hash_table_unref);
  self->ceilings = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify)g_ptr_array_unref);
  for (guint i = 0; comparison != NULL && i < comparison->cases->len; i++)
    gtk_string_list_append (names, ((DynoComparedCase *)comparison->cases->pdata[i])->label);
  gtk_drop_down_set_model (self->choice, G_LIST_MODEL (names));
  gtk_widget_set_visible (GTK_WIDGET (self->choice), FALSE);
  if (comparison == NULL)
    return;
  self->comparison = dyno_comparison_ref (comparison);
  for (guint i = 0; i < 2; i++)
    {
      const DynoComparisonSide *side = comparison->sides->pdata[i];
      GPtrArray *of_run = g_hash_table_lookup (ceilings, side->run);

      if (of_run != NULL)
        g_hash_table_insert (self->ceilings, g_object_ref (side->run), g_ptr_array_ref (of_run));
    }
  for (guint i = 0; i < 2; i++)
    {
      g_clear_object (&self->runs[i]);
      self->runs[i] = create_run (self, i);
    }
  begin (self, 0);
}

void
dyno_chart_pairs_select (DynoChartPairs *self, guint number)
{
  g_return_if_fail (DYNO_IS_CHART_PAIRS (self));
  gtk_drop_down_set_selected (self->choice, number);
}
