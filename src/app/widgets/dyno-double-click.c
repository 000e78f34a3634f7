/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

static gboolean
over_cb (gpointer button)
{
  gtk_widget_set_can_target (button, TRUE);
  return G_SOURCE_REMOVE;
}

static void
mapped_cb (GtkWidget *button)
{
  guint milliseconds;

  g_object_get (gtk_widget_get_settings (button), "gtk-double-click-time", &milliseconds, NULL);
  gtk_widget_set_can_target (button, FALSE);
  g_timeout_add_full (G_PRIORITY_DEFAULT, milliseconds, over_cb, g_object_ref (button), g_object_unref);
}

void
dyno_double_click_guard (GtkWidget *button)
{
  g_return_if_fail (GTK_IS_WIDGET (button));
  g_signal_connect (button, "map", G_CALLBACK (mapped_cb), NULL);
}
