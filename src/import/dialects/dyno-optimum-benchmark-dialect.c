/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"
#include "dyno-json.h"

/* optimum-benchmark: `benchmark.json` with the configuration and the report, or `benchmark_report.json`
 * with the report alone and `benchmark_config.json` beside it. A report has *targets*, the phases of one
 * measurement, each with the requested ones of latency, throughput, memory and energy. They are one case;
 * its step is the first of these targets. */
static const char *const steps[] = { "forward", "generate", "call", "train", "overall", "prefill" };

#define REPORT_FILE "benchmark_report.json"
#define CONFIG_FILE "benchmark_config.json"

#define RECORDED_TWICE                                                                                       \
  "the list of token latencies is not cleared between iterations, so it holds some twice and lacks others"
#define DECODE_VOLUME "where tokens are timed one by one, the volume is that of decoding, called samples"

/* A target of the report. */
typedef struct
{
  DynoRecord *record;
  DynoRecord *latency;
  DynoRecord *throughput;
  DynoRecord *memory;
  DynoRecord *energy;
  DynoRecord *efficiency;
} Target;

static void
target_clear (Target *self)
{
  g_clear_pointer (&self->latency, dyno_record_free);
  g_clear_pointer (&self->throughput, dyno_record_free);
  g_clear_pointer (&self->memory, dyno_record_free);
  g_clear_pointer (&self->energy, dyno_record_free);
  g_clear_pointer (&self->efficiency, dyno_record_free);
  g_clear_pointer (&self->record, dyno_record_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Target, target_clear)

static gboolean
open_target (Target *self, DynoRecord *report, const char *name)
{
  self->record = dyno_record_new_part (report, name);
  if (self->record == NULL)
    return FALSE;
  self->latency = dyno_record_new_part (self->record, "latency");
  self->throughput = dyno_record_new_part (self->record, "throughput");
  self->memory = dyno_record_new_part (self->record, "memory");
  self->energy = dyno_record_new_part (self->record, "energy");
  self->efficiency = dyno_record_new_part (self->record, "efficiency");
  return TRUE;
}

static const char *
get_text (DynoRecord *record, const char *name)
{
  return record != NULL ? dyno_record_get_text (record, name) : NULL;
}

static double
get_number (DynoRecord *record, const char *name)
{
  return record != NULL ? dyno_record_get_amount (record, name) : NAN;
}

static guint
get_count (DynoRecord *record, const char *name)
{
  return record != NULL ? dyno_record_get_count (record, name) : 0;
}

/* The step */

static void
add_latency (DynoImportBuilder *builder, DynoRecord *latency)
{
  static const struct
  {
    const char *field;
    const char *name;
  } statistics[] = {
    { "mean", "latency_mean_ms" }, { "stdev", "latency_stddev_ms" }, { "p50", "latency_p50_ms" },
    { "p90", "latency_p90_ms" },   { "p95", "latency_p95_ms" },      { "p99", "latency_p99_ms" },
  };
  gsize n = 0;
  g_autofree double *values = NULL;

  if (latency == NULL)
    return;
  values = dyno_record_dup_amounts (latency, "values", &n);
  dyno_import_builder_add_process (builder, values, n, "s", "latency.values");
  for (guint i = 0; i < G_N_ELEMENTS (statistics); i++)
    {
      double number = get_number (latency, statistics[i].field);
      g_autofree char *how = g_strdup_printf ("latency.%s", statistics[i].field);

      if (n == 0)
        dyno_import_builder_add_value (builder, statistics[i].name, number, "s", how);
    }
}

static void
add_energy (DynoImportBuilder *builder, const Target *target)
{
  static const struct
  {
    const char *field;
    const char *name;
  } parts[] = {
    { "total", "energy_step_joules" },
    { "cpu", "energy_cpu_joules" },
    { "ram", "energy_ram_joules" },
    { "gpu", "energy_gpu_joules" },
  };
  const char *unit = get_text (target->efficiency, "unit");
  double efficiency = get_number (target->efficiency, "value");

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *how = g_strdup_printf (
          "energy.%s of one step, by CodeCarbon: the whole machine, once a second", parts[i].field);

      dyno_import_builder_add_value (builder, parts[i].name, get_number (target->energy, parts[i].field),
                                     "kWh", how);
    }
  if (efficiency > 0 && unit != NULL)
    dyno_import_builder_add_value (
        builder, g_str_has_prefix (unit, "tokens") ? "energy_per_token_joules" : "energy_per_item_joules",
        1 / efficiency, "kWh", "1 over efficiency");
}

/* The other targets */

static void
add_other_targets (DynoImportBuilder *builder, DynoRecord *report)
{
  static const struct
  {
    const char *target;
    const char *name;
  } others[] = {
    { "load", "load_time_ms" },          { "load_model", "load_time_ms" },
    { "first_forward", "first_run_ms" }, { "first_generate", "first_run_ms" },
    { "first_call", "first_run_ms" },    { "warmup", "warm_up_ms" },
    { "per_step", "step_latency_ms" },
  };
  g_auto (Target) prefill = { NULL };
  g_auto (Target) decode = { NULL };
  g_auto (Target) token = { NULL };

  if (open_target (&prefill, report, "prefill"))
    {
      dyno_import_builder_add_value (builder, "first_token_latency_ms", get_number (prefill.latency, "p50"),
                                     "s", "prefill.latency.p50");
      dyno_import_builder_add_value (builder, "prefill_tokens_per_sec",
                                     get_number (prefill.throughput, "value"), "tokens/s",
                                     "prefill.throughput");
    }
  if (open_target (&decode, report, "decode"))
    dyno_import_builder_add_value (builder, "decode_tokens_per_sec", get_number (decode.throughput, "value"),
                                   "tokens/s", "decode.throughput");
  if (open_target (&token, report, "per_token"))
    dyno_import_builder_add_faulty (builder, "inter_token_latency_ms", get_number (token.latency, "p50"), "s",
                                    "per_token.latency.p50", RECORDED_TWICE);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_auto (Target) target = { NULL };
      g_autofree char *how = g_strdup_printf ("%s.latency.mean", others[i].target);

      if (open_target (&target, report, others[i].target))
        dyno_import_builder_add_value (builder, others[i].name, get_number (target.latency, "mean"), "s",
                                       how);
    }
}

static gboolean
add_report (DynoImportBuilder *builder, DynoRecord *report, GError **error)
{
  gboolean has_tokens = dyno_record_has (report, "per_token");
  g_auto (Target) step = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (steps) && step.record == NULL; i++)
    if (dyno_record_has (report, steps[i]))
      open_target (&step, report, steps[i]);
  if (step.record == NULL)
    {
      dyno_import_file_set_error (error, dyno_record_get_line (report),
                                  _ ("The report has no target that Dyno knows."));
      return FALSE;
    }
  add_latency (builder, step.latency);

  /* The rate of a step's items: tokens have a separate rate. */
  const char *unit = get_text (step.throughput, "unit");
  gboolean is_tokens = g_strcmp0 (unit, "tokens/s") == 0;
  const char *name = is_tokens ? "throughput_tokens_per_sec" : "throughput_items_per_sec";
  double number = get_number (step.throughput, "value");

  if (has_tokens && !is_tokens)
    dyno_import_builder_add_faulty (builder, name, number, "1/s", "throughput.value", DECODE_VOLUME);
  else
    dyno_import_builder_add_value (builder, name, number, is_tokens ? "tokens/s" : "1/s", "throughput.value");

  dyno_import_builder_add_value (builder, "memory_peak_mb", get_number (step.memory, "max_ram"), "MB",
                                 "memory.max_ram, of one process, polled every 10 ms");
  dyno_import_builder_add_value (builder, "device_memory_peak_mb",
                                 get_number (step.memory, "max_process_vram"), "MB",
                                 "memory.max_process_vram");
  dyno_import_builder_add_value (builder, "device_memory_global_peak_mb",
                                 get_number (step.memory, "max_global_vram"), "MB", "memory.max_global_vram");
  dyno_import_builder_add_value (builder, "memory_allocator_held_mb",
                                 get_number (step.memory, "max_reserved"), "MB", "memory.max_reserved");
  dyno_import_builder_add_value (builder, "memory_allocator_used_mb",
                                 get_number (step.memory, "max_allocated"), "MB", "memory.max_allocated");
  add_energy (builder, &step);
  add_other_targets (builder, report);
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (report));
  return TRUE;
}

/* The configuration */

typedef struct
{
  DynoRecord *backend;
  DynoRecord *scenario;
  DynoRecord *shapes;
  DynoRecord *generation;
  DynoRecord *environment;
} Config;

static void
config_clear (Config *self)
{
  g_clear_pointer (&self->backend, dyno_record_free);
  g_clear_pointer (&self->shapes, dyno_record_free);
  g_clear_pointer (&self->generation, dyno_record_free);
  g_clear_pointer (&self->scenario, dyno_record_free);
  g_clear_pointer (&self->environment, dyno_record_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Config, config_clear)

static void
take_rest (DynoImportBuilder *builder, const char *name, DynoRecord *record)
{
  if (record != NULL)
    dyno_import_builder_take_run_rest (builder, name, dyno_record_dup_rest (record));
}

/* A report without a configuration is only described by its file name. */
static gboolean
begin_case (DynoImportBuilder *builder, const Config *config, GError **error)
{
  const char *model = get_text (config->backend, "model");
  const char *device = get_text (config->backend, "device");
  const char *type = get_text (config->backend, "torch_dtype");
  const char *name = get_text (config->backend, "name");
  /* In Dyno, providers of ONNX Runtime are separate backends. */
  gboolean is_provider = g_strcmp0 (name, "onnxruntime") == 0 &&
                         (g_strcmp0 (device, "cpu") == 0 || g_strcmp0 (device, "cuda") == 0);
  const char *version = get_text (config->environment, "optimum_benchmark_version");
  const char *commit = get_text (config->environment, "optimum_benchmark_commit");
  g_autofree char *both =
      version != NULL && commit != NULL ? g_strdup_printf ("%s (%.7s)", version, commit) : g_strdup (version);
  const DynoImportCase kase = {
    .model = model,
    .backend = is_provider    ? device
               : name != NULL ? name
                              : "optimum-benchmark",
    .device = is_provider ? NULL : device,
    .precision = dyno_import_words_find_precision (type != NULL ? type : get_text (config->backend, "dtype")),
    .batch_size = get_count (config->shapes, "batch_size"),
    .sequence_length = get_count (config->shapes, "sequence_length"),
    .generate_tokens = get_count (config->generation, "max_new_tokens"),
    .threads = get_count (config->backend, "intra_op_num_threads"),
  };

  dyno_import_builder_set_tool (builder, "optimum-benchmark", both);
  dyno_import_builder_set_machine (builder, "cpu", "name", get_text (config->environment, "cpu"));
  dyno_import_builder_set_machine (builder, "os", "name", get_text (config->environment, "platform"));
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_model (builder, get_text (config->backend, "model_type"), NAN);
  if (config->environment != NULL)
    {
      JsonArray *gpus = dyno_record_get_array (config->environment, "gpu");
      const char *gpu = gpus != NULL && json_array_get_length (gpus) > 0
                            ? dyno_json_node_get_string (json_array_get_element (gpus, 0))
                            : NULL;
      gboolean is_cpu = g_strcmp0 (device, "cpu") == 0;

      dyno_import_builder_set_device (builder, is_cpu ? get_text (config->environment, "cpu") : gpu,
                                      is_cpu ? "cpu" : NULL);
    }
  return TRUE;
}

/* An unreadable config beside the report is ignored: the report has the measurements. */
static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoRecord) root = dyno_json_reader_read_record (file, error);
  g_autoptr (DynoRecord) report = root != NULL ? dyno_record_new_part (root, "report") : NULL;
  gboolean is_report = root != NULL && g_strcmp0 (dyno_import_file_get_name (file), REPORT_FILE) == 0;
  g_autoptr (DynoRecord) config = report != NULL ? dyno_record_new_part (root, "config")
                                  : is_report    ? dyno_json_reader_read_beside (file, CONFIG_FILE)
                                                 : NULL;
  g_auto (Config) setup = { NULL };

  if (root == NULL)
    return FALSE;
  if (config != NULL)
    {
      setup.backend = dyno_record_new_part (config, "backend");
      setup.scenario = dyno_record_new_part (config, "scenario");
      setup.environment = dyno_record_new_part (config, "environment");
    }
  if (setup.scenario != NULL)
    {
      setup.shapes = dyno_record_new_part (setup.scenario, "input_shapes");
      setup.generation = dyno_record_new_part (setup.scenario, "generate_kwargs");
    }
  if (!begin_case (builder, &setup, error) || !add_report (builder, report != NULL ? report : root, error))
    return FALSE;
  take_rest (builder, "backend", setup.backend);
  take_rest (builder, "scenario", setup.scenario);
  take_rest (builder, "input_shapes", setup.shapes);
  take_rest (builder, "environment", setup.environment);
  take_rest (builder, "config", config);
  return (config == NULL || dyno_record_check (config, error)) && dyno_record_check (root, error);
}

/* No other report has memory, latency, throughput, energy and efficiency next to each other. */
static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "memory", "latency", "throughput", "energy", "efficiency", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys) &&
         !dyno_dialect_has_key (head, "traceEvents");
}

static const DynoDialectPart parts[] = {
  { REPORT_FILE, "benchmark.json" },
  { CONFIG_FILE, "benchmark.json" },
  { CONFIG_FILE, REPORT_FILE },
  { NULL, NULL },
};

const DynoDialect dyno_optimum_benchmark_dialect = {
  .name = "optimum-benchmark",
  .title = "optimum-benchmark",
  .method = N_ (
      "It times at least ten iterations and ten seconds in one process, after ten for warming up, and polls "
      "memory every 10 ms."),
  .recognise = recognise,
  .read = read_file,
  .parts = parts,
};
