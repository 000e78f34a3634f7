/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "dyno-ceilings.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-json.h"

typedef struct
{
  DynoCliPlan *plan;
  DynoQueuePriority priority;
} Wishes;

static DynoCliStatus
add_run (char **arguments, const Wishes *wishes, GError **error)
{
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (GPtrArray) cases = NULL;
  g_autoptr (DynoStore) store = NULL;
  g_autofree char *title = NULL;
  g_autofree char *id = NULL;
  g_autofree char *sentence = NULL;

  if (!dyno_cli_expect_arguments (arguments, 0, 0, error))
    return DYNO_CLI_USAGE;
  plan = dyno_cli_plan_build (wishes->plan, error);
  /* A plan that cannot be run is refused now, while the user is here. */
  cases = plan != NULL ? dyno_plan_expand_for_run (plan, error) : NULL;
  if (cases == NULL)
    return DYNO_CLI_USAGE;
  store = dyno_cli_runs_open_writable_store (error);
  id = store != NULL ? dyno_store_add_to_queue (store, plan, wishes->priority, error) : NULL;
  if (id == NULL)
    return DYNO_CLI_FAILED;
  title = dyno_plan_dup_run_title (plan);
  sentence =
      /* Translators: the title of a run, and its id in the queue */
      g_strdup_printf (_ ("“%s” waits in the queue as %.8s. “dyno-cli queue run” starts it.\n"), title, id);
  return dyno_cli_answer_print_sentence (
      sentence, dyno_cli_answer_create_member ("id", json_node_init_string (json_node_alloc (), id)), error);
}

static DynoCliStatus
list_runs (char **arguments, const Wishes *wishes, GError **error)
{
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  DynoReportTable *table;

  if (!dyno_cli_expect_arguments (arguments, 0, 0, error))
    return DYNO_CLI_USAGE;
  store = dyno_cli_runs_open_store (error);
  runs = store != NULL ? dyno_store_list_queue (store, error) : NULL;
  if (runs == NULL)
    return DYNO_CLI_FAILED;
  table = dyno_report_table_new ("llw", _ ("Run"), _ ("Priority"), _ ("Title"), NULL);
  json_builder_begin_array (builder);
  for (guint i = 0; i < runs->len; i++)
    {
      const DynoQueuedRun *run = runs->pdata[i];
      char *title = dyno_plan_dup_run_title (run->plan);
      JsonNode *plan = dyno_json_from_object (G_OBJECT (run->plan));

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "id", run->id);
      dyno_report_member_add_text (builder, "priority", dyno_queue_priority_to_string (run->priority));
      dyno_report_member_add_text (builder, "title", title);
      json_builder_set_member_name (builder, "plan");
      json_builder_add_value (builder, plan);
      json_builder_end_object (builder);
      dyno_report_table_take_row (table, g_strdup_printf ("%.8s", run->id),
                                  g_strdup (dyno_queue_priority_get_label (run->priority)), title, NULL);
    }
  json_builder_end_array (builder);
  return dyno_cli_answer_print_list (
      table, _ ("No run waits in the queue. “dyno-cli queue add” takes the options of “dyno-cli run”."),
      json_builder_get_root (builder), error);
}

static DynoCliStatus
change (const char *id, const char *how, GError **error)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_writable_store (error);
  char *no_arguments[] = { NULL };

  if (store == NULL || !dyno_store_change_queue (store, id, how, error))
    return DYNO_CLI_FAILED;
  return list_runs (no_arguments, NULL, error);
}

static DynoCliStatus
remove_run (char **arguments, const Wishes *wishes, GError **error)
{
  return dyno_cli_expect_arguments (arguments, 1, 1, error) ? change (arguments[0], "remove", error)
                                                            : DYNO_CLI_USAGE;
}

static DynoCliStatus
move_run (char **arguments, const Wishes *wishes, GError **error)
{
  return dyno_cli_expect_arguments (arguments, 2, 2, error) ? change (arguments[0], arguments[1], error)
                                                            : DYNO_CLI_USAGE;
}

/* The run that is measured. */
typedef struct
{
  DynoStore *store;
  const DynoQueuedRun *queued;
  GError *error;
} Leaving;

/* A run leaves the queue when it has begun. */
static void
leave_queue (Leaving *self)
{
  if (!dyno_store_change_queue (self->store, self->queued->id, "remove", &self->error) &&
      g_error_matches (self->error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND))
    g_clear_error (&self->error);
}

/* Measures one run. Returns it; NULL if it cannot be run, and has left the queue, or with @error set if no other may start. */
static DynoRun *
measure (DynoStore *store, DynoQueuedRun *queued, gboolean *is_kept, GError **error)
{
  g_autoptr (DynoRunner) runner = dyno_runner_new (queued->plan, DYNO_RESULT_SINK (store));
  g_autofree char *title = dyno_plan_dup_run_title (queued->plan);
  Leaving leaving = { store, queued, NULL };
  g_autoptr (GError) local_error = NULL;
  DynoRun *run;

  dyno_queued_run_prepare (queued);
  dyno_runner_set_ceilings (runner, g_getenv ("DYNO_NO_CEILINGS") == NULL ? DYNO_CEILINGS_QUICK_SECONDS : 0);
  g_signal_connect_swapped (runner, "notify::run", G_CALLBACK (leave_queue), &leaving);
  run = dyno_cli_measure (runner, store, is_kept, &local_error);
  if (local_error != NULL && leaving.error == NULL &&
      !g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      dyno_cli_warn (_ ("“%s” left the queue, because it cannot run. %s"), title, local_error->message);
      g_clear_error (&local_error);
      leave_queue (&leaving);
    }
  if (leaving.error != NULL)
    g_propagate_error (error, leaving.error);
  else if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return run;
}

static DynoCliStatus
run_all (char **arguments, const Wishes *wishes, GError **error)
{
  g_autoptr (GPtrArray) done = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoStore) store = NULL;
  g_autoptr (GError) local_error = NULL;
  gboolean is_good = TRUE, goes_on = TRUE;

  if (!dyno_cli_expect_arguments (arguments, 0, 0, error))
    return DYNO_CLI_USAGE;
  store = dyno_cli_runs_open_writable_store (error);
  if (store == NULL)
    return DYNO_CLI_FAILED;
  while (goes_on)
    {
      g_autoptr (GPtrArray) waiting = dyno_store_list_queue (store, &local_error);
      int claim = waiting != NULL && waiting->len > 0 ? dyno_store_claim_queue (store, &local_error) : -1;
      gboolean is_kept = FALSE;
      DynoRun *run = claim >= 0 ? measure (store, waiting->pdata[0], &is_kept, &local_error) : NULL;

      goes_on =
          claim >= 0 && local_error == NULL && (run == NULL || (is_kept && !dyno_run_is_interrupted (run)));
      is_good = is_good && (claim < 0 || (run != NULL && is_kept && dyno_cli_run_is_good (run)));
      if (run != NULL && dyno_cli_answer_is_text ())
        dyno_cli_cases_print (run);
      if (run != NULL)
        g_ptr_array_add (done, run);
      if (claim >= 0)
        g_close (claim, NULL);
    }
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (dyno_cli_answer_is_text () && done->len == 0 && is_good)
    dyno_cli_say ("%s\n", _ ("No run waits in the queue."));
  else if (!dyno_cli_answer_is_text () && !dyno_cli_answer_print_runs (done, error))
    return DYNO_CLI_FAILED;
  return is_good && (error == NULL || *error == NULL) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

typedef struct
{
  const char *name;
  DynoCliStatus (*act) (char **arguments, const Wishes *wishes, GError **error);
} Action;

static const Action actions[] = {
  { "add", add_run },       { "list", list_runs }, { "move", move_run },
  { "remove", remove_run }, { "run", run_all },
};

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_autoptr (DynoCliPlan) plan = dyno_cli_plan_new ();
  g_autofree char *priority = NULL;
  Wishes wishes = { plan, DYNO_QUEUE_NORMAL };
  const GOptionEntry own[] = {
    DYNO_CLI_GROUP ("When"),
    { "queue-priority", 0, 0, G_OPTION_ARG_STRING, &priority,
      "Let the run begin before others, or wait until the machine is idle: high, normal, idle (normal)",
      "P" },
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  g_auto (GStrv) rest = NULL;
  const Action *action = NULL;

  for (const GOptionEntry *entry = dyno_cli_plan_get_entries (plan); entry->long_name != NULL; entry++)
    g_array_append_val (entries, *entry);
  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  rest = dyno_cli_parse (command, (const GOptionEntry *)entries->data, arguments, error);
  if (rest != NULL)
    action = dyno_cli_find_row (command, rest[0], actions, sizeof (Action), error);
  if (action == NULL)
    return DYNO_CLI_USAGE;
  if (priority != NULL && !dyno_queue_priority_from_string (priority, &wishes.priority))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("--queue-priority is high, normal or idle, not “%s”."), priority);
  else if (action->act != add_run && (priority != NULL || !dyno_cli_plan_is_empty (plan)))
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                         _ ("Only “dyno-cli queue add” takes options about what to measure."));
  else
    return action->act (rest + 1, &wishes, error);
  return DYNO_CLI_USAGE;
}

const DynoCliCommand dyno_cli_queue_command = {
  .name = "queue",
  .parameters = "add|list|move|remove|run [RUN [up|down|PRIORITY]]",
  .summary = "Measure several runs one after the other",
  .description =
      "“add” takes the options of “dyno-cli run” that say what to measure. The runs wait until “run” "
      "measures "
      "them, or the window, which shows the same queue on its page Benchmark. Two never measure at once. "
      "“move” "
      "changes the place of a run among those of its priority, or its priority. Ctrl+C ends the current run; "
      "the others go on waiting.\n\n"
      "Examples:\n"
      "  dyno-cli queue add --suite quick\n"
      "  dyno-cli queue add -m resnet-50 --batch 1,8 --queue-priority high\n"
      "  dyno-cli queue list\n"
      "  dyno-cli queue move 1c9f up\n"
      "  dyno-cli queue move 1c9f idle\n"
      "  dyno-cli queue remove 1c9f\n"
      "  dyno-cli queue run\n",
  .actions = (const char *const[]){ "add", "list", "move", "remove", "run", NULL },
  .prints_answer = TRUE,
  .prints_notes = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
