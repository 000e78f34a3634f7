/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-record.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DYNO_IMPORT_MAX_CASES:
 *
 * The most cases that one file may have; it bounds the memory that a run takes.
 */
#define DYNO_IMPORT_MAX_CASES 50000

/**
 * DYNO_IMPORT_UNKNOWN_PRECISION:
 *
 * The precision of a case where the file does not tell.
 */
#define DYNO_IMPORT_UNKNOWN_PRECISION "unknown"

/**
 * DynoImportCase:
 * @model: (nullable): what was run: a model’s id or path; %NULL where the file does not name it, so that the case is named
 *   after the file
 * @model_name: (nullable): its name for people, where that is another
 * @benchmark: (nullable): in place of both, the name of what is no model, whose slashes make no path of it
 * @backend: what ran it: an engine’s id where Dyno has one (`cpu`, `cuda`, `openvino`), else the name of the program
 * @device: (nullable): what was asked for, as that calls it
 * @precision: (nullable): what the model is in; %NULL where nobody told
 * @dimensions: (nullable): as [class@Dyno.Case] has it
 * @batch_size: how many items a step has; 0 where nobody told
 * @sequence_length: in tokens; 0 where there is no sequence
 * @generate_tokens: how many tokens are generated; 0 for plain steps
 * @threads: 0 where nobody told
 * @load: (nullable): the load it was under, as [struct@Dyno.Load] writes it; %NULL for one step after another
 *
 * A case as another tool describes it. What makes it another case and has no place here is an option
 * ([method@Dyno.ImportBuilder.add_option]).
 */
typedef struct
{
  const char *model;
  const char *model_name;
  const char *benchmark;
  const char *backend;
  const char *device;
  const char *precision;
  const char *dimensions;
  guint batch_size;
  guint sequence_length;
  guint generate_tokens;
  guint threads;
  const char *load;
} DynoImportCase;

/**
 * DynoImportField:
 * @field: a field of a record
 * @name: the name of the value that it holds
 * @unit: its unit in the file
 *
 * A field that is a value as it stands ([method@Dyno.ImportBuilder.add_fields]).
 */
typedef struct
{
  const char *field;
  const char *name;
  const char *unit;
} DynoImportField;

/**
 * DynoImportBuilder:
 *
 * Makes a run of what a dialect reads. It knows units, and that what is absent (NaN, %NULL) is not there; it works out the
 * statistics of samples, and marks every number as imported, with the tool and its version.
 *
 * First comes what holds for the whole file, then the cases, each with what belongs to it.
 */
typedef struct _DynoImportBuilder DynoImportBuilder;

/* Returns a builder without cases. @method: how the tool measures, a sentence that has been translated.
 * @file_stem: what a case is called whose model the file does not name. */
DynoImportBuilder *dyno_import_builder_new (const char *method, const char *file_stem);
void dyno_import_builder_free (DynoImportBuilder *self);

/* What holds for the whole file. */

/* Ends a case. What was measured by several versions in one file has that of each case in its values, and
 * the run has none. @version may be NULL. */
void dyno_import_builder_set_tool (DynoImportBuilder *self, const char *tool, const char *version);
/* For a file that holds results of several tools: of the cases since dyno_import_builder_set_tool().
 * @method: how the tool measures, a sentence that has been translated. */
void dyno_import_builder_set_method (DynoImportBuilder *self, const char *method);
/* @title: what the run is called, for files of which many have the same name. */
void dyno_import_builder_set_title (DynoImportBuilder *self, const char *title);
/* @time: when it was measured, in µs since 1970 UTC; 0 where the file does not tell. The first time that
 * is known stays. */
void dyno_import_builder_set_time (DynoImportBuilder *self, gint64 time);
/* Holds for the cases since dyno_import_builder_set_tool(). Where those of a file were measured on several
 * machines, the run has none, and each case tells its own. @object: a part of the machine, as
 * dyno_machine_to_json() calls it, such as `cpu`. @member: what of it, such as `name`. @text may be NULL. */
void dyno_import_builder_set_machine (DynoImportBuilder *self,
                                      const char *object,
                                      const char *member,
                                      const char *text);
/* @name: where @rest is to stand; NULL for among the rest itself. @rest: what the file says of all cases,
 * and Dyno has no place for. Takes @rest. */
void dyno_import_builder_take_run_rest (DynoImportBuilder *self, const char *name, JsonObject *rest);

/* A case. */

/* Ends the case before it. Returns FALSE where the file has too many of them. */
gboolean dyno_import_builder_begin_case (DynoImportBuilder *self, const DynoImportCase *kase, GError **error);
/* @value: what it is set to; NULL for nothing. */
void dyno_import_builder_add_option (DynoImportBuilder *self, const char *name, const char *value);
/* For files that do not tell all that makes a case another one: one that is like cases before it, in
 * everything that the file does tell, has this dimension, which says how many of them there are with it.
 * So none is a rival of another, and those of two files are aligned by their numbers. @name: the name of a
 * dimension, such as `run`. */
void dyno_import_builder_set_numbering (DynoImportBuilder *self, const char *name);
/* @device may be NULL. @kind (nullable): the word of its DynoDeviceKind, where that is known. */
void dyno_import_builder_set_device (DynoImportBuilder *self, const char *device, const char *kind);
/* @architecture may be NULL. @parameter_count: how many parameters it has; NaN where nobody told. */
void
dyno_import_builder_set_model (DynoImportBuilder *self, const char *architecture, double parameter_count);
/* @unit (nullable): what the file calls the unit, which Dyno does not know. */
void dyno_import_builder_add_foreign (
    DynoImportBuilder *self, const char *name, double number, const char *unit, const char *how);
/* Of two values of one name the first counts, and one that follows from samples counts more. @name: the
 * value’s stable name, one of Dyno’s where it is the same, else one of its own kind: words, and its unit
 * last. @unit: the unit in the file, as dyno_import_unit_convert() knows it. @how: the field it is from,
 * and how that was worked out; no need to name the tool. */
void dyno_import_builder_add_value (
    DynoImportBuilder *self, const char *name, double number, const char *unit, const char *how);
/* Adds a value for each field that the record has. */
void dyno_import_builder_add_fields (DynoImportBuilder *self,
                                     DynoRecord *record,
                                     const DynoImportField *fields,
                                     gsize n);
/* Adds a value that is kept as it was reported, although its method is known to be faulty. The case
 * becomes doubtful. */
void dyno_import_builder_add_faulty (DynoImportBuilder *self,
                                     const char *name,
                                     double number,
                                     const char *unit,
                                     const char *how,
                                     const char *fault);
/* Latency statistics follow from them. Several calls are several processes: only where the tool starts one
 * for each of them, because a process is a draw of its own and samples of one are not. @samples: how long
 * the steps took, in the order they ran, in one process. */
void dyno_import_builder_add_process (
    DynoImportBuilder *self, const double *samples, gsize n, const char *unit, const char *how);
/* Takes @op. */
void dyno_import_builder_take_operator (DynoImportBuilder *self, DynoOperator *op);
void dyno_import_builder_add_diagnostic (DynoImportBuilder *self,
                                         DynoSeverity severity,
                                         const char *code,
                                         const char *message);
/* Where none was answered, the case failed. */
void dyno_import_builder_add_failed_requests (DynoImportBuilder *self, guint n_completed, guint n_failed);
void dyno_import_builder_fail_case (DynoImportBuilder *self, const char *reason);
/* @name: where @rest is to stand; NULL for among the rest itself. @rest: what the file says of the case,
 * and Dyno has no place for. Takes @rest. */
void dyno_import_builder_take_rest (DynoImportBuilder *self, const char *name, JsonObject *rest);

/* Returns how many cases it has, the one being described among them. */
guint dyno_import_builder_get_n_cases (DynoImportBuilder *self);
/* Ends a case. Returns whether no case has anything that was measured, nor a reason why it was not. */
gboolean dyno_import_builder_is_empty (DynoImportBuilder *self);
/* Returns whether all it was told can have been measured: a time, an energy or a rate is never less than
 * nothing. Fails with DYNO_ERROR_INVALID_DATA. */
gboolean dyno_import_builder_check (DynoImportBuilder *self, GError **error);
/* Returns the run. @origin: the file; gets the tool, its version and the rest. */
DynoRun *dyno_import_builder_finish (DynoImportBuilder *self, const char *id, DynoOrigin *origin);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoImportBuilder, dyno_import_builder_free)

G_END_DECLS
