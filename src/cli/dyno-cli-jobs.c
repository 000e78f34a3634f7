/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-ceilings.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-cluster-submission.h"
#include "dyno-error.h"
#include "dyno-history.h"
#include "dyno-report.h"
#include "dyno-task-group.h"
#include "dyno-task-sink.h"

#define POLL_SECONDS     5
#define MAX_POLL_SECONDS 3600

/* The number of unanswered questions in a row after which the command gives up on a scheduler or machine. */
#define MAX_UNANSWERED 12

/* How to watch. */
typedef struct
{
  double poll_seconds;
  DynoCliAlerts *alerts;
} Wishes;

/* Returns the named jobs, or all. */
static GPtrArray *
load_jobs (char **prefixes, GError **error)
{
  g_autoptr (GPtrArray) jobs = NULL;

  if (*prefixes == NULL)
    return dyno_cluster_job_list ();
  jobs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_cluster_job_free);
  for (; *prefixes != NULL; prefixes++)
    {
      DynoClusterJob *job = dyno_cluster_job_resolve (*prefixes, error);

      if (job == NULL)
        return NULL;
      g_ptr_array_add (jobs, job);
    }
  return g_steal_pointer (&jobs);
}

static gboolean
is_active (const DynoClusterTask *task)
{
  return task->state == DYNO_TASK_WAITING || task->state == DYNO_TASK_RUNNING;
}

static void
add_job (JsonBuilder *builder, const DynoClusterJob *job)
{
  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "id", job->id);
  dyno_report_member_add_text (builder, "target", job->target);
  json_builder_set_member_name (builder, "tasks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];

      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "node", task->node);
      dyno_report_member_add_count (builder, "handle", task->handle);
      dyno_report_member_add_text (builder, "state", dyno_task_state_to_string (task->state));
      dyno_report_member_add_string (builder, "reason", task->reason);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* A job that cannot be polled does not hide the others. */
static gboolean
poll_jobs (GPtrArray *jobs)
{
  gboolean all_known = TRUE;

  for (guint i = 0; i < jobs->len; i++)
    {
      DynoClusterJob *job = jobs->pdata[i];
      g_autoptr (GError) error = NULL;

      if (dyno_cluster_submission_poll (job, &error))
        continue;
      dyno_cli_warn ("%.8s: %s", job->id, error->message);
      all_known = FALSE;
    }
  return all_known;
}

static DynoCliStatus
list_jobs (char **arguments, const Wishes *wishes, GError **error)
{
  g_autoptr (GPtrArray) jobs = load_jobs (arguments, error);
  gboolean all_known = jobs != NULL && poll_jobs (jobs);
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("");
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  DynoReportTable *table;

  if (jobs == NULL)
    return DYNO_CLI_FAILED;
  table = dyno_report_table_new ("lL3wr2lw1", _ ("Job"), _ ("Where"), _ ("Nodes"), _ ("Tasks"), _ ("State"),
                                 _ ("Reason"), NULL);
  json_builder_begin_array (builder);
  for (guint i = 0; i < jobs->len; i++)
    {
      /* Tasks that are alike share a row. */
      const DynoClusterJob *job = jobs->pdata[i];
      g_autoptr (GPtrArray) groups = dyno_task_groups_new ();

      for (guint k = 0; k < job->tasks->len; k++)
        dyno_task_groups_add (groups, job->tasks->pdata[k]);
      for (guint k = 0; k < groups->len; k++)
        {
          const DynoTaskGroup *group = groups->pdata[k];

          dyno_report_table_take_row (table, g_strdup_printf ("%.8s", job->id), g_strdup (job->target),
                                      dyno_task_group_dup_nodes (group),
                                      g_strdup_printf ("%u", group->nodes->len),
                                      g_strdup (dyno_task_state_get_label (group->state)),
                                      dyno_cli_format_text (group->reason), NULL);
        }

      add_job (builder, job);
    }
  json_builder_end_array (builder);
  dyno_report_document_take_data (document, json_builder_get_root (builder));
  if (jobs->len == 0)
    dyno_report_document_add_paragraph (document,
                                        _ ("There are no jobs. Submit one with “dyno-cli run --on slurm”."));
  dyno_report_document_take_table (document, table);
  dyno_report_document_begin_list (document);
  for (guint i = 0; i < jobs->len; i++)
    {
      const DynoClusterJob *job = jobs->pdata[i];
      g_autofree char *id = g_strdup_printf ("%.8s", job->id);
      g_autofree char *logs = dyno_cluster_job_dup_logs (job);

      dyno_report_document_add_fact (document, id, logs);
    }
  return dyno_cli_answer_print (document, error) && all_known ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

/* Finished tasks are not touched. */
static gboolean
cancel_job (DynoClusterJob *job, DynoReportDocument *document, JsonBuilder *builder, GError **error)
{
  g_autofree gboolean *were_open = g_new0 (gboolean, job->tasks->len);
  gboolean is_done;

  if (!dyno_cluster_submission_poll (job, error))
    return FALSE;
  for (guint i = 0; i < job->tasks->len; i++)
    were_open[i] = dyno_cluster_task_is_open (job->tasks->pdata[i]);
  is_done = dyno_cluster_submission_cancel (job, error);
  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];
      const char *label = dyno_task_state_get_label (task->state);
      g_autofree char *sentence =
          /* Translators: a node, and how its task stands, such as “done” */
          !were_open[i]      ? g_strdup_printf (_ ("%s: had ended before (%s)"), task->node, label)
          : task->is_stopped ? g_strdup_printf (_ ("%s: told to stop; finished cases are kept"), task->node)
                             : /* Translators: a node, and why */
              g_strdup_printf (_ ("%s: could not be told to stop: %s"), task->node,
                               task->reason != NULL ? task->reason : "");

      dyno_report_document_add_item (document, NULL, sentence, NULL);
      json_builder_begin_object (builder);
      dyno_report_member_add_text (builder, "job", job->id);
      dyno_report_member_add_text (builder, "node", task->node);
      dyno_report_member_add_text (builder, "state", dyno_task_state_to_string (task->state));
      dyno_report_member_add_flag (builder, "stopped", were_open[i] && task->is_stopped);
      json_builder_end_object (builder);
    }
  return is_done;
}

static DynoCliStatus
cancel_jobs (char **arguments, const Wishes *wishes, GError **error)
{
  g_autoptr (GPtrArray) jobs =
      dyno_cli_expect_arguments (arguments, 1, G_MAXUINT, error) ? load_jobs (arguments, error) : NULL;
  g_autoptr (DynoReportDocument) document = dyno_report_document_new ("");
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  gboolean is_done = TRUE;

  if (jobs == NULL)
    return *arguments != NULL ? DYNO_CLI_FAILED : DYNO_CLI_USAGE;
  dyno_report_document_begin_list (document);
  json_builder_begin_array (builder);
  for (guint i = 0; i < jobs->len; i++)
    is_done = cancel_job (jobs->pdata[i], document, builder, is_done ? error : NULL) && is_done;
  json_builder_end_array (builder);
  dyno_report_document_take_data (document, json_builder_get_root (builder));
  return dyno_cli_answer_print (document, is_done ? error : NULL) && is_done ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

static DynoCliStatus
fetch (GPtrArray *jobs, GError **error)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_writable_store (error);
  g_autofree char *sentence = NULL;
  guint n_new = 0;
  gboolean is_whole = TRUE;
  DynoCliStatus status;

  for (guint i = 0; store != NULL && i < jobs->len; i++)
    {
      DynoClusterJob *job = jobs->pdata[i];
      g_autoptr (GError) local_error = NULL;

      if (dyno_cluster_job_fetch (job, store, &n_new, &local_error))
        {
          dyno_cluster_submission_close (job);
          continue;
        }
      dyno_cli_warn ("%.8s: %s", job->id, local_error->message);
      is_whole = FALSE;
    }
  if (store == NULL)
    return DYNO_CLI_FAILED;
  sentence = g_strdup_printf (
      ngettext ("%u run is new, or has new cases.\n", "%u runs are new, or have new cases.\n", n_new), n_new);
  status = dyno_cli_answer_print_sentence (
      sentence, dyno_cli_answer_create_member ("new", json_node_init_int (json_node_alloc (), n_new)), error);
  return is_whole ? status : DYNO_CLI_FAILED;
}

static DynoCliStatus
fetch_jobs (char **arguments, const Wishes *wishes, GError **error)
{
  g_autoptr (GPtrArray) jobs = load_jobs (arguments, error);
  gboolean all_known = jobs != NULL && poll_jobs (jobs);
  DynoCliStatus status = jobs != NULL ? fetch (jobs, error) : DYNO_CLI_FAILED;

  return all_known ? status : DYNO_CLI_FAILED;
}

static guint
count_tasks (DynoClusterJob *job, gboolean (*is_so) (const DynoClusterTask *task))
{
  guint n = 0;

  for (guint i = 0; i < job->tasks->len; i++)
    n += is_so (job->tasks->pdata[i]);
  return n;
}

static gboolean
is_done (const DynoClusterTask *task)
{
  return task->state == DYNO_TASK_DONE;
}

static gboolean
is_lost (const DynoClusterTask *task)
{
  return task->state == DYNO_TASK_LOST;
}

/* A single unanswered question must not end a long wait, but permanent silence must. */
static gboolean
wait_for_tasks (DynoClusterJob *job, double seconds, GError **error)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_set_size (said, (int)job->tasks->len);
  for (guint n_unanswered = 0;; g_usleep ((gulong)(seconds * G_USEC_PER_SEC)))
    {
      g_autoptr (GError) local_error = NULL;
      gboolean is_known = dyno_cluster_submission_poll (job, &local_error);

      if (is_known && dyno_cli_answer_is_text ())
        {
          /* Prints the changes since the last report. */
          g_autoptr (GPtrArray) groups = dyno_task_groups_new ();

          for (guint i = 0; i < job->tasks->len; i++)
            {
              const DynoClusterTask *task = job->tasks->pdata[i];
              char *words = g_strdup_printf ("%u %s", task->state, task->reason != NULL ? task->reason : "");

              if (g_strcmp0 (words, said->pdata[i]) != 0)
                dyno_task_groups_add (groups, task);
              g_free (said->pdata[i]);
              said->pdata[i] = words;
            }
          for (guint i = 0; i < groups->len; i++)
            {
              const DynoTaskGroup *group = groups->pdata[i];
              g_autofree char *nodes = dyno_task_group_dup_nodes (group);

              dyno_cli_say ("%s: %s%s%s\n", nodes, dyno_task_state_get_label (group->state),
                            group->reason != NULL ? ", " : "", group->reason != NULL ? group->reason : "");
            }
        }
      if (is_known && count_tasks (job, is_active) + count_tasks (job, is_lost) == 0)
        return TRUE;
      n_unanswered = is_known && count_tasks (job, is_active) > 0 ? 0 : n_unanswered + 1;
      if (n_unanswered < MAX_UNANSWERED)
        continue;
      if (!is_known)
        g_propagate_error (error, g_steal_pointer (&local_error));
      return is_known;
    }
}

static DynoCliStatus
watch_job (char **arguments, const Wishes *wishes, GError **error)
{
  g_autoptr (GPtrArray) jobs =
      dyno_cli_expect_arguments (arguments, 1, 1, error) ? load_jobs (arguments, error) : NULL;
  DynoClusterJob *job = jobs != NULL ? jobs->pdata[0] : NULL;
  g_autoptr (DynoStore) store = NULL;
  DynoCliStatus status;

  if (job == NULL)
    return *arguments != NULL ? DYNO_CLI_FAILED : DYNO_CLI_USAGE;
  if (!wait_for_tasks (job, wishes->poll_seconds, error))
    return DYNO_CLI_FAILED;
  status = fetch (jobs, error);
  if (dyno_cli_alerts_are_wanted (wishes->alerts))
    store = dyno_cli_runs_open_writable_store (NULL);
  for (guint i = 0; store != NULL && i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];
      g_autoptr (DynoRun) run = dyno_cluster_job_compose (job, i, NULL);
      GListModel *results = run != NULL ? dyno_run_get_results (run) : NULL;
      guint n = results != NULL ? g_list_model_get_n_items (results) : 0;
      g_autoptr (DynoResult) last = n > 0 ? g_list_model_get_item (results, n - 1) : NULL;
      GPtrArray *lost = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_alert_free);

      if (is_lost (task))
        g_ptr_array_add (lost, dyno_alert_new_lost (task->node, task->reason, last));
      dyno_cli_alerts_tell (wishes->alerts, run, lost, store);
    }
  return status == DYNO_CLI_OK && count_tasks (job, is_done) == job->tasks->len ? DYNO_CLI_OK
                                                                                : DYNO_CLI_FAILED;
}

/* Runs the task of a node. After a restart, it measures only the missing cases. */
static DynoCliStatus
run_task (char **arguments, const Wishes *wishes, GError **error)
{
  g_autoptr (DynoClusterJob) job = NULL;
  g_autoptr (DynoPlan) plan = NULL;
  g_autoptr (GError) local_error = NULL;
  guint64 number = 0;

  if (!dyno_cli_expect_arguments (arguments, 2, 2, error))
    return DYNO_CLI_USAGE;
  job = dyno_cluster_job_load (arguments[0], error);
  if (job == NULL || !g_ascii_string_to_unsigned (arguments[1], 10, 0, job->tasks->len - 1, &number, error))
    return DYNO_CLI_FAILED;
  if (dyno_cluster_job_is_done (job, (guint)number))
    return DYNO_CLI_OK;
  plan = dyno_cluster_job_build_plan (job, (guint)number, &local_error);
  if (plan == NULL && !g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return DYNO_CLI_FAILED;
    }
  if (plan != NULL)
    {
      g_autoptr (DynoTaskSink) sink = dyno_task_sink_new (job, (guint)number, error);
      g_autoptr (DynoRunner) runner = sink != NULL ? dyno_runner_new (plan, DYNO_RESULT_SINK (sink)) : NULL;
      g_autoptr (DynoRun) run = NULL;
      gboolean is_kept = FALSE;

      if (runner == NULL)
        return DYNO_CLI_FAILED;
      if (job->shares_nodes)
        g_setenv ("DYNO_SHARED_NODE", "1", TRUE);
      dyno_runner_set_ceilings (runner,
                                g_getenv ("DYNO_NO_CEILINGS") == NULL ? DYNO_CEILINGS_QUICK_SECONDS : 0);
      run = dyno_cli_measure (runner, NULL, &is_kept, error);
      if (run == NULL || !is_kept)
        return DYNO_CLI_FAILED;
    }
  return dyno_cluster_job_finish_task (job, (guint)number, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

typedef struct
{
  const char *name;
  DynoCliStatus (*act) (char **arguments, const Wishes *wishes, GError **error);
} Action;

static const Action actions[] = {
  { "list", list_jobs },   { "watch", watch_job }, { "cancel", cancel_jobs },
  { "fetch", fetch_jobs }, { "task", run_task },
};

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_autoptr (DynoCliAlerts) alerts = dyno_cli_alerts_new ();
  Wishes wishes = { .poll_seconds = POLL_SECONDS, .alerts = alerts };
  const GOptionEntry every = {
    "every", 0, 0, G_OPTION_ARG_DOUBLE, &wishes.poll_seconds, "Ask every S seconds (watch: 5)", "S"
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  g_auto (GStrv) rest = NULL;
  const Action *action = NULL;

  g_array_append_val (entries, every);
  for (const GOptionEntry *entry = dyno_cli_alerts_get_entries (alerts); entry->long_name != NULL; entry++)
    g_array_append_val (entries, *entry);
  rest = dyno_cli_parse (command, (const GOptionEntry *)entries->data, arguments, error);
  if (rest != NULL && dyno_cli_alerts_check (alerts, error))
    action = dyno_cli_find_row (command, rest[0], actions, sizeof (Action), error);
  if (action == NULL)
    return DYNO_CLI_USAGE;
  if (!(wishes.poll_seconds > 0 && wishes.poll_seconds < MAX_POLL_SECONDS))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("--every takes seconds, above 0 and below %d."), MAX_POLL_SECONDS);
  else if (action->act != watch_job && dyno_cli_alerts_are_wanted (alerts))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("Only “dyno-cli jobs watch” takes the options about alerts."));
  else
    return action->act (rest + 1, &wishes, error);
  return DYNO_CLI_USAGE;
}

const DynoCliCommand dyno_cli_jobs_command = {
  .name = "jobs",
  .parameters = "list|watch|cancel|fetch|task [JOB…]",
  .summary = "Follow what was submitted to other machines",
  .description =
      "“dyno-cli run --on” submits a plan. “watch” waits for its results and copies them into the "
      "store of this machine; “fetch” copies what is finished. Both may be repeated. “cancel” ends "
      "tasks and keeps what they have finished. “task FOLDER NUMBER” is what a node runs.\n\n"
      "Examples:\n"
      "  dyno-cli jobs list\n"
      "  dyno-cli jobs watch 1c9f\n"
      "  dyno-cli jobs watch 1c9f --notify-url https://example.org/hook\n"
      "  dyno-cli jobs fetch\n",
  .actions = (const char *const[]){ "list", "watch", "cancel", "fetch", "task", NULL },
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
