/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "access-fixture.h"
#include "dyno-app-widgets-private.h"
#include "page-fixture.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

/* As many as the run of the fixture has. */
#define N_CASES 4

typedef struct
{
  GtkWidget *window;
  DynoNodeGrid *nodes;
  GtkGrid *grid;
  GPtrArray *labels;
  DynoRun *run;
  DynoRun *activated_run;
  DynoResult *activated_result;
} Fixture;

static void
activated_cb (Fixture *self, DynoRun *run, DynoResult *result)
{
  self->activated_run = run;
  self->activated_result = result;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->window = gtk_window_new ();
  self->nodes = DYNO_NODE_GRID (dyno_node_grid_new ());
  self->grid = GTK_GRID (page_fixture_find (GTK_WIDGET (self->nodes), GTK_TYPE_GRID));
  self->labels = g_ptr_array_new_with_free_func (g_free);
  self->run = run_fixture_make ("Run", 0, 1);
  for (guint i = 0; i < N_CASES; i++)
    g_ptr_array_add (self->labels, g_strdup_printf ("case %u", i + 1));
  g_signal_connect_swapped (self->nodes, "activated", G_CALLBACK (activated_cb), self);
  gtk_window_set_child (GTK_WINDOW (self->window), GTK_WIDGET (self->nodes));
  gtk_window_present (GTK_WINDOW (self->window));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_ptr_array_unref (self->labels);
  g_object_unref (self->run);
}

static void
show (Fixture *self, DynoRun *run, const char *const *cases)
{
  DynoGridNode values[] = {
    { .name = "n1", .state = "running", .run = run, .cases = cases },
    { .name = "n2", .state = "waiting" },
  };
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (DynoGridNode));

  g_array_append_vals (columns, values, G_N_ELEMENTS (values));
  dyno_node_grid_show (self->nodes, self->labels, columns);
}

static GtkWidget *
get_cell (Fixture *self, int column, int row)
{
  return gtk_grid_get_child_at (self->grid, column + 1, row + 1);
}

/* What stands in the row of @row is the case of @ordinal, or nothing. */
static void
assert_row (Fixture *self, int row, int ordinal)
{
  GtkWidget *cell = get_cell (self, 0, row);
  g_autoptr (DynoResult) result = NULL;

  self->activated_result = NULL;
  g_assert_true (gtk_widget_get_sensitive (cell) == (ordinal >= 0));
  if (ordinal < 0)
    return;
  result = g_list_model_get_item (dyno_run_get_results (self->run), (guint)ordinal);
  g_signal_emit_by_name (cell, "clicked");
  g_assert_true (self->activated_run == self->run);
  g_assert_true (self->activated_result == result);
}

static void
number_results (Fixture *self)
{
  for (guint i = 0; i < N_CASES; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (self->run), i);

      g_assert_cmpuint (dyno_result_get_ordinal (result), ==, i);
    }
}

/* A node that measures all cases has each in its row, and activating one says which. */
static void
test_all (Fixture *self, gconstpointer data)
{
  number_results (self);
  show (self, self->run, NULL);
  for (int row = 0; row < N_CASES; row++)
    {
      assert_row (self, row, row);
      g_assert_false (gtk_widget_get_sensitive (get_cell (self, 1, row)));
    }
}

/* Of divided cases a node counts its own, which are others of the plan. */
static void
test_divided (Fixture *self, gconstpointer data)
{
  const char *const cases[] = { "2", "4", NULL };

  show (self, self->run, cases);
  assert_row (self, 0, -1);
  assert_row (self, 1, 0);
  assert_row (self, 2, -1);
  assert_row (self, 3, 1);
}

/* Whoever goes through the cells stays where they are while numbers come in. */
static void
test_focus (Fixture *self, gconstpointer data)
{
  const char *const first[] = { "1", NULL };
  GtkWidget *cell;

  show (self, self->run, first);
  cell = get_cell (self, 0, 0);
  g_assert_true (gtk_widget_grab_focus (cell));
  show (self, self->run, NULL);
  g_assert_true (get_cell (self, 0, 0) == cell);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (self->window)) == cell);
}

/* Another plan with as many cases is shown with its own words. */
static void
test_other_plan (Fixture *self, gconstpointer data)
{
  show (self, self->run, NULL);
  g_assert_true (window_fixture_shows (GTK_WIDGET (self->nodes), "case 2"));
  g_free (self->labels->pdata[1]);
  self->labels->pdata[1] = g_strdup ("another case");
  show (self, NULL, NULL);
  g_assert_true (window_fixture_shows (GTK_WIDGET (self->nodes), "another case"));
  g_assert_false (window_fixture_shows (GTK_WIDGET (self->nodes), "case 2"));
  assert_row (self, 1, -1);
}

/* More nodes than cases go down the page, by their whole names, and back when there are fewer again. */
static void
test_many_nodes (Fixture *self, gconstpointer data)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (DynoGridNode));
  DynoGridNode node = { .name = "node0001", .state = "running", .run = self->run };
  GtkWidget *heading;

  for (guint i = 0; i <= N_CASES; i++)
    g_array_append_val (nodes, node);
  dyno_node_grid_show (self->nodes, self->labels, nodes);
  heading = gtk_grid_get_child_at (self->grid, 0, N_CASES + 1);
  g_assert_true (window_fixture_shows (heading, "node0001"));
  g_assert_cmpint (gtk_label_get_width_chars (GTK_LABEL (gtk_widget_get_first_child (heading))), ==, 8);
  g_assert_true (window_fixture_shows (gtk_grid_get_child_at (self->grid, N_CASES, 0), "case 4"));
  g_assert_null (gtk_grid_get_child_at (self->grid, N_CASES + 1, 0));
  show (self, self->run, NULL);
  assert_row (self, 3, 3);
}

static void
test_names (Fixture *self, gconstpointer data)
{
  show (self, self->run, NULL);
  access_fixture_assert_named (self->window, "the cases by node", FALSE);
  for (int row = 0; row < N_CASES; row++)
    for (int column = 0; column < 2; column++)
      g_assert_true (
          g_str_has_prefix (dyno_tooltip_get (get_cell (self, column, row)), column == 0 ? "n1: " : "n2: "));
  g_assert_cmpstr (dyno_tooltip_get (get_cell (self, 1, 2)), ==, "n2: case 3");
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/node-grid/all", test_all);
  ADD ("/node-grid/divided", test_divided);
  ADD ("/node-grid/focus", test_focus);
  ADD ("/node-grid/other-plan", test_other_plan);
  ADD ("/node-grid/many-nodes", test_many_nodes);
  ADD ("/node-grid/names", test_names);
  return g_test_run ();
}

SUITE (run_suite)
