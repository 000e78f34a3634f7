/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define DYNO_TYPE_OPERATOR (dyno_operator_get_type ())

/**
 * DynoOperator:
 *
 * One operator of a model as it ran in one step: what it is, where it ran, how long it took, and how much
 * work and traffic its shapes stand for.
 */
G_DECLARE_FINAL_TYPE (DynoOperator, dyno_operator, DYNO, OPERATOR, GObject)

DynoOperator *dyno_operator_new (const char *name, const char *type, const char *provider);

const char *dyno_operator_get_name (DynoOperator *self);
const char *dyno_operator_get_op_type (DynoOperator *self);
const char *dyno_operator_get_provider (DynoOperator *self);
char *dyno_operator_dup_provider_label (DynoOperator *self);
gint64 dyno_operator_get_calls (DynoOperator *self);
gint64 dyno_operator_get_time_ns (DynoOperator *self);
gint64 dyno_operator_get_flops (DynoOperator *self);
gint64 dyno_operator_get_bytes (DynoOperator *self);

void dyno_operator_set_calls (DynoOperator *self, gint64 calls);
void dyno_operator_set_time_ns (DynoOperator *self, gint64 time_ns);
void dyno_operator_set_flops (DynoOperator *self, gint64 flops);
void dyno_operator_set_bytes (DynoOperator *self, gint64 bytes);

G_END_DECLS
