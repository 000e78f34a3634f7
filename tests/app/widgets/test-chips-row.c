/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"
#include "page-fixture.h"
#include "suite.h"

#define VALUES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static DynoChipsRow *
create_row (const char *usual)
{
  return g_object_ref_sink (g_object_new (DYNO_TYPE_CHIPS_ROW, "title", "Threads", "usual", usual, "maximum",
                                          64, "values", VALUES ("1", "2", "4"), NULL));
}

static void
assert_values (DynoChipsRow *row, const char *const *expected)
{
  g_auto (GStrv) values = dyno_chips_row_dup_values (row);

  g_assert_cmpstrv (values, expected);
}

/* The first value is chosen at first, and pressing values chooses them and gives them up. */
static void
test_press (void)
{
  g_autoptr (DynoChipsRow) plain = create_row (NULL);
  g_autoptr (DynoChipsRow) row = create_row ("One per Core");

  assert_values (plain, VALUES ("1"));
  assert_values (row, VALUES ("0"));
  page_fixture_press (GTK_WIDGET (row), "4");
  assert_values (row, VALUES ("0", "4"));
  page_fixture_press (GTK_WIDGET (row), "One per Core");
  g_assert_null (dyno_chips_row_get_problem (row));
  page_fixture_press (GTK_WIDGET (row), "4");
  assert_values (row, VALUES (NULL));
  g_assert_nonnull (strstr (dyno_chips_row_get_problem (row), "Threads"));
}

/* A value that is not offered gets a button of its own, in order. */
static void
test_other (void)
{
  g_autoptr (DynoChipsRow) row = create_row (NULL);

  dyno_chips_row_set_values (row, VALUES ("16", "3", "4"));
  assert_values (row, VALUES ("3", "4", "16"));
  page_fixture_press (GTK_WIDGET (row), "3");
  assert_values (row, VALUES ("4", "16"));
  dyno_chips_row_set_values (row, VALUES ("1"));
  assert_values (row, VALUES ("1"));
}

/* An underscore in a value is no mnemonic, which would not be seen. */
static void
test_underscore (void)
{
  g_autoptr (DynoChipsRow) row = g_object_ref_sink (
      g_object_new (DYNO_TYPE_CHIPS_ROW, "title", "Precision", "values", VALUES ("q8_0"), NULL));
  GtkWidget *chip = page_fixture_find (GTK_WIDGET (row), GTK_TYPE_TOGGLE_BUTTON);

  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (chip)), ==, "q8_0");
  g_assert_false (gtk_button_get_use_underline (GTK_BUTTON (chip)));
}

/* Values that are no longer offered are given up, in favour of the usual one where none is left. */
static void
test_offer (void)
{
  g_autoptr (DynoChipsRow) row = create_row ("One per Core");

  dyno_chips_row_set_values (row, VALUES ("2"));
  dyno_chips_row_offer (row, VALUES ("2", "16"));
  assert_values (row, VALUES ("2"));
  page_fixture_press (GTK_WIDGET (row), "16");
  assert_values (row, VALUES ("2", "16"));
  dyno_chips_row_offer (row, VALUES ("16"));
  assert_values (row, VALUES ("16"));
  dyno_chips_row_offer (row, VALUES ("4"));
  assert_values (row, VALUES ("0"));
  g_assert_null (dyno_chips_row_get_problem (row));
  page_fixture_press (GTK_WIDGET (row), "One per Core");
  dyno_chips_row_offer (row, VALUES ("4"));
  assert_values (row, VALUES (NULL));
  g_assert_nonnull (dyno_chips_row_get_problem (row));
}

static void
count_cb (guint *n_changes)
{
  (*n_changes)++;
}

/* Other numbers are asked for; those out of range are refused with the reason. */
static void
test_typed (void)
{
  g_autoptr (DynoChipsRow) row = create_row (NULL);
  GtkWidget *window = gtk_window_new ();
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *other = page_fixture_find (GTK_WIDGET (row), GTK_TYPE_MENU_BUTTON);
  guint n_changes = 0;

  g_signal_connect_swapped (row, "changed", G_CALLBACK (count_cb), &n_changes);
  gtk_list_box_append (GTK_LIST_BOX (list), GTK_WIDGET (row));
  gtk_window_set_child (GTK_WINDOW (window), list);
  gtk_window_present (GTK_WINDOW (window));
  gtk_menu_button_popup (GTK_MENU_BUTTON (other));

  GtkEditable *entry = GTK_EDITABLE (page_fixture_find (other, GTK_TYPE_ENTRY));
  GtkWidget *complaint = gtk_widget_get_next_sibling (GTK_WIDGET (entry));
  gtk_editable_set_text (entry, "8, 65");
  page_fixture_press (other, "_Add");
  assert_values (row, VALUES ("1"));
  g_assert_true (gtk_widget_get_visible (complaint));
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (complaint)), "“65”"));
  gtk_editable_set_text (entry, "08, 64");
  g_assert_false (gtk_widget_get_visible (complaint));
  g_signal_emit_by_name (entry, "activate");
  assert_values (row, VALUES ("1", "8", "64"));
  g_assert_cmpuint (n_changes, ==, 2);
  gtk_window_destroy (GTK_WINDOW (window));
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/chips-row/press", test_press);
  g_test_add_func ("/chips-row/other", test_other);
  g_test_add_func ("/chips-row/underscore", test_underscore);
  g_test_add_func ("/chips-row/offer", test_offer);
  g_test_add_func ("/chips-row/typed", test_typed);
  return g_test_run ();
}

SUITE (run_suite)
