/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-app-compare-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-unit.h"

struct _DynoDifferenceTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
  GtkNoSelection *selection;
  GtkColumnViewColumn *ratio_column;
  gboolean narrow;
  gboolean show_side;
};

enum
{
  PROP_0,
  PROP_NARROW,
  PROP_SHOW_SIDE,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoDifferenceTable, dyno_difference_table, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

typedef char *(*TextFunc) (const DynoComparison *comparison, const DynoComparedCase *kase);
typedef double (*NumberFunc) (const DynoComparedCase *kase);

static char *
dup_label (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  return g_strdup (kase->label);
}

static char *
dup_side (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  return g_strdup (dyno_comparison_get_side_title (comparison, kase->side));
}

static char *
dup_baseline (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  return dyno_format_quantity (kase->baseline_value, comparison->unit);
}

static double
get_baseline (const DynoComparedCase *kase)
{
  return kase->baseline_value;
}

static char *
dup_value (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  return dyno_format_quantity (kase->value, comparison->unit);
}

static double
get_value (const DynoComparedCase *kase)
{
  return kase->value;
}

/* Leaves out the interval if there is no room; the chart shows it. */
static char *
dup_ratio_alone (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  DynoComparedCase alone = *kase;

  alone.low = alone.high = NAN;
  return dyno_comparison_dup_ratio (comparison, &alone);
}

static double
get_ratio (const DynoComparedCase *kase)
{
  return kase->ratio;
}

static char *
dup_verdict (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  return g_strdup (dyno_verdict_get_label (kase->verdict, comparison->metric));
}

static char *
dup_effect (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  return isfinite (kase->effect) ? dyno_unit_format_number (kase->effect, 2) : g_strdup ("—");
}

static double
get_effect (const DynoComparedCase *kase)
{
  return kase->effect;
}

static char *
dup_processes (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  return kase->n == kase->n_baseline
             ? g_strdup_printf ("%u", kase->n)
             /* Translators: how many processes there are in the baseline and on the other side */
             : g_strdup_printf (_ ("%u, %u"), kase->n_baseline, kase->n);
}

static double
get_processes (const DynoComparedCase *kase)
{
  return MIN (kase->n, kase->n_baseline);
}

static char *
dup_effective (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  if (!isfinite (kase->effective) || !isfinite (kase->effective_baseline))
    return g_strdup ("—");
  /* Translators: how many samples count, in the baseline and on the other side */
  return g_strdup_printf (_ ("%.0f, %.0f"), kase->effective_baseline, kase->effective);
}

static double
get_effective (const DynoComparedCase *kase)
{
  return MIN (kase->effective, kase->effective_baseline);
}

typedef enum
{
  WHEN_ALWAYS,
  WHEN_WIDE,
  WHEN_NARROW,
} When;

static const struct
{
  const char *title;
  TextFunc text;
  NumberFunc number;
  When when;
} columns[] = {
  { N_ ("Case"), dup_label, NULL, WHEN_ALWAYS },
  { N_ ("Compared"), dup_side, NULL, WHEN_ALWAYS },
  { N_ ("Baseline"), dup_baseline, get_baseline, WHEN_WIDE },
  { N_ ("Value"), dup_value, get_value, WHEN_WIDE },
  { N_ ("Ratio"), dup_ratio_alone, get_ratio, WHEN_NARROW },
  { /* xgettext:no-c-format */ N_ ("Ratio (95 % CI)"), dyno_comparison_dup_ratio, get_ratio, WHEN_WIDE },
  { N_ ("Verdict"), dup_verdict, NULL, WHEN_ALWAYS },
  { N_ ("Effect Size"), dup_effect, get_effect, WHEN_WIDE },
  { N_ ("Processes"), dup_processes, get_processes, WHEN_WIDE },
  { N_ ("Effective Samples"), dup_effective, get_effective, WHEN_WIDE },
};

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  guint column = GPOINTER_TO_UINT (user_data);
  gboolean is_name = columns[column].text == dup_label || columns[column].text == dup_side;
  GtkWidget *label = is_name ? dyno_name_label_new (8) : gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), columns[column].number != NULL ? 1 : 0);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

/* The tooltip gives the reason, for which there is no column. */
static char *
dup_tooltip (const DynoComparison *comparison, const DynoComparedCase *kase)
{
  g_autofree char *ratio = dyno_comparison_dup_ratio (comparison, kase);
  const char *verdict = dyno_verdict_get_label (kase->verdict, comparison->metric);

  /* Translators: a case; its ratio; the verdict; why that is so, a sentence or nothing */
  return g_strdup_printf (_ ("%s\nRatio: %s\nVerdict: %s\n%s"), kase->label, ratio, verdict,
                          kase->reason != NULL ? kase->reason : "");
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  DynoDifference *difference = gtk_list_item_get_item (item);
  const DynoComparison *comparison = dyno_difference_get_comparison (difference);
  const DynoComparedCase *kase = dyno_difference_get_case (difference);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = columns[GPOINTER_TO_UINT (user_data)].text (comparison, kase);
  g_autofree char *tooltip = dup_tooltip (comparison, kase);

  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, g_strchomp (tooltip));
}

static char *
dup_cell (gconstpointer item, guint column)
{
  DynoDifference *difference = (gpointer)item;

  return columns[column].text (dyno_difference_get_comparison (difference),
                               dyno_difference_get_case (difference));
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  guint column = GPOINTER_TO_UINT (user_data);
  g_autofree char *text_a = NULL;
  g_autofree char *text_b = NULL;

  if (columns[column].number != NULL)
    {
      double number_a = columns[column].number (dyno_difference_get_case ((gpointer)a));
      double number_b = columns[column].number (dyno_difference_get_case ((gpointer)b));

      if (isnan (number_a) || isnan (number_b))
        return isnan (number_a) - isnan (number_b);
      return (number_a > number_b) - (number_a < number_b);
    }
  text_a = dup_cell (a, column);
  text_b = dup_cell (b, column);
  return g_utf8_collate (text_a, text_b);
}

static void
add_columns (DynoDifferenceTable *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const DynoTableColumn spec = { .setup = G_CALLBACK (setup_cb),
                                     .bind = G_CALLBACK (bind_cb),
                                     .data = GUINT_TO_POINTER (i),
                                     .compare = compare_cb,
                                     .narrow_owner = columns[i].when != WHEN_ALWAYS ? self : NULL,
                                     .only_narrow = columns[i].when == WHEN_NARROW,
                                     .is_number = columns[i].number != NULL };
      GtkColumnViewColumn *column = dyno_table_append (self->view, _ (columns[i].title), &spec);

      gtk_column_view_column_set_expand (column, i == 0);
      if (columns[i].text == dyno_comparison_dup_ratio)
        self->ratio_column = column;
      if (columns[i].text == dup_side)
        g_object_bind_property (self, "show-side", column, "visible", G_BINDING_SYNC_CREATE);
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
    case PROP_SHOW_SIDE:
      g_value_set_boolean (value, self->show_side);
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
    case PROP_SHOW_SIDE:
      dyno_difference_table_set_show_side (self, g_value_get_boolean (value));
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
  properties[PROP_SHOW_SIDE] = g_param_spec_boolean ("show-side", NULL, NULL, FALSE, flags);
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

void
dyno_difference_table_set_differences (DynoDifferenceTable *self, GListModel *differences)
{
  g_autoptr (DynoDifference) first = NULL;
  g_autoptr (GListModel) sorted = NULL;
  GtkSorter *sorter;

  g_return_if_fail (DYNO_IS_DIFFERENCE_TABLE (self));
  g_return_if_fail (G_IS_LIST_MODEL (differences));

  first = g_list_model_get_item (differences, 0);
  if (first != NULL)
    gtk_column_view_column_set_title (
        self->ratio_column, dyno_comparison_get_ratio_title (dyno_difference_get_comparison (first)));
  sorter = gtk_column_view_get_sorter (self->view);
  sorted = G_LIST_MODEL (gtk_sort_list_model_new (g_object_ref (differences), g_object_ref (sorter)));
  gtk_no_selection_set_model (self->selection, sorted);
}

void
dyno_difference_table_set_show_side (DynoDifferenceTable *self, gboolean show_side)
{
  g_return_if_fail (DYNO_IS_DIFFERENCE_TABLE (self));

  if (self->show_side == !!show_side)
    return;
  self->show_side = !!show_side;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_SIDE]);
}
