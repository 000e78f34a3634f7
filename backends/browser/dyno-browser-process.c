/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "dyno-browser-private.h"
#include "dyno-error.h"
#include "dyno-process-family.h"
#include "dyno-scratch.h"
#include "dyno-system.h"

/* The last output of a browser says why it ended. */
#define MAX_LINES     5
#define LAST_WORDS_MS 1000

/* A killed process may still be writing into the folder during its removal. */
#define REMOVE_TRIES   100
#define REMOVE_WAIT_US 20000

struct _DynoBrowserProcess
{
  GObject parent_instance;

  GSubprocess *process;
  GDataInputStream *messages;
  GCancellable *stopped;
  GMainContext *context;
  GQueue lines;
  char *folder;
  GPid pid;
  guint n_pending;
  gboolean has_exited;
  gboolean is_silent; /* whether its output has ended */
  GSource *patience;
};

enum
{
  EXITED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (DynoBrowserProcess, dyno_browser_process, G_TYPE_OBJECT)

static void
dyno_browser_process_finalize (GObject *object)
{
  DynoBrowserProcess *self = DYNO_BROWSER_PROCESS (object);

  g_assert (self->n_pending == 0 && self->folder == NULL);
  g_clear_object (&self->messages);
  g_clear_object (&self->process);
  g_clear_object (&self->stopped);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_queue_clear_full (&self->lines, g_free);
  g_free (self->folder);

  G_OBJECT_CLASS (dyno_browser_process_parent_class)->finalize (object);
}

static void
dyno_browser_process_class_init (DynoBrowserProcessClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_browser_process_finalize;

  signals[EXITED] = g_signal_new ("exited", DYNO_TYPE_BROWSER_PROCESS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
dyno_browser_process_init (DynoBrowserProcess *self)
{
  g_queue_init (&self->lines);
  self->stopped = g_cancellable_new ();
}

static void
remove_folder (const char *path)
{
  dyno_scratch_remove (path);
  for (guint i = 0; i < REMOVE_TRIES && g_file_test (path, G_FILE_TEST_EXISTS); i++)
    {
      g_usleep (REMOVE_WAIT_US);
      dyno_scratch_remove (path);
    }
}

/* Runs in the child, between fork and exec: nothing here may allocate. */
static void
child_setup (gpointer data)
{
  setpgid (0, 0);
  dyno_system_die_with_parent (SIGKILL);
}

static GPtrArray *
create_arguments (const char *path, const char *profile, const char *url)
{
  static const char *const flags[] = {
    "--headless=new",
    "--no-first-run",
    "--no-default-browser-check",
    /* WebNN is off by default, and so is WebGPU on Linux; software emulates it if there is no GPU. */
    "--enable-features=WebMachineLearningNeuralNetwork,Vulkan",
    "--enable-unsafe-webgpu",
    /* A step may take longer than the browser's hang limit, and must run as if the page were visible. */
    "--disable-gpu-watchdog",
    "--disable-hang-monitor",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    /* No data leaves the machine, and nothing else takes time. */
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-quic",
    "--disable-sync",
    "--no-pings",
    "--no-proxy-server",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--mute-audio",
    "--password-store=basic",
  };
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (arguments, g_strdup (path));
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    g_ptr_array_add (arguments, g_strdup (flags[i]));
  /* Chromium refuses to run as root with its sandbox. */
  if (geteuid () == 0)
    g_ptr_array_add (arguments, g_strdup ("--no-sandbox"));
  g_ptr_array_add (arguments, g_strconcat ("--user-data-dir=", profile, NULL));
  g_ptr_array_add (arguments, g_strdup (url));
  g_ptr_array_add (arguments, NULL);
  return arguments;
}

static void read_message (DynoBrowserProcess *self);

static void
report_end (DynoBrowserProcess *self)
{
  if (self->has_exited && self->is_silent && !g_cancellable_is_cancelled (self->stopped))
    g_signal_emit (self, signals[EXITED], 0);
}

static void
message_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  DynoBrowserProcess *self = data;
  g_autofree char *line =
      g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (object), result, NULL, NULL);

  self->n_pending--;
  if (line == NULL)
    {
      self->is_silent = TRUE;
      report_end (self);
      return;
    }
  g_debug ("browser: %s", line);
  g_queue_push_tail (&self->lines, g_utf8_make_valid (g_strstrip (line), -1));
  if (g_queue_get_length (&self->lines) > MAX_LINES)
    g_free (g_queue_pop_head (&self->lines));
  read_message (self);
}

static void
read_message (DynoBrowserProcess *self)
{
  self->n_pending++;
  g_data_input_stream_read_line_async (self->messages, G_PRIORITY_DEFAULT, self->stopped, message_cb, self);
}

static gboolean
patience_cb (gpointer data)
{
  DynoBrowserProcess *self = data;

  self->is_silent = TRUE;
  report_end (self);
  return G_SOURCE_REMOVE;
}

static void
exited_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  DynoBrowserProcess *self = data;

  self->n_pending--;
  if (!g_subprocess_wait_finish (G_SUBPROCESS (object), result, NULL))
    return;
  /* The process number is free from now on; the group number only after the last member has ended. */
  if (self->pid > 0)
    kill (-self->pid, SIGKILL);
  self->pid = 0;
  self->has_exited = TRUE;
  if (self->is_silent)
    report_end (self);
  else
    {
      /* Its last output may still be in transit, unless another process keeps the pipe open. */
      self->patience = g_timeout_source_new (LAST_WORDS_MS);
      g_source_set_callback (self->patience, patience_cb, self, NULL);
      g_source_attach (self->patience, self->context);
    }
}

static gboolean
spawn (DynoBrowserProcess *self, const char *path, const char *url, GError **error)
{
  g_autofree char *profile = g_build_filename (self->folder, "profile", NULL);
  g_autoptr (GPtrArray) arguments = create_arguments (path, profile, url);
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GError) problem = NULL;
  const char *identifier;

  /* The browser keeps all its files in the folder that is removed. */
  g_subprocess_launcher_setenv (launcher, "HOME", self->folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "TMPDIR", self->folder, TRUE);
  g_subprocess_launcher_unsetenv (launcher, "XDG_CACHE_HOME");
  g_subprocess_launcher_unsetenv (launcher, "XDG_CONFIG_HOME");
  g_subprocess_launcher_unsetenv (launcher, "XDG_DATA_HOME");
  g_subprocess_launcher_set_child_setup (launcher, child_setup, NULL, NULL);

  self->process = g_subprocess_launcher_spawnv (launcher, (const char *const *)arguments->pdata, &problem);
  if (self->process == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NO_RUNTIME, _ ("The browser “%s” could not be started: %s."),
                   path, problem->message);
      return FALSE;
    }
  identifier = g_subprocess_get_identifier (self->process);
  /* There is no identifier if it has already ended. */
  self->pid = identifier != NULL ? (GPid)g_ascii_strtoll (identifier, NULL, 10) : 0;
  self->messages = g_data_input_stream_new (g_subprocess_get_stderr_pipe (self->process));
  read_message (self);
  self->n_pending++;
  g_subprocess_wait_async (self->process, self->stopped, exited_cb, self);
  return TRUE;
}

DynoBrowserProcess *
dyno_browser_process_start (const char *path, const char *url, GError **error)
{
  g_autoptr (DynoBrowserProcess) self = g_object_new (DYNO_TYPE_BROWSER_PROCESS, NULL);
  g_autofree char *start_file = NULL;
  g_autofree char *start_page = NULL;
  g_autofree char *text =
      g_strdup_printf ("<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n", url != NULL ? url : "");

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (url != NULL, NULL);

  dyno_scratch_remove_orphans ();
  self->context = g_main_context_ref_thread_default ();
  self->folder = dyno_scratch_new (error);
  /* Every user of the machine can read command lines, and anyone with the address could pose as the page. */
  start_file = self->folder != NULL ? g_build_filename (self->folder, "start.html", NULL) : NULL;
  if (start_file != NULL && g_file_set_contents (start_file, text, -1, error))
    start_page = g_filename_to_uri (start_file, NULL, error);
  if (start_page != NULL && spawn (self, path, start_page, error))
    return g_steal_pointer (&self);
  dyno_browser_process_stop (self);
  return NULL;
}

void
dyno_browser_process_stop (DynoBrowserProcess *self)
{
  g_cancellable_cancel (self->stopped);
  if (self->patience != NULL)
    g_source_destroy (self->patience);
  g_clear_pointer (&self->patience, g_source_unref);
  if (self->pid > 0)
    {
      g_autoptr (GArray) family = dyno_process_family_list (self->pid);

      kill (-self->pid, SIGKILL);
      for (guint i = 0; i < family->len; i++)
        kill (g_array_index (family, GPid, i), SIGKILL);
      g_subprocess_wait (self->process, NULL, NULL);
      self->pid = 0;
    }
  while (self->n_pending > 0)
    g_main_context_iteration (self->context, TRUE);
  if (self->folder != NULL)
    remove_folder (self->folder);
  g_clear_pointer (&self->folder, g_free);
}

/* Signals that a program gets for an error of its own, often from itself. */
static gboolean
is_crash (int signal_number)
{
  return signal_number == SIGABRT || signal_number == SIGBUS || signal_number == SIGFPE ||
         signal_number == SIGILL || signal_number == SIGSEGV || signal_number == SIGTRAP;
}

char *
dyno_browser_process_describe_end (DynoBrowserProcess *self)
{
  g_autofree char *end = NULL;
  g_autoptr (GString) words = g_string_new (NULL);
  int signal_number = 0;

  g_return_val_if_fail (self->has_exited, NULL);

  if (g_subprocess_get_if_signaled (self->process))
    signal_number = g_subprocess_get_term_sig (self->process);
  if (signal_number == 0)
    end = g_strdup_printf (_ ("The browser exited with code %d. Try again; if it keeps happening, update the "
                              "browser or choose another one in Preferences."),
                           g_subprocess_get_exit_status (self->process));
  else if (is_crash (signal_number))
    end = g_strdup_printf (_ ("The browser crashed: %s. Try again; if it keeps happening, update the browser "
                              "or choose another one in Preferences."),
                           g_strsignal (signal_number));
  else if (signal_number == SIGKILL)
    end = g_strdup_printf (_ ("The browser was killed: %s. The system does that when memory runs out. Try "
                              "again; if it keeps happening, choose a smaller case."),
                           g_strsignal (signal_number));
  else
    end = g_strdup_printf (_ ("The browser was killed: %s. Try again."), g_strsignal (signal_number));

  for (GList *l = self->lines.head; l != NULL; l = l->next)
    g_string_append_printf (words, "%s%s", l == self->lines.head ? "" : "\n", (const char *)l->data);
  if (words->len == 0 || (signal_number != 0 && !is_crash (signal_number)))
    return g_steal_pointer (&end);
  return g_strdup_printf (_ ("%s Its last message: %s"), end, words->str);
}

GPid
dyno_browser_process_get_pid (DynoBrowserProcess *self)
{
  return self->pid;
}

const char *
dyno_browser_process_get_folder (DynoBrowserProcess *self)
{
  return self->folder;
}
