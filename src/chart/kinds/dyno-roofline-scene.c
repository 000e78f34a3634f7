/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-kinds-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-unit.h"

/* Room around points and ridges, as ratios. */
#define ROOM_BESIDE 1.8
#define ROOM_ABOVE  2.4
#define ROOM_BELOW  1.8
/* Room for the names of roofs to the right of a ridge, as a ratio. */
#define ROOM_BEHIND_RIDGE 3.0
/* A derived roof begins this far right of the measured ridge, as a ratio. */
#define ASIDE 1.2
/* Rates closer than this are drawn as one line. */
#define SAME 1.03

/* The range of the points. */
typedef struct
{
  double low_x;
  double high_x;
  double low_y;
  double high_y;
} Extent;

/* A ceiling as it is drawn. */
typedef struct
{
  DynoCeiling *ceiling;
  gboolean faint;
} Line;

/* The roofs of one device with one number of threads and one placement, from any run: lines that end where
 * they meet, and all its compute ceilings. Without cases every precision matters as much as another. */
typedef struct
{
  gboolean is_bare;
  GPtrArray *ceilings;
  DynoRoofs roofs;
  guint n_levels;
  GArray *lines;
} Group;

struct _DynoRoofline
{
  gboolean with_all;
  GPtrArray *groups;
  guint varying;
  DynoMissingRoofs *missing;
  Extent home;
  Extent data;
};

static void
free_group (gpointer data)
{
  Group *group = data;

  g_ptr_array_unref (group->ceilings);
  g_array_unref (group->lines);
  g_free (group);
}

DynoRooflineScene *
dyno_roofline_scene_new (gboolean with_all)
{
  DynoRooflineScene *self = g_new0 (DynoRooflineScene, 1);

  self->with_all = with_all;
  self->groups = g_ptr_array_new_with_free_func (free_group);
  self->missing = dyno_missing_roofs_new ();
  self->home.low_x = self->home.low_y = self->data.low_x = self->data.low_y = INFINITY;
  return self;
}

void
dyno_roofline_scene_free (DynoRooflineScene *self)
{
  g_ptr_array_unref (self->groups);
  dyno_missing_roofs_free (self->missing);
  g_free (self);
}

static DynoCeiling *
get_first (const DynoRoofs *roofs)
{
  return roofs->lines.n_levels > 0 ? roofs->lines.levels[0] : roofs->lines.compute;
}

static Group *
find_group (DynoRooflineScene *self, const DynoRoofs *roofs)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = g_ptr_array_index (self->groups, i);

      if (dyno_ceiling_equal (get_first (&group->roofs), get_first (roofs)))
        return group;
    }
  return NULL;
}

static void
add_line (Group *group, DynoCeiling *ceiling, gboolean faint)
{
  Line line = { ceiling, faint };

  for (guint i = 0; i < group->lines->len; i++)
    if (dyno_ceiling_equal (g_array_index (group->lines, Line, i).ceiling, ceiling))
      return;
  g_array_append_val (group->lines, line);
}

void
dyno_roofline_scene_add_case (DynoRooflineScene *self, const DynoChartCase *kase, const char *stage)
{
  DynoRoofs roofs;
  gboolean found = dyno_roofs_find (&roofs, kase, stage);

  if ((!found || dyno_roofline_get_obstacle (&roofs.lines) != NULL) &&
      !dyno_case_is_mixed (dyno_result_get_case (kase->result)))
    dyno_missing_roofs_add (self->missing, kase);
  if (!found)
    return;
  Group *group = find_group (self, &roofs);
  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      group->ceilings = stage == NULL ? dyno_roofs_list_compute (kase) : g_ptr_array_new ();
      group->roofs = roofs;
      group->n_levels = MIN (roofs.lines.n_levels, 1);
      group->lines = g_array_new (FALSE, FALSE, sizeof (Line));
      g_ptr_array_add (self->groups, group);
    }
  if (roofs.lines.compute != NULL)
    add_line (group, roofs.lines.compute, FALSE);
}

static void
stretch (Extent *self, double intensity, double rate)
{
  self->low_x = MIN (self->low_x, intensity);
  self->high_x = MAX (self->high_x, intensity);
  self->low_y = MIN (self->low_y, rate);
  self->high_y = MAX (self->high_y, rate);
}

GPtrArray *
dyno_roofline_scene_add_place (DynoRooflineScene *self, GPtrArray *ceilings, DynoRoofs *roofs)
{
  Group *group = g_new0 (Group, 1);
  GPtrArray *fastest = g_ptr_array_new ();

  group->is_bare = TRUE;
  group->ceilings = g_ptr_array_new ();
  group->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  for (guint i = 0; i < ceilings->len; i++)
    if (dyno_ceiling_get_kind (ceilings->pdata[i]) == DYNO_CEILING_COMPUTE &&
        !dyno_ceiling_is_upper_bound (ceilings->pdata[i]) && dyno_ceiling_get_value (ceilings->pdata[i]) > 0)
      g_ptr_array_add (group->ceilings, ceilings->pdata[i]);
  for (guint i = 0; i < group->ceilings->len; i++)
    {
      DynoCeiling *ceiling = group->ceilings->pdata[i];

      dyno_roofline_find (&group->roofs.lines, ceilings, dyno_ceiling_get_device (ceiling),
                          dyno_ceiling_get_threads (ceiling), dyno_ceiling_get_pinning (ceiling),
                          dyno_ceiling_get_precision (ceiling));
      if (!g_ptr_array_find (fastest, group->roofs.lines.compute, NULL))
        g_ptr_array_add (fastest, group->roofs.lines.compute);
      add_line (group, group->roofs.lines.compute, FALSE);
    }
  group->n_levels = group->roofs.lines.n_levels;
  *roofs = group->roofs;
  g_ptr_array_add (self->groups, group);
  for (guint i = 0; i < fastest->len; i++)
    for (guint k = 0; k < group->n_levels; k++)
      {
        double intensity =
            dyno_ceiling_get_value (fastest->pdata[i]) / dyno_ceiling_get_value (roofs->lines.levels[k]);

        stretch (&self->home, intensity, intensity * dyno_ceiling_get_value (roofs->lines.levels[0]));
      }
  self->data = self->home;
  return fastest;
}

void
dyno_roofline_scene_add_point (
    DynoRooflineScene *self, const DynoRoofs *roofs, double intensity, double rate, gboolean minor)
{
  Group *group = get_first (roofs) != NULL ? find_group (self, roofs) : NULL;
  DynoRoofsVerdict verdict;

  stretch (&self->data, intensity, rate);
  if (minor)
    return;
  stretch (&self->home, intensity, rate);
  if (group == NULL)
    return;
  dyno_roofs_judge (roofs, intensity, rate, &verdict);
  for (guint i = group->n_levels; i < roofs->lines.n_levels; i++)
    if (verdict.memory_bound && roofs->lines.levels[i] == verdict.roof)
      group->n_levels = i + 1;
}

/* --- the roofs --- */

static gboolean
is_shown (Group *group, DynoCeiling *ceiling)
{
  for (guint i = 0; i < group->lines->len; i++)
    {
      DynoCeiling *other = g_array_index (group->lines, Line, i).ceiling;
      double ratio = dyno_ceiling_get_value (ceiling) / dyno_ceiling_get_value (other);

      if (dyno_ceiling_get_kind (other) == dyno_ceiling_get_kind (ceiling) &&
          g_strcmp0 (dyno_ceiling_get_precision (other), dyno_ceiling_get_precision (ceiling)) == 0 &&
          g_strcmp0 (dyno_ceiling_get_level (other), dyno_ceiling_get_level (ceiling)) == 0 && ratio < SAME &&
          ratio > 1 / SAME)
        return TRUE;
    }
  return FALSE;
}

/* Below cases, shows only the fastest of other precisions. */
static gboolean
is_of_interest (Group *group, DynoCeiling *ceiling)
{
  const char *precision = dyno_ceiling_get_precision (ceiling);

  if (group->is_bare)
    return TRUE;
  if (group->roofs.lines.compute != NULL &&
      g_strcmp0 (precision, dyno_ceiling_get_precision (group->roofs.lines.compute)) == 0)
    return TRUE;
  for (guint i = 0; i < group->ceilings->len; i++)
    if (g_strcmp0 (precision, dyno_ceiling_get_precision (group->ceilings->pdata[i])) == 0 &&
        dyno_ceiling_get_value (group->ceilings->pdata[i]) > dyno_ceiling_get_value (ceiling))
      return FALSE;
  return TRUE;
}

static double
get_fastest (Group *group, DynoCeilingKind kind)
{
  double most = 0;

  for (guint i = 0; i < group->lines->len; i++)
    {
      DynoCeiling *ceiling = g_array_index (group->lines, Line, i).ceiling;

      if (dyno_ceiling_get_kind (ceiling) == kind)
        most = MAX (most, dyno_ceiling_get_value (ceiling));
    }
  return most;
}

static void
add_roof (DynoRooflineScene *self, Group *group, const Line *line, DynoRoofLayer *layer, gboolean theoretical)
{
  double factor = dyno_roofline_scene_get_factor (self);
  double value =
      theoretical ? dyno_ceiling_get_theoretical (line->ceiling) : dyno_ceiling_get_value (line->ceiling);
  double compute = get_fastest (group, DYNO_CEILING_COMPUTE);
  double memory = get_fastest (group, DYNO_CEILING_BANDWIDTH);
  g_autofree char *name = dyno_ceiling_dup_name (line->ceiling);
  g_autofree char *amount = dyno_unit_format (value, dyno_ceiling_get_unit (line->ceiling));
  g_autofree char *place = dyno_roofs_dup_place (line->ceiling, self->varying, FALSE);
  g_autofree char *short_place = dyno_roofs_dup_place (line->ceiling, self->varying, TRUE);
  g_autofree char *short_label =
      *short_place != '\0' ? g_strdup_printf ("%s %s", name, short_place) : g_strdup (name);
  g_autofree char *label = NULL;
  DynoRoof roof = { .theoretical = theoretical, .faint = line->faint };

  if (theoretical)
    /* Translators: a roof that was derived from the processor's data: its name and value */
    label = g_strdup_printf (_ ("%s, theoretical · %s"), name, amount);
  else
    label = *place != '\0' ? g_strdup_printf ("%s · %s · %s", name, amount, place)
                           : g_strdup_printf ("%s · %s", name, amount);
  roof.label = label;
  roof.short_label = theoretical ? NULL : short_label;
  if (!theoretical && dyno_ceiling_is_disturbed (line->ceiling))
    roof.spread = dyno_ceiling_get_spread (line->ceiling);
  if (dyno_ceiling_get_kind (line->ceiling) == DYNO_CEILING_BANDWIDTH)
    {
      roof.slope = value * factor;
      roof.rate = (compute > 0 ? compute : INFINITY) * factor;
    }
  else
    {
      /* Starts a derived roof beside the measured ones, which it does not meet. */
      roof.rate = value * factor;
      roof.begin =
          memory > 0 ? dyno_ceiling_get_value (line->ceiling) / memory * (theoretical ? ASIDE : 1) : 0;
    }
  dyno_roof_layer_add (layer, &roof);
}

/* Returns the ridge with the slowest memory, which differs for each compute roof that points are judged by. */
static double
get_ridge (Group *group, const Line *line)
{
  if (line->faint || dyno_ceiling_get_kind (line->ceiling) != DYNO_CEILING_COMPUTE ||
      group->roofs.lines.n_levels == 0)
    return NAN;
  return dyno_ceiling_get_value (line->ceiling) / dyno_ceiling_get_value (group->roofs.lines.levels[0]);
}

static void
add_group (DynoRooflineScene *self, Group *group, DynoRoofLayer *layer)
{
  for (guint i = 0; i < (self->with_all ? group->roofs.lines.n_levels : group->n_levels); i++)
    add_line (group, group->roofs.lines.levels[i], i >= group->n_levels);
  for (guint i = 0; self->with_all && i < group->ceilings->len; i++)
    {
      DynoCeiling *ceiling = g_ptr_array_index (group->ceilings, i);

      if (is_of_interest (group, ceiling) && !is_shown (group, ceiling))
        add_line (group, ceiling, TRUE);
    }

  for (guint i = 0; i < group->lines->len; i++)
    {
      const Line *line = &g_array_index (group->lines, Line, i);
      double ridge = get_ridge (group, line);

      add_roof (self, group, line, layer, FALSE);
      if (dyno_ceiling_get_theoretical (line->ceiling) > 0 && !line->faint)
        add_roof (self, group, line, layer, TRUE);
      if (isfinite (ridge))
        {
          g_autofree char *amount = dyno_unit_format_significant (ridge);
          /* Translators: the intensity from which on the memory suffices, in FLOP per byte */
          g_autofree char *label = g_strdup_printf (_ ("ridge %s"), amount);

          dyno_roof_layer_add_ridge (
              layer, ridge, dyno_ceiling_get_value (line->ceiling) * dyno_roofline_scene_get_factor (self),
              label);
        }
    }
}

/* --- the axes --- */

static double
find_top (DynoRooflineScene *self)
{
  double top = self->data.high_y;

  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = g_ptr_array_index (self->groups, i);

      for (guint j = 0; j < group->ceilings->len && self->with_all; j++)
        top = MAX (top, dyno_ceiling_get_value (group->ceilings->pdata[j]));
      for (guint j = 0; j < group->lines->len; j++)
        {
          DynoCeiling *ceiling = g_array_index (group->lines, Line, j).ceiling;

          if (dyno_ceiling_get_kind (ceiling) == DYNO_CEILING_COMPUTE)
            top = MAX (top, MAX (dyno_ceiling_get_value (ceiling), dyno_ceiling_get_theoretical (ceiling)));
        }
    }
  return top;
}

double
dyno_roofline_scene_get_factor (DynoRooflineScene *self)
{
  double top = find_top (self);

  return top >= 16e12 ? 1e-12 : top >= 16e9 ? 1e-9 : 1e-6;
}

void
dyno_roofline_scene_fill (DynoRooflineScene *self, DynoChart *chart)
{
  DynoLayer *layer = dyno_roof_layer_new ();
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new ();
  double factor = dyno_roofline_scene_get_factor (self);
  const char *unit = factor < 1e-11 ? "TFLOP/s" : factor < 1e-8 ? "GFLOP/s" : "MFLOP/s";
  DynoAxis *x_axis = dyno_log_axis_new (_ ("Arithmetic intensity"), "FLOP/byte", 2);
  DynoAxis *y_axis = dyno_log_axis_new (_ ("Performance"), unit, 10);
  double top = find_top (self) * factor * ROOM_ABOVE;

  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = g_ptr_array_index (self->groups, i);

      for (guint k = 0; k < group->lines->len; k++)
        {
          double ridge = get_ridge (group, &g_array_index (group->lines, Line, k));

          if (!isfinite (ridge))
            continue;
          stretch (&self->home, ridge, self->home.low_y);
          stretch (&self->data, ridge, self->data.low_y);
          self->home.high_x = MAX (self->home.high_x, ridge * ROOM_BEHIND_RIDGE);
          self->data.high_x = MAX (self->data.high_x, self->home.high_x);
        }
    }
  dyno_axis_set_range (x_axis, self->data.low_x / ROOM_BESIDE, self->data.high_x * ROOM_BESIDE);
  dyno_axis_set_range (y_axis, self->data.low_y * factor / ROOM_BELOW, top);
  /* Zooming out reveals the minor points; at first they take no room from the others. */
  dyno_axis_set_home (x_axis, self->home.low_x / ROOM_BESIDE, self->home.high_x * ROOM_BESIDE);
  dyno_axis_set_home (y_axis, self->home.low_y * factor / ROOM_BELOW, top);
  dyno_axis_set_zoomable (x_axis, TRUE);
  dyno_axis_set_zoomable (y_axis, TRUE);
  dyno_chart_take_axes (chart, x_axis, y_axis);
  for (guint i = 0; i < self->groups->len; i++)
    g_ptr_array_add (ceilings, get_first (&((Group *)g_ptr_array_index (self->groups, i))->roofs));
  self->varying = dyno_roofs_get_varying (ceilings);
  for (guint i = 0; i < self->groups->len; i++)
    add_group (self, g_ptr_array_index (self->groups, i), DYNO_ROOF_LAYER (layer));
  dyno_chart_take_layer (chart, layer);
  if (self->groups->len == 0)
    return;
  dyno_chart_add_aspect (chart, _ ("Relevant roofs"));
  dyno_chart_add_aspect (chart, _ ("All roofs"));
}

char *
dyno_roofline_scene_dup_note (DynoRooflineScene *self)
{
  return dyno_missing_roofs_dup_note (self->missing);
}

char *
dyno_roofline_scene_describe_lines (DynoRooflineScene *self)
{
  gboolean has_ridge = FALSE;

  if (self->groups->len == 0)
    return g_strdup ("");
  for (guint i = 0; i < self->groups->len; i++)
    has_ridge |=
        isfinite (dyno_roofs_get_ridge (&((Group *)g_ptr_array_index (self->groups, i))->roofs)) != 0;
  return g_strdup (
      has_ridge
          ? _ ("Lines are the measured limits of the machine: memory left of the ridge, compute right of it.")
          : _ ("Lines are the measured limits of the machine."));
}

char *
dyno_roofline_scene_describe_disturbance (DynoRooflineScene *self)
{
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new ();

  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = g_ptr_array_index (self->groups, i);

      for (guint j = 0; j < group->lines->len; j++)
        g_ptr_array_add (ceilings, g_array_index (group->lines, Line, j).ceiling);
    }
  g_autofree char *disturbance = dyno_roofs_dup_disturbance (ceilings);
  return disturbance != NULL ? g_strdup_printf ("\n%s", disturbance) : g_strdup ("");
}

char *
dyno_roofline_scene_describe_above (guint n_above)
{
  if (n_above == 0)
    return g_strdup ("");
  return g_strdup_printf (
      ngettext ("%u ringed point is above its roof: the roof or the FLOP count is wrong.",
                "%u ringed points are above their roofs: the roofs or the FLOP counts are wrong.", n_above),
      n_above);
}

char *
dyno_roofline_scene_describe_verdict (const DynoRoofsVerdict *verdict)
{
  g_autofree char *name = dyno_ceiling_dup_name (verdict->roof);
  g_autofree char *percent = dyno_unit_format_percent (100 * verdict->share);
  g_autofree char *spread = dyno_unit_format_percent (100 * dyno_ceiling_get_spread (verdict->roof));

  if (dyno_ceiling_is_disturbed (verdict->roof))
    /* Translators: a share in per cent, the name of a roof, and how much that varied while it was measured */
    return g_strdup_printf (_ ("%s %% of the %s roof, which varies by %s %%"), percent, name, spread);
  /* Translators: a share in per cent, and the name of a roof: fp32 AVX2, or DRAM read */
  return g_strdup_printf (_ ("%s %% of the %s roof"), percent, name);
}
