/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-charts-private.h"
#include "dyno-app-hardware-private.h"
#include "dyno-app-shell-private.h"
#include "suite.h"
#include "template-fixture.h"
#include "window-fixture.h"

/* The window of keyboard shortcuts is complete and true: it has every key that something of ours listens to, and no
 * other. */

#define PREFIX "/io/github/dynobench/Dyno/"

/* Keys that do what another does, which alone is told. */
static guint
get_told_key (guint keyval)
{
  static const struct
  {
    guint key;
    guint told;
  } twins[] = {
    { GDK_KEY_KP_Left, GDK_KEY_Left },    { GDK_KEY_KP_Right, GDK_KEY_Right },
    { GDK_KEY_KP_Up, GDK_KEY_Up },        { GDK_KEY_KP_Down, GDK_KEY_Down },
    { GDK_KEY_KP_Home, GDK_KEY_Home },    { GDK_KEY_KP_End, GDK_KEY_End },
    { GDK_KEY_KP_Add, GDK_KEY_plus },     { GDK_KEY_equal, GDK_KEY_plus },
    { GDK_KEY_KP_0, GDK_KEY_0 },          { GDK_KEY_KP_Subtract, GDK_KEY_minus },
    { GDK_KEY_KP_Enter, GDK_KEY_Return }, { GDK_KEY_space, GDK_KEY_Return },
  };

  for (guint i = 0; i < G_N_ELEMENTS (twins); i++)
    if (twins[i].key == keyval)
      return twins[i].told;
  return gdk_keyval_to_lower (keyval);
}

static void
add_key (GHashTable *keys, guint keyval, GdkModifierType modifiers)
{
  g_hash_table_add (keys, gtk_accelerator_name (get_told_key (keyval), modifiers));
}

/* What is bound */

static gboolean
is_ours (GtkWidget *widget)
{
  return g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Dyno");
}

static void
add_shortcuts (GtkWidget *widget, GHashTable *shortcuts)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      guint n =
          GTK_IS_SHORTCUT_CONTROLLER (controller) ? g_list_model_get_n_items (G_LIST_MODEL (controller)) : 0;

      for (guint j = 0; j < n; j++)
        g_hash_table_add (shortcuts, g_list_model_get_item (G_LIST_MODEL (controller), j));
    }
}

static void
discard (GtkWidget *widget)
{
  if (GTK_IS_WINDOW (widget))
    gtk_window_destroy (GTK_WINDOW (widget));
  g_object_unref (widget);
}

/* Classes share the shortcuts of those that they are made from. */
static GHashTable *
list_inherited (GtkWidget *widget)
{
  GType parent = g_type_parent (G_OBJECT_TYPE (widget));
  GHashTable *shortcuts = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);

  if (!G_TYPE_IS_ABSTRACT (parent))
    {
      GtkWidget *other = g_object_ref_sink (g_object_new (parent, NULL));

      add_shortcuts (other, shortcuts);
      discard (other);
    }
  return shortcuts;
}

static void
add_bound (GtkWidget *widget, GHashTable *keys)
{
  g_autoptr (GHashTable) inherited = list_inherited (widget);
  g_autoptr (GHashTable) shortcuts = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  GHashTableIter iter;
  gpointer shortcut;

  add_shortcuts (widget, shortcuts);
  g_hash_table_iter_init (&iter, shortcuts);
  while (g_hash_table_iter_next (&iter, &shortcut, NULL))
    {
      GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

      if (GTK_IS_KEYVAL_TRIGGER (trigger) && !g_hash_table_contains (inherited, shortcut))
        add_key (keys, gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)),
                 gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)));
    }
}

static void
add_all_bound (GtkWidget *widget, GHashTable *keys)
{
  if (is_ours (widget))
    add_bound (widget, keys);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_all_bound (child, keys);
}

static void
add_bound_of_type (GType type, GHashTable *keys)
{
  GtkWidget *widget = g_object_ref_sink (template_fixture_construct (type));

  add_all_bound (widget, keys);
  discard (widget);
}

static void
add_bound_of_templates (GHashTable *keys)
{
  g_auto (GStrv) names = g_resources_enumerate_children (PREFIX, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *resource = g_strconcat (PREFIX, names[i], NULL);
      GType type =
          g_str_has_suffix (resource, ".ui") ? template_fixture_find_type (resource) : G_TYPE_INVALID;

      if (type != G_TYPE_INVALID)
        add_bound_of_type (type, keys);
    }
}

static void
add_accels (GHashTable *keys)
{
  GtkApplication *application = GTK_APPLICATION (window_fixture_get_application ());
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);

  for (guint i = 0; actions[i] != NULL; i++)
    {
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, actions[i]);

      for (guint j = 0; accels[j] != NULL; j++)
        {
          guint keyval;
          GdkModifierType modifiers;

          g_assert_true (gtk_accelerator_parse (accels[j], &keyval, &modifiers));
          add_key (keys, keyval, modifiers);
        }
    }
}

/* What is told */

static void
add_accelerators (const char *accelerators, GHashTable *keys)
{
  g_auto (GStrv) each = g_strsplit (accelerators, " ", -1);

  for (guint i = 0; each[i] != NULL; i++)
    {
      guint keyval;
      GdkModifierType modifiers;

      g_assert_true (gtk_accelerator_parse (each[i], &keyval, &modifiers));
      add_key (keys, keyval, modifiers);
    }
}

static void
add_accels_of_action (const char *action, GHashTable *keys)
{
  GtkApplication *application = GTK_APPLICATION (window_fixture_get_application ());
  g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, action);

  if (accels[0] == NULL)
    g_error ("The window of shortcuts has the action %s, for which there is no key", action);
  for (guint i = 0; accels[i] != NULL; i++)
    add_accelerators (accels[i], keys);
}

static void
add_told (GtkWidget *widget, GHashTable *keys)
{
  if (GTK_IS_SHORTCUTS_SHORTCUT (widget))
    {
      g_autofree char *accelerators = NULL;
      g_autofree char *action = NULL;

      g_object_get (widget, "accelerator", &accelerators, "action-name", &action, NULL);
      if (action != NULL)
        add_accels_of_action (action, keys);
      else
        add_accelerators (accelerators, keys);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_told (child, keys);
}

static void
assert_contains_all (GHashTable *keys, GHashTable *others, const char *what)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, others);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (keys, key))
      {
        g_test_message ("%s %s", (char *)key, what);
        g_test_fail ();
      }
}

static void
test_complete (void)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (PREFIX "shortcuts/help-overlay.ui");
  GtkWidget *overlay = GTK_WIDGET (gtk_builder_get_object (builder, "help_overlay"));
  g_autoptr (GHashTable) told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) bound = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (gtk_get_minor_version () >= 10)
    {
      g_test_skip ("what newer GTK binds for its own classes cannot be told from what is ours");
      gtk_window_destroy (GTK_WINDOW (overlay));
      return;
    }
  add_told (overlay, told);
  add_bound_of_templates (bound);
  add_bound_of_type (DYNO_TYPE_CHART_CANVAS, bound);
  add_bound_of_type (DYNO_TYPE_MODEL_ROW, bound);
  add_bound_of_type (DYNO_TYPE_TOPOLOGY_VIEW, bound);
  add_accels (bound);
  /* GTK's own, for the button of the main menu. */
  add_key (bound, GDK_KEY_F10, 0);
  assert_contains_all (told, bound, "is not in the window of shortcuts");
  assert_contains_all (bound, told, "is in the window of shortcuts, but nothing listens to it");
  gtk_window_destroy (GTK_WINDOW (overlay));
}

static gboolean
opens_menu (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_menu_button_get_primary (GTK_MENU_BUTTON (widget)) &&
         gtk_menu_button_get_popover (GTK_MENU_BUTTON (widget)) != NULL;
}

static gboolean
is_open (gpointer button)
{
  return gtk_widget_get_mapped (GTK_WIDGET (gtk_menu_button_get_popover (button)));
}

static void
test_main_menu (void)
{
  DynoWindow *window = window_fixture_open (1100);
  GtkWidget *button = page_fixture_find_where (GTK_WIDGET (window), opens_menu, NULL);

  g_assert_nonnull (button);
  g_assert_false (is_open (button));
  g_assert_true (window_fixture_press (GTK_WIDGET (window), GDK_KEY_F10, 0));
  page_fixture_wait (is_open, button);
  window_fixture_close (window);
}

/* GTK 4.8 warns of widths of its own labels when it shows the window. */
static void
test_overlay (void)
{
  DynoWindow *window = window_fixture_open (1100);

  g_assert_nonnull (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)));
  g_assert_true (window_fixture_can (GTK_WIDGET (window), "win.show-help-overlay"));
  window_fixture_close (window);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  window_fixture_get_application ();
  template_fixture_ensure_types ();

  g_test_add_func ("/shortcuts/complete", test_complete);
  g_test_add_func ("/shortcuts/main-menu", test_main_menu);
  g_test_add_func ("/shortcuts/overlay", test_overlay);
  return window_fixture_run ();
}

SUITE (run_suite)
