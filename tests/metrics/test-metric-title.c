/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-metric.h"
#include "suite.h"

#define assert_text(call, expected)                                                                          \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    g_autofree char *text = call;                                                                            \
    g_assert_cmpstr (text, ==, expected);                                                                    \
  }                                                                                                          \
  G_STMT_END

/* The window never shows a raw stable name. */
static void
test_metric_names (void)
{
  assert_text (dyno_metric_title_dup ("latency_p50_ms"), "Median latency");
  assert_text (dyno_metric_title_dup ("placement_percent"), "Placement on requested device");
  assert_text (dyno_metric_title_dup ("load_runtime_start_ms"), "Load: starting the runtime");
  assert_text (dyno_metric_title_dup ("load_weight_upload_ms"), "Load: weight upload");
  assert_text (dyno_metric_title_dup ("load_time_ms"), "Load time");
  assert_text (dyno_metric_title_dup ("stage_encoder_flops"), "FLOPs of the stage: encoder");
  assert_text (dyno_metric_title_dup ("stage_decoder_decode_bytes"), "Decode bytes of the stage: decoder");
  assert_text (dyno_metric_title_dup ("audio_seconds_per_sec"), "Real-time factor");
  assert_text (dyno_metric_title_dup ("energy_nvidia0_joules"), "Energy of nvidia0");
  assert_text (dyno_metric_title_dup ("from_elsewhere"), "From elsewhere");
  assert_text (dyno_metric_title_dup ("second_token_latency_ms"), "Time from the first token to the second");
  assert_text (dyno_metric_title_dup ("inter_token_latency_mean_ms"), "Mean inter-token latency");
  assert_text (dyno_metric_title_dup ("server_cache_hit_ms"), "Cache hits of the server");
  assert_text (dyno_metric_title_dup ("energy_gpu0_joules"), "Energy of GPU0");
  assert_text (dyno_metric_title_dup ("npu_utilization_percent"), "NPU utilization");
  assert_text (dyno_metric_title_dup ("rampant_gpus"), "Rampant gpus");
  assert_text (dyno_metric_title_dup ("time_per_output_token_ms"), "Time per output token");
  assert_text (dyno_metric_title_dup ("energy_step_joules"), "Energy per step");
  assert_text (dyno_metric_title_dup ("power_gpu_watts"), "Power of the GPU");
}

static void
test_topics (void)
{
  g_assert_cmpstr (dyno_metric_title_get_topic ("energy_dram_joules"), ==, "Power and energy");
  g_assert_cmpstr (dyno_metric_title_get_topic ("power_max_watts"), ==, "Power and energy");
  g_assert_null (dyno_metric_title_get_topic ("latency_p99_ms"));
}

static const SuiteTest tests[] = {
  { "/metric-title/titles", test_metric_names },
  { "/metric-title/topics", test_topics },
};

SUITE_TESTS (tests)
