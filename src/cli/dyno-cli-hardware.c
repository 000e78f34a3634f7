/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-backend.h"
#include "dyno-cli-table.h"
#include "dyno-cli.h"
#include "dyno-diagnostic.h"
#include "dyno-machine.h"
#include "dyno-ort-library.h"

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text != NULL)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

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
add_devices (JsonBuilder *builder, GListModel *devices)
{
  json_builder_set_member_name (builder, "devices");
  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      json_builder_begin_object (builder);
      add_text (builder, "id", dyno_device_get_id (device));
      add_text (builder, "name", dyno_device_get_name (device));
      add_text (builder, "driver", dyno_device_get_driver (device));
      json_builder_set_member_name (builder, "memory_bytes");
      json_builder_add_int_value (builder, dyno_device_get_memory (device));
      add_strings (builder, "precisions", dyno_device_get_precisions (device));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_backend (JsonBuilder *builder, DynoBackend *backend)
{
  g_autoptr (DynoProbe) probe = dyno_backend_probe (backend, NULL);

  json_builder_begin_object (builder);
  add_text (builder, "id", dyno_backend_get_id (backend));
  add_text (builder, "name", dyno_backend_get_name (backend));
  add_text (builder, "state", dyno_probe_state_to_string (dyno_probe_get_state (probe)));
  add_text (builder, "reason", dyno_probe_get_reason (probe));
  add_text (builder, "remedy", dyno_probe_get_remedy (probe));
  add_text (builder, "runtime", dyno_probe_get_runtime (probe));
  add_devices (builder, dyno_probe_get_devices (probe));
  json_builder_end_object (builder);
}

static void
add_runtime (JsonBuilder *builder, DynoOrtRuntime *runtime)
{
  json_builder_begin_object (builder);
  add_text (builder, "path", dyno_ort_runtime_get_path (runtime));
  add_text (builder, "version", dyno_ort_runtime_get_version (runtime));
  add_strings (builder, "providers", dyno_ort_runtime_get_providers (runtime));
  add_text (builder, "problem", dyno_ort_runtime_get_problem (runtime));
  json_builder_end_object (builder);
}

static void
print_json (DynoMachine *machine)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GListModel) runtimes = dyno_ort_library_list_found ();
  g_autoptr (GListModel) backends = dyno_backend_list ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "machine");
  json_builder_add_value (builder, dyno_machine_to_json (machine));
  json_builder_set_member_name (builder, "backends");
  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      add_backend (builder, backend);
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
  g_print (_ ("%u cores, %u threads, of which %u may be used\n"), dyno_machine_get_n_cores (machine),
           dyno_machine_get_n_threads (machine), dyno_machine_get_n_usable_threads (machine));
  g_print (_ ("%s of memory, %s available\n"), memory, available);
  for (guint i = 0; i < findings->len; i++)
    g_print (_ ("Mind: %s\n"), dyno_diagnostic_get_message (findings->pdata[i]));
}

static void
print_backends (void)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("lllll", _ ("Backend"), _ ("State"), _ ("Engine"),
                                                       _ ("Reason"), _ ("Remedy"), NULL);
  g_autoptr (GListModel) backends = dyno_backend_list ();

  for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      g_autoptr (DynoProbe) probe = dyno_backend_probe (backend, NULL);
      const char *texts[] = { dyno_probe_get_runtime (probe), dyno_probe_get_reason (probe),
                              dyno_probe_get_remedy (probe) };

      dyno_cli_table_take_row (table, g_strdup (dyno_backend_get_id (backend)),
                               g_strdup (dyno_probe_state_to_string (dyno_probe_get_state (probe))),
                               g_strdup (texts[0] != NULL ? texts[0] : ""),
                               g_strdup (texts[1] != NULL ? texts[1] : ""),
                               g_strdup (texts[2] != NULL ? texts[2] : ""), NULL);
    }
  dyno_cli_table_print (table);
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
  g_autoptr (DynoCliTable) table =
      dyno_cli_table_new ("llll", _ ("ONNX Runtime"), _ ("Version"), _ ("Providers"), _ ("Problem"), NULL);
  g_autoptr (GListModel) runtimes = dyno_ort_library_list_found ();

  if (g_list_model_get_n_items (runtimes) == 0)
    {
      g_print (_ ("No ONNX Runtime was found. %s\n"), dyno_ort_library_get_remedy ());
      return;
    }
  for (guint i = 0; i < g_list_model_get_n_items (runtimes); i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (runtimes, i);
      const char *version = dyno_ort_runtime_get_version (runtime);
      const char *problem = dyno_ort_runtime_get_problem (runtime);

      dyno_cli_table_take_row (table, g_strdup (dyno_ort_runtime_get_path (runtime)),
                               g_strdup (version != NULL ? version : ""), dup_providers (runtime),
                               g_strdup (problem != NULL ? problem : ""), NULL);
    }
  dyno_cli_table_print (table);
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  gboolean as_json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autoptr (DynoMachine) machine = NULL;

  if (rest == NULL || !dyno_cli_expect_arguments (rest, 0, 0, error))
    return DYNO_CLI_USAGE;
  machine = dyno_machine_snapshot (error);
  if (machine == NULL)
    return DYNO_CLI_FAILED;
  if (as_json)
    {
      print_json (machine);
      return DYNO_CLI_OK;
    }
  print_machine (machine);
  g_print ("\n");
  print_backends ();
  g_print ("\n");
  print_runtimes ();
  return DYNO_CLI_OK;
}

const DynoCliCommand dyno_cli_hardware_command = {
  .name = "hardware",
  .parameters = "",
  .summary = N_ ("Describe this machine, its backends and the runtimes found"),
  .description = N_ ("Examples:\n"
                     "  dyno-cli hardware\n"
                     "  dyno-cli hardware --json\n"),
  .run = run,
};
