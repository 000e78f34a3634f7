/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoModuleWork:
 * @n_operators: how many operators
 * @calls: how often they ran in the profiled steps together
 * @time_ns: their time over all calls, in ns
 * @flops: their floating-point operations over all calls
 * @bytes: the bytes of their operands and results over all calls
 *
 * What operators did together.
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
 * @name: (nullable): the execution provider, as the engine names it; %NULL where it does not report one
 * @label: (nullable): what people call it
 * @work: what ran there
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
 * @parent: (nullable): the module it is part of; %NULL of the whole model
 * @name: (nullable): its name below @parent, such as `layer.0`; %NULL of the whole model, and of what has no module
 * @path: (nullable): its name in the model, such as `encoder.layer.0`
 * @is_type: whether it holds the operators of one type that have no module, and @name is the type
 * @first: the place of its first operator in the order of the result
 * @modules: (element-type DynoModule): what it consists of, the longest time first
 * @operators: (element-type DynoOperator): its own operators, the longest time first
 * @all: all operators in it, as far as the engine reports them; those without FLOPs or bytes count as none
 * @counted: those of which time, FLOPs and bytes are known, for rates
 * @n_untimed: how many have no time; where one of the model has none, shares of the time are unknown
 * @n_without_flops: of how many the FLOPs are not known
 * @n_without_bytes: of how many the bytes are not known
 * @providers: (element-type DynoModuleProvider): where they ran, the longest time first
 *
 * A part of a model, as the names of its operators say.
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
/* Returns what people call it: its path, the type, or that there is no module. */
char *dyno_module_dup_label (const DynoModule *self);
/* Returns its label without numbers, which repeated blocks have in common: `encoder.layer.*.attention`. */
char *dyno_module_dup_stem (const DynoModule *self);
/* Returns its share of the time of the whole model, from 0 to 1; NaN where the engine does not report all
 * times. */
double dyno_module_get_share (const DynoModule *self);
/* Lists the blocks that a model consists of, as many as fit one picture: modules that take more than a
 * tenth of the time are replaced by their parts, repeated ones alike. Returns the blocks, in the order in
 * which they begin. Elements are DynoModule. The caller owns the list, not what is in it. */
GPtrArray *dyno_module_list_blocks (DynoModule *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoModule, dyno_module_free)

G_END_DECLS
