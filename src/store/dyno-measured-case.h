/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DynoMeasuredCase:
 * @head: which case it is, and of which model; it has no values
 * @machine: (type utf8): the latest snapshot of the machine, JSON; a #GRefString that all cases of the
 * machine share
 * @runs: the stored runs that measured it, a set of opaque numbers
 * @measured_at: when the last of them began, in µs since 1970
 *
 * A case that was measured on a machine, with any engines and any kernel.
 */
typedef struct
{
  DynoResult *head;
  char *machine;
  GHashTable *runs;
  gint64 measured_at;
} DynoMeasuredCase;

void dyno_measured_case_free (DynoMeasuredCase *self);

G_END_DECLS
