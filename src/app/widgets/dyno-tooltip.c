/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

#define TEXT "dyno-tooltip"

static gboolean
query_cb (GtkWidget *widget, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip, gpointer user_data)
{
  gtk_tooltip_set_text (tooltip, dyno_tooltip_get (widget));
  return TRUE;
}

/* The toolkit's own property asks the display where the pointer is, each time that it is set. */
void
dyno_tooltip_set (GtkWidget *widget, const char *text)
{
  gboolean has_text = text != NULL && *text != '\0';

  g_return_if_fail (GTK_IS_WIDGET (widget));

  if (has_text && g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, query_cb, NULL) == 0)
    g_signal_connect (widget, "query-tooltip", G_CALLBACK (query_cb), NULL);
  g_object_set_data_full (G_OBJECT (widget), TEXT, has_text ? g_strdup (text) : NULL, g_free);
  gtk_widget_set_has_tooltip (widget, has_text);
}

const char *
dyno_tooltip_get (GtkWidget *widget)
{
  g_return_val_if_fail (GTK_IS_WIDGET (widget), NULL);
  return g_object_get_data (G_OBJECT (widget), TEXT);
}
