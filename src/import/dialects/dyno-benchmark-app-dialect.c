/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-error.h"
#include "dyno-import-dialects-private.h"
#include "dyno-result-samples.h"

/* OpenVINO’s benchmark_app: its report as JSON or as CSV of `label;value` in sections, the counters of
 * layers as CSV or JSON, and its console. There is one in C++ and one in Python, with different labels. All
 * times are in ms; the Python tool writes numbers as text. Its “median” latency is the percentile that the
 * user chose. */

#define STREAMS_KEY "_streams_num"

/* Labels of the CSV, and their names in JSON. */
static const DynoImportLabel labels[] = {
  { "topology", "topology" },
  { "target device", "target_device" },
  { "precision", "precision" },
  { "batch size", "batch_size" },
  { "API", "api" },
  { "benchmark mode", "benchmark_mode" },
  { "number of parallel infer requests", "nireq" },
  { "read model time (ms)", "read_model_time" },
  { "read network time (ms)", "read_model_time" },
  { "load model time (ms)", "load_model_time" },
  { "load network time (ms)", "load_model_time" },
  { "compile model time (ms)", "load_model_time" },
  { "import model time (ms)", "import_model_time" },
  { "first inference time (ms)", "first_inference_time" },
  { "total execution time (ms)", "execution_time" },
  { "total number of iterations", "iterations_num" },
  { "Median latency (ms)", "latency_median" },
  { "latency (ms)", "latency_median" },
  { "Percentile boundary", "percentile_boundary" },
  { "Average latency (ms)", "latency_avg" },
  { "Min latency (ms)", "latency_min" },
  { "Max latency (ms)", "latency_max" },
  { "avg latency", "latency_avg" },
  { "min latency", "latency_min" },
  { "max latency", "latency_max" },
  { "throughput", "throughput" },
};

static const DynoImportField values[] = {
  { "latency_avg", "latency_mean_ms", "ms" },  { "latency_min", "latency_min_ms", "ms" },
  { "latency_max", "latency_max_ms", "ms" },   { "throughput", "throughput_items_per_sec", "FPS" },
  { "load_model_time", "load_time_ms", "ms" }, { "import_model_time", "load_time_ms", "ms" },
  { "read_model_time", "load_read_ms", "ms" }, { "first_inference_time", "first_run_ms", "ms" },
  { "iterations_num", "latency_samples", "" },
};

static char *
dup_precision (DynoRecord *record)
{
  static const struct
  {
    const char *type;
    const char *precision;
  } precisions[] = { { "FP32", "fp32" }, { "F32", "fp32" },  { "FP16", "fp16" },
                     { "F16", "fp16" },  { "BF16", "bf16" }, { "INT8", "int8" } };
  const char *type = dyno_record_get_text (record, "precision");

  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    if (type != NULL && g_ascii_strcasecmp (precisions[i].type, type) == 0)
      return g_strdup (precisions[i].precision);
  return NULL;
}

static void
set_tool (DynoImportBuilder *builder, const char *version)
{
  dyno_import_builder_set_tool (builder, "benchmark_app", version);
}

static void
add_options (DynoImportBuilder *builder, DynoRecord *options, DynoRecord *setup, const char *batch)
{
  g_autofree char *requests = dyno_record_dup_word (setup, "nireq");
  const char *api = dyno_record_get_text (setup, "api");

  dyno_import_builder_add_option (builder, "nireq", requests);
  if (g_strcmp0 (api, "async") != 0)
    dyno_import_builder_add_option (builder, "api", api);

  /* Each device has its own number of streams; usually there is one device. */
  g_auto (GStrv) names = dyno_record_list_names (setup);
  guint n = 0;

  for (char **name = names; *name != NULL; name++)
    n += g_str_has_suffix (*name, STREAMS_KEY);
  for (char **name = names; *name != NULL; name++)
    if (g_str_has_suffix (*name, STREAMS_KEY))
      {
        g_autofree char *device = g_strndup (*name, strlen (*name) - strlen (STREAMS_KEY));
        g_autofree char *option = n > 1 ? g_strdup_printf ("streams_%s", device) : g_strdup ("streams");
        g_autofree char *streams = dyno_record_dup_word (setup, *name);

        dyno_import_builder_add_option (builder, option, streams);
      }

  /* Whether inputs are filled during the measurement: in words, or as a truth value of Python. */
  g_autofree char *only = dyno_record_dup_word (setup, "inference_only");
  const char *mode = dyno_record_get_text (setup, "benchmark_mode");

  if (mode == NULL && only != NULL)
    mode = dyno_import_words_is_true (only) ? "inference only" : "full";
  dyno_import_builder_add_option (builder, "mode", mode);
  dyno_import_builder_add_option (builder, "batch", batch);
  dyno_import_builder_add_option (builder, "hint", dyno_record_get_text (options, "hint"));
  dyno_import_builder_add_option (builder, "infer_precision",
                                  dyno_record_get_text (options, "infer_precision"));
}

/* @setup and @results may be the same record. The batch of a dynamic model is a range, “1..4” or “?”, and not the
 * size of a step. */
static gboolean
read_report (
    DynoImportBuilder *builder, DynoRecord *options, DynoRecord *setup, DynoRecord *results, GError **error)
{
  g_autofree char *precision = dup_precision (setup);
  g_autofree char *batch = dyno_record_dup_word (setup, "batch_size");
  const char *model = dyno_record_get_text (setup, "topology");
  const char *device = dyno_record_get_text (setup, "target_device");
  guint64 size = 0;
  gboolean is_size = batch != NULL && g_ascii_string_to_unsigned (batch, 10, 0, G_MAXINT, &size, NULL);
  const DynoImportCase kase = {
    .model = model,
    .backend = "openvino",
    .device = device,
    .precision = precision,
    .batch_size = is_size ? (guint)size : 0,
  };

  set_tool (builder, dyno_record_get_text (setup, "version"));
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_device (builder, device, g_strcmp0 (device, "CPU") == 0 ? "cpu" : NULL);
  add_options (builder, options, setup, kase.batch_size == 0 ? batch : NULL);

  double boundary = dyno_record_get_amount (results, "percentile_boundary");
  double latency = dyno_record_get_amount (results, "latency_median");
  g_autofree char *name = g_strdup_printf ("latency_p%.0f_ms", isfinite (boundary) ? boundary : 50);

  if (dyno_result_get_percentile (name) > 0)
    dyno_import_builder_add_value (builder, name, latency, "ms",
                                   "latency_median, the percentile that was chosen");

  dyno_import_builder_add_amounts (builder, results, values, G_N_ELEMENTS (values));
  if (dyno_record_has (results, "error"))
    dyno_import_builder_fail_case (builder, dyno_record_get_text (results, "error"));
  dyno_import_builder_take_rest (builder, "cmd_options", dyno_record_dup_rest (options));
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (setup));
  if (results != setup)
    dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (results));
  return TRUE;
}

/* The Python tool writes its options in place of all three parts. */
static gboolean
has_results (DynoRecord *results)
{
  return dyno_record_has (results, "throughput") || dyno_record_has (results, "latency_avg") ||
         dyno_record_has (results, "error");
}

static gboolean
read_json_report (DynoImportBuilder *builder, DynoRecord *root, GError **error)
{
  g_autoptr (DynoRecord) options = dyno_record_has (root, "cmd_options")
                                       ? dyno_record_new_part (root, "cmd_options")
                                       : dyno_record_new (dyno_record_get_line (root));
  g_autoptr (DynoRecord) setup = dyno_record_new_part (root, "configuration_setup");
  g_autoptr (DynoRecord) results = dyno_record_new_part (root, "execution_results");

  if (options != NULL && setup != NULL && results != NULL && has_results (results))
    return read_report (builder, options, setup, results, error);
  if (dyno_record_check (root, error))
    dyno_import_file_set_error (error, dyno_record_get_line (root),
                                _ ("The report has no results. benchmark_app in Python writes them as CSV "
                                   "only: import “benchmark_report.csv”."));
  return FALSE;
}

/* Layers */

/* The sum of a layer over all requests. */
typedef struct
{
  char *name;
  char *type;
  char *how;
  gboolean has_run;
  double milliseconds;
} Layer;

static void
layer_free (Layer *self)
{
  g_free (self->name);
  g_free (self->type);
  g_free (self->how);
  g_free (self);
}

/* The layers of a file, in file order. */
typedef struct
{
  GPtrArray *layers;
  GHashTable *by_name;
  guint n_requests;
} Layers;

static void
layers_clear (Layers *self)
{
  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->layers);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layers, layers_clear)

static void
layers_init (Layers *self)
{
  self->layers = g_ptr_array_new_with_free_func ((GDestroyNotify)layer_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->n_requests = 0;
}

static void
take_layer (Layers *self,
            const char *name,
            const char *type,
            const char *how,
            const char *status,
            double milliseconds)
{
  Layer *layer = name != NULL ? g_hash_table_lookup (self->by_name, name) : NULL;

  if (name == NULL || type == NULL || !(milliseconds >= 0) || milliseconds > 1e6 ||
      g_strcmp0 (name, "Total") == 0)
    return;
  if (layer == NULL)
    {
      layer = g_new0 (Layer, 1);
      layer->name = g_strdup (name);
      layer->type = g_strdup (type);
      layer->how = g_strdup (how);
      g_ptr_array_add (self->layers, layer);
      g_hash_table_insert (self->by_name, layer->name, layer);
    }
  layer->has_run = layer->has_run || status == NULL || strstr (status, "NOT_RUN") == NULL;
  layer->milliseconds += milliseconds;
}

/* Adds the layers per request, which is a step. */
static void
add_layers (DynoImportBuilder *builder, const Layers *self)
{
  for (guint i = 0; i < self->layers->len; i++)
    {
      const Layer *layer = self->layers->pdata[i];
      double nanoseconds = layer->milliseconds * 1e6 / MAX (self->n_requests, 1);
      DynoOperator *op;

      if (!(nanoseconds <= 1e15))
        continue;
      op = dyno_operator_new (layer->name, layer->type, layer->how);
      dyno_operator_set_calls (op, layer->has_run ? 1 : 0);
      dyno_operator_set_time_ns (op, (gint64)nanoseconds);
      dyno_import_builder_take_operator (builder, op);
    }
}

static gboolean
begin_layers (DynoImportBuilder *builder, GError **error)
{
  const DynoImportCase kase = { .backend = "openvino" };

  set_tool (builder, NULL);
  return dyno_import_builder_begin_case (builder, &kase, error);
}

static char
find_delimiter (const char *head)
{
  return dyno_dialect_has_column (head, ';', "layerName") ? ';' : ',';
}

/* With detailed counters, the column names are repeated before the rows of each request. A row with one
 * field is a sentence about all of them. */
static gboolean
collect_layers (DynoImportFile *file, Layers *layers, GError **error)
{
  char delimiter = find_delimiter (dyno_import_file_get_head (file));
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GError) local_error = NULL;
  GPtrArray *next;
  guint line;

  while ((next = dyno_table_read_row (file, delimiter, &line, &local_error)) != NULL)
    {
      g_autoptr (GPtrArray) cells = next;

      if (strcmp (cells->pdata[0], "layerName") == 0)
        {
          g_clear_pointer (&names, g_ptr_array_unref);
          names = g_steal_pointer (&cells);
          layers->n_requests++;
        }
      else if (cells->len > 1)
        {
          g_autoptr (DynoRecord) row = dyno_record_new (line);

          if (names == NULL || names->len != cells->len)
            {
              dyno_table_set_width_error (error, line, cells->len, names != NULL ? names->len : 0);
              return FALSE;
            }
          for (guint i = 0; i < cells->len; i++)
            dyno_record_take_text (row, names->pdata[i], g_strdup (cells->pdata[i]));
          take_layer (layers, dyno_record_get_text (row, "layerName"),
                      dyno_record_get_text (row, "layerType"), dyno_record_get_text (row, "execType"),
                      dyno_record_get_text (row, "execStatus"),
                      dyno_record_get_amount (row, "realTime (ms)"));

          if (!dyno_record_check (row, error))
            return FALSE;
        }
    }
  return dyno_error_pass (&local_error, error);
}

static gboolean
read_layer_nodes (DynoImportBuilder *builder, DynoRecord *root, GError **error)
{
  const char *kind = dyno_record_has (root, "avg_performance") ? "avg_performance" : "detailed_performance";
  g_autoptr (DynoRecord) performance =
      dyno_record_is_array (root, kind)
          ? dyno_record_new_element (root, dyno_record_get_array (root, kind), 0)
          : dyno_record_new_part (root, kind);
  JsonArray *nodes = performance != NULL ? dyno_record_get_array (performance, "nodes") : NULL;
  g_auto (Layers) layers = { NULL };

  layers_init (&layers);
  if (!begin_layers (builder, error))
    return FALSE;
  for (guint i = 0; nodes != NULL && i < json_array_get_length (nodes); i++)
    {
      g_autoptr (DynoRecord) node = dyno_record_new_element (performance, nodes, i);

      if (node != NULL)
        take_layer (&layers, dyno_record_get_text (node, "name"), dyno_record_get_text (node, "node_type"),
                    dyno_record_get_text (node, "exec_type"), dyno_record_get_text (node, "status"),
                    dyno_record_get_amount (node, "real_time"));
    }
  add_layers (builder, &layers);
  return TRUE;
}

/* The report as CSV */

/* The position in the sections. After “group”, the Python tool labels the latencies for inputs of one shape
 * like those for all inputs. */
typedef struct
{
  DynoRecord *options;
  DynoRecord *record;
  gboolean is_setup;
  gboolean is_group;
} Sections;

static void
take_cells (Sections *self, GPtrArray *cells, guint line)
{
  char *label = g_strstrip (cells->pdata[0]);

  if (strcmp (label, "Configuration setup") == 0 || strcmp (label, "Execution results") == 0)
    self->is_setup = TRUE;
  if (cells->len != 2)
    return;
  g_strstrip (cells->pdata[1]);
  if (!self->is_setup)
    dyno_record_take_text_at (self->options, line, label, g_strdup (cells->pdata[1]));
  self->is_group = self->is_group || strcmp (label, "group") == 0;
  if (self->is_setup && (!self->is_group || strcmp (label, "throughput") == 0))
    {
      /* “latency (90 percentile) (ms)”, “number of CPU streams” */
      const char *usual = label;
      guint boundary = 0;
      char device[64];
      g_autofree char *key = NULL;

      if (sscanf (label, "latency (%u percentile) (ms)", &boundary) == 1)
        {
          dyno_record_take_text_at (self->record, line, "percentile_boundary",
                                    g_strdup_printf ("%u", boundary));
          usual = "latency (ms)";
        }
      if (g_str_has_suffix (label, " streams") && sscanf (label, "number of %63s streams", device) == 1)
        key = g_strconcat (device, STREAMS_KEY, NULL);
      dyno_record_take_text_at (self->record, line,
                                key != NULL ? key
                                            : dyno_import_words_find (labels, G_N_ELEMENTS (labels), usual),
                                g_strdup (cells->pdata[1]));
    }
}

/* The console */

/* The label before each number, and its name in JSON. */
static const struct
{
  const char *sign;
  const char *key;
} signs[] = {
  { "Count:", "iterations_num" },
  { "Duration:", "execution_time" },
  { "Latency:", "latency_median" },
  { "Median:", "latency_median" },
  { "Average:", "latency_avg" },
  { "AVG:", "latency_avg" },
  { "Min:", "latency_min" },
  { "MIN:", "latency_min" },
  { "Max:", "latency_max" },
  { "MAX:", "latency_max" },
  { "Throughput:", "throughput" },
  { "Read model took", "read_model_time" },
  { "Read network took", "read_model_time" },
  { "Compile model took", "load_model_time" },
  { "Load network took", "load_model_time" },
  { "Import model took", "import_model_time" },
  { "First inference took", "first_inference_time" },
  { "Model batch size:", "batch_size" },
  { "Network batch size:", "batch_size" },
  { "NUM_STREAMS:", STREAMS_KEY },
};

/* The run being read. */
typedef struct
{
  DynoImportBuilder *builder;
  DynoRecord *record;  /* nullable */
  DynoRecord *options; /* nullable, as @record */
  char *model;         /* nullable: from the command above it */
  gboolean is_device;  /* whether the next line names the device */
} Console;

static void
console_clear (Console *self)
{
  g_clear_pointer (&self->record, dyno_record_free);
  g_clear_pointer (&self->options, dyno_record_free);
  g_free (self->model);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Console, console_clear)

/* First match wins: groups of inputs repeat the same words. */
static void
take_fact (DynoRecord *record, guint line, const char *key, char *text)
{
  g_autofree char *owned = text;

  if (text != NULL && *text != '\0' && !dyno_record_has (record, key))
    dyno_record_take_text_at (record, line, key, g_steal_pointer (&owned));
}

static char *
dup_word (const char *text)
{
  text += strspn (text, " ");
  return g_strndup (text, strcspn (text, " "));
}

static void
take_settings (Console *self, guint line, const char *text)
{
  static const char hint[] = "PERFORMANCE_HINT: ";
  const char *build = g_str_has_prefix (text, "Build .") ? strrchr (text, ' ') : NULL;
  const char *start = strstr (text, "Start inference ");
  const char *requests = start != NULL ? strstr (start, ", ") : NULL;

  /* “Build ...... 2024.0.0-14509-34caeefd078-releases/2024/0” */
  if (build != NULL)
    {
      take_fact (self->record, line, "version", g_strndup (build + 1, strcspn (build + 1, "-")));
      take_fact (self->record, line, "build", g_strdup (build + 1));
    }

  /* “Start inference asynchronously, 4 inference requests using 4 streams for CPU, limits: 60000 ms duration” */
  if (start != NULL)
    take_fact (self->record, line, "api",
               g_strdup (g_str_has_prefix (start, "Start inference synchronously") ? "sync" : "async"));
  if (requests != NULL && strstr (requests, " inference requests") != NULL)
    take_fact (self->record, line, "nireq", dup_word (requests + 2));

  if (self->is_device)
    take_fact (self->record, line, "target_device", g_strdup (text));
  self->is_device = g_str_has_prefix (text, "Device info");
  if (g_str_has_prefix (text, hint))
    {
      const char *name = strrchr (text, '.');

      take_fact (self->options, line, "hint",
                 g_ascii_strdown (name != NULL ? name + 1 : text + strlen (hint), -1));
    }
  if (g_str_has_prefix (text, "Benchmarking in "))
    take_fact (self->record, line, "benchmark_mode",
               g_strdup (strstr (text, "inference only") != NULL ? "inference only" : "full"));
}

/* An interrupted run has printed no result. */
static gboolean
end_console_run (Console *self, GError **error)
{
  g_autoptr (DynoRecord) record = g_steal_pointer (&self->record);
  g_autoptr (DynoRecord) options = g_steal_pointer (&self->options);

  if (record == NULL || !has_results (record))
    return TRUE;
  if (!read_report (self->builder, options, record, record, error))
    return FALSE;
  dyno_import_builder_set_numbering (self->builder, "run");
  return dyno_record_check (record, error);
}

static gboolean
read_console_line (const char *text, guint line, gpointer data, GError **error)
{
  static const char mark[] = "[ INFO ]";
  Console *self = data;
  g_autofree char *inner = g_strstrip (g_strdup (text));

  dyno_console_text_take (
      &self->model,
      dyno_console_text_find (inner, "benchmark_app.* -m[ =](\\S+?)(?:\\.xml|\\.onnx)?(?: |$)"));
  if (g_str_has_prefix (inner, mark))
    memmove (inner, inner + strlen (mark), strlen (inner) - strlen (mark) + 1);
  g_strstrip (inner);
  if (g_str_has_prefix (inner, "[Step 1/") || (self->record == NULL && g_str_has_prefix (inner, "[Step ")))
    {
      if (!end_console_run (self, error))
        return FALSE;
      self->record = dyno_record_new (line);
      self->options = dyno_record_new (line);
      take_fact (self->record, line, "topology", g_strdup (self->model));
    }
  if (self->record == NULL)
    return TRUE;

  static const char percentile[] = " percentile:";
  const char *value = strstr (inner, percentile);
  guint boundary = 0;

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_has_prefix (inner, signs[i].sign))
      take_fact (self->record, line, signs[i].key, dup_word (inner + strlen (signs[i].sign)));
  if (value != NULL && sscanf (inner, "%u", &boundary) == 1)
    {
      take_fact (self->record, line, "percentile_boundary", g_strdup_printf ("%u", boundary));
      take_fact (self->record, line, "latency_median", dup_word (value + strlen (percentile)));
    }

  take_settings (self, line, inner);
  return TRUE;
}

/* The dialect */

static gboolean
is_console (const char *head)
{
  return strstr (head, "] Measuring performance (Start inference ") != NULL ||
         strstr (head, "] Dumping statistics report") != NULL;
}

static gboolean
is_sections (const char *head)
{
  return dyno_dialect_begins_with (head, "Command line parameters") &&
         strstr (head, "Execution results") != NULL;
}

static gboolean
is_layers (const char *head)
{
  char delimiter = find_delimiter (head);

  return dyno_dialect_has_column (head, delimiter, "layerName") &&
         dyno_dialect_has_column (head, delimiter, "realTime (ms)");
}

static gboolean
recognise (const char *head)
{
  static const char *const report[] = { "configuration_setup", "execution_results", NULL };

  return is_sections (head) || is_layers (head) || is_console (head) ||
         dyno_dialect_has_keys (head, report) ||
         (dyno_dialect_begins_with (head, "{") && dyno_dialect_has_key (head, "report_type") &&
          (dyno_dialect_has_key (head, "avg_performance") ||
           dyno_dialect_has_key (head, "detailed_performance")));
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  const char *head = dyno_import_file_get_head (file);
  g_autoptr (DynoRecord) root = NULL;

  if (is_sections (head))
    {
      g_autoptr (DynoRecord) record = dyno_record_new (1);
      g_autoptr (DynoRecord) options = dyno_record_new (1);
      g_autoptr (GError) local_error = NULL;
      Sections sections = { .options = options, .record = record };
      GPtrArray *next;
      guint line;

      while ((next = dyno_table_read_row (file, ';', &line, &local_error)) != NULL)
        {
          g_autoptr (GPtrArray) cells = next;

          take_cells (&sections, cells, line);
        }
      if (!dyno_error_pass (&local_error, error))
        return FALSE;
      return read_report (builder, options, record, record, error) && dyno_record_check (record, error);
    }
  if (is_layers (head))
    {
      g_auto (Layers) layers = { NULL };

      layers_init (&layers);
      if (!collect_layers (file, &layers, error) || !begin_layers (builder, error))
        return FALSE;
      add_layers (builder, &layers);
      return TRUE;
    }
  if (is_console (head))
    {
      g_auto (Console) console = { .builder = builder };

      return dyno_import_file_read_lines (file, read_console_line, &console, error) &&
             end_console_run (&console, error);
    }
  root = dyno_json_reader_read_record (file, error);
  if (root == NULL)
    return FALSE;
  return (dyno_record_has (root, "report_type") ? read_layer_nodes (builder, root, error)
                                                : read_json_report (builder, root, error)) &&
         dyno_record_check (root, error);
}

const DynoDialect dyno_benchmark_app_dialect = {
  .name = "benchmark-app",
  .title = "benchmark_app of OpenVINO",
  .method = N_ ("It keeps several requests in flight unless told otherwise, in one process and after a "
                "single request for warming up; a latency holds the time that a request waits for others."),
  .recognise = recognise,
  .read = read_file,
};
