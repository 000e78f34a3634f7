/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoInvocation:
 * @number: its number within its case, from 0; also the block it ran in
 * @failure: (nullable): why it failed, NULL for one that was measured
 * @values: (element-type DynoValue): its values
 * @diagnostics: (element-type DynoDiagnostic): its diagnostics, until the case is stored: the result has them joined
 *
 * One of the processes that measured a case; not changed once it is part of a result.
 */
typedef struct
{
  guint number;
  char *failure;
  GPtrArray *values;
  GPtrArray *diagnostics;
} DynoInvocation;

/* Returns an invocation without values. @number: its number within its case, from 0. @failure may be NULL. */
DynoInvocation *dyno_invocation_new (guint number, const char *failure);
DynoInvocation *dyno_invocation_ref (DynoInvocation *self);
void dyno_invocation_unref (DynoInvocation *self);
/* Returns its number of that name; NaN if there is none. */
double dyno_invocation_get_number (const DynoInvocation *self, const char *name);

G_END_DECLS
