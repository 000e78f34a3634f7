/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-comparison-builder.h"
#include "dyno-diagnostic.h"
#include "dyno-engine-name.h"
#include "dyno-error.h"
#include "dyno-machine.h"
#include "dyno-model.h"
#include "dyno-ort.h"
#include "dyno-report.h"
#include "dyno-sandbox.h"
#include "dyno-self-test-plan.h"
#include "dyno-text.h"

static void
add_strings (JsonBuilder *builder, const char *name, const char *const *strings)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; strings != NULL && strings[i] != NULL; i++)
    json_builder_add_string_value (builder, strings[i]);
  json_builder_end_array (builder);
}

static void
add_devices (JsonBuilder *builder, const char *member, GListModel *devices)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "id", dyno_device_get_id (device));
      dyno_report_member_add_text (builder, "name", dyno_device_get_name (device));
      dyno_report_member_add_text (builder, "kind",
                                   dyno_device_kind_to_string (dyno_device_get_kind (device)));
      dyno_report_member_add_text (builder, "address", dyno_device_get_address (device));
      dyno_report_member_add_text (builder, "driver", dyno_device_get_driver (device));
      dyno_report_member_add_count (builder, "memory_bytes", dyno_device_get_memory (device));
      add_strings (builder, "precisions", dyno_device_get_precisions (device));
      if (*dyno_device_get_models (device) != NULL)
        add_strings (builder, "models", dyno_device_get_models (device));
      dyno_report_member_add_text (builder, "reason", dyno_device_get_reason (device));
      dyno_report_member_add_text (builder, "remedy", dyno_device_get_remedy (device));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_options (JsonBuilder *builder, const DynoBackendOption *option)
{
  json_builder_set_member_name (builder, "options");
  json_builder_begin_array (builder);
  for (; option != NULL && option->name != NULL; option++)
    {
      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "name", option->name);
      dyno_report_member_add_text (builder, "summary", option->summary);
      add_strings (builder, "values", option->values);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_backend (JsonBuilder *builder, DynoBackend *backend, DynoProbe *probe)
{
  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "id", dyno_backend_get_id (backend));
  dyno_report_member_add_text (builder, "name", dyno_backend_get_name (backend));
  dyno_report_member_add_text (builder, "state", dyno_probe_state_to_string (dyno_probe_get_state (probe)));
  dyno_report_member_add_text (builder, "reason", dyno_probe_get_reason (probe));
  dyno_report_member_add_text (builder, "remedy", dyno_probe_get_remedy (probe));
  dyno_report_member_add_text (builder, "runtime", dyno_probe_get_runtime (probe));
  add_devices (builder, "devices", dyno_probe_get_devices (probe));
  add_devices (builder, "missing_devices", dyno_probe_get_missing_devices (probe));
  add_options (builder, dyno_backend_get_options (backend));
  json_builder_end_object (builder);
}

static void
add_runtime (JsonBuilder *builder, DynoOrtRuntime *runtime)
{
  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "path", dyno_ort_runtime_get_path (runtime));
  dyno_report_member_add_text (builder, "version", dyno_ort_runtime_get_version (runtime));
  add_strings (builder, "providers", dyno_ort_runtime_get_providers (runtime));
  dyno_report_member_add_text (builder, "problem", dyno_ort_runtime_get_problem (runtime));
  json_builder_end_object (builder);
}

static DynoSelfTest *
load_self_test (DynoMachine *machine)
{
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *json = dyno_json_text_write (node, FALSE);

  return dyno_cli_runs_load_self_test (json);
}

static void
add_noise_floor (JsonBuilder *builder, DynoMachine *machine)
{
  g_autoptr (DynoSelfTest) self_test = load_self_test (machine);

  dyno_report_member_add_number (builder, "noise_floor",
                                 dyno_self_test_get_floor (self_test, DYNO_COMPARISON_METRIC));
  dyno_report_member_add_text (builder, "self_test", self_test != NULL ? self_test->run_id : NULL);
}

static void
print_json (DynoMachine *machine, GListModel *backends, GPtrArray *probes, DynoSensorSet *sensors)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GListModel) runtimes = dyno_ort_library_list_found ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "machine");
  json_builder_add_value (builder, dyno_machine_to_json (machine));
  add_noise_floor (builder, machine);
  json_builder_set_member_name (builder, "backends");
  json_builder_begin_array (builder);
  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      add_backend (builder, backend, probes->pdata[i]);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "runtimes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (runtimes); i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (runtimes, i);
      add_runtime (builder, runtime);
    }
  json_builder_end_array (builder);
  dyno_cli_sensors_add_json (sensors, builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  dyno_cli_print_json (root);
}

static void
print_machine (DynoMachine *machine)
{
  g_autofree char *memory = g_format_size (dyno_machine_get_memory (machine));
  g_autofree char *available = g_format_size (dyno_machine_get_available_memory (machine));
  g_autoptr (GPtrArray) findings = dyno_machine_lint (machine);

  g_print ("%s\n", dyno_machine_get_cpu_name (machine));
  dyno_cli_say (_ ("%u cores, %u threads, %u usable\n"), dyno_machine_get_n_cores (machine),
                dyno_machine_get_n_threads (machine), dyno_machine_get_n_usable_threads (machine));
  dyno_cli_say (_ ("%s memory, %s available\n"), memory, available);
  for (guint i = 0; i < findings->len; i++)
    dyno_cli_say (_ ("Warning: %s\n"), dyno_diagnostic_get_message (findings->pdata[i]));
  if (dyno_sandbox_get_note () != NULL)
    dyno_cli_say (_ ("Note: %s\n"), dyno_sandbox_get_note ());
}

static char *
dup_text (const char *text)
{
  return g_strdup (text != NULL ? text : "");
}

static void
print_backends (GListModel *backends, GPtrArray *probes)
{
  g_autoptr (DynoReportTable) table = dyno_report_table_new ("wll1ww", _ ("Engine"), _ ("State"),
                                                             _ ("Runtime"), _ ("Reason"), _ ("Remedy"), NULL);

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      DynoProbe *probe = probes->pdata[i];

      dyno_report_table_take_row (table, dyno_engine_name_dup (dyno_backend_get_id (backend), NULL),
                                  g_strdup (dyno_probe_state_to_string (dyno_probe_get_state (probe))),
                                  dup_text (dyno_probe_get_runtime (probe)),
                                  dup_text (dyno_probe_get_reason (probe)),
                                  dup_text (dyno_probe_get_remedy (probe)), NULL);
    }
  dyno_cli_print_table (table);
}

static void
add_device_row (DynoReportTable *table, DynoBackend *backend, DynoDevice *device)
{
  gint64 memory = dyno_device_get_memory (device);

  dyno_report_table_take_row (
      table, dyno_engine_name_dup_spec (dyno_backend_get_id (backend), dyno_device_get_id (device)),
      dyno_engine_name_dup (dyno_backend_get_id (backend), dyno_device_get_id (device)),
      g_strdup (dyno_device_get_name (device)),
      dup_text (dyno_device_kind_get_label (dyno_device_get_kind (device))),
      g_strjoinv (", ", (char **)dyno_device_get_precisions (device)),
      memory > 0 ? g_format_size ((guint64)memory) : g_strdup (""),
      dup_text (dyno_device_get_address (device)), dup_text (dyno_device_get_driver (device)), NULL);
}

static void
print_devices (GListModel *backends, GPtrArray *probes)
{
  g_autoptr (DynoReportTable) table =
      dyno_report_table_new ("lwwl2l3r1l4l5", _ ("Device"), _ ("Engine"), _ ("Name"), _ ("Kind"),
                             _ ("Precisions"), _ ("Memory"), _ ("Address"), _ ("Driver"), NULL);
  gboolean has_any = FALSE;

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      GListModel *devices = dyno_probe_get_devices (probes->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (devices); k++)
        {
          g_autoptr (DynoDevice) device = g_list_model_get_item (devices, k);

          add_device_row (table, backend, device);
          has_any = TRUE;
        }
    }
  if (!has_any)
    return;
  g_print ("\n");
  dyno_cli_print_table (table);
}

/* Prints the models as a plan names them. */
static void
print_served_models (GListModel *backends, GPtrArray *probes)
{
  g_autoptr (DynoReportTable) table =
      dyno_report_table_new ("ll", _ ("Model of a server"), _ ("Device"), NULL);
  gboolean has_any = FALSE;

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      GListModel *devices = dyno_probe_get_devices (probes->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (devices); k++)
        {
          g_autoptr (DynoDevice) device = g_list_model_get_item (devices, k);

          for (const char *const *model = dyno_device_get_models (device); *model != NULL; model++)
            {
              dyno_report_table_take_row (
                  table, g_strconcat (DYNO_MODEL_SERVED_PREFIX, *model, NULL),
                  dyno_engine_name_dup_spec (dyno_backend_get_id (backend), dyno_device_get_id (device)),
                  NULL);
              has_any = TRUE;
            }
        }
    }
  if (!has_any)
    return;
  g_print ("\n");
  dyno_cli_print_table (table);
}

static void
print_missing_devices (GListModel *backends, GPtrArray *probes)
{
  g_autoptr (DynoReportTable) table =
      dyno_report_table_new ("www", _ ("Missing device"), _ ("Reason"), _ ("Remedy"), NULL);
  gboolean has_any = FALSE;

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      GListModel *devices = dyno_probe_get_missing_devices (probes->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (devices); k++)
        {
          g_autoptr (DynoDevice) device = g_list_model_get_item (devices, k);

          dyno_report_table_take_row (
              table, dyno_cli_format_engine (dyno_backend_get_id (backend), dyno_device_get_id (device)),
              dup_text (dyno_device_get_reason (device)), dup_text (dyno_device_get_remedy (device)), NULL);
          has_any = TRUE;
        }
    }
  if (!has_any)
    return;
  g_print ("\n");
  dyno_cli_print_table (table);
}

static void
print_options (GListModel *backends)
{
  g_autoptr (DynoReportTable) table =
      dyno_report_table_new ("wlw1w", _ ("Engine"), _ ("Option"), _ ("Values"), _ ("Meaning"), NULL);
  gboolean has_any = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      const DynoBackendOption *option = dyno_backend_get_options (backend);

      for (; option != NULL && option->name != NULL; option++)
        {
          dyno_report_table_take_row (table, dyno_engine_name_dup (dyno_backend_get_id (backend), NULL),
                                      g_strdup (option->name), dyno_backend_option_dup_possible (option),
                                      g_strdup (_ (option->summary)), NULL);
          has_any = TRUE;
        }
    }
  if (!has_any)
    return;
  g_print ("\n");
  dyno_cli_print_table (table);
}

static char *
dup_providers (DynoOrtRuntime *runtime)
{
  const char *const *providers = dyno_ort_runtime_get_providers (runtime);

  return providers != NULL ? g_strjoinv (", ", (char **)providers) : g_strdup ("");
}

static void
print_runtimes (void)
{
  g_autoptr (DynoReportTable) table =
      dyno_report_table_new ("llww", _ ("ONNX Runtime"), _ ("Version"), _ ("Providers"), _ ("Problem"), NULL);
  g_autoptr (GListModel) runtimes = dyno_ort_library_list_found ();

  if (g_list_model_get_n_items (runtimes) == 0)
    {
      dyno_cli_say (_ ("No ONNX Runtime was found. %s\n"), dyno_ort_library_get_remedy ());
      return;
    }
  for (guint i = 0; i < g_list_model_get_n_items (runtimes); i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (runtimes, i);
      const char *version = dyno_ort_runtime_get_version (runtime);
      const char *problem = dyno_ort_runtime_get_problem (runtime);

      dyno_report_table_take_row (table, g_strdup (dyno_ort_runtime_get_path (runtime)),
                                  g_strdup (version != NULL ? version : ""), dup_providers (runtime),
                                  g_strdup (problem != NULL ? problem : ""), NULL);
    }
  dyno_cli_print_table (table);
}

/* The engines without a device here. */
static char *
dup_unavailable (GListModel *backends, GPtrArray *probes)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (0, g_free, TRUE);

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);

      if (dyno_probe_get_state (probes->pdata[i]) != DYNO_PROBE_AVAILABLE)
        g_ptr_array_add (names, dyno_engine_name_dup (dyno_backend_get_id (backend), NULL));
    }
  return g_strjoinv (", ", (char **)names->pdata);
}

static gboolean
is_of_power (DynoSensor *sensor)
{
  DynoSensorKind kind = dyno_sensor_get_info (sensor)->kind;

  return kind == DYNO_SENSOR_ENERGY || kind == DYNO_SENSOR_POWER;
}

static void
print_power (DynoSensorSet *sensors)
{
  guint n_power = 0;

  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (sensors); i++)
    n_power += is_of_power (dyno_sensor_set_get_sensor (sensors, i));
  if (n_power > 0)
    dyno_cli_say (ngettext ("Power: %u sensor\n", "Power: %u sensors\n", n_power), n_power);
  else
    dyno_cli_say (_ ("Power: no sensor that can be read\n"));
}

static void
print_noise_floor (DynoMachine *machine)
{
  g_autoptr (DynoSelfTest) self_test = load_self_test (machine);
  g_autofree char *noise_floor = dyno_self_test_dup_floor (self_test, DYNO_COMPARISON_METRIC);

  if (noise_floor != NULL)
    /* Translators: “1.8 %, self-test on 12 May 2026” */
    dyno_cli_say (_ ("Noise floor: %s\n"), noise_floor);
  else
    dyno_cli_say (_ ("Noise floor: not measured yet; “dyno-cli selftest” measures it\n"));
}

static void
print_short (DynoMachine *machine, GListModel *backends, GPtrArray *probes, DynoSensorSet *sensors)
{
  g_autofree char *unavailable = dup_unavailable (backends, probes);

  print_machine (machine);
  print_devices (backends, probes);
  print_served_models (backends, probes);
  g_print ("\n");
  if (*unavailable != '\0')
    dyno_cli_say (_ ("Unavailable: %s\n"), unavailable);
  print_power (sensors);
  print_noise_floor (machine);
  dyno_cli_say (_ ("Use --all for reasons and remedies, options, runtimes and sensors.\n"));
}

static void
print_all (DynoMachine *machine, GListModel *backends, GPtrArray *probes, DynoSensorSet *sensors)
{
  print_machine (machine);
  print_noise_floor (machine);
  g_print ("\n");
  print_backends (backends, probes);
  print_devices (backends, probes);
  print_served_models (backends, probes);
  print_missing_devices (backends, probes);
  print_options (backends);
  g_print ("\n");
  print_runtimes ();
  g_print ("\n");
  dyno_cli_sensors_print (sensors);
}

typedef struct
{
  DynoCliMatrixOptions matrix;
  gboolean is_complete;
  gboolean is_fresh;
  gboolean is_trial;
  gboolean as_json;
} Options;

static void
options_clear (Options *options)
{
  g_strfreev (options->matrix.models);
  g_strfreev (options->matrix.precisions);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static DynoCliStatus
show_matrix (const Options *options, GError **error)
{
  g_autoptr (GPtrArray) cells = dyno_cli_matrix_build (&options->matrix, error);

  if (cells == NULL)
    return DYNO_CLI_FAILED;
  if (options->is_trial)
    dyno_cli_matrix_try (cells);
  if (options->as_json)
    dyno_cli_matrix_print_json (cells);
  else
    dyno_cli_matrix_print (cells);
  return DYNO_CLI_OK;
}

static DynoCliStatus
show_machine (const Options *options, GError **error)
{
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (error);
  g_autoptr (GListModel) backends = dyno_backend_list ();
  g_autoptr (GPtrArray) probes = NULL;
  g_autoptr (DynoSensorSet) sensors = NULL;

  if (machine == NULL)
    return DYNO_CLI_FAILED;
  sensors = dyno_sensor_set_discover (0);
  probes = dyno_prober_probe_all (dyno_prober_get_default (), backends, options->matrix.flags, NULL);
  if (options->as_json)
    print_json (machine, backends, probes, sensors);
  else if (options->is_complete)
    print_all (machine, backends, probes, sensors);
  else
    print_short (machine, backends, probes, sensors);
  return DYNO_CLI_OK;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_auto (Options) options = { .matrix = { .batch_size = 1 } };
  const GOptionEntry entries[] = {
    { "model", 'm', 0, G_OPTION_ARG_STRING_ARRAY, &options.matrix.models,
      "Show where this model may run, and why not; may be repeated", "MODEL" },
    { "precision", 'p', 0, G_OPTION_ARG_STRING_ARRAY, &options.matrix.precisions,
      "With --model: precisions (fp32)", "PRECISIONS" },
    { "batch", 0, 0, G_OPTION_ARG_INT, &options.matrix.batch_size, "With --model: batch size (1)", "N" },
    { "sequence", 0, 0, G_OPTION_ARG_INT, &options.matrix.sequence_length,
      "With --model: sequence length; 0 is 128, or as many tokens as the model takes (0)", "N" },
    { "try", 0, 0, G_OPTION_ARG_NONE, &options.is_trial,
      "With --model: open the model on every compatible device and run one step", NULL },
    { "all", 'a', 0, G_OPTION_ARG_NONE, &options.is_complete,
      "Also show reasons and remedies, options, runtimes and sensors", NULL },
    { "fresh", 0, 0, G_OPTION_ARG_NONE, &options.is_fresh, "Ask every engine again", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.as_json, "Print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);

  if (rest == NULL || !dyno_cli_expect_arguments (rest, 0, 0, error))
    return DYNO_CLI_USAGE;
  if (options.is_trial && options.matrix.models == NULL)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                           _ ("--try needs a model: name one with --model."));
      return DYNO_CLI_USAGE;
    }
  options.matrix.flags = options.is_fresh ? DYNO_PROBER_FRESH : DYNO_PROBER_NONE;
  return options.matrix.models != NULL ? show_matrix (&options, error) : show_machine (&options, error);
}

const DynoCliCommand dyno_cli_hardware_command = {
  .name = "hardware",
  .parameters = "",
  .summary = "Show this machine, its engines, devices and sensors",
  .description =
      "Dyno asks each engine in a process of its own, and asks again when a library, a driver or Dyno "
      "changes. Only --try tells whether a model really runs.\n\n"
      "Examples:\n"
      "  dyno-cli hardware\n"
      "  dyno-cli hardware --all\n"
      "  dyno-cli hardware --fresh --json\n"
      "  dyno-cli hardware --model gpt2 --model resnet-50 --batch 32\n"
      "  dyno-cli hardware --model model.onnx --try\n",
  .prints_tables = TRUE,
  .run = run,
};
