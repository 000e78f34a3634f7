/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-task-group.h"

#define N_ENTRIES 15

struct _DynoCliSubmit
{
  DynoClusterOptions options;
  char *where;
  GOptionEntry entries[N_ENTRIES + 1];
};

DynoCliSubmit *
dyno_cli_submit_new (void)
{
  DynoCliSubmit *self = g_new0 (DynoCliSubmit, 1);
  DynoClusterOptions *options = &self->options;
  g_autofree char *targets = dyno_cluster_driver_list_targets ();

  self->where = g_strdup_printf ("Measure on other machines or in the background of this one: %s", targets);

  const GOptionEntry entries[N_ENTRIES] = {
    DYNO_CLI_GROUP ("On other machines"),
    { "on", 0, 0, G_OPTION_ARG_STRING, &options->target, self->where, "WHERE" },
    { "nodes", 0, 0, G_OPTION_ARG_STRING, &options->nodes,
      "Nodes: each, a number of them, or their names with commas (each)", "each|N|LIST" },
    { "divide", 0, 0, G_OPTION_ARG_NONE, &options->divides,
      "Divide the cases among the nodes, each to the free node that has its device, instead of measuring "
      "every case on each node",
      NULL },
    { "shared-nodes", 0, 0, G_OPTION_ARG_NONE, &options->shares_nodes,
      "Share the nodes with other jobs; energy is then not measured", NULL },
    { "constraint", 0, 0, G_OPTION_ARG_STRING, &options->constraint, "Features that a node must have",
      "FEATURES" },
    { "gres", 0, 0, G_OPTION_ARG_STRING, &options->gres, "Devices that each task needs, such as gpu:1",
      "DEVICES" },
    { "time", 0, 0, G_OPTION_ARG_STRING, &options->time,
      "Time limit of each task, as the scheduler writes it", "TIME" },
    { "account", 0, 0, G_OPTION_ARG_STRING, &options->account, "Account that the scheduler charges",
      "ACCOUNT" },
    { "qos", 0, 0, G_OPTION_ARG_STRING, &options->qos,
      "Quality of service, by the name that the site gives it", "NAME" },
    { "reservation", 0, 0, G_OPTION_ARG_STRING, &options->reservation, "Reservation whose nodes are used",
      "NAME" },
    { "nice", 0, 0, G_OPTION_ARG_STRING, &options->nice,
      "Lower the priority by N; only operators may give a number below 0", "N" },
    { "begin", 0, 0, G_OPTION_ARG_STRING, &options->begin,
      "Do not start before TIME, as the scheduler writes it, such as 22:00 or now+1hour", "TIME" },
    { "job-priority", 0, 0, G_OPTION_ARG_STRING, &options->priority,
      "Place in the queue, as a number of the scheduler; mostly for operators", "N" },
    { "stage", 0, 0, G_OPTION_ARG_NONE, &options->stages,
      "Copy Dyno and its engines to the nodes, for nodes without Dyno", NULL },
  };

  for (guint i = 0; i < N_ENTRIES; i++)
    self->entries[i] = entries[i];
  return self;
}

void
dyno_cli_submit_free (DynoCliSubmit *self)
{
  dyno_cluster_options_clear (&self->options);
  g_free (self->where);
  g_free (self);
}

const GOptionEntry *
dyno_cli_submit_get_entries (DynoCliSubmit *self)
{
  return self->entries;
}

gboolean
dyno_cli_submit_is_wanted (DynoCliSubmit *self)
{
  return self->options.target != NULL;
}

gboolean
dyno_cli_submit_check (DynoCliSubmit *self, GError **error)
{
  const DynoClusterOptions *options = &self->options;

  if (options->target != NULL)
    return dyno_cluster_driver_find (options->target, error) != NULL;
  if (options->nodes == NULL && !options->divides && !options->stages &&
      !dyno_cluster_options_need_scheduler (options))
    return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
      _ ("--nodes, --divide, --stage, --shared-nodes and the options of a scheduler, such as --constraint "
         "or --qos, are about other machines: say which with --on."));
  return FALSE;
}

DynoCliStatus
dyno_cli_submit_run (DynoCliSubmit *self, DynoPlan *plan, gboolean is_dry, GError **error)
{
  g_autoptr (GPtrArray) answers = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (DynoClusterJob) job = NULL;
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "self", "exe", NULL);
  gboolean can_run;

  self->options.program = g_file_read_link (path, error);
  if (self->options.program != NULL && dyno_cluster_options_name_stage (&self->options, error))
    nodes = dyno_cluster_submission_choose_nodes (&self->options, answers, error);
  can_run = nodes != NULL && dyno_cluster_submission_check_plan (&self->options, plan, nodes, answers, error);
  for (guint i = 0; i < answers->len; i++)
    dyno_cli_say ("%s\n", (const char *)answers->pdata[i]);
  if (!can_run || is_dry)
    return can_run ? DYNO_CLI_OK : DYNO_CLI_FAILED;
  job = dyno_cluster_submission_submit (&self->options, plan, nodes, error);
  if (job == NULL)
    return DYNO_CLI_FAILED;

  g_autoptr (GPtrArray) groups = dyno_task_groups_new ();

  for (guint i = 0; i < job->tasks->len; i++)
    dyno_task_groups_add (groups, job->tasks->pdata[i]);
  dyno_cli_say (
      ngettext ("Submitted %.8s with %u task.\n", "Submitted %.8s with %u tasks.\n", job->tasks->len),
      job->id, job->tasks->len);
  for (guint i = 0; i < groups->len; i++)
    {
      g_autofree char *names = dyno_task_group_dup_nodes (groups->pdata[i]);

      dyno_cli_say ("  %s\n", names);
    }
  dyno_cli_say (_ ("“dyno-cli jobs watch %.8s” waits for the results and fetches them.\n"), job->id);
  return DYNO_CLI_OK;
}
