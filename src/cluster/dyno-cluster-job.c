/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "dyno-cluster-job.h"
#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-json.h"
#include "dyno-paths.h"
#include "dyno-run.h"

#define NAME "job.json"

static void
task_free (gpointer data)
{
  DynoClusterTask *task = data;

  g_free (task->node);
  g_free (task->hardware);
  g_strfreev (task->cases);
  g_free (task->reason);
  g_free (task);
}

void
dyno_cluster_job_free (DynoClusterJob *self)
{
  g_free (self->folder);
  g_free (self->id);
  g_free (self->target);
  g_free (self->plan);
  g_ptr_array_unref (self->tasks);
  g_free (self);
}

DynoClusterJob *
dyno_cluster_job_new (DynoPlan *plan, const char *target)
{
  DynoClusterJob *self = g_new0 (DynoClusterJob, 1);

  self->id = g_uuid_string_random ();
  self->folder = dyno_paths_build (DYNO_PATH_DATA, "jobs", self->id, NULL);
  self->target = g_strdup (target);
  self->plan = dyno_plan_to_json (plan);
  self->tasks = g_ptr_array_new_with_free_func (task_free);
  return self;
}

void
dyno_cluster_job_add_task (DynoClusterJob *self, const char *node, const char *hardware, GArray *cases)
{
  DynoClusterTask *task = g_new0 (DynoClusterTask, 1);

  task->node = g_strdup (node);
  task->hardware = g_strdup (hardware);
  task->cases = cases != NULL ? g_new0 (char *, cases->len + 1) : NULL;
  for (guint i = 0; cases != NULL && i < cases->len; i++)
    task->cases[i] = g_strdup_printf ("%u", g_array_index (cases, guint, i) + 1);
  g_ptr_array_add (self->tasks, task);
}

char *
dyno_cluster_job_to_json (DynoClusterJob *self)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) root = json_node_alloc ();
  JsonArray *tasks = json_array_new ();

  for (guint i = 0; i < self->tasks->len; i++)
    {
      const DynoClusterTask *task = self->tasks->pdata[i];
      JsonObject *written = json_object_new ();
      JsonArray *cases = json_array_new ();

      for (char **number = task->cases; number != NULL && *number != NULL; number++)
        json_array_add_string_element (cases, *number);
      json_object_set_string_member (written, "node", task->node);
      if (task->hardware != NULL)
        json_object_set_string_member (written, "hardware", task->hardware);
      json_object_set_int_member (written, "handle", task->handle);
      json_object_set_boolean_member (written, "stopped", task->is_stopped);
      json_object_set_array_member (written, "cases", cases);
      json_array_add_object_element (tasks, written);
    }
  json_object_set_string_member (object, "id", self->id);
  json_object_set_string_member (object, "target", self->target);
  json_object_set_string_member (object, "plan", self->plan);
  json_object_set_boolean_member (object, "shares-nodes", self->shares_nodes);
  json_object_set_boolean_member (object, "takes-any-node", self->takes_any_node);
  json_object_set_boolean_member (object, "over", self->is_over);
  json_object_set_array_member (object, "tasks", tasks);
  json_node_init_object (root, object);
  return dyno_json_text_write (root, TRUE);
}

gboolean
dyno_cluster_job_save (DynoClusterJob *self, GError **error)
{
  g_autofree char *tasks_folder = g_build_filename (self->folder, "tasks", NULL);
  g_autofree char *path = g_build_filename (self->folder, NAME, NULL);
  g_autofree char *text = dyno_cluster_job_to_json (self);

  if (g_mkdir_with_parents (tasks_folder, 0700) == 0)
    return g_file_set_contents (path, text, -1, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
               _ ("The folder “%s” cannot be made: %s. Check its permissions."), tasks_folder,
               g_strerror (errno));
  return FALSE;
}

static void
delete_children (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      g_remove (child);
    }
}

void
dyno_cluster_job_delete (DynoClusterJob *self)
{
  g_autofree char *tasks_folder = g_build_filename (self->folder, "tasks", NULL);

  delete_children (tasks_folder);
  g_rmdir (tasks_folder);
  delete_children (self->folder);
  g_rmdir (self->folder);
}

DynoClusterJob *
dyno_cluster_job_load (const char *folder, GError **error)
{
  g_autoptr (DynoClusterJob) self = g_new0 (DynoClusterJob, 1);
  g_autofree char *path = g_build_filename (folder, NAME, NULL);
  g_autoptr (GBytes) bytes = dyno_file_read (path, DYNO_FILE_MAX_TEXT, error);
  g_autoptr (JsonObject) object = NULL;

  self->folder = g_strdup (folder);
  self->tasks = g_ptr_array_new_with_free_func (task_free);
  if (bytes != NULL)
    object = dyno_json_parse_object (g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes), path,
                                     error);
  if (object == NULL)
    return NULL;

  JsonArray *tasks = dyno_json_member_get_array (object, "tasks");
  self->id = g_strdup (dyno_json_member_get_string (object, "id"));
  self->target = g_strdup (dyno_json_member_get_string (object, "target"));
  self->plan = g_strdup (dyno_json_member_get_string (object, "plan"));
  self->shares_nodes = dyno_json_member_get_boolean (object, "shares-nodes");
  self->takes_any_node = dyno_json_member_get_boolean (object, "takes-any-node");
  self->is_over = dyno_json_member_get_boolean (object, "over");
  for (guint i = 0; tasks != NULL && i < json_array_get_length (tasks); i++)
    {
      JsonObject *written = dyno_json_member_get_element (tasks, i);
      g_auto (GStrv) cases = dyno_json_member_dup_strings (written, "cases");
      DynoClusterTask *task = written != NULL ? g_new0 (DynoClusterTask, 1) : NULL;

      if (task == NULL)
        continue;
      task->node = g_strdup (dyno_json_member_get_string (written, "node"));
      task->hardware = g_strdup (dyno_json_member_get_string (written, "hardware"));
      task->handle = dyno_json_member_get_int64 (written, "handle", 0);
      task->is_stopped = dyno_json_member_get_boolean (written, "stopped");
      task->cases = *cases != NULL ? g_steal_pointer (&cases) : NULL;
      g_ptr_array_add (self->tasks, task);
    }
  if (self->id != NULL && self->target != NULL && self->plan != NULL && self->tasks->len > 0)
    return g_steal_pointer (&self);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("“%s” does not describe a submission. Submit again."), path);
  return NULL;
}

GPtrArray *
dyno_cluster_job_list (void)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_DATA, "jobs", NULL);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  GPtrArray *jobs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_cluster_job_free);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);
      g_autoptr (GError) error = NULL;
      DynoClusterJob *job = dyno_cluster_job_load (child, &error);

      if (job != NULL)
        g_ptr_array_add (jobs, job);
      else
        g_debug ("%s", error->message);
    }
  return jobs;
}

DynoClusterJob *
dyno_cluster_job_resolve (const char *prefix, GError **error)
{
  g_autoptr (GPtrArray) jobs = dyno_cluster_job_list ();
  guint found = 0;
  guint n_found = 0;

  for (guint i = 0; i < jobs->len; i++)
    if (g_str_has_prefix (((DynoClusterJob *)jobs->pdata[i])->id, prefix))
      {
        found = i;
        n_found++;
      }
  if (n_found == 1)
    return g_ptr_array_steal_index_fast (jobs, found);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               n_found == 0 ? _ ("There is no submission “%s”. “dyno-cli jobs list” lists them.")
                            : _ ("Several submissions begin with “%s”. Give more of the id."),
               prefix);
  return NULL;
}

char *
dyno_cluster_job_build_path (DynoClusterJob *self, guint number, const char *suffix)
{
  g_autofree char *name = g_strdup_printf ("%u%s", number, suffix);

  return g_build_filename (self->folder, "tasks", name, NULL);
}

char *
dyno_cluster_job_dup_logs (const DynoClusterJob *self)
{
  g_autofree char *folder = g_build_filename (self->folder, "tasks", NULL);

  for (guint i = 0; i < self->tasks->len; i++)
    if (((const DynoClusterTask *)self->tasks->pdata[i])->state == DYNO_TASK_FAILED)
      /* Translators: %s is a folder */
      return g_strdup_printf (_ ("The logs are in “%s”."), folder);
  return NULL;
}

/* Returns the document of the start after @restart others; NULL if there is none. Looks for the `.part`
 * file first, as it may be renamed in between. */
static char *
find_document (DynoClusterJob *self, guint number, guint restart, gboolean *is_complete)
{
  g_autofree char *part_suffix = g_strdup_printf ("-r%u.dyno.part", restart);
  g_autofree char *suffix = g_strdup_printf ("-r%u.dyno", restart);
  g_autofree char *part = dyno_cluster_job_build_path (self, number, part_suffix);
  g_autofree char *whole = dyno_cluster_job_build_path (self, number, suffix);
  gboolean has_part = g_file_test (part, G_FILE_TEST_EXISTS);

  *is_complete = g_file_test (whole, G_FILE_TEST_EXISTS);
  if (*is_complete)
    return g_steal_pointer (&whole);
  return has_part ? g_steal_pointer (&part) : NULL;
}

static guint
count_documents (DynoClusterJob *self, guint number, gboolean *is_done)
{
  *is_done = FALSE;
  for (guint restart = 0;; restart++)
    {
      gboolean is_complete;
      g_autofree char *path = find_document (self, number, restart, &is_complete);

      if (path == NULL)
        return restart;
      *is_done = *is_done || is_complete;
    }
}

char *
dyno_cluster_job_choose_document (DynoClusterJob *self, guint number, GError **error)
{
  gboolean is_done;
  guint restart = count_documents (self, number, &is_done);

  for (;; restart++)
    {
      g_autofree char *suffix = g_strdup_printf ("-r%u.dyno.part", restart);
      g_autofree char *path = dyno_cluster_job_build_path (self, number, suffix);
      int file = g_open (path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

      if (file >= 0 && g_close (file, error))
        return g_steal_pointer (&path);
      if (file >= 0)
        return NULL;
      if (errno == EEXIST)
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("“%s” cannot be written: %s. The node must see the folder of the submission."), path,
                   g_strerror (errno));
      return NULL;
    }
}

char *
dyno_cluster_job_dup_stamp (DynoClusterJob *self, guint number)
{
  GString *stamp = g_string_new (NULL);

  for (guint restart = 0;; restart++)
    {
      gboolean is_complete;
      g_autofree char *path = find_document (self, number, restart, &is_complete);
      GStatBuf status;

      if (path == NULL)
        return g_string_free (stamp, FALSE);
      if (g_stat (path, &status) == 0)
        g_string_append_printf (stamp, "%" G_GINT64_FORMAT ".%09ld %" G_GINT64_FORMAT "\n",
                                (gint64)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                                (gint64)status.st_size);
    }
}

gboolean
dyno_cluster_task_is_open (const DynoClusterTask *self)
{
  return self->state == DYNO_TASK_WAITING || self->state == DYNO_TASK_RUNNING ||
         self->state == DYNO_TASK_LOST;
}

gboolean
dyno_cluster_job_is_done (DynoClusterJob *self, guint number)
{
  gboolean is_done;

  count_documents (self, number, &is_done);
  return is_done;
}

/* The scheduler's facts about the run belong to the moment, not to the machine. */
static char *
mark_machine (DynoClusterJob *self, guint number, const char *title, const char *machine)
{
  const DynoClusterTask *task = self->tasks->pdata[number];
  g_autoptr (JsonObject) object = dyno_json_try_object (machine, -1);
  g_autoptr (JsonNode) root = json_node_alloc ();
  JsonObject *state = dyno_json_member_get_object (object, "state");
  JsonObject *cluster;

  if (state == NULL)
    return g_strdup (machine);
  cluster = json_object_new ();
  json_object_set_string_member (cluster, "submission", self->id);
  json_object_set_string_member (cluster, "target", self->target);
  json_object_set_string_member (cluster, "node", task->node);
  if (title != NULL)
    json_object_set_string_member (cluster, "title", title);
  json_object_set_int_member (cluster, "handle", task->handle);
  json_object_set_boolean_member (cluster, "shares-nodes", self->shares_nodes);
  json_object_set_object_member (state, "cluster", cluster);
  json_node_init_object (root, object);
  return dyno_json_text_write (root, FALSE);
}

static DynoPlan *
build_whole_plan (DynoClusterJob *self, guint number, GError **error)
{
  const DynoClusterTask *task = self->tasks->pdata[number];
  DynoPlan *plan = dyno_plan_new_from_json (self->plan, error);

  if (plan != NULL && task->cases != NULL)
    g_object_set (plan, "cases", task->cases, NULL);
  return plan;
}

/* A later start only knows the cases that were left to it. */
static guint
count_cases (DynoPlan *whole, DynoRun *first, DynoPlan *of_first)
{
  g_autoptr (GPtrArray) cases = NULL;

  if (*dyno_plan_get_cases (whole) != NULL)
    return g_strv_length ((char **)dyno_plan_get_cases (whole));
  if (*dyno_plan_get_cases (of_first) == NULL)
    return dyno_run_get_n_cases (first);
  cases = dyno_plan_expand (whole, NULL);
  return cases != NULL ? cases->len : dyno_run_get_n_cases (first);
}

/* The run's id is a UUID of version 5, whose namespace is the submission. */
static DynoRun *
begin_composition (DynoClusterJob *self, guint number, DynoPlan *whole, DynoRun *first, DynoPlan *of_first)
{
  const DynoClusterTask *task = self->tasks->pdata[number];
  g_autofree char *json = dyno_plan_to_json (whole);
  g_autofree char *name = g_strdup_printf ("%s/%s/%u", self->id, task->node, number);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA1, name, -1);
  g_autofree char *id =
      g_strdup_printf ("%.8s-%.4s-5%.3s-a%.3s-%.12s", sum, sum + 8, sum + 13, sum + 17, sum + 20);
  g_autofree char *machine =
      mark_machine (self, number, dyno_run_get_title (first), dyno_run_get_machine (first));
  /* Translators: the title of a run, and the node that it ran on */
  g_autofree char *title = g_strdup_printf (_ ("%s on %s"), dyno_run_get_title (first), task->node);
  DynoRun *run = dyno_run_new (id);

  g_object_set (run, "title", title, "plan", json, "machine", machine, "source", dyno_run_get_source (first),
                "app-version", dyno_run_get_app_version (first), "started-at",
                dyno_run_get_started_at (first), "n-cases", count_cases (whole, first, of_first), NULL);
  return run;
}

/* Returns the index that a case of a part has among the cases of the task, which may be chosen from a plan although the
 * plan is not divided. */
static guint
find_place (const char *const *of_task, const char *const *of_part, guint ordinal)
{
  g_autofree char *number = *of_part != NULL && ordinal < g_strv_length ((char **)of_part)
                                ? g_strdup (of_part[ordinal])
                                : g_strdup_printf ("%u", ordinal + 1);

  for (guint i = 0; of_task[i] != NULL; i++)
    if (g_str_equal (of_task[i], number))
      return i;
  return (guint)g_ascii_strtoull (number, NULL, 10) - 1;
}

static void
take_over (
    DynoClusterJob *self, DynoRun *run, DynoRun *part, DynoPlan *plan, DynoPlan *whole, GHashTable *places)
{
  GListModel *results = dyno_run_get_results (part);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      guint place = find_place (dyno_plan_get_cases (whole), dyno_plan_get_cases (plan),
                                dyno_result_get_ordinal (result));

      if (!dyno_remaining_plan_is_over (result) || !g_hash_table_add (places, GUINT_TO_POINTER (place)))
        continue;
      g_object_set (result, "ordinal", place, NULL);
      if (self->shares_nodes && dyno_case_state_has_numbers (dyno_result_get_state (result)))
        dyno_result_take_diagnostic (
            result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "shared-node",
                                         _ ("Other jobs may have run on this node while it was measured.")));
      dyno_run_add_result (run, result);
    }
  g_object_set (run, "finished-at", MAX (dyno_run_get_finished_at (run), dyno_run_get_finished_at (part)),
                NULL);
}

static DynoRun *
load_document (const char *path, DynoPlan **plan, GError **error)
{
  g_autoptr (DynoStore) document = dyno_store_open_document (path, error);
  g_autoptr (GPtrArray) runs = document != NULL ? dyno_store_list_runs (document, NULL, 0, 1, error) : NULL;
  g_autoptr (DynoRun) run = runs != NULL && runs->len > 0
                                ? dyno_store_load_run (document, dyno_run_get_id (runs->pdata[0]), error)
                                : NULL;

  if (runs != NULL && runs->len == 0)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("“%s” has no run."), path);
  *plan = run != NULL ? dyno_plan_new_from_json (dyno_run_get_plan (run), error) : NULL;
  return *plan != NULL ? g_steal_pointer (&run) : NULL;
}

/* A damaged document of one start does not hide the results of the others: @damage is the first such
 * document. */
static DynoRun *
compose (DynoClusterJob *self, guint number, GError **damage, GError **error)
{
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  g_autoptr (DynoPlan) whole = build_whole_plan (self, number, error);
  g_autoptr (GError) first = NULL;
  g_autoptr (DynoRun) run = NULL;
  gboolean is_complete;

  if (whole == NULL)
    return NULL;
  for (guint restart = 0;; restart++)
    {
      g_autofree char *path = find_document (self, number, restart, &is_complete);
      g_autoptr (DynoPlan) plan = NULL;
      g_autoptr (DynoRun) part = NULL;
      GStatBuf status;

      if (path == NULL)
        break;
      /* A start without results has an empty file. */
      if (g_stat (path, &status) != 0 || status.st_size > 0)
        part = load_document (path, &plan, first == NULL ? &first : NULL);
      if (part == NULL)
        continue;
      if (run == NULL)
        run = begin_composition (self, number, whole, part, plan);
      take_over (self, run, part, plan, whole, places);
    }
  if (run == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("Task %u has no results yet."), number);
  if (first != NULL)
    g_propagate_error (damage, g_steal_pointer (&first));
  return g_steal_pointer (&run);
}

DynoRun *
dyno_cluster_job_compose (DynoClusterJob *self, guint number, GError **error)
{
  return compose (self, number, NULL, error);
}

DynoPlan *
dyno_cluster_job_build_plan (DynoClusterJob *self, guint number, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (DynoRun) run = dyno_cluster_job_compose (self, number, &local_error);

  if (run != NULL)
    return dyno_remaining_plan_new (run, error);
  if (g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND))
    return build_whole_plan (self, number, error);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

gboolean
dyno_cluster_job_finish_task (DynoClusterJob *self, guint number, GError **error)
{
  gboolean is_done, is_complete;
  guint n_documents = count_documents (self, number, &is_done);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (DynoPlan) rest = is_done ? NULL : dyno_cluster_job_build_plan (self, number, &local_error);
  g_autofree char *part =
      n_documents > 0 ? find_document (self, number, n_documents - 1, &is_complete) : NULL;
  g_autofree char *path = part != NULL ? g_strndup (part, strlen (part) - strlen (".part")) : NULL;

  if (is_done)
    return TRUE;
  if (rest == NULL && path != NULL && g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND) &&
      g_rename (part, path) == 0)
    return TRUE;
  if (rest == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                 _ ("Task %u ended before all of its cases did. Those that are finished are kept."), number);
  return FALSE;
}

static void
fetch_task (DynoClusterJob *self, guint number, DynoStore *store, guint *n_new, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GError) damage = NULL;
  g_autoptr (DynoRun) run = compose (self, number, &damage, &local_error);
  gboolean has_results = run != NULL && g_list_model_get_n_items (dyno_run_get_results (run)) > 0;
  gboolean is_new = FALSE;

  if (has_results && dyno_store_add_run (store, run, &is_new, &local_error))
    *n_new += is_new;
  if (damage != NULL)
    g_propagate_error (error, g_steal_pointer (&damage));
  else if (local_error != NULL && !g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND))
    g_propagate_error (error, g_steal_pointer (&local_error));
}

gboolean
dyno_cluster_job_fetch (DynoClusterJob *self, DynoStore *store, guint *n_new, GError **error)
{
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < self->tasks->len; i++)
    fetch_task (self, i, store, n_new, first == NULL ? &first : NULL);
  if (first == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}
