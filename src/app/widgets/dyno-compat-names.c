/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

static void
set_labels (GtkWidget *widget, GList *labels)
{
  GtkAccessibleRelation relation = GTK_ACCESSIBLE_RELATION_LABELLED_BY;
  GValue value = G_VALUE_INIT;

  gtk_accessible_relation_init_value (relation, &value);
  g_value_set_pointer (&value, labels);
  gtk_accessible_update_relation_value (GTK_ACCESSIBLE (widget), 1, &relation, &value);
  g_value_unset (&value);
}

static GList *
list_texts (GtkWidget *widget, GList *texts)
{
  if (GTK_IS_IMAGE (widget) && !gtk_widget_get_visible (widget))
    return texts;
  if (GTK_IS_LABEL (widget) || GTK_IS_INSCRIPTION (widget) ||
      gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_IMG)
    return g_list_append (texts, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    texts = list_texts (child, texts);
  return texts;
}

static gboolean
says (GtkAccessible *accessible, const char *text)
{
  g_autofree char *other =
      gtk_test_accessible_check_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, text);

  return other == NULL;
}

/* The name of a button with a mnemonic is its label with the underscore, followed by the text of the label again;
 * it is empty if the label is a child. A name set explicitly is used alone, even if the row around the button
 * adds its title. */
static void
mend_button (GtkButton *button)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (button);
  const char *label = gtk_button_get_label (button);
  GtkWidget *child = gtk_button_get_child (button);

  if (!gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL))
    {
      if (label == NULL && GTK_IS_LABEL (child))
        gtk_accessible_update_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY, child, NULL, -1);
    }
  else if (label != NULL && says (accessible, label) &&
           gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    gtk_accessible_reset_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL);
  else
    gtk_accessible_reset_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

/* The close button of a toast has no name at all. */
static void
name_cross (GtkButton *button)
{
  GtkWidget *toast = gtk_widget_get_parent (GTK_WIDGET (button));

  if (gtk_button_get_icon_name (button) != NULL && toast != NULL &&
      g_str_equal (G_OBJECT_TYPE_NAME (toast), "AdwToastWidget"))
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Dismiss"),
                                    -1);
}

/* In an activatable row, the widget gets the row's title as well, and since GTK 4.14 instead of its own name. */
static void
keep_own_name (GtkAccessible *accessible)
{
  if (gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL))
    gtk_accessible_reset_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

static gboolean
is_item (GtkWidget *widget)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkListItemWidget");
}

static GtkWidget *
find_item (GtkWidget *widget)
{
  GtkWidget *found = is_item (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_item (child);
  return found;
}

/* The focus goes to the button inside, which before GTK 4.14 has neither the choice nor the title as its
 * name. Since then, it is named after the list of choices around it, and that after the choice alone. */
static void
mend_drop_down (GtkWidget *drop_down, gboolean is_newer)
{
  GtkWidget *button = gtk_widget_get_first_child (drop_down);
  GtkWidget *item = GTK_IS_TOGGLE_BUTTON (button) ? find_item (button) : NULL;

  if (item != NULL)
    set_labels (is_newer ? drop_down : button, g_list_prepend (list_texts (item, NULL), drop_down));
}

/* GTK does not name a row after its contents. */
static void
mend_row (GtkWidget *row)
{
  GList *texts = list_texts (row, NULL);

  if (texts != NULL)
    set_labels (row, texts);
}

static void
expanded_cb (AdwExpanderRow *row)
{
  GtkWidget *inner = dyno_compat_find_inside (GTK_WIDGET (row), ADW_TYPE_ACTION_ROW);

  if (inner != NULL)
    gtk_accessible_update_state (GTK_ACCESSIBLE (inner), GTK_ACCESSIBLE_STATE_EXPANDED,
                                 adw_expander_row_get_expanded (row), -1);
}

/* An expander row contains another row, which alone has the title and the focus, but does not expose whether
 * it is expanded. */
static void
mend_expander_row (GtkWidget *row)
{
  GtkWidget *title = dyno_compat_find_inside (row, GTK_TYPE_LABEL);

  if (title != NULL &&
      !gtk_test_accessible_has_relation (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    gtk_accessible_update_relation (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_RELATION_LABELLED_BY, title, NULL,
                                    -1);
  g_signal_handlers_disconnect_by_func (row, expanded_cb, NULL);
  g_signal_connect (row, "notify::expanded", G_CALLBACK (expanded_cb), NULL);
  expanded_cb (ADW_EXPANDER_ROW (row));
}

/* Fixes all names that newer versions of GTK leave out. */
static gboolean
item_mapped_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GtkWidget *widget = g_value_get_object (&values[0]);

  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton"))
    {
      /* GTK names a menu item after a label outside the accessible tree, which therefore has no text. */
      GtkWidget *label = dyno_compat_find_inside (widget, GTK_TYPE_LABEL);

      if (label != NULL)
        {
          gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
          gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                          gtk_label_get_text (GTK_LABEL (label)), -1);
        }
    }
  else if (GTK_IS_BUTTON (widget))
    {
      name_cross (GTK_BUTTON (widget));
      keep_own_name (GTK_ACCESSIBLE (widget));
    }
  else if (GTK_IS_CHECK_BUTTON (widget))
    keep_own_name (GTK_ACCESSIBLE (widget));
  else if (GTK_IS_DROP_DOWN (widget))
    mend_drop_down (widget, TRUE);
  else if (is_item (widget) &&
           !gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL))
    mend_row (widget);
  return G_SOURCE_CONTINUE;
}

static gboolean
mapped_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GtkWidget *widget = g_value_get_object (&values[0]);

  if (GTK_IS_TOGGLE_BUTTON (widget))
    {
      /* A toggle button that was never pressed does not expose its pressed state. */
      GtkAccessibleTristate pressed = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (widget))
                                          ? GTK_ACCESSIBLE_TRISTATE_TRUE
                                          : GTK_ACCESSIBLE_TRISTATE_FALSE;

      if (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) != GTK_ACCESSIBLE_ROLE_TAB)
        gtk_accessible_update_state (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_STATE_PRESSED, pressed, -1);
    }
  if (GTK_IS_BUTTON (widget))
    {
      /* A new label restores the underscore. */
      g_signal_handlers_disconnect_by_func (widget, mend_button, NULL);
      g_signal_connect (widget, "notify::label", G_CALLBACK (mend_button), NULL);
      name_cross (GTK_BUTTON (widget));
      mend_button (GTK_BUTTON (widget));
    }
  else if (GTK_IS_CHECK_BUTTON (widget))
    keep_own_name (GTK_ACCESSIBLE (widget));
  else if (GTK_IS_DROP_DOWN (widget))
    mend_drop_down (widget, FALSE);
  else if (ADW_IS_ENTRY_ROW (widget))
    {
      /* The focus goes to the text inside, which does not have the title. */
      GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (widget));

      gtk_accessible_update_property (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), -1);
    }
  else if (ADW_IS_EXPANDER_ROW (widget))
    mend_expander_row (widget);
  else if (is_item (widget))
    mend_row (widget);
  return G_SOURCE_CONTINUE;
}

void
dyno_compat_names_mend (void)
{
  static gsize mended = 0;
  gboolean is_newer = gtk_check_version (4, 14, 0) == NULL;

  if (!g_once_init_enter (&mended))
    return;
  /* The class defines the signal. */
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET));
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0,
                              is_newer ? item_mapped_cb : mapped_cb, NULL, NULL);
  g_once_init_leave (&mended, 1);
}
