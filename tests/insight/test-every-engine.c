/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-race.h"
#include "dyno-result-samples.h"
#include "suite.h"

#define N_PROCESSES 5
#define N_ROUNDS    8

/* The times of a case, in ms; those of tokens are 0 where none are generated. */
typedef struct
{
  double latency;
  double token;
  double prompt;
} Times;

static DynoResult *
add_case (DynoRun *run, const char *backend, const char *precision)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("net", backend);
  g_autoptr (DynoResult) result =
      dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));

  g_object_set (kase, "precision", precision, "batch-size", 1, NULL);
  dyno_run_add_result (run, result);
  return result; /* the run keeps it */
}

/* In each round a step takes @in_turns times as long as its value says; 0 for no turns. */
static void
add_series (DynoResult *part, const char *name, double time, double in_turns)
{
  DynoTrace *series = dyno_trace_new (name, "ms", 0);

  for (guint i = 0; i < 2 * N_ROUNDS; i++)
    dyno_trace_add (series, 10 + 10 * i, time * in_turns * (1 + 0.001 * (i % 3)));
  dyno_result_take_trace (part, series);
}

static void
measure (DynoResult *result, Times times, double in_turns)
{
  for (guint i = 0; i < N_PROCESSES; i++)
    {
      g_autoptr (DynoResult) part = dyno_result_new (dyno_result_get_case (result), 0);
      g_autoptr (DynoResult) joined = NULL;
      double draw = 1 + 0.001 * i;

      dyno_result_set_status (part, DYNO_STATUS_OK, NULL);
      dyno_result_add_measured (part, "latency_p50_ms", times.latency * draw, "ms", "clock");
      if (times.token > 0)
        {
          dyno_result_add_measured (part, "inter_token_latency_ms", times.token * draw, "ms", "clock");
          dyno_result_add_measured (part, "first_token_latency_ms", times.prompt * draw, "ms", "clock");
        }
      if (in_turns > 0)
        {
          DynoTrace *turns = dyno_trace_new ("turns", "", 0);

          for (guint k = 0; k < N_ROUNDS; k++)
            dyno_trace_add (turns, 10 + 20 * k, k);
          dyno_result_take_trace (part, turns);
          add_series (part, "inter_token_latency", times.token, in_turns);
          add_series (part, "first_token_latency", times.prompt, in_turns);
        }
      joined = dyno_result_join (result, i, part);
      dyno_result_become (result, joined);
    }
}

static const DynoEngineEntry *
get_entry (const DynoEveryEngine *self, guint i)
{
  g_assert_cmpuint (i, <, self->entries->len);
  return self->entries->pdata[i];
}

static void
assert_left_out (const DynoEveryEngine *self, guint i, const char *label, const char *reason)
{
  const DynoComparison *first = self->comparisons->pdata[0];
  const DynoLeftOutCase *kase = first->left_out->pdata[i];

  g_assert_cmpuint (i, <, first->left_out->len);
  g_assert_cmpstr (kase->label, ==, label);
  g_assert_nonnull (strstr (kase->reason, reason));
}

static void
test_bits (void)
{
  static const struct
  {
    const char *precision;
    guint bits;
  } rows[] = { { "fp32", 32 },        { "tf32", 32 }, { "bf16", 16 },   { "int8-dynamic", 8 },
               { "int8-weights", 8 }, { "q8_0", 8 },  { "int4-32", 4 }, { "int4-128", 4 },
               { "q4_k_m", 4 },       { "fp4", 4 },   { "nf4", 4 },     { "unknown", 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_test_message ("%s", rows[i].precision);
      g_assert_cmpuint (dyno_every_engine_count_bits (rows[i].precision), ==, rows[i].bits);
    }
}

/* Each class has an answer, and a model that generates has two of them; the fastest setting of an engine stands for it. */
static void
test_generation (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (DynoEveryEngine) self = NULL;
  g_auto (GStrv) answers = NULL;

  measure (add_case (run, "cpu", "int4-128"), (Times){ 500, 15, 60 }, 0);
  measure (add_case (run, "cpu", "int4-32"), (Times){ 450, 13, 50 }, 0);
  measure (add_case (run, "llamacpp", "q4_k_m"), (Times){ 400, 10, 80 }, 0);
  measure (add_case (run, "cpu", "fp16"), (Times){ 900, 30, 90 }, 0);
  self = dyno_every_engine_new (run);
  g_assert_cmpuint (self->entries->len, ==, 3);
  g_assert_cmpuint (get_entry (self, 0)->bits, ==, 16);
  g_assert_cmpstr (get_entry (self, 1)->setting, ==, "q4_k_m");
  g_assert_cmpstr (get_entry (self, 2)->setting, ==, "int4-32");
  g_assert_cmpuint (self->comparisons->len, ==, 2);
  g_assert_true (get_entry (self, 2)->fastest[0] == get_entry (self, 1));
  g_assert_true (get_entry (self, 1)->fastest[1] == get_entry (self, 2));
  g_assert_null (get_entry (self, 1)->margins[0]);
  g_assert_cmpint (get_entry (self, 2)->margins[0]->verdict, ==, DYNO_VERDICT_WORSE);
  g_assert_cmpfloat_with_epsilon (get_entry (self, 2)->margins[0]->ratio, 1.3, 0.01);
  answers = dyno_every_engine_dup_answers (self);
  g_assert_cmpuint (g_strv_length (answers), ==, 2);
  g_assert_cmpstr (answers[0], ==, "16 bit: only ONNX Runtime (CPU) fp16 could be measured.");
  g_assert_cmpstr (answers[1], ==,
                   "4 bit: llama.cpp (CPU) q4_k_m generates tokens 1.3 times faster than ONNX Runtime (CPU) "
                   "int4-32; ONNX Runtime (CPU) int4-32 reads prompts 1.6 times faster than llama.cpp (CPU) "
                   "q4_k_m.");
}

/* An emulated device is no entry, however fast it is, and an engine that cannot run has its reason. */
static void
test_left_out (void)
{
  static const char *const backends[] = { "cpu", "openvino", "qnn", "llamacpp", NULL };
  g_autoptr (DynoPlan) plan = g_object_new (DYNO_TYPE_PLAN, "backends", backends, NULL);
  g_autofree char *json = dyno_plan_to_json (plan);
  g_autoptr (DynoRun) run = g_object_new (DYNO_TYPE_RUN, "plan", json, NULL);
  g_autoptr (DynoEveryEngine) self = NULL;
  g_auto (GStrv) answers = NULL;
  DynoResult *emulated;

  measure (add_case (run, "cpu", "fp32"), (Times){ 10, 0, 0 }, 0);
  measure (add_case (run, "openvino", "fp32"), (Times){ 10.01, 0, 0 }, 0);
  dyno_result_set_status (add_case (run, "openvino", "int8"), DYNO_STATUS_SKIPPED, "It computes no int8.");
  emulated = add_case (run, "qnn", "fp32");
  measure (emulated, (Times){ 1, 0, 0 }, 0);
  g_object_set (emulated, "device-kind", "emulated", NULL);
  self = dyno_every_engine_new (run);
  g_assert_cmpuint (self->entries->len, ==, 2);
  g_assert_cmpuint (self->comparisons->len, ==, 1);
  answers = dyno_every_engine_dup_answers (self);
  g_assert_cmpuint (g_strv_length (answers), ==, 1);
  g_assert_cmpstr (answers[0], ==,
                   "32 bit: ONNX Runtime (CPU) fp32 and OpenVINO (CPU) fp32 are equally fast.");
  assert_left_out (self, 0, "OpenVINO (CPU), 8 bits", "It computes no int8.");
  assert_left_out (self, 1, "ONNX Runtime (QNN)", "emulated");
  assert_left_out (self, 2, "llama.cpp (CPU)", "cannot open this model");
}

/* The medians of all steps say that one is the fastest, and the rounds the other: the rounds decide, for tokens and prompts too. */
static void
test_rounds (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (DynoEveryEngine) self = NULL;
  g_auto (GStrv) answers = NULL;

  measure (add_case (run, "cpu", "int4-32"), (Times){ 400, 10, 80 }, 1.5);
  measure (add_case (run, "openvino", "int4-32"), (Times){ 440, 11, 88 }, 1);
  self = dyno_every_engine_new (run);
  for (guint question = 0; question < DYNO_EVERY_ENGINE_QUESTIONS; question++)
    {
      const DynoEngineEntry *cpu = get_entry (self, 1);

      g_assert_cmpstr (cpu->engine, ==, "ONNX Runtime (CPU)");
      g_assert_true (cpu->fastest[question] == get_entry (self, 0));
      g_assert_cmpuint (cpu->margins[question]->n_rounds, ==, N_PROCESSES * N_ROUNDS);
      g_assert_cmpint (cpu->margins[question]->verdict, ==, DYNO_VERDICT_WORSE);
      g_assert_cmpfloat_with_epsilon (cpu->margins[question]->ratio, 1.5 / 1.1, 0.01);
    }
  answers = dyno_every_engine_dup_answers (self);
  g_assert_true (
      g_str_has_prefix (answers[0], "4 bit: OpenVINO (CPU) int4-32 generates tokens 1.4 times faster"));
}

static void
test_nothing (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (DynoEveryEngine) self = NULL;
  g_auto (GStrv) answers = NULL;

  dyno_result_set_status (add_case (run, "cpu", "fp32"), DYNO_STATUS_FAILED, "It crashed.");
  self = dyno_every_engine_new (run);
  answers = dyno_every_engine_dup_answers (self);
  g_assert_null (*answers);
  assert_left_out (self, 0, "ONNX Runtime (CPU)", "It crashed.");
}

/* Times of different models say nothing about engines. */
static void
test_models (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (DynoCase) kase = dyno_case_new ("other", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 2);

  g_assert_true (dyno_every_engine_is_of_one_model (run));
  add_case (run, "cpu", "fp32");
  add_case (run, "openvino", "fp32");
  g_assert_true (dyno_every_engine_is_of_one_model (run));
  dyno_run_add_result (run, result);
  g_assert_false (dyno_every_engine_is_of_one_model (run));
}

static const SuiteTest tests[] = {
  { "/every-engine/bits", test_bits },         { "/every-engine/generation", test_generation },
  { "/every-engine/left-out", test_left_out }, { "/every-engine/rounds", test_rounds },
  { "/every-engine/nothing", test_nothing },   { "/every-engine/models", test_models },
};

SUITE_TESTS (tests)
