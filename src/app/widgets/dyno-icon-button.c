/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

GtkWidget *
dyno_icon_button_new (const char *icon_name, const char *tooltip)
{
  GtkWidget *button =
      g_object_new (GTK_TYPE_BUTTON, "icon-name", icon_name, "valign", GTK_ALIGN_CENTER, NULL);

  dyno_tooltip_set (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  gtk_widget_add_css_class (button, "flat");
  return button;
}
