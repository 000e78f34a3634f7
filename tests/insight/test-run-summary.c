/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-grade.h"
#include "dyno-result-samples.h"
#include "dyno-run-summary.h"
#include "suite.h"

/* @rate: at the median latency */
static DynoResult *
add_sustained (DynoRun *run,
               const char *model,
               const char *architecture,
               const char *backend,
               guint batch_size,
               double rate,
               double sustained)
{
  g_autoptr (DynoCase) kase = dyno_case_new (model, backend);
  g_autoptr (DynoResult) result =
      dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));

  g_object_set (kase, "batch-size", batch_size, NULL);
  g_object_set (result, "architecture", architecture, NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_result_add_measured (result, "latency_p50_ms", 1e3 * batch_size / rate, "ms", "clock");
  dyno_result_add_measured (result, "latency_mean_ms", 1e3 * batch_size / sustained, "ms", "clock");
  dyno_result_add_measured (result, "throughput_items_per_sec", sustained, "1/s", "clock");
  dyno_run_add_result (run, result);
  return result;
}

static DynoResult *
add_case (DynoRun *run,
          const char *model,
          const char *architecture,
          const char *backend,
          guint batch_size,
          double rate)
{
  return add_sustained (run, model, architecture, backend, batch_size, rate, rate);
}

static void
add_roof (DynoResult *result, double percent, gboolean compute_bound)
{
  dyno_result_add_measured (result, "roof_distance_percent", percent, "%", "ceilings");
  dyno_result_add_measured (result, "compute_bound", compute_bound && percent >= 50, "", "ceilings");
  dyno_result_add_measured (result, "memory_bound", !compute_bound && percent >= 50, "", "ceilings");
}

static void
add_doubtful_roof (DynoResult *result)
{
  dyno_result_add_measured (result, "roof_distance_percent", 62, "%", "ceilings");
  dyno_result_take_value (result, dyno_value_new_unsupported ("compute_bound", "", "The roofs vary."));
  dyno_result_take_value (result, dyno_value_new_unsupported ("memory_bound", "", "The roofs vary."));
}

static void
warn (DynoResult *result, const char *code)
{
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, code, "A warning."));
}

/* Each model separately, at both ends of the sweep. */
static void
test_findings (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_auto (GStrv) findings = NULL;

  add_roof (add_case (run, "mobilenet", "mobilenet_v2", "cpu", 1, 104), 62, TRUE);
  add_case (run, "mobilenet", "mobilenet_v2", "cpu", 2, 140);
  add_roof (add_case (run, "mobilenet", "mobilenet_v2", "cpu", 4, 161), 62, TRUE);
  add_roof (add_case (run, "smol", "llama", "cpu", 1, 15), 60, FALSE);
  add_case (run, "/somewhere/net.onnx", "onnx", "cpu", 1, 7);

  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 3);
  g_assert_cmpstr (findings[0], ==,
                   "mobilenet: 104 images/s at batch 1, 161 images/s at batch 4. "
                   "It is compute-bound, at 62 % of the fp32 roof. "
                   "Next: more than batch 4, since from batch 2 to 4 the throughput still rose by 15 %.");
  g_assert_cmpstr (findings[1], ==,
                   "smol: 15 prompts/s at batch 1. It is memory-bound, at 60 % of the roof.");
  g_assert_cmpstr (findings[2], ==, "net: 7 items/s at batch 1.");
}

/* The next step follows from the rates that the sentence names, and from none that is rough. */
static void
test_next_step (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_auto (GStrv) findings = NULL;
  DynoResult *rough;

  add_sustained (run, "mobilenet", "mobilenet_v2", "cpu", 1, 131, 97);
  add_case (run, "mobilenet", "mobilenet_v2", "cpu", 4, 125);
  rough = add_case (run, "smol", "llama", "cpu", 1, 15);
  dyno_result_add_measured (rough, "latency_median_low_ms", 1e3 / 15 * 0.5, "ms", "clock");
  dyno_result_add_measured (rough, "latency_median_high_ms", 1e3 / 15 * 1.1, "ms", "clock");
  add_case (run, "smol", "llama", "cpu", 4, 30);

  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 2);
  g_assert_cmpstr (findings[0], ==, "mobilenet: 131 images/s at batch 1, 125 images/s at batch 4.");
  g_assert_cmpstr (findings[1], ==, "smol: 15 prompts/s at batch 1, 30 prompts/s at batch 4.");
}

/* Many clients make their own batches. */
static void
test_load (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (GPtrArray) tiles = NULL;
  g_auto (GStrv) findings = NULL;
  DynoResult *result = add_case (run, "chat", "llama", "openai", 1, 384);

  g_object_set (dyno_result_get_case (result), "load", "concurrent=8", NULL);
  tiles = dyno_run_summary_list_tiles (run);
  g_assert_cmpstr (((const DynoRunTile *)tiles->pdata[0])->title, ==, "chat");
  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpstr (findings[0], ==, "chat: 384 prompts/s.");
}

/* Each model is described by its case with the best rate. */
static void
test_tiles (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (GPtrArray) tiles = NULL;
  DynoResult *best;
  const DynoRunTile *tile;

  add_case (run, "mobilenet", "mobilenet_v2", "cpu", 1, 104);
  best = add_case (run, "mobilenet", "mobilenet_v2", "cpu", 4, 161);
  dyno_result_add_measured (best, "latency_median_low_ms", 1e3 * 4 / 161 * 0.88, "ms", "clock");
  dyno_result_add_measured (best, "latency_median_high_ms", 1e3 * 4 / 161 * 1.05, "ms", "clock");
  add_case (run, "mobilenet", "mobilenet_v2", "cpu", 2, 140);
  warn (add_case (run, "smol", "llama", "cpu", 1, 15), "on-battery");
  dyno_result_set_status (add_case (run, "broken", NULL, "cpu", 1, 7), DYNO_STATUS_FAILED, "It fell over.");
  tiles = dyno_run_summary_list_tiles (run);
  g_assert_cmpuint (tiles->len, ==, 2);
  tile = tiles->pdata[0];
  g_assert_true (tile->result == best);
  g_assert_cmpstr (tile->title, ==, "mobilenet · batch 4");
  g_assert_cmpstr (tile->number, ==, "161");
  g_assert_cmpstr (tile->unit, ==, "images/s");
  g_assert_cmpstr (tile->facts, ==, "24.8\u00a0ms ±12 %");
  g_assert_cmpstr (tile->text, ==, "mobilenet · batch 4: 161 images/s, 24.8\u00a0ms ±12 %");
  tile = tiles->pdata[1];
  g_assert_cmpstr (tile->text, ==, "smol · batch 1: 15 prompts/s, 66.7\u00a0ms · Doubtful");
}

/* Where slow steps lower the sustained rate beyond the median's interval, it is beside the one at the median. */
static void
test_tile_sustained (void)
{
  const struct
  {
    double sustained;
    double low; /* of the interval, against the median */
    const char *text;
  } tiles[] = {
    { 40, NAN, "100 images/s, 10\u00a0ms · sustained 40/s" },
    { 99, NAN, "100 images/s, 10\u00a0ms" },
    { 70, 0.58, "100 images/s, 10\u00a0ms ±42 %" },
    { 70, 0.88, "100 images/s, 10\u00a0ms ±12 % · sustained 70/s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    {
      g_autoptr (DynoRun) run = dyno_run_new (NULL);
      g_autofree char *text = g_strconcat ("mobilenet · batch 1: ", tiles[i].text, NULL);
      DynoResult *result =
          add_sustained (run, "mobilenet", "mobilenet_v2", "cpu", 1, 100, tiles[i].sustained);

      if (isfinite (tiles[i].low))
        {
          dyno_result_add_measured (result, "latency_median_low_ms", 10 * tiles[i].low, "ms", "clock");
          dyno_result_add_measured (result, "latency_median_high_ms", 10, "ms", "clock");
        }
      g_autoptr (GPtrArray) shown = dyno_run_summary_list_tiles (run);
      g_assert_cmpstr (((const DynoRunTile *)shown->pdata[0])->text, ==, text);
    }
}

/* Below half of every roof, none of them limits a case. */
static void
test_far (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_auto (GStrv) findings = NULL;

  add_roof (add_case (run, "mobilenet", "mobilenet_v2", "cpu", 1, 104), 42, TRUE);
  add_roof (add_case (run, "smol", "llama", "cpu", 1, 15), 60, FALSE);
  add_roof (add_case (run, "smol", "llama", "cpu", 4, 15), 10, FALSE);
  findings = dyno_run_summary_dup_findings (run);
  g_assert_nonnull (strstr (findings[0], "It is far below both roofs, at 42 % of the nearer one."));
  g_assert_nonnull (strstr (findings[1], "It reaches 10 to 60 % of its roof."));
}

/* The probable cause is what was measured: short operators, or other load. A roof that varied too much bears no
 * sentence. */
static void
test_far_cause (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (DynoRun) doubtful = dyno_run_new (NULL);
  DynoResult *result = add_case (run, "mobilenet", "mobilenet_v2", "cpu", 1, 104);
  DynoOperator *op = dyno_operator_new ("a", "Add", "cpu");
  g_auto (GStrv) shorts = NULL;
  g_auto (GStrv) loaded = NULL;
  g_auto (GStrv) varied = NULL;

  add_roof (result, 42, TRUE);
  dyno_operator_set_calls (op, 10);
  dyno_operator_set_time_ns (op, 50000);
  dyno_result_take_operator (result, op);
  shorts = dyno_run_summary_dup_findings (run);
  g_assert_nonnull (
      strstr (shorts[0], "nearer one. Probable cause: its operators take 5\u00a0µs on average"));
  warn (result, "load-during");
  loaded = dyno_run_summary_dup_findings (run);
  g_assert_nonnull (strstr (loaded[0], "Probable cause: other programs took a part of the CPU time."));
  add_doubtful_roof (add_case (doubtful, "mobilenet", "mobilenet_v2", "cpu", 1, 104));
  varied = dyno_run_summary_dup_findings (doubtful);
  g_assert_null (strstr (varied[0], "roof"));
}

/* The difference between two groups of one model is named. */
static void
test_backends (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_auto (GStrv) findings = NULL;

  add_case (run, "bert", "bert", "cpu", 1, 100);
  warn (add_case (run, "bert", "bert", "openvino", 1, 200), "no-steady-state");

  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 2);
  g_assert_cmpstr (findings[0], ==, "bert\u00a0· ONNX Runtime (CPU): 100 texts/s at batch 1.");
  g_assert_cmpstr (findings[1], ==, "bert\u00a0· OpenVINO (CPU): 200 texts/s (unsteady) at batch 1.");
}

static void
assert_first_finding (DynoRun *run, const char *expected)
{
  g_auto (GStrv) findings = dyno_run_summary_dup_findings (run);

  g_assert_true (g_str_has_prefix (findings[0], expected));
}

/* Cases that have the same sizes are one range. */
static void
test_repeats (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);

  add_case (run, "net", "onnx", "cpu", 1, 1217);
  add_case (run, "net", "onnx", "cpu", 1, 1314);
  add_case (run, "net", "onnx", "cpu", 1, 883);
  add_case (run, "net", "onnx", "cpu", 1, 932);
  assert_first_finding (run, "net: 883 to 1314 items/s at batch 1.");
  add_case (run, "net", "onnx", "cpu", 4, 2000);
  add_case (run, "net", "onnx", "cpu", 4, 2000);
  assert_first_finding (run, "net: 883 to 1314 items/s at batch 1, 2000 items/s at batch 4.");
}

/* What the last case has in common with the first is not said twice. */
static void
test_common_size (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);

  g_object_set (dyno_result_get_case (add_case (run, "net", "onnx", "cpu", 2, 100)), "threads", 1, NULL);
  g_object_set (dyno_result_get_case (add_case (run, "net", "onnx", "cpu", 2, 150)), "threads", 4, NULL);
  assert_first_finding (run, "net: 100 items/s at batch 2\u00a0· 1 thread, 150 items/s at 4 threads.");
}

static void
test_unmeasured (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_auto (GStrv) findings = NULL;

  dyno_result_set_status (add_case (run, "gpt2", "gpt2", "cpu", 1, 1), DYNO_STATUS_FAILED,
                          "The worker was killed.");
  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 1);
  g_assert_cmpstr (findings[0], ==, "GPT-2 was not measured. The worker was killed.");
}

/* Of a file that tells one value, or none but the times of operators; whatever it is, it was measured. */
static void
assert_told (const char *value, double number, const char *unit, const char *finding)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (DynoCase) kase = dyno_case_new ("llama", "tool");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  g_auto (GStrv) findings = NULL;

  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  if (value != NULL)
    dyno_result_take_value (result, dyno_value_new (value, number, unit, DYNO_QUALITY_IMPORTED, "a file"));
  else
    dyno_result_take_operator (result, dyno_operator_new ("conv", "Conv", NULL));
  dyno_run_add_result (run, result);
  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 1);
  g_assert_cmpstr (findings[0], ==, finding);
}

/* Some tools measure only how fast a prompt is read. */
static void
test_prompt (void)
{
  assert_told ("prefill_tokens_per_sec", 2413, "tokens/s", "llama: 2413 prompt tokens/s at batch 1.");
}

/* Others tell nothing that Dyno would put first. */
static void
test_others (void)
{
  assert_told ("output_tokens_per_sec", 93.7, "tokens/s", "llama: 93.7 output tokens/s at batch 1.");
  assert_told ("result_value", 5013, "Mflops", "llama: Result value 5013\u00a0Mflops at batch 1.");
  assert_told ("throughput_tokens_per_sec", 45.4, "tokens/s", "llama: 45.4 tokens/s in total at batch 1.");
  assert_told ("latency_mean_ms", 1.5, "ms", "llama: 1.50\u00a0ms on average at batch 1.");
  assert_told ("energy_joules", 100, "J", "llama: Energy 100\u00a0J at batch 1.");
  assert_told (NULL, 0, NULL, "llama: the time of 1 operator at batch 1.");
}

static void
test_many (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_auto (GStrv) findings = NULL;

  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *model = g_strdup_printf ("model-%u", i);
      add_case (run, model, NULL, "cpu", 1, 1);
    }
  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 5);
  g_assert_cmpstr (findings[4], ==, "model-4: 1 items/s at batch 1. 4 more are in the table.");
}

static void
add_operator (DynoResult *result, const char *type, gint64 time_ns)
{
  DynoOperator *op = dyno_operator_new (type, type, "CPU");

  dyno_operator_set_time_ns (op, time_ns);
  dyno_result_take_operator (result, op);
}

/* Never more than five sentences. */
static void
test_five (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_auto (GStrv) findings = NULL;
  g_autofree char *winner = NULL;

  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *model = g_strdup_printf ("model-%u", i);
      DynoResult *result = add_case (run, model, NULL, i % 2 == 0 ? "cpu" : "openvino", 1, 1);

      dyno_result_take_diagnostic (
          result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "engine-default", "It would take 9 ms in bf16."));
      add_operator (result, "Conv", 1000);
    }
  g_assert_true (dyno_run_summary_has_alternatives (run));
  winner = dyno_run_summary_dup_winner (run);
  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 4);
  g_assert_true (g_str_has_suffix (findings[2], "6 more are in the table."));
  g_assert_cmpstr (findings[3], ==,
                   "model-0\u00a0· ONNX Runtime (CPU)\u00a0· batch 1: It would take 9 ms in bf16.");
}

/* Each with the number behind it. */
static void
test_next (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_auto (GStrv) findings = NULL;
  DynoResult *result;

  g_object_set (dyno_result_get_case (add_case (run, "gpt2", "gpt2", "cpu", 1, 100)), "threads", 1, NULL);
  g_object_set (dyno_result_get_case (add_case (run, "gpt2", "gpt2", "cpu", 1, 101)), "threads", 2, NULL);
  result = add_case (run, "smol", "llama", "cpu", 1, 15);
  add_roof (result, 71, FALSE);
  dyno_result_add_measured (result, "memory_weights_mb", 80, "MB", "model");
  dyno_result_add_measured (result, "bytes_per_step", 100e6, "B", "model");
  add_operator (result, "MatMul", 800);
  add_operator (result, "Add", 200);
  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 3);
  g_assert_nonnull (strstr (findings[0], "Next: 1 thread, since 2 are only 1.01 times as fast."));
  g_assert_nonnull (strstr (findings[1], "Next: fp16 weights, which would move 40 % fewer bytes"));
  g_assert_cmpstr (
      findings[2], ==,
      "MatMul takes 80 % of the operators’ time in smol\u00a0· ONNX Runtime (CPU)\u00a0· batch 1.");
}

/* The slowest stage comes before the operator. */
static void
test_stages (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  DynoResult *result = add_case (run, "t5", "t5", "cpu", 1, 100);
  g_auto (GStrv) findings = NULL;

  dyno_result_add_measured (result, "stage_encoder_p50_ms", 3.1, "ms", "clock");
  dyno_result_add_measured (result, "stage_encoder_percent", 27, "%", "clock");
  dyno_result_add_measured (result, "stage_decoder_p50_ms", 8.2, "ms", "clock");
  dyno_result_add_measured (result, "stage_decoder_percent", 73, "%", "clock");
  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 2);
  g_assert_cmpstr (findings[1], ==,
                   "The stage “decoder” takes 73 % of the time in t5\u00a0· ONNX Runtime (CPU)\u00a0· batch "
                   "1: encoder 3.10\u00a0ms, "
                   "decoder 8.20\u00a0ms.");
}

static void
add_of_stages (DynoResult *result, const char *what, double encoder, double decoder)
{
  g_autofree char *first = g_strconcat ("stage_encoder_", what, NULL);
  g_autofree char *second = g_strconcat ("stage_decoder_", what, NULL);

  dyno_result_add_measured (result, first, encoder, "", "test");
  dyno_result_add_measured (result, second, decoder, "", "test");
}

/* The bottleneck is named with its bound, its work and its weights. */
static void
test_bottleneck (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  DynoResult *result = add_case (run, "t5", "t5", "cpu", 1, 100);
  g_autoptr (GString) expected = g_string_new (
      "The stage “decoder” takes 73 % of the time in t5\u00a0· ONNX Runtime (CPU)\u00a0· batch 1: "
      "encoder 3.10\u00a0ms, decoder 8.20\u00a0ms. It is memory-bound, at 80 % of the roof. "
      "It does 20 % of the work and holds 75 % of the weights.");
  g_autofree char *longest = NULL;
  g_autofree char *computes = NULL;
  g_autofree char *far = NULL;
  DynoStageTime stage = { .p50_ms = 10, .roof_ms = 6, .is_compute_bound = TRUE };

  add_of_stages (result, "p50_ms", 3.1, 8.2);
  add_of_stages (result, "percent", 27, 73);
  add_of_stages (result, "flops", 80e9, 20e9);
  add_of_stages (result, "weights_mb", 25, 75);
  add_of_stages (result, "roof_ms", 3, 6.56);
  add_of_stages (result, "compute_bound", 1, 0);
  add_of_stages (result, "memory_bound", 0, 1);
  longest = dyno_run_summary_dup_longest (run);
  g_assert_cmpstr (longest, ==, expected->str);
  computes = dyno_stage_time_dup_bound (&stage, result);
  g_assert_cmpstr (computes, ==, "It is compute-bound, at 60 % of the fp32 roof.");
  stage = (DynoStageTime){ .p50_ms = 10, .roof_ms = 1 };
  far = dyno_stage_time_dup_bound (&stage, result);
  g_assert_cmpstr (far, ==, "It is far below both roofs, at 10 % of the nearer one.");
}

/* The real-time factor is that of the median step; of a generation it names the tokens. */
static void
test_speech (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  DynoResult *heard = add_case (run, "wav2vec2", "wav2vec2", "cpu", 1, 10);
  DynoResult *written = add_case (run, "whisper", "whisper", "cpu", 1, 10);
  g_auto (GStrv) findings = NULL;

  g_object_set (dyno_result_get_case (written), "generate-tokens", 32, NULL);
  dyno_result_add_measured (heard, "audio_seconds", 3, "s", "test");
  dyno_result_add_measured (heard, "audio_seconds_per_sec", 28, "s/s", "test");
  dyno_result_add_measured (written, "audio_seconds", 30, "s", "test");
  dyno_result_add_measured (written, "audio_seconds_per_sec", 12.5, "s/s", "test");
  dyno_result_add_measured (written, "decode_tokens_per_sec", 90, "tokens/s", "test");
  findings = dyno_run_summary_dup_findings (run);
  for (guint i = 0; findings[i] != NULL; i++)
    g_test_message ("%s", findings[i]);
  g_assert_nonnull (strstr (findings[0], "30 seconds of audio per second at batch 1"));
  g_assert_nonnull (strstr (findings[1], "12.5 seconds of audio per second, written in 32 tokens"));
}

static void
assert_doubt (DynoRun *run, const char *expected)
{
  g_autofree char *doubt = dyno_run_summary_dup_doubt (run);

  g_assert_cmpstr (doubt, ==, expected);
}

static void
test_doubt (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  DynoResult *result;

  for (guint batch_size = 1; batch_size <= 3; batch_size++)
    add_case (run, "gpt2", "gpt2", "cpu", batch_size, 1);
  assert_doubt (run, NULL);
  result = add_case (run, "gpt2", "gpt2", "cpu", 4, 1);
  warn (result, "on-battery");
  warn (result, "throttled-window");
  assert_doubt (run, "1 of 4 cases is doubtful: the CPU limit of the control group throttled it.");
  warn (add_case (run, "gpt2", "gpt2", "cpu", 5, 1), "on-battery");
  warn (add_case (run, "gpt2", "gpt2", "cpu", 6, 1), "no-steady-state");
  assert_doubt (run, "2 of 6 cases are doubtful: the machine ran on battery power. "
                     "1 of 6 cases never reached a steady latency.");
  warn (add_case (run, "gpt2", "gpt2", "cpu", 7, 1), "throttled-window");
  warn (add_case (run, "gpt2", "gpt2", "cpu", 8, 1), "throttled-window");
  assert_doubt (
      run, "4 of 8 cases are doubtful, most often because the CPU limit of the control group throttled it. "
           "1 of 8 cases never reached a steady latency.");
}

/* No median lies 700 % below itself: an interval so wide is told by its upper end. */
static void
test_far_reach (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  DynoResult *result = add_case (run, "gpt2", "gpt2", "cpu", 1, 1);
  g_autofree char *rough = NULL;
  g_autofree char *median = NULL;

  dyno_result_add_measured (result, "latency_median_low_ms", 900, "ms", "clock");
  dyno_result_add_measured (result, "latency_median_high_ms", 8200, "ms", "clock");
  warn (result, "interval-not-reached");
  rough = dyno_run_summary_dup_rough (run);
  g_assert_cmpstr (rough, ==, "Rough (up to 8.2×).");
  median = dyno_run_summary_dup_median (result);
  g_assert_cmpstr (median, ==, "1\u00a0s, up to 8.2×");
}

/* A rough case is a note with its cause, no doubt. */
static void
test_rough (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  DynoResult *result = add_case (run, "gpt2", "gpt2", "cpu", 1, 1);
  g_autofree char *none = NULL;
  g_autofree char *alone = NULL;
  g_autofree char *busy = NULL;
  g_autofree char *outcome = NULL;

  none = dyno_run_summary_dup_rough (run);
  g_assert_null (none);
  dyno_result_add_measured (result, "latency_median_low_ms", 800, "ms", "clock");
  dyno_result_add_measured (result, "latency_median_high_ms", 1050, "ms", "clock");
  warn (result, "interval-not-reached");
  alone = dyno_run_summary_dup_rough (run);
  g_assert_cmpstr (alone, ==, "Rough (±20 %).");
  warn (result, "machine-load");
  add_case (run, "gpt2", "gpt2", "cpu", 2, 1);
  busy = dyno_run_summary_dup_rough (run);
  g_assert_cmpstr (busy, ==, "1 of 2 cases is rough (±20 %): the machine was busy.");
  outcome = dyno_run_dup_outcome (run);
  g_assert_cmpstr (outcome, ==, "1 rough · 1 measured");
  assert_doubt (run, NULL);
}

/* What other tools warn of has no short reason here. */
static void
test_unnamed_doubt (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);

  add_case (run, "gpt2", "gpt2", "cpu", 1, 1);
  dyno_result_take_diagnostic (
      add_case (run, "gpt2", "gpt2", "cpu", 2, 1),
      dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "requests-failed", "One request failed."));
  assert_doubt (run, "1 of 2 cases is doubtful. One request failed.");
  dyno_result_take_diagnostic (add_case (run, "gpt2", "gpt2", "cpu", 3, 1),
                               dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "other", "It was odd."));
  dyno_result_take_diagnostic (
      add_case (run, "gpt2", "gpt2", "cpu", 4, 1),
      dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "requests-failed", "One request failed."));
  assert_doubt (run, "3 of 4 cases are doubtful. The most frequent reason: One request failed.");
  /* What cases say that are not doubtful does not count. */
  for (guint batch_size = 5; batch_size <= 7; batch_size++)
    {
      DynoResult *unsteady = add_case (run, "gpt2", "gpt2", "cpu", batch_size, 1);

      warn (unsteady, "no-steady-state");
      dyno_result_take_diagnostic (unsteady,
                                   dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "other", "It was odd."));
    }
  assert_doubt (run, "3 of 7 cases are doubtful. The most frequent reason: One request failed. "
                     "3 of 7 cases never reached a steady latency.");
}

static void
test_interruption (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autofree char *whole = NULL;
  g_autofree char *part = NULL;

  add_case (run, "gpt2", "gpt2", "cpu", 1, 1);
  g_object_set (run, "finished-at", G_GINT64_CONSTANT (1), NULL);
  whole = dyno_run_summary_dup_interruption (run);
  g_assert_null (whole);
  g_object_set (run, "n-cases", 4, NULL);
  part = dyno_run_summary_dup_interruption (run);
  g_assert_cmpstr (part, ==, "This run was interrupted: 3 of 4 cases were not run.");
}

/* A run that lacks only analyses has all its numbers. */
static void
test_unanalysed (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autofree char *alone = NULL;
  g_autofree char *beside = NULL;

  warn (add_case (run, "gpt2", "gpt2", "cpu", 1, 1), DYNO_RESULT_NOT_ANALYSED);
  g_object_set (run, "finished-at", G_GINT64_CONSTANT (1), NULL);
  alone = dyno_run_summary_dup_interruption (run);
  g_assert_cmpstr (alone, ==, "This run was interrupted, so its case was not analysed.");
  add_case (run, "gpt2", "gpt2", "cpu", 2, 1);
  beside = dyno_run_summary_dup_interruption (run);
  g_assert_cmpstr (beside, ==, "This run was interrupted: 1 of 2 cases was not analysed.");
}

/* Of a run of one case nothing is counted. */
static void
test_one_case (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_autoptr (DynoRun) stopped = dyno_run_new (NULL);
  g_autofree char *part = NULL;

  warn (add_case (run, "gpt2", "gpt2", "cpu", 1, 1), "no-steady-state");
  assert_doubt (run, "This case never reached a steady latency.");
  g_object_set (stopped, "n-cases", 1, "finished-at", G_GINT64_CONSTANT (1), NULL);
  part = dyno_run_summary_dup_interruption (stopped);
  g_assert_cmpstr (part, ==, "This run was interrupted, so its case was not run.");
}

/* A device that had nothing to do is a finding; one that was nearly always busy is none. */
static void
test_idle (void)
{
  g_autoptr (DynoRun) run = dyno_run_new (NULL);
  g_auto (GStrv) findings = NULL;
  DynoResult *idle = add_case (run, "gpt2", "gpt2", "cuda", 1, 20);
  DynoResult *own = add_case (run, "bert", "bert", "cuda", 1, 20);
  DynoResult *first = add_case (run, "vit", "vit", "cuda", 1, 20);
  DynoResult *second = add_case (run, "vit", "vit", "cuda", 4, 40);
  DynoResult *busy = add_case (run, "clip", "clip", "cuda", 1, 20);

  dyno_result_add_measured (idle, "utilisation_device_global_percent", 62, "%", "driver");
  dyno_result_add_measured (idle, "utilisation_device_percent", 60, "%", "driver");
  dyno_result_add_measured (own, "utilisation_device_percent", 50, "%", "driver");
  dyno_result_add_measured (first, "utilisation_device_global_percent", 40, "%", "driver");
  dyno_result_add_measured (second, "utilisation_device_global_percent", 70, "%", "driver");
  dyno_result_add_measured (busy, "utilisation_device_global_percent", 95, "%", "driver");
  findings = dyno_run_summary_dup_findings (run);
  g_assert_cmpuint (g_strv_length (findings), ==, 4);
  g_assert_nonnull (strstr (findings[0], " The device was idle 38 % of the time."));
  g_assert_nonnull (strstr (findings[1], " The device did nothing for the model 50 % of the time."));
  g_assert_nonnull (strstr (findings[2], " The device was idle 30 to 60 % of the time."));
  g_assert_null (strstr (findings[3], "device"));
}

static const SuiteTest tests[] = {
  { "/run-summary/idle", test_idle },
  { "/run-summary/findings", test_findings },
  { "/run-summary/next-step", test_next_step },
  { "/run-summary/tiles", test_tiles },
  { "/run-summary/tile-sustained", test_tile_sustained },
  { "/run-summary/load", test_load },
  { "/run-summary/far", test_far },
  { "/run-summary/backends", test_backends },
  { "/run-summary/repeats", test_repeats },
  { "/run-summary/common-size", test_common_size },
  { "/run-summary/unmeasured", test_unmeasured },
  { "/run-summary/prompt", test_prompt },
  { "/run-summary/others", test_others },
  { "/run-summary/many", test_many },
  { "/run-summary/five", test_five },
  { "/run-summary/next", test_next },
  { "/run-summary/stages", test_stages },
  { "/run-summary/bottleneck", test_bottleneck },
  { "/run-summary/speech", test_speech },
  { "/run-summary/doubt", test_doubt },
  { "/run-summary/rough", test_rough },
  { "/run-summary/far-reach", test_far_reach },
  { "/run-summary/far-cause", test_far_cause },
  { "/run-summary/unnamed-doubt", test_unnamed_doubt },
  { "/run-summary/interruption", test_interruption },
  { "/run-summary/unanalysed", test_unanalysed },
  { "/run-summary/one-case", test_one_case },
};

SUITE_TESTS (tests)
