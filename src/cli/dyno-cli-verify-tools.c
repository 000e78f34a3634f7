/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-cli-private.h"
#include "dyno-command.h"
#include "dyno-error.h"
#include "dyno-json.h"

/* Names a Python that has the packages, or the tool, if they are not in the PATH. */
#define PYTHON_VARIABLE        "DYNO_VERIFY_PYTHON"
#define BENCHMARK_APP_VARIABLE "DYNO_BENCHMARK_APP"

static const DynoCommandLimits limits = { .output = 1 << 20, .silence = 30, .total = 40 };

/* A loop of ONNX Runtime's own users: its Python package, the same file, inputs of the same shapes. */
static const char python[] =
    "import json, statistics, sys, time\n"
    "import numpy, onnxruntime\n"
    "path, threads, seconds, inputs = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]\n"
    "options = onnxruntime.SessionOptions()\n"
    "options.intra_op_num_threads = threads\n"
    "options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL\n"
    "options.log_severity_level = 3\n"
    "session = onnxruntime.InferenceSession(path, options, providers=['CPUExecutionProvider'])\n"
    "feed = {i['name']: numpy.random.rand(*i['shape']).astype('float32') if i['type'] == 'float'\n"
    "        else numpy.ones(i['shape'], i['type']) for i in json.loads(inputs)}\n"
    "def run(seconds):\n"
    "    steps, end = [], time.perf_counter() + seconds\n"
    "    while not steps or time.perf_counter() < end:\n"
    "        start = time.perf_counter()\n"
    "        session.run(None, feed)\n"
    "        steps.append(time.perf_counter() - start)\n"
    "    return steps\n"
    "run(seconds / 4)\n"
    "print(json.dumps({'version': onnxruntime.__version__, 'median_ms': 1e3 * "
    "statistics.median(run(seconds))}))\n";

static gboolean
run (const char *const *words, DynoCommandAnswer *answer, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);

  return dyno_command_run (launcher, words, NULL, &limits, NULL, answer, error);
}

static char *
find_program (const char *variable, const char *name)
{
  const char *given = g_getenv (variable);

  return given != NULL && *given != '\0' ? g_strdup (given) : g_find_program_in_path (name);
}

static gboolean
refuse (const DynoCommandAnswer *answer, const char *name, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (g_strstrip (answer->messages), "\n", -1);
  guint n = g_strv_length (lines);

  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("%s failed: %s."), name, n > 0 ? lines[n - 1] : "");
  return FALSE;
}

gboolean
dyno_cli_verify_run_python (
    const DynoBareTiming *timing, guint threads, double seconds, DynoCliToolTiming *measured, GError **error)
{
  g_autofree char *program = find_program (PYTHON_VARIABLE, "python3");
  g_autofree char *n_threads = g_strdup_printf ("%u", threads);
  char duration[G_ASCII_DTOSTR_BUF_SIZE];
  const char *const words[] = {
    program,        "-c",      python,
    timing->path,   n_threads, g_ascii_dtostr (duration, sizeof duration, seconds),
    timing->inputs, NULL,
  };
  g_auto (DynoCommandAnswer) answer = { NULL };
  g_autoptr (JsonNode) node = NULL;
  JsonObject *answered;

  if (!run (words, &answer, error))
    return FALSE;
  if (!answer.is_successful)
    return refuse (&answer, _ ("ONNX Runtime’s Python package"), error);
  node = dyno_json_text_parse (answer.output);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return refuse (&answer, _ ("ONNX Runtime’s Python package"), error);
  answered = json_node_get_object (node);
  measured->median_ms = json_object_get_double_member_with_default (answered, "median_ms", NAN);
  g_free (measured->version);
  measured->version = g_strdup (json_object_get_string_member_with_default (answered, "version", NULL));
  return TRUE;
}

char *
dyno_cli_verify_dup_python_version (void)
{
  g_autofree char *program = find_program (PYTHON_VARIABLE, "python3");
  const char *const words[] = { program, "-c", "import numpy, onnxruntime; print(onnxruntime.__version__)",
                                NULL };
  g_auto (DynoCommandAnswer) answer = { NULL };

  if (program == NULL || !run (words, &answer, NULL) || !answer.is_successful)
    return NULL;
  return g_strdup (g_strstrip (answer.output));
}

char *
dyno_cli_verify_find_benchmark_app (void)
{
  return find_program (BENCHMARK_APP_VARIABLE, "benchmark_app");
}

gboolean
dyno_cli_verify_run_benchmark_app (
    const DynoBareTiming *timing, guint threads, double seconds, DynoCliToolTiming *measured, GError **error)
{
  g_autofree char *program = dyno_cli_verify_find_benchmark_app ();
  g_autofree char *n_threads = g_strdup_printf ("%u", threads);

  /* “pixel_values[1,3,224,224]”, as the tool takes shapes */
  g_autoptr (JsonNode) node = dyno_json_text_parse (timing->inputs);
  JsonArray *array = json_node_get_array (node);
  g_autoptr (GPtrArray) list = g_ptr_array_new_null_terminated (1, g_free, TRUE);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *input = json_array_get_object_element (array, i);
      g_autofree char *shape = dyno_json_text_write (json_object_get_member (input, "shape"), FALSE);

      g_ptr_array_add (list, g_strconcat (json_object_get_string_member (input, "name"), shape, NULL));
    }

  g_autofree char *shapes = g_strjoinv (",", (char **)list->pdata);
  g_autofree char *duration = g_strdup_printf ("%.0f", ceil (seconds));
  const char *const words[] = {
    program, "-m",     timing->path, "-d", "CPU",       "-api",    "sync",
    "-hint", "none",   "-nstreams",  "1",  "-nthreads", n_threads, "-infer_precision",
    "f32",   "-shape", shapes,       "-t", duration,    NULL,
  };
  g_auto (DynoCommandAnswer) answer = { NULL };
  g_autoptr (GRegex) regex =
      g_regex_new ("Build[ .]+([0-9.]+[0-9]).*Median:\\s+([0-9.]+) ms", G_REGEX_DOTALL, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *number = NULL;

  if (!run (words, &answer, error))
    return FALSE;
  if (!answer.is_successful || !g_regex_match (regex, answer.output, 0, &match))
    return refuse (&answer, "benchmark_app", error);
  number = g_match_info_fetch (match, 2);
  measured->median_ms = g_ascii_strtod (number, NULL);
  g_free (measured->version);
  measured->version = g_match_info_fetch (match, 1);
  return TRUE;
}
