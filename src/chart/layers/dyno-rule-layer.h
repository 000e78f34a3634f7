/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-layer.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RULE_LAYER (dyno_rule_layer_get_type ())

/**
 * DynoRuleLayer:
 *
 * Named upright lines at single values of the x axis, such as the median.
 */
G_DECLARE_FINAL_TYPE (DynoRuleLayer, dyno_rule_layer, DYNO, RULE_LAYER, DynoLayer)

DynoLayer *dyno_rule_layer_new (void);
/* Adds a line; call it in order of ascending values. */
void dyno_rule_layer_add (DynoRuleLayer *self, double value, const char *label);
void dyno_rule_layer_set_note (DynoRuleLayer *self, const char *note);

G_END_DECLS
