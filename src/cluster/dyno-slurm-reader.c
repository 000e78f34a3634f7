/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-cluster-private.h"
#include "dyno-json.h"

void
dyno_slurm_task_free (DynoSlurmTask *self)
{
  g_free (self->reason);
  g_free (self->node);
  g_free (self->comment);
  g_free (self);
}

static void
node_free (gpointer data)
{
  DynoSlurmNode *node = data;

  g_free (node->name);
  g_free (node->state);
  g_free (node->partitions);
  g_free (node->features);
  g_free (node->hardware);
  g_free (node);
}

/* Slurm before 23.02 writes a number, later ones an object with a flag for whether it is set. */
static gint64
read_number (JsonObject *object, const char *name, gint64 fallback)
{
  JsonObject *wrapped = dyno_json_member_get_object (object, name);

  if (wrapped == NULL)
    return dyno_json_member_get_int64 (object, name, fallback);
  return dyno_json_member_get_boolean (wrapped, "set")
             ? dyno_json_member_get_int64 (wrapped, "number", fallback)
             : fallback;
}

/* A word, or a list whose first word is the state. */
static const char *
read_state (JsonObject *object, const char *name)
{
  JsonArray *words = dyno_json_member_get_array (object, name);

  if (words == NULL)
    return dyno_json_member_get_string (object, name);
  return json_array_get_length (words) > 0 ? dyno_json_node_get_string (json_array_get_element (words, 0))
                                           : NULL;
}

static char *
dup_known (const char *text)
{
  static const char *const unknown[] = { "", "None", "None assigned", "(null)", NULL };

  return text != NULL && !g_strv_contains (unknown, text) ? g_strdup (text) : NULL;
}

/* squeue has flat fields, sacct has objects. */
static DynoSlurmTask *
read_task (JsonObject *job)
{
  JsonObject *array = dyno_json_member_get_object (job, "array");
  JsonObject *state = dyno_json_member_get_object (job, "state");
  const char *word = state != NULL ? read_state (state, "current") : read_state (job, "job_state");
  const char *reason =
      dyno_json_member_get_string (state != NULL ? state : job, state != NULL ? "reason" : "state_reason");
  const char *why;
  DynoSlurmTask *task;

  if (word == NULL)
    return NULL;
  task = g_new0 (DynoSlurmTask, 1);
  task->job = array != NULL ? read_number (array, "job_id", 0) : read_number (job, "array_job_id", 0);
  task->index = array != NULL ? read_number (array, "task_id", -1) : read_number (job, "array_task_id", -1);
  if (task->job == 0)
    task->job = read_number (job, "job_id", 0);
  task->state = dyno_task_state_from_slurm (word, &why);
  task->reason = why != NULL ? g_strdup (why) : dup_known (reason);
  task->node = dup_known (dyno_json_member_get_string (job, "nodes"));
  task->restarts = read_number (job, "restart_cnt", 0);
  task->comment = dup_known (dyno_json_member_get_string (job, "comment"));
  return task;
}

GPtrArray *
dyno_slurm_reader_read_tasks (const char *text, gssize length, GError **error)
{
  g_autoptr (JsonObject) root = dyno_json_parse_object (text, length, _ ("The answer of Slurm"), error);
  GPtrArray *tasks;
  JsonArray *jobs;

  if (root == NULL)
    return NULL;
  tasks = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_slurm_task_free);
  jobs = dyno_json_member_get_array (root, "jobs");
  for (guint i = 0; jobs != NULL && i < json_array_get_length (jobs); i++)
    {
      JsonObject *job = dyno_json_member_get_element (jobs, i);
      DynoSlurmTask *task = job != NULL ? read_task (job) : NULL;

      if (task != NULL)
        g_ptr_array_add (tasks, task);
    }
  return tasks;
}

/* Values may contain blanks (OS=Linux 6.1 …), so words without “=” are skipped. */
static DynoSlurmNode *
read_node (const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  const char *name;
  DynoSlurmNode *node;

  for (char **word = words; *word != NULL; word++)
    {
      char *sign = strchr (*word, '=');

      if (sign == NULL)
        continue;
      *sign = '\0';
      g_hash_table_insert (values, *word, sign + 1);
    }
  name = g_hash_table_lookup (values, "NodeName");
  if (name == NULL || *name == '\0')
    return NULL;
  node = g_new0 (DynoSlurmNode, 1);
  node->name = g_strdup (name);
  node->state = g_strdup (g_hash_table_lookup (values, "State"));
  node->partitions = dup_known (g_hash_table_lookup (values, "Partitions"));
  node->features = dup_known (g_hash_table_lookup (values, "AvailableFeatures"));

  static const char *const names[] = { "Arch",           "CPUTot",     "Sockets",           "CoresPerSocket",
                                       "ThreadsPerCore", "RealMemory", "AvailableFeatures", "Gres" };
  GString *hardware = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *value = g_hash_table_lookup (values, names[i]);

      g_string_append_printf (hardware, "%s%s=%s", i > 0 ? " " : "", names[i], value != NULL ? value : "");
    }
  node->hardware = g_string_free (hardware, FALSE);
  return node;
}

GPtrArray *
dyno_slurm_reader_read_nodes (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GPtrArray *nodes = g_ptr_array_new_with_free_func (node_free);

  for (char **line = lines; *line != NULL; line++)
    {
      DynoSlurmNode *node = read_node (*line);

      if (node != NULL)
        g_ptr_array_add (nodes, node);
    }
  return nodes;
}

gint64
dyno_slurm_reader_read_submission (const char *text)
{
  char *end = NULL;
  gint64 number = g_ascii_strtoll (text, &end, 10);

  return end != text && number > 0 && (*end == '\0' || *end == ';' || *end == '\n') ? number : 0;
}

gint64
dyno_slurm_reader_read_start (const char *text)
{
  static const char before[] = "to start at ";
  const char *found = strstr (text, before);
  const char *begin = found != NULL ? found + strlen (before) : "";
  g_autofree char *word = g_strndup (begin, strcspn (begin, " "));
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (word, zone);

  return time != NULL ? g_date_time_to_unix (time) * G_USEC_PER_SEC : 0;
}

gboolean
dyno_slurm_node_is_usable (const DynoSlurmNode *self, const char *partition)
{
  static const char *const unusable[] = { "DOWN",   "DRAIN", "FAIL",           "UNKNOWN",
                                          "FUTURE", "*",     "NOT_RESPONDING", "MAINT" };
  g_auto (GStrv) partitions = g_strsplit (self->partitions != NULL ? self->partitions : "", ",", -1);

  for (guint i = 0; self->state != NULL && i < G_N_ELEMENTS (unusable); i++)
    if (strstr (self->state, unusable[i]) != NULL)
      return FALSE;
  return self->state != NULL &&
         (partition == NULL || g_strv_contains ((const char *const *)partitions, partition));
}
