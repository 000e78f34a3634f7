/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-app-session-private.h"
#include "dyno-app-tune-private.h"
#include "dyno-model-library.h"
#include "dyno-model.h"
#include "suite.h"
#include "window-fixture.h"

/* Two cards, one of which is so much slower that other load on the machine cannot hide it. */
#define TWO_CARDS                                                                                            \
  "{ \"latency\": { \"base_us\": 2000 }, \"devices\": ["                                                     \
  "{ \"id\": \"slow\", \"name\": \"Slow card\", \"time_factor\": 10, \"precisions\": [\"fp32\"] },"          \
  "{ \"id\": \"fast\", \"name\": \"Fast card\", \"precisions\": [\"fp32\"] } ] }"
#define ONE_CARD                                                                                             \
  "{ \"devices\": [ { \"id\": \"fast\", \"name\": \"Fast card\", \"precisions\": [\"fp32\"] } ] }"
#define NO_CARD                                                                                              \
  "{ \"devices\": [ { \"id\": \"far\", \"missing\": \"It is far away.\", \"remedy\": \"Fetch it.\" } ] }"

typedef struct
{
  GtkWidget *window;
  char *script;
} Fixture;

static void
present (Fixture *fixture, const char *script)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan =
      dyno_plan_new_from_json ("{ \"models\": [\"bert-tiny\"], \"backends\": [\"fake:slow\", \"fake:fast\"], "
                               "\"sequence-lengths\": [\"8\"] }",
                               &error);
  GtkWidget *minutes;

  g_assert_no_error (error);
  g_file_set_contents (fixture->script, script, -1, &error);
  g_assert_no_error (error);
  fixture->window = dyno_tune_window_new (GTK_APPLICATION (window_fixture_get_application ()),
                                          window_fixture_get_session (), plan);
  minutes = page_fixture_find_named (fixture->window, "minutes_spin");
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (minutes), 0, 1);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (minutes), 2);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (minutes), 0.25);
  gtk_switch_set_active (GTK_SWITCH (page_fixture_find_named (fixture->window, "only_switch")), TRUE);
  gtk_window_present (GTK_WINDOW (fixture->window));
}

static void
set_up (Fixture *fixture, gconstpointer folder)
{
  fixture->script = g_build_filename (folder, "script.json", NULL);
  g_setenv ("DYNO_FAKE_BACKEND", fixture->script, TRUE);
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *)data == NULL;
}

static void
tear_down (Fixture *fixture, gconstpointer folder)
{
  GtkWidget *minutes = page_fixture_find_named (fixture->window, "minutes_spin");
  gpointer form = gtk_widget_get_ancestor (minutes, DYNO_TYPE_TUNE_FORM);

  g_object_add_weak_pointer (G_OBJECT (fixture->window), (gpointer *)&fixture->window);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  page_fixture_wait (is_gone, &fixture->window);
  g_assert_null (g_main_context_find_source_by_user_data (NULL, form));
  g_free (fixture->script);
}

static GtkWidget *
find (Fixture *fixture, const char *name)
{
  return page_fixture_find_named (fixture->window, name);
}

static const char *
get_text (Fixture *fixture, const char *name)
{
  return gtk_label_get_label (GTK_LABEL (find (fixture, name)));
}

static gboolean
can_start (gpointer fixture)
{
  return gtk_widget_is_sensitive (find (fixture, "start_button"));
}

static gboolean
has_problem (gpointer fixture)
{
  return g_str_equal (gtk_stack_get_visible_child_name (GTK_STACK (find (fixture, "space_stack"))),
                      "problem");
}

static gboolean
has_answer (gpointer fixture)
{
  return gtk_widget_get_visible (find (fixture, "answer_box"));
}

static GtkWidget *
get_first_row (Fixture *fixture)
{
  return GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (find (fixture, "settings_list")), 0));
}

static gboolean
has_measured (gpointer fixture)
{
  GtkWidget *row = get_first_row (fixture);
  GtkWidget *processes = row != NULL ? g_object_get_data (G_OBJECT (row), "processes") : NULL;

  return processes != NULL && !g_str_equal (gtk_label_get_label (GTK_LABEL (processes)), "0 processes");
}

/* The race is announced, runs, and ends with the winner and the options that select it. */
static void
test_winner (Fixture *fixture, gconstpointer folder)
{
  GtkWidget *row;

  present (fixture, TWO_CARDS);
  page_fixture_wait (can_start, fixture);
  g_assert_true (g_str_has_prefix (get_text (fixture, "summary_label"), "2 settings. The first 5 rounds"));
  g_assert_true (window_fixture_shows (find (fixture, "axes_list"), "fake (slow), fake (fast)"));
  gtk_widget_activate_action (fixture->window, "tune.start", NULL);
  g_assert_nonnull (dyno_app_session_get_race (window_fixture_get_session ()));
  page_fixture_wait (has_measured, fixture);
  g_assert_true (window_fixture_shows (find (fixture, "settings_list"), "In the race"));
  page_fixture_wait (has_answer, fixture);
  row = get_first_row (fixture);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, "fake (fast)");
  g_assert_true (g_str_has_prefix (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), "Best"));
  g_assert_true (g_str_has_prefix (get_text (fixture, "answer_label"), "fake (fast) "));
  g_assert_true (window_fixture_shows (find (fixture, "lines_box"), "Dyno"));
  g_assert_true (window_fixture_shows (find (fixture, "lines_box"), "Copy"));
  g_assert_true (gtk_widget_is_sensitive (find (fixture, "run_button")));
  gtk_widget_activate_action (fixture->window, "tune.again", NULL);
  g_assert_true (can_start (fixture));
}

/* Intermediate results are kept, and a window that is opened later shows the running race. */
static void
test_stop (Fixture *fixture, gconstpointer folder)
{
  GtkWidget *second;

  present (fixture, TWO_CARDS);
  page_fixture_wait (can_start, fixture);
  gtk_widget_activate_action (fixture->window, "tune.start", NULL);
  page_fixture_wait (has_measured, fixture);
  second = dyno_tune_window_new (GTK_APPLICATION (window_fixture_get_application ()),
                                 window_fixture_get_session (), NULL);
  g_assert_true (gtk_widget_get_visible (page_fixture_find_named (second, "stop_button")));
  gtk_window_destroy (GTK_WINDOW (second));
  gtk_widget_activate_action (fixture->window, "tune.stop", NULL);
  page_fixture_wait (has_answer, fixture);
  g_assert_null (dyno_app_session_get_race (window_fixture_get_session ()));
  g_assert_cmpstr (get_text (fixture, "answer_label"), !=, "");
  g_assert_true (gtk_widget_is_sensitive (find (fixture, "run_button")));
}

static void
test_one_setting (Fixture *fixture, gconstpointer folder)
{
  present (fixture, ONE_CARD);
  /* Too short for further settings of the one card. */
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (page_fixture_find_named (fixture->window, "minutes_spin")),
                             0.01);
  page_fixture_wait (has_problem, fixture);
  g_assert_true (
      g_str_has_prefix (get_text (fixture, "problem_label"),
                        "Only one setting fits into this time, so there is nothing to choose. Allow "));
  g_assert_false (can_start (fixture));
}

static void
test_nothing (Fixture *fixture, gconstpointer folder)
{
  const char *nothing = "None of the settings can run here.";
  g_autofree char *beginning = NULL;

  present (fixture, NO_CARD);
  page_fixture_wait (has_problem, fixture);
  beginning = g_strndup (get_text (fixture, "problem_label"), strlen (nothing));
  g_assert_cmpstr (beginning, ==, nothing);
  g_assert_false (can_start (fixture));
}

static guint
count_windows (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      n += DYNO_IS_TUNE_WINDOW (window);
    }
  return n;
}

static const char *
get_model (Fixture *fixture)
{
  AdwComboRow *row = ADW_COMBO_ROW (find (fixture, "model_row"));
  GtkStringObject *item = adw_combo_row_get_selected_item (row);

  return item != NULL ? gtk_string_object_get_string (item) : "";
}

static gboolean
has_other_model (gpointer fixture)
{
  return g_str_equal (get_model (fixture), "GPT-2");
}

/* When requested again, the same window takes the new plan. */
static void
test_one_window (Fixture *fixture, gconstpointer folder)
{
  GtkWidget *parent = gtk_application_window_new (GTK_APPLICATION (window_fixture_get_application ()));
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (GError) error = NULL;

  present (fixture, TWO_CARDS);
  page_fixture_wait (can_start, fixture);
  g_assert_cmpstr (get_model (fixture), ==, "BERT tiny");
  plan = dyno_plan_new_from_json ("{ \"models\": [\"gpt2\"], \"backends\": [\"fake:fast\"] }", &error);
  g_assert_no_error (error);
  dyno_tune_window_present (window_fixture_get_session (), GTK_WINDOW (parent), plan);
  g_assert_cmpuint (count_windows (), ==, 1);
  page_fixture_wait (has_other_model, fixture);
  gtk_window_set_transient_for (GTK_WINDOW (fixture->window), NULL);
  gtk_window_destroy (GTK_WINDOW (parent));
}

static char *
dup_smallest (void)
{
  g_autoptr (GListModel) library = dyno_model_library_get_default ();
  g_autoptr (DynoModel) smallest = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);
      g_auto (GStrv) stages = dyno_model_dup_stages (model);

      if (g_strv_length (stages) < 2 && (smallest == NULL || dyno_model_get_parameter_count (model) <
                                                                 dyno_model_get_parameter_count (smallest)))
        g_set_object (&smallest, model);
    }
  return g_strdup (dyno_model_get_name (smallest));
}

static gboolean
has_model (gpointer fixture)
{
  return *get_model (fixture) != '\0';
}

/* Without a plan, the form starts with the smallest model of one graph, because it is the quickest. */
static void
test_smallest (Fixture *fixture, gconstpointer folder)
{
  g_autofree char *smallest = dup_smallest ();
  g_autoptr (GError) error = NULL;

  g_file_set_contents (fixture->script, TWO_CARDS, -1, &error);
  g_assert_no_error (error);
  fixture->window = dyno_tune_window_new (GTK_APPLICATION (window_fixture_get_application ()),
                                          window_fixture_get_session (), NULL);
  gtk_window_present (GTK_WINDOW (fixture->window));
  page_fixture_wait (has_model, fixture);
  g_assert_cmpstr (get_model (fixture), ==, smallest);
}

static int
run_suite (int argc, char *argv[])
{
  const char *folder;

  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  folder = window_fixture_init ();
#define ADD(name, function) g_test_add ("/tune-window/" name, Fixture, folder, set_up, function, tear_down)
  ADD ("winner", test_winner);
  ADD ("stop", test_stop);
  ADD ("one-setting", test_one_setting);
  ADD ("nothing", test_nothing);
  ADD ("one-window", test_one_window);
  ADD ("smallest", test_smallest);
  return window_fixture_run ();
}

SUITE (run_suite)
