/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-case-table"

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-case-parts.h"
#include "dyno-case-table.h"
#include "dyno-compat.h"
#include "dyno-format.h"

struct _DynoCaseTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
  GtkSingleSelection *selection;
  DynoRun *run;
  DynoCaseParts varying;
  gboolean narrow;
};

enum
{
  PROP_0,
  PROP_RUN,
  PROP_NARROW,
  PROP_SELECTED,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoCaseTable, dyno_case_table, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

static const struct
{
  const char *metric;
  const char *title;
  gboolean always;
} columns[] = {
  { "latency_p50_ms", N_ ("Median"), TRUE },
  { "latency_p99_ms", N_ ("p99"), FALSE },
  { "throughput_items_per_sec", N_ ("Throughput"), FALSE },
  { "memory_peak_mb", N_ ("Peak Memory"), FALSE },
  { "flops_per_sec", N_ ("FLOP Rate"), FALSE },
};

/* The case and how it ended */

static GtkWidget *
create_line (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 12);
  return label;
}

static void
setup_case_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *icon = gtk_image_new ();
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *setting = create_line ();

  gtk_widget_add_css_class (setting, "caption");
  gtk_widget_add_css_class (setting, "dim-label");
  gtk_box_append (GTK_BOX (lines), create_line ());
  gtk_box_append (GTK_BOX (lines), setting);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), lines);
  gtk_list_item_set_child (item, box);
}

/* What all cases of the run share tells no row from another, so there is room for what does. */
static void
show_case (DynoCaseTable *self, GtkWidget *lines, DynoResult *result)
{
  g_autofree char *place = dyno_case_parts_dup_text (result, self->varying & DYNO_CASE_PLACE);
  g_autofree char *sizes = dyno_case_parts_dup_text (result, self->varying & ~DYNO_CASE_PLACE);
  g_autofree char *model = dyno_case_parts_dup_model (result);
  g_autofree char *first = g_strjoin (*place != '\0' ? " · " : "", model, place, NULL);
  GtkWidget *setting = gtk_widget_get_last_child (lines);

  gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (lines)), first);
  gtk_label_set_label (GTK_LABEL (setting), sizes);
  gtk_widget_set_visible (setting, *sizes != '\0');
}

static char *
dup_tooltip (DynoResult *result)
{
  const char *state = dyno_case_state_get_label (dyno_result_get_state (result));
  g_auto (GStrv) doubts = dyno_result_dup_doubts (result);
  g_autofree char *doubt = g_strjoinv (" ", doubts);
  g_autofree char *name = dyno_case_parts_dup_label (result);
  const char *reason = *doubt != '\0' ? doubt : dyno_result_get_reason (result);

  return reason != NULL && *reason != '\0' ? g_strdup_printf ("%s\n%s: %s", name, state, reason)
                                           : g_strdup_printf ("%s\n%s", name, state);
}

static void
set_css_class (GtkWidget *widget, const char *css_class, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

static void
bind_case_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer self)
{
  DynoResult *result = gtk_list_item_get_item (item);
  DynoCaseState state = dyno_result_get_state (result);
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *icon = gtk_widget_get_first_child (box);
  g_autofree char *tooltip = dup_tooltip (result);

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), dyno_format_state_icon (state));
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  dyno_case_state_get_label (state), -1);
  gtk_widget_set_css_classes (icon, (const char *[]){ dyno_format_state_css_class (state), NULL });
  show_case (self, gtk_widget_get_last_child (box), result);
  gtk_widget_set_tooltip_text (box, tooltip);
}

static int
compare_cases (gconstpointer a, gconstpointer b, gpointer user_data)
{
  guint ordinal_a = dyno_result_get_ordinal (DYNO_RESULT ((gpointer)a));
  guint ordinal_b = dyno_result_get_ordinal (DYNO_RESULT ((gpointer)b));

  return ordinal_a < ordinal_b ? GTK_ORDERING_SMALLER
                               : (ordinal_a > ordinal_b ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL);
}

/* Numbers */

static void
setup_number_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_number_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  DynoValue *value = dyno_result_get_value (gtk_list_item_get_item (item), user_data);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = dyno_format_value (value);
  gboolean has_number = value != NULL && dyno_value_is_number (value);

  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, value != NULL ? dyno_value_get_source (value) : NULL);
  set_css_class (label, "dim-label", !has_number);
}

static int
compare_numbers (gconstpointer a, gconstpointer b, gpointer metric)
{
  double number_a = dyno_result_get_number (DYNO_RESULT ((gpointer)a), metric);
  double number_b = dyno_result_get_number (DYNO_RESULT ((gpointer)b), metric);

  if (isnan (number_a) || isnan (number_b))
    return isnan (number_a) - isnan (number_b);
  return number_a < number_b ? GTK_ORDERING_SMALLER
                             : (number_a > number_b ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL);
}

static void
add_column (DynoCaseTable *self,
            const char *title,
            GCallback setup,
            GCallback bind,
            GCompareDataFunc compare,
            const char *metric,
            gboolean always)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (title, factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, (gpointer)metric, NULL));

  g_signal_connect (factory, "setup", setup, (gpointer)metric);
  g_signal_connect (factory, "bind", bind, metric != NULL ? (gpointer)metric : self);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_expand (column, metric == NULL);
  gtk_column_view_column_set_resizable (column, TRUE);
  if (!always)
    g_object_bind_property (self, "narrow", column, "visible",
                            G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  gtk_column_view_append_column (self->view, column);
}

static void
add_columns (DynoCaseTable *self)
{
  add_column (self, _ ("Case"), G_CALLBACK (setup_case_cb), G_CALLBACK (bind_case_cb), compare_cases, NULL,
              TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    add_column (self, _ (columns[i].title), G_CALLBACK (setup_number_cb), G_CALLBACK (bind_number_cb),
                compare_numbers, columns[i].metric, columns[i].always);
}

static void
selected_changed_cb (DynoCaseTable *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED]);
}

static void
dyno_case_table_dispose (GObject *object)
{
  DynoCaseTable *self = DYNO_CASE_TABLE (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_CASE_TABLE);
  g_clear_object (&self->selection);
  g_clear_object (&self->run);

  G_OBJECT_CLASS (dyno_case_table_parent_class)->dispose (object);
}

static void
dyno_case_table_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoCaseTable *self = DYNO_CASE_TABLE (object);

  switch (prop_id)
    {
    case PROP_RUN:
      g_value_set_object (value, self->run);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    case PROP_SELECTED:
      g_value_set_object (value, dyno_case_table_get_selected (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_case_table_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoCaseTable *self = DYNO_CASE_TABLE (object);

  switch (prop_id)
    {
    case PROP_RUN:
      dyno_case_table_set_run (self, g_value_get_object (value));
      break;
    case PROP_NARROW:
      if (self->narrow != g_value_get_boolean (value))
        {
          self->narrow = g_value_get_boolean (value);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_case_table_class_init (DynoCaseTableClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_case_table_dispose;
  object_class->get_property = dyno_case_table_get_property;
  object_class->set_property = dyno_case_table_set_property;

  properties[PROP_RUN] = g_param_spec_object (
      "run", NULL, NULL, DYNO_TYPE_RUN, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_NARROW] = g_param_spec_boolean (
      "narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SELECTED] = g_param_spec_object ("selected", NULL, NULL, DYNO_TYPE_RESULT,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-case-table.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoCaseTable, view);
}

static void
dyno_case_table_init (DynoCaseTable *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_columns (self);
  self->selection = gtk_single_selection_new (NULL);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (selected_changed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  dyno_compat_scroll_where_needed (GTK_SCROLLED_WINDOW (adw_bin_get_child (ADW_BIN (self))));
}

/**
 * dyno_case_table_new:
 *
 * Returns: an empty table
 */
GtkWidget *
dyno_case_table_new (void)
{
  return g_object_new (DYNO_TYPE_CASE_TABLE, NULL);
}

/**
 * dyno_case_table_set_run:
 * @self: a table
 * @run: (nullable): the run whose cases it shall show
 */
void
dyno_case_table_set_run (DynoCaseTable *self, DynoRun *run)
{
  g_autoptr (GListModel) sorted = NULL;

  g_return_if_fail (DYNO_IS_CASE_TABLE (self));
  g_return_if_fail (run == NULL || DYNO_IS_RUN (run));

  if (!g_set_object (&self->run, run))
    return;

  if (run != NULL)
    {
      GtkSorter *sorter = gtk_column_view_get_sorter (self->view);
      self->varying = dyno_case_parts_find_varying (dyno_run_get_results (run));
      sorted = G_LIST_MODEL (
          gtk_sort_list_model_new (g_object_ref (dyno_run_get_results (run)), g_object_ref (sorter)));
    }
  gtk_single_selection_set_model (self->selection, sorted);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUN]);
}

/**
 * dyno_case_table_get_selected:
 * @self: a table
 *
 * Returns: (transfer none) (nullable): the case whose row is selected
 */
DynoResult *
dyno_case_table_get_selected (DynoCaseTable *self)
{
  g_return_val_if_fail (DYNO_IS_CASE_TABLE (self), NULL);
  return gtk_single_selection_get_selected_item (self->selection);
}

/**
 * dyno_case_table_select:
 * @self: a table
 * @result: one of its cases
 */
void
dyno_case_table_select (DynoCaseTable *self, DynoResult *result)
{
  GListModel *model;

  g_return_if_fail (DYNO_IS_CASE_TABLE (self));
  g_return_if_fail (DYNO_IS_RESULT (result));

  model = G_LIST_MODEL (self->selection);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (DynoResult) item = g_list_model_get_item (model, i);
      if (item == result)
        {
          gtk_single_selection_set_selected (self->selection, i);
          return;
        }
    }
}
