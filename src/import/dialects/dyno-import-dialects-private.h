/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-import-builder.h"
#include "dyno-import-file.h"
#include "dyno-import-private.h"
#include "dyno-load.h"

G_BEGIN_DECLS

/* dyno-aiperf-fields */

/* Common fields of AIPerf, GenAI-Perf and perf_analyzer files. */

#define DYNO_AIPERF_N_FIELDS 21

/**
 * DynoAiperfField:
 * @metric: a metric of AIPerf
 * @statistic: a statistic of the metric
 * @name: the name of the value in Dyno
 */
typedef struct
{
  const char *metric;
  const char *statistic;
  const char *name;
} DynoAiperfField;

extern const DynoAiperfField dyno_aiperf_fields[DYNO_AIPERF_N_FIELDS];

const char *dyno_aiperf_find_unit (const char *unit);
char *dyno_aiperf_dup_load (const char *clients, const char *rate);

/* dyno-batched-table */

/**
 * DynoBatchedTable:
 * @settings: (nullable): the settings of the next tables, as the program prints them
 * @names: (nullable): the columns of the current table
 * @model: (nullable): the model that the document names above its tables
 *
 * The tables of llama-batched-bench in a text, read line by line. Zero it before the first line.
 */
typedef struct
{
  char *settings;
  GStrv names;
  char *model;
} DynoBatchedTable;

void dyno_batched_table_clear (DynoBatchedTable *self);
/* Returns whether the text is the heading of a table of llama-batched-bench. */
gboolean dyno_batched_table_is_heading (const char *text);
/* Returns whether the text is the heading of a table of llama-bench; other programs print tables of models,
 * too. */
gboolean dyno_batched_table_is_of_llama_bench (const char *text);
/* Any other line ends a table, except one that is not a row, which a program may print while it runs.
 * Returns whether the line was valid. @test (nullable): the test, if the line is a row of such a table. */
gboolean dyno_batched_table_take_line (
    DynoBatchedTable *self, const char *text, guint line, DynoRecord **test, GError **error);
/* Returns whether the test was valid. @record: a test, with the field names of the program's JSON. */
gboolean dyno_batched_table_read_test (DynoImportBuilder *builder, DynoRecord *record, GError **error);
/* Returns the cells of the row. The caller owns it. */
GStrv dyno_batched_table_split_row (const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoBatchedTable, dyno_batched_table_clear)

/* dyno-console-text */

/* Returns the text that the group matches; NULL if there is none. The caller owns it. @text: a line that a
 * program has printed, or a person typed. @pattern: a regular expression with one group; it is compiled
 * once and kept. */
char *dyno_console_text_find (const char *text, const char *pattern);
/* Returns the model that it names; NULL if there is none. The caller owns it. @text: a line of a command,
 * or the arguments as Python prints them. */
char *dyno_console_text_find_model (const char *text);
/* Takes @found. @found may be NULL. */
void dyno_console_text_take (char **target, char *found);

/* dyno-import-words */

/* A label as a tool prints it, and the name of its field. */
typedef struct
{
  const char *label;
  const char *field;
} DynoImportLabel;

/* Returns the field with that label; the label itself if it is none of these. */
const char *dyno_import_words_find (const DynoImportLabel *labels, gsize n, const char *label);
/* Returns the cells of a row, without the spaces around them. The caller owns it. */
GStrv dyno_import_words_split (const char *text, const char *separator);
/* Returns whether it is a truth value as JSON, Python or SQL write it. @word may be NULL. */
gboolean dyno_import_words_is_true (const char *word);
/* Returns the precision of a type of PyTorch, such as “torch.float32”; NULL if it is another. @type may be NULL. */
const char *dyno_import_words_find_precision (const char *type);
/* Returns the whole number next to a mean of counts, such as of tokens; 0 if there is none. */
guint dyno_import_words_round (double mean);
/* Returns the load in words; NULL if Dyno has no such load. The caller owns it. */
char *dyno_import_words_dup_load (const DynoLoad *load);

/* dyno-serving-report */

/**
 * DynoServingTool:
 * @name: the client's name
 * @backend: the engine, if the file does not name it
 *
 * A client of a server whose reports have vLLM’s form.
 */
typedef struct
{
  const char *name;
  const char *backend;
} DynoServingTool;

/* Returns whether it has the measurements of these clients, even if other fields were removed. */
gboolean dyno_serving_report_is_json (const char *head);
/* Returns whether it is the console output of one of these clients. */
gboolean dyno_serving_report_is_console (const char *head);
/* Returns whether it has a field that only SGLang’s client writes. */
gboolean dyno_serving_report_is_sglang (const char *head);
/* Returns whether all of it was read. */
gboolean dyno_serving_report_read (DynoImportFile *file,
                                   const DynoServingTool *tool,
                                   DynoImportBuilder *builder,
                                   GError **error);

/* dyno-trace-spans */

/**
 * DynoTraceSpans:
 *
 * The events of a trace of Chrome, each with its start and end, in µs. Events of one thread are nested: the
 * own time of an event is its duration without the events inside it.
 */
typedef struct _DynoTraceSpans DynoTraceSpans;

/**
 * DynoTraceSpansFunc:
 * @what: the number of the event, as it was given
 * @microseconds: its own time
 * @data: user data
 */
typedef void (*DynoTraceSpansFunc) (guint what, double microseconds, gpointer data);

DynoTraceSpans *dyno_trace_spans_new (void);
void dyno_trace_spans_free (DynoTraceSpans *self);
/* @start: the start, in µs. @duration: the duration, in µs. */
void
dyno_trace_spans_add (DynoTraceSpans *self, const char *thread, guint what, double start, double duration);
/* @start: the start, in µs. */
void dyno_trace_spans_begin (DynoTraceSpans *self, const char *thread, guint what, double start);
/* @end: the end of the innermost open event, in µs. Ignored if no event is open. */
void dyno_trace_spans_end (DynoTraceSpans *self, const char *thread, double end);
void dyno_trace_spans_foreach (DynoTraceSpans *self, DynoTraceSpansFunc func, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTraceSpans, dyno_trace_spans_free)

G_END_DECLS
