/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-cli-format.h"
#include "dyno-cli-model-info.h"
#include "dyno-cli-table.h"
#include "dyno-cli.h"
#include "dyno-error.h"
#include "dyno-model-library.h"
#include "dyno-model-reader.h"

static void
print_json (GListModel *library)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);

      json_builder_begin_object (builder);
      dyno_cli_model_info_add_json (builder, model);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  dyno_cli_print_json (root);
}

static void
print_table (GListModel *library)
{
  g_autoptr (DynoCliTable) table = dyno_cli_table_new ("ll2l1rr3", _ ("Model"), _ ("Family"), _ ("Task"),
                                                       _ ("Parameters"), _ ("Weights"), NULL);

  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);
      const char *task = dyno_model_get_task (model);

      dyno_cli_table_take_row (
          table, g_strdup (dyno_model_get_id (model)), g_strdup (dyno_model_get_family_label (model)),
          g_strdup (task != NULL ? task : ""), dyno_cli_format_count (dyno_model_get_parameter_count (model)),
          g_format_size ((guint64)dyno_model_get_weight_bytes (model)), NULL);
    }
  dyno_cli_table_print (table);
}

static DynoCliStatus
list_models (gboolean as_json)
{
  GListModel *library = dyno_model_library_get_default ();

  if (as_json)
    print_json (library);
  else
    print_table (library);
  return DYNO_CLI_OK;
}

static DynoCliStatus
print_info (char **arguments, const DynoCliSizes *sizes, gboolean as_json, GError **error)
{
  g_autoptr (DynoModel) model = NULL;

  if (!dyno_cli_expect_arguments (arguments, 1, 1, error))
    return DYNO_CLI_USAGE;
  model = dyno_model_reader_load (arguments[0], NULL, error);
  if (model == NULL || !dyno_cli_model_info_print (model, sizes, as_json, error))
    return DYNO_CLI_FAILED;
  return DYNO_CLI_OK;
}

/* Without a subcommand the models are listed; the name of a model asks for what it is. */
static const char *
find_action (const DynoCliCommand *command, const char *word, GError **error)
{
  g_autoptr (DynoModel) model = NULL;

  if (word == NULL)
    return "list";
  model = dyno_cli_find_similar (word, command->actions) == NULL ? dyno_model_reader_load (word, NULL, NULL)
                                                                 : NULL;
  if (model == NULL)
    return dyno_cli_find_action (command, word, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” is a model, not a subcommand. Did you mean “dyno-cli models info %s”?"), word, word);
  return NULL;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  gboolean as_json = FALSE;
  int batch_size = 1;
  int sequence_length = 128;
  g_auto (GStrv) dimensions = NULL;
  const GOptionEntry entries[] = {
    { "batch", 0, 0, G_OPTION_ARG_INT, &batch_size, N_ ("Batch size for the FLOP count (1)"), N_ ("N") },
    { "sequence", 0, 0, G_OPTION_ARG_INT, &sequence_length, N_ ("Sequence length for the FLOP count (128)"),
      N_ ("N") },
    { "dim", 0, 0, G_OPTION_ARG_STRING_ARRAY, &dimensions, N_ ("Size of a free dimension; may be repeated"),
      N_ ("NAME=SIZE") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autofree char *overrides = dimensions != NULL ? g_strjoinv (",", dimensions) : NULL;
  const char *action;

  if (rest == NULL)
    return DYNO_CLI_USAGE;
  if (batch_size < 1 || sequence_length < 1)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("--batch and --sequence must be at least 1."));
      return DYNO_CLI_USAGE;
    }
  action = find_action (command, rest[0], error);
  if (action == NULL)
    return DYNO_CLI_USAGE;
  if (strcmp (action, "info") == 0)
    return print_info (rest + 1, &(DynoCliSizes){ (guint)batch_size, (guint)sequence_length, overrides },
                       as_json, error);
  return list_models (as_json);
}

const DynoCliCommand dyno_cli_models_command = {
  .name = "models",
  .parameters = N_ ("[list | info MODEL]"),
  .summary = N_ ("List the models that come with Dyno, or describe one"),
  .description = N_ ("MODEL is a bundled id, an ONNX file, or a config.json.\n\n"
                     "Examples:\n"
                     "  dyno-cli models\n"
                     "  dyno-cli models info bert-tiny\n"
                     "  dyno-cli models info model.onnx --dim height=320 --dim width=320\n"),
  .actions = (const char *const[]){ "list", "info", NULL },
  .prints_tables = TRUE,
  .run = run,
};
