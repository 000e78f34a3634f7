/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-json.h"
#include "dyno-model-spec.h"
#include "dyno-store-private.h"

/* How long a change waits for another process. */
#define LOCK_MILLISECONDS 5000

static const struct
{
  const char *name;
  const char *label;
} priorities[DYNO_N_QUEUE_PRIORITIES] = {
  /* Translators: the priority of a run in the queue */
  [DYNO_QUEUE_HIGH] = { "high", N_ ("High") },
  /* Translators: the priority of a run in the queue */
  [DYNO_QUEUE_NORMAL] = { "normal", N_ ("Normal") },
  /* Translators: the priority of a run in the queue: it waits until the machine is idle */
  [DYNO_QUEUE_IDLE] = { "idle", N_ ("When Idle") },
};

const char *
dyno_queue_priority_to_string (DynoQueuePriority self)
{
  g_return_val_if_fail (self < DYNO_N_QUEUE_PRIORITIES, NULL);
  return priorities[self].name;
}

const char *
dyno_queue_priority_get_label (DynoQueuePriority self)
{
  g_return_val_if_fail (self < DYNO_N_QUEUE_PRIORITIES, NULL);
  return _ (priorities[self].label);
}

gboolean
dyno_queue_priority_from_string (const char *name, DynoQueuePriority *priority)
{
  for (guint i = 0; i < DYNO_N_QUEUE_PRIORITIES; i++)
    if (g_strcmp0 (priorities[i].name, name) == 0)
      {
        *priority = i;
        return TRUE;
      }
  return FALSE;
}

void
dyno_queued_run_free (DynoQueuedRun *self)
{
  g_free (self->id);
  g_clear_object (&self->plan);
  g_free (self);
}

void
dyno_queued_run_prepare (DynoQueuedRun *self)
{
  DynoMethod *method = dyno_plan_get_method (self->plan);

  if (self->priority == DYNO_QUEUE_IDLE && dyno_method_get_wait_quiet (method) < DYNO_QUEUE_IDLE_SECONDS)
    g_object_set (method, "wait-quiet", DYNO_QUEUE_IDLE_SECONDS, NULL);
}

char *
dyno_store_dup_queue_path (DynoStore *self)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  return g_strconcat (dyno_store_get_path (self), ".queue", NULL);
}

static DynoQueuedRun *
read_run (JsonObject *object, GError **error)
{
  g_autoptr (DynoQueuedRun) self = g_new0 (DynoQueuedRun, 1);
  const char *plan = dyno_json_member_get_string (object, "plan");

  self->id = g_strdup (dyno_json_member_get_string (object, "id"));
  if (plan != NULL && self->id != NULL &&
      dyno_queue_priority_from_string (dyno_json_member_get_string (object, "priority"), &self->priority))
    {
      self->plan = dyno_plan_new_from_json (plan, error);
      return self->plan != NULL ? g_steal_pointer (&self) : NULL;
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("A run in it lacks its id, its plan or its priority."));
  return NULL;
}

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const DynoQueuedRun *first = *(const DynoQueuedRun *const *)a, *second = *(const DynoQueuedRun *const *)b;

  return (first->priority > second->priority) - (first->priority < second->priority);
}

/* A damaged file is left as it is. */
static GPtrArray *
read_queue (const char *path, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_queued_run_free);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GBytes) bytes = dyno_file_read (path, DYNO_FILE_MAX_TEXT, &local_error);
  g_autoptr (JsonObject) object = NULL;
  JsonArray *array;

  if (g_error_matches (local_error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return g_steal_pointer (&runs);
  if (bytes != NULL)
    object = dyno_json_parse_object (g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes),
                                     _ ("The list"), &local_error);
  array = dyno_json_member_get_array (object, "runs");
  if (object != NULL && array == NULL)
    g_set_error_literal (&local_error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("It holds no list of runs."));
  for (guint i = 0; array != NULL && local_error == NULL && i < json_array_get_length (array); i++)
    {
      DynoQueuedRun *run = read_run (dyno_json_member_get_element (array, i), &local_error);

      if (run != NULL)
        g_ptr_array_add (runs, run);
    }
  if (local_error == NULL)
    return g_steal_pointer (&runs);
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
      /* Translators: a path, and the reason */
      _ ("The queue in “%s” cannot be read, and stays as it is. %s Mend the file, or move it away to "
         "begin a new queue."),
      path, local_error->message);
  return NULL;
}

static gboolean
write_queue (const char *path, GPtrArray *runs, GError **error)
{
  JsonArray *array = json_array_new ();
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) root = json_node_init_object (json_node_alloc (), object);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GBytes) bytes = NULL;
  char *text;

  for (guint i = 0; i < runs->len; i++)
    {
      const DynoQueuedRun *run = runs->pdata[i];
      g_autofree char *plan = dyno_plan_to_json (run->plan);
      JsonObject *written = json_object_new ();

      json_object_set_string_member (written, "id", run->id);
      json_object_set_string_member (written, "priority", priorities[run->priority].name);
      json_object_set_string_member (written, "plan", plan);
      json_array_add_object_element (array, written);
    }
  json_object_set_array_member (object, "runs", array);
  text = dyno_json_text_write (root, TRUE);
  bytes = g_bytes_new_take (text, strlen (text));
  return dyno_output_file_save (file, bytes, NULL, error);
}

/* Another process holds the lock for a moment only, unless it is stopped in that moment. */
static DynoStoreLock *
lock_queue (const char *path, GError **error)
{
  g_autoptr (DynoStoreLock) lock = dyno_store_lock_new (path);

  return dyno_store_lock_exclude (lock, LOCK_MILLISECONDS, 1, error) ? g_steal_pointer (&lock) : NULL;
}

GPtrArray *
dyno_store_list_queue (DynoStore *self, GError **error)
{
  g_autofree char *path = dyno_store_dup_queue_path (self);

  return read_queue (path, error);
}

char *
dyno_store_add_to_queue (DynoStore *self, DynoPlan *plan, DynoQueuePriority priority, GError **error)
{
  g_autofree char *path = dyno_store_dup_queue_path (self);
  g_autofree char *json = NULL;
  g_autoptr (DynoStoreLock) lock = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) models = NULL;
  g_autofree char *id = g_uuid_string_random ();
  DynoQueuedRun *run;

  g_return_val_if_fail (DYNO_IS_PLAN (plan), NULL);
  g_return_val_if_fail (priority < DYNO_N_QUEUE_PRIORITIES, NULL);

  lock = lock_queue (path, error);
  runs = lock != NULL ? read_queue (path, error) : NULL;
  json = dyno_plan_to_json (plan);
  if (runs == NULL)
    return NULL;
  run = g_new (DynoQueuedRun, 1);
  *run = (DynoQueuedRun){ g_strdup (id), dyno_plan_new_from_json (json, NULL), priority };
  /* Whoever measures the run may be in another folder. */
  for (const char *const *model = dyno_plan_get_models (plan); *model != NULL; model++)
    {
      g_autoptr (DynoModelSpec) spec = dyno_model_spec_parse (*model);
      g_autofree char *file = g_canonicalize_filename (*model, NULL);

      g_strv_builder_add (builder, spec->path != NULL && !spec->is_fetched ? file : *model);
    }
  models = g_strv_builder_end (builder);
  g_object_set (run->plan, "models", models, NULL);
  g_ptr_array_add (runs, run);
  g_ptr_array_sort (runs, compare_runs);
  return write_queue (path, runs, error) ? g_steal_pointer (&id) : NULL;
}

/* Changes its place or priority, or removes it. Returns whether that is possible. */
static gboolean
change_run (GPtrArray *runs, guint place, const char *change, GError **error)
{
  DynoQueuedRun *run = runs->pdata[place];
  gboolean is_up = g_str_equal (change, "up");
  guint other = is_up ? place - 1 : place + 1;
  DynoQueuePriority priority;

  if (g_str_equal (change, "remove"))
    g_ptr_array_remove_index (runs, place);
  else if (dyno_queue_priority_from_string (change, &priority))
    {
      /* It comes after the others of that priority. */
      g_ptr_array_add (runs, g_ptr_array_steal_index (runs, place));
      run->priority = priority;
      g_ptr_array_sort (runs, compare_runs);
    }
  else if (!is_up && !g_str_equal (change, "down"))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                 _ ("A run moves up or down, or becomes high, normal or idle; it cannot be moved “%s”."),
                 change);
  else if (other >= runs->len || ((DynoQueuedRun *)runs->pdata[other])->priority != run->priority)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                         is_up ? _ ("The run is already the first of its priority.")
                               : _ ("The run is already the last of its priority."));
  else
    {
      runs->pdata[place] = runs->pdata[other];
      runs->pdata[other] = run;
    }
  return *error == NULL;
}

gboolean
dyno_store_change_queue (DynoStore *self, const char *id, const char *change, GError **error)
{
  g_autofree char *path = dyno_store_dup_queue_path (self);
  g_autoptr (DynoStoreLock) lock = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) local_error = NULL;
  guint place = 0, n_found = 0;

  g_return_val_if_fail (id != NULL, FALSE);
  g_return_val_if_fail (change != NULL, FALSE);

  lock = lock_queue (path, error);
  runs = lock != NULL ? read_queue (path, error) : NULL;
  if (runs == NULL)
    return FALSE;
  for (guint i = 0; i < runs->len; i++)
    if (g_str_has_prefix (((DynoQueuedRun *)runs->pdata[i])->id, id))
      {
        place = i;
        n_found++;
      }
  if (n_found == 1 && change_run (runs, place, change, &local_error))
    return write_queue (path, runs, error);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                 n_found == 0 ? _ ("No run “%s” waits in the queue. “dyno-cli queue list” lists them.")
                              : _ ("Several runs begin with “%s”. Give more of the id."),
                 id);
  return FALSE;
}

int
dyno_store_claim_queue (DynoStore *self, GError **error)
{
  g_autofree char *path = dyno_store_dup_queue_path (self);
  g_autofree char *name = g_strconcat (path, ".claim", NULL);
  int fd = g_open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  gboolean is_ours = fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0;
  g_autoptr (GHashTable) running = dyno_store_running_list (dyno_store_get_path (self));

  if (is_ours && g_hash_table_size (running) == 0)
    return fd;
  if (fd >= 0)
    g_close (fd, NULL);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                       fd < 0     ? _ ("The folder of the store cannot be written. Check its permissions.")
                       : !is_ours ? _ ("Another process of Dyno is taking runs from the queue.")
                                  : _ ("Another process of Dyno is measuring. Two runs at once would disturb "
                                       "each other: start the queue when that one has ended."));
  return -1;
}
