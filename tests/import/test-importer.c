/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-importer.h"
#include "import-fixture.h"
#include "suite.h"

/* As much text as a file of 100 MB has (`./dev faults`), or a quarter of it, in as many records as a run may reasonably have. */
#define LARGE_SIZE    (g_getenv ("DYNO_TEST_THOROUGH") != NULL ? 100000000 : 25000000)
#define LARGE_RECORDS 200

static char *
build_sample (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "import", "fixtures", "llama-bench", name, NULL);
}

/* Of a file that holds one run */
static DynoRun *
import (Fixture *fixture, const char *path, gboolean *is_new)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImported) imported =
      dyno_importer_import (fixture->store, path, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (imported->added->len + imported->present->len, ==, 1);
  *is_new = imported->added->len > 0;
  return g_object_ref (*is_new ? imported->added->pdata[0] : imported->present->pdata[0]);
}

static void
assert_refused (Fixture *fixture, const char *path, DynoError code, const char *reason)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_importer_import (fixture->store, path, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, DYNO_ERROR, (int)code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, reason));
  g_assert_nonnull (strstr (error->message, path));
}

/* What is loaded is what was imported, and says where it is from. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_sample ("b6135.json");
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);
  g_autoptr (DynoRun) loaded = load_run (fixture, dyno_run_get_id (run));
  g_autoptr (DynoResult) result = NULL;
  g_autofree char *tool = NULL;
  DynoCaseCounts counts;

  g_assert_true (is_new);
  g_assert_nonnull (dyno_run_get_origin (loaded));
  tool = dyno_origin_dup_tool (dyno_run_get_origin (loaded));
  g_assert_cmpstr (tool, ==, "llama-bench 6135 (c1a2b3d4)");
  g_assert_cmpstr (dyno_run_get_origin (loaded)->file_name, ==, "b6135.json");
  g_assert_cmpstr (dyno_run_get_origin (loaded)->extra, ==, dyno_run_get_origin (run)->extra);
  result = g_list_model_get_item (dyno_run_get_results (loaded), 0);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_p50_ms"), ==, 2000);
  g_assert_cmpint (dyno_value_get_quality (dyno_result_get_value (result, "latency_p50_ms")), ==,
                   DYNO_QUALITY_IMPORTED);
  g_assert_cmpint (dyno_result_get_state (result), ==, DYNO_CASE_STATE_IMPORTED);
  dyno_run_count_cases (loaded, &counts);
  g_assert_cmpuint (counts.of[DYNO_CASE_STATE_IMPORTED], ==, 2);
  g_assert_false (dyno_run_is_interrupted (loaded));
}

static void
test_listed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_sample ("b6135.json");
  gboolean is_new = FALSE;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (fixture->store, "mistral", 0, 10, &error);
  g_autofree char *state = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 0);
  g_clear_pointer (&runs, g_ptr_array_unref);
  runs = dyno_store_list_runs (fixture->store, "llama 1B", 0, 10, &error);
  g_assert_cmpuint (runs->len, ==, 1);
  state = dyno_run_dup_state_text (runs->pdata[0]);
  g_assert_cmpstr (state, ==, "2 imported");
}

static void
assert_original (DynoStore *store, const char *id, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) original = dyno_store_load_original (store, id, &error);
  g_autoptr (GBytes) file = dyno_file_read (path, DYNO_FILE_MAX_TEXT, NULL);

  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (original, file));
}

/* The original goes along into documents, and from there into other stores. */
static void
test_original (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_sample ("b3615.md");
  g_autofree char *document_path = g_build_filename (fixture->folder, "some.dyno", NULL);
  g_autofree char *other_path = g_build_filename (fixture->folder, "other.sqlite", NULL);
  gboolean is_new = FALSE;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);
  const char *const ids[] = { dyno_run_get_id (run), NULL };
  g_autoptr (DynoStore) other = NULL;
  g_auto (GStrv) imported = NULL;

  assert_original (fixture->store, ids[0], path);
  dyno_store_save_document (fixture->store, ids, document_path, &error);
  g_assert_no_error (error);
  other = dyno_store_open (other_path, &error);
  g_assert_no_error (error);
  imported = dyno_store_import_document (other, document_path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (imported), ==, 1);
  assert_original (other, ids[0], path);
}

/* By whatever name: the same content is the same run. */
static void
test_twice (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = build_sample ("b6135.json");
  g_autofree char *text = NULL;
  g_autofree char *copy = NULL;
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);
  g_autoptr (DynoRun) again = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  copy = write_file (fixture, "copy.txt", text);
  again = import (fixture, copy, &is_new);
  g_assert_false (is_new);
  g_assert_cmpstr (dyno_run_get_id (run), ==, dyno_run_get_id (again));
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), ==, 1);
}

/* A file that names no model, so that its case has the name of the file. */
static const char unnamed[] =
    "{\"forward\": {\"memory\": null, \"latency\": {\"unit\": \"s\", \"values\": [0.1, 0.2]}, "
    "\"throughput\": null, \"energy\": null, \"efficiency\": null}}\n";

/* Nor does it where the case has the name of the file, because there is none in it. */
static void
test_twice_unnamed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (fixture, "first.json", unnamed);
  g_autofree char *copy = write_file (fixture, "second.json", unnamed);
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);
  g_autoptr (DynoRun) again = import (fixture, copy, &is_new);
  g_autoptr (DynoRun) loaded = dyno_store_load_run (fixture->store, dyno_run_get_id (run), NULL);

  g_assert_false (is_new);
  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (loaded)), ==, 1);
}

/* What was deleted and is imported again is what the file says now, and not what it was once read as. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (fixture, "first.json", unnamed);
  g_autofree char *copy = write_file (fixture, "second.json", unnamed);
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);
  g_autoptr (DynoRun) again = NULL;
  g_autoptr (DynoRun) loaded = NULL;
  g_autoptr (DynoResult) result = NULL;
  g_autoptr (GError) error = NULL;

  dyno_store_delete_run (fixture->store, dyno_run_get_id (run), &error);
  g_assert_no_error (error);
  again = import (fixture, copy, &is_new);
  g_assert_true (is_new);
  loaded = load_run (fixture, dyno_run_get_id (run));
  g_assert_cmpuint (g_list_model_get_n_items (dyno_run_get_results (loaded)), ==, 1);
  result = g_list_model_get_item (dyno_run_get_results (loaded), 0);
  g_assert_cmpstr (dyno_case_get_model (dyno_result_get_case (result)), ==, "second");
}

/* Files that are refused, and the reason. */
static const struct
{
  const char *test;
  const char *name;
  const char *text;
  const char *reason;
  DynoError code; /* DYNO_ERROR_INVALID_DATA unless another is given */
} refusals[] = {
  { "refused", "notes.txt", "nothing of the kind\n", "not one that Dyno knows", DYNO_ERROR_UNSUPPORTED },
  { "refused", "empty", "", "It is empty.", DYNO_ERROR_UNSUPPORTED },
  { "refused", "bad.jsonl",
    "{\"build_commit\": \"a\", \"model_type\": \"m\", \"n_prompt\": 8, \"n_gen\": 0, \"avg_ns\": 5, "
    "\"avg_ts\": 1}\n"
    "{\"build_commit\": \"a\", \"model_type\": \"m\", \"n_prompt\": 8, \"n_gen\": 0, \"avg_ns\": \"x\"}\n",
    "Line 2: “avg_ns” is \"x\", and not a number." },
  { "refused", "without.csv", "build_commit,n_prompt,n_gen,avg_ts\n\"a\",\"8\",\"0\",\"1\"\n",
    "Line 2: A test needs a model" },
  { "refused", "hollow.csv", "build_commit,n_prompt,n_gen,avg_ts\n", "holds no result" },

  /* What is less than nothing was never measured: a document with such samples could not be opened again. */
  { "negative", "times.json",
    "{\"results\": [\n"
    " {\"command\": \"a\", \"mean\": 1, \"user\": 1, \"system\": 1, \"times\": [\n  1,\n  -2.5\n ]}\n]}\n",
    "Line 4: “times” is -2.5, and not zero or more." },
  { "negative", "mean.json",
    "{\"results\": [{\"command\": \"a\",\n\"mean\": -1.5,\n\"user\": 1, \"system\": 1}]}\n",
    "Line 2: “mean” is -1.5, and not zero or more." },
  { "negative", "energy.csv", "start_time,window_name,elapsed_time,gpu0_energy\n1,a,1,5\n2,b,1,-5\n",
    "Line 3: “gpu0_energy” is \"-5\", and not zero or more." },
  { "negative", "long.json",
    "{\"results\": [{\"command\": \"a\", \"mean\": 1, \"user\": 1, \"system\": 1, \"times\": [1e300]}]}\n",
    "“times” gives 1e+300 s, which cannot have been measured." },

  /* The line that is told is that of the field, however many lines a piece of the file has. */
  { "lines", "vllm.json",
    "{\n \"model_id\": \"m\",\n \"tokenizer_id\": \"m\",\n \"num_prompts\": 1,\n \"completed\": 1,\n"
    " \"request_throughput\": \"fast\"\n}\n",
    "Line 6: “request_throughput” is \"fast\", and not a number." },
  { "lines", "optimum.json",
    "{\n \"forward\": {\n  \"memory\": null,\n  \"latency\": {\n   \"unit\": \"s\",\n"
    "   \"values\": [\n    1,\n    \"x\\\"\"\n   ]\n  },\n  \"throughput\": null, \"energy\": null, "
    "\"efficiency\": null\n }\n}\n",
    "Line 8: “values” is \"x\\\"\", and not a list of numbers." },
  { "lines", "summary.txt",
    "================================================\nMLPerf Results Summary\n"
    "================================================\nSUT name : a\nScenario : SingleStream\n"
    "Result is : VALID\n99.00 percentile latency (ns) : soon\n",
    "Line 7: “99.00 percentile latency (ns)” is \"soon\", and not a number." },
  { "lines", "report.csv",
    "Command line parameters\n\nConfiguration setup\ntopology;m\ntarget device;CPU\n\n"
    "Execution results\nthroughput;fast\n",
    "Line 8: “throughput” is \"fast\", and not a number." },
  { "lines", "infinite.json",
    "{\"results\": [{\"command\": \"a\", \"mean\": 1, \"user\": 1, \"system\": 1,\n\"note\": \"1e999\",\n"
    "\"other\": [1e5, -1e999]}]}\n",
    "Line 3: “-1e999” is too large for a number." },
  { "lines", "trtexec.txt",
    "[I] === Performance summary ===\n[I] Throughput: 10 qps\n[I] Latency: min = x ms\n",
    "Line 3: “Latency min” is \"x\", and not a number." },

  /* A case without anything that was measured is no result. */
  { "hollow", "hollow",
    "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=a.onnx\n[I] === Build Options ===\n",
    "holds no result" },
  { "hollow", "hollow",
    "================================================\nMLPerf Results Summary\n"
    "================================================\nSUT name : a\nResult is : VALID\n",
    "holds no result" },
  { "hollow", "hollow", "build_commit,model_type,n_prompt,n_gen,avg_ts\n\"a\",\"m\",\"8\",\"0\",\"\"\n",
    "holds no result" },
  /* The second run ends before its table has a heading. */
  { "hollow", "hollow",
    "Run Summary Info\n|===|\n| Strategy |\n|---|\n| synchronous |\n|===|\n\n"
    "Run Summary Info\n| constant |\n",
    "holds no result" },

  /* The JSON of benchmark_app in Python has the options in place of the results. */
  { "no-results", "benchmark_report.json",
    "{\"cmd_options\": {\"hint\": \"latency\"},\n\"configuration_setup\": {\"hint\": \"latency\"},\n"
    "\"execution_results\": {\"hint\": \"latency\"}}\n",
    "import “benchmark_report.csv”" },

  /* The first version of MLPerf loadgen wrote its results into one of two files only. */
  { "without-results", "mlperf_log_detail.txt",
    "\"pid\": 7, \"tid\": 7, \"ts\": 6188ns : LoadgenVersionInfo:\n"
    "\"pid\": 7, \"tid\": 7, \"ts\": 6188ns : version : .5a1 @ 0123456789\n",
    "Import “mlperf_log_summary.txt”", DYNO_ERROR_UNSUPPORTED },
};

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    if (g_str_equal (refusals[i].test, data))
      {
        g_autofree char *path = write_file (fixture, refusals[i].name, refusals[i].text);

        assert_refused (fixture, path, refusals[i].code != 0 ? refusals[i].code : DYNO_ERROR_INVALID_DATA,
                        refusals[i].reason);
      }
  assert_refused (fixture, "/nowhere/at/all", DYNO_ERROR_NOT_FOUND, "cannot be read");
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), ==, 0);
}

/* hyperfine starts a process for each time; of more than a case may have, none is left out. */
static void
test_many_processes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (
      "{\"results\": [{\"command\": \"a\", \"mean\": 1, \"user\": 1, \"system\": 1, \"times\": [1");
  g_autofree char *path = NULL;
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (DynoResult) result = NULL;
  gboolean is_new = FALSE;

  for (guint i = 0; i < DYNO_METHOD_MAX_INVOCATIONS; i++)
    g_string_append (text, ", 1.5");
  g_string_append (text, "]}]}\n");
  path = write_file (fixture, "many.json", text->str);
  run = import (fixture, path, &is_new);
  result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, 1);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_samples"), ==, DYNO_METHOD_MAX_INVOCATIONS + 1);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_p50_ms"), ==, 1500);
}

/* A number that JSON-GLib does not write as JSON is left over like any other. */
static void
test_power_of_ten (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (
      fixture, "ten.json",
      "{\"results\": [{\"command\": \"a\", \"mean\": 1, \"user\": 1, \"system\": 1, \"rate\": 1e-08}]}\n");
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);

  g_assert_nonnull (strstr (dyno_run_get_origin (run)->extra, "\"rate\":1e-08}"));
}

/* Memory may shrink. */
static void
test_shrinking (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (
      fixture, "card.json",
      "{\"benchmarks\": [{\"hardware\": \"cpu\", \"inference_time_ms\": 2, \"memory_usage_mb\": -1,\n"
      " \"batch_size\": 1}], \"cpu_gpu_speedup\": 1.5}\n");
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);

  g_assert_cmpfloat (dyno_result_get_number (result, "memory_growth_mb"), ==, -1.048576);
}

/* What was appended to a file that holds one result is neither left out nor mixed with it. */
static void
test_appended (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[] = {
    "{\"cmd_options\": {\"m\": \"a.xml\"}, \"configuration_setup\": {\"topology\": \"a\"},\n"
    " \"execution_results\": {\"throughput\": 4}}",
    "{\"benchmarks\": [{\"runs\": [{\"values\": [0.5]}]}],\n"
    " \"metadata\": {\"name\": \"sort\", \"unit\": \"second\"}, \"version\": \"1.0\"}",
    "[{\"cat\": \"op\", \"name\": \"add\", \"ph\": \"X\", \"ts\": 1, \"dur\": 2, \"pid\": 1, \"tid\": 1},\n"
    " {\"cat\": \"op\", \"name\": \"mul\", \"ph\": \"X\", \"ts\": 3, \"dur\": 2, \"pid\": 1, \"tid\": 1}]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *twice = g_strdup_printf ("%s\n%s\n", texts[i], texts[i]);
      g_autofree char *trailing = g_strdup_printf ("%s\n xyz\n", texts[i]);
      g_autofree char *twice_path = write_file (fixture, "twice.json", twice);
      g_autofree char *trailing_path = write_file (fixture, "trailing.json", trailing);

      assert_refused (fixture, twice_path, DYNO_ERROR_INVALID_DATA,
                      "Line 3: A second JSON value begins here. Split the file.");
      assert_refused (fixture, trailing_path, DYNO_ERROR_INVALID_DATA,
                      "Line 3: Something that is no JSON follows here.");
    }
}

/* A file of a known tool that holds numbers without units says which file to take instead. */
static void
test_without_units (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (
      fixture, "profile_export_aiperf_collated.json",
      "{\"schema_version\": \"1.0.0\", \"aiperf_version\": \"0.8.0\", \"description\": \"Collated.\",\n"
      " \"metadata\": {\"aggregation_type\": \"detailed\", \"num_profile_runs\": 2, "
      "\"num_successful_runs\": 2, \"failed_runs\": []},\n"
      " \"metrics\": {\"request_latency\": {\"combined\": {\"mean\": 12.5, \"std\": 1, \"p50\": 12, "
      "\"p90\": 14, \"p95\": 15, \"p99\": 16, \"count\": 20},\n"
      "  \"per_run\": [{\"label\": \"run_0001\", \"mean\": 12, \"count\": 10}]}}}\n");
  g_autoptr (GError) error = NULL;

  assert_refused (fixture, path, DYNO_ERROR_UNSUPPORTED, "names no units");
  g_assert_null (dyno_importer_import (fixture->store, path, NULL, NULL, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "“profile_export_aiperf_aggregate.json”"));
  /* In a folder it is passed over. */
  g_assert_true (dyno_importer_is_foreign (error));
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), ==, 0);
}

static void
test_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *inner = g_build_filename (fixture->folder, "b", NULL);
  g_autofree char *loop = g_build_filename (inner, "loop", NULL);
  g_autofree char *one = write_file (fixture, "one", "1");
  g_autofree char *hidden = write_file (fixture, ".hidden", "1");
  g_autofree char *two = NULL;
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = NULL;
  guint n = 0;

  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  g_assert_cmpint (symlink (fixture->folder, loop), ==, 0);
  two = write_file (fixture, "b/two", "2");
  files = dyno_importer_list_files (fixture->folder, failures);
  g_assert_cmpuint (failures->len, ==, 0);
  for (guint i = 0; i < files->len; i++)
    n += g_str_equal (files->pdata[i], one) || g_str_equal (files->pdata[i], two);
  g_assert_cmpuint (n, ==, 2);
  for (guint i = 0; i < files->len; i++)
    g_assert_cmpstr (files->pdata[i], !=, hidden);
}

/* A folder that cannot be read is told, and what lies beside it is listed. */
static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  g_autofree char *closed = g_build_filename (fixture->folder, "a", NULL);
  g_autofree char *open = g_build_filename (fixture->folder, "b", NULL);
  g_autofree char *file = NULL;
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = NULL;
  uid_t user = geteuid ();

  g_assert_cmpint (g_mkdir (closed, 0), ==, 0);
  g_assert_cmpint (g_mkdir (open, 0755), ==, 0);
  g_assert_cmpint (g_chmod (fixture->folder, 0755), ==, 0);
  file = write_file (fixture, "b/one", "1");
  /* Nothing is closed to the administrator. */
  if (user == 0 && seteuid (65534) != 0)
    {
      g_test_skip ("The administrator cannot become another user here");
      return;
    }
  files = dyno_importer_list_files (fixture->folder, failures);
  g_assert_cmpint (seteuid (user), ==, 0);
  g_assert_cmpint (g_chmod (closed, 0700), ==, 0);
  g_assert_cmpuint (failures->len, ==, 1);
  g_test_message ("%s", (char *)failures->pdata[0]);
  g_assert_nonnull (strstr (failures->pdata[0], closed));
  g_assert_cmpstr (files->pdata[0], ==, file);
}

/* A measurement of criterion.rs in a folder of that name; its times are @times of those of the fixture. */
static void
write_measurement (Fixture *fixture, const char *place, guint times)
{
  static const struct
  {
    const char *name;
    const char *text;
  } files[] = {
    { "estimates.json", NULL },
    { "benchmark.json", "{\"full_id\": \"sorting/quick\"}" },
  };
  g_autofree char *folder = g_build_filename (fixture->folder, place, NULL);
  g_autofree char *sample =
      g_strdup_printf ("{\"sampling_mode\": \"Linear\", \"iters\": [10, 20], \"times\": [%u, %u]}",
                       1000 * times, 2000 * times);
  g_autofree char *sample_path = g_build_filename (place, "sample.json", NULL);
  g_autofree char *written = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  written = write_file (fixture, sample_path, sample);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = g_build_filename (place, files[i].name, NULL);
      g_autofree char *from =
          g_test_build_filename (G_TEST_DIST, "import", "fixtures", "criterion", "v0.5-estimates.json", NULL);
      g_autofree char *text = NULL;
      g_autofree char *path = NULL;

      if (files[i].text == NULL)
        g_assert_true (g_file_get_contents (from, &text, NULL, NULL));
      path = write_file (fixture, name, files[i].text != NULL ? files[i].text : text);
    }
}

static DynoRun *
import_measurement (Fixture *fixture, const char *place, const char *name, gboolean *is_new)
{
  g_autofree char *path = g_build_filename (fixture->folder, place, name, NULL);

  return import (fixture, path, is_new);
}

/* criterion.rs keeps samples and estimates of a benchmark in two files, which are one run. */
static void
test_parts (Fixture *fixture, gconstpointer data)
{
  g_autofree char *inner = g_build_filename (fixture->folder, "new", NULL);
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) listed = NULL;
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (DynoRun) again = NULL;
  g_autoptr (DynoResult) result = NULL;
  gboolean is_new = FALSE;

  write_measurement (fixture, "new", 1);
  listed = dyno_importer_list_files (inner, failures);
  g_assert_cmpuint (listed->len, ==, 2);
  run = import (fixture, listed->pdata[1], &is_new);
  g_assert_true (is_new);
  g_assert_cmpstr (dyno_run_get_title (run), ==, "sorting/quick");
  result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_assert_cmpstr (dyno_result_get_model_name (result), ==, "sorting/quick");
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_slope_ms"), >, 0);
  g_assert_nonnull (dyno_result_get_trace (result, "latency"));
  /* Named by itself, the part is the same run. */
  again = import_measurement (fixture, "new", "estimates.json", &is_new);
  g_assert_false (is_new);
  g_assert_cmpstr (dyno_run_get_id (again), ==, dyno_run_get_id (run));
}

/* Beside the newest measurement lies that of before, which is another run. */
static void
test_baseline (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) newest = NULL;
  g_autoptr (DynoRun) base = NULL;
  g_autoptr (DynoRun) named = NULL;
  gboolean is_new = FALSE;

  write_measurement (fixture, "new", 1);
  write_measurement (fixture, "base", 2);
  write_measurement (fixture, "main", 3);
  base = import_measurement (fixture, "base", "sample.json", &is_new);
  g_assert_true (is_new);
  newest = import_measurement (fixture, "new", "sample.json", &is_new);
  g_assert_true (is_new);
  named = import_measurement (fixture, "main", "sample.json", &is_new);
  g_assert_true (is_new);
  g_assert_cmpstr (dyno_run_get_title (base), ==, "sorting/quick/base");
  g_assert_cmpstr (dyno_run_get_title (newest), ==, "sorting/quick");
  g_assert_cmpstr (dyno_run_get_title (named), ==, "sorting/quick/main");
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), ==, 3);
}

/* Once it is done, criterion.rs copies the newest measurement over it: then both are the same run. */
static void
test_same_baseline (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoRun) newest = NULL;
  g_autoptr (DynoRun) base = NULL;
  gboolean is_new = FALSE;

  write_measurement (fixture, "new", 1);
  write_measurement (fixture, "base", 1);
  base = import_measurement (fixture, "base", "sample.json", &is_new);
  g_assert_true (is_new);
  newest = import_measurement (fixture, "new", "sample.json", &is_new);
  g_assert_false (is_new);
  g_assert_cmpstr (dyno_run_get_id (newest), ==, dyno_run_get_id (base));
  g_assert_cmpstr (dyno_run_get_title (newest), ==, "sorting/quick");
}

/* A large file */

static char *
write_large_file (Fixture *fixture, guint size)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  char *path = g_build_filename (fixture->folder, "large.json", NULL);
  FILE *file = g_fopen (path, "w");

  g_assert_nonnull (file);
  for (guint i = 0; i < LARGE_RECORDS; i++)
    {
      fprintf (file,
               "%s{\"build_commit\": \"a\", \"build_number\": 1, \"model_type\": \"m\", \"n_prompt\": %u, "
               "\"n_gen\": 0, "
               "\"avg_ts\": 1, \"samples_ns\": [",
               i == 0 ? "[" : ",\n", i + 1);
      for (guint k = 0; k < size / LARGE_RECORDS / 12; k++)
        fprintf (file, "%s%u", k == 0 ? "" : ", ", (guint)g_rand_int_range (random, 1000000000, 1010000000));
      fprintf (file, "]}");
    }
  fprintf (file, "]\n");
  g_assert_cmpint (fclose (file), ==, 0);
  return path;
}

static gint64
get_peak_bytes (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (gint64)usage.ru_maxrss * 1024;
}

static void
ignore_progress (double fraction, gpointer data)
{
  *(double *)data = fraction;
}

/* Samples take 16 bytes in a trace, however many digits they have in the file, and are there twice while they are written;
 * the text of the file and the tree of its JSON are never in memory as a whole, which alone would take twenty times as much. */
static void
test_large (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_large_file (fixture, LARGE_SIZE);
  gint64 before = get_peak_bytes ();
  g_autoptr (GError) error = NULL;
  double fraction = 0;
  g_autoptr (DynoImported) imported =
      dyno_importer_import (fixture->store, path, NULL, NULL, ignore_progress, &fraction, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (dyno_run_get_n_cases (imported->added->pdata[0]), ==, LARGE_RECORDS);
  g_assert_cmpfloat (fraction, ==, 1);
  g_test_message ("%.0f MB", (double)(get_peak_bytes () - before) / 1e6);
  g_assert_cmpint (get_peak_bytes () - before, <, 4 * (gint64)LARGE_SIZE);
}

/* An object may be larger than a tree may become, where it is its lists that are long. */
static void
test_long_lists (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name;
    const char *element;
  } lists[] = { { "ttfts", "0.5" }, { "itls", "[0.25, 0.25]" }, { "generated_texts", NULL } };
  g_autofree char *answer = g_strnfill (DYNO_IMPORT_MAX_PIECE / 500, 'x');
  g_autoptr (GString) text =
      g_string_new ("{\"model_id\": \"m\", \"tokenizer_id\": \"m\", \"num_prompts\": 600, \"completed\": "
                    "600, \"failed\": 0, "
                    "\"total_input_tokens\": 600, \"total_output_tokens\": 1800, \"request_throughput\": 3");
  g_autofree char *path = NULL;
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (DynoResult) result = NULL;
  gboolean is_new = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_string_append_printf (text, ", \"%s\": [", lists[i].name);
      for (guint k = 0; k < 600; k++)
        if (lists[i].element != NULL)
          g_string_append_printf (text, "%s%s", k > 0 ? ", " : "", lists[i].element);
        else
          g_string_append_printf (text, "%s\"%s\"", k > 0 ? ", " : "", answer);
      g_string_append_c (text, ']');
    }
  g_string_append (text, "}\n");
  g_assert_cmpuint (text->len, >, DYNO_IMPORT_MAX_PIECE);
  path = write_file (fixture, "detailed.json", text->str);
  run = import (fixture, path, &is_new);
  result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_samples"), ==, 600);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_p99_ms"), ==, 1000);
}

/* And so may a benchmark of pyperf, whose name and unit come behind its runs. */
static void
test_long_runs (Fixture *fixture, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (DYNO_IMPORT_MAX_PIECE / 50, 'x');
  g_autoptr (GString) text = g_string_new ("{\"benchmarks\": [{\"runs\": [");
  g_autofree char *path = NULL;
  g_autoptr (DynoRun) run = NULL;
  g_autoptr (DynoResult) result = NULL;
  gboolean is_new = FALSE;

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "%s{\"values\": [0.5, 0.25], \"metadata\": {\"note\": \"%s\"}}",
                            i > 0 ? ", " : "", filler);
  g_string_append (text,
                   "]}], \"metadata\": {\"name\": \"sort\", \"unit\": \"second\"}, \"version\": \"1.0\"}\n");
  path = write_file (fixture, "pyperf.json", text->str);
  run = import (fixture, path, &is_new);
  result = g_list_model_get_item (dyno_run_get_results (run), 0);
  g_assert_cmpstr (dyno_case_get_model (dyno_result_get_case (result)), ==, "sort");
  g_assert_cmpuint (dyno_result_get_n_invocations (result), ==, 60);
  g_assert_cmpfloat (dyno_result_get_number (result, "latency_mean_ms"), ==, 375);
}

/* What the first request asked may be longer than the beginning by which a file is recognised. */
static void
test_long_request (Fixture *fixture, gconstpointer data)
{
  g_autofree char *prompt = g_strnfill (100000, 'x');
  g_autofree char *text = g_strdup_printf (
      "{\"experiments\": [{\"experiment\": {\"mode\": \"concurrency\", \"value\": 1}, \"requests\": [\n"
      "{\"timestamp\": 1000000, \"request_inputs\": {\"payload\": \"%s\"}, \"response_timestamps\": "
      "[3000000]},\n"
      "{\"timestamp\": 4000000, \"response_timestamps\": [8000000]}]}], \"version\": \"2.43\"}\n",
      prompt);
  g_autofree char *path = write_file (fixture, "profile_export.json", text);
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);

  g_assert_cmpfloat (dyno_result_get_number (result, "latency_mean_ms"), ==, 3);
}

static void
cancel_halfway (double fraction, gpointer cancellable)
{
  if (fraction > 0.1)
    g_cancellable_cancel (cancellable);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_large_file (fixture, 2000000);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (
      dyno_importer_import (fixture->store, path, NULL, cancellable, cancel_halfway, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (dyno_store_count_runs (fixture->store, NULL, NULL), ==, 0);
}

/* One value that is larger than a tree may become is refused, with words. */
static void
test_too_large (Fixture *fixture, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (DYNO_IMPORT_MAX_PIECE, ' ');
  g_autofree char *text = g_strconcat ("[{\"build_commit\": \"a\", \"n_prompt\": 1, \"avg_ts\": 1, \"x\": [",
                                       filler, "]}]", NULL);
  g_autofree char *path = write_file (fixture, "wide.json", text);

  assert_refused (fixture, path, DYNO_ERROR_INVALID_DATA,
                  "Line 1: A value of the JSON is larger than 16 MB.");
}

static char *
copy_fixture (Fixture *fixture, const char *name, const char *as)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "import", "fixtures", "optimum-benchmark", name, NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return write_file (fixture, as, text);
}

static guint
count_files (Fixture *fixture, const char *only)
{
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = dyno_importer_list_files (fixture->folder, failures);
  guint n = 0;

  for (guint i = 0; i < files->len; i++)
    n += strstr (files->pdata[i], "benchmark") != NULL && g_str_has_suffix (files->pdata[i], ".json");
  g_assert_true (n != 1 || g_ptr_array_find_with_equal_func (files, only, g_str_equal, NULL));
  return n;
}

/* optimum-benchmark keeps config and report of a run in two files, and both again in a third: one run. */
static void
test_config_beside (Fixture *fixture, gconstpointer data)
{
  g_autofree char *config = copy_fixture (fixture, "benchmark_config.json", "benchmark_config.json");
  g_autofree char *report = copy_fixture (fixture, "benchmark_report.json", "benchmark_report.json");
  g_autofree char *whole = NULL;
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = import (fixture, report, &is_new);
  g_autoptr (DynoRun) again = NULL;
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);

  g_assert_true (is_new);
  g_assert_cmpuint (dyno_case_get_batch_size (dyno_result_get_case (result)), ==, 32);
  g_assert_cmpuint (count_files (fixture, report), ==, 1);
  again = import (fixture, config, &is_new);
  g_assert_false (is_new);
  whole = copy_fixture (fixture, "v0.5-generation.json", "benchmark.json");
  g_assert_cmpuint (count_files (fixture, whole), ==, 1);
}

/* Without a config nobody knows, and a store keeps that. */
static void
test_unknown_batch (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = copy_fixture (fixture, "benchmark_report.json", "report.json");
  gboolean is_new = FALSE;
  g_autoptr (DynoRun) run = import (fixture, path, &is_new);
  g_autoptr (DynoRun) loaded = load_run (fixture, dyno_run_get_id (run));
  g_autoptr (DynoResult) result = NULL;

  result = g_list_model_get_item (dyno_run_get_results (loaded), 0);
  g_assert_cmpuint (dyno_case_get_batch_size (dyno_result_get_case (result)), ==, 0);
  g_assert_nonnull (dyno_result_find_message (result, DYNO_ORIGIN_BATCH_CODE));
}

/* Text that is in no file is as good as one with the same content. */
static void
test_text (Fixture *fixture, gconstpointer data)
{
  static const char text[] =
      "total duration:       2s\nload duration:        1ms\nprompt eval count:    4 token(s)\n"
      "prompt eval duration: 100ms\neval count:           10 token(s)\n"
      "eval duration:        1s\neval rate:            10.00 tokens/s\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GBytes) other = g_bytes_new_static ("nothing", strlen ("nothing"));
  g_autofree char *path = write_file (fixture, "console.txt", text);
  gboolean is_new = FALSE;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoImported) imported =
      dyno_importer_import_text (fixture->store, "clipboard", bytes, NULL, &error);
  g_autoptr (DynoRun) again = import (fixture, path, &is_new);

  g_assert_no_error (error);
  g_assert_cmpuint (imported->added->len, ==, 1);
  g_assert_false (is_new);
  g_assert_null (dyno_importer_import_text (fixture->store, "clipboard", other, NULL, &error));
  g_assert_true (dyno_importer_is_foreign (error));
}

static void
add_tests (void)
{
  static const SuiteFixtureTest (Fixture) tests[] = {
    { "/import/importer/kept", test_kept },
    { "/import/importer/listed", test_listed },
    { "/import/importer/original", test_original },
    { "/import/importer/twice", test_twice },
    { "/import/importer/twice-unnamed", test_twice_unnamed },
    { "/import/importer/deleted", test_deleted },
    { "/import/importer/refused", test_refused },
    { "/import/importer/negative", test_refused },
    { "/import/importer/many-processes", test_many_processes },
    { "/import/importer/power-of-ten", test_power_of_ten },
    { "/import/importer/shrinking", test_shrinking },
    { "/import/importer/lines", test_refused },
    { "/import/importer/appended", test_appended },
    { "/import/importer/hollow", test_refused },
    { "/import/importer/no-results", test_refused },
    { "/import/importer/without-units", test_without_units },
    { "/import/importer/without-results", test_refused },
    { "/import/importer/folder", test_folder },
    { "/import/importer/unreadable", test_unreadable },
    { "/import/importer/parts", test_parts },
    { "/import/importer/baseline", test_baseline },
    { "/import/importer/same-baseline", test_same_baseline },
    { "/import/importer/large", test_large },
    { "/import/importer/long-lists", test_long_lists },
    { "/import/importer/long-runs", test_long_runs },
    { "/import/importer/long-request", test_long_request },
    { "/import/importer/cancelled", test_cancelled },
    { "/import/importer/too-large", test_too_large },
    { "/import/importer/config-beside", test_config_beside },
    { "/import/importer/unknown-batch", test_unknown_batch },
    { "/import/importer/text", test_text },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, strrchr (tests[i].path, '/') + 1, set_up, tests[i].run, tear_down);
}

SUITE_ADD (add_tests)
