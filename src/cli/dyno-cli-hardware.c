/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-comparison-builder.h"
#include "dyno-diagnostic.h"
#include "dyno-engine-name.h"
#include "dyno-error.h"
#include "dyno-http.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-model.h"
#include "dyno-model-reader.h"
#include "dyno-ort.h"
#include "dyno-report.h"
#include "dyno-sandbox.h"
#include "dyno-self-test-plan.h"

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

  const DynoBackendOption *option = dyno_backend_get_options (backend);

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

  json_builder_end_object (builder);
}

static DynoSelfTest *
load_self_test (DynoMachine *machine)
{
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *json = dyno_json_text_write (node, FALSE);

  return dyno_cli_runs_load_self_test (json);
}

static JsonNode *
to_json (DynoMachine *machine, GListModel *backends, GPtrArray *probes, DynoSensorSet *sensors)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GListModel) runtimes = dyno_ort_library_list_found ();
  gboolean is_confined;
  g_autofree char *confinement = dyno_model_reader_dup_confinement (&is_confined);

  json_builder_begin_object (builder);
  dyno_report_member_add_flag (builder, "readers_confined", is_confined);
  dyno_report_member_add_text (builder, "confinement", confinement);
  json_builder_set_member_name (builder, "machine");
  json_builder_add_value (builder, dyno_machine_to_json (machine));

  g_autoptr (DynoSelfTest) self_test = load_self_test (machine);

  dyno_report_member_add_number (builder, "noise_floor",
                                 dyno_self_test_get_floor (self_test, DYNO_COMPARISON_METRIC));
  dyno_report_member_add_text (builder, "self_test", self_test != NULL ? self_test->run_id : NULL);

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

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "path", dyno_ort_runtime_get_path (runtime));
      dyno_report_member_add_text (builder, "version", dyno_ort_runtime_get_version (runtime));
      add_strings (builder, "providers", dyno_ort_runtime_get_providers (runtime));
      dyno_report_member_add_text (builder, "problem", dyno_ort_runtime_get_problem (runtime));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  dyno_cli_sensors_add_json (sensors, builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static void
add_backends (DynoReportDocument *document, GListModel *backends, GPtrArray *probes)
{
  DynoReportTable *table = dyno_report_table_new ("wll1ww", _ ("Engine"), _ ("State"), _ ("Runtime"),
                                                  _ ("Reason"), _ ("Remedy"), NULL);
  DynoReportTable *missing =
      dyno_report_table_new ("www", _ ("Missing device"), _ ("Reason"), _ ("Remedy"), NULL);

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      DynoProbe *probe = probes->pdata[i];

      dyno_report_table_take_row (table, dyno_engine_name_dup (dyno_backend_get_id (backend), NULL),
                                  g_strdup (dyno_probe_state_to_string (dyno_probe_get_state (probe))),
                                  dyno_cli_format_text (dyno_probe_get_runtime (probe)),
                                  dyno_cli_format_text (dyno_probe_get_reason (probe)),
                                  dyno_cli_format_text (dyno_probe_get_remedy (probe)), NULL);
    }
  dyno_report_document_take_table (document, table);

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      GListModel *devices = dyno_probe_get_missing_devices (probes->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (devices); k++)
        {
          g_autoptr (DynoDevice) device = g_list_model_get_item (devices, k);

          dyno_report_table_take_row (
              missing, dyno_cli_format_engine (dyno_backend_get_id (backend), dyno_device_get_id (device)),
              dyno_cli_format_text (dyno_device_get_reason (device)),
              dyno_cli_format_text (dyno_device_get_remedy (device)), NULL);
        }
    }
  dyno_report_document_take_table (document, missing);
}

static void
add_devices_table (DynoReportDocument *document, GListModel *backends, GPtrArray *probes)
{
  DynoReportTable *table =
      dyno_report_table_new ("lwwl2l3r1l4l5", _ ("Device"), _ ("Engine"), _ ("Name"), _ ("Kind"),
                             _ ("Precisions"), _ ("Memory"), _ ("Address"), _ ("Driver"), NULL);

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      GListModel *devices = dyno_probe_get_devices (probes->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (devices); k++)
        {
          g_autoptr (DynoDevice) device = g_list_model_get_item (devices, k);
          gint64 memory = dyno_device_get_memory (device);

          dyno_report_table_take_row (
              table, dyno_engine_name_dup_spec (dyno_backend_get_id (backend), dyno_device_get_id (device)),
              dyno_engine_name_dup (dyno_backend_get_id (backend), dyno_device_get_id (device)),
              g_strdup (dyno_device_get_name (device)),
              dyno_cli_format_text (dyno_device_kind_get_label (dyno_device_get_kind (device))),
              g_strjoinv (", ", (char **)dyno_device_get_precisions (device)),
              memory > 0 ? g_format_size ((guint64)memory) : g_strdup (""),
              dyno_cli_format_text (dyno_device_get_address (device)),
              dyno_cli_format_text (dyno_device_get_driver (device)), NULL);
          if (memory > 0)
            dyno_report_table_set_number (table, 5, (double)memory);
        }
    }
  dyno_report_document_take_table (document, table);
}

/* Adds the models as a plan names them. */
static void
add_served_models (DynoReportDocument *document, GListModel *backends, GPtrArray *probes)
{
  DynoReportTable *table = dyno_report_table_new ("ll", _ ("Model of a server"), _ ("Device"), NULL);

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
            }
        }
    }
  dyno_report_document_take_table (document, table);
}

static void
add_options_table (DynoReportDocument *document, GListModel *backends)
{
  DynoReportTable *table =
      dyno_report_table_new ("wlw1w", _ ("Engine"), _ ("Option"), _ ("Values"), _ ("Meaning"), NULL);

  for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      const DynoBackendOption *option = dyno_backend_get_options (backend);

      for (; option != NULL && option->name != NULL; option++)
        {
          dyno_report_table_take_row (table, dyno_engine_name_dup (dyno_backend_get_id (backend), NULL),
                                      g_strdup (option->name), dyno_backend_option_dup_possible (option),
                                      g_strdup (_ (option->summary)), NULL);
        }
    }
  dyno_report_document_take_table (document, table);
}

static void
add_runtimes (DynoReportDocument *document)
{
  DynoReportTable *table =
      dyno_report_table_new ("llww", _ ("ONNX Runtime"), _ ("Version"), _ ("Providers"), _ ("Problem"), NULL);
  g_autoptr (GListModel) runtimes = dyno_ort_library_list_found ();
  g_autofree char *nothing =
      g_strdup_printf (_ ("No ONNX Runtime was found. %s"), dyno_ort_library_get_remedy ());

  if (g_list_model_get_n_items (runtimes) == 0)
    dyno_report_document_add_paragraph (document, nothing);
  for (guint i = 0; i < g_list_model_get_n_items (runtimes); i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (runtimes, i);
      const char *version = dyno_ort_runtime_get_version (runtime);
      const char *problem = dyno_ort_runtime_get_problem (runtime);
      const char *const *providers = dyno_ort_runtime_get_providers (runtime);

      dyno_report_table_take_row (table, g_strdup (dyno_ort_runtime_get_path (runtime)),
                                  dyno_cli_format_text (version),
                                  providers != NULL ? g_strjoinv (", ", (char **)providers) : g_strdup (""),
                                  dyno_cli_format_text (problem), NULL);
    }
  dyno_report_document_take_table (document, table);
}

static void
add_state (DynoReportDocument *document,
           DynoMachine *machine,
           GListModel *backends,
           GPtrArray *probes,
           DynoSensorSet *sensors)
{
  /* The engines without a device here. */
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (0, g_free, TRUE);

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);

      if (dyno_probe_get_state (probes->pdata[i]) != DYNO_PROBE_AVAILABLE)
        g_ptr_array_add (names, dyno_engine_name_dup_backend (dyno_backend_get_id (backend),
                                                              dyno_backend_get_name (backend)));
    }

  g_autofree char *unavailable = g_strjoinv (", ", (char **)names->pdata);
  g_autoptr (DynoSelfTest) self_test = load_self_test (machine);
  g_autofree char *noise_floor = dyno_self_test_dup_floor (self_test, DYNO_COMPARISON_METRIC);
  g_autofree char *power = NULL;
  gboolean is_confined;
  g_autofree char *confinement = dyno_model_reader_dup_confinement (&is_confined);
  guint n_power = 0;

  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (sensors); i++)
    {
      DynoSensorKind kind = dyno_sensor_get_info (dyno_sensor_set_get_sensor (sensors, i))->kind;

      n_power += kind == DYNO_SENSOR_ENERGY || kind == DYNO_SENSOR_POWER;
    }
  power = n_power > 0 ? g_strdup_printf (ngettext ("%u sensor", "%u sensors", n_power), n_power)
                      : g_strdup (_ ("no sensor that can be read"));
  dyno_report_document_begin_list (document);
  dyno_report_document_add_fact (document, _ ("Unavailable"), unavailable);
  dyno_report_document_add_fact (document, _ ("Power"), power);
  dyno_report_document_add_fact (
      document, _ ("Noise floor"),
      noise_floor != NULL ? noise_floor : _ ("not measured yet; “dyno-cli selftest” measures it"));
  dyno_report_document_add_fact (document, _ ("Readers of models"), confinement);
}

/* Listing the runtimes may take many seconds, so it is done once, and only for a reader of the list. */
static DynoReportDocument *
create_document (DynoMachine *machine,
                 GListModel *backends,
                 GPtrArray *probes,
                 DynoSensorSet *sensors,
                 gboolean is_complete)
{
  DynoReportDocument *document = dyno_report_document_new (dyno_machine_get_cpu_name (machine));

  if (dyno_cli_answer_is_json ())
    dyno_report_document_take_data (document, to_json (machine, backends, probes, sensors));
  dyno_report_document_add_heading (document, 1, dyno_machine_get_cpu_name (machine));
  dyno_report_document_begin_list (document);

  g_autofree char *memory = g_format_size (dyno_machine_get_memory (machine));
  g_autofree char *available = g_format_size (dyno_machine_get_available_memory (machine));
  g_autofree char *cores =
      g_strdup_printf (_ ("%u cores, %u threads, %u usable"), dyno_machine_get_n_cores (machine),
                       dyno_machine_get_n_threads (machine), dyno_machine_get_n_usable_threads (machine));
  /* Translators: amounts of memory */
  g_autofree char *amounts = g_strdup_printf (_ ("%s, %s available"), memory, available);
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *snapshot = dyno_json_text_write (node, FALSE);
  g_autofree char *cloud = dyno_machine_dup_cloud (snapshot);
  g_autoptr (GPtrArray) findings = dyno_machine_lint (machine, TRUE);

  dyno_report_document_add_fact (document, _ ("Processor"), cores);
  dyno_report_document_add_fact (document, _ ("Memory"), amounts);
  dyno_report_document_add_fact (document, _ ("Cloud"), cloud);
  for (guint i = 0; i < findings->len; i++)
    dyno_report_document_add_fact (document, _ ("Warning"), dyno_diagnostic_get_message (findings->pdata[i]));
  dyno_report_document_add_fact (document, _ ("Note"), dyno_sandbox_get_note ());

  add_devices_table (document, backends, probes);
  add_served_models (document, backends, probes);
  add_state (document, machine, backends, probes, sensors);
  dyno_report_document_begin_details (
      document, _ ("Use --all for reasons and remedies, options, runtimes and sensors."));
  add_backends (document, backends, probes);
  add_options_table (document, backends);
  if (is_complete && !dyno_cli_answer_is_json ())
    add_runtimes (document);
  dyno_cli_sensors_add (sensors, document);
  return document;
}

typedef struct
{
  DynoCliMatrixOptions matrix;
  gboolean is_complete;
  gboolean is_fresh;
  gboolean is_trial;
  gboolean asks_metadata;
} Options;

static void
options_clear (Options *options)
{
  g_strfreev (options->matrix.models);
  g_strfreev (options->matrix.precisions);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static DynoCliStatus
show_machine (const Options *options, GError **error)
{
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (error);
  g_autoptr (GListModel) backends = dyno_backend_list ();
  g_autoptr (GPtrArray) probes = NULL;
  g_autoptr (DynoSensorSet) sensors = NULL;
  g_autoptr (DynoReportDocument) document = NULL;

  if (machine == NULL)
    return DYNO_CLI_FAILED;
  sensors = dyno_sensor_set_discover (0);
  probes = dyno_prober_probe_all (dyno_prober_get_default (), backends, options->matrix.flags, NULL);
  if (options->is_complete)
    dyno_cli_answer_show_details ();
  document = create_document (machine, backends, probes, sensors,
                              options->is_complete || !dyno_cli_answer_is_text ());
  return dyno_cli_answer_print (document, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
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
    { "ask-metadata", 0, 0, G_OPTION_ARG_NONE, &options.asks_metadata,
      "In a cloud: ask the provider for the type and the region of this instance", NULL },
    { "fresh", 0, 0, G_OPTION_ARG_NONE, &options.is_fresh, "Ask every engine again", NULL },
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
  if (options.asks_metadata && !dyno_cloud_ask (error))
    return DYNO_CLI_FAILED;
  if (options.matrix.models == NULL)
    return show_machine (&options, error);

  g_autoptr (GPtrArray) cells = dyno_cli_matrix_build (&options.matrix, error);

  if (cells == NULL)
    return DYNO_CLI_FAILED;
  if (options.is_trial)
    dyno_cli_matrix_try (cells);
  return dyno_cli_matrix_print (cells, error);
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
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
