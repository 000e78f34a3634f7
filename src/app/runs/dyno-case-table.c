/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-app-runs-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-cases.h"
#include "dyno-compat.h"
#include "dyno-grade.h"
#include "dyno-latency-interval.h"
#include "dyno-unit.h"

struct _DynoCaseTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
  GtkNoSelection *selection;
  DynoRun *run;
  GHashTable *groups; /* lists of the results of each model, by the model's name */
  GtkColumnViewColumn *interval_column;
  DynoCaseParts varying;
  double widest; /* largest deviation of an interval's end from its median, as a share of the median */
  gboolean narrow;
};

enum
{
  PROP_0,
  PROP_NARROW,
  N_PROPS
};

enum
{
  ACTIVATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoCaseTable, dyno_case_table, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

#define MEDIAN "latency_p50_ms"
#define LOW    "latency_median_low_ms"
#define HIGH   "latency_median_high_ms"

static const struct
{
  const char *metric;
  const char *title;
} columns[] = {
  { "throughput_items_per_sec", N_ ("Sustained") },
  { "memory_peak_mb", N_ ("Peak Memory") },
  { "roof_distance_percent", N_ ("Roofline") },
};

/* A row is a result, or the name of a model above its results. */
static DynoResult *
get_result (GtkListItem *item)
{
  gpointer row = gtk_list_item_get_item (item);

  return DYNO_IS_RESULT (row) ? row : NULL;
}

/* The case */

static void
setup_case_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  gtk_list_item_set_child (item, dyno_name_label_new (14));
}

/* Rows leave out the settings that all cases share. If nothing remains, the row shows the batch or the model. */
static char *
dup_case (DynoCaseTable *self, DynoResult *result)
{
  g_autofree char *text = dyno_case_parts_dup_text (result, self->varying);

  g_autofree char *batch = dyno_case_parts_dup_text (result, DYNO_CASE_BATCH);

  return *text != '\0'    ? g_steal_pointer (&text)
         : *batch != '\0' ? g_steal_pointer (&batch)
                          : dyno_case_parts_dup_model (result);
}

static void
bind_case_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer self)
{
  DynoResult *result = get_result (item);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = result != NULL
                              ? dup_case (self, result)
                              : g_strdup (gtk_string_object_get_string (gtk_list_item_get_item (item)));

  gtk_label_set_label (GTK_LABEL (label), text);
  dyno_tooltip_set (label, text);
  gtk_widget_set_css_classes (label, (const char *[]){ result != NULL ? "dyno-case" : "heading", NULL });
}

static int
compare_cases (gconstpointer a, gconstpointer b, gpointer user_data)
{
  guint ordinal_a = dyno_result_get_ordinal (DYNO_RESULT ((gpointer)a));
  guint ordinal_b = dyno_result_get_ordinal (DYNO_RESULT ((gpointer)b));

  return (ordinal_a > ordinal_b) - (ordinal_a < ordinal_b);
}

/* Numbers */

static void
setup_number_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_list_item_set_child (item, label);
}

/* A generation as a whole has no place under the roofs; its decoding has, so its distance is shown instead. */
static const char *
get_metric (DynoResult *result, const char *metric)
{
  if (g_str_equal (metric, "roof_distance_percent") &&
      dyno_result_get_value (result, "decode_read_percent") != NULL)
    return "decode_read_percent";
  return metric;
}

static void
bind_number_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer metric)
{
  DynoResult *result = get_result (item);
  DynoValue *value = result != NULL ? dyno_result_get_value (result, get_metric (result, metric)) : NULL;
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = result != NULL ? dyno_format_value (result, value) : g_strdup ("");
  gboolean is_sure = value != NULL && (dyno_value_get_quality (value) == DYNO_QUALITY_MEASURED ||
                                       dyno_value_get_quality (value) == DYNO_QUALITY_IMPORTED);

  gtk_label_set_label (GTK_LABEL (label), text);
  dyno_tooltip_set (label, value != NULL ? dyno_value_get_source (value) : NULL);
  gtk_widget_set_css_classes (label, (const char *[]){ "numeric", is_sure ? NULL : "dim-label", NULL });
}

static int
compare_numbers (gconstpointer a, gconstpointer b, gpointer metric)
{
  DynoResult *result_a = DYNO_RESULT ((gpointer)a);
  DynoResult *result_b = DYNO_RESULT ((gpointer)b);
  double number_a = dyno_result_get_number (result_a, get_metric (result_a, metric));
  double number_b = dyno_result_get_number (result_b, get_metric (result_b, metric));

  if (isnan (number_a) || isnan (number_b))
    return isnan (number_a) - isnan (number_b);
  return (number_a > number_b) - (number_a < number_b);
}

/* The interval */

static void
setup_interval_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  gtk_list_item_set_child (item, g_object_new (DYNO_TYPE_INTERVAL_GLYPH, "valign", GTK_ALIGN_CENTER, NULL));
}

/* Medians of different models differ by orders of magnitude, so intervals are compared as shares of the
 * median. */
static double
get_deviation (DynoResult *result, const char *end)
{
  return dyno_result_get_number (result, end) / dyno_result_get_number (result, MEDIAN) - 1;
}

static char *
dup_interval (DynoResult *result)
{
  g_autofree char *low = dyno_format_value (result, dyno_result_get_value (result, LOW));
  g_autofree char *high = dyno_format_value (result, dyno_result_get_value (result, HIGH));
  g_autofree char *below = dyno_format_difference (1 + get_deviation (result, LOW));
  g_autofree char *above = dyno_format_difference (1 + get_deviation (result, HIGH));
  g_autofree char *words = dyno_latency_interval_dup_words (result);

  if (isnan (get_deviation (result, LOW)) || isnan (get_deviation (result, HIGH)))
    return g_strdup (_ ("There is no interval of the median."));
  /* Translators: what the interval is, its ends, then how far they lie from the median, such as −1.5 % and +1.6 % */
  return g_strdup_printf (_ ("%s: %s to %s (%s to %s of the median)"), words, low, high, below, above);
}

/* The title shows the scale. */
static void
set_scale (DynoCaseTable *self, GListModel *results)
{
  g_autofree char *percent = NULL;
  g_autofree char *title = NULL;

  self->widest = 0;
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      self->widest =
          fmax (self->widest, fmax (fabs (get_deviation (result, LOW)), fabs (get_deviation (result, HIGH))));
    }
  percent = dyno_unit_format_percent (self->widest * 100);
  /* Translators: the title of a column of intervals; the number is where its scale ends to both sides of the median */
  title = self->widest > 0 ? g_strdup_printf (_ ("Interval, ±%s %%"), percent) : g_strdup (_ ("Interval"));
  gtk_column_view_column_set_title (self->interval_column, title);
}

static void
bind_interval_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  DynoCaseTable *self = user_data;
  DynoResult *result = get_result (item);
  GtkWidget *glyph = gtk_list_item_get_child (item);
  g_autofree char *words = result != NULL ? dup_interval (result) : NULL;

  gtk_widget_set_visible (glyph, result != NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (glyph), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  words != NULL ? words : "", -1);
  if (result == NULL)
    return;
  dyno_interval_glyph_set (DYNO_INTERVAL_GLYPH (glyph), get_deviation (result, LOW),
                           get_deviation (result, HIGH), self->widest,
                           !dyno_case_state_is_clean (dyno_result_get_state (result)));
  dyno_tooltip_set (glyph, words);
}

/* The state */

/* Screen readers read the state only once. */
static void
name_icon (GtkWidget *label, GtkWidget *icon)
{
  gboolean is_told = gtk_widget_get_visible (label);

  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  is_told ? "" : gtk_label_get_label (GTK_LABEL (label)), -1);
}

static void
label_shown_cb (GtkWidget *label, GParamSpec *pspec, gpointer user_data)
{
  name_icon (label, gtk_widget_get_prev_sibling (label));
}

/* In a narrow table, the icon replaces the word. */
static void
setup_state_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_box_append (GTK_BOX (box), gtk_image_new ());
  gtk_box_append (GTK_BOX (box), label);
  g_object_bind_property (self, "narrow", label, "visible", G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  g_signal_connect (label, "notify::visible", G_CALLBACK (label_shown_cb), NULL);
  gtk_list_item_set_child (item, box);
}

static void
bind_state_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  DynoResult *result = get_result (item);
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *icon = gtk_widget_get_first_child (box);
  GtkWidget *label = gtk_widget_get_last_child (box);

  gtk_widget_set_visible (box, result != NULL);
  if (result == NULL)
    return;
  gtk_image_set_from_icon_name (GTK_IMAGE (icon), dyno_format_status_icon (result));
  gtk_widget_set_css_classes (icon, (const char *[]){ dyno_format_status_css_class (result), NULL });
  gtk_label_set_label (GTK_LABEL (label), dyno_result_get_status_label (result));
  name_icon (label, icon);

  g_auto (GStrv) doubts = dyno_result_dup_doubts (result);
  g_auto (GStrv) disturbances = dyno_result_dup_disturbances (result);
  g_autofree char *doubt = g_strjoinv ("\n", *doubts != NULL ? doubts : disturbances);
  const char *reason = *doubt != '\0' ? doubt : dyno_result_get_reason (result);
  const char *state = dyno_result_get_status_label (result);
  /* Translators: the state of a case, and the reason */
  g_autofree char *both = g_strdup_printf (_ ("%s: %s"), state, reason != NULL ? reason : "");
  dyno_tooltip_set (box, reason != NULL && *reason != '\0' ? both : state);
}

static int
compare_states (gconstpointer a, gconstpointer b, gpointer user_data)
{
  int states = (int)dyno_result_get_state (DYNO_RESULT ((gpointer)a)) -
               (int)dyno_result_get_state (DYNO_RESULT ((gpointer)b));

  return states != 0 ? states
                     : (int)dyno_result_get_grade (DYNO_RESULT ((gpointer)a)) -
                           (int)dyno_result_get_grade (DYNO_RESULT ((gpointer)b));
}

static void
activated_cb (DynoCaseTable *self, guint position)
{
  g_autoptr (GObject) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (DYNO_IS_RESULT (row))
    g_signal_emit (self, signals[ACTIVATED], 0, row);
}

/* A view makes the widgets of its rows even where it is not shown, which takes most of the time of opening a run. */
static void
dyno_case_table_map (GtkWidget *widget)
{
  DynoCaseTable *self = DYNO_CASE_TABLE (widget);

  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  GTK_WIDGET_CLASS (dyno_case_table_parent_class)->map (widget);
}

static void
dyno_case_table_dispose (GObject *object)
{
  DynoCaseTable *self = DYNO_CASE_TABLE (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_CASE_TABLE);
  g_clear_object (&self->selection);
  g_clear_object (&self->run);
  g_clear_pointer (&self->groups, g_hash_table_unref);

  G_OBJECT_CLASS (dyno_case_table_parent_class)->dispose (object);
}

static void
dyno_case_table_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, DYNO_CASE_TABLE (object)->narrow);
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
  widget_class->map = dyno_case_table_map;

  properties[PROP_NARROW] = g_param_spec_boolean (
      "narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[ACTIVATED] = g_signal_new ("activated", DYNO_TYPE_CASE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 1, DYNO_TYPE_RESULT);

  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-case-table.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoCaseTable, view);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
}

static void
dyno_case_table_init (DynoCaseTable *self)
{
  DynoTableColumn column = { .setup = G_CALLBACK (setup_number_cb),
                             .bind = G_CALLBACK (bind_number_cb),
                             .compare = compare_numbers,
                             .is_number = TRUE };

  gtk_widget_init_template (GTK_WIDGET (self));

  /* The last columns are cut off if there is no room, so the most important ones come first. */
  gtk_column_view_column_set_expand (
      dyno_table_append (self->view, _ ("Case"),
                         &(DynoTableColumn){ .setup = G_CALLBACK (setup_case_cb),
                                             .bind = G_CALLBACK (bind_case_cb),
                                             .data = self,
                                             .compare = compare_cases }),
      TRUE);
  column.data = (gpointer)MEDIAN;
  dyno_table_append (self->view, _ ("Median"), &column);
  dyno_table_append (self->view, _ ("Grade"),
                     &(DynoTableColumn){ .setup = G_CALLBACK (setup_state_cb),
                                         .bind = G_CALLBACK (bind_state_cb),
                                         .data = self,
                                         .compare = compare_states });
  self->interval_column = dyno_table_append (self->view, _ ("Within Process"),
                                             &(DynoTableColumn){ .setup = G_CALLBACK (setup_interval_cb),
                                                                 .bind = G_CALLBACK (bind_interval_cb),
                                                                 .data = self,
                                                                 .narrow_owner = self });
  column.narrow_owner = self;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      column.data = (gpointer)columns[i].metric;
      dyno_table_append (self->view, _ (columns[i].title), &column);
    }
  self->selection = gtk_no_selection_new (NULL);
  dyno_compat_scroll_where_needed (GTK_SCROLLED_WINDOW (gtk_widget_get_parent (GTK_WIDGET (self->view))));
}

static GListStore *
find_or_add_group (DynoCaseTable *self, GListStore *lists, DynoResult *result)
{
  g_autofree char *heading = dyno_case_parts_dup_model (result);
  GListStore *group = g_hash_table_lookup (self->groups, heading);
  g_autoptr (GtkStringList) title = NULL;
  g_autoptr (GtkSortListModel) sorted = NULL;

  if (group != NULL)
    return group;
  group = g_list_store_new (DYNO_TYPE_RESULT);
  title = gtk_string_list_new ((const char *[]){ heading, NULL });
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (group)),
                                    g_object_ref (gtk_column_view_get_sorter (self->view)));
  g_list_store_append (lists, title);
  g_list_store_append (lists, sorted);
  g_hash_table_insert (self->groups, g_steal_pointer (&heading), group);
  return group;
}

void
dyno_case_table_set_run (DynoCaseTable *self, DynoRun *run)
{
  g_autoptr (GListStore) lists = g_list_store_new (G_TYPE_LIST_MODEL);
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GListModel) rows = NULL;

  g_return_if_fail (DYNO_IS_CASE_TABLE (self));
  g_return_if_fail (DYNO_IS_RUN (run));

  self->varying = dyno_case_parts_find_varying (dyno_run_get_results (run));
  set_scale (self, dyno_run_get_results (run));
  if (!g_set_object (&self->run, run))
    {
      GHashTableIter iter;
      gpointer group;
      g_hash_table_iter_init (&iter, self->groups);
      while (g_hash_table_iter_next (&iter, NULL, &group))
        {
          guint n = g_list_model_get_n_items (group);

          g_list_model_items_changed (group, 0, n, n);
        }

      return;
    }
  g_clear_pointer (&self->groups, g_hash_table_unref);
  self->groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  results = dyno_case_order_sort (run);
  for (guint i = 0; i < results->len; i++)
    g_list_store_append (find_or_add_group (self, lists, results->pdata[i]), results->pdata[i]);
  rows = G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (g_steal_pointer (&lists))));
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_column_view_set_model (self->view, NULL);
  gtk_no_selection_set_model (self->selection, rows);
}

GListModel *
dyno_case_table_get_rows (DynoCaseTable *self)
{
  g_return_val_if_fail (DYNO_IS_CASE_TABLE (self), NULL);
  return G_LIST_MODEL (self->selection);
}
