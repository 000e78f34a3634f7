/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-hardware-private.h"
#include "suite.h"
#include "window-fixture.h"

/* A socket of four cores with two threads each, half of them out of reach. */
static DynoTopologyNode *
create_topology (void)
{
  DynoTopologyNode *root = dyno_topology_node_new (DYNO_TOPOLOGY_MACHINE, NULL, TRUE);
  DynoTopologyNode *package = dyno_topology_node_new (DYNO_TOPOLOGY_PACKAGE, g_strdup ("Package 0"), TRUE);

  g_ptr_array_add (root->children, package);
  for (guint i = 0; i < 4; i++)
    {
      DynoTopologyNode *core =
          dyno_topology_node_new (DYNO_TOPOLOGY_CORE, g_strdup_printf ("Core %u", i), i < 2);

      for (guint k = 0; k < 2; k++)
        g_ptr_array_add (core->children, dyno_topology_node_new (DYNO_TOPOLOGY_THREAD,
                                                                 g_strdup_printf ("%u", 2 * i + k), i < 2));
      g_ptr_array_add (package->children, core);
    }
  return root;
}

static void
test_topology (void)
{
  g_autoptr (DynoTopologyNode) root = create_topology ();
  g_autofree char *description = dyno_topology_node_describe (root);
  GtkWidget *view = g_object_ref_sink (g_object_new (DYNO_TYPE_TOPOLOGY_VIEW, "node", root, NULL));
  int wide, narrow, minimum;

  g_assert_cmpstr (description, ==, "1 package · 4 cores · 8 threads · 4 available to Dyno");
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_LABEL, description);

  gtk_widget_measure (view, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, <=, 336);
  gtk_widget_measure (view, GTK_ORIENTATION_VERTICAL, 1000, NULL, &wide, NULL, NULL);
  gtk_widget_measure (view, GTK_ORIENTATION_VERTICAL, minimum, NULL, &narrow, NULL, NULL);
  g_assert_cmpint (wide, >, 0);
  g_assert_cmpint (narrow, >, wide);

  dyno_topology_view_set_node (DYNO_TOPOLOGY_VIEW (view), NULL);
  gtk_widget_measure (view, GTK_ORIENTATION_VERTICAL, 1000, NULL, &wide, NULL, NULL);
  g_assert_cmpint (wide, ==, 0);
  g_assert_finalize_object (view);
}

/* With the keyboard one moves from part to part, and each is announced to a screen reader. */
static void
test_topology_keys (void)
{
  g_autoptr (DynoTopologyNode) root = create_topology ();
  GtkWidget *window = gtk_window_new ();
  GtkWidget *view = g_object_new (DYNO_TYPE_TOPOLOGY_VIEW, "node", root, NULL);

  g_ptr_array_add (root->children, dyno_topology_node_new (DYNO_TOPOLOGY_DEVICE, g_strdup ("A card"), TRUE));
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (gtk_widget_grab_focus (view));
  g_assert_false (window_fixture_press (view, GDK_KEY_Left, 0));
  g_assert_true (window_fixture_press (view, GDK_KEY_Right, 0));
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Package 0");
  g_assert_true (window_fixture_press (view, GDK_KEY_Right, 0));
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Core 0");
  for (guint i = 0; i < 12; i++)
    g_assert_true (window_fixture_press (view, GDK_KEY_Right, 0));
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "A card");
  g_assert_false (window_fixture_press (view, GDK_KEY_Right, 0));
  gtk_window_destroy (GTK_WINDOW (window));
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/topology/layout", test_topology);
  g_test_add_func ("/topology/keys", test_topology_keys);
  return g_test_run ();
}

SUITE (run_suite)
