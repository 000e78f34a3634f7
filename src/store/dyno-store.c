/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-result-samples.h"
#include "dyno-result-sink.h"
#include "dyno-store.h"
#include "dyno-store-machine.h"
#include "dyno-store-private.h"

/* Long enough for another Dyno to write its largest result, short enough to wait for. */
#define BUSY_TIMEOUT 5000

/* The longest time that a transaction of several runs keeps other programs waiting, in µs. */
#define LONGEST_BATCH (100 * G_TIME_SPAN_MILLISECOND)

struct _DynoStore
{
  GObject parent_instance;

  DynoStoreFile file;
  gboolean document;
  GMutex writing;
  int change_pending;
  GHashTable *running; /* by id, the marks of the runs that this process measures */
  int spooled;         /* whether results wait in the spool until this process can write */
};

enum
{
  PROP_0,
  PROP_PATH,
  PROP_DOCUMENT,
  PROP_BUSY_TIMEOUT,
  PROP_EXISTING,
  PROP_READ_ONLY,
  PROP_MESSAGE,
  N_PROPS
};

enum
{
  CHANGED,
  N_SIGNALS
};

static void dyno_store_initable_init (GInitableIface *iface);
static void dyno_store_sink_init (DynoResultSinkInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (DynoStore,
                               dyno_store,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_INITABLE, dyno_store_initable_init)
                                   G_IMPLEMENT_INTERFACE (DYNO_TYPE_RESULT_SINK, dyno_store_sink_init))

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void
dyno_store_finalize (GObject *object)
{
  DynoStore *self = DYNO_STORE (object);

  g_hash_table_unref (self->running);
  dyno_store_file_clear (&self->file);
  g_mutex_clear (&self->writing);

  G_OBJECT_CLASS (dyno_store_parent_class)->finalize (object);
}

static void
dyno_store_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoStore *self = DYNO_STORE (object);

  switch (prop_id)
    {
    case PROP_PATH:
      g_value_set_string (value, self->file.path);
      break;
    case PROP_DOCUMENT:
      g_value_set_boolean (value, self->document);
      break;
    case PROP_BUSY_TIMEOUT:
      g_value_set_uint (value, self->file.busy_timeout);
      break;
    case PROP_EXISTING:
      g_value_set_boolean (value, self->file.existing);
      break;
    case PROP_READ_ONLY:
      g_value_set_boolean (value, self->file.read_only);
      break;
    case PROP_MESSAGE:
      g_value_set_string (value, self->file.message);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_store_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoStore *self = DYNO_STORE (object);

  switch (prop_id)
    {
    case PROP_PATH:
      self->file.path = g_value_dup_string (value);
      break;
    case PROP_DOCUMENT:
      self->document = g_value_get_boolean (value);
      break;
    case PROP_BUSY_TIMEOUT:
      self->file.busy_timeout = g_value_get_uint (value);
      break;
    case PROP_EXISTING:
      self->file.existing = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_store_class_init (DynoStoreClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_store_finalize;
  object_class->get_property = dyno_store_get_property;
  object_class->set_property = dyno_store_set_property;

  properties[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, once);
  properties[PROP_DOCUMENT] = g_param_spec_boolean ("document", NULL, NULL, FALSE, once);
  properties[PROP_BUSY_TIMEOUT] =
      g_param_spec_uint ("busy-timeout", NULL, NULL, 0, G_MAXINT, BUSY_TIMEOUT, once);
  properties[PROP_EXISTING] = g_param_spec_boolean ("existing", NULL, NULL, FALSE, once);
  properties[PROP_READ_ONLY] = g_param_spec_boolean ("read-only", NULL, NULL, FALSE, readable);
  properties[PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, readable);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * DynoStore::changed:
   *
   * Runs were added, changed or deleted through this object. Emitted on the main thread, once for all changes
   * since the last time.
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_store_init (DynoStore *self)
{
  g_mutex_init (&self->writing);
  self->running =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)dyno_store_running_end);
}

static gboolean
dyno_store_initable_real_init (GInitable *initable, GCancellable *cancellable, GError **error)
{
  DynoStore *self = DYNO_STORE (initable);

  if (self->document)
    return dyno_store_file_open_document (&self->file, error);
  if (!dyno_store_file_open (&self->file, error))
    return FALSE;
  if (!self->file.existing)
    {
      guint n_added = dyno_store_take_in_spool (self);
      g_autofree char *name = g_filename_display_name (self->file.path);
      g_autofree char *before = n_added > 0 ? g_steal_pointer (&self->file.message) : NULL;
      g_autofree char *added = g_strdup_printf (
          ngettext ("%u result that could not be stored earlier was added to “%s”.",
                    "%u results that could not be stored earlier were added to “%s”.", n_added),
          n_added, name);

      if (n_added > 0)
        self->file.message =
            before != NULL ? g_strdup_printf ("%s %s", before, added) : g_steal_pointer (&added);
    }
  return TRUE;
}

static void
dyno_store_initable_init (GInitableIface *iface)
{
  iface->init = dyno_store_initable_real_init;
}

/* Runs one operation at a time on one connection in one transaction. */

typedef gpointer (*ReadFunc) (sqlite3 *db, gconstpointer query, GError **error);
typedef gboolean (*WriteFunc) (sqlite3 *db, gpointer data, GError **error);

static void
note_damage (DynoStore *self, const GError *error)
{
  if (!self->document && g_error_matches (error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED))
    dyno_store_recovery_suspect (self->file.path);
}

static void
propagate (DynoStore *self, GError **error, GError *local_error)
{
  note_damage (self, local_error);
  g_propagate_error (error, local_error);
}

static gpointer
read_store (DynoStore *self, ReadFunc func, gconstpointer query, GCancellable *cancellable, GError **error)
{
  GError *local_error = NULL;
  g_autoptr (DynoStoreLease) lease = dyno_store_pool_take (self->file.pool, cancellable, &local_error);
  g_autoptr (DynoStoreTransaction) transaction =
      lease != NULL ? dyno_store_transaction_read (lease->db, &local_error) : NULL;
  gpointer result = transaction != NULL ? func (lease->db, query, &local_error) : NULL;

  if (local_error != NULL)
    propagate (self, error, local_error);
  return result;
}

static gboolean
try_write (DynoStore *self, WriteFunc func, gpointer data, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->writing);
  g_autoptr (DynoStoreLease) lease = dyno_store_pool_take (self->file.pool, NULL, error);
  g_autoptr (DynoStoreTransaction) transaction =
      lease != NULL ? dyno_store_transaction_write (lease->db, error) : NULL;

  return transaction != NULL && func (lease->db, data, error) &&
         dyno_store_transaction_commit (transaction, error);
}

static gboolean
emit_changed (gpointer weak_ref)
{
  g_autoptr (DynoStore) self = g_weak_ref_get (weak_ref);

  if (self == NULL)
    return G_SOURCE_REMOVE;
  g_atomic_int_set (&self->change_pending, FALSE);
  g_signal_emit (self, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

static void
free_weak_ref (gpointer weak_ref)
{
  g_weak_ref_clear (weak_ref);
  g_free (weak_ref);
}

static gboolean
write_store (DynoStore *self, WriteFunc func, gpointer data, GError **error)
{
  GError *local_error = NULL;

  if (self->file.read_only)
    {
      g_set_error_literal (error, DYNO_ERROR, self->file.read_only_reason, self->file.message);
      return FALSE;
    }

  gboolean is_written = try_write (self, func, data, &local_error);

  /* Deletions may use the reserved disk space. */
  if (!is_written && g_error_matches (local_error, DYNO_ERROR, DYNO_ERROR_STORE_FULL) &&
      (func == dyno_store_bin_put || func == dyno_store_bin_empty) &&
      dyno_store_reserve_release (self->file.path))
    {
      g_clear_error (&local_error);
      is_written = try_write (self, func, data, &local_error);
    }
  if (!is_written)
    {
      propagate (self, error, local_error);
      return FALSE;
    }

  /* Weak, so that a store is closed when its owner releases it, whether or not a main loop runs. */
  if (g_atomic_int_compare_and_exchange (&self->change_pending, FALSE, TRUE))
    {
      GWeakRef *weak_ref = g_new (GWeakRef, 1);

      g_weak_ref_init (weak_ref, self);
      g_idle_add_full (G_PRIORITY_DEFAULT, emit_changed, weak_ref, free_weak_ref);
    }
  return TRUE;
}

static gboolean
can_write_now (DynoStore *self, GError **error)
{
  g_autoptr (DynoStoreLease) lease = dyno_store_pool_take (self->file.pool, NULL, error);
  g_autoptr (DynoStoreTransaction) transaction = NULL;

  if (lease == NULL)
    return FALSE;
  sqlite3_busy_timeout (lease->db, 0);
  transaction = dyno_store_transaction_write (lease->db, error);
  sqlite3_busy_timeout (lease->db, (int)MIN (self->file.busy_timeout, (guint)G_MAXINT));
  return transaction != NULL;
}

/* Sink */

typedef struct
{
  DynoRun *run;
  DynoResult *result;
} Finished;

/* If the store could not take the beginning of a run, it takes it with the first case. */
static gboolean
ensure_run (sqlite3 *db, DynoRun *run, GError **error)
{
  DynoStorePlace place;

  return dyno_store_reader_find_run (db, dyno_run_get_id (run), &place, error) &&
         (place != DYNO_STORE_NOWHERE || dyno_store_writer_begin_run (db, run, error));
}

static gboolean
write_result (sqlite3 *db, gpointer data, GError **error)
{
  Finished *finished = data;

  return ensure_run (db, finished->run, error) &&
         dyno_store_writer_add_result (db, finished->run, finished->result, error);
}

static gboolean
write_end (sqlite3 *db, gpointer data, GError **error)
{
  Finished *finished = data;

  return ensure_run (db, finished->run, error) && dyno_store_writer_end_run (db, finished->run, error);
}

/* Transient errors: locked, disk full, or damaged (repaired at the next start). */
static gboolean
may_pass (const GError *error)
{
  return g_error_matches (error, DYNO_ERROR, DYNO_ERROR_STORE_LOCKED) ||
         g_error_matches (error, DYNO_ERROR, DYNO_ERROR_STORE_FULL) ||
         g_error_matches (error, DYNO_ERROR, DYNO_ERROR_STORE_DAMAGED);
}

static gboolean
write_or_spool (DynoStore *self, WriteFunc func, Finished *finished, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GError) spool_error = NULL;

  /* After one wait for another program has failed, do not wait again for every case. */
  if ((!g_atomic_int_get (&self->spooled) || can_write_now (self, &local_error)) &&
      write_store (self, func, finished, &local_error))
    {
      if (g_atomic_int_get (&self->spooled))
        dyno_store_take_in_spool (self);
      return TRUE;
    }
  if (may_pass (local_error) &&
      dyno_store_spool_put (self->file.path, finished->run, finished->result, &spool_error))
    {
      g_atomic_int_set (&self->spooled, TRUE);
      return TRUE;
    }
  if (spool_error != NULL)
    g_debug ("Nothing can be kept beside the store: %s", spool_error->message);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static void
show_ended (DynoStore *self, DynoRun *run)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->writing);

  g_hash_table_remove (self->running, dyno_run_get_id (run));
}

static gboolean
dyno_store_begin_run (DynoResultSink *sink, DynoRun *run, GError **error)
{
  DynoStore *self = DYNO_STORE (sink);
  const char *id = dyno_run_get_id (run);
  DynoStoreRunning *sign = NULL;
  g_autoptr (GError) local_error = NULL;

  /* Marks the run before others can see it. */
  g_mutex_lock (&self->writing);
  if (!g_hash_table_contains (self->running, id))
    sign = dyno_store_running_begin (self->file.path, id);
  if (sign != NULL)
    g_hash_table_insert (self->running, g_strdup (id), sign);
  g_mutex_unlock (&self->writing);
  if (write_store (self, dyno_store_writer_begin_run, run, &local_error))
    return TRUE;
  if (may_pass (local_error))
    {
      g_atomic_int_set (&self->spooled, TRUE);
      return TRUE;
    }
  show_ended (self, run);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
dyno_store_add_result (DynoResultSink *sink, DynoRun *run, DynoResult *result, GError **error)
{
  Finished finished = { run, result };

  return write_or_spool (DYNO_STORE (sink), write_result, &finished, error);
}

static gboolean
dyno_store_end_run (DynoResultSink *sink, DynoRun *run, GError **error)
{
  Finished finished = { run, NULL };
  gboolean is_written = write_or_spool (DYNO_STORE (sink), write_end, &finished, error);

  show_ended (DYNO_STORE (sink), run);
  return is_written;
}

/* Without ceilings the case is placed under no roof, and a message says so. */
static GPtrArray *
dyno_store_load_ceilings_of_run (DynoResultSink *sink, DynoRun *run)
{
  const char *machine = dyno_run_get_machine (run);

  return machine != NULL ? dyno_store_load_ceilings (DYNO_STORE (sink), machine, NULL) : NULL;
}

static gboolean
dyno_store_save_ceilings_of_run (DynoResultSink *sink, DynoRun *run, GPtrArray *ceilings, GError **error)
{
  return dyno_store_save_ceilings (DYNO_STORE (sink), dyno_run_get_machine (run), ceilings, error);
}

static GHashTable *
dyno_store_load_durations_of_run (DynoResultSink *sink, DynoRun *run)
{
  const char *machine = dyno_run_get_machine (run);

  return machine != NULL ? dyno_store_load_durations (DYNO_STORE (sink), machine, NULL) : NULL;
}

/* Without a self-test, verdicts say that the noise of the machine is unknown. */
static DynoSelfTest *
dyno_store_load_self_test_of_run (DynoResultSink *sink, DynoRun *run)
{
  const char *machine = dyno_run_get_machine (run);

  return machine != NULL ? dyno_store_load_self_test (DYNO_STORE (sink), machine, NULL) : NULL;
}

static void
dyno_store_sink_init (DynoResultSinkInterface *iface)
{
  iface->load_ceilings = dyno_store_load_ceilings_of_run;
  iface->save_ceilings = dyno_store_save_ceilings_of_run;
  iface->load_durations = dyno_store_load_durations_of_run;
  iface->load_self_test = dyno_store_load_self_test_of_run;
  iface->begin_run = dyno_store_begin_run;
  iface->add_result = dyno_store_add_result;
  iface->end_run = dyno_store_end_run;
}

/* A call of the store with its arguments, for the functions that have an asynchronous twin. */

typedef struct _Request Request;

typedef gpointer (*CallFunc) (DynoStore *self,
                              const Request *request,
                              GCancellable *cancellable,
                              GError **error);

struct _Request
{
  CallFunc call;
  GDestroyNotify free_result; /* NULL if the result is a boolean */
  ReadFunc read;
  WriteFunc write;
  char *text;
  guint offset;
  guint limit;
};

static void
request_free (gpointer data)
{
  Request *request = data;

  g_free (request->text);
  g_free (request);
}

static void
call_in_thread (GTask *task, gpointer self, gpointer data, GCancellable *cancellable)
{
  const Request *request = data;
  GError *error = NULL;
  gpointer result = request->call (self, request, cancellable, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, request->free_result);
}

static void
start (DynoStore *self,
       gpointer source_tag,
       const Request *request,
       GCancellable *cancellable,
       GAsyncReadyCallback callback,
       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Request *copy = g_new (Request, 1);

  *copy = *request;
  copy->text = g_strdup (request->text);
  g_task_set_source_tag (task, source_tag);
  g_task_set_task_data (task, copy, request_free);
  g_task_run_in_thread (task, call_in_thread);
}

static gpointer
call_read (DynoStore *self, const Request *request, GCancellable *cancellable, GError **error)
{
  return read_store (self, request->read, request->text, cancellable, error);
}

static gpointer
call_write (DynoStore *self, const Request *request, GCancellable *cancellable, GError **error)
{
  return GINT_TO_POINTER (write_store (self, request->write, request->text, error));
}

static gpointer
list_runs (sqlite3 *db, gconstpointer data, GError **error)
{
  const Request *request = data;

  return dyno_store_reader_list_runs (db, request->text, request->offset, request->limit, error);
}

static gpointer
read_list (DynoStore *self, const Request *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) running = dyno_store_running_list (self->file.path);
  GPtrArray *runs = read_store (self, list_runs, request, cancellable, error);

  for (guint i = 0; runs != NULL && i < runs->len && g_hash_table_size (running) > 0; i++)
    dyno_run_set_running (runs->pdata[i], g_hash_table_contains (running, dyno_run_get_id (runs->pdata[i])));
  return runs;
}

static gpointer
count_runs (sqlite3 *db, gconstpointer search, GError **error)
{
  guint count = 0;

  return dyno_store_reader_count_runs (db, search, &count, error) ? GUINT_TO_POINTER (count) : NULL;
}

static DynoRun *
load_judged (sqlite3 *db, const char *id, gint64 ordinal, GError **error)
{
  g_autoptr (DynoStoreJudge) judge = dyno_store_judge_new (db);

  return dyno_store_judge_load (judge, id, ordinal, NULL, error);
}

static gpointer
load_run (sqlite3 *db, gconstpointer prefix, GError **error)
{
  g_autofree char *id = dyno_store_reader_resolve (db, prefix, DYNO_STORE_KEPT, error);

  return id != NULL ? load_judged (db, id, -1, error) : NULL;
}

typedef struct
{
  const char *run_id;
  gint64 ordinal;
} CaseRequest;

static gpointer
load_case (sqlite3 *db, gconstpointer data, GError **error)
{
  const CaseRequest *request = data;

  return load_judged (db, request->run_id, request->ordinal, error);
}

/* Cases of a run in progress are not over: the missing parts are still to come. */
static void
mark_running (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  dyno_run_set_running (run, TRUE);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      dyno_result_judge_invocations (result, FALSE);
    }
}

static gpointer
read_run (DynoStore *self, const Request *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) running = dyno_store_running_list (self->file.path);
  DynoRun *run = read_store (self, load_run, request->text, cancellable, error);

  if (run != NULL && g_hash_table_contains (running, dyno_run_get_id (run)))
    mark_running (run);
  return run;
}

typedef struct
{
  DynoStore *self;
  DynoStoreRunFunc func;
  gpointer data;
  GHashTable *running;
} Visit;

static gpointer
visit_runs (sqlite3 *db, gconstpointer data, GError **error)
{
  const Visit *visit = data;
  g_autoptr (DynoStoreJudge) judge = dyno_store_judge_new (db);
  g_autoptr (GPtrArray) runs = dyno_store_reader_list_runs (db, NULL, 0, G_MAXINT32, error);

  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      const char *id = dyno_run_get_id (runs->pdata[i]);
      GPtrArray *ceilings = NULL;
      g_autoptr (GError) problem = NULL;
      g_autoptr (DynoRun) run = dyno_store_judge_load (judge, id, -1, &ceilings, &problem);

      note_damage (visit->self, problem);
      if (run != NULL && g_hash_table_contains (visit->running, id))
        mark_running (run);
      if (!visit->func (id, run, ceilings, problem, visit->data))
        return NULL;
    }
  return GINT_TO_POINTER (runs != NULL);
}

typedef struct
{
  const char *const *ids;
  const char *path;
} Selection;

static gpointer
write_document (sqlite3 *db, gconstpointer data, GError **error)
{
  const Selection *selection = data;

  return GINT_TO_POINTER (dyno_store_document_write (db, selection->ids, selection->path, error));
}

typedef struct
{
  DynoRun *run;
  GPtrArray *ceilings;
  gboolean restore;
  gboolean is_new; /* whether something new was stored */
  guint n_added;   /* the number of new cases */
} Incoming;

/* A stored run gets the cases that it lacks. */
static gboolean
write_incoming (sqlite3 *db, gpointer data, GError **error)
{
  Incoming *incoming = data;
  const char *id = dyno_run_get_id (incoming->run);
  DynoStorePlace place, present;

  if (!dyno_store_reader_find_run (db, id, &place, error))
    return FALSE;
  /* Importing a run that is in the bin restores it, or replaces it by the new reading of another tool's file. */
  if (place == DYNO_STORE_IN_BIN && incoming->restore &&
      !(dyno_run_get_origin (incoming->run) != NULL ? dyno_store_bin_erase (db, id, error)
                                                    : dyno_store_bin_restore (db, (gpointer)id, error)))
    return FALSE;
  if (!dyno_store_reader_find_run (db, id, &present, error))
    return FALSE;
  if (present == DYNO_STORE_NOWHERE
          ? !dyno_store_writer_copy_run (db, incoming->run, error)
          : !dyno_store_writer_merge_run (db, incoming->run, &incoming->n_added, error))
    return FALSE;
  if (present == DYNO_STORE_NOWHERE)
    incoming->n_added = g_list_model_get_n_items (dyno_run_get_results (incoming->run));
  incoming->is_new = place != DYNO_STORE_KEPT || incoming->n_added > 0;
  return dyno_store_ceilings_add (db, dyno_run_get_machine (incoming->run), incoming->ceilings, error);
}

/* Loads a run by its whole id, because a document may call a run “latest”. Includes the file it was
 * imported from, if any. */
static gpointer
load_exact_run (sqlite3 *db, gconstpointer id, GError **error)
{
  g_autoptr (DynoRun) run = dyno_store_reader_load_run (db, id, -1, error);

  return run != NULL && dyno_store_imports_read (db, run, TRUE, error) ? g_steal_pointer (&run) : NULL;
}

/* Runs of a document that are written in one transaction, because each takes a while to reach the disk. */
typedef struct
{
  DynoStore *document;
  char **ids;
  guint next;
  guint end;
  gboolean from_spool;
  GHashTable *machines; /* machines whose ceilings are copied */
  GPtrArray *imported;  /* ids of runs that are new, or have new cases */
  guint n_added;
  GCancellable *cancellable;
} Batch;

/* Stops in time to let other programs use the store. */
static gboolean
write_batch (sqlite3 *db, gpointer data, GError **error)
{
  Batch *batch = data;
  gint64 until = g_get_monotonic_time () + LONGEST_BATCH;

  g_ptr_array_set_size (batch->imported, 0);
  batch->n_added = 0;
  while (batch->next < batch->end && g_get_monotonic_time () < until)
    {
      if (g_cancellable_set_error_if_cancelled (batch->cancellable, error))
        return FALSE;

      /* Runs in the spool were measured here, and may have been deleted meanwhile. */
      char *id = batch->ids[batch->next];
      g_autoptr (DynoRun) run = read_store (batch->document, load_exact_run, id, NULL, error);
      g_autofree char *source = g_filename_display_basename (batch->document->file.path);
      g_autoptr (GPtrArray) ceilings = NULL;
      Incoming incoming = { .run = run, .restore = !batch->from_spool };

      if (run == NULL)
        return FALSE;
      /* Ceilings are copied once, with the first run on their machine. */
      if (dyno_run_get_machine (run) != NULL &&
          dyno_store_machine_add (batch->machines, dyno_run_get_machine (run)))
        {
          ceilings =
              read_store (batch->document, dyno_store_ceilings_read, dyno_run_get_machine (run), NULL, error);
          if (ceilings == NULL)
            return FALSE;
        }
      incoming.ceilings = ceilings;
      if (!batch->from_spool && !dyno_run_is_self_test (run))
        g_object_set (run, "source", source, NULL);
      if (!write_incoming (db, &incoming, error))
        return FALSE;
      if (incoming.is_new)
        g_ptr_array_add (batch->imported, id);
      batch->n_added += incoming.n_added;

      batch->next++;
    }
  return TRUE;
}

static GStrv
import_from (
    DynoStore *self, const char *path, guint *n_from_spool, GCancellable *cancellable, GError **error)
{
  g_autoptr (DynoStore) document = dyno_store_open_document (path, error);
  g_auto (GStrv) ids =
      document != NULL ? read_store (document, dyno_store_reader_list_ids, NULL, cancellable, error) : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) machines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) imported = g_ptr_array_new ();
  Batch batch = { .document = document,
                  .ids = ids,
                  .from_spool = n_from_spool != NULL,
                  .machines = machines,
                  .imported = imported,
                  .cancellable = cancellable };
  guint n_added = 0;
  guint *total = n_from_spool != NULL ? n_from_spool : &n_added;

  if (ids == NULL)
    return NULL;
  batch.end = g_strv_length (ids);
  while (batch.next < batch.end)
    {
      guint first = batch.next;

      if (!write_store (self, write_batch, &batch, error))
        {
          /* The failure of one run rolled back those before it. */
          batch.end = batch.next;
          batch.next = first;
          g_hash_table_remove_all (batch.machines);
          while (batch.next < batch.end && write_store (self, write_batch, &batch, NULL))
            ;

          return NULL;
        }
      for (guint i = 0; i < batch.imported->len; i++)
        g_strv_builder_add (builder, batch.imported->pdata[i]);
      *total += batch.n_added;
    }
  return g_strv_builder_end (builder);
}

guint
dyno_store_take_in_spool (DynoStore *self)
{
  g_auto (GStrv) paths = dyno_store_spool_list (self->file.path);
  gboolean rest = FALSE;
  guint n_added = 0;

  if (*paths != NULL && (self->file.read_only || !can_write_now (self, NULL)))
    {
      g_atomic_int_set (&self->spooled, !self->file.read_only);
      return 0;
    }
  for (char **path = paths; *path != NULL; path++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) ids = import_from (self, *path, &n_added, NULL, &error);

      if (ids != NULL)
        dyno_store_spool_remove (self->file.path, *path);
      else if (!g_error_matches (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND))
        {
          g_debug ("“%s” waits for the store: %s", *path, error->message);
          rest = rest || may_pass (error);
        }
    }
  g_atomic_int_set (&self->spooled, rest);
  return n_added;
}

static gpointer
import_document (DynoStore *self, const Request *request, GCancellable *cancellable, GError **error)
{
  return import_from (self, request->text, NULL, cancellable, error);
}

static gpointer
resolve_kept (sqlite3 *db, gconstpointer prefix, GError **error)
{
  return dyno_store_reader_resolve (db, prefix, DYNO_STORE_KEPT, error);
}

static gpointer
resolve_deleted (sqlite3 *db, gconstpointer prefix, GError **error)
{
  return dyno_store_reader_resolve (db, prefix, DYNO_STORE_IN_BIN, error);
}

typedef struct
{
  const char *machine;
  GPtrArray *ceilings;
} CeilingsOfMachine;

static gboolean
write_ceilings (sqlite3 *db, gpointer data, GError **error)
{
  const CeilingsOfMachine *known = data;

  return dyno_store_ceilings_write (db, known->machine, known->ceilings, error);
}

static gboolean
replace_ceilings (sqlite3 *db, gpointer data, GError **error)
{
  const CeilingsOfMachine *known = data;

  return dyno_store_ceilings_replace (db, known->machine, known->ceilings, error);
}

static gboolean
add_ceilings (sqlite3 *db, gpointer data, GError **error)
{
  const CeilingsOfMachine *known = data;

  return dyno_store_ceilings_add (db, known->machine, known->ceilings, error);
}

/* Public */

DynoStore *
dyno_store_open (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  return g_initable_new (DYNO_TYPE_STORE, NULL, error, "path", path, NULL);
}

DynoStore *
dyno_store_open_default (GError **error)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_DATA, "store.sqlite", NULL);

  return dyno_store_open (path, error);
}

DynoStore *
dyno_store_open_existing (GError **error)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_DATA, "store.sqlite", NULL);

  return g_initable_new (DYNO_TYPE_STORE, NULL, error, "path", path, "existing", TRUE, NULL);
}

DynoStore *
dyno_store_open_document (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  return g_initable_new (DYNO_TYPE_STORE, NULL, error, "path", path, "document", TRUE, NULL);
}

gboolean
dyno_store_expect_runs (DynoStore *self, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  if (dyno_store_count_runs (self, NULL, &local_error) > 0)
    return TRUE;
  name = g_filename_display_name (self->file.path);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (
        error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
        _ ("“%s” contains no runs, or they were deleted. Save the runs again where they were measured."),
        name);
  return FALSE;
}

static void
open_document_in_thread (GTask *task, gpointer source, gpointer path, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (DynoStore) document = dyno_store_open_document (path, &error);

  if (document != NULL && dyno_store_expect_runs (document, &error))
    g_task_return_pointer (task, g_steal_pointer (&document), g_object_unref);
  else
    g_task_return_error (task, error);
}

void
dyno_store_open_document_async (const char *path,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (path != NULL);
  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_store_open_document_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, open_document_in_thread);
}

DynoStore *
dyno_store_open_document_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

const char *
dyno_store_get_path (DynoStore *self)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  return self->file.path;
}

gboolean
dyno_store_is_read_only (DynoStore *self)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), TRUE);
  return self->file.read_only;
}

const char *
dyno_store_get_message (DynoStore *self)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  return self->file.message;
}

gboolean
dyno_store_is_lost (DynoStore *self)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  return self->file.lost;
}

gboolean
dyno_store_has_spooled (DynoStore *self)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  return g_atomic_int_get (&self->spooled);
}

char *
dyno_store_dup_spool_message (DynoStore *self)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);

  if (!dyno_store_has_spooled (self))
    return NULL;
  name = g_filename_display_name (self->file.path);
  return g_strdup_printf (_ ("“%s” is in use by another program, or cannot be written now. The results are "
                             "kept beside it, and Dyno adds them as soon as it can."),
                          name);
}

GPtrArray *
dyno_store_list_runs (DynoStore *self, const char *search, guint offset, guint limit, GError **error)
{
  Request request = { .text = (char *)search, .offset = offset, .limit = limit };

  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  return read_list (self, &request, NULL, error);
}

void
dyno_store_list_runs_async (DynoStore *self,
                            const char *search,
                            guint offset,
                            guint limit,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  Request request = { .call = read_list,
                      .free_result = (GDestroyNotify)g_ptr_array_unref,
                      .text = (char *)search,
                      .offset = offset,
                      .limit = limit };

  g_return_if_fail (DYNO_IS_STORE (self));
  start (self, dyno_store_list_runs_async, &request, cancellable, callback, user_data);
}

GPtrArray *
dyno_store_list_runs_finish (DynoStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

guint
dyno_store_count_runs (DynoStore *self, const char *search, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), 0);
  return GPOINTER_TO_UINT (read_store (self, count_runs, search, NULL, error));
}

DynoRun *
dyno_store_load_run (DynoStore *self, const char *id, GError **error)
{
  const Request request = { .text = (char *)id };

  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);
  return read_run (self, &request, NULL, error);
}

DynoRun *
dyno_store_load_case (DynoStore *self, const char *run_id, guint ordinal, GError **error)
{
  const CaseRequest request = { run_id, ordinal };

  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);
  return read_store (self, load_case, &request, NULL, error);
}

gboolean
dyno_store_foreach_run (DynoStore *self, DynoStoreRunFunc func, gpointer data, GError **error)
{
  g_autoptr (GHashTable) running = NULL;
  Visit visit = { .self = self, .func = func, .data = data };

  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (func != NULL, FALSE);
  running = dyno_store_running_list (self->file.path);
  visit.running = running;
  return GPOINTER_TO_INT (read_store (self, visit_runs, &visit, NULL, error));
}

void
dyno_store_load_run_async (DynoStore *self,
                           const char *id,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  Request request = { .call = read_run, .free_result = g_object_unref, .text = (char *)id };

  g_return_if_fail (DYNO_IS_STORE (self));
  g_return_if_fail (id != NULL);
  start (self, dyno_store_load_run_async, &request, cancellable, callback, user_data);
}

DynoRun *
dyno_store_load_run_finish (DynoStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
dyno_store_update_run (DynoStore *self, DynoRun *run, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (DYNO_IS_RUN (run), FALSE);
  return write_store (self, dyno_store_writer_update_run, run, error);
}

gboolean
dyno_store_delete_run (DynoStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (id != NULL, FALSE);
  return write_store (self, dyno_store_bin_put, (gpointer)id, error);
}

void
dyno_store_delete_run_async (DynoStore *self,
                             const char *id,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  Request request = { .call = call_write, .write = dyno_store_bin_put, .text = (char *)id };

  g_return_if_fail (DYNO_IS_STORE (self));
  g_return_if_fail (id != NULL);
  start (self, dyno_store_delete_run_async, &request, cancellable, callback, user_data);
}

gboolean
dyno_store_delete_run_finish (DynoStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return GPOINTER_TO_INT (g_task_propagate_pointer (G_TASK (result), error));
}

gboolean
dyno_store_restore_run (DynoStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (id != NULL, FALSE);
  return write_store (self, dyno_store_bin_restore, (gpointer)id, error);
}

void
dyno_store_restore_run_async (DynoStore *self,
                              const char *id,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  Request request = { .call = call_write, .write = dyno_store_bin_restore, .text = (char *)id };

  g_return_if_fail (DYNO_IS_STORE (self));
  g_return_if_fail (id != NULL);
  start (self, dyno_store_restore_run_async, &request, cancellable, callback, user_data);
}

gboolean
dyno_store_restore_run_finish (DynoStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return GPOINTER_TO_INT (g_task_propagate_pointer (G_TASK (result), error));
}

gboolean
dyno_store_empty_bin (DynoStore *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  return write_store (self, dyno_store_bin_empty, NULL, error);
}

GPtrArray *
dyno_store_list_bin (DynoStore *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  return read_store (self, dyno_store_reader_list_bin, NULL, NULL, error);
}

void
dyno_store_list_bin_async (DynoStore *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  Request request = { .call = call_read,
                      .free_result = (GDestroyNotify)g_ptr_array_unref,
                      .read = dyno_store_reader_list_bin };

  g_return_if_fail (DYNO_IS_STORE (self));
  start (self, dyno_store_list_bin_async, &request, cancellable, callback, user_data);
}

GPtrArray *
dyno_store_list_bin_finish (DynoStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

char *
dyno_store_resolve_run (DynoStore *self, const char *prefix, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (prefix != NULL, NULL);
  return read_store (self, resolve_kept, prefix, NULL, error);
}

char *
dyno_store_resolve_deleted_run (DynoStore *self, const char *prefix, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (prefix != NULL, NULL);
  return read_store (self, resolve_deleted, prefix, NULL, error);
}

gboolean
dyno_store_save_document (DynoStore *self, const char *const *run_ids, const char *path, GError **error)
{
  const Selection selection = { run_ids, path };
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (run_ids != NULL && path != NULL, FALSE);
  from = g_canonicalize_filename (self->file.path, NULL);
  to = g_canonicalize_filename (path, NULL);
  if (!g_str_equal (from, to))
    return GPOINTER_TO_INT (read_store (self, write_document, &selection, NULL, error));
  g_set_error_literal (
      error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
      _ ("The file that the runs come from cannot be replaced by a document. Choose another name."));
  return FALSE;
}

gboolean
dyno_store_save_run (DynoRun *run, GPtrArray *ceilings, const char *path, GError **error)
{
  g_return_val_if_fail (DYNO_IS_RUN (run), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);
  return dyno_store_document_write_run (run, ceilings, path, error);
}

static void
save_run_in_thread (GTask *task, gpointer source, gpointer path, GCancellable *cancellable)
{
  GError *error = NULL;

  if (dyno_store_document_write_run (source, NULL, path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
dyno_store_save_run_async (DynoRun *run,
                           const char *path,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (DYNO_IS_RUN (run));
  g_return_if_fail (path != NULL);
  task = g_task_new (run, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_store_save_run_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, save_run_in_thread);
}

gboolean
dyno_store_save_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

GStrv
dyno_store_import_document (DynoStore *self, const char *path, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  return import_from (self, path, NULL, NULL, error);
}

void
dyno_store_import_document_async (DynoStore *self,
                                  const char *path,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  Request request = { .call = import_document,
                      .free_result = (GDestroyNotify)g_strfreev,
                      .text = (char *)path };

  g_return_if_fail (DYNO_IS_STORE (self));
  g_return_if_fail (path != NULL);
  start (self, dyno_store_import_document_async, &request, cancellable, callback, user_data);
}

GStrv
dyno_store_import_document_finish (DynoStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
dyno_store_add_run (DynoStore *self, DynoRun *run, gboolean *is_new, GError **error)
{
  Incoming incoming = { .run = run, .restore = TRUE };

  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (DYNO_IS_RUN (run), FALSE);
  g_return_val_if_fail (is_new != NULL, FALSE);

  if (!write_store (self, write_incoming, &incoming, error))
    return FALSE;
  *is_new = incoming.is_new;
  return TRUE;
}

gboolean
dyno_store_replace_results (DynoStore *self, DynoRun *run, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (DYNO_IS_RUN (run), FALSE);
  return write_store (self, dyno_store_writer_replace_results, run, error);
}

static const DynoOrigin *
find_original (DynoRun *run)
{
  GPtrArray *meters = dyno_run_get_meters (run);

  if (dyno_run_get_origin (run) != NULL)
    return dyno_run_get_origin (run);
  return meters->len > 0 ? meters->pdata[meters->len - 1] : NULL;
}

GBytes *
dyno_store_load_original (DynoStore *self, const char *id, GError **error)
{
  g_autofree char *whole_id = dyno_store_resolve_run (self, id, error);
  g_autoptr (DynoRun) run =
      whole_id != NULL ? read_store (self, load_exact_run, whole_id, NULL, error) : NULL;
  const DynoOrigin *origin = run != NULL ? find_original (run) : NULL;

  if (run == NULL)
    return NULL;
  if (origin != NULL && origin->content != NULL)
    return dyno_origin_unpack (origin, error);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                       _ ("The run was not imported from a file, so there is no original."));
  return NULL;
}

gboolean
dyno_store_add_original (DynoStore *self, DynoRun *run, GError **error)
{
  GPtrArray *meters = dyno_run_get_meters (run);
  g_autoptr (DynoRun) whole = NULL;

  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (DYNO_IS_RUN (run), FALSE);
  if (find_original (run) == NULL)
    return TRUE;
  whole = read_store (self, load_exact_run, dyno_run_get_id (run), NULL, error);
  if (whole == NULL)
    return FALSE;
  dyno_run_set_origin (run, dyno_run_get_origin (whole));
  g_ptr_array_set_size (meters, 0);
  for (guint i = 0; i < dyno_run_get_meters (whole)->len; i++)
    g_ptr_array_add (meters, dyno_origin_ref (dyno_run_get_meters (whole)->pdata[i]));
  return TRUE;
}

gboolean
dyno_store_save_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error)
{
  CeilingsOfMachine known = { machine, ceilings };

  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (machine != NULL && ceilings != NULL, FALSE);
  return write_store (self, write_ceilings, &known, error);
}

gboolean
dyno_store_replace_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error)
{
  CeilingsOfMachine known = { machine, ceilings };

  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (machine != NULL && ceilings != NULL, FALSE);
  return write_store (self, replace_ceilings, &known, error);
}

gboolean
dyno_store_add_ceilings (DynoStore *self, const char *machine, GPtrArray *ceilings, GError **error)
{
  CeilingsOfMachine known = { machine, ceilings };

  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (machine != NULL && ceilings != NULL, FALSE);
  return write_store (self, add_ceilings, &known, error);
}

GPtrArray *
dyno_store_load_ceilings (DynoStore *self, const char *machine, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (machine != NULL, NULL);
  return read_store (self, dyno_store_ceilings_read, machine, NULL, error);
}

char *
dyno_store_find_twin (DynoStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);
  return read_store (self, dyno_store_twin_find, id, NULL, error);
}

GHashTable *
dyno_store_load_durations (DynoStore *self, const char *machine, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (machine != NULL, NULL);
  return read_store (self, dyno_store_durations_read, machine, NULL, error);
}

gboolean
dyno_store_set_baseline (DynoStore *self, const char *name, const char *run_id, GError **error)
{
  DynoBaseline baseline = { .name = (char *)name, .run_id = (char *)run_id };

  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (name != NULL && run_id != NULL, FALSE);
  return write_store (self, dyno_store_baselines_set, &baseline, error);
}

gboolean
dyno_store_remove_baseline (DynoStore *self, const char *name, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  return write_store (self, dyno_store_baselines_remove, (gpointer)name, error);
}

GPtrArray *
dyno_store_list_baselines (DynoStore *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  return read_store (self, dyno_store_baselines_list, NULL, NULL, error);
}

void
dyno_store_list_baselines_async (DynoStore *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  Request request = { .call = call_read,
                      .free_result = (GDestroyNotify)g_ptr_array_unref,
                      .read = dyno_store_baselines_list };

  g_return_if_fail (DYNO_IS_STORE (self));
  start (self, dyno_store_list_baselines_async, &request, cancellable, callback, user_data);
}

GPtrArray *
dyno_store_list_baselines_finish (DynoStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

DynoSelfTest *
dyno_store_load_self_test (DynoStore *self, const char *machine, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (machine != NULL, NULL);
  return read_store (self, dyno_store_self_test_read, machine, NULL, error);
}

GPtrArray *
dyno_store_list_outcomes (DynoStore *self, const char *machine, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (machine != NULL, NULL);
  return read_store (self, dyno_store_outcomes_read, machine, NULL, error);
}

GPtrArray *
dyno_store_list_history (DynoStore *self,
                         const char *machine,
                         const char *metric,
                         DynoHistoryFilter filter,
                         gpointer data,
                         GError **error)
{
  const DynoStoreHistoryQuery query = { machine, metric, filter, data };

  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (machine != NULL && metric != NULL && filter != NULL, NULL);
  return read_store (self, dyno_store_history_read, &query, NULL, error);
}

GPtrArray *
dyno_store_list_history_names (
    DynoStore *self, const char *machine, DynoHistoryFilter filter, gpointer data, GError **error)
{
  const DynoStoreHistoryQuery query = { machine, NULL, filter, data };

  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  g_return_val_if_fail (machine != NULL && filter != NULL, NULL);
  return read_store (self, dyno_store_history_read_names, &query, NULL, error);
}

GPtrArray *
dyno_store_list_cases (DynoStore *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_STORE (self), NULL);
  return read_store (self, dyno_store_cases_read, NULL, NULL, error);
}

void
dyno_store_load_ceilings_async (DynoStore *self,
                                const char *machine,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  Request request = { .call = call_read,
                      .free_result = (GDestroyNotify)g_ptr_array_unref,
                      .read = dyno_store_ceilings_read,
                      .text = (char *)machine };

  g_return_if_fail (DYNO_IS_STORE (self));
  g_return_if_fail (machine != NULL);
  start (self, dyno_store_load_ceilings_async, &request, cancellable, callback, user_data);
}

GPtrArray *
dyno_store_load_ceilings_finish (DynoStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
