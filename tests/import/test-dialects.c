/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-importer.h"
#include "suite.h"

/* Each file `fixtures/DIALECT/NAME` is read, and what comes of it compared with `NAME.expected` beside it, which a person
 * has checked. DYNO_WRITE_EXPECTED=1 writes those that are missing. */

#define SUFFIX ".expected"

/* What another locale, another day and another place of the file do not change. */
static void
append_case (GString *text, DynoResult *result)
{
  g_autofree char *label = dyno_case_dup_key (dyno_result_get_case (result));
  GPtrArray *values = dyno_result_get_values (result);
  GPtrArray *operators = dyno_result_get_operators (result);
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);
  const char *name = dyno_result_get_model_name (result);
  const char *device = dyno_result_get_device (result);

  g_string_append_printf (text, "\ncase %u: %s\n", dyno_result_get_ordinal (result), label);
  g_string_append_printf (text, "  %s, %u processes",
                          dyno_case_state_to_string (dyno_result_get_state (result)),
                          dyno_result_get_n_invocations (result));
  if (name != NULL)
    g_string_append_printf (text, ", model “%s”", name);
  if (device != NULL)
    g_string_append_printf (text, ", on “%s”", device);
  if (dyno_result_get_parameter_count (result) > 0)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " parameters",
                            dyno_result_get_parameter_count (result));
  if (dyno_result_get_reason (result) != NULL)
    g_string_append_printf (text, ", because: %s", dyno_result_get_reason (result));
  g_string_append_c (text, '\n');
  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = values->pdata[i];

      if (dyno_value_get_quality (value) != DYNO_QUALITY_IMPORTED)
        g_string_append_printf (text, "  %s:", dyno_quality_to_string (dyno_value_get_quality (value)));
      g_string_append_printf (text, "  %s = %.10g %s (%s)\n", dyno_value_get_name (value),
                              dyno_value_get_number (value), dyno_value_get_unit (value),
                              dyno_value_get_source (value));
    }
  for (guint i = 0; i < dyno_result_get_traces (result)->len; i++)
    {
      DynoTrace *trace = dyno_result_get_traces (result)->pdata[i];

      g_string_append_printf (text, "  trace %s in %s, %" G_GSIZE_FORMAT " points, process %u\n",
                              dyno_trace_get_name (trace), dyno_trace_get_unit (trace),
                              dyno_trace_get_length (trace), dyno_trace_get_invocation (trace));
    }
  for (guint i = 0; i < operators->len; i++)
    g_string_append_printf (
        text, "  operator %s (%s) on %s, %" G_GINT64_FORMAT " calls, %" G_GINT64_FORMAT " ns\n",
        dyno_operator_get_name (operators->pdata[i]), dyno_operator_get_op_type (operators->pdata[i]),
        dyno_operator_get_provider (operators->pdata[i]) != NULL
            ? dyno_operator_get_provider (operators->pdata[i])
            : "unknown",
        dyno_operator_get_calls (operators->pdata[i]), dyno_operator_get_time_ns (operators->pdata[i]));
  for (guint i = 0; i < diagnostics->len; i++)
    g_string_append_printf (text, "  %s %s: %s\n",
                            dyno_severity_to_string (dyno_diagnostic_get_severity (diagnostics->pdata[i])),
                            dyno_diagnostic_get_code (diagnostics->pdata[i]),
                            dyno_diagnostic_get_message (diagnostics->pdata[i]));
}

static void
append_cases (GString *text, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      append_case (text, result);
    }
}

static void
describe_imported (GString *text, DynoRun *run, gboolean has_own_time)
{
  const DynoOrigin *origin = dyno_run_get_origin (run);
  g_autofree char *tool = dyno_origin_dup_tool (origin);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (dyno_run_get_started_at (run) / G_USEC_PER_SEC);
  g_autofree char *date = has_own_time ? g_date_time_format (time, "%FT%TZ") : g_strdup ("unknown");

  g_string_append_printf (
      text, "dialect: %s\ntool: %s\ntime: %s\nmachine: %s\nrest: %s\n", origin->dialect, tool, date,
      dyno_run_get_machine (run) != NULL ? dyno_run_get_machine (run) : "unknown", origin->extra);
  append_cases (text, run);
}

/* A run that is as it was. */
static void
describe_own (GString *text, DynoRun *run)
{
  g_autofree char *state = dyno_run_dup_state_text (run);
  g_autofree char *tool = dyno_run_dup_tool (run);

  g_string_append_printf (text,
                          "run: %s\ntitle: %s\nnotes: %s\nstarted: %" G_GINT64_FORMAT
                          "\nfinished: %" G_GINT64_FORMAT "\nsource: %s\ntool: %s\nstate: %s\nmachine: %s\n",
                          dyno_run_get_id (run), dyno_run_get_title (run), dyno_run_get_notes (run),
                          dyno_run_get_started_at (run), dyno_run_get_finished_at (run),
                          dyno_run_get_source (run), tool, state, dyno_run_get_machine (run));
  append_cases (text, run);
}

static void
describe_power (GString *text, const DynoPowerLog *log)
{
  g_string_append_printf (text, "column: %s\nzone: %s\n", log->column, log->is_local ? "none" : "its own");
  if (log->n_gpus > 0)
    g_string_append_printf (text, "GPUs: %u%s\n", log->n_gpus, log->is_guessed ? ", a guess" : "");
  for (gsize i = 0; i < dyno_trace_get_length (log->power); i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " ns: %.10g W\n", dyno_trace_get_times (log->power)[i],
                            dyno_trace_get_values (log->power)[i]);
}

/* A fixture is older than a day, so a run of today has its time from nowhere else. */
static gboolean
has_own_time (DynoRun *run, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_TIME_MODIFIED, 0, NULL, NULL);
  gint64 written = (gint64)g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED);

  return dyno_run_get_started_at (run) / G_USEC_PER_SEC != written;
}

static void
describe_runs (
    GString *text, const DynoDialect *dialect, DynoImportFile *file, const char *path, GError **error)
{
  g_autoptr (GPtrArray) runs = dyno_importer_read (file, dialect, error);

  for (guint i = 0; runs != NULL && i < runs->len; i++)
    if (dialect->read_runs != NULL)
      describe_own (text, runs->pdata[i]);
    else
      describe_imported (text, runs->pdata[i], has_own_time (runs->pdata[i], path));
}

/* Times without a zone are those of a place whose summer is an hour ahead. */
static char *
describe (const DynoDialect *dialect, DynoImportFile *file, const char *path, GError **error)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_identifier ("CET-1CEST,M3.5.0,M10.5.0/3");
  g_autoptr (DynoPowerLog) log = NULL;
  GString *text = g_string_new (NULL);

  dyno_import_file_set_zone (file, zone);
  if (dialect->read_power == NULL)
    describe_runs (text, dialect, file, path, error);
  else if ((log = dialect->read_power (file, error)) != NULL)
    describe_power (text, log);
  return g_string_free (text, FALSE);
}

static void
test_fixture (gconstpointer data)
{
  const char *path = data;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (folder);
  g_autofree char *expected_path = g_strconcat (path, SUFFIX, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImportFile) file = dyno_import_file_open (path, NULL, NULL, NULL, &error);
  const DynoDialect *dialect = dyno_dialect_find (dyno_import_file_get_head (file));
  g_autofree char *text = NULL;
  g_autofree char *expected = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (dialect->name, ==, name);
  text = describe (dialect, file, path, &error);
  g_assert_no_error (error);
  if (g_getenv ("DYNO_WRITE_EXPECTED") != NULL && !g_file_test (expected_path, G_FILE_TEST_EXISTS))
    g_file_set_contents (expected_path, text, -1, &error);
  g_assert_no_error (error);
  g_file_get_contents (expected_path, &expected, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

/* Of all dialects only one may take a file for its own, so that their order does not matter. */
static void
test_recognised_once (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImportFile) file = dyno_import_file_open (data, NULL, NULL, NULL, &error);
  guint n = 0;

  g_assert_no_error (error);
  for (const DynoDialect *const *dialect = dyno_dialect_list (); *dialect != NULL; dialect++)
    n += (*dialect)->recognise (dyno_import_file_get_head (file));
  g_assert_cmpuint (n, ==, 1);
}

static guint
count_fixtures (const char *dialect)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "import", "fixtures", dialect, NULL);
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = dyno_importer_list_files (folder, failures);
  guint n = 0;

  for (guint i = 0; i < files->len; i++)
    n += !g_str_has_suffix (files->pdata[i], SUFFIX);
  return n;
}

/* Each dialect has the files of two versions of its tool at least. */
static void
test_coverage (void)
{
  for (const DynoDialect *const *dialect = dyno_dialect_list (); *dialect != NULL; dialect++)
    {
      g_test_message ("%s", (*dialect)->name);
      g_assert_cmpuint (count_fixtures ((*dialect)->name), >=, 2);
    }
}

static void
add_tests (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *dialect = g_path_get_basename (folder);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *reading = g_strdup_printf ("/import/dialects/%s/%s", dialect, name);
  g_autofree char *recognising = g_strdup_printf ("/import/recognised-once/%s/%s", dialect, name);

  g_test_add_data_func_full (reading, g_strdup (path), test_fixture, g_free);
  g_test_add_data_func_full (recognising, g_strdup (path), test_recognised_once, g_free);
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *folder = NULL;
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = NULL;

  g_test_init (&argc, &argv, NULL);
  folder = g_test_build_filename (G_TEST_DIST, "import", "fixtures", NULL);
  files = dyno_importer_list_files (folder, failures);
  g_test_add_func ("/import/coverage", test_coverage);
  for (guint i = 0; i < files->len; i++)
    if (!g_str_has_suffix (files->pdata[i], SUFFIX))
      add_tests (files->pdata[i]);
  return g_test_run ();
}

SUITE (run_suite)
