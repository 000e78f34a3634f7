/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "dyno-paths.h"
#include "dyno-process-memory.h"

typedef struct
{
  GPid pid;
  int statm;
  gint64 shared; /* part of its resident set that is already counted with other processes */
} Process;

struct _DynoProcessMemory
{
  gatomicrefcount references;
  GMutex mutex;
  GArray *processes;
  guint max_processes;
  gboolean knows_sharing;
};

static char *
build_path (GPid pid, const char *name)
{
  g_autofree char *folder = g_strdup_printf ("%d", pid);

  return dyno_paths_build (DYNO_PATH_PROCFS, folder, name, NULL);
}

static void
clear_process (gpointer data)
{
  close (((Process *)data)->statm);
}

static gboolean
is_listed (GArray *pids, GPid pid)
{
  for (guint i = 0; i < pids->len; i++)
    if (g_array_index (pids, GPid, i) == pid)
      return TRUE;
  return FALSE;
}

static gint64
find_bytes (const char *text, const char *key)
{
  const char *line = strstr (text, key);

  return line != NULL ? g_ascii_strtoll (line + strlen (key), NULL, 10) * 1024 : -1;
}

/* Each process's share of a page that several map adds up to one page; walking its pages takes long, so it is not
 * done for every reading. */
static gboolean
measure_sharing (Process *process)
{
  g_autofree char *path = build_path (process->pid, "smaps_rollup");
  g_autofree char *text = NULL;
  gint64 resident, proportional;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  resident = find_bytes (text, "\nRss:");
  proportional = find_bytes (text, "\nPss:");
  if (resident < 0 || proportional < 0)
    return FALSE;
  process->shared = MAX (resident - proportional, 0);
  return TRUE;
}

/* The descriptor of an ended process reads nothing, even if another process has its number now. */
static gint64
read_resident (const Process *process)
{
  char text[128];
  gssize length = pread (process->statm, text, sizeof text - 1, 0);
  const char *second;

  if (length <= 0)
    return 0;
  text[length] = '\0';
  second = strchr (text, ' ');
  return second != NULL ? g_ascii_strtoll (second, NULL, 10) * sysconf (_SC_PAGESIZE) : 0;
}

DynoProcessMemory *
dyno_process_memory_new (void)
{
  DynoProcessMemory *self = g_new0 (DynoProcessMemory, 1);

  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->mutex);
  self->processes = g_array_new (FALSE, FALSE, sizeof (Process));
  self->knows_sharing = TRUE;
  g_array_set_clear_func (self->processes, clear_process);
  return self;
}

DynoProcessMemory *
dyno_process_memory_ref (DynoProcessMemory *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
dyno_process_memory_unref (DynoProcessMemory *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_array_unref (self->processes);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
dyno_process_memory_follow (DynoProcessMemory *self, GArray *processes)
{
  g_mutex_lock (&self->mutex);
  for (guint i = self->processes->len; i > 0; i--)
    if (!is_listed (processes, g_array_index (self->processes, Process, i - 1).pid))
      g_array_remove_index_fast (self->processes, i - 1);
  for (guint i = 0; i < processes->len; i++)
    {
      GPid pid = g_array_index (processes, GPid, i);
      g_autofree char *path = build_path (pid, "statm");
      Process process = { .pid = pid, .statm = -1 };
      gboolean is_followed = FALSE;

      for (guint k = 0; !is_followed && k < self->processes->len; k++)
        is_followed = g_array_index (self->processes, Process, k).pid == pid;
      if (!is_followed)
        process.statm = open (path, O_RDONLY | O_CLOEXEC);
      if (process.statm >= 0)
        g_array_append_val (self->processes, process);
    }
  for (guint i = 0; i < self->processes->len; i++)
    if (!measure_sharing (&g_array_index (self->processes, Process, i)))
      self->knows_sharing = FALSE;
  self->max_processes = MAX (self->max_processes, self->processes->len);
  g_mutex_unlock (&self->mutex);
}

gint64
dyno_process_memory_read (DynoProcessMemory *self)
{
  gint64 bytes = 0;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->processes->len; i++)
    {
      const Process *process = &g_array_index (self->processes, Process, i);

      bytes += MAX (read_resident (process) - process->shared, 0);
    }
  g_mutex_unlock (&self->mutex);
  return bytes;
}

GArray *
dyno_process_memory_list (DynoProcessMemory *self)
{
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (GPid));

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->processes->len; i++)
    g_array_append_val (pids, g_array_index (self->processes, Process, i).pid);
  g_mutex_unlock (&self->mutex);
  return pids;
}

guint
dyno_process_memory_get_max_processes (DynoProcessMemory *self)
{
  return self->max_processes;
}

gboolean
dyno_process_memory_knows_sharing (DynoProcessMemory *self)
{
  return self->knows_sharing;
}
