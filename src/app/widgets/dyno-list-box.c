/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

void
dyno_box_clear (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

void
dyno_list_box_clear (GtkListBox *list)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (list, 0)) != NULL)
    gtk_list_box_remove (list, GTK_WIDGET (row));
}

GtkLabel *
dyno_expander_row_fill (AdwExpanderRow *row,
                        GPtrArray *rows,
                        guint index,
                        const char *title,
                        const char *subtitle,
                        const char *text)
{
  GtkLabel *label;

  if (index == rows->len)
    {
      GtkWidget *child = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, NULL);
      GtkWidget *suffix =
          g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "natural-wrap-mode",
                        GTK_NATURAL_WRAP_NONE, "justify", GTK_JUSTIFY_RIGHT, NULL);

      adw_action_row_add_suffix (ADW_ACTION_ROW (child), suffix);
      g_object_set_data (G_OBJECT (child), "suffix", suffix);
      adw_expander_row_add_row (row, child);
      g_ptr_array_add (rows, child);
    }
  label = g_object_get_data (rows->pdata[index], "suffix");
  gtk_label_set_label (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
  adw_preferences_row_set_title (rows->pdata[index], title);
  adw_action_row_set_subtitle (rows->pdata[index], subtitle);
  return label;
}

void
dyno_expander_row_cut (AdwExpanderRow *row, GPtrArray *rows, guint length)
{
  for (guint i = length; i < rows->len; i++)
    adw_expander_row_remove (row, rows->pdata[i]);
  g_ptr_array_set_size (rows, (int)MIN (length, rows->len));
}

void
dyno_row_mark_invalid (GtkWidget *row, gboolean is_invalid)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_INVALID,
                               is_invalid ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  if (is_invalid)
    gtk_widget_add_css_class (row, "error");
  else
    gtk_widget_remove_css_class (row, "error");
}
