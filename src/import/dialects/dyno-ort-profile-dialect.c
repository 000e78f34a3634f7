/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* Traces of Chrome: the profile of ONNX Runtime, with operators, providers and runs, or the events of
 * another program. Of these, complete events and those with a start and an end are summed up by name,
 * without the time of nested events. Times are in µs. */

/* Names beyond this number are not operators; the trace is refused. */
#define MAX_OPERATORS 100000

typedef struct
{
  guint number;
  char *type;
  char *provider;
  double microseconds;
  guint n;
} Sum;

typedef struct
{
  GHashTable *sums; /* by the names of operators */
  DynoTraceSpans *spans;
  GPtrArray *names; /* in file order */
  GArray *runs;     /* the time of each run of the model, in µs */
  double creation;
  double loading;
  gboolean is_ort;
  gboolean is_kineto; /* written by PyTorch */
} Trace;

static void
sum_free (gpointer data)
{
  Sum *sum = data;

  g_free (sum->type);
  g_free (sum->provider);
  g_free (sum);
}

static void
trace_clear (Trace *self)
{
  g_hash_table_unref (self->sums);
  dyno_trace_spans_free (self->spans);
  g_ptr_array_unref (self->names);
  g_array_unref (self->runs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trace, trace_clear)

static Sum *
find_sum (Trace *self, const char *name, const char *type, const char *provider)
{
  Sum *sum = g_hash_table_lookup (self->sums, name);

  if (sum == NULL)
    {
      sum = g_new0 (Sum, 1);
      sum->number = self->names->len;
      g_ptr_array_add (self->names, g_strdup (name));
      g_hash_table_insert (self->sums, g_strdup (name), sum);
    }
  if (sum->type == NULL)
    sum->type = g_strdup (type);
  if (sum->provider == NULL)
    sum->provider = g_strdup (provider);
  return sum;
}

static void
add_to_sum (Sum *sum, double microseconds)
{
  sum->microseconds += microseconds;
  sum->n++;
}

/* A thread may have a number or a name. */
static void
add_event (Trace *self, DynoRecord *event, const char *phase, const char *name, const char *category)
{
  static const char *const idle[] = { "Trace",     "overhead", "gpu_user_annotation",
                                      "cuda_sync", "xpu_sync", NULL };
  g_autofree char *process = dyno_record_dup_word (event, "pid");
  g_autofree char *of_process = dyno_record_dup_word (event, "tid");
  g_autofree char *thread =
      g_strdup_printf ("%s %s", process != NULL ? process : "", of_process != NULL ? of_process : "");
  double start = dyno_record_get_number (event, "ts");
  double duration = g_str_equal (phase, "X") ? dyno_record_get_amount (event, "dur") : 0;
  const char *type = category != NULL ? category : "event";
  /* Events of PyTorch's profiler (Kineto) that are no work: “Trace” is the recorded time; “overhead” is the
   * profiler's own; user marks on a GPU enclose kernels, so their own time is when none ran; waits
   * (“cuda_sync”) are on the stream of the kernels that they wait for. A step of the profiler is also a mark.
   * Other user marks, and functions of Python (“python_function”), count: their own time is the thread's work
   * beside operators. */
  gboolean is_no_work = self->is_kineto && name != NULL && category != NULL &&
                        (g_strv_contains (idle, category) || (g_str_equal (category, "user_annotation") &&
                                                              g_str_has_prefix (name, "ProfilerStep#")));

  if (isnan (start) || isnan (duration))
    return;
  if (g_str_equal (phase, "E"))
    dyno_trace_spans_end (self->spans, thread, start);
  else if (name != NULL && g_str_equal (phase, "B"))
    dyno_trace_spans_begin (self->spans, thread, find_sum (self, name, type, NULL)->number, start);
  else if (name != NULL && g_str_equal (phase, "X") && !is_no_work)
    dyno_trace_spans_add (self->spans, thread, find_sum (self, name, type, NULL)->number, start, duration);
}

static gboolean
take_event (Trace *self, DynoRecord *event, GError **error)
{
  const char *phase = dyno_record_get_text (event, "ph");
  const char *name = dyno_record_get_text (event, "name");
  g_autofree char *category = dyno_record_dup_word (event, "cat");

  if (!dyno_record_check (event, error))
    return FALSE;
  if (!self->is_ort && phase != NULL)
    add_event (self, event, phase, name, category);
  else if (g_strcmp0 (phase, "X") == 0 && name != NULL)
    {
      g_autoptr (DynoRecord) args = dyno_record_new_part (event, "args");
      double microseconds = dyno_record_get_amount (event, "dur");

      if (microseconds >= 0)
        {
          if (g_strcmp0 (category, "Node") == 0)
            {
              /* Of the events of a node only the kernel counts: the others enclose it. Early versions do not
               * name nodes that have no name in the model; such nodes are summed up by operator type. */
              static const char suffix[] = "_kernel_time";
              g_autofree char *node =
                  g_str_has_suffix (name, suffix) ? g_strndup (name, strlen (name) - strlen (suffix)) : NULL;
              const char *type = args != NULL ? dyno_record_get_text (args, "op_name") : NULL;

              if (node != NULL && type != NULL)
                add_to_sum (find_sum (self, *node != '\0' ? node : type, type,
                                      dyno_record_get_text (args, "provider")),
                            microseconds);
            }
          else if (strcmp (name, "model_run") == 0)
            g_array_append_val (self->runs, microseconds);
          else if (strcmp (name, "session_initialization") == 0)
            self->creation = microseconds;
          else if (g_str_has_prefix (name, "model_loading"))
            self->loading = microseconds;
        }
    }
  if (self->names->len <= MAX_OPERATORS && dyno_record_check (event, error))
    return TRUE;
  if (self->names->len > MAX_OPERATORS)
    dyno_import_file_set_error (error, dyno_record_get_line (event),
                                _ ("The trace has more than %d kinds of events."), MAX_OPERATORS);
  return FALSE;
}

/* Metadata follow the events outside the list. A list need not be closed, as a program may write until it
 * is killed. */
static gboolean
collect (DynoImportFile *file, Trace *trace, GError **error)
{
  g_autoptr (DynoJsonReader) reader = dyno_json_reader_new (file);
  g_auto (DynoJsonPiece) piece = { 0 };

  dyno_json_reader_allow_open (reader);
  while (dyno_json_reader_next (reader, &piece, error))
    {
      g_autoptr (DynoRecord) event = NULL;

      if (piece.node == NULL)
        return TRUE;
      if (piece.member != NULL && strcmp (piece.member, "traceEvents") != 0)
        continue;
      event = dyno_json_piece_to_record (&piece, error);
      if (event == NULL || !take_event (trace, event, error))
        return FALSE;
    }
  return FALSE;
}

static void
add_own_time (guint what, double microseconds, gpointer data)
{
  Trace *self = data;

  add_to_sum (g_hash_table_lookup (self->sums, self->names->pdata[what]), microseconds);
}

static gboolean
is_ort (const char *head)
{
  return strstr (head, "\"Session\"") != NULL &&
         (strstr (head, "session_initialization") != NULL || strstr (head, "model_loading") != NULL ||
          strstr (head, "\"model_run\"") != NULL);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  const char *head = dyno_import_file_get_head (file);
  g_auto (Trace) trace = { .sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, sum_free),
                           .spans = dyno_trace_spans_new (),
                           .names = g_ptr_array_new_with_free_func (g_free),
                           .runs = g_array_new (FALSE, FALSE, sizeof (double)),
                           .creation = NAN,
                           .loading = NAN,
                           .is_ort = is_ort (head),
                           .is_kineto = dyno_dialect_has_key (head, "schemaVersion") };

  if (!collect (file, &trace, error))
    return FALSE;
  dyno_trace_spans_foreach (trace.spans, add_own_time, &trace);

  /* An event that begins and never ends has only a name, and is no case. */
  const DynoImportCase kase = { .backend = trace.is_ort ? "onnxruntime" : "trace" };
  gboolean has_events = trace.runs->len > 0;
  guint n_runs = MAX (trace.runs->len, 1);

  for (guint i = 0; i < trace.names->len && !has_events; i++)
    has_events = ((const Sum *)g_hash_table_lookup (trace.sums, trace.names->pdata[i]))->n > 0;
  if (!has_events)
    return TRUE;
  dyno_import_builder_set_tool (builder, trace.is_ort ? "ONNX Runtime" : "Chrome trace", NULL);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_process (builder, (const double *)(void *)trace.runs->data, trace.runs->len, "us",
                                   "the events model_run, while it was profiled");
  dyno_import_builder_add_value (builder, "load_time_ms", trace.creation + trace.loading, "us",
                                 "model_loading and session_initialization");
  for (guint i = 0; i < trace.names->len; i++)
    {
      const Sum *sum = g_hash_table_lookup (trace.sums, trace.names->pdata[i]);
      double nanoseconds = sum->microseconds * 1e3 / n_runs;
      DynoOperator *op;

      if (sum->n == 0 || !(nanoseconds <= 1e15))
        continue;
      op = dyno_operator_new (trace.names->pdata[i], sum->type, sum->provider);
      dyno_operator_set_calls (op, MAX (sum->n / n_runs, 1));
      dyno_operator_set_time_ns (op, (gint64)nanoseconds);
      dyno_import_builder_take_operator (builder, op);
    }
  return TRUE;
}

static gboolean
recognise (const char *head)
{
  static const char *const events[] = { "ph", "ts", "pid", "name", NULL };

  return (dyno_dialect_begins_with (head, "[") || dyno_dialect_has_key (head, "traceEvents")) &&
         dyno_dialect_has_keys (head, events);
}

const DynoDialect dyno_ort_profile_dialect = {
  .name = "ort-profile",
  .title = "profiles of ONNX Runtime and Chrome traces",
  .method = N_ ("It was timed while it was traced, which takes time of its own. The time of an event is "
                "without that of the events within it."),
  .recognise = recognise,
  .read = read_file,
};
