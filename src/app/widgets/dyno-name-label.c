/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

#define MAX_LINES 3

void
dyno_labels_shrink (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    gtk_label_set_ellipsize (GTK_LABEL (widget), PANGO_ELLIPSIZE_END);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    dyno_labels_shrink (child);
}

GtkWidget *
dyno_name_label_new (int width_chars)
{
  return g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_END, "wrap", TRUE,
                       "wrap-mode", PANGO_WRAP_WORD_CHAR, "lines", MAX_LINES, "width-chars", width_chars,
                       NULL);
}
