/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-cluster-submission.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-unit.h"

/* As far as Slurm’s numbers reach. */
#define MAX_NICE     G_GINT64_CONSTANT (2147483645)
#define MAX_PRIORITY G_GINT64_CONSTANT (4294967293)

static gboolean
is_whole_number (const char *text, gint64 least, gint64 most, const char *option, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (text == NULL || g_ascii_string_to_signed (text, 10, least, most, NULL, &local_error))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               /* Translators: an option, the least and the greatest number, and what was given */
               _ ("%s takes a whole number from %" PRId64 " to %" PRId64 ", not “%s”."), option, least, most,
               text);
  return FALSE;
}

static gboolean
check_options (const DynoClusterDriver *driver, const DynoClusterOptions *options, GError **error)
{
  if (driver->has_scheduler)
    return is_whole_number (options->nice, -MAX_NICE, MAX_NICE, "--nice", error) &&
           is_whole_number (options->priority, 1, MAX_PRIORITY, "--job-priority", error);
  if (!dyno_cluster_options_need_scheduler (options))
    return TRUE;
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
      _ ("“%s” has no scheduler: leave out --constraint, --gres, --time, --account, --qos, --reservation, "
         "--nice, --begin, --job-priority and --shared-nodes."),
      options->target);
  return FALSE;
}

/* Picks the named nodes, in the user's order; an unknown name is an error. */
static GPtrArray *
pick_named (GPtrArray *nodes, const char *list, GError **error)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_cluster_node_free);

  for (char **name = names; *name != NULL; name++)
    {
      const DynoClusterNode *found = NULL;
      DynoClusterNode *copy;

      for (guint i = 0; found == NULL && i < nodes->len; i++)
        if (g_str_equal (((const DynoClusterNode *)nodes->pdata[i])->name, g_strstrip (*name)))
          found = nodes->pdata[i];
      if (found == NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                       _ ("There is no node “%s” that takes work now. Use --nodes each for all that do."),
                       *name);
          return NULL;
        }
      copy = dyno_cluster_node_new (found->name, found->hardware);
      copy->partitions = g_strdup (found->partitions);
      copy->is_busy = found->is_busy;
      g_ptr_array_add (chosen, copy);
    }
  return g_steal_pointer (&chosen);
}

/* Returns G_MAXUINT for `each`, 0 for a list of names. */
static guint
read_number (const char *nodes)
{
  char *end = NULL;
  guint64 number;

  if (nodes == NULL || g_str_equal (nodes, "each"))
    return G_MAXUINT;
  number = g_ascii_strtoull (nodes, &end, 10);
  return *end == '\0' && end != nodes ? (guint)MIN (number, G_MAXUINT - 1) : 0;
}

/* The scheduler's answer for a node; equal nodes of the same partitions have the same answer. */
typedef struct
{
  char *node;
  char *answer;
  double free_in;
  GError *refusal;
} Answer;

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_free (answer->node);
  g_free (answer->answer);
  g_clear_error (&answer->refusal);
  g_free (answer);
}

/* Equal nodes of the same partitions give equal answers. */
static char *
name_kind (const DynoClusterNode *node)
{
  return g_strdup_printf ("%s %s", node->hardware != NULL ? node->hardware : node->name,
                          node->partitions != NULL ? node->partitions : "");
}

static void
add_same (const char *node, const char *other, GPtrArray *answers)
{
  /* Translators: two nodes of a cluster */
  g_ptr_array_add (answers, g_strdup_printf (_ ("%s: as “%s”"), node, other));
}

/* When a node at work is free differs from node to node, and decides which cases it gets. */
static const Answer *
ask_node (const DynoClusterDriver *driver,
          const DynoClusterOptions *options,
          const DynoClusterNode *node,
          GHashTable *known,
          GPtrArray *answers)
{
  g_autofree char *kind = options->divides && node->is_busy ? g_strdup (node->name) : name_kind (node);
  Answer *answer = g_hash_table_lookup (known, kind);

  if (answer != NULL)
    {
      add_same (node->name, answer->node, answers);
      return answer;
    }
  answer = g_new0 (Answer, 1);
  answer->node = g_strdup (node->name);
  driver->test (options, node->name, &answer->answer, &answer->free_in, &answer->refusal);
  g_hash_table_insert (known, g_steal_pointer (&kind), answer);
  g_ptr_array_add (answers,
                   g_strdup_printf ("%s: %s", node->name,
                                    answer->refusal != NULL ? answer->refusal->message : answer->answer));
  return answer;
}

/* A node that the user named must accept the task; other nodes that refuse are left out. */
static gboolean
ask_nodes (const DynoClusterDriver *driver,
           const DynoClusterOptions *options,
           GPtrArray *nodes,
           GPtrArray *answers,
           GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, answer_free);
  guint wanted = read_number (options->nodes);
  g_autoptr (GError) refusal = NULL;

  for (guint i = 0; driver->test != NULL && i < nodes->len && (wanted == 0 || i < wanted);)
    {
      const Answer *answer = ask_node (driver, options, nodes->pdata[i], known, answers);

      if (answer->refusal == NULL)
        {
          ((DynoClusterNode *)nodes->pdata[i++])->free_in = answer->free_in;
          continue;
        }
      g_clear_error (&refusal);
      refusal = g_error_copy (answer->refusal);
      if (wanted == 0)
        break;
      g_ptr_array_remove_index (nodes, i);
    }
  if (refusal == NULL || (wanted > 0 && nodes->len > 0))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("The scheduler rejected the task: %s"),
               refusal->message);
  return FALSE;
}

GPtrArray *
dyno_cluster_submission_choose_nodes (const DynoClusterOptions *options, GPtrArray *answers, GError **error)
{
  const DynoClusterDriver *driver = dyno_cluster_driver_find (options->target, error);
  guint wanted = read_number (options->nodes);
  g_autoptr (GPtrArray) nodes =
      driver != NULL && check_options (driver, options, error) ? driver->list_nodes (options, error) : NULL;

  if (nodes != NULL && driver->describe != NULL)
    g_ptr_array_add (answers, driver->describe (options));
  if (nodes != NULL && wanted == 0)
    {
      GPtrArray *named = pick_named (nodes, options->nodes, error);

      g_ptr_array_unref (nodes);
      nodes = named;
    }
  if (nodes == NULL || !ask_nodes (driver, options, nodes, answers, error))
    return NULL;
  if (nodes->len == 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("No node of “%s” takes work now."),
                   options->target);
      return NULL;
    }
  if (wanted > 0 && nodes->len > wanted)
    g_ptr_array_set_size (nodes, (int)wanted);
  return g_steal_pointer (&nodes);
}

/* Returns whether the node would measure any case of the plan; @error is only set if the check failed. */
static gboolean
check_node (DynoClusterNode *node, const char *answer, GPtrArray *answers, GError **error)
{
  g_autoptr (JsonObject) root = dyno_json_parse_object (answer, -1, node->name, error);
  JsonArray *cases = dyno_json_member_get_array (root, "cases");
  guint n_cases = cases != NULL ? json_array_get_length (cases) : 0;
  const double unmeasured = NAN;
  guint n_running = 0;
  g_autoptr (GHashTable) n_skipped = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer reason, count;

  if (root == NULL)
    return FALSE;
  node->seconds = g_array_sized_new (FALSE, FALSE, sizeof (double), n_cases);
  for (guint i = 0; i < n_cases; i++)
    g_array_append_val (node->seconds, unmeasured);
  for (guint i = 0; i < n_cases; i++)
    {
      JsonObject *object = dyno_json_member_get_element (cases, i);
      const char *why = dyno_json_member_get_string (object, "reason");
      gint64 number = dyno_json_member_get_int64 (object, "number", 0);

      n_running += dyno_json_member_get_boolean (object, "runs");
      if (number >= 1 && number <= n_cases && dyno_json_member_get_boolean (object, "runs"))
        g_array_index (node->seconds, double, number - 1) =
            dyno_json_member_get_double (object, "expected_seconds", 0);
      if (why != NULL)
        g_hash_table_insert (n_skipped, (gpointer)why,
                             GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (n_skipped, why)) + 1));
    }

  /* Translators: a node, how many cases of a plan would be measured there, and how many it has */
  g_ptr_array_add (answers, g_strdup_printf (ngettext ("%s: %u of %u case would be measured",
                                                       "%s: %u of %u cases would be measured", n_cases),
                                             node->name, n_running, n_cases));
  g_hash_table_iter_init (&iter, n_skipped);
  while (g_hash_table_iter_next (&iter, &reason, &count))
    g_ptr_array_add (answers,
                     /* Translators: a node, how many cases, and why they are not measured there */
                     g_strdup_printf (ngettext ("%s: %u case is skipped: %s", "%s: %u cases are skipped: %s",
                                                GPOINTER_TO_UINT (count)),
                                      node->name, GPOINTER_TO_UINT (count), (const char *)reason));
  return n_running > 0;
}

/* Asks one of several equal nodes: @known has it, NULL if it measures nothing. A node that cannot be asked now is assumed
 * to measure something. */
static gboolean
ask_kind (const DynoClusterDriver *driver,
          const DynoClusterOptions *options,
          DynoClusterNode *node,
          const char *plan,
          GHashTable *known,
          GPtrArray *answers,
          gboolean *measures,
          GError **error)
{
  g_autofree char *kind = name_kind (node);
  g_autoptr (GError) local_error = NULL;
  g_autofree char *answer = NULL;
  gpointer found;

  if (g_hash_table_lookup_extended (known, kind, NULL, &found))
    {
      const DynoClusterNode *other = found;

      *measures = other != NULL;
      if (other != NULL && other->seconds != NULL)
        node->seconds = g_array_ref (other->seconds);
      if (other != NULL)
        add_same (node->name, other->name, answers);
      return TRUE;
    }
  answer = driver->ask (options, node->name, plan, &local_error);
  *measures = answer != NULL ? check_node (node, answer, answers, &local_error) : TRUE;
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_BUSY))
    g_ptr_array_add (answers, g_strdup_printf ("%s: %s", node->name, local_error->message));
  else if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  g_hash_table_insert (known, g_steal_pointer (&kind), *measures ? node : NULL);
  return TRUE;
}

/* Removes the nodes that get no case. */
static gboolean
divide (DynoPlan *plan, GPtrArray *nodes, GPtrArray *answers, GError **error)
{
  g_autoptr (GPtrArray) cases = dyno_plan_expand (plan, error);
  const char *const *numbers = dyno_plan_get_cases (plan);
  gboolean takes_turns = dyno_plan_get_turns (plan);

  if (cases != NULL && takes_turns)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                         _ ("Sides that take turns need the same node: leave out --divide or --compare."));
  if (cases == NULL || takes_turns)
    return FALSE;
  dyno_case_division_make (cases, nodes);
  for (guint i = 0; i < nodes->len;)
    {
      const DynoClusterNode *node = nodes->pdata[i];
      guint n_cases = node->cases->len;
      g_autofree char *duration = dyno_unit_format_duration (node->done_in);
      char *text;

      for (guint j = 0; *numbers != NULL && j < n_cases; j++)
        {
          guint *ordinal = &g_array_index (node->cases, guint, j);

          *ordinal = (guint)g_ascii_strtoull (numbers[*ordinal], NULL, 10) - 1;
        }
      if (n_cases > 0)
        text = g_strdup_printf (
            /* Translators: a node, how many cases it gets, and in how much time they are measured, such as “5 min” */
            ngettext ("%s: %u case, done in about %s", "%s: %u cases, done in about %s", n_cases), node->name,
            n_cases, duration);
      else
        /* Translators: a node */
        text = g_strdup_printf (_ ("%s: no case, because other nodes suit all of them or are free earlier"),
                                node->name);
      g_ptr_array_add (answers, text);
      if (n_cases > 0)
        i++;
      else
        g_ptr_array_remove_index (nodes, i);
    }
  return TRUE;
}

gboolean
dyno_cluster_submission_check_plan (
    const DynoClusterOptions *options, DynoPlan *plan, GPtrArray *nodes, GPtrArray *answers, GError **error)
{
  const DynoClusterDriver *driver = dyno_cluster_driver_find (options->target, error);
  g_autofree char *json = dyno_plan_to_json (plan);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; driver != NULL && driver->ask != NULL && i < nodes->len;)
    {
      gboolean measures;

      if (!ask_kind (driver, options, nodes->pdata[i], json, known, answers, &measures, error))
        return FALSE;
      if (measures)
        i++;
      else
        g_ptr_array_remove_index (nodes, i);
    }
  if (driver == NULL || nodes->len > 0)
    return driver != NULL && (!options->divides || divide (plan, nodes, answers, error));
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("No case of the plan can be measured on any of the nodes. “--dry-run” says why."));
  return FALSE;
}

DynoClusterJob *
dyno_cluster_submission_submit (const DynoClusterOptions *options,
                                DynoPlan *plan,
                                GPtrArray *nodes,
                                GError **error)
{
  g_autofree char *json = dyno_plan_to_json (plan);
  g_autoptr (DynoPlan) adapted = dyno_plan_new_from_json (json, error);
  g_autoptr (DynoClusterJob) job = NULL;
  const DynoClusterDriver *driver;
  gboolean is_saved;

  /* Other jobs on a node also draw power, and only the total power is measured. */
  if (adapted != NULL && options->shares_nodes)
    g_object_set (dyno_plan_get_method (adapted), "power-milliseconds", 0, NULL);
  if (adapted == NULL)
    return NULL;
  job = dyno_cluster_job_new (adapted, options->target);
  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoClusterNode *node = nodes->pdata[i];

      dyno_cluster_job_add_task (job, node->name, node->cases != NULL ? node->hardware : NULL, node->cases);
    }
  job->shares_nodes = options->shares_nodes;
  job->takes_any_node = read_number (options->nodes) > 0 && read_number (options->nodes) < G_MAXUINT;
  /* Creates the folder before the driver gets any task, so that a crash in between loses none. */
  driver = dyno_cluster_driver_find (job->target, error);
  is_saved = driver != NULL && dyno_cluster_job_save (job, error);
  if (!is_saved || !driver->submit (job, options, error))
    {
      if (is_saved)
        driver->cancel (job, NULL);
      dyno_cluster_job_delete (job);
      return NULL;
    }
  return dyno_cluster_job_save (job, error) ? g_steal_pointer (&job) : NULL;
}

static void
set_state (DynoClusterTask *task, DynoTaskState state, char *reason)
{
  task->state = state;
  g_free (task->reason);
  task->reason = reason;
}

/* The document decides, whatever the scheduler says. */
static void
settle (DynoClusterJob *job, guint number)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  gboolean is_active = task->state == DYNO_TASK_WAITING || task->state == DYNO_TASK_RUNNING;

  if (dyno_cluster_job_is_done (job, number))
    set_state (task, DYNO_TASK_DONE, NULL);
  else if (task->state == DYNO_TASK_STOPPED || (task->is_stopped && !is_active))
    set_state (task, DYNO_TASK_STOPPED, NULL);
  else if (task->state == DYNO_TASK_ENDED)
    set_state (task, DYNO_TASK_FAILED, g_strdup (_ ("It ended without the rest of its cases.")));
}

/* A node gets one task, and cases that were given to one kind of nodes stay with it. */
static gboolean
fits (DynoClusterJob *job, guint number, const DynoClusterNode *node)
{
  const DynoClusterTask *lost = job->tasks->pdata[number];

  for (guint i = 0; i < job->tasks->len; i++)
    if (g_str_equal (((const DynoClusterTask *)job->tasks->pdata[i])->node, node->name))
      return FALSE;
  return lost->cases == NULL || (lost->hardware != NULL && g_strcmp0 (lost->hardware, node->hardware) == 0);
}

/* Saves the new node before the task can begin there. */
static gboolean
move_task (
    const DynoClusterDriver *driver, DynoClusterJob *job, guint number, const char *node, GError **error)
{
  DynoClusterTask *task = job->tasks->pdata[number];
  g_autofree char *old = g_steal_pointer (&task->node);

  task->node = g_strdup (node);
  if (dyno_cluster_job_save (job, error) && driver->move (job, number, error))
    return TRUE;
  g_free (task->node);
  task->node = g_steal_pointer (&old);
  dyno_cluster_job_save (job, NULL);
  return FALSE;
}

/* If any nodes will do, a task does not wait for one that is gone, unless it has results. */
static void
replace_nodes (const DynoClusterDriver *driver, DynoClusterJob *job)
{
  const DynoClusterOptions options = { .target = job->target };
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; job->takes_any_node && driver->move != NULL && i < job->tasks->len; i++)
    {
      DynoClusterTask *task = job->tasks->pdata[i];
      g_autoptr (DynoRun) run = task->lacks_node ? dyno_cluster_job_compose (job, i, NULL) : NULL;

      if (!task->lacks_node || run != NULL)
        continue;
      if (nodes == NULL && (nodes = driver->list_nodes (&options, &error)) == NULL)
        break;
      for (guint j = 0; task->lacks_node && error == NULL && j < nodes->len; j++)
        {
          const DynoClusterNode *node = nodes->pdata[j];

          if (fits (job, i, node) && move_task (driver, job, i, node->name, &error))
            task->lacks_node = FALSE;
        }
    }
  if (error != NULL)
    g_debug ("%s", error->message);
}

gboolean
dyno_cluster_submission_poll (DynoClusterJob *job, GError **error)
{
  const DynoClusterDriver *driver = dyno_cluster_driver_find (job->target, error);
  gboolean is_known;

  for (guint i = 0; i < job->tasks->len; i++)
    settle (job, i);
  is_known = driver != NULL && driver->poll (job, error);
  if (is_known)
    replace_nodes (driver, job);
  for (guint i = 0; is_known && i < job->tasks->len; i++)
    settle (job, i);
  return is_known;
}

void
dyno_cluster_submission_close (DynoClusterJob *job)
{
  gboolean is_over = TRUE;

  for (guint i = 0; i < job->tasks->len; i++)
    is_over = is_over && !dyno_cluster_task_is_open (job->tasks->pdata[i]);
  if (is_over == job->is_over)
    return;
  job->is_over = is_over;
  dyno_cluster_job_save (job, NULL);
}

gboolean
dyno_cluster_submission_cancel (DynoClusterJob *job, GError **error)
{
  const DynoClusterDriver *driver = dyno_cluster_driver_find (job->target, error);
  gboolean all_told;

  if (driver == NULL || !dyno_cluster_submission_poll (job, error))
    return FALSE;
  all_told = driver->cancel (job, error);
  return dyno_cluster_job_save (job, all_told ? error : NULL) && all_told;
}
