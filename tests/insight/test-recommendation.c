/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-error.h"
#include "dyno-origin.h"
#include "dyno-recommendation.h"
#include "suite.h"

typedef struct
{
  const char *model;
  const char *backend;
  const char *options;
  guint batch_size;
  guint sequence_length;
  guint threads;
  double latency;
} Setting;

static DynoRun *
create_run (const char *processor, gint64 started_at)
{
  DynoRun *run = dyno_run_new (NULL);
  g_autofree char *machine = g_strdup_printf ("{\"cpu\": {\"name\": \"%s\", \"cores\": 2}}", processor);

  g_object_set (run, "machine", machine, "started-at", started_at, NULL);
  return run;
}

static DynoResult *
add_case (DynoRun *run, const Setting *setting)
{
  g_autoptr (DynoCase) kase = dyno_case_new (setting->model, setting->backend);
  g_autoptr (DynoResult) result =
      dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));

  g_object_set (kase, "batch-size", MAX (setting->batch_size, 1), "sequence-length", setting->sequence_length,
                "threads", setting->threads, "options", setting->options != NULL ? setting->options : "",
                NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", setting->latency, "ms", "clock");
  dyno_result_add_measured (result, "latency_p90_ms", setting->latency, "ms", "clock");
  dyno_result_add_measured (result, "throughput_items_per_sec", 1e3 * setting->batch_size / setting->latency,
                            "1/s", "clock");
  dyno_run_add_result (run, result);
  return result;
}

static DynoRecommendation *
recommend (GPtrArray *runs, DynoObjective objective, const char *rows, const char *columns)
{
  g_autoptr (GError) error = NULL;
  DynoRecommendation *recommendation;
  DynoGoal goal;

  dyno_goal_init (&goal, objective);
  recommendation = dyno_recommendation_new (runs, &goal, rows, columns, &error);
  g_assert_no_error (error);
  return recommendation;
}

static void
assert_answer (const DynoRecommendation *self, guint row, guint column, const char *expected)
{
  g_autofree char *answer = dyno_recommendation_dup_answer (dyno_recommendation_get_cell (self, row, column));

  g_assert_cmpstr (answer, ==, expected);
}

static void
assert_margin (const DynoRecommendation *self, guint row, guint column, const char *expected)
{
  g_autofree char *margin =
      dyno_recommendation_dup_margin (self, dyno_recommendation_get_cell (self, row, column));

  g_assert_cmpstr (margin, ==, expected);
}

static DynoRecommendationState
get_state (const DynoRecommendation *self, guint row, guint column)
{
  return dyno_recommendation_get_cell (self, row, column)->state;
}

/* Each model and size separately; if there is nothing to recommend, it says so. */
static void
test_cells (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  g_autoptr (DynoRecommendation) self = NULL;

  g_ptr_array_add (runs, run);
  add_case (run, &(Setting){ "bert", "cpu", NULL, 1, 32, 0, 10 });
  add_case (run, &(Setting){ "bert", "openvino", NULL, 1, 32, 0, 5 });
  add_case (run, &(Setting){ "bert", "cpu", NULL, 8, 32, 0, 60 });
  add_case (run, &(Setting){ "bert", "cpu", NULL, 10, 32, 0, 60 });
  add_case (run, &(Setting){ "resnet", "cpu", NULL, 8, 0, 0, 60 });
  self = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");

  g_assert_cmpuint (self->n_cases, ==, 5);
  g_assert_cmpuint (self->rows->len, ==, 2);
  g_assert_cmpuint (self->columns->len, ==, 4);
  g_assert_cmpstr (self->rows->pdata[1], ==, "resnet");
  g_assert_cmpstr (self->columns->pdata[0], ==, "batch 8");
  g_assert_cmpstr (self->columns->pdata[3], ==, "batch 10\u00a0· 32 tokens");
  assert_answer (self, 0, 1, "OpenVINO (CPU)");
  assert_margin (self, 0, 1, "−50 % against ONNX Runtime (CPU), no difference shown");
  g_assert_cmpint (get_state (self, 0, 1), ==, DYNO_RECOMMENDATION_UNPROVEN);
  g_assert_cmpint (get_state (self, 0, 2), ==, DYNO_RECOMMENDATION_ALONE);
  g_assert_cmpint (get_state (self, 0, 0), ==, DYNO_RECOMMENDATION_NO_SUCH_SIZE);
  assert_answer (self, 1, 0, "ONNX Runtime (CPU)");
  assert_margin (self, 1, 0, "nothing to compare it with");
}

/* The times of an emulated device are not those of the device, however short they are. */
static void
test_emulated (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  g_autoptr (DynoRecommendation) self = NULL;
  g_autoptr (DynoRecommendation) alone = NULL;

  g_ptr_array_add (runs, run);
  g_object_set (add_case (run, &(Setting){ "bert", "qnn", NULL, 1, 32, 0, 5 }), "device-kind", "emulated",
                NULL);
  alone = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  assert_answer (alone, 0, 0, "none to recommend");
  g_assert_null (dyno_recommendation_get_cell (alone, 0, 0)->guess);
  add_case (run, &(Setting){ "bert", "cpu", NULL, 1, 32, 0, 10 });
  self = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  assert_answer (self, 0, 0, "ONNX Runtime (CPU)");
}

/* A case that ended before it had the facts of its model belongs to the row of that model. */
static void
test_without_facts (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  g_autoptr (DynoRecommendation) rows = NULL;
  g_autoptr (DynoRecommendation) columns = NULL;

  g_ptr_array_add (runs, run);
  dyno_result_set_status (add_case (run, &(Setting){ "bert", "webnn", NULL, 1, 32, 0, 10 }),
                          DYNO_STATUS_FAILED, "It took too long.");
  g_object_set (add_case (run, &(Setting){ "bert", "cpu", NULL, 1, 32, 0, 10 }), "architecture", "bert",
                "parameter-count", G_GINT64_CONSTANT (4000000), NULL);
  add_case (run, &(Setting){ "albert", "cpu", NULL, 1, 32, 0, 10 });
  rows = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  g_assert_cmpuint (rows->rows->len, ==, 2);
  g_assert_cmpstr (rows->rows->pdata[0], ==, "albert");
  assert_answer (rows, 1, 0, "ONNX Runtime (CPU)");
  g_assert_cmpuint (dyno_recommendation_get_cell (rows, 1, 0)->refused->len, ==, 1);
  columns = recommend (runs, DYNO_OBJECTIVE_LATENCY, "size", "model");
  g_assert_cmpuint (columns->columns->len, ==, 2);
  assert_answer (columns, 0, 1, "ONNX Runtime (CPU)");
}

/* A setting that is not an axis is a choice; other work is another row. */
static void
test_axes (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  g_autoptr (DynoRecommendation) threads = NULL;
  g_autoptr (DynoRecommendation) streams = NULL;

  g_ptr_array_add (runs, run);
  add_case (run, &(Setting){ "resnet", "cpu", NULL, 1, 0, 1, 10 });
  add_case (run, &(Setting){ "resnet", "cpu", NULL, 4, 0, 1, 20 });
  add_case (run, &(Setting){ "resnet", "openvino", "streams=10", 1, 0, 2, 4 });
  add_case (run, &(Setting){ "resnet", "openvino", "streams=2", 4, 0, 2, 5 });
  threads = recommend (runs, DYNO_OBJECTIVE_THROUGHPUT, "model", "threads");
  g_assert_cmpuint (threads->columns->len, ==, 2);
  assert_answer (threads, 0, 0, "ONNX Runtime (CPU)\u00a0· batch 4");
  assert_answer (threads, 0, 1, "OpenVINO (CPU)\u00a0· batch 4\u00a0· streams=2");
  streams = recommend (runs, DYNO_OBJECTIVE_LATENCY, "streams", "batch");
  g_assert_cmpuint (streams->rows->len, ==, 3);
  g_assert_cmpstr (streams->rows->pdata[0], ==, "resnet · usual");
  g_assert_cmpstr (streams->rows->pdata[1], ==, "resnet · 2");
  g_assert_cmpstr (streams->rows->pdata[2], ==, "resnet · 10");
  g_assert_cmpint (get_state (streams, 1, 0), ==, DYNO_RECOMMENDATION_NO_DATA);
}

static void
test_bad_axes (void)
{
  static const char *const axes[] = { "streams", "size" };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  g_ptr_array_add (runs, run);
  add_case (run, &(Setting){ "resnet", "cpu", NULL, 1, 0, 1, 10 });
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_recommendation_new (runs, &goal, axes[i], "size", &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
    }
}

/* The latest measurement counts, unless it has a problem. */
static void
test_repeats (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  const Setting setting = { "resnet", "cpu", NULL, 1, 0, 1, 10 };
  const DynoCandidate *best;
  g_autoptr (DynoRecommendation) self = NULL;

  for (guint i = 0; i < 4; i++)
    {
      DynoRun *run = create_run (i < 3 ? "fast" : "slow", i);
      Setting repeated = setting;
      DynoResult *result;

      g_ptr_array_add (runs, run);
      repeated.latency = 10 - i;
      result = add_case (run, &repeated);
      if (i == 2)
        dyno_result_take_diagnostic (
            result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "thermal-throttling", "It was hot."));
    }
  self = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  g_assert_cmpuint (self->runs->len, ==, 3);
  g_assert_cmpuint (self->other_runs->len, ==, 1);
  g_assert_cmpuint (self->n_cases, ==, 1);
  best = dyno_recommendation_get_cell (self, 0, 0)->candidates->pdata[0];
  g_assert_true (best->run == runs->pdata[1]);
  g_assert_null (best->doubt);
}

/* The newest run is of another tool on another machine: the question is about this one all the same. */
static void
test_imported (void)
{
  const Setting setting = { "resnet", "cpu", NULL, 1, 0, 1, 8 };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) alone = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoRecommendation) mixed = NULL;
  g_autoptr (DynoRecommendation) imported = NULL;

  g_ptr_array_add (runs, create_run ("slow", 2));
  g_ptr_array_add (runs, create_run ("fast", 1));
  dyno_result_take_diagnostic (
      add_case (runs->pdata[0], &setting),
      dyno_diagnostic_new (DYNO_SEVERITY_INFO, DYNO_ORIGIN_CODE, "Another tool measured it."));
  add_case (runs->pdata[1], &setting);
  mixed = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  g_assert_cmpuint (mixed->runs->len, ==, 1);
  g_assert_true (mixed->runs->pdata[0] == runs->pdata[1]);
  g_assert_cmpuint (mixed->other_runs->len, ==, 0);
  g_assert_cmpuint (mixed->imported_runs->len, ==, 1);
  g_ptr_array_add (alone, g_object_ref (runs->pdata[0]));
  imported = recommend (alone, DYNO_OBJECTIVE_LATENCY, "model", "size");
  g_assert_cmpuint (imported->runs->len, ==, 1);
}

/* A candidate that cannot be recommended is listed with the reason; a doubtful one keeps its remark. */
static void
test_refused (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  const DynoRecommendationCell *cell;
  g_autoptr (DynoRecommendation) self = NULL;

  g_ptr_array_add (runs, run);
  dyno_result_take_diagnostic (add_case (run, &(Setting){ "resnet", "openvino", NULL, 1, 0, 1, 3 }),
                               dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "no-steady-state", "Never."));
  dyno_result_take_diagnostic (
      add_case (run, &(Setting){ "resnet", "cpu", NULL, 1, 0, 1, 10 }),
      dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "thermal-throttling", "It was hot."));
  dyno_result_set_status (add_case (run, &(Setting){ "bert", "cpu", NULL, 1, 0, 1, 10 }), DYNO_STATUS_FAILED,
                          "It crashed.");
  self = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  cell = dyno_recommendation_get_cell (self, 1, 0);
  g_assert_cmpint (cell->state, ==, DYNO_RECOMMENDATION_ALONE);
  assert_margin (self, 1, 0, "the only one that qualifies");
  g_assert_cmpstr (((DynoCandidate *)cell->candidates->pdata[0])->doubt, ==, "It was hot.");
  g_assert_cmpstr (((DynoCandidate *)cell->refused->pdata[0])->reason, ==,
                   "Its latency never became steady.");
  assert_answer (self, 0, 0, "none to recommend");
  assert_margin (self, 0, 0, "It crashed.");
}

/* Where none may be recommended, the best of those that have a number is guessed, but not beyond a limit. */
static void
test_guess (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  DynoGoal goal;
  g_autoptr (DynoRecommendation) self = NULL;
  g_autoptr (DynoRecommendation) limited = NULL;

  g_ptr_array_add (runs, run);
  for (guint i = 0; i < 2; i++)
    {
      DynoResult *result =
          add_case (run, &(Setting){ "resnet", i == 0 ? "cpu" : "openvino", NULL, 1, 0, 1, i == 0 ? 10 : 3 });

      dyno_result_add_measured (result, "latency_p50_ms", i == 0 ? 10 : 3, "ms", "clock");
      dyno_result_take_diagnostic (result,
                                   dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "no-steady-state", "Never."));
    }
  self = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  assert_answer (self, 0, 0, "perhaps OpenVINO (CPU): 3\u00a0ms");
  assert_margin (self, 0, 0, "Its latency never became steady.");
  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  goal.limits[DYNO_LIMIT_LATENCY] = 100;
  limited = dyno_recommendation_new (runs, &goal, "model", "size", NULL);
  assert_answer (limited, 0, 0, "none to recommend");
}

/* Processes that differ by a fraction of a per cent. */
static void
add_processes (DynoResult *result, double latency)
{
  static const double noise[] = { 0.997, 1.002, 0.999, 1.004, 1.001, 0.998, 1.003 };

  for (guint i = 0; i < G_N_ELEMENTS (noise); i++)
    {
      DynoInvocation *invocation = dyno_invocation_new (i, NULL);

      g_ptr_array_add (invocation->values, dyno_value_new ("latency_p50_ms", latency * noise[i], "ms",
                                                           DYNO_QUALITY_MEASURED, "clock"));
      dyno_result_take_invocation (result, invocation);
    }
}

/* A candidate shown to be better wins, and candidates shown to be the same tie. */
static void
test_verdicts (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  const DynoComparedCase *margin;
  g_autoptr (DynoRecommendation) self = NULL;

  g_ptr_array_add (runs, run);
  add_processes (add_case (run, &(Setting){ "bert", "cpu", NULL, 1, 0, 1, 10 }), 10);
  add_processes (add_case (run, &(Setting){ "bert", "openvino", NULL, 1, 0, 1, 5 }), 5);
  add_processes (add_case (run, &(Setting){ "net", "cpu", NULL, 1, 0, 1, 10 }), 10);
  add_processes (add_case (run, &(Setting){ "net", "openvino", NULL, 1, 0, 1, 10.01 }), 10.01);
  self = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  g_assert_cmpint (get_state (self, 0, 0), ==, DYNO_RECOMMENDATION_CLEAR);
  assert_answer (self, 0, 0, "OpenVINO (CPU)");
  margin = ((DynoCandidate *)dyno_recommendation_get_cell (self, 0, 0)->candidates->pdata[1])->margin;
  g_assert_cmpint (margin->verdict, ==, DYNO_VERDICT_BETTER);
  g_assert_cmpfloat_with_epsilon (margin->ratio, 0.5, 0.01);
  g_assert_cmpfloat (margin->high, <, 0.52);
  g_assert_cmpint (get_state (self, 1, 0), ==, DYNO_RECOMMENDATION_TIE);
  assert_answer (self, 1, 0, "ONNX Runtime (CPU) = OpenVINO (CPU)");
}

/* Each process of a block has its own random factor. */
static void
add_pair (DynoRun *run, const char *model, const double *ratios, guint n)
{
  static const double blocks[] = { 10, 10.6, 9.7, 10.2, 9.9, 10.4, 9.8 };
  DynoResult *before = add_case (run, &(Setting){ model, "cpu", NULL, 1, 0, 1, 10 });
  DynoResult *after = add_case (run, &(Setting){ model, "openvino", NULL, 1, 0, 1, 10 * ratios[0] });

  for (guint i = 0; i < n; i++)
    {
      DynoInvocation *one = dyno_invocation_new (i, NULL);
      DynoInvocation *other = dyno_invocation_new (i, NULL);

      g_ptr_array_add (one->values,
                       dyno_value_new ("latency_p50_ms", blocks[i], "ms", DYNO_QUALITY_MEASURED, "clock"));
      g_ptr_array_add (other->values, dyno_value_new ("latency_p50_ms", blocks[i] * ratios[i], "ms",
                                                      DYNO_QUALITY_MEASURED, "clock"));
      dyno_result_take_invocation (before, one);
      dyno_result_take_invocation (after, other);
    }
}

/* A difference that would be significant in a single comparison is not, with many comparisons. */
static void
test_many_cells (void)
{
  static const double better[] = { 0.93, 0.99, 0.9, 0.97, 0.98, 0.91, 0.94 };
  static const double no_better[] = { 0.97, 1.05, 0.96, 1.03, 1.04, 0.95, 1.02 };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  g_autoptr (DynoRecommendation) alone = NULL;
  g_autoptr (DynoRecommendation) among_many = NULL;

  g_ptr_array_add (runs, run);
  add_pair (run, "a", better, G_N_ELEMENTS (better));
  alone = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *model = g_strdup_printf ("b%u", i);

      add_pair (run, model, no_better, G_N_ELEMENTS (no_better));
    }
  among_many = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  g_assert_cmpint (get_state (alone, 0, 0), ==, DYNO_RECOMMENDATION_CLEAR);
  g_assert_cmpint (get_state (among_many, 0, 0), ==, DYNO_RECOMMENDATION_UNPROVEN);
}

static void
assert_list (DynoPlan *plan, const char *property, const char *expected)
{
  g_auto (GStrv) list = NULL;
  g_autofree char *joined = NULL;

  g_object_get (plan, property, &list, NULL);
  joined = g_strjoinv (",", list);
  g_assert_cmpstr (joined, ==, expected);
}

/* An empty cell can be measured with the settings of other cells. */
static void
test_plan (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = create_run ("fast", 1);
  g_autoptr (DynoRecommendation) self = NULL;
  g_autoptr (DynoPlan) plan = NULL;

  g_ptr_array_add (runs, run);
  add_case (run, &(Setting){ "bert", "cpu", NULL, 1, 32, 2, 10 });
  add_case (run, &(Setting){ "bert", "openvino", NULL, 1, 32, 2, 5 });
  add_case (run, &(Setting){ "opt", "cpu", NULL, 8, 64, 2, 60 });
  self = recommend (runs, DYNO_OBJECTIVE_LATENCY, "model", "size");
  g_assert_cmpint (get_state (self, 0, 1), ==, DYNO_RECOMMENDATION_NO_DATA);
  plan = dyno_recommendation_plan_new (self, 0, 1);
  assert_list (plan, "models", "bert");
  assert_list (plan, "backends", "openvino,cpu");
  assert_list (plan, "batch-sizes", "8");
  assert_list (plan, "sequence-lengths", "64");
  assert_list (plan, "threads", "2");
}

static const SuiteTest tests[] = {
  { "/recommendation/cells", test_cells },
  { "/recommendation/emulated", test_emulated },
  { "/recommendation/without-facts", test_without_facts },
  { "/recommendation/axes", test_axes },
  { "/recommendation/bad-axes", test_bad_axes },
  { "/recommendation/repeats", test_repeats },
  { "/recommendation/imported", test_imported },
  { "/recommendation/refused", test_refused },
  { "/recommendation/guess", test_guess },
  { "/recommendation/verdicts", test_verdicts },
  { "/recommendation/many-cells", test_many_cells },
  { "/recommendation/plan", test_plan },
};

SUITE_TESTS (tests)
