/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_ROOF_LAYER (dyno_roof_layer_get_type ())

/**
 * DynoRoof:
 * @slope: the bytes per second of a memory roof; 0 for a compute roof
 * @rate: the operations per second at which it ends; the value of a compute roof
 * @begin: the intensity from which on a compute roof is drawn
 * @spread: its variation during the measurement, as a share, which is drawn as a band; 0 for none
 * @theoretical: whether it was derived, not measured, and is dashed
 * @faint: whether no point is judged by it
 * @label: its name along the line
 * @short_label: (nullable): the name to use if there is no room for @label
 *
 * An upper bound for all work, in the units of the axes.
 */
typedef struct
{
  double slope;
  double rate;
  double begin;
  double spread;
  gboolean theoretical;
  gboolean faint;
  const char *label;
  const char *short_label;
} DynoRoof;

/**
 * DynoRoofLayer:
 *
 * The roofs of a machine: slopes for memory and flat lines for compute, on logarithmic axes, with their names
 * along them. It is drawn behind the points.
 */
G_DECLARE_FINAL_TYPE (DynoRoofLayer, dyno_roof_layer, DYNO, ROOF_LAYER, DynoLayer)

DynoLayer *dyno_roof_layer_new (void);
void dyno_roof_layer_add (DynoRoofLayer *self, const DynoRoof *roof);
/* @rate: the maximum at that intensity. @label may be NULL. */
void dyno_roof_layer_add_ridge (DynoRoofLayer *self, double intensity, double rate, const char *label);

G_END_DECLS
