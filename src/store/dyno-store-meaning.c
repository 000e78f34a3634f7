/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-phase.h"
#include "dyno-store-meaning.h"
#include "dyno-store-schema.h"
#include "dyno-trace.h"

/* In ns: no case takes ten years, and no clock counts from before it was started by more. */
#define LONGEST_TIME ((gint64)10 * 366 * 24 * 3600 * G_GINT64_CONSTANT (1000000000))

/* No physical quantity that Dyno knows comes near it, and the square of it is still a double. */
#define LARGEST_NUMBER 1e30

/* clang-format off */

/* In µs since 1970: the end of the year 9999, the last that calendars know. */
#define LAST_DATE "253402300799999999"

/*
 * What holds for every row that Dyno writes, beyond what its schema requires. Sizes are bounded so that sums over a run
 * stay within 64 bits.
 */
static const struct
{
  const char *table;
  const char *rule;
  const char *column; /* that files of earlier versions may lack, and its table with it */
} rules[] = {
  { "machines", "json_type (snapshot) = 'object' AND ifnull (json_type (snapshot, '$.cpu'), 'object') = 'object'"
                " AND ifnull (json_type (snapshot, '$.cpu.name'), 'text') = 'text'" },
  { "runs", "started_at <= " LAST_DATE " AND finished_at <= " LAST_DATE
            " AND (machine_state IS NULL OR json_type (machine_state) = 'object')"
            " AND (plan IS NULL OR json_type (plan) = 'object')" },
  { "results", "parameter_count <= 1000000000000000 AND batch_size <= 16777216 AND sequence_length <= 1073741824"
               " AND json_type (options) = 'object'" },
  { "metric_values", "value IS NULL OR value BETWEEN -1e30 AND 1e30" },
  { "invocation_values", "value IS NULL OR value BETWEEN -1e30 AND 1e30", "invocation" },
  { "series", "t0 >= 0" },
  { "operators", "calls <= 1000000000 AND time_ns <= 1000000000000000"
                 " AND flops <= 1000000000000000 AND bytes <= 1000000000000000" },
  { "imports", "imported_at <= " LAST_DATE " AND json_type (extra) = 'object'", "run_id" },
  { "meters", "imported_at <= " LAST_DATE, "run_id" },
  { "ceilings", "value <= 1e30 AND measured_at <= " LAST_DATE },
};

/* clang-format on */

static gboolean
check_rule (sqlite3 *db, const char *table, const char *rule, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT EXISTS (SELECT 1 FROM %s WHERE NOT (%s))", table, rule);
  gint64 broken = 0;

  if (!dyno_store_statement_read_int (db, sql, &broken, error))
    return FALSE;
  if (!broken)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("Its table “%s” contains values that cannot have been measured."), table);
  return FALSE;
}

static gboolean
is_phase (double value)
{
  return value >= 0 && value <= DYNO_N_PHASES && value == floor (value);
}

/* Phases are listed in their own order, readings in that of time. */
static gboolean
is_meaningful (DynoTrace *trace)
{
  const gint64 *times = dyno_trace_get_times (trace);
  const double *values = dyno_trace_get_values (trace);
  gboolean phases = strcmp (dyno_trace_get_name (trace), "phases") == 0;

  for (gsize i = 0; i < dyno_trace_get_length (trace); i++)
    if (times[i] < -LONGEST_TIME || times[i] > LONGEST_TIME || !(fabs (values[i]) <= LARGEST_NUMBER) ||
        (phases ? !is_phase (values[i]) : i > 0 && times[i] < times[i - 1]))
      return FALSE;
  return TRUE;
}

static gboolean
check_trace (sqlite3_stmt *statement, GError **error)
{
  g_autofree char *name = dyno_store_statement_dup_word (statement, 0);
  g_autoptr (GBytes) bytes = dyno_store_statement_dup_bytes (statement, 1);
  g_autoptr (DynoTrace) trace = dyno_trace_new_from_bytes (name, "", 0, bytes, error);

  if (trace == NULL)
    return FALSE;
  if (is_meaningful (trace))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("Its series “%s” contains values that cannot have been measured."), name);
  return FALSE;
}

static gboolean
check_traces (sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = dyno_store_statement_new (db, "SELECT name, data FROM series", error);
  g_autoptr (GError) local_error = NULL;

  if (statement == NULL)
    return FALSE;
  while (dyno_store_statement_next (statement, &local_error))
    if (!check_trace (statement, error))
      return FALSE;
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

/**
 * dyno_store_meaning_check:
 * @db: a connection to a file from elsewhere, which keeps the rules of its schema
 * @error: return location, %DYNO_ERROR_INVALID_DATA naming the table or the series
 *
 * Returns: whether its numbers are finite and of a plausible size, its series ordered, its dates those of a calendar and
 *   its JSON of the right kind
 */
gboolean
dyno_store_meaning_check (sqlite3 *db, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if ((rules[i].column == NULL || dyno_store_schema_has_column (db, rules[i].table, rules[i].column)) &&
        !check_rule (db, rules[i].table, rules[i].rule, error))
      return FALSE;
  return check_traces (db, error);
}
