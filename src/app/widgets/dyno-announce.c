/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

#define ANNOUNCEMENT "announcement"

static GtkLabel *
find_announcement (GtkWidget *widget)
{
  GtkLabel *found = NULL;

  if (g_strcmp0 (gtk_widget_get_name (widget), ANNOUNCEMENT) == 0)
    return GTK_LABEL (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_announcement (child);
  return found;
}

void
dyno_announce (GtkWidget *widget, const char *text)
{
  GtkRoot *root;
  GtkLabel *label;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (text != NULL);

  root = gtk_widget_get_root (widget);
  if (root == NULL || dyno_compat_announce (widget, text))
    return;
  label = find_announcement (GTK_WIDGET (root));
  if (label != NULL)
    gtk_label_set_label (label, text);
}
