/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

struct _DynoTabStop
{
  AdwBin parent_instance;

  GtkWidget *last_row;
};

G_DEFINE_FINAL_TYPE (DynoTabStop, dyno_tab_stop, ADW_TYPE_BIN)

/* Tab moves from the row to the widgets inside, then out of the list, or back to the row. A row asked
 * directly claims to take the focus while its window has none. */
static gboolean
leave (DynoTabStop *self, GtkWidget *row, GtkDirectionType direction)
{
  gboolean on_row = gtk_root_get_focus (gtk_widget_get_root (row)) == row;
  GtkWidget *content = gtk_widget_get_first_child (row);

  if (on_row && direction == GTK_DIR_TAB_FORWARD && content != NULL &&
      gtk_widget_child_focus (content, direction))
    return TRUE;
  if (!on_row && gtk_widget_child_focus (row, direction))
    return TRUE;
  g_set_weak_pointer (&self->last_row, row);
  return FALSE;
}

/* A list box has rows with fields inside and forgets the row that had the focus; the list views do neither. */
static gboolean
dyno_tab_stop_focus (GtkWidget *widget, GtkDirectionType direction)
{
  DynoTabStop *self = DYNO_TAB_STOP (widget);
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  GtkWidget *list = adw_bin_get_child (ADW_BIN (widget));
  GtkWidget *row;

  if (is_tab && GTK_IS_LIST_BOX (list))
    {
      /* Finds the row of this list, not of a list inside a row. */
      row = dyno_focus_find_within (list);
      while (row != NULL && gtk_widget_get_parent (row) != list)
        row = gtk_widget_get_parent (row);
      if (row != NULL)
        return leave (self, row, direction);

      row = self->last_row;
      if (row != NULL && gtk_widget_get_parent (row) == list && gtk_widget_get_mapped (row) &&
          gtk_widget_child_focus (row, GTK_DIR_TAB_FORWARD))
        return TRUE;
      return gtk_widget_child_focus (list, GTK_DIR_TAB_FORWARD);
    }
  /* The view would move to its next row. */
  if (is_tab && gtk_widget_get_focus_child (widget) != NULL)
    return FALSE;
  return GTK_WIDGET_CLASS (dyno_tab_stop_parent_class)->focus (widget, direction);
}

static void
dyno_tab_stop_dispose (GObject *object)
{
  g_clear_weak_pointer (&DYNO_TAB_STOP (object)->last_row);

  G_OBJECT_CLASS (dyno_tab_stop_parent_class)->dispose (object);
}

static void
dyno_tab_stop_class_init (DynoTabStopClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dyno_tab_stop_dispose;
  GTK_WIDGET_CLASS (klass)->focus = dyno_tab_stop_focus;
}

static void
dyno_tab_stop_init (DynoTabStop *self)
{
}

GtkWidget *
dyno_focus_find_within (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, widget) ? focus : NULL;
}
