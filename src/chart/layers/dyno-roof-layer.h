/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_ROOF_LAYER (dyno_roof_layer_get_type ())

/**
 * DynoRoof:
 * @slope: of a memory, the bytes per second; 0 for what computes
 * @rate: the operations per second at which it ends: its own if it computes
 * @begin: the intensity from which on a roof that computes is drawn
 * @spread: how much it varied while it was measured, as a share, which is drawn as a band; 0 for none
 * @theoretical: whether it was derived, not measured, and is dashed
 * @faint: whether no point is judged by it
 * @label: what is written along it
 * @short_label: (nullable): what is written where there is not room for that
 *
 * A line that no work can be above, in the units of the axes.
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
 * What a machine can do at most: slopes of memories and flat roofs of what computes, on logarithmic axes, with their
 * names along them. It lies behind the points.
 */
G_DECLARE_FINAL_TYPE (DynoRoofLayer, dyno_roof_layer, DYNO, ROOF_LAYER, DynoLayer)

DynoLayer *dyno_roof_layer_new (void);
void dyno_roof_layer_add (DynoRoofLayer *self, const DynoRoof *roof);
/* @rate: what is reached there at most. @label may be NULL. */
void dyno_roof_layer_add_ridge (DynoRoofLayer *self, double intensity, double rate, const char *label);

G_END_DECLS
