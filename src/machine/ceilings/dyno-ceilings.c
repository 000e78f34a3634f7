/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-ceilings.h"
#include "dyno-error.h"
#include "dyno-machine.h"
#include "dyno-machine-ceilings-private.h"
#include "dyno-machine-private.h"

/* The arrays take at most 1 / MEMORY_SHARE of the available memory. */
#define MEMORY_SHARE 4

/* Used if the kernel does not report the available memory. */
#define USUAL_MEMORY ((gint64)1 << 30)

/* A shorter window measures how threads start, a longer one gains nothing. */
#define SHORTEST_WINDOW_NS G_GINT64_CONSTANT (500000)
#define LONGEST_WINDOW_NS  G_GINT64_CONSTANT (10000000)

/* The share of the time given; touching memory, trials and calibration take the rest. */
#define WINDOWS_SHARE 0.65

/* The device of ceilings that need no runtime. */
#define PROCESSOR "cpu"

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
  g_main_context_invoke_full (request->context, G_PRIORITY_DEFAULT, deliver, report, report_free);
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
  g_autoptr (DynoThreadTeam) one = dyno_thread_team_new_on (run->topology, order, 1);
  gint64 available = dyno_machine_get_available_memory (machine);
  gsize memory = (gsize)(available > 0 ? available : USUAL_MEMORY) / MEMORY_SHARE;
  DynoMemoryLevels hinted, levels;

  run->team = one;
  dyno_memory_levels_read_hints (&hinted, run->topology,
                                 hwloc_bitmap_first (dyno_thread_team_get_set (run->team)));
  run->n_steps = 1 + hinted.n_caches + 1 +
                 n_sizes * (dyno_compute_ceilings_count () + dyno_memory_ceilings_count_bandwidths (&hinted));
  run->window_ns = (gint64)(request->seconds * 1e9 * WINDOWS_SHARE / (run->n_steps * DYNO_CEILING_N_WINDOWS));
  run->window_ns = CLAMP (run->window_ns, SHORTEST_WINDOW_NS, LONGEST_WINDOW_NS);

  dyno_memory_ceilings_sweep (run, &levels, memory);
  for (guint i = 0; i < n_sizes; i++)
    {
      g_autoptr (DynoThreadTeam) team = dyno_thread_team_new_on (run->topology, order, sizes[i]);

      run->team = team;
      if (!dyno_compute_ceilings_measure (run) ||
          !dyno_memory_ceilings_measure_bandwidth (run, &levels, memory) ||
          (dyno_thread_team_get_size (team) <= 1 &&
           !dyno_memory_ceilings_measure_latency (run, &levels, memory)))
        return;
    }
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
                       _ ("Ceilings can be measured on x86-64 and 64-bit Arm processors only."));
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
