/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-kinds-private.h"
#include "dyno-unit.h"

/* A point may be above a roof by this factor: both are measured. */
#define TOLERANCE 1.05

gboolean
dyno_roofs_find (DynoRoofs *self, const DynoChartCase *kase, const char *stage)
{
  DynoCase *whole = dyno_result_get_case (kase->result);
  g_autoptr (DynoCase) what =
      stage != NULL ? dyno_case_for_stage (whole, stage) : (DynoCase *)g_object_ref (whole);
  const char *machine = dyno_run_get_machine (kase->run);
  g_autofree char *device =
      stage != NULL ? dyno_roofline_dup_device (what, machine) : g_strdup (kase->roofs_device);
  guint n_threads = stage != NULL ? dyno_roofline_count_busy_threads (what, machine) : kase->n_busy_threads;

  *self = (DynoRoofs){ .n_threads = g_strcmp0 (device, "cpu") == 0 ? n_threads : 0 };
  if (kase->roofs_device == NULL || (stage == NULL && dyno_case_is_mixed (whole)))
    return FALSE;
  dyno_roofline_find (&self->lines, kase->ceilings, device, self->n_threads, dyno_case_get_pinning (what),
                      dyno_case_get_computed_precision (what));
  return self->lines.compute != NULL || self->lines.n_levels > 0;
}

GPtrArray *
dyno_roofs_list_compute (const DynoChartCase *kase)
{
  GPtrArray *found = g_ptr_array_new ();
  const char *pinning = dyno_case_get_pinning (dyno_result_get_case (kase->result));

  for (guint i = 0; kase->ceilings != NULL && i < kase->ceilings->len; i++)
    {
      DynoCeiling *ceiling = g_ptr_array_index (kase->ceilings, i);
      const char *placed = dyno_ceiling_get_pinning (ceiling);

      if (dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_COMPUTE && !dyno_ceiling_is_upper_bound (ceiling) &&
          g_strcmp0 (dyno_ceiling_get_device (ceiling), kase->roofs_device) == 0 &&
          (g_strcmp0 (kase->roofs_device, "cpu") != 0 ||
           (dyno_ceiling_get_threads (ceiling) == kase->n_busy_threads &&
            g_strcmp0 (placed != NULL ? placed : "", pinning != NULL ? pinning : "") == 0)))
        g_ptr_array_add (found, ceiling);
    }
  return found;
}

double
dyno_roofs_get_ridge (const DynoRoofs *self)
{
  if (self->lines.compute == NULL || self->lines.n_levels == 0)
    return NAN;
  return dyno_ceiling_get_value (self->lines.compute) / dyno_ceiling_get_value (self->lines.levels[0]);
}

void
dyno_roofs_judge (const DynoRoofs *self, double intensity, double rate, DynoRoofsVerdict *verdict)
{
  *verdict = (DynoRoofsVerdict){ .share = NAN };
  if (self->lines.compute != NULL && self->lines.n_levels > 0)
    {
      DynoRooflinePoint point;

      if (dyno_roofline_place (&self->lines, intensity, 1, intensity / rate, &point))
        {
          verdict->roof = point.roof;
          verdict->share = rate / point.attainable;
          verdict->memory_bound = point.memory_bound;
          verdict->is_far = point.is_far;
          verdict->is_doubtful = point.is_doubtful;
          verdict->above = verdict->share > TOLERANCE;
        }
    }
  else if (self->lines.compute != NULL)
    {
      double share = rate / dyno_ceiling_get_value (self->lines.compute);

      if (share > TOLERANCE)
        *verdict = (DynoRoofsVerdict){ .roof = self->lines.compute, .share = share, .above = TRUE };
    }
}

static gboolean
is_of_processor (DynoCeiling *ceiling)
{
  return g_strcmp0 (dyno_ceiling_get_device (ceiling), "cpu") == 0;
}

static const char *
get_pinning (DynoCeiling *ceiling)
{
  const char *pinning = dyno_ceiling_get_pinning (ceiling);

  return pinning != NULL ? pinning : "";
}

guint
dyno_roofs_get_varying (GPtrArray *ceilings)
{
  guint varying = 0;

  for (guint i = 0; i < ceilings->len; i++)
    for (guint j = 0; j < i; j++)
      {
        DynoCeiling *a = ceilings->pdata[i];
        DynoCeiling *b = ceilings->pdata[j];

        if (g_strcmp0 (dyno_ceiling_get_device (a), dyno_ceiling_get_device (b)) != 0)
          varying |= DYNO_ROOFS_DEVICE;
        else if (is_of_processor (a))
          {
            if (dyno_ceiling_get_threads (a) != dyno_ceiling_get_threads (b))
              varying |= DYNO_ROOFS_THREADS;
            if (!g_str_equal (get_pinning (a), get_pinning (b)))
              varying |= DYNO_ROOFS_PINNING;
          }
      }
  return varying;
}

char *
dyno_roofs_dup_place (DynoCeiling *ceiling, guint varying, gboolean is_short)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  gboolean is_processor = is_of_processor (ceiling);
  guint n_threads = dyno_ceiling_get_threads (ceiling);

  if ((varying & DYNO_ROOFS_THREADS) && is_processor)
    g_ptr_array_add (parts,
                     is_short ? g_strdup_printf ("t%u", n_threads)
                              : g_strdup_printf (ngettext ("%u thread", "%u threads", n_threads), n_threads));
  if ((varying & DYNO_ROOFS_PINNING) && is_processor)
    g_ptr_array_add (
        parts, g_strdup (*get_pinning (ceiling) != '\0' ? get_pinning (ceiling) : _ ("default pinning")));
  if (varying & DYNO_ROOFS_DEVICE)
    g_ptr_array_add (parts, g_strdup (is_processor ? _ ("processor") : dyno_ceiling_get_device (ceiling)));
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (is_short ? " " : " · ", (char **)parts->pdata);
}

char *
dyno_roofs_dup_disturbance (GPtrArray *ceilings)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint varying = dyno_roofs_get_varying (ceilings);

  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = g_ptr_array_index (ceilings, i);
      g_autofree char *plain = dyno_ceiling_dup_name (ceiling);
      g_autofree char *place = dyno_roofs_dup_place (ceiling, varying, FALSE);
      g_autofree char *name = *place != '\0' ? g_strdup_printf ("%s (%s)", plain, place) : g_strdup (plain);
      g_autofree char *percent = dyno_unit_format_percent (100 * dyno_ceiling_get_spread (ceiling));

      if (!dyno_ceiling_is_disturbed (ceiling))
        continue;
      g_string_append (list, list->len > 0 ? ", " : "");
      /* Translators: the name of a roof, such as “fp32 AVX2”, and how much it varies */
      g_string_append_printf (list, _ ("%s varies by %s %%"), name, percent);
    }
  if (list->len == 0)
    return NULL;
  /* Translators: a list of roofs that were disturbed while they were measured */
  return g_strdup_printf (_ ("Other programs ran while roofs were measured: %s. Measure them again."),
                          list->str);
}
