/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-browser.h"
#include "dyno-browser-private.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-ort.h"

/* A broken page may be the first sign of a broken browser, whose error is more useful. */
#define PAGE_GONE_MS 1000

struct _DynoBrowserHost
{
  GObject parent_instance;

  char *browser;
  char *runtime_folder;
  DynoBrowserModel *model; /* only while starting */

  GThread *thread;
  GMainContext *context;
  GSource *page_gone;
  gboolean is_closing; /* atomic */
  gint64 deadline_us;

  /* Used by the thread only. */
  DynoBrowserServer *server;
  DynoBrowserProcess *process;

  /* Guarded by the mutex. */
  GMutex mutex;
  GCond changed;
  gboolean is_connected;
  GBytes *answer;
  GError *failure;
  char *url;
  char *folder;
  GPid pid;
  gint64 started_us;
  gint64 requested_us;
  gint64 connected_us;
};

G_DEFINE_FINAL_TYPE (DynoBrowserHost, dyno_browser_host, G_TYPE_OBJECT)

/* A call may take as long as a step; less than the time after which a worker without progress is stopped. */
static double limit_start = 60;
static double limit_call = 110;

static void
dyno_browser_host_finalize (GObject *object)
{
  DynoBrowserHost *self = DYNO_BROWSER_HOST (object);

  if (self->thread != NULL)
    {
      g_atomic_int_set (&self->is_closing, TRUE);
      g_main_context_wakeup (self->context);
      g_clear_pointer (&self->thread, g_thread_join);
    }
  g_clear_pointer (&self->answer, g_bytes_unref);
  g_clear_error (&self->failure);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self->browser);
  g_free (self->runtime_folder);
  g_free (self->url);
  g_free (self->folder);

  G_OBJECT_CLASS (dyno_browser_host_parent_class)->finalize (object);
}

static void
dyno_browser_host_class_init (DynoBrowserHostClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_browser_host_finalize;
}

static void
dyno_browser_host_init (DynoBrowserHost *self)
{
  self->context = g_main_context_new ();
  self->deadline_us = G_MAXINT64;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
}

/* Takes the error. The first error is the cause. */
static void
fail (DynoBrowserHost *self, GError *error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->failure == NULL)
    self->failure = error;
  else
    g_error_free (error);
  self->pid = 0;
  g_cond_broadcast (&self->changed);
}

static void
requested_cb (DynoBrowserHost *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->requested_us = g_get_monotonic_time ();
}

static void
connected_cb (DynoBrowserHost *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->connected_us = g_get_monotonic_time ();
  self->is_connected = TRUE;
  g_cond_broadcast (&self->changed);
}

static void
message_cb (DynoBrowserHost *self, GBytes *message)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_clear_pointer (&self->answer, g_bytes_unref);
  self->answer = g_bytes_ref (message);
  g_cond_broadcast (&self->changed);
}

static gboolean
page_gone_cb (gpointer data)
{
  fail (data, g_error_new_literal (
                  DYNO_ERROR, DYNO_ERROR_WORKER_DIED,
                  _ ("The page in the browser crashed, probably out of memory. Try a smaller case.")));
  return G_SOURCE_REMOVE;
}

static void
closed_cb (DynoBrowserHost *self)
{
  if (self->page_gone != NULL)
    return;
  self->page_gone = g_timeout_source_new (PAGE_GONE_MS);
  g_source_set_callback (self->page_gone, page_gone_cb, self, NULL);
  g_source_attach (self->page_gone, self->context);
}

static void
exited_cb (DynoBrowserHost *self)
{
  g_autofree char *end = dyno_browser_process_describe_end (self->process);

  fail (self, g_error_new_literal (DYNO_ERROR, DYNO_ERROR_WORKER_DIED, end));
}

static gboolean
start_server (DynoBrowserHost *self, GError **error)
{
  self->server = dyno_browser_server_new (self->runtime_folder, error);
  if (self->server == NULL)
    return FALSE;
  for (guint i = 0; self->model != NULL && i < self->model->files->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      dyno_browser_server_add_file (self->server, name,
                                    ((DynoBrowserFile *)self->model->files->pdata[i])->path);
    }
  g_signal_connect_swapped (self->server, "requested", G_CALLBACK (requested_cb), self);
  g_signal_connect_swapped (self->server, "connected", G_CALLBACK (connected_cb), self);
  g_signal_connect_swapped (self->server, "message", G_CALLBACK (message_cb), self);
  g_signal_connect_swapped (self->server, "closed", G_CALLBACK (closed_cb), self);
  return TRUE;
}

static gboolean
start_browser (DynoBrowserHost *self, GError **error)
{
  const char *url = dyno_browser_server_get_url (self->server);

  g_mutex_lock (&self->mutex);
  self->started_us = g_get_monotonic_time ();
  g_mutex_unlock (&self->mutex);
  self->process = dyno_browser_process_start (self->browser, url, error);
  if (self->process == NULL)
    return FALSE;
  g_signal_connect_swapped (self->process, "exited", G_CALLBACK (exited_cb), self);
  g_mutex_lock (&self->mutex);
  self->url = g_strdup (url);
  self->folder = g_strdup (dyno_browser_process_get_folder (self->process));
  self->pid = dyno_browser_process_get_pid (self->process);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

static gpointer
run_in_thread (gpointer data)
{
  DynoBrowserHost *self = data;
  GError *error = NULL;

  g_main_context_push_thread_default (self->context);
  if (!start_server (self, &error) || !start_browser (self, &error))
    fail (self, error);
  while (!g_atomic_int_get (&self->is_closing))
    g_main_context_iteration (self->context, TRUE);

  if (self->process != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->process, self);
      dyno_browser_process_stop (self->process);
    }
  if (self->server != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->server, self);
      dyno_browser_server_close (self->server);
    }
  if (self->page_gone != NULL)
    g_source_destroy (self->page_gone);
  g_clear_pointer (&self->page_gone, g_source_unref);
  /* Finish closing the connections. */
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_clear_object (&self->process);
  g_clear_object (&self->server);

  g_main_context_pop_thread_default (self->context);
  return NULL;
}

/* Returns the limit in seconds for something that takes at most @seconds by itself. */
static double
limit (DynoBrowserHost *self, double seconds)
{
  return MIN (seconds, (double)(self->deadline_us - g_get_monotonic_time ()) / G_USEC_PER_SEC);
}

/* Must be called with the mutex held. Waits until @is_done returns TRUE, but at most @seconds. */
static gboolean
wait_until (DynoBrowserHost *self, gboolean (*is_done) (DynoBrowserHost *self), double seconds)
{
  gint64 deadline = g_get_monotonic_time () + (gint64)(seconds * G_USEC_PER_SEC);

  while (self->failure == NULL && !is_done (self))
    if (!g_cond_wait_until (&self->changed, &self->mutex, deadline))
      return self->failure != NULL || is_done (self);
  return TRUE;
}

static gboolean
is_connected (DynoBrowserHost *self)
{
  return self->is_connected;
}

static gboolean
is_answered (DynoBrowserHost *self)
{
  return self->answer != NULL;
}

static gboolean
propagate_failure (DynoBrowserHost *self, GError **error)
{
  if (self->failure == NULL)
    return FALSE;
  g_propagate_error (error, g_error_copy (self->failure));
  return TRUE;
}

DynoBrowserHost *
dyno_browser_host_new (const char *browser, DynoBrowserModel *model, gint64 deadline_us, GError **error)
{
  g_autoptr (DynoBrowserHost) self = g_object_new (DYNO_TYPE_BROWSER_HOST, NULL);
  gboolean is_open;
  double seconds;

  g_return_val_if_fail (browser != NULL, NULL);

  self->browser = g_strdup (browser);
  self->deadline_us = deadline_us;
  self->runtime_folder = dyno_browser_find_runtime (error);
  if (self->runtime_folder == NULL)
    return NULL;
  self->model = model;
  self->thread = g_thread_new ("dyno-browser", run_in_thread, self);
  g_mutex_lock (&self->mutex);
  seconds = limit (self, limit_start);
  is_open = wait_until (self, is_connected, seconds);
  if (!is_open)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                 _ ("The browser “%s” did not open Dyno’s page within %.3g s. Check that it starts with "
                    "“--headless=new”, or name another one in Preferences."),
                 self->browser, seconds);
  else
    is_open = !propagate_failure (self, error);
  g_mutex_unlock (&self->mutex);
  if (!is_open)
    return NULL;
  self->model = NULL;
  return g_steal_pointer (&self);
}

void
dyno_browser_host_set_limits (double start_seconds, double call_seconds)
{
  limit_start = start_seconds;
  limit_call = call_seconds;
}

void
dyno_browser_host_set_deadline (DynoBrowserHost *self, gint64 deadline_us)
{
  self->deadline_us = deadline_us;
}

typedef struct
{
  DynoBrowserHost *host;
  char **paths;
} Offer;

static gboolean
offer_cb (gpointer data)
{
  Offer *offer = data;

  if (offer->host->server != NULL)
    for (guint i = 0; offer->paths[i] != NULL; i++)
      {
        g_autofree char *name = g_strdup_printf ("%u", i);

        dyno_browser_server_add_file (offer->host->server, name, offer->paths[i]);
      }
  return G_SOURCE_REMOVE;
}

static void
offer_free (gpointer data)
{
  Offer *offer = data;

  g_strfreev (offer->paths);
  g_free (offer);
}

void
dyno_browser_host_offer (DynoBrowserHost *self, DynoBrowserModel *model)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  Offer *offer = g_new (Offer, 1);

  for (guint i = 0; i < model->files->len; i++)
    g_strv_builder_add (paths, ((DynoBrowserFile *)model->files->pdata[i])->path);
  *offer = (Offer){ self, g_strv_builder_end (paths) };
  g_main_context_invoke_full (self->context, G_PRIORITY_DEFAULT, offer_cb, offer, offer_free);
}

typedef struct
{
  DynoBrowserHost *host;
  GBytes *message;
} Sending;

static gboolean
send_cb (gpointer data)
{
  Sending *sending = data;

  if (sending->host->server != NULL)
    dyno_browser_server_send (sending->host->server, sending->message);
  return G_SOURCE_REMOVE;
}

static void
sending_free (gpointer data)
{
  Sending *sending = data;

  g_bytes_unref (sending->message);
  g_free (sending);
}

static GBytes *
exchange (DynoBrowserHost *self, GBytes *message, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  double seconds = limit (self, limit_call);
  Sending *sending;

  if (propagate_failure (self, error))
    return NULL;
  g_clear_pointer (&self->answer, g_bytes_unref);
  sending = g_new (Sending, 1);
  *sending = (Sending){ self, g_bytes_ref (message) };
  g_main_context_invoke_full (self->context, G_PRIORITY_DEFAULT, send_cb, sending, sending_free);
  if (!wait_until (self, is_answered, seconds))
    self->failure = g_error_new (DYNO_ERROR, DYNO_ERROR_TIMED_OUT,
                                 _ ("The page in the browser did not answer within %.3g s: it hangs, or a "
                                    "step takes longer than that. Try a smaller case."),
                                 seconds);
  if (propagate_failure (self, error))
    return NULL;
  return g_steal_pointer (&self->answer);
}

/* Engines in a page report errors as text only. */
static gboolean
is_about_memory (const char *text)
{
  static const char *const words[] = { "out of memory", "bad_alloc",          "allocation failed",
                                       "Out of memory", "failed to allocate", "Failed to allocate" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (text, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* In these cases the engine's own advice is meant for others, or missing. */
static const struct
{
  const char *words;
  DynoError code;
  const char *message;
} known_problems[] = {
  { "WebNN is not supported", DYNO_ERROR_UNSUPPORTED,
    N_ ("The browser has no WebNN. Name one that has it in Preferences, or choose the device webgpu or "
        "wasm.") },
  { "Failed to get GPU adapter", DYNO_ERROR_FAILED,
    N_ ("The browser gives its page no graphics adapter: there is none that it can use, or the process that "
        "drives it has broken down. Run the case again, or choose the device wasm.") },
  { "WebGPU is not supported", DYNO_ERROR_UNSUPPORTED,
    N_ ("The browser has no WebGPU. Name one that has it in Preferences, or choose the device wasm.") },
};

static void
set_engine_error (const char *problem, GError **error)
{
  g_autofree char *operator_name = dyno_ort_message_find_operator (problem);
  g_autofree char *unimplemented = dyno_ort_message_find_unimplemented (problem);

  for (guint i = 0; i < G_N_ELEMENTS (known_problems); i++)
    if (strstr (problem, known_problems[i].words) != NULL)
      {
        g_set_error_literal (error, DYNO_ERROR, (gint)known_problems[i].code, _ (known_problems[i].message));
        return;
      }
  if (operator_name != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("The model uses the operator “%s”, which ONNX Runtime Web does not have. Export the "
                    "model without it, or choose a backend outside the browser. (ONNX Runtime Web: %s)"),
                 operator_name, problem);
  else if (unimplemented != NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("The model uses the operator “%s” with types of numbers, or in a version, that ONNX "
                    "Runtime Web has not implemented. Choose another precision, or a backend outside the "
                    "browser. (ONNX Runtime Web: %s)"),
                 unimplemented, problem);
  else
    g_set_error (error, DYNO_ERROR, is_about_memory (problem) ? DYNO_ERROR_OUT_OF_MEMORY : DYNO_ERROR_FAILED,
                 _ ("ONNX Runtime Web in the browser failed: %s"), problem);
}

DynoBrowserMessage *
dyno_browser_host_call (DynoBrowserHost *self, JsonNode *request, GByteArray *payload, GError **error)
{
  g_autoptr (GBytes) message = dyno_browser_message_pack (request, payload);
  g_autoptr (GBytes) bytes = exchange (self, message, error);
  g_autoptr (DynoBrowserMessage) answer = bytes != NULL ? dyno_browser_message_parse (bytes, error) : NULL;
  const char *problem;

  if (answer == NULL)
    return NULL;
  problem = dyno_json_member_get_string (answer->header, "error");
  if (problem == NULL)
    return g_steal_pointer (&answer);
  set_engine_error (problem, error);
  return NULL;
}

gboolean
dyno_browser_host_is_broken (DynoBrowserHost *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->failure != NULL;
}

const char *
dyno_browser_host_get_browser (DynoBrowserHost *self)
{
  return self->browser;
}

gint64
dyno_browser_host_get_browser_start_ns (DynoBrowserHost *self)
{
  return 1000 * (self->requested_us - self->started_us);
}

gint64
dyno_browser_host_get_page_load_ns (DynoBrowserHost *self)
{
  return 1000 * (self->connected_us - self->requested_us);
}

const char *
dyno_browser_host_get_url (DynoBrowserHost *self)
{
  return self->url;
}

const char *
dyno_browser_host_get_folder (DynoBrowserHost *self)
{
  return self->folder;
}

GPid
dyno_browser_host_get_pid (DynoBrowserHost *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->pid;
}
