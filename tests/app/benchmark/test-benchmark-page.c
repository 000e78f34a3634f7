/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-engines-private.h"
#include "dyno-app-runs-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-error.h"
#include "dyno-model-library.h"
#include "dyno-paths.h"
#include "engines.h"
#include "page-fixture.h"
#include "suite.h"
#include "window-fixture.h"

/* As short as a measurement can be, because the page is tested and not the numbers. */
#define METHOD                                                                                               \
  "'method': { 'invocations': 1, 'warmup-steps': 1, 'warmup-seconds': 0, 'min-samples': 5, "                 \
  "'min-seconds': 0.05, 'max-seconds': 0.1, 'interval-percent': 100 }"

static DynoApplication *application;

typedef struct
{
  GtkWidget *page;
  DynoPlanForm *form;
  DynoRun *finished;
} Fixture;

static void
run_finished_cb (DynoBenchmarkPage *page, DynoRun *run, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_null (fixture->finished);
  fixture->finished = g_object_ref (run);
}

static gboolean
is_counted (gpointer data)
{
  Fixture *fixture = data;

  return !dyno_plan_form_get_counting (fixture->form) &&
         strstr (dyno_plan_form_get_summary (fixture->form), "Looking for") == NULL;
}

static void
present (Fixture *fixture)
{
  fixture->page = page_fixture_present (application, DYNO_TYPE_BENCHMARK_PAGE);
  fixture->form = DYNO_PLAN_FORM (page_fixture_find (fixture->page, DYNO_TYPE_PLAN_FORM));
  g_signal_connect (fixture->page, "run-finished", G_CALLBACK (run_finished_cb), fixture);
  page_fixture_wait (is_counted, fixture);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);

  g_settings_set_boolean (settings, "first-start", FALSE);
  g_settings_reset (settings, "form");
  g_settings_reset (settings, "model-files");
  g_settings_reset (settings, "where");
  present (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->finished);
  page_fixture_close (fixture->page);
}

/* @json has single quotes. */
static void
fill (Fixture *fixture, const char *json)
{
  g_autofree char *text = g_strdelimit (g_strdup (json), "'", '"');
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (text, &error);

  g_assert_no_error (error);
  dyno_plan_form_set_plan (fixture->form, plan);
  page_fixture_wait (is_counted, fixture);
}

/* One model on the fake backend. @rest: members of the plan besides, in single quotes */
static void
fill_fake (Fixture *fixture, const char *rest)
{
  g_autofree char *json = g_strdup_printf ("{ 'models': ['bert-tiny'], 'backends': ['fake']%s%s }",
                                           *rest != '\0' ? ", " : "", rest);

  fill (fixture, json);
}

/* Presses the button of a value in a row. */
static void
press_value (Fixture *fixture, const char *row, const char *value)
{
  page_fixture_press (page_fixture_find_named (fixture->page, row), value);
}

static gboolean
can_run (Fixture *fixture)
{
  GtkWidget *button = page_fixture_find_named (fixture->page, "run_button");

  return gtk_widget_is_sensitive (button);
}

static const char *
get_shown_page (Fixture *fixture)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (page_fixture_find (fixture->page, GTK_TYPE_STACK)));
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpstr (dyno_plan_form_get_summary (fixture->form), ==, "Choose a model");
  g_assert_false (can_run (fixture));
  g_assert_cmpstr (get_shown_page (fixture), ==, "form");
}

static void
test_count (Fixture *fixture, gconstpointer data)
{
  fill_fake (fixture, "'batch-sizes': ['1']");
  g_assert_true (g_str_has_prefix (dyno_plan_form_get_summary (fixture->form), "1 case · about "));
  g_assert_true (can_run (fixture));

  fill_fake (fixture, "'batch-sizes': ['1', '2', '4'],  'sequence-lengths': ['16', '32']");
  g_assert_true (g_str_has_prefix (dyno_plan_form_get_summary (fixture->form), "6 cases · about "));
}

/* Values of inputs go from a suite to the form and back; those of no input are refused. */
static void
test_inputs (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = page_fixture_find_named (fixture->page, "inputs_row");
  g_autoptr (DynoPlan) plan = NULL;

  fill_fake (fixture, "'inputs': 'attention_mask=1'");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "attention_mask=1");
  plan = dyno_plan_form_create_plan (fixture->form);
  g_assert_cmpstr (dyno_plan_get_inputs (plan), ==, "attention_mask=1");
  g_assert_true (can_run (fixture));

  gtk_editable_set_text (GTK_EDITABLE (row), "nosuch=1");
  page_fixture_wait (is_counted, fixture);
  g_assert_nonnull (strstr (dyno_plan_form_get_summary (fixture->form), "“nosuch”"));
  g_assert_false (can_run (fixture));
}

/* Loads are values of an axis; what is none is said at once, and nothing can be run. */
static void
test_load (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = page_fixture_find_named (fixture->page, "rates_row");
  DynoChipsRow *clients = DYNO_CHIPS_ROW (page_fixture_find_named (fixture->page, "clients_row"));
  GtkWidget *others = page_fixture_find_named (fixture->page, "others_row");
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (DynoPlan) usual = NULL;
  g_auto (GStrv) numbers = NULL;

  fill_fake (fixture, "'loads': ['concurrent=1,2,4', 'rate=auto p99=20ms']");
  numbers = dyno_chips_row_dup_values (clients);
  g_assert_cmpstrv (numbers, ((const char *[]){ "1", "2", "4", NULL }));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (others)), ==, "rate=auto p99=20ms");
  g_assert_true (g_str_has_prefix (dyno_plan_form_get_summary (fixture->form), "4 cases · about "));
  plan = dyno_plan_form_create_plan (fixture->form);
  g_assert_cmpstrv (dyno_plan_get_loads (plan),
                    ((const char *[]){ "concurrent=1,2,4", "rate=auto p99=20ms", NULL }));

  gtk_editable_set_text (GTK_EDITABLE (row), "heavy");
  page_fixture_wait (is_counted, fixture);
  g_assert_true (gtk_widget_has_css_class (row, "error"));
  g_assert_false (can_run (fixture));

  gtk_editable_set_text (GTK_EDITABLE (row), "");
  for (char **number = numbers; *number != NULL; number++)
    press_value (fixture, "clients_row", *number);
  gtk_editable_set_text (GTK_EDITABLE (others), "");
  page_fixture_wait (is_counted, fixture);
  usual = dyno_plan_form_create_plan (fixture->form);
  g_assert_cmpstrv (dyno_plan_get_loads (usual), ((const char *[]){ "single", NULL }));
  g_assert_true (can_run (fixture));
}

/* What a form shows is what it gives back. */
static void
assert_loads (Fixture *fixture, const char *const *loads, const char *const *expected)
{
  DynoLoadRow *row = DYNO_LOAD_ROW (page_fixture_find_named (fixture->page, "load_row"));
  g_auto (GStrv) again = NULL;

  dyno_load_row_set_loads (row, loads);
  again = dyno_load_row_dup_loads (row);
  g_assert_cmpstrv (again, expected);
}

#define LOADS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void
test_loads (Fixture *fixture, gconstpointer data)
{
  const char *const *all = LOADS ("single", "offline sessions=own p99=20ms",
                                  "concurrent=1,2 sessions=own p99=20ms", "multi=4 sessions=own p99=20ms",
                                  "rate=auto sessions=own p99=20ms", "rate=2.5,50/s sessions=own p99=20ms");
  DynoLoadRow *row = DYNO_LOAD_ROW (page_fixture_find_named (fixture->page, "load_row"));
  GtkEditable *limit = GTK_EDITABLE (page_fixture_find_named (fixture->page, "limit_row"));
  g_auto (GStrv) loads = NULL;
  const char *const *apart = LOADS ("rate=50/s", "concurrent=4 sessions=own", "rate=10/s clients=2");

  assert_loads (fixture, all, all);
  assert_loads (fixture, apart, apart);
  assert_loads (fixture, LOADS ("rate=50/s first-token-p90=1s", "rate=20/s first-token-p90=1s"),
                LOADS ("rate=50,20/s first-token-p90=1000ms"));
  assert_loads (fixture, LOADS ("heavy"), LOADS ("heavy"));
  assert_loads (fixture, LOADS ("single"), LOADS ("single"));
  gtk_editable_set_text (limit, "p99=20ms");
  g_assert_nonnull (strstr (dyno_load_row_get_problem (row), "load"));
  gtk_editable_set_text (GTK_EDITABLE (page_fixture_find_named (fixture->page, "rates_row")), "50/s, 20");
  g_assert_null (dyno_load_row_get_problem (row));
  loads = dyno_load_row_dup_loads (row);
  g_assert_cmpstrv (loads, LOADS ("single", "rate=50,20/s p99=20ms"));
}

/* A row without a value says so, and nothing can be run. */
static void
test_values (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = page_fixture_find_named (fixture->page, "batch_row");
  GtkWidget *label = page_fixture_find_named (fixture->page, "problem_label");

  fill_fake (fixture, "");
  g_assert_true (can_run (fixture));
  g_assert_false (gtk_widget_get_visible (label));

  press_value (fixture, "batch_row", "1");
  g_assert_false (can_run (fixture));
  g_assert_true (gtk_widget_get_visible (label));
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (label)), "Batch Sizes"));
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==, dyno_plan_form_get_summary (fixture->form));
  gtk_test_accessible_assert_state (page_fixture_find (row, GTK_TYPE_FLOW_BOX), GTK_ACCESSIBLE_STATE_INVALID,
                                    GTK_ACCESSIBLE_INVALID_TRUE);

  press_value (fixture, "batch_row", "4");
  press_value (fixture, "batch_row", "8");
  page_fixture_wait (is_counted, fixture);
  g_assert_true (can_run (fixture));
  g_assert_false (gtk_widget_get_visible (label));
  g_assert_true (g_str_has_prefix (dyno_plan_form_get_summary (fixture->form), "2 cases"));
}

static gboolean
is_finished (gpointer data)
{
  return ((Fixture *)data)->finished != NULL;
}

static void
assert_strings (const char *const *strings, const char *joined)
{
  g_autofree char *text = g_strjoinv (" ", (char **)strings);

  g_assert_cmpstr (text, ==, joined);
}

static guint
count_strips (GtkWidget *widget)
{
  guint n = DYNO_IS_PLAN_STRIP (widget) ? 1 : 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += gtk_widget_get_visible (child) ? count_strips (child) : 0;
  return n;
}

/* The picture of a plan has a strip for each model, and one for each engine if there are several. */
static void
test_forecast (Fixture *fixture, gconstpointer data)
{
  GtkWidget *view = page_fixture_find (GTK_WIDGET (fixture->form), DYNO_TYPE_FORECAST_VIEW);

  g_assert_true (gtk_widget_get_visible (view));
  g_assert_cmpuint (count_strips (view), ==, 0);
  fill_fake (fixture, "'batch-sizes': ['1', '2']");
  g_assert_cmpuint (count_strips (view), ==, 1);
  fill (fixture, "{ 'models': ['bert-tiny', 'bert-mini'], 'backends': ['fake:fake0', 'fake:fake1'] }");
  g_assert_cmpuint (count_strips (view), ==, 4);
  press_value (fixture, "batch_row", "1");
  page_fixture_wait (is_counted, fixture);
  g_assert_cmpuint (count_strips (view), ==, 0);
}

typedef struct
{
  Fixture *fixture;
  guint n_ticks;
} Busy;

/* Each look finds that another program has worked since the last one. */
static gboolean
is_called_busy (gpointer data)
{
  Busy *busy = data;
  GtkWidget *view = page_fixture_find (GTK_WIDGET (busy->fixture->form), DYNO_TYPE_FORECAST_VIEW);
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "stat", NULL);
  g_autofree char *text = NULL;

  busy->n_ticks += 10000;
  text = g_strdup_printf ("cpu  %u 0 0 0 0 0 0 0 0 0\ncpu0 %u 0 0 0 0 0 0 0 0 0\n", busy->n_ticks,
                          busy->n_ticks);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return gtk_widget_get_visible (page_fixture_find_named (view, "idle_button"));
}

/* On a busy machine the run can wait for the end of other programs. */
static void
test_busy (Fixture *fixture, gconstpointer data)
{
  Busy busy = { fixture, 0 };
  g_autoptr (DynoPlan) plan = NULL;

  fill_fake (fixture, METHOD);
  page_fixture_wait (is_called_busy, &busy);
  page_fixture_press (GTK_WIDGET (fixture->form), "Start When _Idle");
  page_fixture_wait (is_finished, fixture);
  plan = dyno_plan_new_from_json (dyno_run_get_plan (fixture->finished), NULL);
  g_assert_cmpfloat (dyno_method_get_wait_quiet (dyno_plan_get_method (plan)), >=, 60);
}

static gboolean
has_read_suites (gpointer card)
{
  return gtk_widget_get_tooltip_text (card) != NULL;
}

static gboolean
is_marked (gpointer card)
{
  return gtk_toggle_button_get_active (card);
}

/* A card fills the form, and is marked until something else is chosen. */
static void
test_cards (Fixture *fixture, gconstpointer data)
{
  GtkWidget *card =
      page_fixture_find (page_fixture_find_named (fixture->page, "suite_cards"), GTK_TYPE_TOGGLE_BUTTON);
  g_autoptr (DynoPlan) plan = NULL;

  page_fixture_wait (has_read_suites, card);
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (card), "BERT tiny"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (card), "6 cases · about "));
  g_signal_emit_by_name (card, "clicked");
  page_fixture_wait (is_marked, card);
  plan = dyno_plan_form_create_plan (fixture->form);
  g_assert_cmpstr (dyno_plan_get_title (plan), ==, "Quick");
  assert_strings (dyno_plan_get_batch_sizes (plan), "1 4");
  press_value (fixture, "batch_row", "8");
  g_assert_false (is_marked (card));
}

/* Settings that are folded are shown if a plan uses them. */
static void
test_more (Fixture *fixture, gconstpointer data)
{
  GtkWidget *button = page_fixture_find_named (fixture->page, "more_button");
  GtkWidget *row = page_fixture_find_named (fixture->page, "threads_row");

  fill_fake (fixture, "");
  g_assert_false (gtk_widget_get_mapped (row));
  fill_fake (fixture, "'threads': ['1', '2']");
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
  g_assert_true (gtk_widget_get_mapped (row));
  g_signal_emit_by_name (button, "clicked");
  g_assert_false (gtk_widget_get_mapped (row));
}

static DynoBackendRow *
find_fake (Fixture *fixture)
{
  GtkWidget *row = page_fixture_find (fixture->page, DYNO_TYPE_BACKEND_ROW);

  while (!DYNO_IS_BACKEND_ROW (row) ||
         g_strcmp0 (dyno_backend_get_id (dyno_backend_row_get_backend (DYNO_BACKEND_ROW (row))), "fake") != 0)
    row = gtk_widget_get_next_sibling (row);
  return DYNO_BACKEND_ROW (row);
}

/* Devices, options and placements of a plan are restored, and those that are clicked are added. */
static void
test_axes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (DynoPlan) clicked = NULL;
  GtkWidget *row = GTK_WIDGET (find_fake (fixture));

  fill (fixture, "{ 'models': ['bert-tiny'], 'backends': ['fake:fake1'], 'options': ['haste=on'],  "
                 "'pinnings': ['compact', 'cpus:0'] }");
  g_assert_true (g_str_has_prefix (dyno_plan_form_get_summary (fixture->form), "2 cases"));
  plan = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_backends (plan), "fake:fake1");
  assert_strings (dyno_plan_get_options (plan), "haste=on");
  assert_strings (dyno_plan_get_pinnings (plan), "compact cpus:0");

  gtk_widget_activate (page_fixture_find_row (row, "Fake accelerator"));
  gtk_editable_set_text (
      GTK_EDITABLE (page_fixture_find (page_fixture_find_row (row, "repeats"), GTK_TYPE_ENTRY)), "1, 2");
  page_fixture_wait (is_counted, fixture);
  g_assert_true (g_str_has_prefix (dyno_plan_form_get_summary (fixture->form), "8 cases"));
  clicked = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_backends (clicked), "fake:fake0 fake:fake1");
  assert_strings (dyno_plan_get_options (clicked), "haste=on,repeats=1 haste=on,repeats=2");
}

/* The form keeps all settings of a suite, and changing one leaves the others alone. */
static void
test_precisions (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (DynoPlan) changed = NULL;

  fill_fake (fixture, "'seed': 7, 'turns': true,  'precisions': ['fp16', 'int8']");
  plan = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_precisions (plan), "fp16 int8");
  g_assert_cmpuint (dyno_plan_get_seed (plan), ==, 7);

  press_value (fixture, "batch_row", "2");
  page_fixture_wait (is_counted, fixture);
  changed = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_precisions (changed), "fp16 int8");
  g_assert_cmpuint (dyno_plan_get_seed (changed), ==, 7);
  g_assert_true (dyno_plan_get_turns (changed));

  fill_fake (fixture, "'precisions': ['fp32']");
  g_assert_true (can_run (fixture));
  press_value (fixture, "precision_row", "fp32");
  g_assert_false (can_run (fixture));
  g_assert_nonnull (strstr (dyno_plan_form_get_summary (fixture->form), "Precision"));
}

/* Kinds of input and stages are offered for models that have them, and pressed ones become parts of the plan. */
static void
test_parts (Fixture *fixture, gconstpointer data)
{
  GtkWidget *kinds = page_fixture_find_named (fixture->page, "modality_row");
  GtkWidget *stages = page_fixture_find_named (fixture->page, "stages_row");
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (DynoPlan) whole = NULL;

  fill_fake (fixture, "");
  g_assert_false (gtk_widget_get_visible (kinds));
  g_assert_false (gtk_widget_get_visible (stages));

  fill (fixture, "{ 'models': ['bert-tiny', 'clip-vit-base-patch32'], 'backends': ['fake'] }");
  g_assert_true (gtk_widget_get_visible (kinds));
  g_assert_true (gtk_widget_get_visible (stages));
  press_value (fixture, "modality_row", "image");
  press_value (fixture, "modality_row", "Whole Model");
  page_fixture_press (page_fixture_find_row (stages, "Precision of “vision”"), "fp16");
  page_fixture_press (page_fixture_find_row (stages, "Threads of “vision”"), "2");
  page_fixture_press (page_fixture_find_row (stages, "Threads of “vision”"), "As the Model");
  page_fixture_press (page_fixture_find_row (stages, "Device of “vision”"), "fake:fake1");
  page_fixture_press (page_fixture_find_row (stages, "Device of “vision”"), "As the Model");
  page_fixture_wait (is_counted, fixture);
  plan = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_models (plan), "bert-tiny clip-vit-base-patch32@image");
  assert_strings (dyno_plan_get_options (plan),
                  "vision.threads=2,vision.device=fake:fake1 "
                  "vision.precision=fp16,vision.threads=2,vision.device=fake:fake1");
  g_assert_nonnull (strstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (stages)), "vision.threads=2"));

  /* The choice does not outlive the last model that has it. */
  fill_fake (fixture, "");
  press_value (fixture, "batch_row", "2");
  page_fixture_wait (is_counted, fixture);
  g_assert_false (gtk_widget_get_visible (stages));
  whole = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_models (whole), "bert-tiny");
  assert_strings (dyno_plan_get_options (whole), "");
}

/* Numbers of images and lengths of sounds are asked for, and part of the plan, only for a model that takes them. */
static void
test_senses (Fixture *fixture, gconstpointer data)
{
  GtkWidget *images = page_fixture_find_named (fixture->page, "images_row");
  GtkWidget *chunks = page_fixture_find_named (fixture->page, "chunks_row");
  g_autoptr (DynoPlan) hearing = NULL;
  g_autoptr (DynoPlan) plain = NULL;

  fill (fixture, "{ 'models': ['whisper-tiny', 'llava-miniature'], 'backends': ['fake'], 'images': ['2'], "
                 "'chunks': ['1', '5'] }");
  g_assert_true (gtk_widget_get_visible (images));
  g_assert_true (gtk_widget_get_visible (chunks));
  hearing = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_images (hearing), "2");
  assert_strings (dyno_plan_get_chunks (hearing), "1 5");

  dyno_model_list_select (DYNO_MODEL_LIST (page_fixture_find (fixture->page, DYNO_TYPE_MODEL_LIST)),
                          (const char *const[]){ "bert-tiny", NULL });
  page_fixture_wait (is_counted, fixture);
  g_assert_false (gtk_widget_get_visible (images));
  g_assert_false (gtk_widget_get_visible (chunks));
  plain = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_images (plain), "1");
  assert_strings (dyno_plan_get_chunks (plain), "0");
  g_assert_true (can_run (fixture));
}

/* A plan comes back as it was, and changing something else leaves its parts alone. */
static void
test_parts_kept (Fixture *fixture, gconstpointer data)
{
  static const char *const models = "clip-vit-base-patch32 clip-vit-base-patch32@image whisper-tiny@waveform";
  static const char *const options = "text.threads=1,vision.threads=2";
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (DynoPlan) changed = NULL;

  fill (fixture,
        "{ 'models': ['clip-vit-base-patch32', 'clip-vit-base-patch32@image', 'whisper-tiny@waveform'], "
        "'backends': ['fake'], 'options': ['text.threads=1,vision.threads=2'] }");
  plan = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_models (plan), models);
  assert_strings (dyno_plan_get_options (plan), options);
  press_value (fixture, "batch_row", "2");
  page_fixture_wait (is_counted, fixture);
  changed = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_options (changed), options);
  assert_strings (dyno_plan_get_models (changed),
                  "clip-vit-base-patch32 clip-vit-base-patch32@image whisper-tiny whisper-tiny@waveform");

  press_value (fixture, "modality_row", "Whole Model");
  press_value (fixture, "modality_row", "image");
  press_value (fixture, "modality_row", "waveform");
  page_fixture_wait (is_counted, fixture);
  g_assert_false (can_run (fixture));
  g_assert_nonnull (strstr (dyno_plan_form_get_summary (fixture->form), "Kinds of Input"));
}

static GtkWidget *
find_fold (Fixture *fixture)
{
  GtkWidget *row = GTK_WIDGET (find_fake (fixture));

  for (row = gtk_widget_get_first_child (gtk_widget_get_parent (row)); DYNO_IS_BACKEND_ROW (row);)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

/* Unavailable engines are below one expander row, which has their names, and cannot be ticked. */
static void
test_availability (Fixture *fixture, gconstpointer data)
{
  GtkWidget *fold = find_fold (fixture);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *title = NULL;
  g_autofree char *subtitle = NULL;
  guint n_unavailable = 0;

  for (GtkWidget *row = gtk_widget_get_next_sibling (fold); GTK_IS_LIST_BOX_ROW (row);
       row = gtk_widget_get_next_sibling (row))
    {
      g_ptr_array_add (names, (char *)adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
      g_assert_false (dyno_backend_row_get_available (DYNO_BACKEND_ROW (row)));
      g_assert_false (gtk_widget_get_visible (row));
      g_assert_false (gtk_widget_get_visible (page_fixture_find_named (row, "check")));
      n_unavailable++;
    }
  for (GtkWidget *row = gtk_widget_get_prev_sibling (fold); GTK_IS_LIST_BOX_ROW (row);
       row = gtk_widget_get_prev_sibling (row))
    g_assert_true (dyno_backend_row_get_available (DYNO_BACKEND_ROW (row)) && gtk_widget_get_visible (row));
  g_assert_true (dyno_backend_row_get_available (find_fake (fixture)));
  g_assert_cmpint (gtk_widget_get_visible (fold), ==, n_unavailable > 0);
  title = g_strdup_printf ("Unavailable (%u)", n_unavailable);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (fold)), ==, title);
  g_ptr_array_add (names, NULL);
  subtitle = g_strjoinv (" · ", (char **)names->pdata);
  g_assert_cmpstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (fold)), ==, subtitle);

  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (fold), TRUE);
  for (GtkWidget *row = gtk_widget_get_next_sibling (fold); GTK_IS_LIST_BOX_ROW (row);
       row = gtk_widget_get_next_sibling (row))
    g_assert_true (gtk_widget_get_visible (row));
}

/* Options have rows once the backend is expanded. */
static void
test_bad_axes (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = GTK_WIDGET (find_fake (fixture));
  GtkWidget *repeats;
  GtkWidget *placement = page_fixture_find_named (fixture->page, "pinning_row");
  GtkWidget *cpus = page_fixture_find (placement, ADW_TYPE_ENTRY_ROW);

  fill_fake (fixture, "");
  g_assert_true (can_run (fixture));
  g_assert_null (page_fixture_find_row (row, "repeats"));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  repeats = page_fixture_find_row (row, "repeats");
  gtk_editable_set_text (GTK_EDITABLE (page_fixture_find (repeats, GTK_TYPE_ENTRY)), "often");
  g_assert_false (can_run (fixture));
  g_assert_nonnull (strstr (dyno_plan_form_get_summary (fixture->form), "often"));
  gtk_editable_set_text (GTK_EDITABLE (page_fixture_find (repeats, GTK_TYPE_ENTRY)), "");
  gtk_editable_set_text (GTK_EDITABLE (cpus), "first");
  g_assert_false (can_run (fixture));
  g_assert_nonnull (strstr (dyno_plan_form_get_summary (fixture->form), "first"));
  gtk_editable_set_text (GTK_EDITABLE (cpus), "");
  page_fixture_wait (is_counted, fixture);
  g_assert_true (can_run (fixture));
}

/* A suite that names something unavailable is not reported as measured completely. */
static void
test_missing (Fixture *fixture, gconstpointer data)
{
  GtkWidget *label = page_fixture_find_named (fixture->page, "suite_label");

  g_assert_false (gtk_widget_get_visible (label));
  fill (fixture, "{ 'models': ['bert-tiny'], 'backends': ['fake:fake7', 'abacus'] }");
  g_assert_true (gtk_widget_get_visible (label));
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (label)), "no engine “abacus”"));
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (label)), "no device “fake7”"));
  fill (fixture, "{ 'models': ['bert-tiny'], 'backends': ['fake:fake1'] }");
  g_assert_false (gtk_widget_get_visible (label));
}

static gboolean
is_probed (gpointer row)
{
  return !dyno_backend_row_get_probing (row);
}

static void
probe_with (DynoBackendRow *row, const char *script)
{
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  dyno_backend_row_probe (row, DYNO_PROBER_FRESH);
  page_fixture_wait (is_probed, row);
}

static char *
write_script (const char *json)
{
  char *path = g_build_filename (g_getenv ("DYNO_DATA_DIR"), "script.json", NULL);

  g_assert_true (g_file_set_contents (path, json, -1, NULL));
  return path;
}

/* What the pointer is over, or above. */
static void
move_pointer (GtkWidget *widget, const char *signal)
{
  g_autoptr (GListModel) controllers = NULL;
  guint n_found = 0;

  while (n_found == 0)
    {
      widget = gtk_widget_get_parent (widget);
      g_clear_object (&controllers);
      controllers = gtk_widget_observe_controllers (widget);
      for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
        {
          g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

          if (!GTK_IS_EVENT_CONTROLLER_MOTION (controller))
            continue;
          n_found++;
          if (g_str_equal (signal, "enter"))
            g_signal_emit_by_name (controller, signal, 1.0, 1.0);
          else
            g_signal_emit_by_name (controller, signal);
        }
    }
}

/* No answer of a backend moves a row from under the pointer. */
static void
test_held (Fixture *fixture, gconstpointer data)
{
  g_autofree char *demo = g_strdup (g_getenv ("DYNO_FAKE_BACKEND"));
  g_autofree char *script = write_script ("{\"unsupported\": \"It is Sunday.\"}");
  DynoBackendRow *row = find_fake (fixture);
  GtkWidget *group = gtk_widget_get_parent (GTK_WIDGET (row));
  int place = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));

  move_pointer (group, "enter");
  probe_with (row, script);
  g_assert_false (dyno_backend_row_get_available (row));
  g_assert_cmpint (gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)), ==, place);
  g_assert_cmpstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (row)), ==, "Not available\n");

  move_pointer (group, "leave");
  g_assert_cmpint (gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)), >, place);
  g_assert_nonnull (strstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (row)), "It is Sunday."));
  probe_with (row, demo);
  g_assert_cmpint (gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)), ==, place);
}

static gboolean
has_backends (gpointer data)
{
  return page_fixture_find (((Fixture *)data)->page, DYNO_TYPE_BACKEND_ROW) != NULL;
}

/* A new window can run what was chosen last from its first frame on, and shows what was found last. */
static void
test_last_known (Fixture *fixture, gconstpointer data)
{
  g_autofree char *demo = g_strdup (g_getenv ("DYNO_FAKE_BACKEND"));
  g_autofree char *script = write_script ("{\"probe\": \"hang\"}");

  fill_fake (fixture, "");
  page_fixture_close (fixture->page);
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  fixture->page = page_fixture_present (application, DYNO_TYPE_BENCHMARK_PAGE);
  g_assert_true (can_run (fixture));

  page_fixture_wait (has_backends, fixture);
  g_assert_true (dyno_backend_row_get_probing (find_fake (fixture)));
  g_assert_true (dyno_backend_row_get_available (find_fake (fixture)));
  g_assert_true (can_run (fixture));
  g_setenv ("DYNO_FAKE_BACKEND", demo, TRUE);
}

/* A missing device is listed with the others, with the reason and the remedy, and cannot be chosen. */
static void
test_missing_device (Fixture *fixture, gconstpointer data)
{
  g_autofree char *demo = g_strdup (g_getenv ("DYNO_FAKE_BACKEND"));
  g_autofree char *script =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "missing-device.json", NULL);
  GtkWidget *row = GTK_WIDGET (find_fake (fixture));
  GtkWidget *label = page_fixture_find_named (fixture->page, "suite_label");
  GtkWidget *missing;

  g_assert_null (page_fixture_find_row (row, "Fake card"));
  probe_with (DYNO_BACKEND_ROW (row), script);
  missing = page_fixture_find_row (row, "Fake card");
  g_assert_nonnull (missing);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (missing)), ==,
                   "The card is not plugged in.\nPlug it in.");
  g_assert_null (page_fixture_find (missing, GTK_TYPE_CHECK_BUTTON));
  fill (fixture, "{ 'models': ['bert-tiny'], 'backends': ['fake:fake1'] }");
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (label)), "The card is not plugged in."));
  probe_with (DYNO_BACKEND_ROW (row), demo);
  g_assert_null (page_fixture_find_row (row, "Fake card"));
}

/* A software-emulated device is only measured if the user chooses it. */
static void
test_software (Fixture *fixture, gconstpointer data)
{
  g_autofree char *demo = g_strdup (g_getenv ("DYNO_FAKE_BACKEND"));
  g_autofree char *script =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "software-device.json", NULL);
  DynoBackendRow *row = find_fake (fixture);
  g_auto (GStrv) preselected = NULL;
  g_auto (GStrv) named = NULL;

  probe_with (row, script);
  preselected = dyno_backend_row_dup_entries (row);
  assert_strings ((const char *const *)preselected, "fake:fake1");
  fill_fake (fixture, "");
  named = dyno_backend_row_dup_entries (row);
  assert_strings ((const char *const *)named, "fake");
  probe_with (row, demo);
}

static DynoModelRow *
get_model_row (Fixture *fixture, int position)
{
  GtkWidget *list = page_fixture_find_named (fixture->page, "model_list");

  return DYNO_MODEL_ROW (
      gtk_list_box_get_row_at_index (GTK_LIST_BOX (page_fixture_find_named (list, "list_box")), position));
}

/* Sorted by type and size by default; a filter leaves one type. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  GtkWidget *list = page_fixture_find_named (fixture->page, "model_list");
  DynoModelRow *row;

  g_assert_cmpstr (dyno_model_row_get_spec (get_model_row (fixture, 0)), ==, "bert-tiny");
  gtk_widget_activate_action (list, "models.order", "s", "size");
  for (int i = 1; (row = get_model_row (fixture, i)) != NULL; i++)
    g_assert_cmpint (
        dyno_model_get_parameter_count (dyno_model_row_get_model (row)), >=,
        dyno_model_get_parameter_count (dyno_model_row_get_model (get_model_row (fixture, i - 1))));
  gtk_widget_activate_action (list, "models.type", "s", "vision");
  for (int i = 0; (row = get_model_row (fixture, i)) != NULL; i++)
    g_assert_cmpint (gtk_widget_get_child_visible (GTK_WIDGET (row)), ==,
                     g_str_equal (dyno_model_get_family (dyno_model_row_get_model (row)), "vision"));
}

static const char *
get_filter_label (GtkWidget *list)
{
  return gtk_menu_button_get_label (GTK_MENU_BUTTON (page_fixture_find_named (list, "filter_button")));
}

static gboolean
is_small_embedder (DynoModel *model)
{
  gint64 count = dyno_model_get_parameter_count (model);

  return g_str_equal (dyno_model_get_task (model), "feature-extraction") && count >= 25000000 &&
         count < 100000000;
}

/* Type, task and size are combined, and reset together. */
static void
test_filter (Fixture *fixture, gconstpointer data)
{
  GtkWidget *list = page_fixture_find_named (fixture->page, "model_list");
  guint n_shown = 0, n_rows = 0;
  DynoModelRow *row;

  g_assert_cmpstr (get_filter_label (list), ==, "All Models");
  gtk_widget_activate_action (list, "models.task", "s", "feature-extraction");
  g_assert_cmpstr (get_filter_label (list), ==, "1 Filter");
  gtk_widget_activate_action (list, "models.size", "s", "small");
  g_assert_cmpstr (get_filter_label (list), ==, "2 Filters");
  for (; (row = get_model_row (fixture, (int)n_rows)) != NULL; n_rows++)
    {
      g_assert_cmpint (gtk_widget_get_child_visible (GTK_WIDGET (row)), ==,
                       is_small_embedder (dyno_model_row_get_model (row)));
      n_shown += gtk_widget_get_child_visible (GTK_WIDGET (row)) ? 1 : 0;
    }
  g_assert_cmpuint (n_shown, >, 0);
  g_assert_cmpuint (n_shown, <, n_rows);

  gtk_widget_activate_action (list, "models.show-all", NULL);
  g_assert_cmpstr (get_filter_label (list), ==, "All Models");
  while (n_rows > 0)
    g_assert_true (gtk_widget_get_child_visible (GTK_WIDGET (get_model_row (fixture, (int)--n_rows))));
}

static gboolean
is_read (gpointer row)
{
  return dyno_model_row_get_model (row) != NULL;
}

/* A model that was added stays at the top when its file has been read, whatever the order. */
static void
test_added (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) text = dyno_model_library_lookup ("resnet-50", NULL);
  g_autofree char *path = g_canonicalize_filename ("config.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (
      g_file_set_contents (path, g_bytes_get_data (text, NULL), (gssize)g_bytes_get_size (text), NULL));
  dyno_benchmark_page_add_model_file (DYNO_BENCHMARK_PAGE (fixture->page), file);
  page_fixture_wait (is_read, get_model_row (fixture, 0));
  g_assert_cmpstr (dyno_model_row_get_spec (get_model_row (fixture, 0)), ==, path);
  gtk_widget_activate_action (page_fixture_find_named (fixture->page, "model_list"), "models.order", "s",
                              "name");
  g_assert_cmpstr (dyno_model_row_get_spec (get_model_row (fixture, 0)), ==, path);
}

/* The next window restores the selection, including added files. */
static void
test_remembered (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (DynoPlan) plan = NULL;
  g_auto (GStrv) recent = NULL;
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);

  dyno_benchmark_page_add_model_file (DYNO_BENCHMARK_PAGE (fixture->page), file);
  page_fixture_wait (is_read, get_model_row (fixture, 0));
  fill (fixture, "{ 'models': ['bert-tiny'], 'backends': ['fake:fake1'], 'batch-sizes': ['2', '3'],  "
                 "'method': { 'invocations': 1, 'max-seconds': 7 } }");
  page_fixture_close (fixture->page);

  present (fixture);
  plan = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_models (plan), "bert-tiny");
  assert_strings (dyno_plan_get_backends (plan), "fake:fake1");
  assert_strings (dyno_plan_get_batch_sizes (plan), "2 3");
  g_assert_cmpfloat (dyno_method_get_max_seconds (dyno_plan_get_method (plan)), ==, 7);
  g_assert_cmpstr (dyno_model_row_get_spec (get_model_row (fixture, 0)), ==, path);
  g_assert_false (dyno_model_row_get_selected (get_model_row (fixture, 0)));
  recent = g_settings_get_strv (settings, "recent-model-files");
  g_assert_cmpstr (recent[0], ==, path);
}

/* Units are shown in the fields and need not be typed. */
static void
test_units (Fixture *fixture, gconstpointer data)
{
  GtkSpinButton *spin = GTK_SPIN_BUTTON (page_fixture_find_named (fixture->page, "max-seconds"));

  gtk_spin_button_set_value (spin, 4);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "4.0 s");
  gtk_editable_set_text (GTK_EDITABLE (spin), "2.5");
  gtk_spin_button_update (spin);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "2.5 s");
  gtk_editable_set_text (GTK_EDITABLE (spin), "3 s");
  gtk_spin_button_update (spin);
  g_assert_cmpfloat (gtk_spin_button_get_value (spin), ==, 3);
  gtk_editable_set_text (GTK_EDITABLE (spin), "3 ms");
  gtk_spin_button_update (spin);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "3.0 s");
}

/* On the first start one button is enough. */
static void
test_first_start (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);

  page_fixture_close (fixture->page);
  g_settings_reset (settings, "first-start");
  fixture->page = page_fixture_present (application, DYNO_TYPE_BENCHMARK_PAGE);
  fixture->form = DYNO_PLAN_FORM (page_fixture_find (fixture->page, DYNO_TYPE_PLAN_FORM));
  g_assert_cmpstr (get_shown_page (fixture), ==, "first-start");
  g_assert_true (gtk_widget_is_sensitive (page_fixture_find_named (fixture->page, "quick_button")));
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.back", NULL));
  g_assert_cmpstr (get_shown_page (fixture), ==, "form");
  g_assert_false (g_settings_get_boolean (settings, "first-start"));
}

/* Tab leaves the list of models, and returns to the row it left. */
static void
test_tab_stop (Fixture *fixture, gconstpointer data)
{
  GtkWidget *list =
      page_fixture_find_named (page_fixture_find_named (fixture->page, "model_list"), "list_box");
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (fixture->page));
  GtkWidget *third = GTK_WIDGET (get_model_row (fixture, 2));

  gtk_widget_grab_focus (third);
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD));
  g_assert_false (gtk_widget_is_ancestor (gtk_window_get_focus (window), list));
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_BACKWARD));
  g_assert_true (gtk_window_get_focus (window) == third);
}

static gboolean
is_filled (gpointer row)
{
  return gtk_list_box_row_get_child (row) != NULL;
}

/* Rows below those that are seen wait for their contents, but screen readers have their words and can tick them. */
static void
test_fill (Fixture *fixture, gconstpointer data)
{
  GtkWidget *pane =
      gtk_widget_get_ancestor (GTK_WIDGET (get_model_row (fixture, 0)), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (pane));
  DynoModelRow *row;
  graphene_rect_t bounds;
  int n = 0;

  while (is_filled (get_model_row (fixture, n)))
    n++;
  row = get_model_row (fixture, n);
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (row), pane, &bounds));
  g_assert_cmpfloat (bounds.origin.y, >, gtk_widget_get_height (pane));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       dyno_model_row_get_name (row));
  dyno_model_row_set_selected (row, TRUE);
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_CHECKED,
                                    GTK_ACCESSIBLE_TRISTATE_TRUE);
  gtk_adjustment_set_value (adjustment, 1);
  for (int i = 0; get_model_row (fixture, i) != NULL; i++)
    g_assert_true (is_filled (get_model_row (fixture, i)));
  g_assert_true (gtk_check_button_get_active (
      GTK_CHECK_BUTTON (page_fixture_find (GTK_WIDGET (row), GTK_TYPE_CHECK_BUTTON))));
  gtk_widget_activate (GTK_WIDGET (row));
  g_assert_false (dyno_model_row_get_selected (row));
}

static gboolean
has_problem (gpointer data)
{
  return dyno_model_row_get_problem (data) != NULL;
}

static void
test_bad_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "dyno-not-a-model.onnx", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  DynoModelRow *row;

  g_assert_true (g_file_set_contents (path, "not a model", -1, NULL));
  dyno_benchmark_page_add_model_file (DYNO_BENCHMARK_PAGE (fixture->page), file);
  row = DYNO_MODEL_ROW (page_fixture_find (fixture->page, DYNO_TYPE_MODEL_ROW));
  g_assert_cmpstr (dyno_model_row_get_spec (row), ==, path);
  page_fixture_wait (has_problem, row);
  g_assert_false (dyno_model_row_get_selected (row));
  g_assert_cmpstr (dyno_plan_form_get_summary (fixture->form), ==, "Choose a model");

  g_signal_emit_by_name (page_fixture_find (GTK_WIDGET (row), GTK_TYPE_BUTTON), "clicked");
  row = DYNO_MODEL_ROW (page_fixture_find (fixture->page, DYNO_TYPE_MODEL_ROW));
  g_assert_cmpstr (dyno_model_row_get_spec (row), !=, path);
  g_unlink (path);
}

static gboolean
is_shown (gpointer data)
{
  return gtk_widget_get_child_visible (data);
}

static gboolean
is_filtered_out (gpointer data)
{
  return !gtk_widget_get_child_visible (data);
}

static void
test_search (Fixture *fixture, gconstpointer data)
{
  GtkWidget *entry = page_fixture_find_named (fixture->page, "search_entry");
  GtkWidget *row = page_fixture_find (fixture->page, DYNO_TYPE_MODEL_ROW);

  g_assert_true (is_shown (row));
  gtk_editable_set_text (GTK_EDITABLE (entry), "no model is called so");
  page_fixture_wait (is_filtered_out, row);
  gtk_editable_set_text (GTK_EDITABLE (entry), dyno_model_row_get_spec (DYNO_MODEL_ROW (row)));
  page_fixture_wait (is_shown, row);
  gtk_editable_set_text (GTK_EDITABLE (entry), "image-classification");
  page_fixture_wait (is_filtered_out, row);
  gtk_editable_set_text (GTK_EDITABLE (entry), "ENCODER");
  page_fixture_wait (is_shown, row);
}

static gboolean
is_stopped (gpointer data)
{
  return !dyno_benchmark_page_get_running (DYNO_BENCHMARK_PAGE (((Fixture *)data)->page));
}

static guint
count (DynoRun *run, DynoStatus status)
{
  GListModel *results = dyno_run_get_results (run);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      n += dyno_result_get_status (result) == status ? 1 : 0;
    }
  return n;
}

static void
start (Fixture *fixture)
{
  g_assert_true (can_run (fixture));
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.run", NULL));
  g_assert_true (dyno_benchmark_page_get_running (DYNO_BENCHMARK_PAGE (fixture->page)));
  g_assert_cmpstr (get_shown_page (fixture), ==, "live");
}

static void
assert_stored (DynoRun *run, guint n_ok)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) stored = dyno_store_load_run (
      dyno_app_session_get_store (dyno_application_get_session (application)), dyno_run_get_id (run), &error);

  g_assert_no_error (error);
  g_assert_cmpuint (count (stored, DYNO_STATUS_OK), ==, n_ok);
}

static gboolean
is_grid_filled (gpointer data)
{
  Fixture *fixture = data;
  DynoCaseGrid *grid = DYNO_CASE_GRID (page_fixture_find (fixture->page, DYNO_TYPE_CASE_GRID));
  GListModel *results = dyno_case_grid_get_results (grid);

  return results != NULL && g_list_model_get_n_items (results) == 2 &&
         page_fixture_find (GTK_WIDGET (grid), GTK_TYPE_FLOW_BOX_CHILD) != NULL;
}

static guint
count_finished (Fixture *fixture)
{
  DynoRunner *runner = dyno_benchmark_page_get_runner (DYNO_BENCHMARK_PAGE (fixture->page));
  DynoRun *run = dyno_runner_get_run (runner);

  return run != NULL ? count (run, DYNO_STATUS_OK) : 0;
}

static gboolean
has_two_finished (gpointer data)
{
  return count_finished (data) > 1;
}

static gboolean
shows_a_number (gpointer data)
{
  Fixture *fixture = data;
  GtkWidget *tiles = page_fixture_find (fixture->page, DYNO_TYPE_RUN_TILES);

  return tiles != NULL && gtk_widget_get_mapped (tiles) && page_fixture_find (tiles, GTK_TYPE_BUTTON) != NULL;
}

static gboolean
shows_case (gpointer data)
{
  Fixture *fixture = data;
  GtkWidget *view = page_fixture_find (fixture->page, DYNO_TYPE_CASE_VIEW);

  return view != NULL && gtk_widget_get_mapped (view);
}

/* The results come one by one, as the Results page shows them. A square of the grid opens its case, and more results do not
 * close it. */
static void
test_live (Fixture *fixture, gconstpointer data)
{
  GtkFlowBox *flow_box;

  fill_fake (fixture,
             "'batch-sizes': ['1', '2', '3', '4', '5', '6', '7', '8'], "
             "'method': { 'invocations': 2, 'warmup-steps': 1, 'warmup-seconds': 0, 'min-samples': 5, "
             "'min-seconds': 0.2, 'max-seconds': 0.4, 'interval-percent': 100 }");
  start (fixture);
  page_fixture_wait (shows_a_number, fixture);
  flow_box = GTK_FLOW_BOX (
      page_fixture_find (page_fixture_find_named (fixture->page, "case_grid"), GTK_TYPE_FLOW_BOX));
  g_signal_emit_by_name (flow_box, "child-activated", gtk_flow_box_get_child_at_index (flow_box, 0));
  g_assert_true (shows_case (fixture));
  page_fixture_wait (has_two_finished, fixture);
  g_assert_true (shows_case (fixture));
  g_assert_true (gtk_widget_activate_action (page_fixture_find (fixture->page, DYNO_TYPE_CASE_VIEW),
                                             "run.close-case", NULL));
  g_assert_false (shows_case (fixture));
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.stop", NULL));
  page_fixture_wait (is_finished, fixture);
}

static gboolean
has_no_pad (gpointer data)
{
  return page_fixture_find_anywhere (DYNO_TYPE_PAD_WINDOW) == NULL;
}

/* Below latency and memory, there is a line for each processor and device that tells how busy it is. */
static gboolean
shows_usage (gpointer data)
{
  Fixture *fixture = data;
  GtkGrid *readings = GTK_GRID (page_fixture_find_named (fixture->page, "readings"));
  GtkWidget *name = gtk_grid_get_child_at (readings, 0, 2);
  GtkWidget *value = gtk_grid_get_child_at (readings, 2, 2);

  return name != NULL && g_str_equal (gtk_label_get_label (GTK_LABEL (name)), "Processor") &&
         g_str_has_suffix (gtk_label_get_label (GTK_LABEL (value)), "%") &&
         dyno_sparkline_get_length (DYNO_SPARKLINE (gtk_grid_get_child_at (readings, 1, 2))) > 0;
}

/* The pad takes the place of the window, with the keys of the application, and gives it back when it is closed, and when
 * the run that it stops ends. */
static void
test_pad (Fixture *fixture, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (fixture->page));
  GtkWidget *pad, *preferences;

  fill_fake (fixture, "'batch-sizes': ['1', '2'], 'method': { 'min-seconds': 60, 'max-seconds': 60 }");
  start (fixture);
  g_signal_emit_by_name (page_fixture_find_named (fixture->page, "pad_button"), "clicked");
  g_assert_false (gtk_widget_get_visible (window));
  g_signal_emit_by_name (
      page_fixture_find_named (page_fixture_find_anywhere (DYNO_TYPE_PAD_WINDOW), "whole_button"), "clicked");
  page_fixture_wait (has_no_pad, NULL);
  g_assert_true (gtk_widget_get_visible (window));
  page_fixture_wait (shows_usage, fixture);

  g_signal_emit_by_name (page_fixture_find_named (fixture->page, "pad_button"), "clicked");
  gtk_window_present (GTK_WINDOW (window));
  page_fixture_wait (has_no_pad, NULL);

  g_signal_emit_by_name (page_fixture_find_named (fixture->page, "pad_button"), "clicked");
  pad = page_fixture_find_anywhere (DYNO_TYPE_PAD_WINDOW);
  g_assert_nonnull (g_list_find (gtk_application_get_windows (GTK_APPLICATION (application)), pad));
  g_assert_true (window_fixture_press (pad, GDK_KEY_comma, GDK_CONTROL_MASK));
  preferences = page_fixture_find_anywhere (DYNO_TYPE_PREFERENCES);
  g_assert_true (GTK_WIDGET (gtk_window_get_transient_for (GTK_WINDOW (preferences))) == pad);
  gtk_window_destroy (GTK_WINDOW (preferences));
  page_fixture_press (pad, "_Stop");
  page_fixture_wait (is_stopped, fixture);
  g_assert_null (page_fixture_find_anywhere (DYNO_TYPE_PAD_WINDOW));
  g_assert_true (gtk_widget_get_visible (window));
}

static gboolean
can_be_pressed (gpointer button)
{
  return gtk_widget_get_can_target (button) && gtk_widget_get_width (button) > 0;
}

static void
press_new_benchmark (Fixture *fixture)
{
  GtkWidget *button = page_fixture_find_named (fixture->page, "new_button");

  g_assert_cmpstr (get_shown_page (fixture), ==, "live");
  page_fixture_wait (can_be_pressed, button);
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpstr (get_shown_page (fixture), ==, "form");
  g_assert_true (can_run (fixture));
}

static gboolean
is_paused_between (gpointer data)
{
  Fixture *fixture = data;
  DynoRunner *runner = dyno_benchmark_page_get_runner (DYNO_BENCHMARK_PAGE (fixture->page));

  return dyno_runner_get_run (runner) != NULL && dyno_runner_get_current (runner) == NULL;
}

static void
test_run (Fixture *fixture, gconstpointer data)
{
  fill_fake (fixture, "'batch-sizes': ['1', '2'], " METHOD);
  start (fixture);
  page_fixture_wait (is_grid_filled, fixture);
  page_fixture_wait (is_finished, fixture);

  g_assert_cmpuint (count (fixture->finished, DYNO_STATUS_OK), ==, 2);
  g_assert_false (dyno_benchmark_page_get_running (DYNO_BENCHMARK_PAGE (fixture->page)));
  g_assert_false (can_run (fixture));
  assert_stored (fixture->finished, 2);
  press_new_benchmark (fixture);
}

static gboolean
has_one_finished (gpointer data)
{
  return count_finished (data) > 0;
}

static DynoResult *
find_finished (DynoRun *run)
{
  for (guint i = 0;; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), i);

      if (dyno_result_get_status (result) == DYNO_STATUS_OK)
        return g_steal_pointer (&result);
    }
}

static gboolean
shows_scrolled_case (gpointer data)
{
  GtkWidget *window = page_fixture_find_named (((Fixture *)data)->page, "case_scrolled_window");
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (window));

  gtk_adjustment_set_value (adjustment, 40);
  return gtk_adjustment_get_value (adjustment) > 0;
}

/* When the run ends, nothing moves: the open case stays open and where it was scrolled to. From then on the run is one like
 * any other, until the user asks for a new one. */
static void
test_end_in_place (Fixture *fixture, gconstpointer data)
{
  GtkWidget *view, *stop, *window;
  g_autoptr (DynoResult) first = NULL;

  fill_fake (fixture, "'batch-sizes': ['1', '2', '3', '4', '5', '6'], " METHOD);
  start (fixture);
  page_fixture_wait (has_one_finished, fixture);
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.pause", NULL));
  page_fixture_wait (is_paused_between, fixture);
  view = page_fixture_find (fixture->page, DYNO_TYPE_RUN_VIEW);
  stop = page_fixture_find_named (fixture->page, "stop_button");
  first = find_finished (dyno_run_view_get_run (DYNO_RUN_VIEW (view)));
  g_assert_false (window_fixture_can (view, "run.save"));
  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (view, "buttons")));
  dyno_run_view_open_case (DYNO_RUN_VIEW (view), first);
  page_fixture_wait (shows_scrolled_case, fixture);
  gtk_widget_grab_focus (stop);
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.pause", NULL));
  page_fixture_wait (is_finished, fixture);

  window = page_fixture_find_named (fixture->page, "case_scrolled_window");
  g_assert_true (shows_case (fixture));
  g_assert_cmpfloat (
      gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (window))), >, 0);
  g_assert_true (window_fixture_shows (fixture->page, "The run has ended"));
  g_assert_false (gtk_widget_get_mapped (stop));
  g_assert_nonnull (dyno_focus_find_within (page_fixture_find_named (fixture->page, "ended_buttons")));
  g_assert_true (gtk_widget_get_visible (page_fixture_find_named (view, "buttons")));
  g_assert_true (window_fixture_can (view, "run.save"));
  g_assert_true (window_fixture_can (view, "run.run-again"));
  g_assert_true (window_fixture_can (view, "run.show-history"));
  press_new_benchmark (fixture);
  g_assert_null (dyno_run_view_get_run (DYNO_RUN_VIEW (view)));
}

static gboolean
shows_form (gpointer data)
{
  return g_str_equal (get_shown_page (data), "form");
}

static gboolean
has_new_title (gpointer data)
{
  return window_fixture_shows (((Fixture *)data)->page, "Renamed elsewhere");
}

/* A run that has ended is still the one of the store: it has the title that another page gives it, and when it is deleted
 * there, the form takes its place. */
static void
test_end_elsewhere (Fixture *fixture, gconstpointer data)
{
  DynoStore *store = dyno_app_session_get_store (dyno_application_get_session (application));
  g_autoptr (DynoRun) copy = NULL;
  g_autoptr (GError) error = NULL;

  fill_fake (fixture, "'batch-sizes': ['1', '2'], " METHOD);
  start (fixture);
  page_fixture_wait (is_finished, fixture);
  copy = dyno_run_new (dyno_run_get_id (fixture->finished));
  dyno_run_set_title (copy, "Renamed elsewhere");
  g_assert_true (dyno_store_update_run (store, copy, &error));
  g_assert_no_error (error);
  page_fixture_wait (has_new_title, fixture);
  g_assert_true (dyno_store_delete_run (store, dyno_run_get_id (fixture->finished), &error));
  g_assert_no_error (error);
  page_fixture_wait (shows_form, fixture);
}

static void
test_stop (Fixture *fixture, gconstpointer data)
{
  guint n_ok;

  fill_fake (fixture, "'batch-sizes': ['1', '2', '3', '4', '5', '6'], " METHOD);
  start (fixture);
  page_fixture_wait (has_one_finished, fixture);
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.stop", NULL));
  page_fixture_wait (is_finished, fixture);

  n_ok = count (fixture->finished, DYNO_STATUS_OK);
  g_assert_cmpuint (n_ok, >=, 1);
  g_assert_cmpuint (count (fixture->finished, DYNO_STATUS_CANCELLED), ==, 6 - n_ok);
  g_assert_cmpuint (n_ok, <, 6);
  g_assert_true (window_fixture_shows (fixture->page, "The run was stopped"));
  g_assert_true (
      window_fixture_can (page_fixture_find (fixture->page, DYNO_TYPE_RUN_VIEW), "run.run-remaining"));
  assert_stored (fixture->finished, n_ok);
}

static DynoRun *
find_run (Fixture *fixture)
{
  DynoRunner *runner = dyno_benchmark_page_get_runner (DYNO_BENCHMARK_PAGE (fixture->page));

  return runner != NULL ? dyno_runner_get_run (runner) : NULL;
}

static gboolean
has_run (gpointer data)
{
  return find_run (data) != NULL;
}

static gboolean
is_answered (gpointer data)
{
  return gtk_widget_is_sensitive (page_fixture_find_named (((Fixture *)data)->page, "every_button"));
}

/* One press measures the model on every engine, in turns, and not only on those that are ticked. Several models are
 * refused. */
static void
test_every_engine (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (DynoRun) run = NULL;
  g_autofree char *places = NULL;

  fill (fixture, "{ 'models': ['bert-tiny', 'gpt2'], 'backends': ['cpu'], " METHOD " }");
  g_signal_emit_by_name (page_fixture_find_named (fixture->page, "every_button"), "clicked");
  page_fixture_wait (is_answered, fixture);
  g_assert_null (dyno_benchmark_page_get_runner (DYNO_BENCHMARK_PAGE (fixture->page)));
  fill (fixture, "{ 'models': ['bert-tiny'], 'backends': ['cpu'], " METHOD " }");
  g_signal_emit_by_name (page_fixture_find_named (fixture->page, "every_button"), "clicked");
  g_assert_false (gtk_widget_is_sensitive (page_fixture_find_named (fixture->page, "every_button")));
  page_fixture_wait (has_run, fixture);
  run = g_object_ref (find_run (fixture));
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.stop", NULL));
  page_fixture_wait (is_stopped, fixture);
  plan = dyno_plan_new_from_json (dyno_run_get_plan (run), NULL);
  g_assert_true (dyno_plan_get_turns (plan));
  /* With or without its device, of which some releases have several. */
  places = g_strjoinv (" ", (char **)dyno_plan_get_backends (plan));
  g_assert_nonnull (strstr (places, "fake"));
  g_assert_true (g_strv_contains (dyno_plan_get_precisions (plan), "int4-32"));
  g_assert_cmpstr (dyno_run_get_title (run), ==, "Every engine for BERT tiny");
}

/* A double click on Run does not press Stop, which is elsewhere. */
static void
test_double_click (Fixture *fixture, gconstpointer data)
{
  GtkWidget *stop;
  graphene_rect_t place_of_run, place_of_stop;

  fill_fake (fixture, "");
  g_assert_true (gtk_widget_compute_bounds (page_fixture_find_named (fixture->page, "run_button"),
                                            fixture->page, &place_of_run));
  start (fixture);
  stop = page_fixture_find_named (fixture->page, "stop_button");
  g_assert_false (gtk_widget_get_can_target (stop));
  page_fixture_wait (can_be_pressed, stop);
  g_assert_true (gtk_widget_compute_bounds (stop, fixture->page, &place_of_stop));
  g_assert_false (graphene_rect_intersection (&place_of_run, &place_of_stop, NULL));
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.stop", NULL));
  page_fixture_wait (is_stopped, fixture);
}

static void
test_pause (Fixture *fixture, gconstpointer data)
{
  GtkWidget *button, *phase;

  fill_fake (fixture, "'batch-sizes': ['1', '2'], " METHOD);
  start (fixture);
  button = page_fixture_find_named (fixture->page, "pause_button");
  phase = page_fixture_find_named (fixture->page, "phase_label");
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.pause", NULL));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "_Resume");
  page_fixture_wait (is_paused_between, fixture);
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (phase)), ==, "Paused");
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.pause", NULL));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "_Pause");
  page_fixture_wait (is_finished, fixture);
  g_assert_cmpuint (count (fixture->finished, DYNO_STATUS_OK), ==, 2);
}

/* The queue */

static DynoStore *
get_store (void)
{
  return dyno_app_session_get_store (dyno_application_get_session (application));
}

/* Returns the batch sizes of the runs that wait, in their order. */
static char *
dup_queue (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_list_queue (get_store (), &error);
  g_autoptr (GString) sizes = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (sizes, "%s%s", i > 0 ? " " : "",
                            *dyno_plan_get_batch_sizes (((DynoQueuedRun *)runs->pdata[i])->plan));
  return g_strdup (sizes->str);
}

/* The group has a list of its own, which is empty. */
static gboolean
is_queue (GtkWidget *widget, gconstpointer unused)
{
  return GTK_IS_LIST_BOX (widget) && gtk_list_box_get_row_at_index (GTK_LIST_BOX (widget), 0) != NULL;
}

static GtkListBoxRow *
get_queue_row (Fixture *fixture, int place)
{
  GtkWidget *group = page_fixture_find (fixture->page, DYNO_TYPE_QUEUE_GROUP);
  GtkWidget *list = page_fixture_find_where (group, is_queue, NULL);

  return list != NULL ? gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), place) : NULL;
}

/* Whether the rows are those of the queue: as many, and in its order. */
static gboolean
shows_queue (gpointer data)
{
  g_autoptr (GPtrArray) runs = dyno_store_list_queue (get_store (), NULL);

  for (guint i = 0; i < runs->len; i++)
    {
      GtkListBoxRow *row = get_queue_row (data, (int)i);

      if (row == NULL ||
          g_strcmp0 (g_object_get_data (G_OBJECT (row), "id"), ((DynoQueuedRun *)runs->pdata[i])->id) != 0)
        return FALSE;
    }
  return get_queue_row (data, (int)runs->len) == NULL;
}

typedef struct
{
  Fixture *fixture;
  const char *sizes;
} Expected;

static gboolean
is_as_expected (gpointer data)
{
  const Expected *expected = data;
  g_autofree char *sizes = dup_queue ();

  return g_str_equal (sizes, expected->sizes) && shows_queue (expected->fixture);
}

/* @sizes: the batch sizes of the runs that will wait, in their order. */
static void
wait_for_queue (Fixture *fixture, const char *sizes)
{
  Expected expected = { fixture, sizes };

  g_test_message ("the queue is to be %s", sizes);
  page_fixture_wait (is_as_expected, &expected);
}

static void
add_to_queue (Fixture *fixture, const char *size)
{
  GtkWidget *button = page_fixture_find_named (fixture->page, "run_button");
  g_autofree char *rest = g_strdup_printf ("'batch-sizes': ['%s'], " METHOD, size);

  fill_fake (fixture, rest);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Add to _Queue");
  g_signal_emit_by_name (button, "clicked");
}

static void
press_in_queue (Fixture *fixture, int place, const char *button)
{
  g_signal_emit_by_name (g_object_get_data (G_OBJECT (get_queue_row (fixture, place)), button), "clicked");
}

static void
remove_from_queue (Fixture *fixture, int place)
{
  GtkWidget *row = GTK_WIDGET (get_queue_row (fixture, place));

  g_assert_true (gtk_widget_activate_action (row, "queue.change", "(ss)",
                                             g_object_get_data (G_OBJECT (row), "id"), "remove"));
}

/* Begins a run that waits between its cases, and goes back to the form. */
static void
begin_held (Fixture *fixture)
{
  g_signal_handlers_disconnect_by_func (fixture->page, run_finished_cb, fixture);
  fill_fake (fixture, "'batch-sizes': ['1', '2'], " METHOD);
  start (fixture);
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.pause", NULL));
  page_fixture_wait (is_paused_between, fixture);
  g_signal_emit_by_name (page_fixture_find_named (fixture->page, "another_button"), "clicked");
  g_assert_cmpstr (get_shown_page (fixture), ==, "form");
}

static gboolean
is_queue_over (gpointer data)
{
  g_autoptr (GPtrArray) runs = dyno_store_list_queue (get_store (), NULL);

  return runs->len == 0 && is_stopped (data);
}

/* @expected: the batch sizes of the newest runs, the first of them first. */
static void
assert_newest (guint n, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (get_store (), NULL, 0, n, &error);
  g_autoptr (GString) sizes = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = n; i-- > 0;)
    {
      g_autoptr (DynoRun) run = dyno_store_load_run (get_store (), dyno_run_get_id (runs->pdata[i]), &error);
      g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (dyno_run_get_plan (run), NULL);
      g_autofree char *text = g_strjoinv (",", (char **)dyno_plan_get_batch_sizes (plan));

      g_string_append_printf (sizes, "%s%s", sizes->len > 0 ? " " : "", text);
    }
  g_assert_cmpstr (sizes->str, ==, expected);
}

/* Runs that are added while one is measured come after it, in the order that the user gives them. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  begin_held (fixture);
  add_to_queue (fixture, "4");
  add_to_queue (fixture, "8");
  add_to_queue (fixture, "16");
  wait_for_queue (fixture, "4 8 16");
  press_in_queue (fixture, 1, "up");
  wait_for_queue (fixture, "8 4 16");
  g_assert_false (gtk_widget_get_sensitive (g_object_get_data (G_OBJECT (get_queue_row (fixture, 0)), "up")));
  press_in_queue (fixture, 0, "down");
  wait_for_queue (fixture, "4 8 16");
  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (get_queue_row (fixture, 1)), "queued.priority", "s", "high"));
  wait_for_queue (fixture, "8 4 16");
  remove_from_queue (fixture, 2);
  wait_for_queue (fixture, "8 4");
  page_fixture_press (fixture->page, "Show R_un");
  g_assert_cmpstr (get_shown_page (fixture), ==, "live");
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.pause", NULL));
  page_fixture_wait (is_queue_over, fixture);
  assert_newest (3, "1,2 8 4");
}

/* After Stop nothing starts by itself; the other runs wait for the user. */
static void
test_queue_stopped (Fixture *fixture, gconstpointer data)
{
  begin_held (fixture);
  add_to_queue (fixture, "4");
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.stop", NULL));
  page_fixture_wait (is_stopped, fixture);
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.back", NULL));
  wait_for_queue (fixture, "4");
  page_fixture_press (fixture->page, "_Start Queue");
  g_assert_false (is_stopped (fixture));
  page_fixture_wait (is_queue_over, fixture);
  assert_newest (2, "1,2 4");
}

/* A process that is stopped while it changes the queue does not stop the window. */
static void
test_queue_held (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dyno_store_dup_queue_path (get_store ());
  g_autofree char *name = g_strconcat (path, ".lock", NULL);
  g_autofree char *sizes = NULL;
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  int fd = g_open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  begin_held (fixture);
  fill_fake (fixture, "'batch-sizes': ['8'], " METHOD);
  g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, 0);
  g_signal_emit_by_name (page_fixture_find_named (fixture->page, "run_button"), "clicked");
  dyno_app_session_queue_run_async (dyno_application_get_session (application), plan, DYNO_QUEUE_NORMAL, NULL,
                                    NULL);
  sizes = dup_queue ();
  g_assert_cmpstr (sizes, ==, "");
  g_close (fd, NULL);
  wait_for_queue (fixture, "8 1");
  remove_from_queue (fixture, 0);
  wait_for_queue (fixture, "1");
  remove_from_queue (fixture, 0);
  wait_for_queue (fixture, "");
  page_fixture_press (fixture->page, "Show R_un");
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.stop", NULL));
  page_fixture_wait (is_stopped, fixture);
}

static gboolean
is_row_there (gpointer fixture)
{
  return get_queue_row (fixture, 0) != NULL;
}

/* A run that cannot be measured any more leaves the queue with a sentence, and the next one starts. */
static void
test_queue_goes_on (Fixture *fixture, gconstpointer data)
{
  const char *const gone[] = { "/no/such/model.onnx", NULL };
  DynoAppSession *session = dyno_application_get_session (application);
  g_autoptr (DynoPlan) plan = dyno_plan_new ();

  begin_held (fixture);
  g_object_set (plan, "models", gone, NULL);
  dyno_app_session_queue_run_async (session, plan, DYNO_QUEUE_NORMAL, NULL, NULL);
  page_fixture_wait (is_row_there, fixture);
  add_to_queue (fixture, "4");
  wait_for_queue (fixture, "1 4");
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.pause", NULL));
  page_fixture_wait (is_queue_over, fixture);
  assert_newest (2, "1,2 4");
  g_assert_nonnull (strstr (dyno_app_session_get_message (session), "left the queue"));
}

/* Engines that are compared while another run goes on wait as any other run does. */
static void
test_every_engine_waits (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;

  begin_held (fixture);
  fill (fixture, "{ 'models': ['bert-tiny'], 'backends': ['cpu'], " METHOD " }");
  g_signal_emit_by_name (page_fixture_find_named (fixture->page, "every_button"), "clicked");
  page_fixture_wait (is_row_there, fixture);
  runs = dyno_store_list_queue (get_store (), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 1);
  g_assert_cmpstr (dyno_plan_get_title (((DynoQueuedRun *)runs->pdata[0])->plan), ==,
                   "Every engine for BERT tiny");
  row = GTK_WIDGET (get_queue_row (fixture, 0));
  g_assert_true (gtk_widget_activate_action (row, "queue.change", "(ss)",
                                             g_object_get_data (G_OBJECT (row), "id"), "remove"));
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.stop", NULL));
  page_fixture_wait (is_stopped, fixture);
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.back", NULL));
}

/* The file is watched, because other processes change it. */
static gboolean
shows_damage (gpointer data)
{
  GtkWidget *group = page_fixture_find (((Fixture *)data)->page, DYNO_TYPE_QUEUE_GROUP);
  const char *words = adw_preferences_group_get_description (ADW_PREFERENCES_GROUP (group));

  return gtk_widget_get_visible (group) && strstr (words, "cannot be read") != NULL;
}

static void
refused_cb (GObject *session, GAsyncResult *result, gpointer user_data)
{
  GError **error = user_data;

  g_assert_false (dyno_app_session_queue_run_finish (DYNO_APP_SESSION (session), result, error));
}

static gboolean
is_refused (gpointer data)
{
  GError **error = data;

  return *error != NULL;
}

/* A damaged queue is told in place of its runs, and refuses others. */
static void
test_queue_damaged (Fixture *fixture, gconstpointer data)
{
  DynoAppSession *session = dyno_application_get_session (application);
  g_autofree char *path = dyno_store_dup_queue_path (get_store ());
  g_autoptr (DynoPlan) plan = dyno_plan_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "{", -1, NULL));
  page_fixture_wait (shows_damage, fixture);
  dyno_app_session_queue_run_async (session, plan, DYNO_QUEUE_NORMAL, refused_cb, &error);
  page_fixture_wait (is_refused, &error);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
  g_assert_cmpint (g_unlink (path), ==, 0);
}

static gboolean
shows_error (gpointer data)
{
  return g_str_equal (get_shown_page (data), "error");
}

/* A model that is gone by the time the run begins. */
static void
test_cannot_start (Fixture *fixture, gconstpointer data)
{
  g_autofree char *original =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "dyno-gone.onnx", NULL);
  g_autofree char *json = g_strdup_printf ("{ \"models\": [\"%s\"], \"backends\": [\"fake\"] }", path);
  g_autofree char *contents = NULL;
  GtkWidget *error_page = page_fixture_find_named (fixture->page, "error_page");
  gsize length;

  g_assert_true (g_file_get_contents (original, &contents, &length, NULL));
  g_assert_true (g_file_set_contents (path, contents, (gssize)length, NULL));
  fill (fixture, json);
  g_assert_true (can_run (fixture));
  g_assert_cmpint (g_unlink (path), ==, 0);

  start (fixture);
  page_fixture_wait (shows_error, fixture);
  g_assert_nonnull (
      strstr (adw_status_page_get_description (ADW_STATUS_PAGE (error_page)), "dyno-gone.onnx"));
  g_assert_false (dyno_benchmark_page_get_running (DYNO_BENCHMARK_PAGE (fixture->page)));
  g_assert_null (fixture->finished);
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.back", NULL));
  g_assert_cmpstr (get_shown_page (fixture), ==, "form");
}

static gboolean
is_saved (gpointer file)
{
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_file (file, NULL);

  return plan != NULL;
}

/* What is saved as a suite is what is chosen; reset forgets it. */
static void
test_save_suite (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path ("suite.json");
  g_autoptr (DynoPlan) saved = NULL;
  g_autoptr (DynoPlan) plan = NULL;

  fill_fake (fixture, "'batch-sizes': ['3']");
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.save-suite", NULL));
  page_fixture_press (GTK_WIDGET (page_fixture_wait_for_dialog ()), "_Save");
  page_fixture_wait (is_saved, file);
  saved = dyno_plan_new_from_file (file, NULL);
  assert_strings (dyno_plan_get_batch_sizes (saved), "3");
  assert_strings (dyno_plan_get_models (saved), "bert-tiny");

  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.reset", NULL));
  plan = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_models (plan), "");
  assert_strings (dyno_plan_get_batch_sizes (plan), "1");
}

/* A failed case is a result and does not affect the others. */
static void
test_failure (Fixture *fixture, gconstpointer data)
{
  g_autofree char *demo = g_strdup (g_getenv ("DYNO_FAKE_BACKEND"));
  g_autofree char *script =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "fail-one-case.json", NULL);

  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  fill_fake (fixture, "'batch-sizes': ['1', '4'], " METHOD);
  start (fixture);
  page_fixture_wait (is_finished, fixture);
  g_setenv ("DYNO_FAKE_BACKEND", demo, TRUE);

  g_assert_cmpuint (count (fixture->finished, DYNO_STATUS_OK), ==, 1);
  g_assert_cmpuint (count (fixture->finished, DYNO_STATUS_FAILED), ==, 1);
}

static void
test_title (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoPlan) plan = NULL;

  fill (fixture, "{ 'title': 'A suite', 'models': ['bert-tiny'], 'backends': ['fake'] }");
  plan = dyno_plan_form_create_plan (fixture->form);
  g_assert_cmpstr (dyno_plan_get_title (plan), ==, "A suite");

  press_value (fixture, "batch_row", "2");
  g_clear_object (&plan);
  plan = dyno_plan_form_create_plan (fixture->form);
  g_assert_cmpstr (dyno_plan_get_title (plan), ==, "");
}

static void
test_cpu (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  DynoBackend *backend = dyno_backend_lookup ("cpu", &error);
  g_autoptr (DynoProbe) probe = NULL;

  g_assert_no_error (error);
  probe = dyno_backend_probe (backend, NULL);
  if (dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    {
      skip_without_engine ("cpu", dyno_probe_get_reason (probe));
      return;
    }
  fill (fixture, "{ 'models': ['bert-tiny'], 'backends': ['cpu'], 'sequence-lengths': ['16'], " METHOD " }");
  start (fixture);
  page_fixture_wait (is_finished, fixture);
  g_assert_cmpuint (count (fixture->finished, DYNO_STATUS_OK), ==, 1);
}

/* Other machines */

typedef enum
{
  HERE,
  BACKGROUND,
  SLURM,
  SSH,
  KUBERNETES,
} Place;

static void
choose_place (Fixture *fixture, Place place)
{
  GtkWidget *row = page_fixture_find_named (fixture->page, "driver_row");

  adw_combo_row_set_selected (ADW_COMBO_ROW (row), place);
  page_fixture_wait (is_counted, fixture);
}

static gboolean
asks_for (Fixture *fixture, const char *name)
{
  GtkWidget *widget = page_fixture_find_named (fixture->page, name);

  return gtk_widget_get_visible (gtk_widget_get_ancestor (widget, ADW_TYPE_PREFERENCES_ROW));
}

static void
type (Fixture *fixture, const char *name, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (page_fixture_find_named (fixture->page, name)), text);
  page_fixture_wait (is_counted, fixture);
}

/* Each place is asked for what it understands. */
static void
test_places (Fixture *fixture, gconstpointer data)
{
  GtkWidget *button = page_fixture_find_named (fixture->page, "run_button");

  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "_Run");
  g_assert_false (asks_for (fixture, "nodes"));
  choose_place (fixture, BACKGROUND);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "_Submit");
  g_assert_false (asks_for (fixture, "argument"));
  g_assert_false (asks_for (fixture, "divide"));
  choose_place (fixture, SLURM);
  g_assert_true (asks_for (fixture, "nodes"));
  g_assert_true (asks_for (fixture, "time"));
  g_assert_true (asks_for (fixture, "account"));
  g_assert_true (asks_for (fixture, "share"));
  choose_place (fixture, SSH);
  g_assert_true (asks_for (fixture, "argument"));
  g_assert_true (asks_for (fixture, "stage"));
  g_assert_false (asks_for (fixture, "time"));
  g_assert_false (asks_for (fixture, "account"));
  choose_place (fixture, KUBERNETES);
  g_assert_true (asks_for (fixture, "time"));
  g_assert_true (asks_for (fixture, "gres"));
  g_assert_false (asks_for (fixture, "account"));
  g_assert_false (asks_for (fixture, "begin"));
  g_assert_false (asks_for (fixture, "stage"));
  choose_place (fixture, HERE);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "_Run");
}

/* Hosts and images have no default, while a partition has one. */
static void
test_hosts (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = page_fixture_find_named (fixture->page, "argument");

  fill_fake (fixture, "");
  choose_place (fixture, SLURM);
  g_assert_true (can_run (fixture));
  choose_place (fixture, SSH);
  g_assert_false (can_run (fixture));
  g_assert_cmpstr (dyno_plan_form_get_summary (fixture->form), ==, "Enter the hosts to measure on");
  gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_INVALID, GTK_ACCESSIBLE_INVALID_TRUE);
  type (fixture, "argument", "  ");
  g_assert_false (can_run (fixture));
  type (fixture, "argument", "a,b");
  g_assert_true (can_run (fixture));
  gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_INVALID, GTK_ACCESSIBLE_INVALID_FALSE);
  choose_place (fixture, KUBERNETES);
  type (fixture, "argument", "");
  g_assert_cmpstr (dyno_plan_form_get_summary (fixture->form), ==, "Enter the image that the nodes run");
}

/* Backends that only the nodes have are in the plan as long as it goes to them; all is asked again next time. */
static void
test_place_remembered (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (DynoPlan) local = NULL;

  fill_fake (fixture, "");
  choose_place (fixture, SSH);
  type (fixture, "argument", "a,b");
  type (fixture, "backends", "cuda, tensorrt ,");
  gtk_switch_set_active (GTK_SWITCH (page_fixture_find_named (fixture->page, "divide")), TRUE);
  page_fixture_close (fixture->page);

  present (fixture);
  g_assert_true (dyno_plan_form_is_elsewhere (fixture->form));
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (page_fixture_find_named (fixture->page, "divide"))));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (page_fixture_find_named (fixture->page, "argument"))),
                   ==, "a,b");
  plan = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_backends (plan), "fake cuda tensorrt");
  choose_place (fixture, HERE);
  local = dyno_plan_form_create_plan (fixture->form);
  assert_strings (dyno_plan_get_backends (local), "fake");
}

static gboolean
has_follower (gpointer data)
{
  return dyno_app_session_get_follower (dyno_application_get_session (application)) != NULL;
}

static void
submit (Fixture *fixture)
{
  page_fixture_wait (has_follower, NULL);
  fill_fake (fixture, "'batch-sizes': ['1', '2'], " METHOD);
  choose_place (fixture, BACKGROUND);
  g_assert_true (can_run (fixture));
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.run", NULL));
  g_assert_cmpstr (get_shown_page (fixture), ==, "submission");
  g_assert_false (can_run (fixture));
}

static gboolean
is_done (gpointer data)
{
  Fixture *fixture = data;
  GtkWidget *label = page_fixture_find_named (fixture->page, "counts_label");

  dyno_cluster_follower_poll (dyno_app_session_get_follower (dyno_application_get_session (application)));
  return label != NULL && g_strcmp0 (gtk_label_get_label (GTK_LABEL (label)), "1 done") == 0;
}

/* What is submitted is seen to its end, a number for each case, and then is in the way no longer. */
static void
test_submit (Fixture *fixture, gconstpointer data)
{
  GListModel *followed;
  GtkGrid *grid;

  submit (fixture);
  page_fixture_wait (is_done, fixture);
  grid = GTK_GRID (page_fixture_find (page_fixture_find (fixture->page, DYNO_TYPE_NODE_GRID), GTK_TYPE_GRID));
  for (int row = 1; row <= 2; row++)
    {
      GtkWidget *cell = gtk_grid_get_child_at (grid, 1, row);

      g_assert_true (GTK_IS_LABEL (gtk_button_get_child (GTK_BUTTON (cell))));
      g_assert_true (gtk_widget_get_sensitive (cell));
    }
  g_assert_null (gtk_grid_get_child_at (grid, 1, 3));
  followed = dyno_cluster_follower_get_model (
      dyno_app_session_get_follower (dyno_application_get_session (application)));
  g_assert_cmpuint (g_list_model_get_n_items (followed), ==, 1);
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.back", NULL));
  g_assert_cmpstr (get_shown_page (fixture), ==, "form");
  g_assert_true (can_run (fixture));
  g_assert_cmpuint (g_list_model_get_n_items (followed), ==, 0);
}

static gboolean
is_submitted (gpointer followed)
{
  return g_list_model_get_n_items (followed) == 1;
}

/* The window may be closed while the nodes are being asked; the next one has a row for what was submitted. */
static void
test_submit_closed (Fixture *fixture, gconstpointer data)
{
  DynoClusterFollower *follower;
  g_autoptr (DynoClusterProgress) progress = NULL;

  submit (fixture);
  follower = dyno_app_session_get_follower (dyno_application_get_session (application));
  page_fixture_close (fixture->page);
  page_fixture_wait (is_submitted, dyno_cluster_follower_get_model (follower));

  present (fixture);
  progress = g_list_model_get_item (dyno_cluster_follower_get_model (follower), 0);
  g_assert_true (gtk_widget_get_visible (page_fixture_find (fixture->page, DYNO_TYPE_SUBMISSION_GROUP)));
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.show-submission", "s",
                                             dyno_cluster_progress_get_id (progress)));
  page_fixture_wait (is_done, fixture);
  g_assert_true (gtk_widget_activate_action (fixture->page, "benchmark.back", NULL));
}

/* The kernel's files, but for the work of the processors, which tests write. */
static void
replace_procfs (const char *folder)
{
  g_autofree char *usual = dyno_paths_build (DYNO_PATH_PROCFS, "", NULL);
  g_autoptr (GDir) dir = g_dir_open (usual, 0, NULL);
  const char *name;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *target = g_build_filename (usual, name, NULL);

      if (!g_str_equal (name, "stat"))
        g_assert_cmpint (symlink (target, path), ==, 0);
    }
  dyno_paths_set_root (DYNO_PATH_PROCFS, folder);
}

static void
remove_data (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_rmdir (path);
}

static const struct
{
  const char *path;
  void (*test) (Fixture *fixture, gconstpointer data);
  gboolean is_thorough; /* only where all tests run */
} tests[] = {
  { "/benchmark-page/empty", test_empty },
  { "/benchmark-page/count", test_count },
  { "/benchmark-page/inputs", test_inputs },
  { "/benchmark-page/load", test_load },
  { "/benchmark-page/loads", test_loads, TRUE },
  { "/benchmark-page/values", test_values, TRUE },
  { "/benchmark-page/forecast", test_forecast, TRUE },
  { "/benchmark-page/busy", test_busy, TRUE },
  { "/benchmark-page/cards", test_cards },
  { "/benchmark-page/more", test_more, TRUE },
  { "/benchmark-page/axes", test_axes },
  { "/benchmark-page/precisions", test_precisions },
  { "/benchmark-page/parts", test_parts },
  { "/benchmark-page/senses", test_senses, TRUE },
  { "/benchmark-page/parts-kept", test_parts_kept, TRUE },
  { "/benchmark-page/availability", test_availability, TRUE },
  { "/benchmark-page/bad-axes", test_bad_axes, TRUE },
  { "/benchmark-page/missing", test_missing },
  { "/benchmark-page/missing-device", test_missing_device, TRUE },
  { "/benchmark-page/software", test_software, TRUE },
  { "/benchmark-page/held", test_held, TRUE },
  { "/benchmark-page/last-known", test_last_known, TRUE },
  { "/benchmark-page/order", test_order, TRUE },
  { "/benchmark-page/filter", test_filter, TRUE },
  { "/benchmark-page/added", test_added },
  { "/benchmark-page/remembered", test_remembered, TRUE },
  { "/benchmark-page/units", test_units, TRUE },
  { "/benchmark-page/first-start", test_first_start },
  { "/benchmark-page/tab-stop", test_tab_stop, TRUE },
  { "/benchmark-page/fill", test_fill, TRUE },
  { "/benchmark-page/bad-file", test_bad_file, TRUE },
  { "/benchmark-page/search", test_search },
  { "/benchmark-page/title", test_title, TRUE },
  { "/benchmark-page/live", test_live },
  { "/benchmark-page/end-in-place", test_end_in_place },
  { "/benchmark-page/end-elsewhere", test_end_elsewhere, TRUE },
  { "/benchmark-page/pad", test_pad, TRUE },
  { "/benchmark-page/run", test_run },
  { "/benchmark-page/stop", test_stop },
  { "/benchmark-page/every-engine", test_every_engine },
  { "/benchmark-page/double-click", test_double_click, TRUE },
  { "/benchmark-page/pause", test_pause },
  { "/benchmark-page/queue", test_queue },
  { "/benchmark-page/queue-stopped", test_queue_stopped, TRUE },
  { "/benchmark-page/queue-goes-on", test_queue_goes_on, TRUE },
  { "/benchmark-page/queue-held", test_queue_held, TRUE },
  { "/benchmark-page/queue-damaged", test_queue_damaged, TRUE },
  { "/benchmark-page/every-engine-waits", test_every_engine_waits, TRUE },
  { "/benchmark-page/cannot-start", test_cannot_start, TRUE },
  { "/benchmark-page/failure", test_failure },
  { "/benchmark-page/save-suite", test_save_suite },
  { "/benchmark-page/cpu", test_cpu, TRUE },
  { "/benchmark-page/places", test_places },
  { "/benchmark-page/hosts", test_hosts, TRUE },
  { "/benchmark-page/place-remembered", test_place_remembered, TRUE },
  { "/benchmark-page/submit", test_submit },
  { "/benchmark-page/submit-closed", test_submit_closed, TRUE },
};

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *script = NULL;
  g_autofree char *data = NULL;
  g_autofree char *procfs = NULL;
  int status;

  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  script = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "demo-small.json", NULL);
  data = g_dir_make_tmp ("dyno-benchmark-page-XXXXXX", NULL);
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  g_setenv ("DYNO_DATA_DIR", data, TRUE);
  g_assert_cmpint (g_chdir (data), ==, 0);
  procfs = g_build_filename (data, "proc", NULL);
  replace_procfs (procfs);
  application = page_fixture_start_application ();

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    if (!tests[i].is_thorough || suite_is_thorough ())
      g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  status = g_test_run ();

  g_object_unref (application);
  remove_data (procfs);
  remove_data (data);
  return status;
}

SUITE (run_suite)
