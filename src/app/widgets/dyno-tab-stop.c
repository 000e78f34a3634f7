/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "dyno-tab-stop"

#include "config.h"

#include "dyno-tab-stop.h"

struct _DynoTabStop
{
  AdwBin parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoTabStop, dyno_tab_stop, ADW_TYPE_BIN)

/* The list itself would go on to its next row. */
static gboolean
dyno_tab_stop_focus (GtkWidget *widget, GtkDirectionType direction)
{
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;

  if (is_tab && gtk_widget_get_focus_child (widget) != NULL)
    return FALSE;
  return GTK_WIDGET_CLASS (dyno_tab_stop_parent_class)->focus (widget, direction);
}

static void
dyno_tab_stop_class_init (DynoTabStopClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = dyno_tab_stop_focus;
}

static void
dyno_tab_stop_init (DynoTabStop *self)
{
}
