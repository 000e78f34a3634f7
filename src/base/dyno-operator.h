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

/* FLOPs and bytes start as -1: not known. Returns a new operator. @type: the operator type, such as
 * `MatMul`. @provider may be NULL. */
DynoOperator *dyno_operator_new (const char *name, const char *type, const char *provider);

const char *dyno_operator_get_name (DynoOperator *self);
const char *dyno_operator_get_op_type (DynoOperator *self);
const char *dyno_operator_get_provider (DynoOperator *self);
/* Returns what people call its provider: the names of ONNX Runtime all end in the same word; NULL if there
 * is none. */
char *dyno_operator_dup_provider_label (DynoOperator *self);
/* Returns how often it ran in the profiled steps together. */
gint64 dyno_operator_get_calls (DynoOperator *self);
/* Returns its time over all calls, in ns; -1 when not known, as of one that an engine made part of
 * another. */
gint64 dyno_operator_get_time_ns (DynoOperator *self);
/* Returns floating-point operations of one call, -1 when no rule counts this type. */
gint64 dyno_operator_get_flops (DynoOperator *self);
/* Returns the bytes of one call's operands and results, -1 when not known; a model of traffic, not a
 * count. */
gint64 dyno_operator_get_bytes (DynoOperator *self);

void dyno_operator_set_calls (DynoOperator *self, gint64 calls);
void dyno_operator_set_time_ns (DynoOperator *self, gint64 time_ns);
void dyno_operator_set_flops (DynoOperator *self, gint64 flops);
void dyno_operator_set_bytes (DynoOperator *self, gint64 bytes);

G_END_DECLS
