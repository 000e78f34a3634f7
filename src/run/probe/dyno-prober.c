/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "dyno-json.h"
#include "dyno-paths.h"
#include "dyno-prober.h"
#include "dyno-run-probe-private.h"

/* No fingerprint covers everything that can turn a “no” into a “yes”. */
#define MAX_AGE_OF_NO (24 * 3600 * G_TIME_SPAN_SECOND)

/* The cached probe of one backend; the lock is held while it is probed. */
typedef struct
{
  GMutex lock;
  DynoProbe *probe;
  char *fingerprint;
  gint64 asked_at;
} Slot;

struct _DynoProber
{
  GObject parent_instance;

  GMutex lock;
  GHashTable *slots;
  char *library;
};

G_DEFINE_FINAL_TYPE (DynoProber, dyno_prober, G_TYPE_OBJECT)

static void
slot_free (gpointer data)
{
  Slot *slot = data;

  g_mutex_clear (&slot->lock);
  g_clear_object (&slot->probe);
  g_free (slot->fingerprint);
  g_free (slot);
}

static void
dyno_prober_finalize (GObject *object)
{
  DynoProber *self = DYNO_PROBER (object);

  g_mutex_clear (&self->lock);
  g_clear_pointer (&self->slots, g_hash_table_unref);
  g_free (self->library);

  G_OBJECT_CLASS (dyno_prober_parent_class)->finalize (object);
}

static void
dyno_prober_class_init (DynoProberClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_prober_finalize;
}

static void
dyno_prober_init (DynoProber *self)
{
  g_mutex_init (&self->lock);
  self->slots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, slot_free);
}

DynoProber *
dyno_prober_get_default (void)
{
  static DynoProber *prober;

  if (g_once_init_enter (&prober))
    g_once_init_leave (&prober, g_object_new (DYNO_TYPE_PROBER, NULL));
  return prober;
}

static Slot *
get_slot (DynoProber *self, DynoBackend *backend)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Slot *slot = g_hash_table_lookup (self->slots, dyno_backend_get_id (backend));

  if (slot == NULL)
    {
      slot = g_new0 (Slot, 1);
      g_mutex_init (&slot->lock);
      g_hash_table_insert (self->slots, g_strdup (dyno_backend_get_id (backend)), slot);
    }
  return slot;
}

static char *
build_cache_path (DynoProber *self, DynoBackend *backend)
{
  g_autofree char *hash =
      self->library != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, self->library, -1) : NULL;
  g_autofree char *name = hash != NULL
                              ? g_strdup_printf ("%s-%.16s.json", dyno_backend_get_id (backend), hash)
                              : g_strdup_printf ("%s.json", dyno_backend_get_id (backend));

  return dyno_paths_build (DYNO_PATH_CACHE, "probes", name, NULL);
}

/* An unreadable cache counts as a missing one. */
static DynoProbe *
read_file (DynoProber *self, DynoBackend *backend, JsonObject **object)
{
  g_autofree char *path = build_cache_path (self, backend);
  g_autofree char *text = NULL;
  JsonNode *node;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  *object = dyno_json_parse_object (text, -1, path, NULL);
  node = *object != NULL ? json_object_get_member (*object, "probe") : NULL;
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node)
             ? dyno_probe_new_from_json (json_node_get_object (node), NULL)
             : NULL;
}

static DynoProbe *
read_cache (DynoProber *self, DynoBackend *backend, const char *fingerprint, pid_t asker)
{
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (DynoProbe) probe = read_file (self, backend, &object);
  gint64 age;
  gboolean is_fit;

  if (probe == NULL)
    return NULL;
  age = g_get_real_time () - json_object_get_int_member_with_default (object, "asked-at", 0);
  is_fit = dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE || (age >= 0 && age < MAX_AGE_OF_NO);
  /* An answer that may change next time is only valid for the process that asked, and its workers. */
  if (dyno_probe_is_provisional (probe))
    is_fit = json_object_get_int_member_with_default (object, "process", 0) == asker;
  if (!is_fit ||
      g_strcmp0 (json_object_get_string_member_with_default (object, "fingerprint", NULL), fingerprint) != 0)
    return NULL;
  return g_steal_pointer (&probe);
}

static void
write_cache (DynoProber *self, DynoBackend *backend, const char *fingerprint, DynoProbe *probe)
{
  g_autofree char *path = build_cache_path (self, backend);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  json_object_set_string_member (object, "fingerprint", fingerprint);
  json_object_set_int_member (object, "asked-at", g_get_real_time ());
  json_object_set_int_member (object, "process", getpid ());
  json_object_set_member (object, "probe", dyno_probe_to_json (probe));
  json_node_set_object (root, object);
  text = dyno_json_text_write (root, TRUE);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    g_debug ("The folder “%s” cannot be made: %s", folder, g_strerror (errno));
  else if (!g_file_set_contents (path, text, -1, &error))
    g_debug ("What was found about a backend is not kept: %s", error->message);
}

/* When a worker asks, a deferred probe may have an answer. */
static gboolean
is_kept (DynoProbe *probe)
{
  return dyno_probe_get_state (probe) != DYNO_PROBE_DEFERRED;
}

/* Saves a worker from asking again; another process may have overwritten the file with its own answer. */
static void
hand_on (DynoProber *self, DynoBackend *backend, const char *fingerprint, DynoProbe *probe)
{
  g_autoptr (DynoProbe) kept = NULL;

  if (!dyno_probe_is_provisional (probe) || !is_kept (probe))
    return;
  kept = read_cache (self, backend, fingerprint, getpid ());
  if (kept == NULL)
    write_cache (self, backend, fingerprint, probe);
}

DynoProbe *
dyno_prober_probe (DynoProber *self, DynoBackend *backend, DynoProberFlags flags, GCancellable *cancellable)
{
  gint64 wanted_at = g_get_monotonic_time ();
  gboolean is_fresh = (flags & DYNO_PROBER_FRESH) != 0;
  g_autoptr (GMutexLocker) locker = NULL;
  g_autoptr (DynoProbe) probe = NULL;
  g_autofree char *fingerprint = NULL;
  Slot *slot;

  g_return_val_if_fail (DYNO_IS_PROBER (self), NULL);
  g_return_val_if_fail (DYNO_IS_BACKEND (backend), NULL);

  slot = get_slot (self, backend);
  locker = g_mutex_locker_new (&slot->lock);
  fingerprint = dyno_probe_fingerprint_take (backend);
  /* A thread that waited for another's probe uses its answer. */
  if (slot->probe != NULL && g_strcmp0 (slot->fingerprint, fingerprint) == 0 &&
      (!is_fresh || slot->asked_at >= wanted_at))
    {
      hand_on (self, backend, fingerprint, slot->probe);
      return g_object_ref (slot->probe);
    }
  /* A worker asks on behalf of the process that started it. */
  probe = is_fresh ? NULL : read_cache (self, backend, fingerprint, getppid ());
  if (probe == NULL)
    {
      gboolean is_answer = FALSE;

      probe = dyno_probe_process_ask (backend, cancellable, &is_answer);
      if (is_answer && is_kept (probe))
        write_cache (self, backend, fingerprint, probe);
    }
  if (!g_cancellable_is_cancelled (cancellable))
    {
      g_set_object (&slot->probe, probe);
      g_free (slot->fingerprint);
      slot->fingerprint = g_strdup (fingerprint);
      slot->asked_at = g_get_monotonic_time ();
    }
  return g_steal_pointer (&probe);
}

void
dyno_prober_set_library (DynoProber *self, const char *library)
{
  g_return_if_fail (DYNO_IS_PROBER (self));

  g_free (self->library);
  self->library = g_strdup (library);
}

DynoProbe *
dyno_prober_recall (DynoProber *self, DynoBackend *backend)
{
  g_autoptr (JsonObject) object = NULL;

  g_return_val_if_fail (DYNO_IS_PROBER (self), NULL);
  g_return_val_if_fail (DYNO_IS_BACKEND (backend), NULL);

  return read_file (self, backend, &object);
}

static void
probe_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DynoProberFlags flags = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (task), "flags"));

  g_task_return_pointer (task, dyno_prober_probe (source, data, flags, cancellable), g_object_unref);
}

void
dyno_prober_probe_async (DynoProber *self,
                         DynoBackend *backend,
                         DynoProberFlags flags,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (DYNO_IS_PROBER (self));
  g_return_if_fail (DYNO_IS_BACKEND (backend));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_prober_probe_async);
  g_task_set_task_data (task, g_object_ref (backend), g_object_unref);
  g_object_set_data (G_OBJECT (task), "flags", GUINT_TO_POINTER (flags));
  g_task_run_in_thread (task, probe_in_thread);
}

DynoProbe *
dyno_prober_probe_finish (DynoProber *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* One of several backends that are probed at once. */
typedef struct
{
  DynoProber *prober;
  DynoBackend *backend;
  DynoProberFlags flags;
  GCancellable *cancellable;
} Question;

static gpointer
ask_one (gpointer data)
{
  Question *question = data;

  return dyno_prober_probe (question->prober, question->backend, question->flags, question->cancellable);
}

GPtrArray *
dyno_prober_probe_all (DynoProber *self,
                       GListModel *backends,
                       DynoProberFlags flags,
                       GCancellable *cancellable)
{
  GPtrArray *probes = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = g_list_model_get_n_items (backends);
  g_autofree Question *questions = g_new0 (Question, n);
  g_autofree GThread **threads = g_new0 (GThread *, n);

  g_return_val_if_fail (DYNO_IS_PROBER (self), probes);

  for (guint i = 0; i < n; i++)
    {
      questions[i] = (Question){ self, g_list_model_get_item (backends, i), flags, cancellable };
      threads[i] = g_thread_new ("probe", ask_one, &questions[i]);
    }
  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (probes, g_thread_join (threads[i]));
      g_object_unref (questions[i].backend);
    }
  return probes;
}
