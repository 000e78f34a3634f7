/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoModuleWork:
 * @n_operators: the number of operators
 * @calls: the number of their calls in all profiled steps together
 * @time_ns: their time over all calls, in ns
 * @flops: their floating-point operations over all calls
 * @bytes: the bytes of their operands and results over all calls
 *
 * The sum of the work of operators.
 */
typedef struct
{
  guint n_operators;
  gint64 calls;
  gint64 time_ns;
  double flops;
  double bytes;
} DynoModuleWork;

/**
 * DynoModuleProvider:
 * @name: (nullable): the execution provider, as the engine names it; NULL where it does not report one
 * @label: (nullable): its name for people
 * @work: the work that ran there
 *
 * The part of a module that ran on one provider.
 */
typedef struct
{
  const char *name;
  char *label;
  DynoModuleWork work;
} DynoModuleProvider;

typedef struct _DynoModule DynoModule;

/**
 * DynoModule:
 * @parent: (nullable): the module that contains it; NULL for the whole model
 * @name: (nullable): its name below @parent, such as `layer.0`; NULL for the whole model and for operators without a
 *   module
 * @path: (nullable): its name in the model, such as `encoder.layer.0`
 * @is_type: whether it holds the operators of one type that have no module; @name is then the type
 * @first: the index of its first operator in the result
 * @modules: (element-type DynoModule): its parts, the longest time first
 * @operators: (element-type DynoOperator): its own operators, the longest time first
 * @all: all operators in it, as far as the engine reports them; unknown FLOPs or bytes count as zero
 * @counted: the operators whose time, FLOPs and bytes are known, for rates
 * @n_untimed: the number of operators without a time; if the model has any, shares of the time are unknown
 * @n_without_flops: the number of operators without FLOPs
 * @n_without_bytes: the number of operators without bytes
 * @providers: (element-type DynoModuleProvider): where they ran, the longest time first
 *
 * A part of a model, from the names of its operators.
 */
struct _DynoModule
{
  DynoModule *parent;
  char *name;
  char *path;
  gboolean is_type;
  guint first;
  GPtrArray *modules;
  GPtrArray *operators;
  DynoModuleWork all;
  DynoModuleWork counted;
  guint n_untimed;
  guint n_without_flops;
  guint n_without_bytes;
  GPtrArray *providers;
};

DynoModule *dyno_module_new (DynoResult *result);
void dyno_module_free (DynoModule *self);
/* Returns its name for people: its path, the type, or a text that there is no module. */
char *dyno_module_dup_label (const DynoModule *self);
/* Returns its label without numbers, which repeated blocks share: `encoder.layer.*.attention`. */
char *dyno_module_dup_stem (const DynoModule *self);
/* Returns its share of the time of the whole model, from 0 to 1; NaN if the engine does not report all
 * times. */
double dyno_module_get_share (const DynoModule *self);
/* Lists the blocks that a model consists of, as many as fit one picture: modules that take more than a
 * tenth of the time are replaced by their parts, repeated ones alike. Returns the blocks, in the order of
 * their first operators. Elements are DynoModule. The caller owns the list, not its elements. */
GPtrArray *dyno_module_list_blocks (DynoModule *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoModule, dyno_module_free)

G_END_DECLS
