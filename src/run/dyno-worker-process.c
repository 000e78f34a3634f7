/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "dyno-browser.h"
#include "dyno-error.h"
#include "dyno-ort-library.h"
#include "dyno-ov-library.h"
#include "dyno-paths.h"
#include "dyno-scratch.h"
#include "dyno-worker-process.h"
#ifdef HAVE_LIBSOUP
#include "dyno-browser-process.h"
#endif

/* Runs in the child, between fork and exec: nothing here may allocate. */
static void
child_setup (gpointer data)
{
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/**
 * dyno_worker_process_dup_path:
 *
 * Returns: (transfer full): where `dyno-worker` should be
 */
char *
dyno_worker_process_dup_path (void)
{
  return dyno_paths_build (DYNO_PATH_LIBEXEC, "dyno-worker", NULL);
}

/* Takes the path. What was not named the worker searches itself. */
static void
name_engine (GSubprocessLauncher *launcher, const char *variable, char *path)
{
  if (path != NULL)
    g_subprocess_launcher_setenv (launcher, variable, path, TRUE);
  g_free (path);
}

/**
 * dyno_worker_process_prepare:
 * @flags: what to do with its streams
 *
 * Returns: (transfer full): a launcher of workers that know the settings of this process; each leads a process group,
 *   and dies with the thread that started it
 */
GSubprocessLauncher *
dyno_worker_process_prepare (GSubprocessFlags flags)
{
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (flags);

  name_engine (launcher, "DYNO_ONNXRUNTIME", dyno_ort_library_dup_path ());
  name_engine (launcher, "DYNO_ONNXRUNTIME_PLUGINS", dyno_ort_library_dup_plugin_folder ());
  name_engine (launcher, "DYNO_OPENVINO", dyno_ov_library_dup_path ());
  name_engine (launcher, "DYNO_BROWSER", dyno_browser_dup_path ());
  /* It would send what it is asked to run to its makers while that is measured, and leave files behind. */
  g_subprocess_launcher_setenv (launcher, "ORT_DISABLE_TELEMETRY", "1", TRUE);
  g_subprocess_launcher_set_child_setup (launcher, child_setup, NULL, NULL);
  return launcher;
}

/**
 * dyno_worker_process_start:
 * @launcher: a launcher from [func@Dyno.worker_process_prepare]
 * @arguments: (array zero-terminated=1): what follows the program's name
 * @error: return location, %DYNO_ERROR_WORKER_DIED
 *
 * Returns: (transfer full): the worker
 */
GSubprocess *
dyno_worker_process_start (GSubprocessLauncher *launcher, const char *const *arguments, GError **error)
{
  g_autofree char *path = dyno_worker_process_dup_path ();
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autoptr (GError) local_error = NULL;
  GSubprocess *process;

  g_ptr_array_add (command, path);
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (command, (char *)*arguments);
  g_ptr_array_add (command, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *)command->pdata, &local_error);
  if (process == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_WORKER_DIED,
                 _ ("The measuring process “%s” could not be started: %s. Install Dyno again."), path,
                 local_error->message);
  return process;
}

/* A folder of a process is named after what it is for and after the process: “dyno-engine-4711-a1B2c3”. */
static pid_t
read_owner (const char *name)
{
  static const char *const prefixes[] = { "dyno-ceilings-", "dyno-engine-" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      {
        char *end;
        gint64 pid = g_ascii_strtoll (name + strlen (prefixes[i]), &end, 10);

        return *end == '-' && pid > 0 && pid <= G_MAXINT ? (pid_t)pid : 0;
      }
  return 0;
}

static gboolean
is_orphan (const char *path, pid_t owner)
{
  GStatBuf info;

  return owner > 0 && kill (owner, 0) != 0 && errno == ESRCH && g_lstat (path, &info) == 0 &&
         S_ISDIR (info.st_mode) && info.st_uid == getuid ();
}

static void
remove_orphans (void)
{
  g_autoptr (GDir) dir = g_dir_open (g_get_tmp_dir (), 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), name, NULL);

      if (is_orphan (path, read_owner (name)))
        dyno_scratch_remove (path);
    }
}

/**
 * dyno_worker_process_clean_up:
 *
 * To be called when a worker has ended: one that was killed could not remove its folders, nor what its browser keeps.
 */
void
dyno_worker_process_clean_up (void)
{
  remove_orphans ();
#ifdef HAVE_LIBSOUP
  dyno_browser_process_remove_orphans ();
#endif
}
