/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-roofline.h"
#include "dyno-precision.h"
#include "dyno-unit.h"

/* A step that decodes one token reads all weights for little work, so memory bounds it, if anything does. The
 * share of the read roof that it reaches says how well an engine decodes. */

/* The rate may exceed the roof by this factor: both are measured. */
#define TOLERANCE 1.05
/* A lower percentage than this gets an explanation. */
#define ENOUGH 50

/* The parts of a decode step's time, in ms: matrix products, other operators, and the time between operators. */
typedef struct
{
  double step;
  double products;
  double others;
  double between;
} Times;

gboolean
dyno_decode_roof_applies (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, "decode_flops"));
}

void
dyno_decode_roof_refuse (DynoResult *result, const char *reason)
{
  dyno_result_take_value (result, dyno_value_new_unsupported (DYNO_DECODE_ROOF_VALUE, "%", reason));
}

static char *
explain_others (const Times *times)
{
  g_autofree char *operators = dyno_unit_format (times->products + times->others, "ms");
  g_autofree char *step = dyno_unit_format (times->step, "ms");

  if (times->others >= times->between)
    return g_strdup_printf (
        _ ("Operators other than matrix products take %.0f %% of the time, and read hardly any weights."),
        100 * times->others / times->step);
  return g_strdup_printf (
      _ ("The operators of a step take %s of its %s: much of the time passes between them."), operators,
      step);
}

static char *
explain (DynoResult *result, const DynoRoofline *roofs, DynoCeiling *level)
{
  double intensity =
      dyno_result_get_number (result, "decode_flops") / dyno_result_get_number (result, "decode_bytes");

  if (intensity > dyno_ceiling_get_value (roofs->compute) / dyno_ceiling_get_value (level))
    return g_strdup (_ ("So many items are decoded at a time that compute is the limit, not memory."));

  /* Blames the largest part of the time, unless that is products which read fast enough. */
  double roof = dyno_ceiling_get_value (level);
  /* A profile slows operators down, so only the operators' shares of its time are used. */
  double step = dyno_result_get_number (result, "inter_token_latency_ms");
  double products = dyno_result_get_number (result, "decode_product_ms");
  double others = dyno_result_get_number (result, "decode_other_ms");
  double scale = fmin (1, step / (products + others));
  const Times times = { step, products * scale, others * scale, step - (products + others) * scale };
  double rate = dyno_result_get_number (result, "decode_product_bytes") / times.products * 1e3;

  if (!isfinite (rate))
    return g_strdup (_ ("The engine does not tell how long each operator takes."));
  if (times.products >= fmax (times.others, times.between) && 100 * rate < ENOUGH * roof)
    {
      double percent = 100 * times.products / (times.products + times.others);
      g_autofree char *speed = dyno_unit_format (rate, "B/s");
      const char *precision = dyno_case_get_precision (dyno_result_get_case (result));

      if (dyno_precision_is_quantised (precision))
        return g_strdup_printf (_ ("Matrix products take %.0f %% of the operators’ time and read %s: "
                                   "unpacking the quantised weights costs compute."),
                                percent, speed);
      return g_strdup_printf (_ ("Matrix products take %.0f %% of the operators’ time and read %s: they do "
                                 "not read as fast as this memory can."),
                              percent, speed);
    }
  return explain_others (&times);
}

static void
take_share (
    DynoResult *result, const DynoRoofline *roofs, DynoCeiling *level, double rate, DynoQuality quality)
{
  double percent = 100 * rate / dyno_ceiling_get_value (level);
  g_autofree char *speed = dyno_unit_format_plain (rate / 1e9);
  g_autofree char *most = dyno_unit_format_plain (dyno_ceiling_get_value (level) / 1e9);
  g_autofree char *source =
      g_strdup_printf ("decode_product_bytes over inter_token_latency_ms, %s GB/s, over the ceiling %s of "
                       "%s GB/s (model of traffic)",
                       speed, dyno_ceiling_get_id (level), most);

  dyno_result_take_value (result, dyno_value_new (DYNO_DECODE_ROOF_VALUE, percent, "%", quality, source));
  if (percent < ENOUGH)
    {
      g_autofree char *why = explain (result, roofs, level);
      /* Translators: a percentage, the name of a ceiling, and a sentence that says why it is not more */
      g_autofree char *message = g_strdup_printf (_ ("Decoding reads at %.0f %% of the roof %s. %s"), percent,
                                                  dyno_ceiling_get_id (level), why);

      dyno_result_take_diagnostic (
          result, dyno_diagnostic_new (DYNO_SEVERITY_INFO, DYNO_DECODE_ROOF_DIAGNOSTIC, message));
    }
}

void
dyno_decode_roof_complete (DynoResult *result, const DynoRoofline *roofs)
{
  DynoValue *compute = dyno_result_get_value (result, "decode_flops_per_sec");
  double bytes = dyno_result_get_number (result, "decode_product_bytes");
  double rate = bytes / dyno_result_get_number (result, "inter_token_latency_ms") * 1e3;
  DynoCeiling *level = dyno_roofline_choose_level (roofs, bytes);

  /* Under load a request waits between its tokens, so this rate does not exist. */
  if (compute == NULL || !isfinite (rate))
    dyno_decode_roof_refuse (result, _ ("The bytes or the time of a decode step by itself are unknown."));
  else if (rate > TOLERANCE * dyno_ceiling_get_value (level))
    {
      /* Data that never left a cache moves faster than memory. */
      g_autofree char *speed = dyno_unit_format_plain (rate / 1e9);
      g_autofree char *most = dyno_unit_format_plain (dyno_ceiling_get_value (level) / 1e9);
      g_autofree char *reason = g_strdup_printf (
          /* Translators: two numbers, and the name of a ceiling */
          _ ("By operand sizes a decode step reads %s GB/s, more than the roof of %s GB/s (%s): caches "
             "hold weights, or the roof is too low."),
          speed, most, dyno_ceiling_get_id (level));

      dyno_decode_roof_refuse (result, reason);
    }
  else
    take_share (result, roofs, level, rate, dyno_value_get_quality (compute));
}
