/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-private.h"
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
 * The precision of a case if the file does not name it.
 */
#define DYNO_IMPORT_UNKNOWN_PRECISION "unknown"

/**
 * DynoImportCase:
 * @model: (nullable): the model’s id or path; NULL if the file does not name it, so that the case is named after the
 *   file
 * @model_name: (nullable): its name for people, if that is different
 * @benchmark: (nullable): in place of both, the name of a benchmark that is not a model; its slashes do not make it a
 *   path
 * @backend: the engine: an engine’s id if Dyno has one (`cpu`, `cuda`, `openvino`), else the name of the program
 * @device: (nullable): the requested device, as the engine calls it
 * @precision: (nullable): the precision of the model; NULL if unknown
 * @dimensions: (nullable): as in DynoCase
 * @batch_size: the number of items in a step; 0 if unknown
 * @sequence_length: in tokens; 0 where there is no sequence
 * @generate_tokens: the number of generated tokens; 0 for plain steps
 * @threads: the number of threads; 0 if unknown
 * @load: (nullable): the load, as DynoLoad writes it; NULL for one step after another
 *
 * A case as another tool describes it. Any other property that tells cases apart is an option
 * (dyno_import_builder_add_option()).
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
 * @name: the name of its value
 * @unit: its unit in the file
 * @how: (nullable): the field, and how the value was computed; NULL for the field alone
 *
 * A field that becomes a value unchanged (dyno_import_builder_add_fields()).
 */
typedef struct
{
  const char *field;
  const char *name;
  const char *unit;
  const char *how;
} DynoImportField;

/**
 * DynoImportBuilder:
 *
 * Makes a run from the data that a dialect reads. It knows units, and skips absent values (NaN, NULL); it
 * computes the statistics of samples, and marks every number as imported, with the tool and its version.
 *
 * First come the facts about the whole file, then the cases, each followed by its data.
 */
typedef struct _DynoImportBuilder DynoImportBuilder;

/* Returns a builder without cases. @method: how the tool measures, a translated sentence. @file_stem: the
 * name of a case if the file does not name its model. */
DynoImportBuilder *dyno_import_builder_new (const char *method, const char *file_stem);
void dyno_import_builder_free (DynoImportBuilder *self);

/* The whole file. */

/* Ends a case. If one file has measurements of several versions, the values of each case have its version,
 * and the run has none. @version may be NULL. */
void dyno_import_builder_set_tool (DynoImportBuilder *self, const char *tool, const char *version);
/* For a file with results of several tools: applies to the cases after dyno_import_builder_set_tool().
 * @method: how the tool measures, a translated sentence. */
void dyno_import_builder_set_method (DynoImportBuilder *self, const char *method);
/* @title: the title of the run, for files that often have the same name. */
void dyno_import_builder_set_title (DynoImportBuilder *self, const char *title);
/* Keeps the first known time. @time: the time of the measurement, in µs since 1970 UTC; 0 if the file does
 * not have it. */
void dyno_import_builder_set_time (DynoImportBuilder *self, gint64 time);
/* Applies to the cases after dyno_import_builder_set_tool(). If the cases of a file were measured on
 * several machines, the run has no machine, and each case names its own. @object: a part of the machine, as
 * dyno_machine_to_json() calls it, such as `cpu`. @member: a property of that part, such as `name`. @text
 * may be NULL. */
void dyno_import_builder_set_machine (DynoImportBuilder *self,
                                      const char *object,
                                      const char *member,
                                      const char *text);
/* @name: the place for @rest; NULL to merge it into the rest itself. @rest: the data about all cases for
 * which Dyno has no place. Takes @rest. */
void dyno_import_builder_take_run_rest (DynoImportBuilder *self, const char *name, JsonObject *rest);

/* A case. */

/* Ends the case before it. Returns FALSE if the file has too many of them. */
gboolean dyno_import_builder_begin_case (DynoImportBuilder *self, const DynoImportCase *kase, GError **error);
/* @value: its setting; NULL for none. */
void dyno_import_builder_add_option (DynoImportBuilder *self, const char *name, const char *value);
/* For files without all the settings that tell cases apart: a case that equals earlier ones in everything
 * that the file has gets this dimension, with its number among them. So equal cases are not compared with
 * each other, and those of two files are aligned by their numbers. @name: the name of a dimension, such as
 * `run`. */
void dyno_import_builder_set_numbering (DynoImportBuilder *self, const char *name);
/* @device may be NULL. @kind (nullable): the word of its DynoDeviceKind, if known. */
void dyno_import_builder_set_device (DynoImportBuilder *self, const char *device, const char *kind);
/* @architecture may be NULL. @parameter_count: the number of parameters; NaN if unknown. */
void
dyno_import_builder_set_model (DynoImportBuilder *self, const char *architecture, double parameter_count);
/* @unit (nullable): the file's name of the unit, which Dyno does not know. */
void dyno_import_builder_add_foreign (
    DynoImportBuilder *self, const char *name, double number, const char *unit, const char *how);
/* Of two values with the same name the first counts, and one from samples takes precedence. @name: the
 * value’s stable name, one of Dyno’s for the same quantity, else one of its own: words, with the unit last.
 * @unit: the unit in the file, as dyno_import_unit_convert() knows it. @how: its field, and how the value
 * was computed; no need to name the tool. */
void dyno_import_builder_add_value (
    DynoImportBuilder *self, const char *name, double number, const char *unit, const char *how);
/* Adds the median of numbers; no value if there are none. @numbers: of double, which become sorted. */
void dyno_import_builder_add_median (
    DynoImportBuilder *self, const char *name, GArray *numbers, const char *unit, const char *how);
/* Adds a value for each field that the record has. */
void dyno_import_builder_add_fields (DynoImportBuilder *self,
                                     DynoRecord *record,
                                     const DynoImportField *fields,
                                     gsize n);
/* Does the same for fields that are never below zero (dyno_record_get_amount()). */
void dyno_import_builder_add_amounts (DynoImportBuilder *self,
                                      DynoRecord *record,
                                      const DynoImportField *fields,
                                      gsize n);
/* Adds a value that is kept as reported, although its method is known to be faulty. The case becomes
 * doubtful. */
void dyno_import_builder_add_faulty (DynoImportBuilder *self,
                                     const char *name,
                                     double number,
                                     const char *unit,
                                     const char *how,
                                     const char *fault);
/* Latency statistics are computed from the samples. Each call is a separate process: call it several times
 * only if the tool starts several, because a process is an independent draw and samples within it are not.
 * @samples: the times of the steps, in the order in which they ran, in one process. */
void dyno_import_builder_add_process (
    DynoImportBuilder *self, const double *samples, gsize n, const char *unit, const char *how);
/* Takes @op. */
void dyno_import_builder_take_operator (DynoImportBuilder *self, DynoOperator *op);
void dyno_import_builder_add_diagnostic (DynoImportBuilder *self,
                                         DynoSeverity severity,
                                         const char *code,
                                         const char *message);
/* If no request was answered, the case failed. */
void dyno_import_builder_add_failed_requests (DynoImportBuilder *self, guint n_completed, guint n_failed);
void dyno_import_builder_fail_case (DynoImportBuilder *self, const char *reason);
/* @name: the place for @rest; NULL to merge it into the rest itself. @rest: the data about the case for
 * which Dyno has no place. Takes @rest. */
void dyno_import_builder_take_rest (DynoImportBuilder *self, const char *name, JsonObject *rest);

/* Returns the number of cases, including the current one. */
guint dyno_import_builder_get_n_cases (DynoImportBuilder *self);
/* Ends a case. Returns whether no case has a measurement, or a reason for its absence. */
gboolean dyno_import_builder_is_empty (DynoImportBuilder *self);
/* Returns whether all values are possible: a time, an energy or a rate is never negative. Fails with
 * DYNO_ERROR_INVALID_DATA. */
gboolean dyno_import_builder_check (DynoImportBuilder *self, GError **error);
/* Returns the run. @origin: the file; gets the tool, its version and the rest. */
DynoRun *dyno_import_builder_finish (DynoImportBuilder *self, const char *id, DynoOrigin *origin);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoImportBuilder, dyno_import_builder_free)

G_END_DECLS
