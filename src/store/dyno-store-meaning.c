/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-phase.h"
#include "dyno-store-private.h"
#include "dyno-trace.h"

/* In ns: no case takes ten years, and no clock reads more than ten years before its start. */
#define LONGEST_TIME ((gint64)10 * 366 * 24 * 3600 * G_GINT64_CONSTANT (1000000000))

/* No physical quantity in Dyno is nearly as large, and its square still fits a double. */
#define LARGEST_NUMBER 1e30

/* clang-format off */

/* In µs since 1970: the end of the year 9999, the last year that calendars support. */
#define LAST_DATE "253402300799999999"

/* The rules that every row of Dyno's obeys, beyond the schema. Sizes are bounded so that sums over a run
 * stay within 64 bits. */
static const struct
{
  const char *table;
  const char *rule;
  const char *of_run; /* a condition: the row belongs to the run ?1 */
  const char *result; /* for a row that belongs to a result instead: the column with the result's id */
  const char *column; /* a column that files of earlier versions may lack, with its table */
} rules[] = {
  { "machines", "json_type (snapshot) = 'object' AND ifnull (json_type (snapshot, '$.cpu'), 'object') = 'object'"
                " AND ifnull (json_type (snapshot, '$.cpu.name'), 'text') = 'text'",
    "id = (SELECT machine_id FROM runs WHERE id = ?1)" },
  { "runs", "started_at <= " LAST_DATE " AND finished_at <= " LAST_DATE
            " AND (machine_state IS NULL OR json_type (machine_state) = 'object')"
            " AND (plan IS NULL OR json_type (plan) = 'object')",
    "id = ?1" },
  { "results", "parameter_count <= 1000000000000000 AND batch_size <= 16777216 AND sequence_length <= 1073741824"
               " AND json_type (options) = 'object'",
    NULL, "id" },
  { "metric_values", "value IS NULL OR value BETWEEN -1e30 AND 1e30", NULL, "result_id" },
  { "invocation_values", "value IS NULL OR value BETWEEN -1e30 AND 1e30", NULL, "result_id", "invocation" },
  { "series", "t0 >= 0", NULL, "result_id" },
  { "operators", "calls <= 1000000000 AND time_ns <= 1000000000000000"
                 " AND flops <= 1000000000000000 AND bytes <= 1000000000000000",
    NULL, "result_id" },
  { "imports", "imported_at <= " LAST_DATE " AND json_type (extra) = 'object'", "run_id = ?1", NULL, "run_id" },
  { "meters", "imported_at <= " LAST_DATE, "run_id = ?1", NULL, "run_id" },
  { "ceilings", "value <= 1e30 AND measured_at <= " LAST_DATE, "machine_id = ?1" },
};

/* The last rule is about a machine, not about a run. */
#define CEILINGS (G_N_ELEMENTS (rules) - 1)

/* clang-format on */

/* The whole file, or the rows of one run and of its results. */
typedef struct
{
  sqlite3 *db;
  const char *run_id;
  gint64 result_id;
} Scope;

static sqlite3_stmt *
query (const Scope *scope, const char *sql, const char *of_run, const char *result, GError **error)
{
  g_autofree char *condition = NULL;
  g_autofree char *whole = NULL;
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (scope->run_id == NULL)
    condition = g_strdup ("TRUE");
  else if (result == NULL)
    condition = g_strdup (of_run);
  else if (scope->result_id < 0)
    condition = g_strdup_printf ("%s IN (SELECT id FROM results WHERE run_id = ?1)", result);
  else
    condition = g_strdup_printf ("%s = %" G_GINT64_FORMAT, result, scope->result_id);
  whole = g_strdup_printf ("%s AND %s", sql, condition);
  statement = dyno_store_statement_new (scope->db, whole, error);
  if (statement == NULL || (sqlite3_bind_parameter_count (statement) > 0 &&
                            !dyno_store_statement_bind (statement, error, "s", scope->run_id)))
    return NULL;
  return g_steal_pointer (&statement);
}

static gboolean
check_rule (const Scope *scope, guint index, GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT 1 FROM %s WHERE NOT (%s)", rules[index].table, rules[index].rule);
  g_autoptr (sqlite3_stmt) statement = query (scope, sql, rules[index].of_run, rules[index].result, error);
  g_autoptr (GError) local_error = NULL;

  if (statement == NULL)
    return FALSE;
  if (dyno_store_statement_next (statement, &local_error))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("Its table “%s” contains values that cannot have been measured."), rules[index].table);
  else if (local_error == NULL)
    return TRUE;
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
check (const Scope *scope, GError **error)
{
  guint n_rules = scope->run_id != NULL ? CEILINGS : G_N_ELEMENTS (rules);

  for (guint i = 0; i < n_rules; i++)
    if ((rules[i].column == NULL ||
         dyno_store_schema_has_column (scope->db, rules[i].table, rules[i].column)) &&
        !check_rule (scope, i, error))
      return FALSE;

  g_autoptr (sqlite3_stmt) statement =
      query (scope, "SELECT name, data FROM series WHERE TRUE", NULL, "result_id", error);
  g_autoptr (GError) local_error = NULL;

  if (statement == NULL)
    return FALSE;
  while (dyno_store_statement_next (statement, &local_error))
    {
      g_autofree char *name = dyno_store_statement_dup_word (statement, 0);
      g_autoptr (GBytes) bytes = dyno_store_statement_dup_bytes (statement, 1);
      g_autoptr (DynoTrace) trace = dyno_trace_new_from_bytes (name, "", 0, bytes, error);

      if (trace == NULL)
        return FALSE;

      /* Phases are in their own order, readings in the order of time. */
      const gint64 *times = dyno_trace_get_times (trace);
      const double *values = dyno_trace_get_values (trace);
      gboolean phases = strcmp (dyno_trace_get_name (trace), "phases") == 0;
      gboolean is_meaningful = TRUE;

      for (gsize i = 0; i < dyno_trace_get_length (trace) && is_meaningful; i++)
        {
          gboolean is_placed =
              phases ? values[i] >= 0 && values[i] <= DYNO_N_PHASES && values[i] == floor (values[i])
                     : i == 0 || times[i] >= times[i - 1];

          is_meaningful = times[i] >= -LONGEST_TIME && times[i] <= LONGEST_TIME &&
                          fabs (values[i]) <= LARGEST_NUMBER && is_placed;
        }
      if (!is_meaningful)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                       _ ("Its series “%s” contains values that cannot have been measured."), name);
          return FALSE;
        }
    }
  return dyno_error_pass (&local_error, error);
}

gboolean
dyno_store_meaning_check (sqlite3 *db, GError **error)
{
  return check (&(Scope){ .db = db }, error);
}

gboolean
dyno_store_meaning_check_run (sqlite3 *db, const char *run_id, gint64 result_id, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (check (&(Scope){ db, run_id, result_id }, &local_error))
    return TRUE;
  if (!g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("The run “%s” cannot be kept. %s Check the clock of this computer, or the file that it "
                    "comes from."),
                 run_id, local_error->message);
  return FALSE;
}

gboolean
dyno_store_meaning_check_ceilings (sqlite3 *db, const char *machine_id, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (check_rule (&(Scope){ .db = db, .run_id = machine_id }, CEILINGS, &local_error))
    return TRUE;
  if (!g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("The roofs of this machine cannot be kept. %s Check the clock of this computer, then "
                    "measure them again."),
                 local_error->message);
  return FALSE;
}
