/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "dyno-architecture.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-family.h"
#include "dyno-file.h"
#include "dyno-model-filter.h"
#include "dyno-model-library.h"
#include "dyno-model-needs.h"
#include "dyno-model-reader.h"
#include "dyno-model-work.h"
#include "dyno-onnx-writer.h"
#include "dyno-precision.h"

/* The options of all subcommands. */
typedef struct
{
  DynoModelFilter filter; /* list */
  DynoCliSizes sizes;     /* info */
  char *precision;        /* export, from here on */
  char *attention;
  gint64 seed;
  gboolean replaces;
  gboolean with_weights; /* fetch, from here on */
  gboolean as_export;
} Options;

static void
options_clear (Options *self)
{
  dyno_model_filter_clear (&self->filter);
  g_free (self->precision);
  g_free (self->attention);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
fail_choice (const char *option, const char *given, char **known, GError **error)
{
  g_autofree char *joined = g_strjoinv (", ", known);

  if (g_strv_contains ((const char *const *)known, given))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("There is no “%s” for %s. Choose one of: %s."), given, option, joined);
  return FALSE;
}

static DynoReportTable *
create_table (GListModel *library)
{
  DynoReportTable *table = dyno_report_table_new ("lL3L1L4rL3", _ ("Model"), _ ("Family"), _ ("Task"),
                                                  _ ("Size"), _ ("Parameters"), _ ("Weights"), NULL);

  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);
      const DynoSizeClass *size = dyno_size_class_find (dyno_model_get_parameter_count (model));
      const char *task = dyno_model_get_task (model);

      dyno_report_table_take_row (table, g_strdup (dyno_model_get_id (model)),
                                  g_strdup (dyno_model_get_family_label (model)), dyno_cli_format_text (task),
                                  g_strdup (size != NULL ? size->id : ""),
                                  dyno_cli_format_count (dyno_model_get_parameter_count (model)),
                                  g_format_size ((guint64)dyno_model_get_weight_bytes (model)), NULL);
      dyno_report_table_set_number (table, 4, (double)dyno_model_get_parameter_count (model));
      dyno_report_table_set_number (table, 5, (double)dyno_model_get_weight_bytes (model));
    }
  dyno_report_table_set_unit (table, 5, "B");
  return table;
}

static DynoCliStatus
list_types (char **arguments, const Options *options, GError **error)
{
  g_autoptr (GPtrArray) types = dyno_architecture_list ();
  DynoReportTable *table = dyno_report_table_new ("ll", _ ("Architecture"), _ ("Family"), NULL);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < types->len; i++)
    {
      const DynoArchitecture *type = types->pdata[i];

      dyno_report_table_take_row (table, g_strdup (type->model_type), g_strdup (_ (type->family->label)),
                                  NULL);
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "type");
      json_builder_add_string_value (builder, type->model_type);
      json_builder_set_member_name (builder, "family");
      json_builder_add_string_value (builder, type->family->id);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return dyno_cli_answer_print_list (table, NULL, json_builder_get_root (builder), error);
}

/* Lists the bundled models, then the fetched ones. */
static GListModel *
list_all (void)
{
  g_autoptr (GListModel) bundled = dyno_model_library_get_default ();
  g_autoptr (GListModel) fetched = dyno_model_reader_list_fetched (NULL);
  GListStore *all = g_list_store_new (DYNO_TYPE_MODEL);

  for (guint i = 0; i < g_list_model_get_n_items (bundled); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (bundled, i);

      g_list_store_append (all, model);
    }
  for (guint i = 0; i < g_list_model_get_n_items (fetched); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (fetched, i);

      g_list_store_append (all, model);
    }
  return G_LIST_MODEL (all);
}

static DynoCliStatus
list_models (char **arguments, const Options *options, GError **error)
{
  const DynoModelFilter *filter = &options->filter;
  g_autoptr (GListModel) library = list_all ();
  g_autoptr (GPtrArray) list = dyno_family_list ();
  g_autoptr (GStrvBuilder) family_ids = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) size_ids = g_strv_builder_new ();
  g_auto (GStrv) families = NULL;
  g_auto (GStrv) sizes = NULL;
  g_auto (GStrv) tasks = dyno_model_filter_list_tasks (library);

  for (guint i = 0; i < list->len; i++)
    g_strv_builder_add (family_ids, ((const DynoFamily *)list->pdata[i])->id);
  families = g_strv_builder_end (family_ids);
  for (guint i = 0; i < DYNO_N_SIZE_CLASSES; i++)
    g_strv_builder_add (size_ids, dyno_size_classes[i].id);
  sizes = g_strv_builder_end (size_ids);

  if ((filter->family != NULL && !fail_choice ("--family", filter->family, families, error)) ||
      (filter->task != NULL && !fail_choice ("--task", filter->task, tasks, error)) ||
      (filter->size != NULL && !fail_choice ("--size", filter->size, sizes, error)))
    return DYNO_CLI_USAGE;

  g_autoptr (GListStore) found = g_list_store_new (DYNO_TYPE_MODEL);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);

      if (dyno_model_filter_matches (filter, model))
        {
          g_list_store_append (found, model);
          /* Some of it is known to the graph only, which takes time to build. */
          if (!dyno_cli_answer_is_json ())
            continue;
          json_builder_begin_object (builder);
          dyno_cli_model_info_add_json (builder, model);
          json_builder_end_object (builder);
        }
    }
  json_builder_end_array (builder);
  return dyno_cli_answer_print_list (create_table (G_LIST_MODEL (found)), NULL,
                                     json_builder_get_root (builder), error);
}

static DynoCliStatus
print_info (char **arguments, const Options *options, GError **error)
{
  DynoCliSizes sizes = options->sizes;
  g_autoptr (DynoModel) model = NULL;
  g_autofree char *dimensions = NULL;

  if (!dyno_cli_expect_arguments (arguments, 1, 1, error))
    return DYNO_CLI_USAGE;
  model = dyno_model_reader_load (arguments[0], NULL, error);
  /* Values of inputs also determine sizes of the model. */
  if (model != NULL)
    dimensions = dyno_model_dup_dimensions (model, sizes.dimensions, sizes.inputs, error);
  if (dimensions == NULL)
    return DYNO_CLI_FAILED;
  sizes.dimensions = dimensions;
  if (sizes.sequence_length == 0)
    sizes.sequence_length = dyno_model_get_usual_sequence_length (model);
  return dyno_cli_model_info_print (model, &sizes, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

/* A user who asked for one file learns here that there are several. */
static void
print_stages (DynoModel *model, char **paths)
{
  g_auto (GStrv) stages = dyno_model_dup_stages (model);

  if (*stages == NULL)
    return;
  dyno_cli_say (_ ("“%s” has several stages, each in a file of its own:\n"), dyno_model_get_name (model));
  for (char **path = paths; *path != NULL; path++)
    g_print ("  %s\n", *path);
}

static const char *
get_precision (const Options *options)
{
  return options->precision != NULL ? options->precision : "fp32";
}

static gboolean
ask_for_export (
    const char *spec, const char *attention, const Options *options, const char *path, GError **error)
{
  return dyno_model_reader_export (spec, get_precision (options), attention, (guint64)options->seed, path,
                                   error);
}

/* The worker has another standard output than this process, so it writes to a file first. */
static gboolean
export_to_stream (
    const char *spec, const char *attention, const Options *options, const char *path, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("dyno-XXXXXX", error);
  g_autofree char *made = folder != NULL ? g_build_filename (folder, "model.onnx", NULL) : NULL;
  g_autofree char *weights = folder != NULL ? g_strconcat (made, DYNO_ONNX_WRITER_DATA_SUFFIX, NULL) : NULL;
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (folder == NULL)
    return FALSE;
  if (ask_for_export (spec, attention, options, made, error))
    file = g_mapped_file_new (made, FALSE, error);
  g_unlink (made);
  if (g_unlink (weights) == 0)
    {
      g_clear_pointer (&file, g_mapped_file_unref);
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("“%s” needs a second file for its weights. Name a regular file."), spec);
    }
  g_rmdir (folder);
  bytes = file != NULL ? g_mapped_file_get_bytes (file) : NULL;
  return bytes != NULL && dyno_cli_write_bytes (path, bytes, error);
}

static DynoCliStatus
export_model (char **arguments, const Options *options, GError **error)
{
  static const char *const attentions[] = { "decomposed", "fused", NULL };
  const char *attention = options->attention != NULL ? options->attention : attentions[0];
  g_autoptr (DynoModel) model = NULL;
  g_auto (GStrv) paths = NULL;
  g_auto (DynoOutputFile) file = { NULL };
  gboolean is_written;

  if (!dyno_cli_expect_arguments (arguments, 2, 2, error) ||
      !fail_choice ("--attention", attention, (char **)attentions, error))
    return DYNO_CLI_USAGE;
  model = dyno_model_reader_load (arguments[0], NULL, error);
  if (model == NULL)
    return DYNO_CLI_FAILED;
  paths = dyno_model_dup_export_paths (model, arguments[1]);
  if (!options->replaces)
    {
      for (char **path = paths; *path != NULL; path++)
        if (g_file_test (*path, G_FILE_TEST_EXISTS))
          {
            g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                         _ ("“%s” is there already. Choose another name, or add --force to replace it."),
                         *path);
            return DYNO_CLI_USAGE;
          }
    }
  is_written = paths[1] == NULL && dyno_output_file_find (&file, paths[0], NULL) && file.is_stream
                   ? export_to_stream (arguments[0], attention, options, paths[0], error)
                   : ask_for_export (arguments[0], attention, options, arguments[1], error);
  if (!is_written)
    return DYNO_CLI_FAILED;
  print_stages (model, paths);
  if (!file.is_stream)
    {
      /* The range of quantised weights depends on the processor, and the file may be for another one. */
      const char *precision = get_precision (options);
      const DynoQuantisation *quantisation = dyno_precision_get_quantisation (precision);

      if (quantisation != NULL && quantisation->largest > 0)
        g_print ("%s\n", dyno_precision_is_reduced (precision)
                             ? _ ("The weights have 7 bits, because this processor lacks VNNI. Every "
                                  "processor can use them.")
                             : _ ("The weights have 8 bits. On x86 processors without VNNI their products "
                                  "overflow: export the model there instead."));
    }
  return DYNO_CLI_OK;
}

static DynoCliStatus
fetch_model (char **arguments, const Options *options, GError **error)
{
  if (!dyno_cli_expect_arguments (arguments, 1, 1, error))
    return DYNO_CLI_USAGE;
  if (options->with_weights && options->as_export)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("An ONNX export has its weights: leave out --weights or --onnx."));
      return DYNO_CLI_USAGE;
    }
  return dyno_cli_fetch (arguments[0],
                         options->as_export      ? DYNO_HUB_ONNX
                         : options->with_weights ? DYNO_HUB_WEIGHTS
                                                 : DYNO_HUB_CONFIG,
                         error);
}

typedef struct
{
  const char *name;
  DynoCliStatus (*act) (char **arguments, const Options *options, GError **error);
} Action;

static const Action actions[] = {
  { "list", list_models },    { "types", list_types },  { "info", print_info },
  { "export", export_model }, { "fetch", fetch_model },
};

/* Without a subcommand, the command lists the models; the name of a model shows that model. */
static const Action *
find_action (const DynoCliCommand *command, const char *word, GError **error)
{
  g_autoptr (DynoModel) model = word != NULL && dyno_cli_find_similar (word, command->actions) == NULL
                                    ? dyno_model_reader_load (word, NULL, NULL)
                                    : NULL;

  if (model == NULL)
    return dyno_cli_find_row (command, word != NULL ? word : "list", actions, sizeof (Action), error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("“%s” is a model, not a subcommand. Did you mean “dyno-cli models info %s”?"), word, word);
  return NULL;
}

static gboolean
check_numbers (int batch_size, int sequence_length, int deadline_seconds, GError **error)
{
  if (batch_size >= 1 && sequence_length >= 0 && deadline_seconds >= 1)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("--batch and --deadline-seconds must be at least 1, and --sequence must not be negative."));
  return FALSE;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  int batch_size = 1, sequence_length = 0, deadline_seconds = DYNO_MODEL_WORK_SECONDS;
  g_auto (GStrv) dimensions = NULL;
  g_auto (GStrv) inputs = NULL;
  g_auto (Options) options = { { NULL } };
  const GOptionEntry entries[] = {
    DYNO_CLI_GROUP ("For info"),
    { "batch", 0, 0, G_OPTION_ARG_INT, &batch_size, "Batch size for the FLOP count (1)", "N" },
    { "sequence", 0, 0, G_OPTION_ARG_INT, &sequence_length,
      "Sequence length for the FLOP count; 0 is 128, or as many tokens as the model takes (0)", "N" },
    { "dim", 0, 0, G_OPTION_ARG_STRING_ARRAY, &dimensions,
      "Size of a free dimension, or the seconds of audio; may be repeated", "NAME=SIZE" },
    { "input", 0, 0, G_OPTION_ARG_STRING_ARRAY, &inputs,
      "Value of an input: a number, a list, a text, or @FILE; may be repeated", "NAME=VALUE" },
    { "deadline-seconds", 0, 0, G_OPTION_ARG_INT, &deadline_seconds,
      "How long the step of the FLOP count may take (60)", "N" },
    DYNO_CLI_GROUP ("For list"),
    { "family", 0, 0, G_OPTION_ARG_STRING, &options.filter.family, "List models of this family only",
      "FAMILY" },
    { "task", 0, 0, G_OPTION_ARG_STRING, &options.filter.task, "List models for this task only", "TASK" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &options.filter.size, "List models of this size only",
      "tiny|small|base|large|xl|xxl" },
    DYNO_CLI_GROUP ("For export"),
    { "precision", 0, 0, G_OPTION_ARG_STRING, &options.precision, "Precision of an exported model (fp32)",
      "PRECISION" },
    { "attention", 0, 0, G_OPTION_ARG_STRING, &options.attention,
      "Attention of an exported model (decomposed)", "decomposed|fused" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &options.seed, "Seed of random weights of an exported model (0)",
      "N" },
    { "force", 0, 0, G_OPTION_ARG_NONE, &options.replaces, "Replace an existing file", NULL },
    DYNO_CLI_GROUP ("For fetch"),
    { "weights", 0, 0, G_OPTION_ARG_NONE, &options.with_weights,
      "Also fetch the trained weights (safetensors)", NULL },
    { "onnx", 0, 0, G_OPTION_ARG_NONE, &options.as_export, "Fetch the ONNX export, if there is one", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autofree char *overrides = dimensions != NULL ? g_strjoinv (",", dimensions) : NULL;
  g_autofree char *given = inputs != NULL ? g_strjoinv (";", inputs) : NULL;
  const Action *action;

  if (rest == NULL)
    return DYNO_CLI_USAGE;
  action = find_action (command, rest[0], error);
  if (action == NULL || !check_numbers (batch_size, sequence_length, deadline_seconds, error))
    return DYNO_CLI_USAGE;
  options.sizes =
      (DynoCliSizes){ (guint)batch_size, (guint)sequence_length, overrides, given, (guint)deadline_seconds };
  return action->act (*rest != NULL ? rest + 1 : rest, &options, error);
}

const DynoCliCommand dyno_cli_models_command = {
  .name = "models",
  .parameters = "[list|types|info MODEL|export MODEL FILE|fetch ID]",
  .summary = "List the models, describe, export or fetch one",
  .description =
      "MODEL is a bundled id, the id of a fetched model, an ONNX file or a config.json. ID is that of "
      "a model on the Hugging Face Hub. Its config is enough to measure it with random weights. It "
      "goes where the hub’s own programs keep it (HF_HOME). HF_ENDPOINT and HF_TOKEN are respected. An "
      "interrupted download continues. “types” lists the architectures (“model_type” in a config) that Dyno "
      "builds.\n\n"
      "Examples:\n"
      "  dyno-cli models\n"
      "  dyno-cli models list --family decoder --size small\n"
      "  dyno-cli models info bert-tiny\n"
      "  dyno-cli models export bert-tiny bert.onnx --precision fp16\n"
      "  dyno-cli models info model.onnx --dim height=320 --dim width=320\n"
      "  dyno-cli models fetch Qwen/Qwen2.5-0.5B\n"
      "  dyno-cli models fetch google-bert/bert-base-uncased --weights\n",
  .actions = (const char *const[]){ "list", "types", "info", "export", "fetch", NULL },
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
