/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

#define MAX_LINES 3

GtkWidget *
dyno_name_label_new (int width_chars)
{
  return g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_END, "wrap", TRUE,
                       "wrap-mode", PANGO_WRAP_WORD_CHAR, "lines", MAX_LINES, "width-chars", width_chars,
                       NULL);
}
