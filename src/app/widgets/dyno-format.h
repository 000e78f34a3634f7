/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/* Numbers, dates and names as people read them, in their own locale. */

/**
 * DynoCaseParts:
 *
 * What can be said of a case beside its model, as bits, in the order in which it is said: where it ran, and what it ran.
 */
typedef enum
{
  DYNO_CASE_BACKEND = 1 << 0,
  DYNO_CASE_DEVICE = 1 << 1,
  DYNO_CASE_PRECISION = 1 << 2,
  DYNO_CASE_BATCH = 1 << 3,
  DYNO_CASE_SEQUENCE = 1 << 4,
  DYNO_CASE_GENERATE = 1 << 5,
  DYNO_CASE_THREADS = 1 << 6,
  DYNO_CASE_PINNING = 1 << 7,
  DYNO_CASE_OPTIONS = 1 << 8,
  DYNO_CASE_DIMENSIONS = 1 << 9,
  DYNO_CASE_PLACE = DYNO_CASE_BACKEND | DYNO_CASE_DEVICE | DYNO_CASE_PRECISION,
  DYNO_CASE_ALL = (1 << 10) - 1,
} DynoCaseParts;

char *dyno_format_number (double number);
char *dyno_format_quantity (double number, const char *unit);
char *dyno_format_latency (double milliseconds);
char *dyno_format_value (DynoValue *value);
char *dyno_format_count (gint64 count);
char *dyno_format_bytes (gint64 bytes);
char *dyno_format_duration (double seconds);
char *dyno_format_date (gint64 microseconds);
char *dyno_format_difference (double ratio);
const char *dyno_format_case_model (DynoResult *result);
char *dyno_format_case_parts (DynoResult *result, DynoCaseParts parts);
DynoCaseParts dyno_format_case_find_varying (GListModel *results);
char *dyno_format_case (DynoResult *result);
char *dyno_format_metric_name (const char *name);
const char *dyno_format_status (DynoStatus status);
const char *dyno_format_status_icon (DynoStatus status);

G_END_DECLS
