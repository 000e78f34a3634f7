/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-roofline.h"
#include "dyno-engine-name.h"
#include "dyno-json.h"
#include "dyno-load.h"
#include "dyno-model.h"
#include "dyno-unit.h"

/* A point may lie above a roof by this factor: both are measured. */
#define TOLERANCE 1.05

/* A cache is this many times larger than the data with which its ceiling was measured. */
#define TIMES_CEILING 2

typedef enum
{
  RIDGE,
  COMPUTE_BOUND,
  MEMORY_BOUND,
  DISTANCE,
  UTILISATION,
  THEORETICAL_UTILISATION,
} Which;

static const struct
{
  const char *name;
  const char *unit;
} values[] = {
  [RIDGE] = { "ridge_point_flops_per_byte", "FLOP/B" },
  [COMPUTE_BOUND] = { "compute_bound", "" },
  [MEMORY_BOUND] = { "memory_bound", "" },
  [DISTANCE] = { "roof_distance_percent", "%" },
  [UTILISATION] = { "bandwidth_utilization_percent", "%" },
  [THEORETICAL_UTILISATION] = { "bandwidth_utilization_theoretical_percent", "%" },
};

static gboolean
is_same_text (const char *a, const char *b)
{
  return g_strcmp0 (a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static void
consider (DynoRoofline *self, DynoCeiling *ceiling, const char *precision, const char *mix)
{
  if (dyno_ceiling_is_upper_bound (ceiling) || dyno_ceiling_get_value (ceiling) <= 0)
    return;
  if (dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_COMPUTE &&
      is_same_text (dyno_ceiling_get_precision (ceiling), precision) &&
      (self->compute == NULL || dyno_ceiling_get_value (ceiling) > dyno_ceiling_get_value (self->compute)))
    self->compute = ceiling;
  if (dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_BANDWIDTH &&
      is_same_text (dyno_ceiling_get_mix (ceiling), mix))
    {
      guint place = self->n_levels;

      if (self->n_levels != DYNO_ROOFLINE_MAX_LEVELS)
        {
          while (place > 0 &&
                 dyno_ceiling_get_value (self->levels[place - 1]) > dyno_ceiling_get_value (ceiling))
            {
              self->levels[place] = self->levels[place - 1];
              place--;
            }
          self->levels[place] = ceiling;
          self->n_levels++;
        }
    }
}

gboolean
dyno_roofline_find (DynoRoofline *self,
                    GPtrArray *ceilings,
                    const char *device,
                    guint threads,
                    const char *pinning,
                    const char *precision)
{
  gboolean on_processor = g_str_equal (device, "cpu");

  *self = (DynoRoofline){ NULL };
  for (guint i = 0; ceilings != NULL && i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = ceilings->pdata[i];

      if (g_strcmp0 (dyno_ceiling_get_device (ceiling), device) == 0 &&
          (!on_processor || (dyno_ceiling_get_threads (ceiling) == threads &&
                             is_same_text (dyno_ceiling_get_pinning (ceiling), pinning))))
        consider (self, ceiling, precision, on_processor ? "read" : "copy");
    }
  return self->compute != NULL && self->n_levels > 0;
}

const char *
dyno_roofline_get_obstacle (const DynoRoofline *self)
{
  if (self->compute == NULL || self->n_levels > 0 ||
      g_strcmp0 (dyno_ceiling_get_device (self->compute), "cpu") == 0)
    return NULL;
  return dyno_ceiling_get_derivation (self->compute);
}

DynoCeiling *
dyno_roofline_choose_level (const DynoRoofline *self, double bytes)
{
  g_return_val_if_fail (self->n_levels > 0, NULL);

  for (guint i = self->n_levels - 1; i > 0; i--)
    {
      DynoCeiling *level = self->levels[i];
      double each = (double)dyno_ceiling_get_bytes (level);

      if (bytes <= TIMES_CEILING * each * MAX (dyno_ceiling_get_threads (level), 1))
        return level;
    }
  return self->levels[0];
}

/* The bytes are those of the operands, from whichever memory they came: the slowest memory that could have
 * fed the work counts, and only a rate above the fastest one is above its roof. */
static DynoCeiling *
find_level (const DynoRoofline *self, double intensity, double rate)
{
  for (guint i = 0; i < self->n_levels; i++)
    if (rate <= TOLERANCE * dyno_ceiling_get_value (self->levels[i]) * intensity)
      return self->levels[i];
  return self->levels[self->n_levels - 1];
}

gboolean
dyno_roofline_place (
    const DynoRoofline *self, double flops, double bytes, double seconds, DynoRooflinePoint *point)
{
  double compute, limit;
  DynoCeiling *level;

  g_return_val_if_fail (self->compute != NULL && self->n_levels > 0, FALSE);
  if (!(isfinite (flops) && flops > 0 && isfinite (bytes) && bytes > 0 && isfinite (seconds) && seconds > 0))
    return FALSE;
  *point = (DynoRooflinePoint){ .intensity = flops / bytes, .rate = flops / seconds };
  compute = dyno_ceiling_get_value (self->compute);
  level = find_level (self, point->intensity, point->rate);
  limit = dyno_ceiling_get_value (level) * point->intensity;
  point->ridge = compute / dyno_ceiling_get_value (self->levels[0]);
  point->memory_bound = point->intensity < point->ridge;
  point->roof = point->memory_bound && limit < compute ? level : self->compute;
  point->attainable = point->roof == level ? limit : compute;
  point->is_far = point->rate < DYNO_ROOFLINE_LEAST_SHARE * point->attainable;
  point->is_doubtful = dyno_ceiling_is_doubtful (self->compute) ||
                       dyno_ceiling_is_doubtful (self->levels[0]) || dyno_ceiling_is_doubtful (point->roof);
  return TRUE;
}

/* The entry of the case's requested device in the machine's snapshot. */
static JsonObject *
look_up_device (JsonObject *machine, DynoCase *kase)
{
  JsonArray *backends = dyno_json_member_get_array (machine, "backends");
  JsonArray *devices = NULL;
  const char *id = dyno_case_get_device (kase);

  for (guint i = 0; backends != NULL && devices == NULL && i < json_array_get_length (backends); i++)
    {
      JsonObject *backend = dyno_json_member_get_element (backends, i);

      if (is_same_text (dyno_json_member_get_string (backend, "id"), dyno_case_get_backend (kase)))
        devices = dyno_json_member_get_array (backend, "devices");
    }
  for (guint i = 0; devices != NULL && i < json_array_get_length (devices); i++)
    {
      JsonObject *device = dyno_json_member_get_element (devices, i);

      if (*id == '\0' || is_same_text (dyno_json_member_get_string (device, "id"), id))
        return device;
    }
  return NULL;
}

char *
dyno_roofline_dup_device (DynoCase *kase, const char *machine)
{
  g_autoptr (JsonObject) root = dyno_json_try_object (machine, -1);
  JsonObject *device = look_up_device (root, kase);
  const char *id = device != NULL ? dyno_json_member_get_string (device, "id") : dyno_case_get_device (kase);
  const char *kind = dyno_json_member_get_string (device, "kind");

  if (g_str_equal (dyno_case_get_backend (kase), "cpu") || g_strcmp0 (kind, "cpu") == 0)
    return g_strdup ("cpu");
  return dyno_engine_name_dup_spec (dyno_case_get_backend (kase), id);
}

/* Returns how many threads the processor has for work: one per core, or all; 0 if unknown. */
static guint
count_usable (const char *machine, gboolean per_core)
{
  g_autoptr (JsonObject) root = dyno_json_try_object (machine, -1);
  JsonObject *cpu = dyno_json_member_get_object (root, "cpu");
  gint64 n_cores = dyno_json_member_get_int64 (cpu, "cores", 0);
  gint64 n_usable = dyno_json_member_get_int64 (cpu, "usable_threads", n_cores);

  return (guint)CLAMP (per_core ? MIN (n_cores, n_usable) : n_usable, 0, G_MAXUINT16);
}

guint
dyno_roofline_count_cores (const char *machine)
{
  return count_usable (machine, TRUE);
}

guint
dyno_roofline_count_threads (DynoCase *kase, const char *machine)
{
  return dyno_case_get_threads (kase) > 0 ? dyno_case_get_threads (kase) : count_usable (machine, TRUE);
}

guint
dyno_roofline_count_busy_threads (DynoCase *kase, const char *machine)
{
  guint threads = dyno_roofline_count_threads (kase, machine);
  DynoLoad load;

  if (dyno_load_is_single (dyno_case_get_load (kase)) ||
      !dyno_load_parse (dyno_case_get_load (kase), &load, NULL))
    return threads;
  return dyno_load_count_threads (&load, threads, count_usable (machine, FALSE));
}

gboolean
dyno_roofline_is_on_page (const char *device, guint threads, const char *pinning, const char *machine)
{
  if (!g_str_equal (device, "cpu"))
    return TRUE;
  return is_same_text (pinning, NULL) && threads > 0 &&
         (threads == 1 || threads == count_usable (machine, TRUE) ||
          threads == count_usable (machine, FALSE));
}

char *
dyno_roofline_dup_command (const char *device, const char *threads, const char *pinning)
{
  GString *command = g_string_new ("dyno-cli ceilings --measure");

  if (!g_str_equal (device, "cpu"))
    {
      g_string_append_printf (command, " --device %s", device);
      return g_string_free (command, FALSE);
    }
  if (threads != NULL)
    g_string_append_printf (command, " --threads %s", threads);
  if (pinning != NULL && *pinning != '\0')
    g_string_append_printf (command, " --pinning %s", pinning);
  return g_string_free (command, FALSE);
}

static char *
dup_command (const char *device, guint threads, const char *pinning)
{
  g_autofree char *number = threads > 0 ? g_strdup_printf ("%u", threads) : NULL;

  return dyno_roofline_dup_command (device, number, pinning);
}

static char *
explain_roofs (DynoCase *kase, const char *device, guint threads, const char *machine)
{
  const char *precision = dyno_case_get_computed_precision (kase);
  const char *pinning = dyno_case_get_pinning (kase);

  if (dyno_model_get_served_name (dyno_case_get_model (kase)) != NULL)
    return g_strdup (_ ("The operations of a served model are not counted, and what its server computes on "
                        "is unknown, so no roofs apply."));
  if (!g_str_equal (device, "cpu"))
    {
      g_autofree char *command = dup_command (device, 0, NULL);

      return g_strdup_printf (
          _ ("No %s roofs are known for the device %s. Measure them on the Hardware page or with “%s”."),
          precision, device, command);
    }
  if (pinning != NULL && *pinning != '\0')
    {
      g_autofree char *command = dup_command ("cpu", threads, pinning);

      return g_strdup_printf (
          ngettext ("No %s roofs are known for %u thread with pinning %s. Measure them with “%s”.",
                    "No %s roofs are known for %u threads with pinning %s. Measure them with “%s”.", threads),
          precision, threads, pinning, command);
    }

  g_autofree char *measure = dup_command ("cpu", threads, NULL);
  if (threads == 0)
    return g_strdup (_ ("The number of threads of the case is unknown, so no roofs apply to it."));
  if (dyno_roofline_is_on_page (device, threads, NULL, machine))
    return g_strdup_printf (ngettext ("No %s roofs are known for this machine and %u thread. Measure them "
                                      "on the Hardware page or with “%s”.",
                                      "No %s roofs are known for this machine and %u threads. Measure "
                                      "them on the Hardware page or with “%s”.",
                                      threads),
                            precision, threads, measure);
  return g_strdup_printf (
      ngettext ("No %s roofs are known for this machine and %u thread. Measure them with “%s”.",
                "No %s roofs are known for this machine and %u threads. Measure them with “%s”.", threads),
      precision, threads, measure);
}

static void
take_as (DynoResult *result, Which which, double number, DynoQuality quality, const char *source)
{
  dyno_result_take_value (result,
                          dyno_value_new (values[which].name, number, values[which].unit, quality, source));
}

/* Values derived from an unsteady rate are unsteady. */
static void
take (DynoResult *result, Which which, double number, const char *source)
{
  DynoValue *rate = dyno_result_get_value (result, "flops_per_sec");
  gboolean is_unsteady = rate != NULL && dyno_value_get_quality (rate) == DYNO_QUALITY_UNSTEADY;

  take_as (result, which, number, is_unsteady ? DYNO_QUALITY_UNSTEADY : DYNO_QUALITY_ESTIMATED, source);
}

static void
refuse (DynoResult *result, Which which, const char *reason)
{
  dyno_result_take_value (result,
                          dyno_value_new_unsupported (values[which].name, values[which].unit, reason));
}

static void
add_unsupported (DynoResult *result, const char *reason)
{
  for (Which which = 0; which < G_N_ELEMENTS (values); which++)
    refuse (result, which, reason);
  if (dyno_decode_roof_applies (result))
    dyno_decode_roof_refuse (result, reason);
}

/* Returns the words for a ceiling in a source; one that varied is marked as uncertain. */
static char *
dup_ceiling_words (DynoCeiling *ceiling)
{
  if (!dyno_ceiling_is_disturbed (ceiling))
    return g_strdup (dyno_ceiling_get_id (ceiling));
  return g_strdup_printf ("%s (varied by %.0f %% while it was measured)", dyno_ceiling_get_id (ceiling),
                          100 * dyno_ceiling_get_spread (ceiling));
}

static char *
explain_utilisation (DynoValue *bandwidth, DynoCeiling *ceiling)
{
  if (bandwidth == NULL)
    return g_strdup (_ ("The bandwidth is unknown."));
  if (!dyno_value_is_number (bandwidth))
    return g_strdup (dyno_value_get_source (bandwidth));
  if (dyno_value_get_number (bandwidth) > TOLERANCE * dyno_ceiling_get_value (ceiling) / 1e9)
    {
      /* More than the ceiling is impossible, so counter and ceiling contradict each other. Operand sizes also
       * include data that never left a cache. */
      g_autofree char *rate = dyno_unit_format_plain (dyno_value_get_number (bandwidth));
      g_autofree char *roof = dyno_unit_format_plain (dyno_ceiling_get_value (ceiling) / 1e9);
      g_autofree char *command =
          dup_command (dyno_ceiling_get_device (ceiling), dyno_ceiling_get_threads (ceiling),
                       dyno_ceiling_get_pinning (ceiling));

      if (dyno_value_get_quality (bandwidth) == DYNO_QUALITY_MEASURED)
        /* Translators: two numbers, the name of a ceiling, and a command */
        return g_strdup_printf (_ ("The counted %s GB/s exceed the roof of %s GB/s (%s), so one of them "
                                   "is wrong. Measure the roofs again on a quiet machine with “%s”."),
                                rate, roof, dyno_ceiling_get_id (ceiling), command);
      /* Translators: two numbers, the name of a ceiling, and a command */
      return g_strdup_printf (_ ("By operand sizes %s GB/s were moved, more than the roof of %s GB/s "
                                 "(%s): either caches served an unknown part of it, or the roof is too "
                                 "low. Measure the roofs again on a quiet machine with “%s”."),
                              rate, roof, dyno_ceiling_get_id (ceiling), command);
    }
  return NULL;
}

/* The theoretical bandwidth follows from the data of the memory modules and is not measured. */
static void
take_theoretical_utilisation (DynoResult *result, DynoValue *bandwidth, DynoCeiling *ceiling)
{
  double theoretical = dyno_ceiling_get_theoretical (ceiling) / 1e9;
  double rate = dyno_value_get_number (bandwidth);
  const char *derivation = dyno_ceiling_get_derivation (ceiling);
  g_autofree char *most = dyno_unit_format_plain (theoretical);
  g_autofree char *source = NULL;

  if (theoretical > 0 && rate <= theoretical)
    {
      source = g_strdup_printf ("avg_bandwidth_gbps over the %s GB/s that the ceiling %s has in theory: %s",
                                most, dyno_ceiling_get_id (ceiling), dyno_value_get_source (bandwidth));
      take (result, THEORETICAL_UTILISATION, 100 * rate / theoretical, source);
      return;
    }
  if (theoretical > 0)
    {
      g_autofree char *speed = dyno_unit_format_plain (rate);

      /* Translators: two numbers */
      source = g_strdup_printf (_ ("The bandwidth of %s GB/s exceeds the theoretical %s GB/s of this memory, "
                                   "so one of them is wrong."),
                                speed, most);
    }
  else
    source = g_strdup (derivation != NULL && *derivation != '\0'
                           ? derivation
                           : _ ("The theoretical bandwidth of this memory is unknown."));
  refuse (result, THEORETICAL_UTILISATION, source);
}

/* The bandwidth may be counted or modelled; values derived from it have the same quality. */
static void
take_utilisation (DynoResult *result, const DynoRoofline *roofs)
{
  DynoValue *bandwidth = dyno_result_get_value (result, "avg_bandwidth_gbps");
  DynoCeiling *ceiling = roofs->levels[0];
  double roof = dyno_ceiling_get_value (ceiling) / 1e9;
  g_autofree char *reason = explain_utilisation (bandwidth, ceiling);
  g_autofree char *words = dup_ceiling_words (ceiling);
  g_autofree char *most = dyno_unit_format_plain (roof);
  g_autofree char *source = NULL;

  if (reason != NULL)
    {
      refuse (result, UTILISATION, reason);
      refuse (result, THEORETICAL_UTILISATION, reason);
      return;
    }
  source = g_strdup_printf ("avg_bandwidth_gbps over the ceiling %s of %s GB/s: %s", words, most,
                            dyno_value_get_source (bandwidth));
  take_as (result, UTILISATION, 100 * dyno_value_get_number (bandwidth) / roof,
           dyno_value_get_quality (bandwidth), source);
  take_theoretical_utilisation (result, bandwidth, ceiling);
}

static gboolean
is_above (const DynoRooflinePoint *point)
{
  return point->rate > TOLERANCE * point->attainable;
}

static void
warn_above (DynoResult *result, const DynoRooflinePoint *point)
{
  g_autofree char *message = NULL;

  if (!is_above (point))
    return;
  message = g_strdup_printf (_ ("The case is %.0f %% above its roof (%s): precision, bytes or threads are "
                                "not what they seem, or the roofs were measured on a busier machine."),
                             100 * (point->rate / point->attainable - 1), dyno_ceiling_get_id (point->roof));
  dyno_result_take_diagnostic (result,
                               dyno_diagnostic_new (DYNO_SEVERITY_WARNING, DYNO_ROOFLINE_ABOVE, message));
}

static void
add_disturbance (GString *list, DynoCeiling *ceiling)
{
  g_autofree char *name = NULL;

  if (!dyno_ceiling_is_disturbed (ceiling))
    return;
  name = dyno_ceiling_dup_name (ceiling);
  g_string_append (list, list->len > 0 ? ", " : "");
  /* Translators: a ceiling, and how much it varied; part of a list */
  g_string_append_printf (list, _ ("%s by %.0f %%"), name, 100 * dyno_ceiling_get_spread (ceiling));
}

/* Returns how much the roofs of the case varied, and how to measure them again; NULL if they did not. */
static char *
dup_disturbance (const DynoRoofline *roofs, const DynoRooflinePoint *point)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *command =
      dup_command (dyno_ceiling_get_device (roofs->compute), dyno_ceiling_get_threads (roofs->compute),
                   dyno_ceiling_get_pinning (roofs->compute));

  add_disturbance (list, roofs->compute);
  add_disturbance (list, roofs->levels[0]);
  if (point->roof != roofs->compute && point->roof != roofs->levels[0])
    add_disturbance (list, point->roof);
  if (list->len == 0)
    return NULL;
  return g_strdup_printf (_ ("The roofs of this case varied while they were measured: %s. Measure them "
                             "again on a quiet machine with “%s”."),
                          list->str, command);
}

/* A verdict is no more certain than the roofs and the limit on which it is based. */
static void
warn_disturbed (DynoResult *result, const DynoRoofline *roofs, const DynoRooflinePoint *point)
{
  g_autofree char *message = dup_disturbance (roofs, point);

  if (message != NULL)
    dyno_result_take_diagnostic (result,
                                 dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "disturbed-roof", message));
}

/* Says only what the case itself shows. */
static void
explain_far (DynoResult *result, const DynoRooflinePoint *point)
{
  g_autofree char *cause = point->is_far && !point->is_doubtful ? dyno_roof_cause_dup (result) : NULL;
  g_autofree char *message = NULL;

  if (cause == NULL)
    return;
  message = g_strdup_printf (
      /* Translators: a percentage, and a sentence with the probable cause */
      _ ("The case reaches %.0f %% of its roof, so neither computing nor memory limits it. %s"),
      100 * point->rate / point->attainable, cause);
  dyno_result_take_diagnostic (result,
                               dyno_diagnostic_new (DYNO_SEVERITY_INFO, DYNO_ROOF_CAUSE_DIAGNOSTIC, message));
}

/* Roofs that vary too much do not tell on which side of their ridge the case lies. */
static void
take_sides (DynoResult *result, const DynoRoofline *roofs, const DynoRooflinePoint *point)
{
  g_autofree char *compute = dup_ceiling_words (roofs->compute);
  g_autofree char *memory = dup_ceiling_words (roofs->levels[0]);
  g_autofree char *doubt = point->is_doubtful ? dup_disturbance (roofs, point) : NULL;
  g_autofree char *side = g_strdup_printf (
      "intensity of %.4g FLOP/B (model of traffic) against the ridge at %.4g FLOP/B: %s over %s%s",
      point->intensity, point->ridge, compute, memory,
      point->is_far ? "; below half of both, so neither limits it" : "");

  if (doubt != NULL)
    {
      refuse (result, COMPUTE_BOUND, doubt);
      refuse (result, MEMORY_BOUND, doubt);
      return;
    }
  take (result, COMPUTE_BOUND, !point->memory_bound && !point->is_far, side);
  take (result, MEMORY_BOUND, point->memory_bound && !point->is_far, side);
}

static void
take_ridge (DynoResult *result, const DynoRoofline *roofs)
{
  g_autofree char *compute = dup_ceiling_words (roofs->compute);
  g_autofree char *memory = dup_ceiling_words (roofs->levels[0]);
  g_autofree char *source = g_strdup_printf ("measured ceilings: %s over %s", compute, memory);
  double ridge = dyno_ceiling_get_value (roofs->compute) / dyno_ceiling_get_value (roofs->levels[0]);

  take_as (result, RIDGE, ridge, DYNO_QUALITY_MEASURED, source);
}

static gboolean
place (DynoResult *result,
       const DynoRoofline *roofs,
       const char *flops,
       const char *bytes,
       const char *rate,
       DynoRooflinePoint *point)
{
  double work = dyno_result_get_number (result, flops);

  return dyno_roofline_place (roofs, work, dyno_result_get_number (result, bytes),
                              work / dyno_result_get_number (result, rate), point);
}

/* The step over the prompt computes much with each byte, and those that decode compute little, so a
 * generation as a whole has no point under the roofs. */
static void
take_generation (DynoResult *result, const DynoRoofline *roofs)
{
  static const Which refused[] = { COMPUTE_BOUND, MEMORY_BOUND, DISTANCE };
  DynoRooflinePoint prefill, decode;

  take_ridge (result, roofs);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    refuse (result, refused[i],
            _ ("Prefill and decode each have a place of their own on the roofline: see its chart."));
  take_utilisation (result, roofs);
  dyno_decode_roof_complete (result, roofs);
  if (!place (result, roofs, "prefill_flops", "prefill_bytes", "prefill_flops_per_sec", &prefill) ||
      !place (result, roofs, "decode_flops", "decode_bytes", "decode_flops_per_sec", &decode))
    return;
  warn_disturbed (result, roofs, &decode);
  warn_above (result, is_above (&prefill) ? &prefill : &decode);
}

/* The roofs over all cases of one device, threads, placement and precision, or why there are none. */
typedef struct
{
  DynoRoofline roofs;
  char *reason;
} Sky;

static void
sky_free (Sky *sky)
{
  g_free (sky->reason);
  g_free (sky);
}

static Sky *
sky_new (DynoCase *kase, const char *machine, GPtrArray *ceilings)
{
  Sky *sky = g_new0 (Sky, 1);
  g_autofree char *device = dyno_roofline_dup_device (kase, machine);
  guint threads = dyno_roofline_count_busy_threads (kase, machine);

  if (dyno_case_is_mixed (kase))
    {
      sky->reason =
          g_strdup (_ ("Stages of the model have a device, threads or a precision of their own, so it has no "
                       "common roofs. See those of its stages."));
      return sky;
    }
  if (dyno_roofline_find (&sky->roofs, ceilings, device, threads, dyno_case_get_pinning (kase),
                          dyno_case_get_computed_precision (kase)))
    return sky;
  sky->reason = g_strdup (dyno_roofline_get_obstacle (&sky->roofs));
  if (sky->reason == NULL)
    sky->reason = explain_roofs (kase, device, threads, machine);
  return sky;
}

gboolean
dyno_roofline_is_derived (const char *name)
{
  for (Which which = 0; which < G_N_ELEMENTS (values); which++)
    if (g_str_equal (values[which].name, name))
      return TRUE;
  return g_str_equal (name, DYNO_ROOFLINE_ABOVE) || g_str_equal (name, "disturbed-roof") ||
         g_str_equal (name, DYNO_ROOF_CAUSE_DIAGNOSTIC) || g_str_equal (name, DYNO_DECODE_ROOF_VALUE) ||
         g_str_equal (name, DYNO_DECODE_ROOF_DIAGNOSTIC) || dyno_stage_roof_is_derived (name);
}

static void
forget_derived (DynoResult *result)
{
  GPtrArray *all = dyno_result_get_values (result);
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

  for (guint i = all->len; i > 0; i--)
    if (dyno_roofline_is_derived (dyno_value_get_name (all->pdata[i - 1])))
      g_ptr_array_remove_index (all, i - 1);
  for (guint i = diagnostics->len; i > 0; i--)
    if (dyno_roofline_is_derived (dyno_diagnostic_get_code (diagnostics->pdata[i - 1])))
      g_ptr_array_remove_index (diagnostics, i - 1);
}

static void
complete_under (DynoResult *result, const Sky *sky, const char *machine, GPtrArray *ceilings)
{
  DynoRooflinePoint point;

  forget_derived (result);
  if (sky->reason != NULL)
    {
      add_unsupported (result, sky->reason);
      /* Without memory roofs the distance is unknown, but the rate still cannot exceed the compute roof. */
      if (sky->roofs.compute != NULL)
        {
          point = (DynoRooflinePoint){ .rate = dyno_result_get_number (result, "flops_per_sec"),
                                       .attainable = dyno_ceiling_get_value (sky->roofs.compute),
                                       .roof = sky->roofs.compute };
          warn_above (result, &point);
        }
    }
  else if (dyno_decode_roof_applies (result))
    take_generation (result, &sky->roofs);
  else if (place (result, &sky->roofs, "flops", "bytes_per_step", "flops_per_sec", &point))
    {
      g_autofree char *roof = dup_ceiling_words (point.roof);
      g_autofree char *distance = g_strdup_printf ("FLOP/s reached over the %.4g FLOP/s that the ceiling %s "
                                                   "allows at this intensity (model of traffic)",
                                                   point.attainable, roof);

      take_ridge (result, &sky->roofs);
      take_sides (result, &sky->roofs, &point);
      take (result, DISTANCE, 100 * point.rate / point.attainable, distance);
      take_utilisation (result, &sky->roofs);
      warn_disturbed (result, &sky->roofs, &point);
      warn_above (result, &point);
      explain_far (result, &point);
    }
  else
    add_unsupported (
        result,
        _ ("The FLOPs, bytes or time of a step are unknown; see “flops_per_sec” and “bytes_per_step”."));
  dyno_stage_roof_complete (result, machine, ceilings);
}

/**
 * dyno_roofline_complete:
 * @result: a case that was measured
 * @machine: (nullable): the machine's snapshot as its run keeps it, JSON
 * @ceilings: (element-type DynoCeiling) (nullable): the ceilings of the machine
 *
 * Adds the position of the case under the roofs of its device, threads and placement:
 * `ridge_point_flops_per_byte`, `compute_bound`, `memory_bound`, `roof_distance_percent`,
 * `bandwidth_utilization_percent`, `bandwidth_utilization_theoretical_percent`; for a generation
 * `decode_read_percent`; for each stage of a model of several `stage_NAME_roof_ms`, `stage_NAME_compute_bound` and
 * `stage_NAME_memory_bound`; and the reasons for missing values. The diagnostics are `above-roof`,
 * `disturbed-roof`, `far-below-roofs` and `decode-below-roof`. Earlier ones are replaced.
 */
void
dyno_roofline_complete (DynoResult *result, const char *machine, GPtrArray *ceilings)
{
  Sky *sky = sky_new (dyno_result_get_case (result), machine, ceilings);

  complete_under (result, sky, machine, ceilings);
  sky_free (sky);
}

void
dyno_roofline_complete_run (DynoRun *run, GPtrArray *ceilings)
{
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (GHashTable) skies =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)sky_free);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      DynoCase *kase = dyno_result_get_case (result);
      g_autofree char *key = g_strdup_printf (
          "%s\n%s\n%u\n%s\n%s\n%s\n%d", dyno_case_get_backend (kase), dyno_case_get_device (kase),
          dyno_case_get_threads (kase), dyno_case_get_pinning (kase), dyno_case_get_computed_precision (kase),
          dyno_case_get_load (kase), dyno_case_is_mixed (kase));
      Sky *sky = g_hash_table_lookup (skies, key);

      if (!dyno_case_state_has_numbers (dyno_result_get_state (result)))
        continue;
      if (sky == NULL)
        {
          sky = sky_new (kase, dyno_run_get_machine (run), ceilings);
          g_hash_table_insert (skies, g_steal_pointer (&key), sky);
        }
      complete_under (result, sky, dyno_run_get_machine (run), ceilings);
    }
}
