/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-engine-options.h"
#include "dyno-error.h"
#include "dyno-import-builder.h"
#include "dyno-import-private.h"
#include "dyno-json.h"
#include "dyno-metric.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"
#include "dyno-time-series.h"

/* The limits of the store for documents from others. */
#define LARGEST_NUMBER 1e30
#define MAX_PARAMETERS 1e15
#define LONGEST_UNIT   40
#define LONGEST_TIME   (10 * 366 * 24 * 3600e3) /* in ms */

/* Without any of these the speed of a case is unknown. */
static const char *const needed_values[] = {
  "latency_mean_ms",        "latency_p50_ms",        "throughput_items_per_sec", "throughput_tokens_per_sec",
  "prefill_tokens_per_sec", "decode_tokens_per_sec", "output_tokens_per_sec",    NULL,
};

/* The samples of one process. */
typedef struct
{
  double *milliseconds;
  gsize n;
  char *how;
} Process;

struct _DynoImportBuilder
{
  const char *method;
  char *file_stem;
  char *tool;
  GPtrArray *tools; /* all tools of the file */
  char *version;
  char *title;       /* nullable: if the file's name is not distinctive */
  gboolean is_mixed; /* whether the cases are of several versions */
  gint64 time;
  JsonObject *machine;   /* the facts about it from anywhere in the file */
  JsonObject *of_cases;  /* the facts about it from the current cases */
  gboolean is_stale;     /* whether that is from earlier cases */
  gboolean is_scattered; /* whether the cases are of several machines */
  GPtrArray *machines;   /* the machine of each case */
  GHashTable *labels;    /* how many cases have each label */
  JsonObject *run_rest;
  JsonObject *case_rests; /* by ordinals */
  GPtrArray *results;
  GError *failure; /* nullable: the first failure */

  /* The case that is being described. */
  DynoResult *result;
  char *numbering; /* nullable: the dimension that tells equal cases apart */
  GHashTable *options;
  GPtrArray *values; /* the values in the file; those of samples are computed */
  GArray *processes;
  GPtrArray *faults;
  GHashTable *absent; /* required values that are not numbers, by their fields */
  JsonObject *rest;
};

static void
process_clear (gpointer data)
{
  Process *process = data;

  g_free (process->milliseconds);
  g_free (process->how);
}

DynoImportBuilder *
dyno_import_builder_new (const char *method, const char *file_stem)
{
  DynoImportBuilder *self = g_new0 (DynoImportBuilder, 1);

  self->method = method;
  self->file_stem = g_strdup (file_stem);
  self->tools = g_ptr_array_new_with_free_func (g_free);
  self->machine = json_object_new ();
  self->of_cases = json_object_new ();
  self->machines = g_ptr_array_new_with_free_func ((GDestroyNotify)json_object_unref);
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->run_rest = json_object_new ();
  self->case_rests = json_object_new ();
  self->results = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

static void
clear_case (DynoImportBuilder *self)
{
  g_clear_object (&self->result);
  g_clear_pointer (&self->numbering, g_free);
  g_clear_pointer (&self->options, g_hash_table_unref);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  g_clear_pointer (&self->processes, g_array_unref);
  g_clear_pointer (&self->faults, g_ptr_array_unref);
  g_clear_pointer (&self->absent, g_hash_table_unref);
  g_clear_pointer (&self->rest, json_object_unref);
}

void
dyno_import_builder_free (DynoImportBuilder *self)
{
  clear_case (self);
  g_free (self->file_stem);
  g_free (self->tool);
  g_ptr_array_unref (self->tools);
  g_free (self->version);
  g_free (self->title);
  json_object_unref (self->machine);
  json_object_unref (self->of_cases);
  g_ptr_array_unref (self->machines);
  g_hash_table_unref (self->labels);
  json_object_unref (self->run_rest);
  json_object_unref (self->case_rests);
  g_ptr_array_unref (self->results);
  g_clear_error (&self->failure);
  g_free (self);
}

/* The case that is being described */

static void
take_rest (JsonObject *target, const char *name, JsonObject *rest)
{
  g_autoptr (GList) members = json_object_get_members (rest);

  if (members != NULL && name != NULL)
    json_object_set_object_member (target, name, json_object_ref (rest));
  for (GList *l = members; l != NULL && name == NULL; l = l->next)
    json_object_set_member (target, l->data, json_object_dup_member (rest, l->data));
  json_object_unref (rest);
}

static char *
dup_tool (DynoImportBuilder *self)
{
  return self->version != NULL ? g_strdup_printf ("%s %s", self->tool, self->version) : g_strdup (self->tool);
}

static DynoValue *
create_value (DynoImportBuilder *self, const char *name, double number, const char *unit, const char *how)
{
  g_autofree char *tool = dup_tool (self);
  g_autofree char *source = g_strdup_printf ("%s: %s", tool, how);

  return dyno_value_new (name, number, unit, DYNO_QUALITY_IMPORTED, source);
}

static void
take_value (DynoImportBuilder *self,
            DynoResult *result,
            const char *name,
            double number,
            const char *unit,
            const char *how)
{
  dyno_result_take_value (result, create_value (self, name, number, unit, how));
}

static DynoResult *
create_part (DynoImportBuilder *self, const Process *process)
{
  static const char *const percentiles[] = { "latency_p90_ms", "latency_p95_ms", "latency_p99_ms" };
  DynoResult *part = dyno_result_new (dyno_result_get_case (self->result), 0);
  double n_effective = dyno_stats_effective_size (process->milliseconds, process->n);
  g_autofree double *sorted = g_memdup2 (process->milliseconds, process->n * sizeof (double));
  gsize n = process->n;

  dyno_result_set_status (part, DYNO_STATUS_OK, NULL);
  take_value (self, part, "latency_mean_ms", dyno_stats_mean (process->milliseconds, n), "ms", process->how);
  if (n > 1)
    take_value (self, part, "latency_stddev_ms", dyno_stats_standard_deviation (sorted, n), "ms",
                process->how);
  dyno_stats_sort (sorted, n);
  take_value (self, part, "latency_p50_ms", dyno_stats_percentile (sorted, n, 50), "ms", process->how);
  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++)
    {
      double percent = dyno_result_get_percentile (percentiles[i]);

      if (dyno_stats_percentile_is_supported ((gsize)n_effective, percent))
        take_value (self, part, percentiles[i], dyno_stats_percentile (sorted, n, percent), "ms",
                    process->how);
    }
  take_value (self, part, "latency_min_ms", sorted[0], "ms", process->how);
  take_value (self, part, "latency_max_ms", sorted[n - 1], "ms", process->how);
  take_value (self, part, "latency_samples", (double)n, "", process->how);
  take_value (self, part, "latency_effective_samples", n_effective, "", process->how);

  /* Steps are placed one after the other: files have their durations, but not the gaps between them. */
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 0);
  double time = 0;

  dyno_trace_reserve (trace, process->n);
  for (gsize i = 0; i < process->n; i++)
    {
      dyno_trace_add (trace, (gint64)(time * 1e6), process->milliseconds[i]);
      time += process->milliseconds[i];
    }
  dyno_result_take_trace (part, trace);
  return part;
}

/* Each process is a separate draw, like the invocations of Dyno's own cases. */
static void
join_processes (DynoImportBuilder *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (DynoResult) joined = NULL;

  for (guint i = 0; i < self->processes->len; i++)
    g_ptr_array_add (parts, create_part (self, &g_array_index (self->processes, Process, i)));
  if (parts->len == 0)
    return;
  joined = parts->len == 1 ? g_object_ref (parts->pdata[0]) : dyno_result_join_all (self->result, parts);

  GPtrArray *values = dyno_result_get_values (joined);
  GPtrArray *traces = dyno_result_get_traces (joined);
  GPtrArray *invocations = dyno_result_get_invocations (joined);

  for (guint i = 0; i < values->len; i++)
    dyno_result_take_value (self->result, dyno_value_ref (values->pdata[i]));
  for (guint i = 0; i < traces->len; i++)
    dyno_result_take_trace (self->result, g_object_ref (traces->pdata[i]));
  for (guint i = 0; i < invocations->len; i++)
    dyno_result_take_invocation (self->result, dyno_invocation_ref (invocations->pdata[i]));
}

static void
take_diagnostic (DynoResult *result, DynoSeverity severity, const char *code, const char *message)
{
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (severity, code, message));
}

static void
describe_faults (DynoImportBuilder *self)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *message = NULL;

  for (guint i = 0; i < self->faults->len; i++)
    {
      g_autofree char *title = dyno_metric_title_dup (self->faults->pdata[i]);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", title);
    }
  if (self->faults->len == 0)
    return;
  message = g_strdup_printf (
      /* Translators: the titles of values, such as “Energy, Power of the RAM” */
      _ ("As reported, by a method that is known to be faulty: %s. Their sources say why."), names->str);
  take_diagnostic (self->result, DYNO_SEVERITY_WARNING, "faulty-at-source", message);
}

/* Returns whether the value of this field is essential to the case and has no other source. */
static gboolean
is_needed (DynoImportBuilder *self, const char *path)
{
  GHashTableIter iter;
  gpointer field, name;

  g_hash_table_iter_init (&iter, self->absent);
  while (g_hash_table_iter_next (&iter, &field, &name))
    {
      g_autofree char *suffix = g_strconcat (".", field, NULL);

      if ((g_str_equal (field, path) || g_str_has_suffix (path, suffix)) &&
          dyno_result_get_value (self->result, name) == NULL)
        return TRUE;
    }
  return FALSE;
}

/* Fields that hold NaN or infinity count as absent. */
static void
describe_no_numbers (DynoImportBuilder *self)
{
  g_autoptr (GList) fields = json_object_get_members (self->rest);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *message = NULL;

  for (GList *l = fields; l != NULL; l = l->next)
    if (dyno_record_is_no_number (json_object_get_member (self->rest, l->data)))
      {
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", (const char *)l->data);
        if (is_needed (self, l->data) && dyno_result_get_reason (self->result) == NULL)
          {
            g_autofree char *reason = g_strdup_printf (
                /* Translators: a field of a file, and “NaN” or “Infinity” */
                _ ("“%s” is %s in the file, which is not a number."), (const char *)l->data,
                json_object_get_string_member (self->rest, l->data));

            dyno_result_set_status (self->result, DYNO_STATUS_FAILED, reason);
          }
      }
  if (names->len == 0)
    return;
  /* Translators: fields of a file, such as “std_ttft_ms, p99_ttft_ms” */
  message = g_strdup_printf (_ ("The file has no number for: %s."), names->str);
  take_diagnostic (self->result, DYNO_SEVERITY_INFO, "not-a-number", message);
}

static void
end_case (DynoImportBuilder *self)
{
  g_autofree char *options = NULL;
  g_autofree char *tool = NULL;
  g_autofree char *message = NULL;
  g_autofree char *ordinal = NULL;
  DynoCase *kase;

  if (self->result == NULL)
    return;
  kase = dyno_result_get_case (self->result);
  options = dyno_engine_options_to_string (self->options);
  g_object_set (kase, "options", options, NULL);
  if (self->numbering != NULL)
    {
      /* Numbers equal cases with a dimension, as an option would be an alternative for the same work, and the
       * differences between these cases are unknown. */
      char *label = dyno_case_dup_key (kase);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->labels, label)) + 1;
      const char *own = dyno_case_get_dimensions (kase);
      g_autofree char *dimensions =
          g_strdup_printf ("%s%s%s=%u", own, *own != '\0' ? "," : "", self->numbering, n);

      g_hash_table_replace (self->labels, label, GUINT_TO_POINTER (n));
      if (n > 1)
        g_object_set (kase, "dimensions", dimensions, NULL);
    }
  g_object_set (dyno_case_get_method (kase), "invocations", MAX (self->processes->len, 1), NULL);
  join_processes (self);

  /* Values in the file come after those that are computed from its samples. */
  for (guint i = 0; i < self->values->len; i++)
    if (dyno_result_get_value (self->result, dyno_value_get_name (self->values->pdata[i])) == NULL)
      dyno_result_take_value (self->result, dyno_value_ref (self->values->pdata[i]));

  tool = dup_tool (self);
  /* Translators: a program with its version, and a sentence that says how it measures */
  message = g_strdup_printf (_ ("Imported from %s. %s"), tool, self->method);
  take_diagnostic (self->result, DYNO_SEVERITY_INFO, DYNO_ORIGIN_CODE, message);
  describe_faults (self);
  describe_no_numbers (self);
  ordinal = g_strdup_printf ("%u", self->results->len);
  take_rest (self->case_rests, ordinal, g_steal_pointer (&self->rest));
  g_ptr_array_add (self->results, g_steal_pointer (&self->result));
  g_ptr_array_add (self->machines, self->is_stale ? json_object_new () : json_object_ref (self->of_cases));
  clear_case (self);
}

/* The whole file */

void
dyno_import_builder_set_tool (DynoImportBuilder *self, const char *tool, const char *version)
{
  end_case (self);
  self->is_stale = TRUE;
  self->is_mixed = self->is_mixed || (self->results->len > 0 && g_strcmp0 (self->version, version) != 0);
  g_free (self->tool);
  g_free (self->version);
  self->tool = g_strdup (tool);
  if (!g_ptr_array_find_with_equal_func (self->tools, tool, g_str_equal, NULL))
    g_ptr_array_add (self->tools, g_strdup (tool));
  self->version = version != NULL && *version != '\0' ? g_strdup (version) : NULL;
}

void
dyno_import_builder_set_method (DynoImportBuilder *self, const char *method)
{
  self->method = method;
}

void
dyno_import_builder_set_title (DynoImportBuilder *self, const char *title)
{
  g_free (self->title);
  self->title = g_strdup (title);
}

void
dyno_import_builder_set_time (DynoImportBuilder *self, gint64 time)
{
  if (self->time == 0)
    self->time = time;
}

static const char *
get_told (JsonObject *machine, const char *object, const char *member)
{
  JsonObject *part =
      json_object_has_member (machine, object) ? json_object_get_object_member (machine, object) : NULL;

  return part != NULL ? json_object_get_string_member_with_default (part, member, NULL) : NULL;
}

static void
tell (JsonObject *machine, const char *object, const char *member, const char *text)
{
  if (!json_object_has_member (machine, object))
    json_object_set_object_member (machine, object, json_object_new ());
  json_object_set_string_member (json_object_get_object_member (machine, object), member, text);
}

void
dyno_import_builder_set_machine (DynoImportBuilder *self,
                                 const char *object,
                                 const char *member,
                                 const char *text)
{
  g_autofree char *stripped = NULL;
  const char *told;

  if (text == NULL || *text == '\0')
    return;
  if (self->is_stale)
    {
      json_object_unref (self->of_cases);
      self->of_cases = json_object_new ();
      self->is_stale = FALSE;
    }
  stripped = g_strstrip (g_strdup (text));
  told = get_told (self->machine, object, member);
  self->is_scattered =
      self->is_scattered || (self->results->len > 0 && told != NULL && !g_str_equal (told, stripped));
  tell (self->machine, object, member, stripped);
  tell (self->of_cases, object, member, stripped);
}

void
dyno_import_builder_take_run_rest (DynoImportBuilder *self, const char *name, JsonObject *rest)
{
  take_rest (self->run_rest, name, rest);
}

/* A case */

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

gboolean
dyno_import_builder_begin_case (DynoImportBuilder *self, const DynoImportCase *kase, GError **error)
{
  g_return_val_if_fail (self->tool != NULL, FALSE);
  g_return_val_if_fail (kase->backend != NULL, FALSE);

  end_case (self);
  if (self->results->len == DYNO_IMPORT_MAX_CASES)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("It has more than %d cases. Split it."),
                   DYNO_IMPORT_MAX_CASES);
      return FALSE;
    }

  /* Labels, and the identity of cases, use the end of a path. */
  g_autofree char *benchmark =
      kase->benchmark != NULL ? g_strdelimit (g_strdup (kase->benchmark), "/", ' ') : NULL;
  const char *model = benchmark != NULL ? benchmark : kase->model != NULL ? kase->model : self->file_stem;
  g_autoptr (DynoCase) own = dyno_case_new (model, kase->backend);

  g_object_set (own, "device", or_empty (kase->device), "precision",
                kase->precision != NULL ? kase->precision : DYNO_IMPORT_UNKNOWN_PRECISION, "dimensions",
                or_empty (kase->dimensions), "batch-size", kase->batch_size, "sequence-length",
                kase->sequence_length, "generate-tokens", kase->generate_tokens, "threads", kase->threads,
                NULL);
  if (kase->load != NULL)
    g_object_set (own, "load", kase->load, NULL);
  self->result = dyno_result_new (own, self->results->len);
  g_object_set (self->result, "model-name", benchmark != NULL ? kase->benchmark : kase->model_name, NULL);
  dyno_result_set_status (self->result, DYNO_STATUS_OK, NULL);
  if (model == self->file_stem)
    take_diagnostic (self->result, DYNO_SEVERITY_INFO, DYNO_ORIGIN_UNNAMED_CODE,
                     _ ("The file does not name the model, so the case is named after the file."));
  if (kase->batch_size == 0 && benchmark == NULL)
    take_diagnostic (self->result, DYNO_SEVERITY_INFO, DYNO_ORIGIN_BATCH_CODE,
                     _ ("The file does not tell the batch size: a step may be of several items."));

  self->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  self->processes = g_array_new (FALSE, FALSE, sizeof (Process));
  g_array_set_clear_func (self->processes, process_clear);
  self->faults = g_ptr_array_new_with_free_func (g_free);
  self->absent = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->rest = json_object_new ();
  return TRUE;
}

void
dyno_import_builder_add_option (DynoImportBuilder *self, const char *name, const char *value)
{
  if (value != NULL && *value != '\0')
    g_hash_table_replace (self->options, g_strdup (name), g_strdelimit (g_strdup (value), ",=", ';'));
}

void
dyno_import_builder_set_numbering (DynoImportBuilder *self, const char *name)
{
  g_free (self->numbering);
  self->numbering = g_strdup (name);
}

void
dyno_import_builder_set_device (DynoImportBuilder *self, const char *device, const char *kind)
{
  g_autofree char *stripped = device != NULL ? g_strstrip (g_strdup (device)) : NULL;

  g_object_set (self->result, "device", stripped, "device-kind", kind, NULL);
}

void
dyno_import_builder_set_model (DynoImportBuilder *self, const char *architecture, double parameter_count)
{
  g_object_set (self->result, "architecture", architecture, NULL);
  if (parameter_count >= 1 && parameter_count <= MAX_PARAMETERS)
    g_object_set (self->result, "parameter-count", (gint64)parameter_count, NULL);
}

/* Keeps the first failure. */
static void
refuse (DynoImportBuilder *self, double number, const char *unit, const char *how)
{
  if (self->failure == NULL)
    g_set_error (&self->failure, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 /* Translators: the field of a file, a number and its unit */
                 _ ("“%s” gives %g %s, which cannot have been measured."), how, number, unit);
}

/* Numbers that no document may hold are no measurements. */
static gboolean
is_measurable (double number)
{
  return isfinite (number) && fabs (number) <= LARGEST_NUMBER;
}

static gboolean
add_value (DynoImportBuilder *self, const char *name, double number, const char *unit, const char *how)
{
  /* Times, energies, powers, work and rates cannot be negative. */
  static const char *const amounts[] = { "ms",   "J",      "W",    "1/s", "tokens/s",
                                         "FLOP", "FLOP/s", "GB/s", "MHz", NULL };
  DynoUnit own;

  g_return_val_if_fail (dyno_import_unit_convert (unit, &own), FALSE);
  if (!is_measurable (number * own.factor))
    {
      if (g_strv_contains (needed_values, name))
        g_hash_table_insert (self->absent, g_strndup (how, strcspn (how, " ,")), g_strdup (name));
      return FALSE;
    }
  if (number < 0 && g_strv_contains (amounts, own.name))
    refuse (self, number, unit, how);
  g_ptr_array_add (self->values, create_value (self, name, number * own.factor, own.name, how));
  return TRUE;
}

void
dyno_import_builder_add_value (
    DynoImportBuilder *self, const char *name, double number, const char *unit, const char *how)
{
  add_value (self, name, number, unit, how);
}

void
dyno_import_builder_add_foreign (
    DynoImportBuilder *self, const char *name, double number, const char *unit, const char *how)
{
  /* A foreign unit is made to fit on a line, and cut to the length of a unit. */
  g_autofree char *valid = g_utf8_make_valid (unit != NULL ? unit : "", -1);
  glong length = g_utf8_strlen (valid, -1);
  g_autofree char *foreign =
      g_strstrip (g_strdelimit (g_utf8_substring (valid, 0, MIN (length, LONGEST_UNIT)), "\t\n\v\f\r", ' '));

  if (is_measurable (number))
    g_ptr_array_add (self->values, create_value (self, name, number, foreign, how));
}

void
dyno_import_builder_add_median (
    DynoImportBuilder *self, const char *name, GArray *numbers, const char *unit, const char *how)
{
  double *sorted = (double *)(void *)numbers->data;

  if (numbers->len == 0)
    return;
  dyno_stats_sort (sorted, numbers->len);
  add_value (self, name, dyno_stats_percentile (sorted, numbers->len, 50), unit, how);
}

static void
add_fields (DynoImportBuilder *self,
            DynoRecord *record,
            const DynoImportField *fields,
            gsize n,
            double (*get) (DynoRecord *record, const char *name))
{
  for (gsize i = 0; i < n; i++)
    add_value (self, fields[i].name, get (record, fields[i].field), fields[i].unit,
               fields[i].how != NULL ? fields[i].how : fields[i].field);
}

void
dyno_import_builder_add_fields (DynoImportBuilder *self,
                                DynoRecord *record,
                                const DynoImportField *fields,
                                gsize n)
{
  add_fields (self, record, fields, n, dyno_record_get_number);
}

void
dyno_import_builder_add_amounts (DynoImportBuilder *self,
                                 DynoRecord *record,
                                 const DynoImportField *fields,
                                 gsize n)
{
  add_fields (self, record, fields, n, dyno_record_get_amount);
}

void
dyno_import_builder_add_faulty (DynoImportBuilder *self,
                                const char *name,
                                double number,
                                const char *unit,
                                const char *how,
                                const char *fault)
{
  g_autofree char *marked = g_strdup_printf ("%s; as reported, method known faulty: %s", how, fault);

  if (add_value (self, name, number, unit, marked))
    g_ptr_array_add (self->faults, g_strdup (name));
}

void
dyno_import_builder_add_process (
    DynoImportBuilder *self, const double *samples, gsize n, const char *unit, const char *how)
{
  Process process = { g_memdup2 (samples, n * sizeof (double)), n, NULL };
  double total = 0;
  DynoUnit own;

  g_return_if_fail (dyno_import_unit_convert (unit, &own) && g_str_equal (own.name, "ms"));
  process.how = g_strdup_printf ("from %s", how);
  for (gsize i = 0; i < n; i++)
    {
      process.milliseconds[i] *= own.factor;
      total += process.milliseconds[i];
      if (!(process.milliseconds[i] >= 0 && total <= LONGEST_TIME))
        refuse (self, samples[i], unit, how);
    }
  if (n > 0 && self->processes->len < DYNO_METHOD_MAX_INVOCATIONS)
    g_array_append_val (self->processes, process);
  else
    process_clear (&process);
}

void
dyno_import_builder_take_operator (DynoImportBuilder *self, DynoOperator *op)
{
  dyno_result_take_operator (self->result, op);
}

void
dyno_import_builder_add_diagnostic (DynoImportBuilder *self,
                                    DynoSeverity severity,
                                    const char *code,
                                    const char *message)
{
  take_diagnostic (self->result, severity, code, message);
}

void
dyno_import_builder_fail_case (DynoImportBuilder *self, const char *reason)
{
  dyno_result_set_status (self->result, DYNO_STATUS_FAILED, reason);
}

void
dyno_import_builder_add_failed_requests (DynoImportBuilder *self, guint n_completed, guint n_failed)
{
  g_autofree char *message = NULL;

  if (n_completed == 0)
    dyno_import_builder_fail_case (self, _ ("None of the requests was answered."));
  if (n_completed == 0 || n_failed == 0)
    return;
  message = g_strdup_printf (ngettext ("%u request failed. The values are those of the others.",
                                       "%u requests failed. The values are those of the others.", n_failed),
                             n_failed);
  take_diagnostic (self->result, DYNO_SEVERITY_WARNING, "requests-failed", message);
}

void
dyno_import_builder_take_rest (DynoImportBuilder *self, const char *name, JsonObject *rest)
{
  take_rest (self->rest, name, rest);
}

guint
dyno_import_builder_get_n_cases (DynoImportBuilder *self)
{
  return self->results->len + (self->result != NULL);
}

gboolean
dyno_import_builder_is_empty (DynoImportBuilder *self)
{
  end_case (self);
  for (guint i = 0; i < self->results->len; i++)
    {
      DynoResult *result = self->results->pdata[i];

      if (dyno_result_get_values (result)->len > 0 || dyno_result_get_traces (result)->len > 0 ||
          dyno_result_get_operators (result)->len > 0 || dyno_result_get_reason (result) != NULL)
        return FALSE;
    }
  return TRUE;
}

gboolean
dyno_import_builder_check (DynoImportBuilder *self, GError **error)
{
  if (self->failure == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->failure));
  return FALSE;
}

static char *
write_object (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  return dyno_json_text_write (node, FALSE);
}

static void
name_part (JsonObject *machine, const char *object, JsonNode *part, gpointer names)
{
  const char *name = get_told (machine, object, "name");

  if (name != NULL)
    g_string_append_printf (names, "%s%s", ((GString *)names)->len > 0 ? ", " : "", name);
}

static void
scatter_machine (DynoImportBuilder *self, guint i)
{
  JsonObject *machine = self->machines->pdata[i];
  g_autofree char *ordinal = g_strdup_printf ("%u", i);
  g_autofree char *message = NULL;
  g_autoptr (GString) names = g_string_new (NULL);
  JsonObject *rest;

  json_object_foreach_member (machine, name_part, names);
  if (names->len == 0)
    return;
  if (!json_object_has_member (self->case_rests, ordinal))
    json_object_set_object_member (self->case_rests, ordinal, json_object_new ());
  rest = json_object_get_object_member (self->case_rests, ordinal);
  json_object_set_object_member (rest, "machine", json_object_ref (machine));
  message = g_strdup_printf (
      /* Translators: the processor and the system of a machine */
      _ ("The file holds results of several machines, so the run names none. This case was measured on: %s."),
      names->str);
  take_diagnostic (self->results->pdata[i], DYNO_SEVERITY_INFO, "several-machines", message);
}

DynoRun *
dyno_import_builder_finish (DynoImportBuilder *self, const char *id, DynoOrigin *origin)
{
  DynoRun *run = dyno_run_new (id);
  g_autoptr (GString) tools = g_string_new (NULL);
  g_autoptr (JsonObject) rests = json_object_new ();
  g_autofree char *tool = NULL;
  g_autofree char *machine = NULL;

  end_case (self);
  for (guint i = 0; self->is_scattered && i < self->results->len; i++)
    scatter_machine (self, i);
  machine =
      !self->is_scattered && json_object_get_size (self->machine) > 0 ? write_object (self->machine) : NULL;
  if (self->is_mixed)
    g_clear_pointer (&self->version, g_free);
  for (guint i = 0; i < self->tools->len; i++)
    g_string_append_printf (tools, "%s%s", i > 0 ? ", " : "", (const char *)self->tools->pdata[i]);
  g_free (self->tool);
  self->tool = g_strdup (tools->str);
  tool = dup_tool (self);
  g_object_set (run, "title", self->title != NULL ? self->title : origin->file_name, "source", tool,
                "started-at", self->time, "finished-at", self->time, "machine", machine, "n-cases",
                self->results->len, NULL);
  for (guint i = 0; i < self->results->len; i++)
    dyno_run_add_result (run, self->results->pdata[i]);
  origin->tool = g_strdup (self->tool);
  origin->version = g_strdup (self->version);
  json_object_set_object_member (rests, "run", json_object_ref (self->run_rest));
  json_object_set_object_member (rests, "cases", json_object_ref (self->case_rests));
  origin->extra = write_object (rests);
  dyno_run_set_origin (run, origin);
  return run;
}
