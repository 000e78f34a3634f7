/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metric.h"
#include "dyno-step-work.h"

/* Separates the work of the two kinds of steps of a generation. The step over the prompt computes, and
 * decoding steps read the weights for one token each, so they are far apart on the roofline. Must follow
 * DynoGenerationMetric, whose times it divides by. */
G_DECLARE_FINAL_TYPE (DynoDecodingMetric, dyno_decoding_metric, DYNO, DECODING_METRIC, DynoMetric)

struct _DynoDecodingMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoDecodingMetric, dyno_decoding_metric, DYNO_TYPE_METRIC)

/* The names of the values for one kind of steps, and of their time. */
typedef struct
{
  const char *flops;
  const char *bytes;
  const char *product_bytes;
  const char *rate;
  const char *latency;
} Names;

static const Names prefill_names = { "prefill_flops", "prefill_bytes", NULL, "prefill_flops_per_sec",
                                     "first_token_latency_ms" };
static const Names decode_names = { "decode_flops", "decode_bytes", "decode_product_bytes",
                                    "decode_flops_per_sec", "inter_token_latency_ms" };

static void
add_work (DynoMeasurement *measurement, const Names *names, const DynoStepAnalysis *analysis)
{
  g_autoptr (GHashTable) unknown = g_hash_table_new (g_str_hash, g_str_equal);
  double flops = dyno_step_work_count_flops (measurement, analysis, unknown);
  double products;
  double bytes = dyno_step_work_count_bytes (measurement, analysis, &products);
  const char *flops_source = dyno_step_work_get_flops_source (analysis);
  const char *bytes_source = dyno_step_work_get_bytes_source (analysis);

  if (isfinite (bytes))
    dyno_measurement_add_estimated (measurement, names->bytes, bytes, "B", bytes_source);
  if (isfinite (bytes) && names->product_bytes != NULL)
    dyno_measurement_add_estimated (measurement, names->product_bytes, products, "B", bytes_source);
  if (!isfinite (flops) || g_hash_table_size (unknown) > 0)
    return;
  dyno_measurement_add_estimated (measurement, names->flops, flops, "FLOP", flops_source);

  /* Under load, the time to the first token includes the queue, so it is no divisor. */
  double seconds = dyno_measurement_get_number (measurement, names->latency) / 1e3;
  g_autofree char *over = g_strdup_printf ("%s, over %s", flops_source, names->latency);

  if (measurement->load == NULL && isfinite (flops / seconds))
    dyno_measurement_add_settled (measurement, names->rate, flops / seconds, "FLOP/s", DYNO_QUALITY_ESTIMATED,
                                  over);
}

static void
dyno_decoding_metric_analysed (DynoMetric *metric, DynoMeasurement *measurement)
{
  if (measurement->n_generated == 0)
    return;
  add_work (measurement, &prefill_names, &measurement->analysis);
  add_work (measurement, &decode_names, &measurement->decode_analysis);

  const char *source = "by the engine's profile, which slows small operators down";
  double products, others;

  if (!dyno_step_work_sum_times (&measurement->decode_analysis, &products, &others))
    return;
  dyno_measurement_add_measured (measurement, "decode_product_ms", products, "ms", source);
  dyno_measurement_add_measured (measurement, "decode_other_ms", others, "ms", source);
}

static const DynoMetricValue known_values[] = {
  { "prefill_flops", N_ ("Prefill FLOPs"), FALSE, .note = "of the step over the prompt" },
  { "prefill_bytes", N_ ("Prefill bytes"), FALSE, .note = "of the step over the prompt" },
  { "prefill_flops_per_sec", N_ ("Prefill compute throughput"), TRUE, TRUE },
  { "decode_flops", N_ ("FLOPs per decode step"), FALSE,
    .note = "of a step that decodes one token in the middle of a generation" },
  { "decode_bytes", N_ ("Bytes per decode step"), FALSE,
    .note = "of a step that decodes one token in the middle of a generation" },
  { "decode_product_bytes", N_ ("Matrix-product bytes per decode step"), FALSE,
    .note = "almost all of it is weights" },
  { "decode_flops_per_sec", N_ ("Decode compute throughput"), TRUE, TRUE },
  { "decode_product_ms", N_ ("Matrix-product time per decode step"), FALSE,
    .note = "from the engine’s profile" },
  { "decode_other_ms", N_ ("Other operators’ time per decode step"), FALSE,
    .note = "from the engine’s profile" },
  { NULL },
};

static void
dyno_decoding_metric_class_init (DynoDecodingMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "decoding";
  metric_class->values = known_values;
  metric_class->analysed = dyno_decoding_metric_analysed;
}

static void
dyno_decoding_metric_init (DynoDecodingMetric *self)
{
}
