/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-difference-table"

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-compat.h"
#include "dyno-difference-table.h"
#include "dyno-format.h"
#include "dyno-tab-stop.h"
#include "dyno-unit.h"

struct _DynoDifferenceTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
  GtkNoSelection *selection;
  gboolean narrow;
  gboolean show_run;
};

enum
{
  PROP_0,
  PROP_NARROW,
  PROP_SHOW_RUN,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoDifferenceTable, dyno_difference_table, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

typedef char *(*TextFunc) (DynoDifference *difference);
typedef double (*NumberFunc) (DynoDifference *difference);

static char *
dup_run (DynoDifference *difference)
{
  return g_strdup (dyno_run_get_title (dyno_difference_get_run (difference)));
}

static char *
dup_ratio (DynoDifference *difference)
{
  double number = dyno_difference_get_ratio (difference);
  g_autofree char *ratio = dyno_unit_format_number (number, 2);

  if (!isfinite (number))
    return g_strdup ("—");
  /* Translators: one median over another, such as 0.51× */
  return g_strdup_printf (_ ("%s×"), ratio);
}

static char *
dup_difference (DynoDifference *difference)
{
  if (dyno_difference_is_unsteady (difference))
    return g_strdup (_ ("unsteady"));
  return dyno_format_difference (dyno_difference_get_ratio (difference));
}

static const struct
{
  const char *title;
  TextFunc text;
  NumberFunc number;
  gboolean always;
} columns[] = {
  { N_ ("Case"), dyno_difference_dup_label, NULL, TRUE },
  { N_ ("Run"), dup_run, NULL, TRUE },
  { N_ ("Baseline Median"), dyno_difference_dup_baseline_text, dyno_difference_get_baseline, FALSE },
  { N_ ("Median"), dyno_difference_dup_median_text, dyno_difference_get_median, FALSE },
  { N_ ("Ratio"), dup_ratio, dyno_difference_get_ratio, TRUE },
  { N_ ("Difference"), dup_difference, dyno_difference_get_ratio, TRUE },
};

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  guint column = GPOINTER_TO_UINT (user_data);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), columns[column].number != NULL ? 1 : 0);
  if (columns[column].number == NULL)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_width_chars (GTK_LABEL (label), 8);
    }
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static char *
dup_tooltip (DynoDifference *difference)
{
  g_autofree char *label = dyno_difference_dup_label (difference);
  g_autofree char *baseline = dyno_difference_dup_baseline_text (difference);
  g_autofree char *median = dyno_difference_dup_median_text (difference);
  g_autofree char *change = dup_difference (difference);

  if (dyno_difference_is_unsteady (difference))
    /* Translators: a case; its median latency in the baseline and in another run */
    return g_strdup_printf (
        _ ("%s\nBaseline: %s\nThis run: %s\nNo difference can be stated: a case that never became "
           "steady is not compared."),
        label, baseline, median);
  /* Translators: a case; its median latency in the baseline and in another run; the difference in per cent */
  return g_strdup_printf (_ ("%s\nBaseline: %s\nThis run: %s\nDifference: %s"), label, baseline, median,
                          change);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  DynoDifference *difference = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = columns[GPOINTER_TO_UINT (user_data)].text (difference);
  g_autofree char *tooltip = dup_tooltip (difference);

  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, tooltip);
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  guint column = GPOINTER_TO_UINT (user_data);
  g_autofree char *text_a = NULL;
  g_autofree char *text_b = NULL;

  if (columns[column].number != NULL)
    {
      double number_a = columns[column].number ((gpointer)a);
      double number_b = columns[column].number ((gpointer)b);

      if (isnan (number_a) || isnan (number_b))
        return isnan (number_a) - isnan (number_b);
      return (number_a > number_b) - (number_a < number_b);
    }
  text_a = columns[column].text ((gpointer)a);
  text_b = columns[column].text ((gpointer)b);
  return g_utf8_collate (text_a != NULL ? text_a : "", text_b != NULL ? text_b : "");
}

static GtkColumnViewColumn *
add_column (DynoDifferenceTable *self, guint i)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (_ (columns[i].title), factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_cb, GUINT_TO_POINTER (i), NULL));

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (i));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (i));
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_expand (column, i == 0);
  gtk_column_view_column_set_resizable (column, TRUE);
  if (!columns[i].always)
    g_object_bind_property (self, "narrow", column, "visible",
                            G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  gtk_column_view_append_column (self->view, column);
  return column;
}

static void
add_columns (DynoDifferenceTable *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      GtkColumnViewColumn *column = add_column (self, i);
      if (columns[i].text == dup_run)
        g_object_bind_property (self, "show-run", column, "visible", G_BINDING_SYNC_CREATE);
    }
}

static void
dyno_difference_table_dispose (GObject *object)
{
  DynoDifferenceTable *self = DYNO_DIFFERENCE_TABLE (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_DIFFERENCE_TABLE);
  g_clear_object (&self->selection);

  G_OBJECT_CLASS (dyno_difference_table_parent_class)->dispose (object);
}

static void
dyno_difference_table_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoDifferenceTable *self = DYNO_DIFFERENCE_TABLE (object);

  switch (prop_id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    case PROP_SHOW_RUN:
      g_value_set_boolean (value, self->show_run);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_difference_table_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoDifferenceTable *self = DYNO_DIFFERENCE_TABLE (object);

  switch (prop_id)
    {
    case PROP_NARROW:
      if (self->narrow != g_value_get_boolean (value))
        {
          self->narrow = g_value_get_boolean (value);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    case PROP_SHOW_RUN:
      dyno_difference_table_set_show_run (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_difference_table_class_init (DynoDifferenceTableClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = dyno_difference_table_dispose;
  object_class->get_property = dyno_difference_table_get_property;
  object_class->set_property = dyno_difference_table_set_property;

  properties[PROP_NARROW] = g_param_spec_boolean ("narrow", NULL, NULL, FALSE, flags);
  properties[PROP_SHOW_RUN] = g_param_spec_boolean ("show-run", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-difference-table.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoDifferenceTable, view);
}

static void
dyno_difference_table_init (DynoDifferenceTable *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_columns (self);
  self->selection = gtk_no_selection_new (NULL);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  dyno_compat_scroll_where_needed (GTK_SCROLLED_WINDOW (gtk_widget_get_parent (GTK_WIDGET (self->view))));
}

/**
 * dyno_difference_table_new:
 *
 * Returns: an empty table
 */
GtkWidget *
dyno_difference_table_new (void)
{
  return g_object_new (DYNO_TYPE_DIFFERENCE_TABLE, NULL);
}

/**
 * dyno_difference_table_set_differences:
 * @self: a table
 * @differences: a list of [class@Dyno.Difference]
 */
void
dyno_difference_table_set_differences (DynoDifferenceTable *self, GListModel *differences)
{
  g_autoptr (GListModel) sorted = NULL;
  GtkSorter *sorter;

  g_return_if_fail (DYNO_IS_DIFFERENCE_TABLE (self));
  g_return_if_fail (G_IS_LIST_MODEL (differences));

  sorter = gtk_column_view_get_sorter (self->view);
  sorted = G_LIST_MODEL (gtk_sort_list_model_new (g_object_ref (differences), g_object_ref (sorter)));
  gtk_no_selection_set_model (self->selection, sorted);
}

/**
 * dyno_difference_table_set_show_run:
 * @self: a table
 * @show_run: whether each row names its run
 */
void
dyno_difference_table_set_show_run (DynoDifferenceTable *self, gboolean show_run)
{
  g_return_if_fail (DYNO_IS_DIFFERENCE_TABLE (self));

  if (self->show_run == !!show_run)
    return;
  self->show_run = !!show_run;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_RUN]);
}
