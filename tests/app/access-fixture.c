/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <string.h>

#include "access-fixture.h"
#include "dyno-app-charts-private.h"

static gboolean
is_ours (GtkWidget *widget)
{
  return g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Dyno");
}

static gboolean
has_text (const char *text)
{
  return text != NULL && *text != '\0';
}

static gboolean
has_label_property (GtkWidget *widget)
{
  g_autofree char *not_empty = NULL;

  if (!gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL))
    return FALSE;
  not_empty = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  return not_empty != NULL;
}

static gboolean
is_content_named (GtkWidget *child)
{
  if (ADW_IS_BUTTON_CONTENT (child))
    return has_text (adw_button_content_get_label (ADW_BUTTON_CONTENT (child)));
  return GTK_IS_LABEL (child) && has_text (gtk_label_get_text (GTK_LABEL (child)));
}

static gboolean
has_own_text (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget))
    return has_text (gtk_button_get_label (GTK_BUTTON (widget))) ||
           is_content_named (gtk_button_get_child (GTK_BUTTON (widget)));
  if (GTK_IS_MENU_BUTTON (widget))
    return has_text (gtk_menu_button_get_label (GTK_MENU_BUTTON (widget))) ||
           is_content_named (gtk_menu_button_get_child (GTK_MENU_BUTTON (widget)));
  if (GTK_IS_CHECK_BUTTON (widget))
    return has_text (gtk_check_button_get_label (GTK_CHECK_BUTTON (widget)));
  if (GTK_IS_EXPANDER (widget))
    return has_text (gtk_expander_get_label (GTK_EXPANDER (widget)));
  if (GTK_IS_LABEL (widget))
    return has_text (gtk_label_get_text (GTK_LABEL (widget)));
  if (ADW_IS_PREFERENCES_ROW (widget))
    return has_text (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)));
  return GTK_IS_WINDOW (widget) && has_text (gtk_window_get_title (GTK_WINDOW (widget)));
}

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

static gboolean
is_named (GtkWidget *widget)
{
  return has_label_property (widget) || has_own_text (widget) ||
         gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

/* The rows of a table are a list within it. */
static gboolean
is_inside_table (GtkWidget *widget)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkColumnListView");
}

/* Until there is something to show, these have nothing to say. */
static gboolean
is_empty (GtkWidget *widget)
{
  if (GTK_IS_IMAGE (widget))
    return gtk_image_get_storage_type (GTK_IMAGE (widget)) == GTK_IMAGE_EMPTY;
  if (GTK_IS_COLUMN_VIEW (widget))
    return gtk_column_view_get_model (GTK_COLUMN_VIEW (widget)) == NULL;
  return (DYNO_IS_CHART_CANVAS (widget) &&
          dyno_chart_canvas_get_chart (DYNO_CHART_CANVAS (widget)) == NULL) ||
         (GTK_IS_BUTTON (widget) && !gtk_widget_get_visible (widget));
}

static gboolean
is_arrow (GtkWidget *widget)
{
  return GTK_IS_IMAGE (widget) &&
         g_str_equal (or_empty (gtk_image_get_icon_name (GTK_IMAGE (widget))), "adw-expander-arrow-symbolic");
}

/* Parts of rows that libadwaita makes, and the list in a row that opens. */
static gboolean
is_part_of_row (GtkWidget *widget)
{
  GtkWidget *row = gtk_widget_get_ancestor (widget, ADW_TYPE_PREFERENCES_ROW);

  if (row == NULL)
    return FALSE;
  return GTK_IS_LIST_BOX (widget) || is_arrow (widget) ||
         g_strv_contains ((const char *const[]){ "image", "indicator", "edit_icon", "apply_button",
                                                 "enable_switch", NULL },
                          or_empty (gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget))));
}

/* What is read out with a name of its own. Rows that a list makes around widgets are named by these. */
static gboolean
wants_name (GtkWidget *widget)
{
  GtkAccessibleRole role = gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget));

  if (role == GTK_ACCESSIBLE_ROLE_PRESENTATION || is_part_of_row (widget) || is_empty (widget))
    return FALSE;
  return GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) ||
         GTK_IS_SWITCH (widget) || GTK_IS_DROP_DOWN (widget) || GTK_IS_SPIN_BUTTON (widget) ||
         GTK_IS_ENTRY (widget) || GTK_IS_SEARCH_ENTRY (widget) || GTK_IS_TEXT_VIEW (widget) ||
         GTK_IS_RANGE (widget) || GTK_IS_PROGRESS_BAR (widget) || GTK_IS_LEVEL_BAR (widget) ||
         GTK_IS_LIST_BOX (widget) || (GTK_IS_FLOW_BOX (widget) && role != GTK_ACCESSIBLE_ROLE_GROUP) ||
         (GTK_IS_LIST_VIEW (widget) && !is_inside_table (widget)) || GTK_IS_COLUMN_VIEW (widget) ||
         GTK_IS_IMAGE (widget) || GTK_IS_PICTURE (widget) || GTK_IS_DRAWING_AREA (widget) ||
         GTK_IS_SPINNER (widget) || role == GTK_ACCESSIBLE_ROLE_IMG ||
         (is_ours (widget) && gtk_widget_get_focusable (widget));
}

/* The insides of these are read out as a part of them, or are made by the toolkit, which names them. */
static gboolean
is_whole (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) ||
         GTK_IS_SWITCH (widget) || GTK_IS_DROP_DOWN (widget) || GTK_IS_SPIN_BUTTON (widget) ||
         GTK_IS_ENTRY (widget) || GTK_IS_SEARCH_ENTRY (widget) || GTK_IS_SCROLLBAR (widget) ||
         GTK_IS_WINDOW_CONTROLS (widget) || GTK_IS_POPOVER_MENU (widget) || ADW_IS_VIEW_SWITCHER (widget) ||
         ADW_IS_COMBO_ROW (widget) || ADW_IS_STATUS_PAGE (widget) || is_inside_table (widget) ||
         g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwViewSwitcherButton");
}

static void
fail (GtkWidget *widget, const char *where, const char *what)
{
  GtkWidget *above = widget;

  while (above != NULL && !is_ours (above))
    above = gtk_widget_get_parent (above);
  g_test_message ("%s: the %s “%s” in %s %s", where, G_OBJECT_TYPE_NAME (widget),
                  GTK_IS_IMAGE (widget) ? gtk_image_get_icon_name (GTK_IMAGE (widget))
                                        : gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)),
                  above != NULL ? G_OBJECT_TYPE_NAME (above) : "no widget of ours", what);
  g_test_fail ();
}

static void
check_role (GtkWidget *widget, const char *where)
{
  if (is_ours (widget) && gtk_widget_get_focusable (widget) && !GTK_IS_WINDOW (widget) &&
      gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_WIDGET)
    fail (widget, where, "can have the focus and has no role");
}

/* Before GTK 4.14 a name of its own and those of its labels are said one after the other. */
static gboolean
is_named_twice (GtkWidget *widget)
{
  return gtk_check_version (4, 14, 0) != NULL && has_label_property (widget) &&
         gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

/* A row's title is its name only where the row says so; libadwaita's entry rows pass it on to the text inside. */
static gboolean
lacks_title (GtkWidget *widget)
{
  return gtk_check_version (4, 14, 0) != NULL && ADW_IS_PREFERENCES_ROW (widget) &&
         !ADW_IS_ENTRY_ROW (widget) && !has_label_property (widget) &&
         !gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

static gboolean
has_state (GtkWidget *widget, GtkAccessibleState state, int value)
{
  g_autofree char *other = gtk_test_accessible_check_state (GTK_ACCESSIBLE (widget), state, value);

  return other == NULL;
}

static gboolean
tells_state (GtkWidget *widget)
{
  GtkWidget *expander = gtk_widget_get_ancestor (widget, ADW_TYPE_EXPANDER_ROW);
  GtkAccessibleRole role = gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget));

  /* Newer versions of GTK and libadwaita tell it in their own ways. */
  if (role == GTK_ACCESSIBLE_ROLE_PRESENTATION || gtk_check_version (4, 14, 0) == NULL)
    return TRUE;
  if (GTK_IS_TOGGLE_BUTTON (widget) && role != GTK_ACCESSIBLE_ROLE_TAB)
    return has_state (widget, GTK_ACCESSIBLE_STATE_PRESSED,
                      gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (widget))
                          ? GTK_ACCESSIBLE_TRISTATE_TRUE
                          : GTK_ACCESSIBLE_TRISTATE_FALSE);
  if (GTK_IS_CHECK_BUTTON (widget) && !gtk_check_button_get_inconsistent (GTK_CHECK_BUTTON (widget)))
    return has_state (widget, GTK_ACCESSIBLE_STATE_CHECKED,
                      gtk_check_button_get_active (GTK_CHECK_BUTTON (widget))
                          ? GTK_ACCESSIBLE_TRISTATE_TRUE
                          : GTK_ACCESSIBLE_TRISTATE_FALSE);
  if (GTK_IS_SWITCH (widget))
    return has_state (widget, GTK_ACCESSIBLE_STATE_CHECKED,
                      gtk_switch_get_active (GTK_SWITCH (widget)) ? GTK_ACCESSIBLE_TRISTATE_TRUE
                                                                  : GTK_ACCESSIBLE_TRISTATE_FALSE);
  if (g_str_equal (or_empty (gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget))), "action_row") &&
      expander != NULL)
    return has_state (widget, GTK_ACCESSIBLE_STATE_EXPANDED,
                      adw_expander_row_get_expanded (ADW_EXPANDER_ROW (expander)));
  return !GTK_IS_EXPANDER (widget) ||
         has_state (widget, GTK_ACCESSIBLE_STATE_EXPANDED, gtk_expander_get_expanded (GTK_EXPANDER (widget)));
}

static void
check_shown (GtkWidget *widget, const char *where)
{
  if (!tells_state (widget))
    fail (widget, where, "does not tell whether it is on or open");
  if (is_named_twice (widget))
    fail (widget, where, "says its name twice");
  if (lacks_title (widget))
    fail (widget, where, "is a row whose title is not its name");
}

void
access_fixture_assert_named (GtkWidget *widget, const char *where, gboolean only_mapped)
{
  if (only_mapped && !gtk_widget_get_mapped (widget))
    return;
  check_role (widget, where);
  if (wants_name (widget) && !is_named (widget))
    fail (widget, where, "has no name");
  if (only_mapped)
    check_shown (widget, where);
  if (is_whole (widget))
    return;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    access_fixture_assert_named (child, where, only_mapped);
}

/* As the window does on Tab, which does not ask whether the focus has moved. */
static GtkWidget *
move_focus (GtkWindow *window, GtkDirectionType direction)
{
  gtk_widget_child_focus (GTK_WIDGET (window), direction);
  return gtk_window_get_focus (window);
}

/* Once around, until it comes to a stop again. */
static GPtrArray *
walk (GtkWindow *window, GtkDirectionType direction, const char *where)
{
  GPtrArray *stops = g_ptr_array_new ();
  GtkWidget *stop;

  gtk_window_set_focus (window, NULL);
  while ((stop = move_focus (window, direction)) != NULL && !g_ptr_array_find (stops, stop, NULL))
    g_ptr_array_add (stops, stop);
  if (stop != NULL && stop != stops->pdata[0])
    fail (stop, where, "does not let Tab go on");
  return stops;
}

static gboolean
holds_stop (GtkWidget *widget, GPtrArray *stops)
{
  for (guint i = 0; i < stops->len; i++)
    {
      GtkWidget *stop = g_ptr_array_index (stops, i);

      if (stop == widget || gtk_widget_is_ancestor (stop, widget))
        return TRUE;
    }
  return FALSE;
}

/* Lists, tables and groups of choices are one stop; arrow keys move inside. */
static gboolean
is_one_stop (GtkWidget *widget)
{
  return GTK_IS_LIST_BOX (widget) || GTK_IS_FLOW_BOX (widget) || GTK_IS_LIST_VIEW (widget) ||
         GTK_IS_COLUMN_VIEW (widget) || GTK_IS_STACK_SWITCHER (widget) ||
         g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwToggleGroup");
}

/* A list without rows takes no focus, nor does what may not have it. */
static gboolean
can_stop (GtkWidget *widget)
{
  if (!gtk_widget_is_sensitive (widget) || !gtk_widget_get_can_focus (widget))
    return FALSE;
  if (GTK_IS_MENU_BUTTON (widget) || GTK_IS_DROP_DOWN (widget) || GTK_IS_ENTRY (widget) ||
      GTK_IS_SEARCH_ENTRY (widget) || GTK_IS_SPIN_BUTTON (widget))
    return TRUE;
  return gtk_widget_get_focusable (widget) && wants_name (widget) && !is_one_stop (widget);
}

static void
assert_reached (GtkWidget *widget, const char *where, GPtrArray *stops)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_get_can_focus (widget))
    return;
  if (can_stop (widget) && !holds_stop (widget, stops))
    fail (widget, where, "is not reached by Tab");
  if (is_whole (widget) || (is_one_stop (widget) && holds_stop (widget, stops)))
    return;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_reached (child, where, stops);
}

/* Rows: since GTK 4.14 a list names them by what they hold. */
static gboolean
is_named_by_content (GtkWidget *widget)
{
  return GTK_IS_LIST_BOX_ROW (widget) ||
         (gtk_check_version (4, 14, 0) == NULL &&
          (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkListItemWidget") ||
           g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkColumnViewRowWidget")));
}

/* The widget that a screen reader names at a stop; the focus itself may be inside it. */
static GtkWidget *
find_spoken (GtkWidget *stop)
{
  GtkWidget *parent = gtk_widget_get_parent (stop);

  if (is_inside_table (stop))
    return parent;
  if (is_named_by_content (stop))
    return stop;
  return !is_named (stop) && parent != NULL && is_whole (parent) ? parent : stop;
}

static void
assert_stops_named (GPtrArray *stops, const char *where)
{
  for (guint i = 0; i < stops->len; i++)
    {
      GtkWidget *spoken = find_spoken (g_ptr_array_index (stops, i));

      if (!is_named (spoken) && !is_named_by_content (spoken))
        fail (spoken, where, "is a stop of Tab without a name");
    }
}

static void
print_stops (GPtrArray *stops, const char *where)
{
  for (guint i = 0; i < stops->len; i++)
    g_test_message ("%s, stop %u: %s “%s”", where, i, G_OBJECT_TYPE_NAME (stops->pdata[i]),
                    or_empty (gtk_buildable_get_buildable_id (stops->pdata[i])));
}

void
access_fixture_assert_walk (GtkWindow *window, const char *where)
{
  g_autoptr (GPtrArray) forward = walk (window, GTK_DIR_TAB_FORWARD, where);
  g_autoptr (GPtrArray) backward = walk (window, GTK_DIR_TAB_BACKWARD, where);

  print_stops (forward, where);
  assert_stops_named (forward, where);
  assert_reached (GTK_WIDGET (window), where, forward);
  assert_reached (GTK_WIDGET (window), where, backward);
}
