/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* dyno-case-order */

/* Returns the results in the order in which cases are numbered everywhere: the order of the plan, not the
 * shuffled one. Elements are DynoResult. The caller owns it. */
GPtrArray *dyno_case_order_sort (DynoRun *run);

/* dyno-case-parts */

/**
 * DynoCaseParts:
 *
 * The parts of the description of a case beside its model, as bits, in the order in which they are named: where it ran,
 * then its sizes.
 */
typedef enum
{
  DYNO_CASE_BACKEND = 1 << 0,
  DYNO_CASE_DEVICE = 1 << 1,
  DYNO_CASE_PRECISION = 1 << 2,
  DYNO_CASE_BATCH = 1 << 3,
  DYNO_CASE_SEQUENCE = 1 << 4,
  DYNO_CASE_GENERATE = 1 << 5,
  DYNO_CASE_IMAGES = 1 << 6,
  DYNO_CASE_THREADS = 1 << 7,
  DYNO_CASE_PINNING = 1 << 8,
  DYNO_CASE_OPTIONS = 1 << 9,
  DYNO_CASE_DIMENSIONS = 1 << 10,
  DYNO_CASE_LOAD = 1 << 11,
  DYNO_CASE_LIBRARY = 1 << 12, /* which is not among the options */
  DYNO_CASE_PLACE = DYNO_CASE_BACKEND | DYNO_CASE_DEVICE | DYNO_CASE_PRECISION,
  DYNO_CASE_ALL = (1 << 13) - 1,
} DynoCaseParts;

/* Returns the name of its model. */
char *dyno_case_parts_dup_model (DynoResult *result);
/* Returns these parts in words, possibly empty. */
char *dyno_case_parts_dup_text (DynoResult *result, DynoCaseParts parts);
/* Returns these parts in words, with the ids of backend and device to tell cases apart. */
char *dyno_case_parts_dup_ids (DynoResult *result, DynoCaseParts parts);
/* Returns a key that results of the same case share, wherever the file of its model is. */
char *dyno_case_parts_dup_key (DynoResult *result, DynoCaseParts parts);
/* Returns the parts in which the cases differ, beside the model. */
DynoCaseParts dyno_case_parts_find_varying (GListModel *results);
/* Returns its case in words: the model, where it ran, and at which size. */
char *dyno_case_parts_dup_label (DynoResult *result);

/* dyno-processes */

/* Returns the two modes of its processes, as a sentence; NULL if there are no two. */
char *dyno_processes_dup_modes (DynoResult *result);
/* Returns how its processes differ, a sentence each: the range of their medians, their modes, and the
 * source of the variance; empty for a single process. */
GStrv dyno_processes_dup_findings (DynoResult *result);

/* dyno-item-unit */

/* Returns the unit for people: items per second or joule with the word for an item of the model, everything
 * else unchanged. */
const char *dyno_item_unit_get (DynoResult *result, const char *unit);
/* Returns the unit for people if it is the same for all results, else @unit. */
const char *dyno_item_unit_find_common (GListModel *results, const char *unit);

G_END_DECLS
