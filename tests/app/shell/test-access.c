/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "access-fixture.h"
#include "dyno-app-benchmark-private.h"
#include "dyno-app-compare-private.h"
#include "dyno-app-hardware-private.h"
#include "dyno-app-results-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-shell-private.h"
#include "run-fixture.h"
#include "suite.h"
#include "template-fixture.h"
#include "window-fixture.h"

/* What can be used without sight and without a mouse: every control of every template and page has a name, and Tab
 * comes to every one and on. */

#define WIDE   1100
#define NARROW 360

/* A page, and a section of it. */
static const struct
{
  const char *page;
  const char *section;
} pages[] = { { "benchmark", NULL },     { "results", NULL },        { "compare", NULL },
              { "hardware", "machine" }, { "hardware", "backends" }, { "hardware", "ceilings" },
              { "hardware", "sensors" }, { "history", NULL } };

static void
test_template (gconstpointer resource)
{
  GType type = template_fixture_find_type (resource);
  GtkWidget *widget;

  if (type == G_TYPE_INVALID)
    return;
  widget = g_object_ref_sink (template_fixture_construct (type));
  access_fixture_assert_named (widget, resource, FALSE);
  if (GTK_IS_WINDOW (widget))
    gtk_window_destroy (GTK_WINDOW (widget));
  g_object_unref (widget);
}

/* Before it has read the run, the view says that none is selected. */
static gboolean
shows_run (gpointer page)
{
  GtkWidget *view = page_fixture_find (page, DYNO_TYPE_RUN_VIEW);

  return view != NULL && gtk_widget_get_mapped (view) && dyno_run_view_get_run (DYNO_RUN_VIEW (view)) != NULL;
}

static gboolean
is_counted (gpointer plan_form)
{
  return !dyno_plan_form_get_counting (plan_form);
}

static gboolean
knows_hardware (gpointer page)
{
  return !dyno_hardware_page_get_loading (page);
}

static gboolean
compares_two (gpointer page)
{
  return dyno_compare_page_get_n_runs (page) == 2;
}

static GtkWidget *
show_page (DynoWindow *window, const char *name, GType type)
{
  dyno_window_show_page (window, name);
  window_fixture_wait_frames (GTK_WIDGET (window));
  return page_fixture_find (GTK_WIDGET (window), type);
}

/* A window whose pages have something to show. */
static DynoWindow *
open_window (int width)
{
  DynoStore *store = window_fixture_get_store ();
  g_autoptr (DynoRun) run = run_fixture_add (store, "A run", G_USEC_PER_SEC, 1);
  g_autoptr (DynoRun) other = run_fixture_add (store, "Another run", 2 * G_USEC_PER_SEC, 2);
  DynoWindow *window = window_fixture_open (width);
  GtkWidget *benchmark = show_page (window, "benchmark", DYNO_TYPE_BENCHMARK_PAGE);

  gtk_widget_activate_action (benchmark, "benchmark.load-suite", "s", "quick");
  page_fixture_wait (is_counted, page_fixture_find (benchmark, DYNO_TYPE_PLAN_FORM));
  page_fixture_wait (knows_hardware, show_page (window, "hardware", DYNO_TYPE_HARDWARE_PAGE));
  dyno_window_compare_run (window, store, dyno_run_get_id (run));
  dyno_window_compare_run (window, store, dyno_run_get_id (other));
  page_fixture_wait (compares_two, show_page (window, "compare", DYNO_TYPE_COMPARE_PAGE));
  dyno_window_show_run (window, dyno_run_get_id (run));
  page_fixture_wait (shows_run, page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE));
  return window;
}

static char *
dup_where (guint page)
{
  return pages[page].section != NULL ? g_strdup_printf ("%s, %s", pages[page].page, pages[page].section)
                                     : g_strdup (pages[page].page);
}

static void
show (DynoWindow *window, guint page)
{
  GtkWidget *widget = GTK_WIDGET (window);

  if (g_str_equal (pages[page].page, "history"))
    gtk_widget_activate_action (widget, "win.show-history", NULL);
  else
    dyno_window_show_page (window, pages[page].page);
  if (pages[page].section != NULL)
    gtk_stack_set_visible_child_name (GTK_STACK (page_fixture_find_named (widget, "section_stack")),
                                      pages[page].section);
  window_fixture_wait_frames (widget);
}

typedef void (*Check) (GtkWidget *window, const char *where);

static void
check_pages (int width, Check check)
{
  DynoWindow *window = open_window (width);

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *where = dup_where (i);

      show (window, i);
      check (GTK_WIDGET (window), where);
    }
  window_fixture_close (window);
  window_fixture_clear_store ();
}

static void
check_names (GtkWidget *window, const char *where)
{
  access_fixture_assert_named (window, where, TRUE);
}

static void
test_names (gconstpointer width)
{
  check_pages (GPOINTER_TO_INT (width), check_names);
}

static void
check_walk (GtkWidget *window, const char *where)
{
  access_fixture_assert_walk (GTK_WINDOW (window), where);
}

static void
test_walk (gconstpointer width)
{
  check_pages (GPOINTER_TO_INT (width), check_walk);
}

static void
assert_still (GtkWidget *widget, const char *where)
{
  if (GTK_IS_STACK (widget) && gtk_stack_get_transition_running (GTK_STACK (widget)))
    g_error ("%s: the stack “%s” moves", where, gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)));
  if (GTK_IS_REVEALER (widget))
    g_assert_cmpint (gtk_revealer_get_reveal_child (GTK_REVEALER (widget)), ==,
                     gtk_revealer_get_child_revealed (GTK_REVEALER (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_still (child, where);
}

static void
set_animated (gboolean animated)
{
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", animated, NULL);
}

/* Whoever has turned animations off sees each page as it is at once. */
static void
test_still (void)
{
  DynoWindow *window = open_window (WIDE);
  GtkStack *sections = GTK_STACK (page_fixture_find_named (GTK_WIDGET (window), "section_stack"));

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      if (g_str_equal (pages[i].page, "history"))
        gtk_widget_activate_action (GTK_WIDGET (window), "win.show-history", NULL);
      else
        dyno_window_show_page (window, pages[i].page);
      if (pages[i].section != NULL)
        gtk_stack_set_visible_child_name (sections, pages[i].section);
      assert_still (GTK_WIDGET (window), pages[i].page);
    }
  set_animated (TRUE);
  dyno_window_show_page (window, "hardware");
  window_fixture_wait_frames (GTK_WIDGET (window));
  gtk_stack_set_visible_child_name (sections, "machine");
  g_assert_true (gtk_stack_get_transition_running (sections));
  set_animated (FALSE);
  window_fixture_close (window);
  window_fixture_clear_store ();
}

static gboolean
is_gone (gpointer window)
{
  return *(gpointer *)window == NULL;
}

/* Windows of their own can be walked through, too, and closed with Escape. */
static void
test_window (gconstpointer resource)
{
  GType type = template_fixture_find_type (resource);
  GtkWidget *window;

  if (type == G_TYPE_INVALID || !g_type_is_a (type, GTK_TYPE_WINDOW) || type == DYNO_TYPE_WINDOW)
    return;
  window = template_fixture_construct (type);
  gtk_window_present (GTK_WINDOW (window));
  window_fixture_wait_frames (window);
  access_fixture_assert_named (window, resource, TRUE);
  access_fixture_assert_walk (GTK_WINDOW (window), resource);
  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *)&window);
  g_assert_true (window_fixture_press (window, GDK_KEY_Escape, 0));
  page_fixture_wait (is_gone, &window);
}

static gboolean
has (GtkWidget *widget, GtkAccessibleRelation relation)
{
  return gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget), relation);
}

static GtkWidget *
append (GtkWidget *box, GtkWidget *child)
{
  gtk_box_append (GTK_BOX (box), child);
  return child;
}

/* A button is named by its label alone, be that its own or a child, or by the name that it was given; and a drop-down
 * by what it is for and what is chosen. */
static void
test_mended (void)
{
  static const char *const choices[] = { "One", "Two", NULL };
  GtkWidget *window = gtk_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *plain = append (box, gtk_button_new_with_mnemonic ("_Plain"));
  GtkWidget *named = append (box, gtk_button_new_with_label ("Copy"));
  GtkWidget *wrapped = append (box, gtk_button_new ());
  GtkWidget *drop_down = append (box, gtk_drop_down_new_from_strings (choices));
  GtkWidget *stack = append (box, gtk_stack_new ());
  GtkWidget *switcher = append (box, g_object_new (GTK_TYPE_STACK_SWITCHER, "stack", stack, NULL));

  gtk_button_set_child (GTK_BUTTON (wrapped), gtk_label_new ("Wrapped"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (named), GTK_ACCESSIBLE_PROPERTY_LABEL, "Copy the Lines",
                                  -1);
  gtk_stack_add_titled (GTK_STACK (stack), gtk_label_new (NULL), "page", "Page");
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  window_fixture_wait_frames (window);
  g_assert_false (gtk_test_accessible_has_property (GTK_ACCESSIBLE (plain), GTK_ACCESSIBLE_PROPERTY_LABEL));
  gtk_test_accessible_assert_property (named, GTK_ACCESSIBLE_PROPERTY_LABEL, "Copy the Lines");
  g_assert_false (has (named, GTK_ACCESSIBLE_RELATION_LABELLED_BY));
  gtk_test_accessible_assert_relation (wrapped, GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                       gtk_button_get_child (GTK_BUTTON (wrapped)), NULL);
  g_assert_true (has (gtk_widget_get_first_child (drop_down), GTK_ACCESSIBLE_RELATION_LABELLED_BY));
  g_assert_false (has (gtk_widget_get_first_child (switcher), GTK_ACCESSIBLE_RELATION_LABELLED_BY));
  gtk_button_set_label (GTK_BUTTON (plain), "_Plainer");
  g_assert_false (gtk_test_accessible_has_property (GTK_ACCESSIBLE (plain), GTK_ACCESSIBLE_PROPERTY_LABEL));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A row names what it is pressed with, unless that has a name of its own. */
static void
test_own_name (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *list = gtk_list_box_new (), *row = adw_action_row_new (),
            *button = gtk_button_new_with_label ("Restore");

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Restore a run",
                                  -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  gtk_list_box_append (GTK_LIST_BOX (list), row);
  gtk_window_set_child (GTK_WINDOW (window), list);
  gtk_window_present (GTK_WINDOW (window));
  window_fixture_wait_frames (window);
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Restore a run");
  g_assert_false (has (button, GTK_ACCESSIBLE_RELATION_LABELLED_BY));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
assert_hidden (GtkWidget *page, gboolean hidden)
{
  gtk_test_accessible_assert_state (page, GTK_ACCESSIBLE_STATE_HIDDEN, hidden);
}

/* Screen readers are offered the page that is shown, and no other. */
static void
test_hidden_pages (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *stack = gtk_stack_new ();
  GtkWidget *first = gtk_label_new ("First"), *second = gtk_label_new ("Second");

  gtk_stack_add_child (GTK_STACK (stack), first);
  gtk_stack_add_child (GTK_STACK (stack), second);
  gtk_window_set_child (GTK_WINDOW (window), stack);
  gtk_window_present (GTK_WINDOW (window));
  gtk_stack_set_visible_child (GTK_STACK (stack), second);
  window_fixture_wait_frames (window);
  assert_hidden (first, TRUE);
  assert_hidden (second, FALSE);
  gtk_stack_set_visible_child (GTK_STACK (stack), first);
  window_fixture_wait_frames (window);
  assert_hidden (first, FALSE);
  assert_hidden (second, TRUE);
  gtk_window_destroy (GTK_WINDOW (window));
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  window_fixture_get_application ();
  template_fixture_ensure_types ();

  template_fixture_add_tests ("/access/template/", test_template);
  template_fixture_add_tests ("/access/window/", test_window);
  g_test_add_data_func ("/access/names", GINT_TO_POINTER (WIDE), test_names);
  g_test_add_data_func ("/access/names/narrow", GINT_TO_POINTER (NARROW), test_names);
  g_test_add_data_func ("/access/walk", GINT_TO_POINTER (WIDE), test_walk);
  g_test_add_data_func ("/access/walk/narrow", GINT_TO_POINTER (NARROW), test_walk);
  g_test_add_func ("/access/still", test_still);
  g_test_add_func ("/access/own-name", test_own_name);
  g_test_add_func ("/access/hidden-pages", test_hidden_pages);
  /* Newer versions of GTK name their widgets themselves. */
  if (gtk_check_version (4, 14, 0) != NULL)
    g_test_add_func ("/access/mended", test_mended);
  return window_fixture_run ();
}

SUITE (run_suite)
