/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-charts-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

struct _DynoDataTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
};

G_DEFINE_FINAL_TYPE (DynoDataTable, dyno_data_table, ADW_TYPE_BIN)

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *label = gtk_inscription_new (NULL);
  guint column = GPOINTER_TO_UINT (user_data);

  gtk_inscription_set_xalign (GTK_INSCRIPTION (label), column == 0 ? 0 : 1);
  gtk_inscription_set_nat_chars (GTK_INSCRIPTION (label), column == 0 ? 24 : 10);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (label), column == 0 ? 12 : 8);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (label), GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkStringList *row = gtk_list_item_get_item (item);
  const char *text = gtk_string_list_get_string (row, GPOINTER_TO_UINT (user_data));

  gtk_inscription_set_text (GTK_INSCRIPTION (gtk_list_item_get_child (item)), text);
}

static void
dyno_data_table_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_DATA_TABLE);

  G_OBJECT_CLASS (dyno_data_table_parent_class)->dispose (object);
}

static void
dyno_data_table_class_init (DynoDataTableClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_data_table_dispose;

  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-data-table.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoDataTable, view);
}

static void
dyno_data_table_init (DynoDataTable *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_compat_scroll_where_needed (GTK_SCROLLED_WINDOW (gtk_widget_get_parent (GTK_WIDGET (self->view))));
}

void
dyno_data_table_set_chart (DynoDataTable *self, DynoChart *chart)
{
  GPtrArray *table;
  g_autoptr (GtkSelectionModel) selection = NULL;
  char **headings;

  g_return_if_fail (DYNO_IS_DATA_TABLE (self));
  g_return_if_fail (chart == NULL || DYNO_IS_CHART (chart));

  gtk_column_view_set_model (self->view, NULL);
  dyno_table_clear (self->view);
  if (chart == NULL)
    return;
  table = dyno_chart_get_table (chart);
  if (table->len == 0)
    return;

  headings = g_ptr_array_index (table, 0);
  for (guint i = 0; headings[i] != NULL; i++)
    gtk_column_view_column_set_expand (dyno_table_append (self->view, headings[i],
                                                          &(DynoTableColumn){ .setup = G_CALLBACK (setup_cb),
                                                                              .bind = G_CALLBACK (bind_cb),
                                                                              .data = GUINT_TO_POINTER (i),
                                                                              .is_number = i > 0 }),
                                       TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  dyno_chart_get_title (chart), -1);

  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  GListStore *store = g_list_store_new (GTK_TYPE_STRING_LIST);
  for (guint i = 1; i < table->len; i++)
    g_ptr_array_add (rows, gtk_string_list_new (g_ptr_array_index (table, i)));
  g_list_store_splice (store, 0, 0, rows->pdata, rows->len);
  selection = GTK_SELECTION_MODEL (gtk_single_selection_new (G_LIST_MODEL (store)));
  gtk_column_view_set_model (self->view, selection);
}

static gboolean
has_cell (GtkStringList *row, const char *text)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (row)); i++)
    if (g_str_equal (gtk_string_list_get_string (row, i), text))
      return TRUE;
  return FALSE;
}

gboolean
dyno_data_table_select_row (DynoDataTable *self, const char *text)
{
  GtkSelectionModel *rows;

  g_return_val_if_fail (DYNO_IS_DATA_TABLE (self), FALSE);

  rows = gtk_column_view_get_model (self->view);
  for (guint i = 0; rows != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (rows)); i++)
    {
      g_autoptr (GtkStringList) row = g_list_model_get_item (G_LIST_MODEL (rows), i);

      if (!has_cell (row, text))
        continue;
      gtk_selection_model_select_item (rows, i, TRUE);
      gtk_widget_activate_action (GTK_WIDGET (self->view), "list.scroll-to-item", "u", i);
      return TRUE;
    }
  return FALSE;
}
