/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <math.h>
#include <unistd.h>

#include "dyno-ceilings.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-device-ceilings.h"
#include "dyno-engine-name.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-pinning.h"
#include "dyno-prober.h"
#include "dyno-subject-charts.h"

#define PROCESSOR "cpu"

typedef struct
{
  char *device; /* its name in ceilings */
  char *pinning;
  char *chart;
  int n_threads;
  double seconds;
  gboolean again;
  gboolean forgets;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->device);
  g_free (options->pinning);
  g_free (options->chart);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
is_processor (const Options *options)
{
  return g_str_equal (options->device, PROCESSOR);
}

static const char *
get_pinning (const Options *options)
{
  return options->pinning != NULL ? options->pinning : "";
}

typedef struct
{
  GMainLoop *loop;
  GCancellable *cancellable;
  GPtrArray *ceilings;
  GError *error;
} Measuring;

static void
show_progress (double fraction, const char *what, gpointer user_data)
{
  g_autofree char *line = g_strdup_printf ("%3.0f %% · %s", 100 * fraction, what);

  dyno_cli_show_progress (line);
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Measuring *measuring = user_data;

  measuring->ceilings = dyno_ceilings_measure_finish (result, &measuring->error);
  g_main_loop_quit (measuring->loop);
}

static void
device_measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Measuring *measuring = user_data;

  measuring->ceilings = dyno_device_ceilings_measure_finish (result, &measuring->error);
  g_main_loop_quit (measuring->loop);
}

static gboolean
interrupted_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_CONTINUE;
}

static GPtrArray *
measure (const Options *options, GError **error)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Measuring measuring = { loop, cancellable, NULL, NULL };
  gboolean on_terminal = isatty (STDERR_FILENO);
  guint interrupt = g_unix_signal_add (SIGINT, interrupted_cb, cancellable);
  guint terminate = g_unix_signal_add (SIGTERM, interrupted_cb, cancellable);

  if (is_processor (options))
    dyno_ceilings_measure_pinned_async (get_pinning (options), options->n_threads, options->seconds,
                                        on_terminal ? show_progress : NULL, NULL, cancellable, measured_cb,
                                        &measuring);
  else
    dyno_device_ceilings_measure_async (options->device, options->seconds, cancellable, device_measured_cb,
                                        &measuring);
  g_main_loop_run (loop);
  g_source_remove (interrupt);
  g_source_remove (terminate);
  if (on_terminal)
    dyno_cli_show_progress (NULL);
  if (measuring.error != NULL)
    g_propagate_error (error, measuring.error);
  return measuring.ceilings;
}

/* Returns NULL without an error if ceilings are missing. */
static GPtrArray *
load (const Options *options, const char *machine, GError **error)
{
  g_autoptr (DynoStore) store = dyno_cli_runs_open_store (error);
  g_autoptr (GPtrArray) all = store != NULL ? dyno_store_load_ceilings (store, machine, error) : NULL;
  g_autoptr (GPtrArray) stored = NULL;
  g_autoptr (GArray) n_threads = NULL;
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_object_unref);

  if (all == NULL)
    return NULL;
  stored = dyno_ceilings_select (all, options->device, get_pinning (options));
  if (!is_processor (options))
    return stored->len > 0 ? g_steal_pointer (&stored) : NULL;
  n_threads = dyno_ceilings_choose_threads (get_pinning (options), options->n_threads, error);
  if (n_threads == NULL)
    return NULL;
  for (guint i = 0; i < n_threads->len; i++)
    if (!dyno_ceilings_have_threads (stored, g_array_index (n_threads, guint, i)))
      return NULL;
  for (guint i = 0; i < stored->len; i++)
    if (options->n_threads == 0 ||
        dyno_ceiling_get_threads (stored->pdata[i]) == g_array_index (n_threads, guint, 0))
      g_ptr_array_add (chosen, g_object_ref (stored->pdata[i]));
  return g_steal_pointer (&chosen);
}

static GPtrArray *
load_or_measure (const Options *options, GError **error)
{
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (error);
  g_autoptr (JsonNode) node = machine != NULL ? dyno_machine_to_json (machine) : NULL;
  g_autofree char *snapshot = node != NULL ? dyno_json_text_write (node, FALSE) : NULL;
  g_autoptr (GPtrArray) stored = NULL;
  g_autoptr (GError) problem = NULL;

  if (snapshot == NULL)
    return NULL;
  stored = options->again || options->forgets ? NULL : load (options, snapshot, &problem);
  if (stored != NULL)
    return g_steal_pointer (&stored);
  if (problem == NULL)
    {
      /* Better ones from before stay, unless they are to be forgotten. */
      g_autoptr (DynoStore) store = dyno_cli_runs_open_writable_store (error);
      g_autoptr (GPtrArray) ceilings = store != NULL ? measure (options, error) : NULL;

      if (ceilings == NULL ||
          !(options->forgets ? dyno_store_replace_ceilings (store, snapshot, ceilings, error)
                             : dyno_store_save_ceilings (store, snapshot, ceilings, error)))
        return NULL;
      return load (options, snapshot, error);
    }
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

static void
add_kind (DynoReportTable *table, GPtrArray *ceilings, DynoCeilingKind kind)
{
  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = ceilings->pdata[i];
      const char *unit = dyno_ceiling_get_unit (ceiling);
      double clock = dyno_ceiling_get_clock (ceiling);
      double theoretical = dyno_ceiling_get_theoretical (ceiling);
      g_autofree char *name = dyno_ceiling_dup_name (ceiling);
      const char *mark = dyno_ceiling_is_upper_bound (ceiling)   ? _ (" (zeros: upper bound)")
                         : dyno_ceiling_is_constrained (ceiling) ? _ (" (array too small)")
                                                                 : "";

      if (dyno_ceiling_get_kind (ceiling) == kind)
        dyno_report_table_take_row (
            table,
            g_strdup (kind == DYNO_CEILING_COMPUTE     ? _ ("Compute")
                      : kind == DYNO_CEILING_BANDWIDTH ? _ ("Bandwidth")
                                                       : _ ("Latency")),
            g_strconcat (name, mark, NULL),
            /* Only the engine knows the number of threads of a device. */
            g_str_equal (dyno_ceiling_get_device (ceiling), PROCESSOR)
                ? g_strdup_printf ("%u", dyno_ceiling_get_threads (ceiling))
                : g_strdup (""),
            dyno_cli_format_quantity (dyno_ceiling_get_value (ceiling), unit),
            dyno_cli_format_quantity (dyno_ceiling_get_best (ceiling), unit),
            g_strdup_printf (_ ("%.1f %%"), 100 * dyno_ceiling_get_spread (ceiling)),
            clock > 0 ? g_strdup_printf (_ ("%.2f GHz"), clock / 1e9) : g_strdup (""),
            theoretical > 0 ? dyno_cli_format_quantity (theoretical, unit) : g_strdup (""), NULL);
    }
}

/* Says which measurements count if that is not the latest one, and whether something disturbed it. */
static void
add_remarks (DynoReportDocument *document, GPtrArray *ceilings)
{
  g_autofree char *earlier = NULL;
  g_autofree char *disturbance = NULL;
  guint n_earlier = 0, n_disturbed = 0;

  for (guint i = 0; i < ceilings->len; i++)
    for (guint k = 0; k < ceilings->len; k++)
      if (dyno_ceiling_get_threads (ceilings->pdata[i]) == dyno_ceiling_get_threads (ceilings->pdata[k]) &&
          dyno_ceiling_get_measured_at (ceilings->pdata[i]) + G_TIME_SPAN_SECOND <
              dyno_ceiling_get_measured_at (ceilings->pdata[k]))
        {
          n_earlier++;
          break;
        }
  for (guint i = 0; i < ceilings->len; i++)
    n_disturbed += dyno_ceiling_is_disturbed (ceilings->pdata[i]);
  if (n_earlier > 0)
    {
      earlier = g_strdup_printf (
          ngettext ("%u of %u was better in an earlier measurement, which counts. “--forget” forgets it.",
                    "%u of %u were better in earlier measurements, which count. “--forget” forgets them.",
                    n_earlier),
          n_earlier, ceilings->len);
      dyno_report_document_add_item (document, NULL, earlier, NULL);
    }
  if (n_disturbed > 0)
    {
      disturbance = g_strdup_printf (
          ngettext (
              "%u of %u varies by more than %d %%: something else was running. Close other programs and "
              "measure again.",
              "%u of %u vary by more than %d %%: something else was running. Close other programs and "
              "measure again.",
              n_disturbed),
          n_disturbed, ceilings->len, DYNO_CEILING_DISTURBED_PERCENT);
      dyno_report_document_add_fact (document, _ ("Warning"), disturbance);
    }
}

static DynoReportDocument *
create_document (GPtrArray *ceilings)
{
  gint64 newest = 0;
  g_autofree char *date = NULL;
  g_autofree char *taken = NULL;
  g_autofree char *breaks = dyno_ceilings_describe_breaks (ceilings);
  DynoReportDocument *document = dyno_report_document_new (_ ("Roofs of this machine"));
  DynoReportTable *table =
      dyno_report_table_new ("LwRrr2r1r3r4", _ ("Kind"), _ ("Roof"), _ ("Threads"), _ ("Sustained"),
                             _ ("Best"), _ ("Spread"), _ ("Clock"), _ ("Theoretical"), NULL);
  JsonNode *root = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < ceilings->len; i++)
    {
      json_array_add_object_element (array, dyno_ceiling_to_json (ceilings->pdata[i]));
      newest = MAX (newest, dyno_ceiling_get_measured_at (ceilings->pdata[i]));
    }
  json_node_take_array (root, array);
  date = dyno_report_text_format_date (newest);
  taken = g_strdup_printf (_ ("Measured %s. “--measure” measures again; “--json” shows the method of each."),
                           date);

  add_kind (table, ceilings, DYNO_CEILING_COMPUTE);
  add_kind (table, ceilings, DYNO_CEILING_BANDWIDTH);
  add_kind (table, ceilings, DYNO_CEILING_LATENCY);
  dyno_report_document_take_data (document, root);
  dyno_report_document_add_heading (document, 1, _ ("Roofs of this machine"));
  dyno_report_document_take_table (document, table);
  dyno_report_document_begin_list (document);
  dyno_report_document_add_item (document, NULL, taken, NULL);
  add_remarks (document, ceilings);
  dyno_report_document_add_fact (document, _ ("Warning"), breaks);
  return document;
}

/* Only a probe shows the default device of a backend. */
static gboolean
choose_device (Options *options, const char *spec, GError **error)
{
  g_autofree char *id = NULL;
  DynoBackend *backend = spec != NULL ? dyno_backend_lookup_spec (spec, &id, error) : NULL;
  g_autoptr (DynoProbe) probe = NULL;
  DynoDevice *device;

  if (spec == NULL)
    options->device = g_strdup (PROCESSOR);
  if (backend == NULL)
    return options->device != NULL;
  probe = dyno_prober_probe (dyno_prober_get_default (), backend, DYNO_PROBER_NONE, NULL);
  device = dyno_backend_find_device (backend, probe, id);
  if (dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, "%s %s", dyno_probe_get_reason (probe),
                 dyno_probe_get_remedy (probe) != NULL ? dyno_probe_get_remedy (probe) : "");
  else if (device == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                 _ ("There is no device “%s” on this machine. “dyno-cli hardware” lists the devices."), spec);
  else
    options->device = dyno_engine_name_dup_spec (dyno_backend_get_id (backend), dyno_device_get_id (device));
  return options->device != NULL;
}

static gboolean
check (const Options *options, const char *device, GError **error)
{
  if (device != NULL && options->n_threads != 0)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                         _ ("Threads cannot be set for a device: leave out “--threads” or “--device”."));
  else if (options->n_threads < 0)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                         _ ("The number of threads cannot be negative."));
  else if (!isfinite (options->seconds) || options->seconds <= 0)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("“--seconds” must be above 0."));
  else if (device != NULL && options->pinning != NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                         _ ("Only CPU threads can be pinned: leave out “--pinning” or “--device”."));
  else
    return dyno_pinning_check (get_pinning (options), error);
  return FALSE;
}

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  g_auto (Options) options = { .seconds = DYNO_CEILINGS_SECONDS };
  g_autofree char *device = NULL;
  const GOptionEntry entries[] = {
    { "measure", 'm', 0, G_OPTION_ARG_NONE, &options.again,
      "Measure again, even if there are results already", NULL },
    { "forget", 0, 0, G_OPTION_ARG_NONE, &options.forgets,
      "Measure again, and forget earlier results even if they were better", NULL },
    { "threads", 't', 0, G_OPTION_ARG_INT, &options.n_threads,
      "Only this number of threads, instead of one, one per core and all", "N" },
    { "device", 'd', 0, G_OPTION_ARG_STRING, &device,
      "Measure this device, as listed by “dyno-cli hardware”, instead of the CPU", "BACKEND[:DEVICE]" },
    { "pinning", 0, 0, G_OPTION_ARG_STRING, &options.pinning,
      "Thread pinning: compact, scatter, one-per-core, performance-cores, numa:N or cpus:LIST", "POLICY" },
    { "seconds", 's', 0, G_OPTION_ARG_DOUBLE, &options.seconds, "Approximate duration (15)", "SECONDS" },
    { "chart", 'c', 0, G_OPTION_ARG_FILENAME, &options.chart, "Also draw the roofline, as SVG, PNG or PDF",
      "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autoptr (GPtrArray) ceilings = NULL;
  g_autoptr (DynoReportDocument) document = NULL;
  guint n_threads = 0;

  if (rest == NULL || !dyno_cli_expect_arguments (rest, 0, 0, error) || !check (&options, device, error))
    return DYNO_CLI_USAGE;
  ceilings = choose_device (&options, device, error) ? load_or_measure (&options, error) : NULL;
  /* Of several numbers of threads, draws the roofs of the most. */
  for (guint i = 0; ceilings != NULL && i < ceilings->len; i++)
    n_threads = MAX (n_threads, dyno_ceiling_get_threads (ceilings->pdata[i]));
  if (ceilings == NULL ||
      (options.chart != NULL &&
       !dyno_cli_charts_write_one (dyno_roofs_chart_new (ceilings, n_threads), options.chart, error)))
    return DYNO_CLI_FAILED;
  document = create_document (ceilings);
  return dyno_cli_answer_print (document, error) ? DYNO_CLI_OK : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_ceilings_command = {
  .name = "ceilings",
  .parameters = "",
  .summary = "Show the roofs of this machine: compute and bandwidth",
  .description =
      "Measures the roofs where there are none yet, which takes about 15 seconds, and stores them. "
      "The best measurement of each counts. Close other programs first.\n\n"
      "Examples:\n"
      "  dyno-cli ceilings\n"
      "  dyno-cli ceilings --measure\n"
      "  dyno-cli ceilings --forget\n"
      "  dyno-cli ceilings --threads 1 --json\n"
      "  dyno-cli ceilings --chart roofline.svg\n"
      "  dyno-cli ceilings --measure --pinning one-per-core\n"
      "  dyno-cli ceilings --device webgpu\n",
  .prints_answer = TRUE,
  .prints_tables = TRUE,
  .run = run,
};
