/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define DYNO_TYPE_OPERATOR (dyno_operator_get_type ())

/**
 * DynoOperator:
 *
 * One operator of a model as it ran in one step: its type, provider and time, and the work and memory traffic
 * computed from its shapes.
 */
G_DECLARE_FINAL_TYPE (DynoOperator, dyno_operator, DYNO, OPERATOR, GObject)

/* The name of the kernel of an operator that ONNX Runtime runs in blocks of channels. */
#define DYNO_KERNEL_BLOCKED "NCHWc"

/* FLOPs and bytes start as -1: unknown. Returns a new operator. @type: the operator type, such as `MatMul`.
 * @provider may be NULL. */
DynoOperator *dyno_operator_new (const char *name, const char *type, const char *provider);

const char *dyno_operator_get_name (DynoOperator *self);
const char *dyno_operator_get_op_type (DynoOperator *self);
const char *dyno_operator_get_provider (DynoOperator *self);
/* Returns the name of its provider for people, without the common suffix of the names in ONNX Runtime; NULL
 * if there is none. */
char *dyno_operator_dup_provider_label (DynoOperator *self);
/* Returns the kernel, primitive or algorithm that ran, as the engine names it; NULL if it does not. */
const char *dyno_operator_get_kernel (DynoOperator *self);
/* Returns its number of calls in all profiled steps. */
gint64 dyno_operator_get_calls (DynoOperator *self);
/* Returns its time over all calls, in ns; -1 if unknown, for instance because the engine fused it into
 * another operator. */
gint64 dyno_operator_get_time_ns (DynoOperator *self);
/* Returns the floating-point operations of one call, -1 if no rule counts this type. */
gint64 dyno_operator_get_flops (DynoOperator *self);
/* Returns the bytes of one call's operands and results, -1 if unknown; modelled traffic, not counted. */
gint64 dyno_operator_get_bytes (DynoOperator *self);

/* @kernel may be NULL. */
void dyno_operator_set_kernel (DynoOperator *self, const char *kernel);
void dyno_operator_set_calls (DynoOperator *self, gint64 calls);
void dyno_operator_set_time_ns (DynoOperator *self, gint64 time_ns);
void dyno_operator_set_flops (DynoOperator *self, gint64 flops);
void dyno_operator_set_bytes (DynoOperator *self, gint64 bytes);

G_END_DECLS
