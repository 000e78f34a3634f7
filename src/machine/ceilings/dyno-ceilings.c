/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-ceilings.h"
#include "dyno-error.h"
#include "dyno-machine.h"
#include "dyno-machine-ceilings-private.h"
#include "dyno-machine-private.h"
#include "dyno-task.h"

/* The arrays take at most 1 / MEMORY_SHARE of the available memory. */
#define MEMORY_SHARE 4

/* Used if the kernel does not report the available memory. */
#define USUAL_MEMORY ((gint64)1 << 30)

/* A shorter window measures how threads start; in a longer one, other programs get their turn. */
#define WINDOW_NS 700000

/* The device of ceilings that need no runtime. */
#define PROCESSOR "cpu"

/* The mix that must not rise from level to level. */
#define READ "read"

/* Ceilings contradict each other beyond this factor: both are measured. */
#define TOLERANCE 1.05

/* One thread, one per core, all hardware threads. */
#define MAX_TEAMS 3

typedef struct
{
  char *pinning;
  guint n_threads;
  double seconds;
  DynoCeilingsProgress progress;
  gpointer progress_data;
  GMainContext *context;
} Request;

typedef struct
{
  DynoCeilingsProgress progress;
  gpointer progress_data;
  double fraction;
  char *what;
} Report;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_main_context_unref (request->context);
  g_free (request->pinning);
  g_free (request);
}

static gboolean
deliver (gpointer data)
{
  Report *report = data;

  report->progress (report->fraction, report->what, report->progress_data);
  return G_SOURCE_REMOVE;
}

static void
report_free (gpointer data)
{
  Report *report = data;

  g_free (report->what);
  g_free (report);
}

static void
send_report (double fraction, const char *what, gpointer data)
{
  Request *request = data;
  Report *report;

  if (request->progress == NULL)
    return;
  report = g_new (Report, 1);
  *report = (Report){ request->progress, request->progress_data, fraction, g_strdup (what) };
  dyno_delivery_send (request->context, deliver, report, report_free);
}

static void
add_size (guint *sizes, guint *n_sizes, guint size)
{
  if (*n_sizes == 0 || sizes[*n_sizes - 1] < size)
    sizes[(*n_sizes)++] = size;
}

/* More threads than the container grants processor time for would measure its throttling. */
static guint
choose_sizes (
    DynoTopology *topology, DynoMachine *machine, const GArray *order, guint n_threads, guint *sizes)
{
  guint n_usable = MIN (MAX (dyno_machine_get_n_usable_threads (machine), 1), order->len);
  guint n_sizes = 0;

  if (n_threads > 0)
    {
      add_size (sizes, &n_sizes, MIN (n_threads, n_usable));
      return n_sizes;
    }
  add_size (sizes, &n_sizes, 1);
  add_size (sizes, &n_sizes, MIN (dyno_topology_count_in_order (topology, HWLOC_OBJ_CORE, order), n_usable));
  add_size (sizes, &n_sizes, n_usable);
  return n_sizes;
}

static void
measure_teams (DynoCeilingRun *run, DynoMachine *machine, const GArray *order, const Request *request)
{
  guint sizes[MAX_TEAMS];
  guint n_sizes = choose_sizes (run->topology, machine, order, request->n_threads, sizes);
  g_autoptr (GPtrArray) teams = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_thread_team_free);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (dyno_ceiling_job_free);
  g_autoptr (DynoThreadTeam) one = dyno_thread_team_new_on (run->topology, order, 1);
  gint64 available = dyno_machine_get_available_memory (machine);
  gsize memory = (gsize)(available > 0 ? available : USUAL_MEMORY) / MEMORY_SHARE;
  DynoMemoryLevels levels;

  run->team = one;
  run->jobs = jobs;
  run->window_ns = WINDOW_NS;
  dyno_memory_ceilings_sweep (run, &levels, memory);
  for (guint i = 0; i < n_sizes; i++)
    {
      run->team = dyno_thread_team_new_on (run->topology, order, sizes[i]);
      g_ptr_array_add (teams, run->team);
      dyno_compute_ceilings_add (run);
      dyno_memory_ceilings_add (run, &levels, memory / (n_sizes + 1)); /* all exist at once, and the chase */
    }
  dyno_ceiling_job_measure_all (run);
}

static GArray *
order_processors (DynoTopology *topology, const char *pinning, GError **error)
{
  g_autoptr (DynoPinningPolicy) policy = dyno_pinning_policy_parse (pinning, error);
  g_autoptr (DynoCpuSet) usable = dyno_topology_dup_usable (topology);

  return policy != NULL ? dyno_pinning_policy_order (policy, topology, usable, error) : NULL;
}

static GPtrArray *
measure (const Request *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (DynoTopology) topology = dyno_topology_load (error);
  g_autoptr (GArray) order = topology != NULL ? order_processors (topology, request->pinning, error) : NULL;
  g_autoptr (DynoMachine) machine = order != NULL ? dyno_machine_snapshot (error) : NULL;
  g_autoptr (GPtrArray) ceilings = g_ptr_array_new_with_free_func (g_object_unref);
  DynoCeilingRun run = { .topology = topology,
                         .pinning = request->pinning,
                         .cancellable = cancellable,
                         .ceilings = ceilings,
                         .begin_us = g_get_monotonic_time (),
                         .seconds = request->seconds,
                         .report = send_report,
                         .report_data = (gpointer)request };

  if (machine == NULL)
    return NULL;
  measure_teams (&run, machine, order, request);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (ceilings->len > 0)
    return g_steal_pointer (&ceilings);
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                       _ ("Roofs can be measured on x86-64 and 64-bit Arm processors only."));
  return NULL;
}

static void
measure_in_thread (GTask *task, gpointer source, gpointer request, GCancellable *cancellable)
{
  GError *error = NULL;
  GPtrArray *ceilings = measure (request, cancellable, &error);

  if (ceilings != NULL)
    g_task_return_pointer (task, ceilings, (GDestroyNotify)g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
dyno_ceilings_measure_pinned_async (const char *pinning,
                                    guint n_threads,
                                    double seconds,
                                    DynoCeilingsProgress progress,
                                    gpointer progress_data,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  gboolean is_usual = pinning == NULL || *pinning == '\0';
  Request *request = g_new (Request, 1);

  *request =
      (Request){ is_usual ? NULL : g_strdup (pinning),          n_threads, seconds, progress, progress_data,
                 g_main_context_ref (g_task_get_context (task)) };
  g_task_set_source_tag (task, dyno_ceilings_measure_pinned_async);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, measure_in_thread);
}

void
dyno_ceilings_measure_async (guint n_threads,
                             double seconds,
                             DynoCeilingsProgress progress,
                             gpointer progress_data,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  dyno_ceilings_measure_pinned_async (NULL, n_threads, seconds, progress, progress_data, cancellable,
                                      callback, user_data);
}

GPtrArray *
dyno_ceilings_measure_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

static gboolean
is_of (DynoCeiling *ceiling, const char *device, const char *pinning)
{
  const char *own = dyno_ceiling_get_pinning (ceiling);

  return g_strcmp0 (dyno_ceiling_get_device (ceiling), device) == 0 &&
         strcmp (own != NULL ? own : "", pinning != NULL ? pinning : "") == 0;
}

GPtrArray *
dyno_ceilings_select (GPtrArray *ceilings, const char *device, const char *pinning)
{
  GPtrArray *selected = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < ceilings->len; i++)
    if (is_of (ceilings->pdata[i], device, pinning))
      g_ptr_array_add (selected, g_object_ref (ceilings->pdata[i]));
  return selected;
}

GPtrArray *
dyno_ceilings_keep_best (GPtrArray *ceilings)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *kept = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = ceilings->pdata[i];
      const char *pinning = dyno_ceiling_get_pinning (ceiling);
      g_autofree char *key =
          g_strdup_printf ("%s\n%s\n%u\n%s", dyno_ceiling_get_device (ceiling), dyno_ceiling_get_id (ceiling),
                           dyno_ceiling_get_threads (ceiling), pinning != NULL ? pinning : "");

      gpointer place;

      if (!g_hash_table_lookup_extended (places, key, NULL, &place))
        {
          g_hash_table_insert (places, g_steal_pointer (&key), GUINT_TO_POINTER (kept->len));
          g_ptr_array_add (kept, g_object_ref (ceiling));
        }
      else if (dyno_ceiling_is_better (ceiling, kept->pdata[GPOINTER_TO_UINT (place)]))
        g_set_object ((DynoCeiling **)&kept->pdata[GPOINTER_TO_UINT (place)], ceiling);
    }
  return kept;
}

DynoCeiling *
dyno_ceilings_find (GPtrArray *ceilings, const char *id, guint n_threads)
{
  for (guint i = 0; i < ceilings->len; i++)
    if (strcmp (dyno_ceiling_get_id (ceilings->pdata[i]), id) == 0 &&
        dyno_ceiling_get_threads (ceilings->pdata[i]) == n_threads &&
        is_of (ceilings->pdata[i], PROCESSOR, NULL))
      return ceilings->pdata[i];
  return NULL;
}

/* Returns the place of its level, from the core outwards. */
static guint
rank_level (DynoCeiling *ceiling)
{
  const char *level = dyno_ceiling_get_level (ceiling);

  return level != NULL && level[0] == 'L' ? (guint)g_ascii_digit_value (level[1]) : G_MAXUINT;
}

/* Returns whether @low should reach @high: the same work with more threads, or reading from a level further in. */
static gboolean
should_reach (DynoCeiling *low, DynoCeiling *high)
{
  guint threads = dyno_ceiling_get_threads (low);
  gboolean both_read =
      g_strcmp0 (dyno_ceiling_get_mix (low), READ) == 0 && g_strcmp0 (dyno_ceiling_get_mix (high), READ) == 0;

  if (dyno_ceiling_get_kind (low) == DYNO_CEILING_LATENCY ||
      !is_of (low, PROCESSOR, dyno_ceiling_get_pinning (high)) ||
      !is_of (high, PROCESSOR, dyno_ceiling_get_pinning (high)))
    return FALSE;
  if (strcmp (dyno_ceiling_get_id (low), dyno_ceiling_get_id (high)) == 0)
    return threads > dyno_ceiling_get_threads (high);
  return both_read && threads == dyno_ceiling_get_threads (high) && rank_level (low) < rank_level (high);
}

GArray *
dyno_ceilings_list_breaks (GPtrArray *ceilings)
{
  GArray *breaks = g_array_new (FALSE, FALSE, sizeof (DynoCeilingsBreak));

  for (guint i = 0; i < ceilings->len; i++)
    for (guint k = 0; k < ceilings->len; k++)
      {
        DynoCeilingsBreak pair = { ceilings->pdata[i], ceilings->pdata[k] };

        if (should_reach (pair.low, pair.high) &&
            TOLERANCE * dyno_ceiling_get_value (pair.low) < dyno_ceiling_get_value (pair.high))
          g_array_append_val (breaks, pair);
      }
  return breaks;
}

char *
dyno_ceilings_describe_breaks (GPtrArray *ceilings)
{
  g_autoptr (GArray) breaks = dyno_ceilings_list_breaks (ceilings);
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < breaks->len; i++)
    {
      const DynoCeilingsBreak *pair = &g_array_index (breaks, DynoCeilingsBreak, i);
      g_autofree char *low = dyno_ceiling_dup_title (pair->low);
      g_autofree char *high = dyno_ceiling_dup_title (pair->high);

      g_string_append (list, list->len > 0 ? ", " : "");
      /* Translators: two roofs, such as “L2 read with 1 thread”; part of a list */
      g_string_append_printf (list, _ ("%s is below %s"), low, high);
    }
  if (list->len == 0)
    return NULL;
  /* Translators: a list of pairs of roofs that contradict each other */
  return g_strdup_printf (_ ("These roofs contradict each other: %s. Measure them again on a quiet machine."),
                          list->str);
}

gboolean
dyno_ceilings_have_threads (GPtrArray *ceilings, guint n_threads)
{
  for (guint i = 0; i < ceilings->len; i++)
    if (dyno_ceiling_get_threads (ceilings->pdata[i]) == n_threads)
      return TRUE;
  return FALSE;
}

GArray *
dyno_ceilings_choose_threads (const char *pinning, guint n_threads, GError **error)
{
  g_autoptr (DynoTopology) topology = dyno_topology_load (error);
  g_autoptr (GArray) order = topology != NULL ? order_processors (topology, pinning, error) : NULL;
  g_autoptr (DynoMachine) machine = order != NULL ? dyno_machine_snapshot (error) : NULL;
  GArray *chosen;
  guint sizes[MAX_TEAMS];

  if (machine == NULL)
    return NULL;
  chosen = g_array_new (FALSE, FALSE, sizeof (guint));
  return g_array_append_vals (chosen, sizes, choose_sizes (topology, machine, order, n_threads, sizes));
}
