/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

GtkColumnViewColumn *
dyno_table_append (GtkColumnView *view, const char *title, const DynoTableColumn *spec)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (title, factory);
  g_autoptr (GtkSorter) sorter = NULL;

  g_signal_connect (factory, "setup", spec->setup, spec->data);
  g_signal_connect (factory, "bind", spec->bind, spec->data);
  if (spec->unbind != NULL)
    g_signal_connect (factory, "unbind", spec->unbind, spec->data);
  if (spec->compare != NULL)
    sorter = GTK_SORTER (gtk_custom_sorter_new (spec->compare, spec->data, NULL));
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  if (spec->narrow_owner != NULL)
    g_object_bind_property (spec->narrow_owner, "narrow", column, "visible",
                            G_BINDING_SYNC_CREATE | (spec->only_narrow ? 0 : G_BINDING_INVERT_BOOLEAN));
  if (spec->is_number)
    dyno_compat_append_numbers (view, column);
  else
    gtk_column_view_append_column (view, column);
  return column;
}

void
dyno_table_clear (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);
      gtk_column_view_remove_column (view, column);
    }
}
