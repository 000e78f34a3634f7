/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-runs-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-metric.h"
#include "dyno-missing.h"

struct _DynoMissingView
{
  AdwBin parent_instance;

  AdwExpanderRow *row;
  GPtrArray *rows;
};

G_DEFINE_FINAL_TYPE (DynoMissingView, dyno_missing_view, ADW_TYPE_BIN)

/* If the title only counts the names, the subtitle lists them below the reason. */
static char *
dup_subtitle (DynoMissing *missing)
{
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;

  if (missing->names->len == 1)
    return g_strdup (missing->reason);
  for (guint i = 0; i < missing->names->len; i++)
    g_ptr_array_add (titles, dyno_metric_title_dup (missing->names->pdata[i]));
  g_ptr_array_add (titles, NULL);
  joined = g_strjoinv (", ", (char **)titles->pdata);
  return g_strdup_printf ("%s\n%s", missing->reason, joined);
}

static void
fill_row (DynoMissingView *self, guint index, DynoMissing *missing, guint n_results)
{
  g_autofree char *title = dyno_missing_dup_title (missing);
  g_autofree char *subtitle = dup_subtitle (missing);
  guint n = missing->results->len;
  g_autofree char *count = g_strdup_printf (ngettext ("%u case", "%u cases", n), n);
  const char *cases = n_results == 1 ? "" : n == n_results ? _ ("all cases") : count;
  GtkLabel *label = dyno_expander_row_fill (self->row, self->rows, index, title, subtitle, cases);

  gtk_widget_add_css_class (GTK_WIDGET (label), "dim-label");
}

static void
dyno_missing_view_finalize (GObject *object)
{
  DynoMissingView *self = DYNO_MISSING_VIEW (object);

  g_ptr_array_unref (self->rows);

  G_OBJECT_CLASS (dyno_missing_view_parent_class)->finalize (object);
}

static void
dyno_missing_view_class_init (DynoMissingViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_missing_view_finalize;
}

static void
dyno_missing_view_init (DynoMissingView *self)
{
  GtkWidget *list = g_object_new (GTK_TYPE_LIST_BOX, "selection-mode", GTK_SELECTION_NONE, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Not Measured"),
                                  -1);
  self->rows = g_ptr_array_new ();
  self->row = g_object_new (ADW_TYPE_EXPANDER_ROW, "title", _ ("Not Measured"), "use-markup", FALSE, NULL);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_append (GTK_LIST_BOX (list), GTK_WIDGET (self->row));
  adw_bin_set_child (ADW_BIN (self), list);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

void
dyno_missing_view_set_results (DynoMissingView *self, GListModel *results)
{
  g_autoptr (GPtrArray) list = NULL;
  g_autofree char *counts = NULL;

  g_return_if_fail (DYNO_IS_MISSING_VIEW (self));
  g_return_if_fail (G_IS_LIST_MODEL (results));

  list = dyno_missing_find (results);
  for (guint i = 0; i < list->len; i++)
    fill_row (self, i, list->pdata[i], g_list_model_get_n_items (results));
  dyno_expander_row_cut (self->row, self->rows, list->len);

  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *values = NULL;
  guint n_values;
  for (guint i = 0; i < list->len; i++)
    {
      DynoMissing *missing = list->pdata[i];
      for (guint k = 0; k < missing->names->len; k++)
        g_hash_table_add (names, missing->names->pdata[k]);
    }
  n_values = g_hash_table_size (names);
  values = g_strdup_printf (ngettext ("%u value", "%u values", n_values), n_values);
  counts = g_strdup_printf (
      /* Translators: %s is a number of values */
      ngettext ("%s, for %u reason", "%s, for %u reasons", list->len), values, list->len);

  adw_expander_row_set_subtitle (self->row, counts);
  gtk_widget_set_visible (GTK_WIDGET (self), list->len > 0);
}
