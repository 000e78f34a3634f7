/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-json-member.h"
#include "dyno-roofline.h"

/* A point may lie above a roof by so much: both are measured. */
#define TOLERANCE 1.05

static const struct
{
  const char *name;
  const char *unit;
} values[] = {
  { "ridge_point_flops_per_byte", "FLOP/B" },
  { "compute_bound", "" },
  { "memory_bound", "" },
  { "roof_distance_percent", "%" },
  { "bandwidth_utilization_percent", "%" },
};

static gboolean
is_same_text (const char *a, const char *b)
{
  return g_strcmp0 (a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static void
insert_level (DynoRoofline *self, DynoCeiling *level)
{
  guint place = self->n_levels;

  if (self->n_levels == DYNO_ROOFLINE_MAX_LEVELS)
    return;
  while (place > 0 && dyno_ceiling_get_value (self->levels[place - 1]) > dyno_ceiling_get_value (level))
    {
      self->levels[place] = self->levels[place - 1];
      place--;
    }
  self->levels[place] = level;
  self->n_levels++;
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
    insert_level (self, ceiling);
}

/**
 * dyno_roofline_find:
 * @self: (out caller-allocates): the roofs, which belong to @ceilings
 * @ceilings: (element-type DynoCeiling) (nullable): what was measured of a machine
 * @device: as from [func@Dyno.roofline_dup_device]
 * @threads: how many threads of the processor; does not matter for other devices
 * @pinning: (nullable): how they are placed, empty or %NULL for the usual way
 * @precision: such as `fp32`
 *
 * Reading is what inference does most with memory; of devices behind a runtime, copies are all there is.
 *
 * Returns: whether there are roofs of both kinds
 */
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

/**
 * dyno_roofline_get_obstacle:
 * @self: roofs, as they were found
 *
 * What sits behind a runtime is measured as a whole. If it has a roof of what it computes but none of its memory, that
 * one cannot be measured, and the other one says why.
 *
 * Returns: (nullable): why there is no roof of the memory, although all that can be measured was; %NULL if there is one,
 *   or if measuring would give one
 */
const char *
dyno_roofline_get_obstacle (const DynoRoofline *self)
{
  if (self->compute == NULL || self->n_levels > 0 ||
      g_strcmp0 (dyno_ceiling_get_device (self->compute), "cpu") == 0)
    return NULL;
  return dyno_ceiling_get_derivation (self->compute);
}

/* The bytes are those of the operands, wherever they came from: the slowest memory that could have fed the work is the
 * one that counts, and only what exceeds the fastest is above its roof. */
static DynoCeiling *
find_level (const DynoRoofline *self, double intensity, double rate)
{
  for (guint i = 0; i < self->n_levels; i++)
    if (rate <= TOLERANCE * dyno_ceiling_get_value (self->levels[i]) * intensity)
      return self->levels[i];
  return self->levels[self->n_levels - 1];
}

/**
 * dyno_roofline_place:
 * @self: roofs of both kinds
 * @flops: the work
 * @bytes: what it reads and writes
 * @seconds: how long it takes
 * @point: (out caller-allocates): where it lies
 *
 * Williams, Waterman, Patterson: Roofline, 2009, with one roof per level of memory.
 *
 * Returns: whether work, bytes and time are such that it lies anywhere
 */
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
  return TRUE;
}

static JsonObject *
find_device (JsonArray *devices, const char *id)
{
  for (guint i = 0; devices != NULL && i < json_array_get_length (devices); i++)
    {
      JsonObject *device = json_array_get_object_element (devices, i);

      if (*id == '\0' || is_same_text (dyno_json_member_get_string (device, "id"), id))
        return device;
    }
  return NULL;
}

static JsonArray *
get_array (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* What the run's record of the machine says of the device that the case asked for. */
static JsonObject *
look_up_device (JsonNode *machine, DynoCase *kase)
{
  JsonObject *root =
      machine != NULL && JSON_NODE_HOLDS_OBJECT (machine) ? json_node_get_object (machine) : NULL;
  JsonArray *backends = get_array (root, "backends");

  for (guint i = 0; backends != NULL && i < json_array_get_length (backends); i++)
    {
      JsonObject *backend = json_array_get_object_element (backends, i);

      if (is_same_text (dyno_json_member_get_string (backend, "id"), dyno_case_get_backend (kase)))
        return find_device (get_array (backend, "devices"), dyno_case_get_device (kase));
    }
  return NULL;
}

/**
 * dyno_roofline_dup_device:
 * @kase: a case
 * @machine: (nullable): the machine's snapshot as a run keeps it, JSON
 *
 * Returns: (transfer full): whose ceilings it is to be judged by: `cpu`, or `BACKEND:DEVICE`
 */
char *
dyno_roofline_dup_device (DynoCase *kase, const char *machine)
{
  g_autoptr (JsonNode) node = machine != NULL ? json_from_string (machine, NULL) : NULL;
  JsonObject *device = look_up_device (node, kase);
  const char *id = device != NULL ? dyno_json_member_get_string (device, "id") : dyno_case_get_device (kase);
  const char *kind = device != NULL ? dyno_json_member_get_string (device, "kind") : NULL;

  if (g_str_equal (dyno_case_get_backend (kase), "cpu") || g_strcmp0 (kind, "cpu") == 0)
    return g_strdup ("cpu");
  return g_strdup_printf ("%s:%s", dyno_case_get_backend (kase), id != NULL ? id : "");
}

/**
 * dyno_roofline_count_threads:
 * @kase: a case
 * @machine: (nullable): the machine's snapshot as a run keeps it, JSON
 *
 * Returns: how many threads it had: those it asked for, or one per core that it might use; 0 where that is not known
 */
guint
dyno_roofline_count_threads (DynoCase *kase, const char *machine)
{
  g_autoptr (JsonNode) node = machine != NULL ? json_from_string (machine, NULL) : NULL;
  JsonObject *root = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonObject *cpu = dyno_json_member_get_object (root, "cpu");
  gint64 n_cores = dyno_json_member_get_int64 (cpu, "cores", 0);

  if (dyno_case_get_threads (kase) > 0)
    return dyno_case_get_threads (kase);
  return (guint)CLAMP (MIN (n_cores, dyno_json_member_get_int64 (cpu, "usable_threads", n_cores)), 0,
                       G_MAXUINT16);
}

static void
add_unsupported (DynoResult *result, const char *reason)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    dyno_result_take_value (result, dyno_value_new_unsupported (values[i].name, values[i].unit, reason));
}

/**
 * dyno_roofline_dup_command:
 * @device: as from [func@Dyno.roofline_dup_device]
 * @threads: (nullable): how many threads of the processor, or what stands for that; %NULL if it is not known
 * @pinning: (nullable): how they are placed, empty or %NULL for the usual way
 *
 * What sits behind a runtime has no threads and no placement of ours. The only device of a backend need not have a name.
 *
 * Returns: (transfer full): the command that measures the ceilings, to be given as a remedy
 */
char *
dyno_roofline_dup_command (const char *device, const char *threads, const char *pinning)
{
  GString *command = g_string_new ("dyno-cli ceilings --measure");

  if (!g_str_equal (device, "cpu"))
    {
      g_string_append_printf (command, " --device %s", device);
      if (g_str_has_suffix (device, ":"))
        g_string_truncate (command, command->len - 1);
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
explain_roofs (DynoCase *kase, const char *device, guint threads, const char *obstacle)
{
  const char *precision = dyno_case_get_precision (kase);
  const char *pinning = dyno_case_get_pinning (kase);
  g_autofree char *command = dup_command (device, threads, pinning);

  if (obstacle != NULL)
    return g_strdup (obstacle);
  if (!g_str_equal (device, "cpu"))
    return g_strdup_printf (_ ("No ceilings in %s are known for the device %s. Measure them on the page "
                               "Hardware or with “%s”, then run the case again."),
                            precision, device, command);
  if (pinning != NULL && *pinning != '\0')
    return g_strdup_printf (_ ("No ceilings in %s are known for %u threads placed by %s. Measure them with "
                               "“%s”, then run the case again."),
                            precision, threads, pinning, command);
  return g_strdup_printf (_ ("No ceilings in %s are known for this machine and %u threads. Measure them on "
                             "the page Hardware or with “%s”, then run the case again."),
                          precision, threads, command);
}

static void
take (DynoResult *result, guint which, double number, const char *source)
{
  dyno_result_take_value (result, dyno_value_new (values[which].name, number, values[which].unit,
                                                  DYNO_QUALITY_ESTIMATED, source));
}

/* More than all of it cannot have gone through. Counters and ceiling contradict each other; sizes of operands also count
 * what never left a cache. */
static char *
explain_excess (DynoValue *bandwidth, DynoCeiling *ceiling)
{
  double rate = dyno_value_get_number (bandwidth);
  double roof = dyno_ceiling_get_value (ceiling) / 1e9;
  g_autofree char *command =
      dup_command (dyno_ceiling_get_device (ceiling), dyno_ceiling_get_threads (ceiling),
                   dyno_ceiling_get_pinning (ceiling));

  if (dyno_value_get_quality (bandwidth) == DYNO_QUALITY_MEASURED)
    return g_strdup_printf (_ ("%.4g GB/s were counted, more than the %.4g GB/s that were measured as the "
                               "ceiling %s, so one of them is wrong. Measure the ceilings again on a quiet "
                               "machine with “%s”, then run the case again."),
                            rate, roof, dyno_ceiling_get_id (ceiling), command);
  return g_strdup_printf (
      _ ("By the sizes of operands %.4g GB/s were moved, more than the %.4g GB/s that were measured as the "
         "ceiling %s: either caches kept a part of it, and how much is not known, or the ceiling is too low. "
         "Measure the ceilings again on a quiet machine with “%s”, then run the case again."),
      rate, roof, dyno_ceiling_get_id (ceiling), command);
}

/* Bandwidth may be counted or modelled; what is made of it is no better. */
static void
take_utilisation (DynoResult *result, const DynoRoofline *roofs)
{
  const char *name = "bandwidth_utilization_percent";
  DynoValue *bandwidth = dyno_result_get_value (result, "avg_bandwidth_gbps");
  double roof = dyno_ceiling_get_value (roofs->levels[0]) / 1e9;
  g_autofree char *source = NULL;

  if (bandwidth == NULL || !dyno_value_is_number (bandwidth))
    source =
        g_strdup (bandwidth != NULL ? dyno_value_get_source (bandwidth) : _ ("The bandwidth is not known."));
  else if (dyno_value_get_number (bandwidth) > TOLERANCE * roof)
    source = explain_excess (bandwidth, roofs->levels[0]);
  if (source != NULL)
    {
      dyno_result_take_value (result, dyno_value_new_unsupported (name, "%", source));
      return;
    }
  source = g_strdup_printf ("avg_bandwidth_gbps over the ceiling %s of %.4g GB/s: %s",
                            dyno_ceiling_get_id (roofs->levels[0]), roof, dyno_value_get_source (bandwidth));
  dyno_result_take_value (result, dyno_value_new (name, 100 * dyno_value_get_number (bandwidth) / roof, "%",
                                                  dyno_value_get_quality (bandwidth), source));
}

static void
warn_above (DynoResult *result, const DynoRooflinePoint *point)
{
  g_autofree char *message = NULL;

  if (!(point->rate > TOLERANCE * point->attainable))
    return;
  message = g_strdup_printf (
      _ ("The case lies %.0f %% above its roof (%s). Precision, bytes or threads are not what "
         "they seem, or the ceilings were measured on a busier machine."),
      100 * (point->rate / point->attainable - 1), dyno_ceiling_get_id (point->roof));
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "above-roof", message));
}

static void
take_point (DynoResult *result, const DynoRoofline *roofs, const DynoRooflinePoint *point)
{
  const char *memory = dyno_ceiling_get_id (roofs->levels[0]);
  g_autofree char *ridge =
      g_strdup_printf ("measured ceilings: %s over %s", dyno_ceiling_get_id (roofs->compute), memory);
  g_autofree char *side = g_strdup_printf (
      "intensity of %.4g FLOP/B (model of traffic) against the ridge at %.4g FLOP/B: %s over %s",
      point->intensity, point->ridge, dyno_ceiling_get_id (roofs->compute), memory);
  g_autofree char *distance = g_strdup_printf (
      "FLOP/s reached over the %.4g FLOP/s that the ceiling %s allows at this intensity (model of traffic)",
      point->attainable, dyno_ceiling_get_id (point->roof));

  dyno_result_take_value (
      result, dyno_value_new (values[0].name, point->ridge, values[0].unit, DYNO_QUALITY_MEASURED, ridge));
  take (result, 1, !point->memory_bound, side);
  take (result, 2, point->memory_bound, side);
  take (result, 3, 100 * point->rate / point->attainable, distance);
  take_utilisation (result, roofs);
  warn_above (result, point);
}

/* How near to its roofs a case comes is not known without those of memory, but it cannot be above that of computing. */
static void
warn_above_computing (DynoResult *result, DynoCeiling *compute)
{
  DynoRooflinePoint point = { .rate = dyno_result_get_number (result, "flops_per_sec"),
                              .attainable = dyno_ceiling_get_value (compute),
                              .roof = compute };

  warn_above (result, &point);
}

/**
 * dyno_roofline_complete:
 * @result: a case that was measured
 * @machine: (nullable): the machine's snapshot as its run keeps it, JSON
 * @ceilings: (element-type DynoCeiling) (nullable): what was measured of the machine
 *
 * Adds where the case lies under the roofs of its device, threads and placement: `ridge_point_flops_per_byte`,
 * `compute_bound`, `memory_bound`, `roof_distance_percent`, `bandwidth_utilization_percent`; and what is missing, where
 * something is. The diagnostic is `above-roof`.
 */
void
dyno_roofline_complete (DynoResult *result, const char *machine, GPtrArray *ceilings)
{
  DynoCase *kase = dyno_result_get_case (result);
  g_autofree char *device = dyno_roofline_dup_device (kase, machine);
  guint threads = dyno_roofline_count_threads (kase, machine);
  double flops = dyno_result_get_number (result, "flops");
  g_autofree char *reason = NULL;
  DynoRooflinePoint point;
  DynoRoofline roofs;

  if (!dyno_roofline_find (&roofs, ceilings, device, threads, dyno_case_get_pinning (kase),
                           dyno_case_get_precision (kase)))
    {
      reason = explain_roofs (kase, device, threads, dyno_roofline_get_obstacle (&roofs));
      add_unsupported (result, reason);
      if (roofs.compute != NULL)
        warn_above_computing (result, roofs.compute);
      return;
    }
  if (dyno_roofline_place (&roofs, flops, dyno_result_get_number (result, "bytes_per_step"),
                           flops / dyno_result_get_number (result, "flops_per_sec"), &point))
    take_point (result, &roofs, &point);
  else
    add_unsupported (result,
                     _ ("The FLOPs and bytes of a step, or its time, are not known; see “flops_per_sec” and "
                        "“bytes_per_step”."));
}
