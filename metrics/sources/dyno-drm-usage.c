/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-metrics-sources-private.h"
#include "dyno-paths.h"
#include "dyno-system-file.h"

/* The kernel writes about a kilobyte. */
#define MAX_TEXT    16384
#define MAX_ENGINES 64
#define MAX_CLIENTS 65536

/* Looking for files of the device takes milliseconds where there are many processes; in between, only the known files are
 * looked at. */
#define NS_BETWEEN_SEARCHES (G_GINT64_CONSTANT (1000) * 1000 * 1000)

/* The largest share of the thread's time for searches; slow ones are made less often. */
#define MAX_SEARCH_SHARE 0.01

/* Drivers count some work only when it is done, so a counter may rise by more than the time that passed; work that takes
 * longer than this without a word is impossible. */
#define MOST_SECONDS_LATE 60

#define ENGINE   "drm-engine-"
#define CAPACITY "drm-engine-capacity-"
#define CYCLES   "drm-cycles-"
#define TOTAL    "drm-total-cycles-"
#define HIGHEST  "drm-maxfreq-"

/* The numbers of an engine in one text; those that it lacks are 0. */
typedef struct
{
  guint64 ns;
  guint64 cycles;
  guint64 total_cycles;
  guint64 highest_hz;
  guint64 capacity;
  gboolean has_ns;
  gboolean has_cycles;
} Numbers;

/* An engine as a client uses it: the highest numbers so far, because a driver may fall back for a moment. */
typedef struct
{
  Numbers highest;
  gint64 last_ns;
} Engine;

/* An open file of the device, however many descriptors and processes share it. */
typedef struct
{
  GPid pid; /* one of its processes */
  int descriptor;
  GHashTable *engines;
  gint64 seen_ns;
  guint round;
} Client;

struct _DynoDrmUsage
{
  char *device;
  char **paths;          /* of its files */
  GHashTable *clients;   /* by id */
  GHashTable *processes; /* the numbers of those that the last search looked at */
  GHashTable *now;       /* busy seconds of each engine in this round */
  guint round;
  gint64 last_ns;
  gint64 next_search_ns;
  double busy_seconds;
  double shown_seconds;
  gboolean has_engine;
  gboolean is_broken;
};

static void
client_free (gpointer data)
{
  Client *self = data;

  g_hash_table_unref (self->engines);
  g_free (self);
}

DynoDrmUsage *
dyno_drm_usage_new (const char *device, const char *const *nodes)
{
  DynoDrmUsage *self = g_new0 (DynoDrmUsage, 1);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  self->device = g_strdup (device);
  for (guint i = 0; nodes[i] != NULL; i++)
    {
      const char *folder = g_str_has_prefix (nodes[i], "accel") ? "accel" : "dri";
      g_autofree char *path = dyno_paths_build (DYNO_PATH_ROOT, "dev", folder, nodes[i], NULL);

      g_strv_builder_add (paths, path);
    }
  self->paths = g_strv_builder_end (paths);
  self->clients = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, client_free);
  self->processes = g_hash_table_new (NULL, NULL);
  self->now = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
dyno_drm_usage_free (DynoDrmUsage *self)
{
  g_free (self->device);
  g_strfreev (self->paths);
  g_hash_table_unref (self->clients);
  g_hash_table_unref (self->processes);
  g_hash_table_unref (self->now);
  g_free (self);
}

/* The text of a file */

/* Returns whether the value is a whole number with that unit; @unit may be NULL for none. */
static gboolean
parse_number (const char *value, const char *unit, guint64 *number)
{
  g_auto (GStrv) words = g_strsplit (value, " ", 3);

  return words[0] != NULL && g_ascii_string_to_unsigned (words[0], 10, 0, G_MAXUINT64, number, NULL) &&
         g_strcmp0 (words[1], unit) == 0 && (words[1] == NULL || words[2] == NULL);
}

/* Returns whether the line is none about an engine, or a valid one. */
static gboolean
parse_engine (GHashTable *engines, const char *key, const char *value)
{
  static const char *const keys[] = { CAPACITY, ENGINE, CYCLES, TOTAL, HIGHEST };
  static const struct
  {
    const char *unit;
    guint64 hz;
  } units[] = { { NULL, 1 }, { "Hz", 1 }, { "KHz", 1000 }, { "MHz", 1000000 } };
  Numbers *numbers = NULL;
  guint which = 0;

  while (which < G_N_ELEMENTS (keys) && !g_str_has_prefix (key, keys[which]))
    which++;
  if (which == G_N_ELEMENTS (keys))
    return TRUE;
  key += strlen (keys[which]);
  numbers = g_hash_table_lookup (engines, key);
  if (numbers == NULL && g_hash_table_size (engines) == MAX_ENGINES)
    return FALSE;
  if (numbers == NULL)
    {
      numbers = g_new0 (Numbers, 1);
      numbers->capacity = 1;
      g_hash_table_insert (engines, g_strdup (key), numbers);
    }
  switch (which)
    {
    case 0:
      return parse_number (value, NULL, &numbers->capacity) && numbers->capacity > 0;
    case 1:
      numbers->has_ns = parse_number (value, "ns", &numbers->ns);
      return numbers->has_ns;
    case 2:
      numbers->has_cycles = parse_number (value, NULL, &numbers->cycles);
      return numbers->has_cycles;
    case 3:
      return parse_number (value, NULL, &numbers->total_cycles);
    default:
      for (guint i = 0; i < G_N_ELEMENTS (units); i++)
        if (parse_number (value, units[i].unit, &numbers->highest_hz))
          return g_uint64_checked_mul (&numbers->highest_hz, numbers->highest_hz, units[i].hz);
      return FALSE;
    }
}

/* Returns the engines of the text; NULL if it is not one about this device. An invalid text makes the whole account
 * invalid. @id: that of the client, unchanged if the text has none. */
static GHashTable *
parse_text (DynoDrmUsage *self, const char *text, char **id)
{
  g_autoptr (GHashTable) engines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean is_drm = FALSE;
  guint64 number;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *colon = strchr (lines[i], ':');
      const char *value = colon != NULL ? g_strstrip (colon + 1) : NULL;

      if (colon == NULL || !g_str_has_prefix (lines[i], "drm-"))
        continue;
      *colon = '\0';
      is_drm = is_drm || g_str_equal (lines[i], "drm-driver");
      if (g_str_equal (lines[i], "drm-pdev") && g_ascii_strcasecmp (value, self->device) != 0)
        return NULL;
      if (g_str_equal (lines[i], "drm-client-id"))
        {
          self->is_broken = self->is_broken || !parse_number (value, NULL, &number);
          g_free (*id);
          *id = g_strdup (value);
        }
      self->is_broken = self->is_broken || !parse_engine (engines, lines[i], value);
    }
  return is_drm ? g_steal_pointer (&engines) : NULL;
}

/* The account */

/* Returns the seconds that the engine worked for the client since its last numbers; NaN if that is impossible. */
static double
advance_engine (Engine *engine, const Numbers *numbers, gint64 now_ns)
{
  double elapsed = (double)(now_ns - engine->last_ns) / 1e9;
  Numbers *highest = &engine->highest;
  double seconds = 0;

  if (numbers->has_ns && numbers->ns > highest->ns)
    seconds = (double)(numbers->ns - highest->ns) / 1e9;
  else if (!numbers->has_ns && numbers->cycles > highest->cycles)
    {
      double cycles = (double)(numbers->cycles - highest->cycles);

      if (numbers->total_cycles > highest->total_cycles)
        seconds = elapsed * cycles / (double)(numbers->total_cycles - highest->total_cycles);
      else if (numbers->total_cycles == 0 && numbers->highest_hz > 0)
        seconds = cycles / (double)numbers->highest_hz;
    }
  seconds /= (double)numbers->capacity;
  if (seconds == 0)
    {
      highest->total_cycles = MAX (highest->total_cycles, numbers->total_cycles);
      engine->last_ns = numbers->has_ns ? engine->last_ns : now_ns;
      return 0;
    }
  engine->highest = *numbers;
  engine->last_ns = now_ns;
  return seconds <= elapsed + MOST_SECONDS_LATE ? seconds : NAN;
}

/* A driver names an engine only once the client has used it, so an engine that a known client lacked begins at 0, and so
 * do those of a new client of a process that the last search looked at. Where only the ratio of two counters is known,
 * both begin at their present numbers. */
static void
take_client (DynoDrmUsage *self, const char *id, GPid pid, int descriptor, GHashTable *engines, gint64 now_ns)
{
  Client *client = g_hash_table_lookup (self->clients, id);
  gboolean is_known = client != NULL;
  gboolean is_new = g_hash_table_contains (self->processes, GINT_TO_POINTER (pid));
  GHashTableIter iter;
  const char *name;
  Numbers *numbers;

  if (is_known && client->round == self->round)
    return;
  if (!is_known && g_hash_table_size (self->clients) >= MAX_CLIENTS)
    {
      self->is_broken = TRUE;
      return;
    }
  if (!is_known)
    {
      client = g_new0 (Client, 1);
      client->engines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      client->seen_ns = is_new ? self->last_ns : now_ns;
      g_hash_table_insert (self->clients, g_strdup (id), client);
    }
  g_hash_table_iter_init (&iter, engines);
  while (g_hash_table_iter_next (&iter, (gpointer *)&name, (gpointer *)&numbers))
    {
      Engine *engine = g_hash_table_lookup (client->engines, name);
      double *sum = g_hash_table_lookup (self->now, name);
      double seconds;

      if (!numbers->has_ns &&
          !(numbers->has_cycles && (numbers->total_cycles > 0 || numbers->highest_hz > 0)))
        continue;
      if (engine == NULL)
        {
          engine = g_new0 (Engine, 1);
          engine->last_ns = client->seen_ns;
          if (!(is_known || is_new) || numbers->total_cycles > 0)
            engine->highest = *numbers;
          g_hash_table_insert (client->engines, g_strdup (name), engine);
        }
      if (sum == NULL)
        {
          sum = g_new0 (double, 1);
          g_hash_table_insert (self->now, g_strdup (name), sum);
        }
      seconds = advance_engine (engine, numbers, now_ns);
      self->is_broken = self->is_broken || !(seconds >= 0);
      self->has_engine = TRUE;
      *sum += seconds;
    }
  client->pid = pid;
  client->descriptor = descriptor;
  client->seen_ns = now_ns;
  client->round = self->round;
}

/* Looking for files */

/* A file may be closed between two looks, which is no failure. */
static void
look_at_file (DynoDrmUsage *self, int process, GPid pid, int descriptor, gint64 now_ns)
{
  g_autofree char *link = g_strdup_printf ("fd/%d", descriptor);
  g_autofree char *path = NULL;
  g_autofree char *id = NULL;
  g_autoptr (GHashTable) engines = NULL;
  char text[MAX_TEXT + 1];
  gssize length = readlinkat (process, link, text, MAX_TEXT);
  int file;

  text[MAX (length, 0)] = '\0';
  if (!g_strv_contains ((const char *const *)self->paths, text))
    return;
  path = g_strdup_printf ("fdinfo/%d", descriptor);
  file = openat (process, path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  length = read (file, text, MAX_TEXT);
  close (file);
  text[MAX (length, 0)] = '\0';
  id = g_strdup_printf ("%d:%d", pid, descriptor); /* of a driver that numbers no clients */
  engines = length < MAX_TEXT ? parse_text (self, text, &id) : NULL;
  if (engines != NULL)
    take_client (self, id, pid, descriptor, engines, now_ns);
}

/* Returns FALSE if the process may not be looked at; one that has ended has no files. @descriptor: -1 for all. */
static gboolean
look_at_process (DynoDrmUsage *self, GPid pid, int descriptor, gint64 now_ns)
{
  g_autofree char *number = g_strdup_printf ("%d", pid);
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, number, NULL);
  g_autofree char *files = g_build_filename (path, "fd", NULL);
  int process = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (GDir) folder = NULL;
  g_autoptr (GError) error = NULL;
  const char *name;

  if (process < 0)
    return errno != EACCES;
  if (descriptor >= 0)
    look_at_file (self, process, pid, descriptor, now_ns);
  else
    folder = g_dir_open (files, 0, &error);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    look_at_file (self, process, pid, (int)g_ascii_strtoull (name, NULL, 10), now_ns);
  close (process);
  return !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES) &&
         !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
}

static gboolean
is_of_before (gpointer key, gpointer value, gpointer data)
{
  return ((Client *)value)->round != ((DynoDrmUsage *)data)->round;
}

/* A client is only forgotten here, because another of its descriptors may still be open. */
static void
search (DynoDrmUsage *self, GArray *pids, gint64 now_ns)
{
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  gint64 cost_ns, before_ns = dyno_clock_read_ns (CLOCK_THREAD_CPUTIME_ID);
  g_auto (GStrv) names = pids == NULL ? dyno_system_file_list (DYNO_PATH_PROCFS, "") : g_new0 (char *, 1);
  GHashTableIter iter;
  gpointer pid;

  for (guint i = 0; pids != NULL && i < pids->len; i++)
    g_hash_table_add (processes, GINT_TO_POINTER (g_array_index (pids, GPid, i)));
  for (guint i = 0; names[i] != NULL; i++)
    if (g_ascii_isdigit (*names[i]))
      g_hash_table_add (processes, GINT_TO_POINTER ((GPid)g_ascii_strtoull (names[i], NULL, 10)));
  g_hash_table_iter_init (&iter, processes);
  /* Work that was not seen is not known later either. */
  while (!self->is_broken && g_hash_table_iter_next (&iter, &pid, NULL))
    self->is_broken = !look_at_process (self, GPOINTER_TO_INT (pid), -1, now_ns) || self->is_broken;
  g_hash_table_foreach_remove (self->clients, is_of_before, self);
  g_hash_table_unref (self->processes);
  self->processes = g_steal_pointer (&processes);
  cost_ns = dyno_clock_read_ns (CLOCK_THREAD_CPUTIME_ID) - before_ns;
  self->next_search_ns = now_ns + MAX (NS_BETWEEN_SEARCHES, (gint64)((double)cost_ns / MAX_SEARCH_SHARE));
}

/* The excess over the time that has passed is carried over to later looks. */
gboolean
dyno_drm_usage_read (DynoDrmUsage *self, GArray *pids, gint64 now_ns, double *busy)
{
  g_autoptr (GList) clients = g_hash_table_get_values (self->clients);
  gboolean searches = self->round == 0 || now_ns >= self->next_search_ns;
  double elapsed, most = 0;
  GHashTableIter iter;
  gpointer seconds;

  if (self->is_broken)
    return FALSE;
  self->round++;
  for (guint i = 0; pids != NULL && i < pids->len; i++)
    searches =
        searches || !g_hash_table_contains (self->processes, GINT_TO_POINTER (g_array_index (pids, GPid, i)));
  if (searches)
    search (self, pids, now_ns);
  for (GList *l = clients; l != NULL && !searches; l = l->next)
    look_at_process (self, ((Client *)l->data)->pid, ((Client *)l->data)->descriptor, now_ns);
  g_hash_table_iter_init (&iter, self->now);
  while (g_hash_table_iter_next (&iter, NULL, &seconds))
    most = MAX (most, *(double *)seconds);
  g_hash_table_remove_all (self->now);
  elapsed = self->round > 1 ? (double)(now_ns - self->last_ns) / 1e9 : 0;
  self->busy_seconds += most;
  self->shown_seconds = MIN (self->busy_seconds, self->shown_seconds + elapsed);
  self->last_ns = now_ns;
  *busy = 100 * self->shown_seconds;
  return self->has_engine && !self->is_broken;
}
