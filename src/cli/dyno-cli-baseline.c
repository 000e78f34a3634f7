/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-report.h"

static DynoCliStatus
set_baseline (char **arguments, GError **error)
{
  char *names[] = { NULL, NULL };
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (DynoStore) store = NULL;
  g_autofree char *sentence = NULL;
  const char *id;

  if (!dyno_cli_expect_arguments (arguments, 1, 2, error))
    return DYNO_CLI_USAGE;
  names[0] = arguments[1];
  runs = dyno_cli_runs_load (names, error);
  store = runs != NULL ? dyno_cli_runs_open_writable_store (error) : NULL;
  id = store != NULL ? dyno_run_get_id (runs->pdata[0]) : NULL;
  if (id == NULL || !dyno_store_set_baseline (store, arguments[0], id, error))
    return DYNO_CLI_FAILED;
  sentence = g_strdup_printf (_ ("“%s” is now run %.8s, which is kept until the baseline is removed.\n"),
                              arguments[0], id);
  return dyno_cli_answer_print_sentence (
      sentence, dyno_cli_answer_create_member ("run", json_node_init_string (json_node_alloc (), id)), error);
}

static DynoCliStatus
remove_baseline (char **arguments, GError **error)
{
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GPtrArray) before = NULL;
  g_autofree char *sentence = NULL;
  const char *id = NULL;

  if (!dyno_cli_expect_arguments (arguments, 1, 1, error))
    return DYNO_CLI_USAGE;
  store = dyno_cli_runs_open_writable_store (error);
  before = store != NULL ? dyno_store_list_baselines (store, error) : NULL;
  if (before == NULL || !dyno_store_remove_baseline (store, arguments[0], error))
    return DYNO_CLI_FAILED;
  for (guint i = 0; i < before->len; i++)
    if (g_str_equal (((const DynoBaseline *)before->pdata[i])->name, arguments[0]))
      id = ((const DynoBaseline *)before->pdata[i])->run_id;
  sentence = g_strdup_printf (_ ("The baseline “%s” of run %.8s is removed.\n"), arguments[0], id);
  return dyno_cli_answer_print_sentence (
      sentence, dyno_cli_answer_create_member ("run", json_node_init_string (json_node_alloc (), id)), error);
}

static DynoCliStatus
list_baselines (char **arguments, GError **error)
{
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GPtrArray) baselines = NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  DynoReportTable *table;

  if (!dyno_cli_expect_arguments (arguments, 0, 0, error))
    return DYNO_CLI_USAGE;
  store = dyno_cli_runs_open_store (error);
  baselines = store != NULL ? dyno_store_list_baselines (store, error) : NULL;
  if (baselines == NULL)
    return DYNO_CLI_FAILED;
  table = dyno_report_table_new ("llll", _ ("Baseline"), _ ("Run"), C_ ("time of a baseline", "Set"),
                                 _ ("State"), NULL);
  json_builder_begin_array (builder);
  for (guint i = 0; i < baselines->len; i++)
    {
      const DynoBaseline *baseline = baselines->pdata[i];

      dyno_report_table_take_row (table, g_strdup (baseline->name),
                                  g_strdup_printf ("%.8s", baseline->run_id),
                                  dyno_report_text_format_date (baseline->set_at),
                                  g_strdup (baseline->is_kept ? "" : _ ("gone")), NULL);
      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "name", baseline->name);
      dyno_report_member_add_text (builder, "run", baseline->run_id);
      dyno_report_member_add_flag (builder, "is_kept", baseline->is_kept);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return dyno_cli_answer_print_list (
      table, _ ("There are no baselines. Set one with “dyno-cli baseline set NAME RUN”."),
      json_builder_get_root (builder), error);
}

typedef struct
{
  const char *name;
  DynoCliStatus (*act) (char **arguments, GError **error);
} Action;

static const Action actions[] = {
  { "set", set_baseline },
  { "list", list_baselines },
  { "remove", remove_baseline },
};

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  const Action *action =
      rest != NULL ? dyno_cli_find_row (command, rest[0], actions, sizeof (Action), error) : NULL;

  return action != NULL ? action->act (rest + 1, error) : DYNO_CLI_USAGE;
}

const DynoCliCommand dyno_cli_baseline_command = {
  .name = "baseline",
  .parameters = "set|list|remove [NAME [RUN]]",
  .summary = "Give runs names to compare with, and keep them",
  .description =
      "RUN is an id, the beginning of one, or “last” (the default). A name can be used wherever RUN "
      "can. The run cannot be deleted before its baseline is removed.\n\n"
      "Examples:\n"
      "  dyno-cli baseline set main last\n"
      "  dyno-cli compare last --baseline main --fail-above 3%\n"
      "  dyno-cli baseline remove main\n",
  .actions = (const char *const[]){ "set", "list", "remove", NULL },
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
