/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-roofs.h"

/* A point may lie above a roof by so much: both are measured. */
#define TOLERANCE 1.05

static gboolean
runs_on_processor (const DynoChartCase *kase)
{
  DynoCase *what = dyno_result_get_case (kase->result);
  const char *id = dyno_case_get_device (what);
  g_autofree char *processor = dyno_chart_cases_dup_processor (kase);

  return strcmp (dyno_case_get_backend (what), "cpu") == 0 ||
         (id != NULL && g_ascii_strncasecmp (id, "cpu", 3) == 0) ||
         (processor != NULL && g_strcmp0 (dyno_result_get_device (kase->result), processor) == 0);
}

static gboolean
is_of_device (DynoCeiling *ceiling, const DynoChartCase *kase)
{
  DynoCase *what = dyno_result_get_case (kase->result);
  const char *device = dyno_ceiling_get_device (ceiling);
  g_autofree char *full =
      g_strdup_printf ("%s:%s", dyno_case_get_backend (what),
                       dyno_case_get_device (what) != NULL ? dyno_case_get_device (what) : "");

  return g_strcmp0 (device, dyno_result_get_device (kase->result)) == 0 || g_strcmp0 (device, full) == 0 ||
         (g_strcmp0 (device, dyno_case_get_backend (what)) == 0 && strcmp (device, "cpu") != 0);
}

static GPtrArray *
select_ceilings (const DynoChartCase *kase, gboolean on_processor, guint n_threads)
{
  GPtrArray *selected = g_ptr_array_new ();

  for (guint i = 0; kase->ceilings != NULL && i < kase->ceilings->len; i++)
    {
      DynoCeiling *ceiling = g_ptr_array_index (kase->ceilings, i);
      gboolean fits = on_processor ? g_strcmp0 (dyno_ceiling_get_device (ceiling), "cpu") == 0 &&
                                         dyno_ceiling_get_threads (ceiling) == n_threads
                                   : is_of_device (ceiling, kase);

      if (fits && !dyno_ceiling_is_upper_bound (ceiling) && dyno_ceiling_get_value (ceiling) > 0)
        g_ptr_array_add (selected, ceiling);
    }
  return selected;
}

/**
 * dyno_roofs_list_device:
 * @kase: a case
 * @n_threads: (out): how many threads of the processor it had; 0 where that says nothing
 *
 * Returns: (transfer container) (element-type DynoCeiling): what was measured of the device it ran on, with as many
 *   threads, possibly nothing; borrowed from the case
 */
GPtrArray *
dyno_roofs_list_device (const DynoChartCase *kase, guint *n_threads)
{
  gboolean on_processor = runs_on_processor (kase);

  *n_threads = on_processor ? dyno_chart_cases_count_threads (kase) : 0;
  return select_ceilings (kase, on_processor, *n_threads);
}

static void
insert_level (DynoRoofs *self, DynoCeiling *level)
{
  guint place = self->n_levels;

  if (self->n_levels == DYNO_ROOFS_MAX_LEVELS)
    return;
  while (place > 0 && dyno_ceiling_get_value (self->levels[place - 1]) > dyno_ceiling_get_value (level))
    {
      self->levels[place] = self->levels[place - 1];
      place--;
    }
  self->levels[place] = level;
  self->n_levels++;
}

/* What inference does most with memory; of devices behind a runtime, copies are all there is. */
static void
insert_levels (DynoRoofs *self, GPtrArray *ceilings, const char *mix)
{
  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = g_ptr_array_index (ceilings, i);

      if (dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_BANDWIDTH &&
          g_strcmp0 (dyno_ceiling_get_mix (ceiling), mix) == 0)
        insert_level (self, ceiling);
    }
}

/**
 * dyno_roofs_find:
 * @self: (out caller-allocates): roofs
 * @kase: a case
 *
 * Finds the roofs of the threads and the precision of a case.
 *
 * Returns: whether there is any; the ceilings belong to the case
 */
gboolean
dyno_roofs_find (DynoRoofs *self, const DynoChartCase *kase)
{
  const char *precision = dyno_case_get_precision (dyno_result_get_case (kase->result));
  g_autoptr (GPtrArray) ceilings = NULL;

  *self = (DynoRoofs){ 0 };
  ceilings = dyno_roofs_list_device (kase, &self->n_threads);
  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = g_ptr_array_index (ceilings, i);

      if (dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_COMPUTE &&
          g_strcmp0 (dyno_ceiling_get_precision (ceiling), precision) == 0 &&
          (self->compute == NULL ||
           dyno_ceiling_get_value (ceiling) > dyno_ceiling_get_value (self->compute)))
        self->compute = ceiling;
    }
  insert_levels (self, ceilings, "read");
  if (self->n_levels == 0)
    insert_levels (self, ceilings, "copy");
  return self->compute != NULL || self->n_levels > 0;
}

/**
 * dyno_roofs_get_ridge:
 * @self: roofs
 *
 * Returns: the intensity, in FLOP/byte, from which on the slowest memory suffices; NaN if that is not known
 */
double
dyno_roofs_get_ridge (const DynoRoofs *self)
{
  if (self->compute == NULL || self->n_levels == 0)
    return NAN;
  return dyno_ceiling_get_value (self->compute) / dyno_ceiling_get_value (self->levels[0]);
}

/* The slowest memory that could have fed it. */
static DynoCeiling *
find_level (const DynoRoofs *self, double intensity, double rate)
{
  for (guint i = 0; i < self->n_levels; i++)
    if (rate <= TOLERANCE * dyno_ceiling_get_value (self->levels[i]) * intensity)
      return self->levels[i];
  return self->n_levels > 0 ? self->levels[self->n_levels - 1] : NULL;
}

/**
 * dyno_roofs_judge:
 * @self: roofs
 * @intensity: of the work, in FLOP/byte
 * @rate: what was reached, in FLOP/s
 * @verdict: (out caller-allocates): where that lies
 *
 * The bytes are those of the operands, wherever they came from: left of the ridge, what bounds is the slowest level
 * that could have fed the work, and only what exceeds the fastest is above its roof.
 */
void
dyno_roofs_judge (const DynoRoofs *self, double intensity, double rate, DynoRoofsVerdict *verdict)
{
  double compute = self->compute != NULL ? dyno_ceiling_get_value (self->compute) : INFINITY;
  DynoCeiling *level = find_level (self, intensity, rate);
  double limit = level != NULL ? dyno_ceiling_get_value (level) * intensity : INFINITY;

  *verdict = (DynoRoofsVerdict){ .share = NAN };
  verdict->memory_bound = intensity < dyno_roofs_get_ridge (self);
  verdict->roof = limit < compute && (verdict->memory_bound || self->compute == NULL) ? level : self->compute;
  if (verdict->roof == NULL)
    return;
  verdict->share = rate / MIN (limit, compute);
  if (verdict->roof == self->compute)
    verdict->share = rate / compute;
  verdict->above = verdict->share > TOLERANCE;
}

/**
 * dyno_roofs_dup_name:
 * @ceiling: a ceiling
 *
 * Returns: (transfer full): what it is a roof of, such as `fp32 AVX-512` or `DRAM read`
 */
char *
dyno_roofs_dup_name (DynoCeiling *ceiling)
{
  const char *first = dyno_ceiling_get_level (ceiling);
  const char *second = dyno_ceiling_get_mix (ceiling);

  if (dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_COMPUTE)
    {
      first = dyno_ceiling_get_precision (ceiling);
      second = dyno_ceiling_get_instruction_set (ceiling);
    }
  if (first == NULL || *first == '\0' || second == NULL || *second == '\0')
    return g_strdup (first != NULL && *first != '\0' ? first : dyno_ceiling_get_id (ceiling));
  return g_strdup_printf ("%s %s", first, second);
}
