/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-comparison-differences.h"
#include "dyno-json.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

/* A larger difference of the clocks, as a share, can explain the whole difference. */
#define CLOCK_LIMIT 0.02
/* The share of the work on the requested device, in percentage points. */
#define PLACEMENT_LIMIT 1.0

/* The compared properties of machines. */
static const struct
{
  const char *object;
  const char *member;
  const char *name;
} facts[] = {
  { "cpu", "name", N_ ("Processor") },
  { "cpu", "usable_threads", N_ ("Usable CPUs") },
  { "cpu", "microcode", N_ ("Microcode") },
  { "memory", "total_bytes", N_ ("Memory") },
  { "host", "product", N_ ("Computer") },
  { "os", "name", N_ ("Operating system") },
  { "kernel", "release", N_ ("Kernel") },
  { "container", "cpu_limit", N_ ("CPU limit of the control group") },
  { "container", "memory_limit_bytes", N_ ("Memory limit of the control group") },
  { "state", "governor", N_ ("Frequency governor") },
  { "state", "boost", N_ ("Boost") },
  { "state", "on_battery", N_ ("On battery") },
  { "state", "transparent_hugepages", N_ ("Transparent huge pages") },
};

/* Messages of cases that are compared. */
static const struct
{
  const char *code;
  const char *name;
} notes[] = {
  { "model", N_ ("Model") },
  { "engine-library", N_ ("Files of the engine") },
  { "dyno-build", N_ ("Build of Dyno") },
  { "placement", N_ ("Placement") },
  { "inference-precision", N_ ("Precision of the computation") },
};

static const struct
{
  DynoCaseParts part;
  const char *name;
} parts[] = {
  { DYNO_CASE_BACKEND, N_ ("Engine") },      { DYNO_CASE_DEVICE, N_ ("Device") },
  { DYNO_CASE_PRECISION, N_ ("Precision") }, { DYNO_CASE_THREADS, N_ ("Threads") },
  { DYNO_CASE_PINNING, N_ ("Pinning") },     { DYNO_CASE_OPTIONS, N_ ("Options") },
  { DYNO_CASE_LOAD, N_ ("Load") },           { DYNO_CASE_LIBRARY, N_ ("Library") },
};

static char *
dup_fact (JsonObject *machine, const char *object_name, const char *member)
{
  JsonObject *object = dyno_json_member_get_object (machine, object_name);
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  if (g_str_has_suffix (member, "_bytes"))
    return g_format_size ((guint64)json_node_get_int (node));
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? _ ("yes") : _ ("no"));
  return json_node_get_value_type (node) == G_TYPE_STRING ? g_strdup (json_node_get_string (node))
                                                          : dyno_json_text_write (node, FALSE);
}

/* A property that one side does not report is not known to differ. */
static void
add (DynoComparison *self, guint side, const char *name, const char *before, const char *after)
{
  if (before != NULL && after != NULL && *before != '\0' && *after != '\0' && !g_str_equal (before, after))
    dyno_comparison_add_difference (self, side, name, before, after);
}

static char *
dup_drivers (JsonObject *machine)
{
  JsonArray *devices = dyno_json_member_get_array (machine, "devices");
  g_autoptr (GStrvBuilder) drivers = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (guint i = 0; devices != NULL && i < json_array_get_length (devices); i++)
    {
      const char *driver = dyno_json_member_get_string (dyno_json_member_get_element (devices, i), "driver");

      if (driver != NULL)
        g_strv_builder_add (drivers, driver);
    }
  list = g_strv_builder_end (drivers);
  return g_strjoinv (", ", list);
}

/* Returns the engine of a case with its version: that of the library that it names, else the usual one. */
static const char *
find_runtime (DynoResult *result, JsonObject *machine)
{
  const char *named = dyno_result_find_message (result, "engine-version");

  return named != NULL
             ? named
             : dyno_run_engines_find (machine, dyno_case_get_backend (dyno_result_get_case (result)));
}

static void
compare_cases (
    DynoComparison *self, guint side, const DynoCasePair *pair, JsonObject *before, JsonObject *after)
{
  DynoCase *baseline = dyno_result_get_case (pair->baseline);
  DynoCase *other = dyno_result_get_case (pair->result);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *old_part = dyno_case_parts_dup_text (pair->baseline, parts[i].part);
      g_autofree char *new_part = dyno_case_parts_dup_text (pair->result, parts[i].part);
      /* Backends have different names for their default device. */
      gboolean goes_without_saying =
          parts[i].part == DYNO_CASE_DEVICE &&
          !g_str_equal (dyno_case_get_backend (baseline), dyno_case_get_backend (other)) &&
          g_strcmp0 (dyno_result_get_device_kind (pair->baseline),
                     dyno_result_get_device_kind (pair->result)) == 0;

      if (!g_str_equal (old_part, new_part) && !goes_without_saying)
        dyno_comparison_add_difference (self, side, _ (parts[i].name),
                                        *old_part != '\0' ? old_part : _ ("default"),
                                        *new_part != '\0' ? new_part : _ ("default"));
    }
  add (self, side, _ ("Runtime"), find_runtime (pair->baseline, before), find_runtime (pair->result, after));
  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    add (self, side, _ (notes[i].name), dyno_result_find_message (pair->baseline, notes[i].code),
         dyno_result_find_message (pair->result, notes[i].code));
}

/* Returns how far apart the clocks of a case are, as a share; 0 where one of them is unknown. */
static double
get_clock_distance (const DynoCasePair *pair)
{
  double before = dyno_result_get_number (pair->baseline, "clock_avg_mhz");
  double after = dyno_result_get_number (pair->result, "clock_avg_mhz");

  return isfinite (before) && isfinite (after) && before > 0 ? fabs (after / before - 1) : 0;
}

void
dyno_comparison_differences_find (DynoComparison *self, guint side, const DynoCaseAlignment *alignment)
{
  DynoRun *before_run = ((DynoComparisonSide *)self->sides->pdata[self->baseline])->run;
  DynoRun *after_run = ((DynoComparisonSide *)self->sides->pdata[side])->run;
  g_autoptr (JsonObject) before = dyno_json_try_object (dyno_run_get_machine (before_run), -1);
  g_autoptr (JsonObject) after = dyno_json_try_object (dyno_run_get_machine (after_run), -1);
  g_autofree char *old_drivers = dup_drivers (before);
  g_autofree char *new_drivers = dup_drivers (after);
  const DynoCasePair *worst = NULL; /* with the largest difference of clocks */

  for (guint i = 0; i < alignment->pairs->len; i++)
    compare_cases (self, side, &g_array_index (alignment->pairs, DynoCasePair, i), before, after);
  add (self, side, "Dyno", dyno_run_get_app_version (before_run), dyno_run_get_app_version (after_run));
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      g_autofree char *old_fact = dup_fact (before, facts[i].object, facts[i].member);
      g_autofree char *new_fact = dup_fact (after, facts[i].object, facts[i].member);

      add (self, side, _ (facts[i].name), old_fact, new_fact);
    }
  add (self, side, _ ("Drivers"), old_drivers, new_drivers);
  for (guint i = 0; i < alignment->pairs->len; i++)
    {
      const DynoCasePair *pair = &g_array_index (alignment->pairs, DynoCasePair, i);

      if (get_clock_distance (pair) > (worst != NULL ? get_clock_distance (worst) : CLOCK_LIMIT))
        worst = pair;
    }
  if (worst != NULL)
    {
      g_autofree char *old_clock =
          dyno_unit_format (dyno_result_get_number (worst->baseline, "clock_avg_mhz"), "MHz");
      g_autofree char *new_clock =
          dyno_unit_format (dyno_result_get_number (worst->result, "clock_avg_mhz"), "MHz");

      add (self, side, _ ("Average clock"), old_clock, new_clock);
    }
}

gboolean
dyno_comparison_differences_same_machine (DynoRun *a, DynoRun *b)
{
  g_autoptr (JsonObject) first = dyno_json_try_object (dyno_run_get_machine (a), -1);
  g_autoptr (JsonObject) second = dyno_json_try_object (dyno_run_get_machine (b), -1);

  for (guint i = 0; i < G_N_ELEMENTS (facts) && first != NULL && second != NULL; i++)
    {
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;

      if (!g_str_equal (facts[i].object, "cpu") || g_str_equal (facts[i].member, "microcode"))
        continue;
      before = dup_fact (first, facts[i].object, facts[i].member);
      after = dup_fact (second, facts[i].object, facts[i].member);
      if (g_strcmp0 (before, after) != 0)
        return FALSE;
    }
  return TRUE;
}

/* Reports a slowdown of the hardware that shows on one side only, or differently on both. */
static char *
dup_disturbance (DynoResult *result, const char *title)
{
  static const char *const codes[] = { "throttled-window", "thermal-throttling", "hardware-throttling" };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (dyno_result_find_message (result, codes[i]) != NULL)
      /* Translators: a side of the comparison, and its message: a sentence */
      return g_strdup_printf (_ ("%s: %s"), title, dyno_result_find_message (result, codes[i]));
  return NULL;
}

/* Only numbers of the same tool in the same version are measured in the same way. */
static char *
dup_unlike_methods (const DynoComparisonSide *before, const DynoComparisonSide *after)
{
  const DynoOrigin *theirs = dyno_run_get_origin (before->run);
  const DynoOrigin *ours = dyno_run_get_origin (after->run);
  g_autofree char *one = theirs != NULL ? dyno_origin_dup_tool (theirs) : g_strdup ("Dyno");
  g_autofree char *other = ours != NULL ? dyno_origin_dup_tool (ours) : g_strdup ("Dyno");

  if (g_str_equal (one, other))
    return NULL;
  /* Translators: a side of the comparison and the program that measured it, twice */
  return g_strdup_printf (_ ("%s was measured by %s, and %s by %s. They measure in different ways, so the "
                             "numbers stand side by side without a verdict. Measure both with one tool."),
                          before->title, one, after->title, other);
}

char *
dyno_comparison_differences_dup_confounding (DynoComparison *self,
                                             guint side,
                                             const DynoCasePair *pair,
                                             DynoCaseParts compared)
{
  const DynoComparisonSide *before = self->sides->pdata[self->baseline];
  const DynoComparisonSide *after = self->sides->pdata[side];
  double share_before = dyno_result_get_number (pair->baseline, "placement_percent");
  double share_after = dyno_result_get_number (pair->result, "placement_percent");
  double distance = get_clock_distance (pair);
  const char *cpus_before = dyno_result_find_message (pair->baseline, "placement");
  const char *cpus_after = dyno_result_find_message (pair->result, "placement");
  char *reason = dup_unlike_methods (before, after);

  if (reason == NULL)
    reason = dup_disturbance (pair->baseline, before->title);
  if (reason == NULL)
    reason = dup_disturbance (pair->result, after->title);
  if (reason == NULL && fabs (share_after - share_before) > PLACEMENT_LIMIT)
    reason = g_strdup_printf (_ ("%.0f %% and %.0f %% of the work ran on the requested device. Compare cases "
                                 "that run on it as a whole."),
                              share_before, share_after);
  if (reason != NULL || !dyno_comparison_differences_same_machine (before->run, after->run))
    return reason;
  if (distance > CLOCK_LIMIT && g_strcmp0 (dyno_result_get_device_kind (pair->baseline),
                                           dyno_result_get_device_kind (pair->result)) == 0)
    return g_strdup_printf (
        _ ("The clocks were %.0f %% apart. Fix the frequency, or measure both side by side."),
        distance * 100);
  if (compared & (DYNO_CASE_THREADS | DYNO_CASE_PINNING) || cpus_before == NULL || cpus_after == NULL ||
      g_str_equal (cpus_before, cpus_after))
    return NULL;
  /* Translators: two sentences about the CPUs that were used */
  return g_strdup_printf (_ ("The work was placed differently. %s %s Pin both in the same way."), cpus_before,
                          cpus_after);
}
