/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-race.h"
#include "dyno-roofline.h"
#include "dyno-run-summary.h"
#include "race-field.h"
#include "suite.h"

static DynoRace *
create_race (double most_ms)
{
  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  if (most_ms > 0)
    goal.limits[DYNO_LIMIT_LATENCY] = most_ms;
  return dyno_race_new (&goal);
}

static void
assert_entry (GPtrArray *list, guint place, guint ordinal, DynoRaceStanding standing)
{
  const DynoRaceEntry *entry = list->pdata[place];

  g_assert_cmpuint (dyno_result_get_ordinal (entry->result), ==, ordinal);
  g_assert_cmpstr (dyno_race_standing_to_string (entry->standing), ==,
                   dyno_race_standing_to_string (standing));
}

/* Settings far behind leave after the first rounds, and the race ends when the nearest rival was shown to be worse. */
static void
test_winner (void)
{
  static const double times[] = { 20, 10, 60, 10.6 };
  g_autoptr (DynoRace) race = create_race (0);
  g_autoptr (GPtrArray) list = NULL;
  g_autofree char *answer = NULL;
  const DynoComparedCase *margin;
  RaceField field;
  guint n_measured;

  race_field_init (&field, times, 4, 0.01, 1);
  n_measured = race_field_walk (race, &field, DYNO_RACE_MAX_ROUNDS, 0);
  list = dyno_race_list (race, field.run);
  g_assert_cmpuint (n_measured, <=, 1 + 2 + 2 * 7);
  g_assert_cmpuint (list->len, ==, 4);
  assert_entry (list, 0, 1, DYNO_RACE_BEST);
  assert_entry (list, 1, 3, DYNO_RACE_BEATEN);
  assert_entry (list, 2, 0, DYNO_RACE_BEHIND);
  assert_entry (list, 3, 2, DYNO_RACE_BEHIND);
  margin = ((DynoRaceEntry *)list->pdata[1])->candidate->margin;
  g_assert_true (margin->in_blocks && margin->low < margin->ratio && margin->high < 1);
  answer = dyno_race_dup_answer (list, dyno_race_get_goal (race));
  g_assert_nonnull (strstr (answer, "2 threads is best by 1.0"));
  g_assert_nonnull (strstr (answer, "4 threads; more than 95 % sure."));
  race_field_clear (&field);
}

/* Equal settings tie, and neither is eliminated. */
static void
test_tie (void)
{
  static const double times[] = { 10, 30, 10 };
  g_autoptr (DynoRace) race = create_race (0);
  g_autoptr (GPtrArray) list = NULL;
  RaceField field;

  race_field_init (&field, times, 3, 0.003, 2);
  race_field_walk (race, &field, DYNO_RACE_MAX_ROUNDS, 0);
  list = dyno_race_list (race, field.run);
  g_assert_cmpint (((DynoRaceEntry *)list->pdata[0])->standing, ==, DYNO_RACE_BEST);
  g_assert_cmpint (((DynoRaceEntry *)list->pdata[1])->standing, ==, DYNO_RACE_TIED);
  assert_entry (list, 2, 1, DYNO_RACE_BEHIND);
  race_field_clear (&field);
}

/* When the machine gets slower, a setting that was eliminated earlier does not become the best one. */
static void
test_drift (void)
{
  static const double times[] = { 10, 10.9, 10.1, 10 };
  g_autoptr (DynoRace) race = create_race (0);
  g_autoptr (GPtrArray) list = NULL;
  RaceField field;

  race_field_init (&field, times, 4, 0.006, 4);
  race_field_walk (race, &field, DYNO_RACE_MAX_ROUNDS, 0.05);
  list = dyno_race_list (race, field.run);
  g_assert_cmpuint (dyno_result_get_ordinal (((DynoRaceEntry *)list->pdata[0])->result), !=, 1);
  assert_entry (list, 3, 1, DYNO_RACE_BEATEN);
  race_field_clear (&field);
}

/* The machine changes from round to round, and the one that is ahead within the rounds leads, whatever the medians of all
 * steps are. */
static void
test_rounds_rank (void)
{
  static const double of_rounds[][2] = { { 10, 9 }, { 20, 18 }, { 30, 31 }, { 100, 90 }, { 110, 99 } };
  static const double none[2] = { 0 };
  g_autoptr (DynoRace) race = create_race (0);
  g_autoptr (GPtrArray) list = NULL;
  RaceField field;

  race_field_init (&field, none, 2, 0, 9);
  for (guint round = 0; round < G_N_ELEMENTS (of_rounds); round++)
    for (guint i = 0; i < 2; i++)
      {
        g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (field.run), i);

        race_field_measure (&field, result, round, of_rounds[round][i]);
      }
  dyno_race_finish (race, field.run);
  list = dyno_race_list (race, field.run);
  g_assert_cmpfloat (dyno_result_get_number (((DynoRaceEntry *)list->pdata[0])->result, "latency_p50_ms"), >,
                     dyno_result_get_number (((DynoRaceEntry *)list->pdata[1])->result, "latency_p50_ms"));
  assert_entry (list, 0, 1, DYNO_RACE_BEST);
  race_field_clear (&field);
}

/* Two settings: how they end, in the order of the ranking. */
static void
test_duels (void)
{
  static const struct
  {
    const char *name;
    double times[2];
    double most_ms; /* the limit of the goal, or 0 */
    double spread;
    guint seed;
    guint n_rounds;
    guint n_samples;  /* of a process, or 0 for the usual ones */
    guint n_measured; /* processes */
    guint ordinals[2];
    DynoRaceStanding loser;
  } rows[] = {
    /* Before there are enough processes for a verdict nothing is eliminated, and the result is undecided. */
    { "too short", { 10, 30 }, 0, 0.01, 3, 3, 0, 6, { 0, 1 }, DYNO_RACE_OPEN },
    /* A setting that cannot be recommended is eliminated with the reason. */
    { "refused", { 10, 30 }, 20, 0.01, 5, DYNO_RACE_MAX_ROUNDS, 0, 10, { 0, 1 }, DYNO_RACE_REFUSED },
    /* Long steps are too few for the p90 of one process: those of all processes count together, and until they are
     * enough nothing is eliminated because of them. */
    { "few samples",
      { 5000, 500 },
      10000,
      0.02,
      6,
      DYNO_RACE_MAX_ROUNDS,
      7,
      2 * 7,
      { 1, 0 },
      DYNO_RACE_BEATEN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (DynoRace) race = create_race (rows[i].most_ms);
      g_autoptr (GPtrArray) list = NULL;
      RaceField field;

      g_test_message ("%s", rows[i].name);
      race_field_init (&field, rows[i].times, 2, rows[i].spread, rows[i].seed);
      if (rows[i].n_samples > 0)
        field.n_samples = rows[i].n_samples;
      g_assert_cmpuint (race_field_walk (race, &field, rows[i].n_rounds, 0), ==, rows[i].n_measured);
      list = dyno_race_list (race, field.run);
      assert_entry (list, 0, rows[i].ordinals[0], DYNO_RACE_BEST);
      assert_entry (list, 1, rows[i].ordinals[1], rows[i].loser);
      if (rows[i].loser == DYNO_RACE_REFUSED)
        g_assert_nonnull (((DynoRaceEntry *)list->pdata[1])->candidate->reason);
      race_field_clear (&field);
    }
}

/* There is no ranking before the first look. */
static void
test_begin (void)
{
  static const double times[] = { 10, 30 };
  g_autoptr (DynoRace) race = create_race (0);
  g_autoptr (GPtrArray) list = NULL;
  RaceField field;

  race_field_init (&field, times, 2, 0.01, 7);
  list = dyno_race_list (race, field.run);
  for (guint i = 0; i < 2; i++)
    assert_entry (list, i, i, DYNO_RACE_RACING);
  race_field_clear (&field);
}

/* The race uses the model and sizes of a case, but not its settings. */
static void
test_ask (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert", "openvino");
  g_autoptr (DynoPlan) plan = NULL;

  g_object_set (kase, "device", "GPU", "sequence-length", 64, "threads", 3, "options", "hint=throughput",
                NULL);
  plan = dyno_race_plan_ask (kase);
  g_assert_cmpstr (dyno_plan_get_models (plan)[0], ==, "bert");
  g_assert_cmpstr (dyno_plan_get_backends (plan)[0], ==, "openvino:GPU");
  g_assert_cmpstr (dyno_plan_get_sequence_lengths (plan)[0], ==, "64");
  g_assert_cmpstr (dyno_plan_get_options (plan)[0], ==, "");
}

static void
assert_lines (DynoCase *kase, guint n, guint which, const char *title, const char *words)
{
  g_autoptr (GPtrArray) list = dyno_engine_lines_list (kase, 8);
  const DynoEngineLines *lines;

  g_assert_cmpuint (list->len, ==, n);
  lines = list->pdata[which];
  g_assert_cmpstr (lines->title, ==, title);
  g_assert_nonnull (strstr (lines->text, words));
}

static void
test_lines (void)
{
  g_autoptr (DynoCase) cpu = dyno_case_new ("my model.onnx", "cpu");
  g_autoptr (DynoCase) openvino = dyno_case_new ("bert", "openvino");
  g_autoptr (DynoCase) told = dyno_case_new ("bert", "cuda");
  g_autoptr (DynoCase) tuned = dyno_case_new ("bert", "cpu");

  g_object_set (tuned, "options", "arena=off,dynamic-block-base=4,memory-pattern=on,spinning=off", NULL);
  assert_lines (tuned, 3, 0, "ONNX Runtime, Python",
                "options.enable_cpu_mem_arena = False\noptions.add_session_");
  assert_lines (tuned, 3, 0, "ONNX Runtime, Python", "entry(\"session.intra_op.allow_spinning\", \"0\")\n");
  assert_lines (tuned, 3, 1, "ONNX Runtime, C", "api->DisableCpuMemArena (options);\n");
  assert_lines (tuned, 3, 1, "ONNX Runtime, C", "Entry (options, \"session.dynamic_block_base\", \"4\");\n");
  g_object_set (told, "options", "graph-optimisation=none,inter-op-threads=2", NULL);
  g_object_set (openvino, "threads", 4, "options", "hint=throughput,inference-precision=bf16,streams=2",
                NULL);
  assert_lines (cpu, 3, 0, "ONNX Runtime, Python", "options.intra_op_num_threads = 8\n");
  assert_lines (cpu, 3, 0, "ONNX Runtime, Python", "ExecutionMode.ORT_SEQUENTIAL\n");
  assert_lines (cpu, 3, 0, "ONNX Runtime, Python", "GraphOptimizationLevel.ORT_ENABLE_ALL\n");
  assert_lines (told, 3, 0, "ONNX Runtime, Python", "options.inter_op_num_threads = 2\n");
  assert_lines (told, 3, 0, "ONNX Runtime, Python", "ExecutionMode.ORT_PARALLEL\n");
  assert_lines (told, 3, 0, "ONNX Runtime, Python", "GraphOptimizationLevel.ORT_DISABLE_ALL\n");
  assert_lines (told, 3, 1, "ONNX Runtime, C", "SetInterOpNumThreads (options, 2);\n");
  assert_lines (told, 3, 1, "ONNX Runtime, C",
                "SetSessionGraphOptimizationLevel (options, ORT_DISABLE_ALL);\n");
  assert_lines (cpu, 3, 1, "ONNX Runtime, C", "SetIntraOpNumThreads (options, 8)");
  assert_lines (cpu, 3, 2, "Dyno", "dyno-cli run -m 'my model.onnx' -b cpu -p fp32 --threads 0 --batch 1");
  assert_lines (openvino, 2, 0, "OpenVINO, Python", "\"PERFORMANCE_HINT\": \"THROUGHPUT\"");
  assert_lines (openvino, 2, 0, "OpenVINO, Python", "\"INFERENCE_PRECISION_HINT\": \"bf16\"");
  assert_lines (openvino, 2, 0, "OpenVINO, Python", "\"NUM_STREAMS\": \"2\"");
  assert_lines (openvino, 2, 1, "Dyno", "--option inference-precision=bf16");
  assert_lines (openvino, 2, 1, "Dyno", "--option streams=2");
}

/* When time is up, the leader is named with its margin over the nearest rival that is left. */
static void
test_leader (void)
{
  static const struct
  {
    double near, far, confidence;
    const char *answer;
  } rows[] = {
    { 0.714, 0.5, 0.8, "a leads by 1.40× over b; 80 % sure. More time can make it certain." },
    { 1.25, 4, 0.999, "a leads by 1.25× over b; 99 % sure. More time can make it certain." },
    { 0.5, 0.9, 0.7, "a leads by 1.11× over c; 70 % sure. More time can make it certain." },
    /* 0.22 is twice 0.11, and Student's t of 2.03 with 4 degrees of freedom is exceeded in 5.6 % of draws. */
    { 0.8, 0.5, NAN,
      "a leads by 1.25× over b; about 94 % sure, from one process of each. More time can make it certain." },
    { 0.99, 0.5, NAN,
      "a leads by 1.01× over b; about 53 % sure, from one process of each. More time can make it certain." },
    { NAN, NAN, NAN, "a leads, but 2 other settings were not shown to be worse." },
  };

  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      DynoComparedCase near = { .ratio = rows[i].near, .confidence = rows[i].confidence };
      DynoComparedCase far = { .ratio = rows[i].far, .confidence = rows[i].confidence };
      const DynoCandidate candidates[] = { { 0 }, { .margin = &near }, { .margin = &far } };
      DynoRaceEntry entries[] = { { NULL, (char *)"a", DYNO_RACE_BEST, &candidates[0] },
                                  { NULL, (char *)"b", DYNO_RACE_OPEN, &candidates[1] },
                                  { NULL, (char *)"c", DYNO_RACE_OPEN, &candidates[2] } };
      g_autoptr (GPtrArray) list = g_ptr_array_new ();
      g_autofree char *answer = NULL;

      for (guint j = 0; j < G_N_ELEMENTS (entries); j++)
        g_ptr_array_add (list, &entries[j]);
      answer = dyno_race_dup_answer (list, &goal);
      g_assert_cmpstr (answer, ==, rows[i].answer);
    }
}

/* A setting in a race of its own making: the words, the number, and why it may not be recommended. */
typedef struct
{
  DynoRaceStanding standing;
  double time;
  DynoStatus status;
  const char *reason;
} Told;

static char *
dup_answer (const Told *told, guint n)
{
  static const char *const labels[] = { "a", "b", "c" };
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  DynoCandidate candidates[3] = { 0 };
  DynoRaceEntry entries[3];
  DynoGoal goal;

  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new ("bert", "cpu");
      DynoResult *result = dyno_result_new (kase, i);

      g_ptr_array_add (results, result);
      dyno_result_set_status (result, told[i].status, told[i].reason);
      if (told[i].time > 0)
        dyno_result_add_measured (result, "latency_p50_ms", told[i].time, "ms", "clock");
      candidates[i].reason = (char *)told[i].reason;
      entries[i] = (DynoRaceEntry){ result, (char *)labels[i], told[i].standing,
                                    told[i].status == DYNO_STATUS_CANCELLED ? NULL : &candidates[i] };
      g_ptr_array_add (list, &entries[i]);
    }
  return dyno_race_dup_answer (list, &goal);
}

/* There is an answer whatever came of the race. */
static void
test_answers (void)
{
  static const char late[] = "The time ran out before this case.";
  static const char moving[] = "Its latency never became steady.";
  static const struct
  {
    Told told[3];
    guint n;
    const char *answer;
  } rows[] = {
    { { { DYNO_RACE_BEST, 2, DYNO_STATUS_OK, NULL },
        { DYNO_RACE_UNMEASURED, 0, DYNO_STATUS_CANCELLED, late } },
      2,
      "Only a answered in this time, so there is nothing to compare it with. 1 setting has no number yet." },
    { { { DYNO_RACE_BEST, 2, DYNO_STATUS_OK, NULL }, { DYNO_RACE_REFUSED, 3, DYNO_STATUS_OK, moving } },
      2,
      "Only a can be recommended; there is nothing to compare it with." },
    { { { DYNO_RACE_REFUSED, 3, DYNO_STATUS_OK, moving },
        { DYNO_RACE_REFUSED, 2, DYNO_STATUS_OK, moving },
        { DYNO_RACE_REFUSED, 0, DYNO_STATUS_FAILED, "It crashed." } },
      3,
      "b looks best by 1.50× over a, but cannot be recommended. Its latency never became steady." },
    { { { DYNO_RACE_REFUSED, 3, DYNO_STATUS_OK, moving },
        { DYNO_RACE_UNMEASURED, 0, DYNO_STATUS_CANCELLED, late } },
      2,
      "Only a answered in this time, and it cannot be recommended. Its latency never became steady." },
    { { { DYNO_RACE_UNMEASURED, 0, DYNO_STATUS_CANCELLED, late },
        { DYNO_RACE_UNMEASURED, 0, DYNO_STATUS_CANCELLED, late } },
      2,
      "No setting was measured in this time. Allow more." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *answer = dup_answer (rows[i].told, rows[i].n);

      g_assert_cmpstr (answer, ==, rows[i].answer);
    }
}

/* A setting that had no turn, or took too long, is not called a bad one, and the reason stands beside it. */
static void
test_unmeasured (void)
{
  static const double times[] = { 10, 20, 30 };
  static const char late[] = "It was not measured within its share of the time. It took 5 s.";
  g_autoptr (DynoRace) race = create_race (0);
  g_autoptr (GPtrArray) list = NULL;
  RaceField field;

  race_field_init (&field, times, 3, 0.01, 8);
  field.n = 1;
  race_field_walk (race, &field, 1, 0);
  for (guint i = 1; i < 3; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (field.run), i);

      dyno_result_set_status (result, i == 1 ? DYNO_STATUS_SKIPPED : DYNO_STATUS_CANCELLED, late);
    }
  g_clear_object (&race);
  race = create_race (0);
  dyno_race_finish (race, field.run);
  list = dyno_race_list (race, field.run);
  assert_entry (list, 0, 0, DYNO_RACE_BEST);
  for (guint i = 1; i < 3; i++)
    {
      g_autofree char *remark = dyno_race_entry_dup_remark (list->pdata[i], dyno_race_get_goal (race));

      assert_entry (list, i, i, DYNO_RACE_UNMEASURED);
      g_assert_cmpstr (remark, ==, late);
    }
  race_field_clear (&field);
}

/* Threads for each stage by its work are one setting of the race, in which the case has no threads of its own. */
static void
test_threads_by_work (void)
{
  static const char *const models[] = { "TinyCLIP-ViT-8M-16-Text-3M-YFCC15M", NULL };
  static const char *const backends[] = { "fake", NULL }, *const precisions[] = { "fp32", NULL };
  g_autoptr (DynoPlan) fixed =
      g_object_new (DYNO_TYPE_PLAN, "models", models, "backends", backends, "precisions", precisions, NULL);
  g_autoptr (GHashTable) given = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (NULL);
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *json = dyno_json_text_write (node, FALSE);
  g_autoptr (DynoRacePlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *script = NULL;
  DynoGoal goal;
  guint n = 0;

  g_close (g_file_open_tmp ("dyno-race-XXXXXX.json", &script, NULL), NULL);
  g_assert_true (g_file_set_contents (script, "{}", -1, NULL));
  g_setenv ("DYNO_FAKE_BACKEND", script, TRUE);
  g_hash_table_add (given, (gpointer) "backends");
  g_hash_table_add (given, (gpointer) "precisions");
  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  plan = dyno_race_plan_new (fixed, given, &goal, G_TIME_SPAN_DAY / 1e6, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (plan->left_out), ==, 0);
  for (guint i = 0; i < plan->cases->len; i++)
    if (strstr (dyno_case_get_options (plan->cases->pdata[i]), "similarity.threads=1") != NULL)
      {
        n++;
        g_assert_cmpuint (dyno_case_get_threads (plan->cases->pdata[i]), ==, 0);
      }
  g_assert_cmpuint (n, ==, dyno_roofline_count_cores (json) > 1 ? 1 : 0);
  g_unlink (script);
}

static const SuiteTest tests[] = {
  { "/insight/race/threads-by-work", test_threads_by_work },
  { "/insight/race/winner", test_winner },
  { "/insight/race/tie", test_tie },
  { "/insight/race/drift", test_drift },
  { "/insight/race/leader", test_leader },
  { "/insight/race/rounds-rank", test_rounds_rank },
  { "/insight/race/duels", test_duels },
  { "/insight/race/begin", test_begin },
  { "/insight/race/ask", test_ask },
  { "/insight/race/lines", test_lines },
  { "/insight/race/answers", test_answers },
  { "/insight/race/unmeasured", test_unmeasured },
};

SUITE_TESTS (tests)
