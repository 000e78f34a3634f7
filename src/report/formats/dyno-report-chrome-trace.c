/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-load.h"
#include "dyno-report-formats.h"
#include "dyno-result-samples.h"

/* The requests of cases under load in the Trace Event Format of Chrome, which Perfetto opens: each process of
 * a case has two lanes, `queue` from the scheduled start of a request until a client began with it, and
 * `service` from then to the answer. A lane has as many rows as requests overlap. Times are in µs since the
 * process began. */

#define NS_PER_MS 1e6
#define NS_PER_US 1e3

typedef struct
{
  JsonBuilder *builder;
  guint n_lanes; /* of all cases so far */
} Writer;

typedef struct
{
  guint number;
  gint64 end; /* of its last request, in ns */
} Row;

typedef struct
{
  Writer *writer;
  const char *name;
  guint number;
  GSequence *rows; /* sorted by their ends */
} Lane;

static void
add_text (JsonBuilder *builder, const char *member, const char *text)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_string_value (builder, text);
}

static void
add_integer (JsonBuilder *builder, const char *member, gint64 number)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, number);
}

static void
add_double (JsonBuilder *builder, const char *member, double number)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_double_value (builder, number);
}

/* A process of the format is one of our lanes. */
static void
begin_lane (Lane *lane, Writer *writer, const char *name, const char *of)
{
  JsonBuilder *builder = writer->builder;
  g_autofree char *title = g_strdup_printf ("%s: %s", of, name);

  *lane = (Lane){ writer, name, ++writer->n_lanes, g_sequence_new (g_free) };
  json_builder_begin_object (builder);
  add_text (builder, "name", "process_name");
  add_text (builder, "ph", "M");
  add_integer (builder, "pid", lane->number);
  json_builder_set_member_name (builder, "args");
  json_builder_begin_object (builder);
  add_text (builder, "name", title);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

static int
compare_ends (gconstpointer a, gconstpointer b, gpointer data)
{
  const Row *left = a;
  const Row *right = b;

  return (left->end > right->end) - (left->end < right->end);
}

static void
add_slice (Lane *lane, gsize request, gint64 start, gint64 length)
{
  JsonBuilder *builder = lane->writer->builder;
  GSequenceIter *first = g_sequence_get_begin_iter (lane->rows);
  Row *row = g_sequence_iter_is_end (first) ? NULL : g_sequence_get (first);

  /* Takes the row that was free first; viewers do not show overlapping events in one row. */
  if (row == NULL || row->end > start)
    {
      row = g_new0 (Row, 1);
      row->number = (guint)g_sequence_get_length (lane->rows) + 1; /* from 1 */
      first = g_sequence_prepend (lane->rows, row);
    }
  row->end = start + length;
  g_sequence_sort_changed (first, compare_ends, NULL);
  json_builder_begin_object (builder);
  add_text (builder, "name", lane->name);
  add_text (builder, "cat", "request");
  add_text (builder, "ph", "X");
  add_double (builder, "ts", (double)start / NS_PER_US);
  add_double (builder, "dur", (double)length / NS_PER_US);
  add_integer (builder, "pid", lane->number);
  add_integer (builder, "tid", row->number);
  json_builder_set_member_name (builder, "args");
  json_builder_begin_object (builder);
  add_integer (builder, "request", (gint64)request + 1);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

static void
add_requests (Writer *writer, DynoResult *result, guint invocation, const DynoSample *measured)
{
  DynoTrace *latency = dyno_result_get_invocation_trace (result, "latency", invocation);
  const gint64 *times = dyno_trace_get_times (latency) + (measured->values - dyno_trace_get_values (latency));
  /* A closed loop has no queue of ours. */
  DynoTrace *waiting = dyno_result_get_invocation_trace (result, "queue", invocation);
  const double *waits = waiting != NULL && dyno_trace_get_length (waiting) == measured->n
                            ? dyno_trace_get_values (waiting)
                            : NULL;
  g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (result));
  g_autofree char *title = g_strdup_printf ("%s, process %u", label, invocation + 1);
  Lane queue, service;

  begin_lane (&queue, writer, "queue", title);
  begin_lane (&service, writer, "service", title);
  for (gsize i = 0; i < measured->n; i++)
    {
      gint64 whole = llround (measured->values[i] * NS_PER_MS);
      gint64 wait = waits != NULL ? MIN (llround (waits[i] * NS_PER_MS), whole) : 0;

      if (wait > 0)
        add_slice (&queue, i, times[i], wait);
      add_slice (&service, i, times[i] + wait, whole - wait);
    }
  g_sequence_free (queue.rows);
  g_sequence_free (service.rows);
}

static void
add_result (Writer *writer, DynoResult *result)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);

  for (guint i = 0; i < MAX (invocations->len, 1); i++)
    {
      const DynoInvocation *invocation = i < invocations->len ? invocations->pdata[i] : NULL;
      guint number = invocation != NULL ? invocation->number : 0;
      DynoSample measured = dyno_result_get_measured (result, number);

      if (measured.n > 0)
        add_requests (writer, result, number, &measured);
    }
}

static GBytes *
write_runs (const DynoReportSource *source, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  Writer writer = { builder, 0 };
  char *text;

  json_builder_begin_object (builder);
  add_text (builder, "displayTimeUnit", "ms");
  json_builder_set_member_name (builder, "traceEvents");
  json_builder_begin_array (builder);
  for (guint i = 0; i < source->runs->len; i++)
    {
      GListModel *results = dyno_run_get_results (source->runs->pdata[i]);

      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, k);

          if (!dyno_load_is_single (dyno_case_get_load (dyno_result_get_case (result))))
            add_result (&writer, result);
        }
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  if (writer.n_lanes == 0)
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                           _ ("No case of these runs has requests under load, so there are none to show. "
                              "Choose a run with a load, such as “rate=50/s”."));
      return NULL;
    }
  text = dyno_json_text_write (root, FALSE);
  return g_bytes_new_take (text, strlen (text));
}

const DynoReportFormat dyno_report_chrome_trace_format = {
  .name = "chrome-trace",
  .suffix = "json",
  .label = N_ ("Requests under load, for Perfetto"),
  .write_runs = write_runs,
};
