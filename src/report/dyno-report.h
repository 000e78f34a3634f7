/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-comparison.h"
#include "dyno-history.h"
#include "dyno-recommendation.h"
#include "dyno-repetition.h"
#include "dyno-report-source.h"
#include "dyno-self-test.h"
#include "dyno-verification.h"

G_BEGIN_DECLS

/* dyno-report-cases */

/* Adds a table with a row for each case of the run, in the order of their numbers. Leaves out columns that no case
 * has a value for, with or without a number. “~” is before a number that is not steady, “←” before an imported one,
 * “≈” before an estimate; a percentile without enough samples shows how many it needs. Values from other tools get
 * additional columns; any that do not fit are listed below. @has_settings: whether a case is told by its number and
 * a column for each setting, which suits a terminal, in place of its name. */
void dyno_report_cases_add (DynoReportDocument *document, DynoRun *run, gboolean has_settings);

/* dyno-report-comparison */

/* Returns the whole comparison. Sides are numbered from 0, in the order of `sides`; unknown values are null.
 * The caller owns it. */
JsonNode *dyno_report_comparison_to_json (const DynoComparison *comparison);

/* dyno-report-comparison-document */

/* Returns the document of the comparison. The caller owns it. */
DynoReportDocument *dyno_report_comparison_document_new (DynoComparison *comparison);

/* dyno-report-hardware */

/* Returns the document of one recommendation. The caller owns it. */
DynoReportDocument *dyno_report_hardware_document_new (DynoRecommendation *recommendation);

/* dyno-report-history */

/* Returns the whole history; unknown values are null. The caller owns it. */
JsonNode *dyno_report_history_to_json (const DynoHistory *history);

/* dyno-report-history-document */

/* Returns the document of the history. The caller owns it. */
DynoReportDocument *dyno_report_history_document_new (DynoHistory *history);

/* dyno-report-race */

/* Returns the document of a race that has ended or was stopped. The caller owns it. @entries:
 * (element-type DynoRaceEntry): its settings, the best first. @stored (element-type DynoStoredSetting): the earlier results
 * that its plan rested on. */
DynoReportDocument *
dyno_report_race_new (DynoRun *run, const DynoGoal *goal, GPtrArray *entries, GPtrArray *stored);

/* dyno-report-repetition */

/* Returns the document of what differs before a run is repeated, and which cases cannot run here. */
DynoReportDocument *dyno_report_repetition_plan_new (const DynoRepetition *repetition);
/* Returns the document of a run that was repeated. @comparison: the repetition, compared with that run. */
DynoReportDocument *dyno_report_repetition_new (const DynoRepetition *repetition, DynoComparison *comparison);

/* dyno-report-run */

/* Adds a list of the conclusions of the run; the first becomes the subject of the document. */
void dyno_report_run_add_answer (DynoReportDocument *document, DynoRun *run);
/* Adds how far its numbers are to be trusted to the list that is being filled. */
void dyno_report_run_add_doubts (DynoReportDocument *document, DynoRun *run);

/* dyno-report-self-test */

/* Returns the document of a self-test. The caller owns it. @result: its case. @in_turns (nullable): the case compared with
 * itself in turns. */
DynoReportDocument *dyno_report_self_test_new (DynoRun *run,
                                               DynoResult *result,
                                               const DynoSelfTest *self_test,
                                               const DynoComparison *in_turns);

/* dyno-report-verification */

/* Returns the document of the checks. @checks holds DynoCheck. */
DynoReportDocument *dyno_report_verification_new (GPtrArray *checks);

/* dyno-report-text */

/* Returns the local date and time in a format that sorts as text. The caller owns it. @microseconds: µs since
 * 1970 UTC, 0 for never. */
char *dyno_report_text_format_date (gint64 microseconds);
/* Returns the time in UTC, as ISO 8601; NULL for never. The caller owns it. @microseconds: µs since 1970 UTC, 0 for
 * never. */
char *dyno_report_text_format_time (gint64 microseconds);

/* dyno-report-junit */

/* Writes the comparison as test results for build services: a case is a test, which fails if it is shown to
 * be worse, and is skipped, with the reason, if there is no verdict. Returns JUnit XML. The caller owns it. */
char *dyno_report_junit_write (const DynoComparison *comparison);

/* dyno-report-recommendation */

/* Returns the whole recommendation; unknown values are null. The caller owns it. */
JsonNode *dyno_report_recommendation_to_json (const DynoRecommendation *recommendation);

/* dyno-report-member */

/* Members of the object that is being built; unknown values are null. */

void dyno_report_member_add_text (JsonBuilder *builder, const char *name, const char *text);
/* Adds an empty string for NULL. */
void dyno_report_member_add_string (JsonBuilder *builder, const char *name, const char *text);
void dyno_report_member_add_number (JsonBuilder *builder, const char *name, double number);
void dyno_report_member_add_count (JsonBuilder *builder, const char *name, gint64 count);
void dyno_report_member_add_flag (JsonBuilder *builder, const char *name, gboolean flag);

/**
 * DynoReportFormat:
 * @name: a stable name, for command lines
 * @suffix: the suffix of its file names, without the dot; it selects the first format in the list that has it
 * @label: its name for people, to be translated
 * @write_document: (nullable): writes a document; NULL for a format that holds nothing but runs
 * @write_runs: (nullable): writes the content of runs, for machines
 * @holds_originals: whether that includes the original files of imported runs, see
 *   dyno_store_add_original()
 *
 * A format of reports; a format that writes both prefers runs.
 */
typedef struct
{
  const char *name;
  const char *suffix;
  const char *label;
  GBytes *(*write_document) (const DynoReportDocument *document, GError **error);
  GBytes *(*write_runs) (const DynoReportSource *source, GError **error);
  gboolean holds_originals;
} DynoReportFormat;

/* Returns the formats, in display order. */
const DynoReportFormat *const *dyno_report_format_list (void);
/* Returns the format of that name; NULL if there is none. @name (nullable): a stable name, such as
 * `markdown`. */
const DynoReportFormat *dyno_report_format_find (const char *name);
/* Returns the format with the suffix of the file name; NULL if there is none. */
const DynoReportFormat *dyno_report_format_find_for_file (const char *file_name);
/* Returns the names of all formats, separated by “|” for help texts. */
const char *dyno_report_format_get_names (void);

/* Returns the names of the formats that can hold a document, or the endings of their files, for messages. The caller
 * owns it. */
char *dyno_report_format_dup_document_names (gboolean as_endings);

/* Returns the templates, in display order. */
const DynoReportTemplate *const *dyno_report_template_list (void);
/* Returns the template of that name; NULL if there is none. @name (nullable): a stable name, such as
 * `run`. */
const DynoReportTemplate *dyno_report_template_find (const char *name);
/* Returns the names of all templates and that of the gallery, separated by “|” for help texts. */
const char *dyno_report_template_get_names (void);

/* Returns the bytes of the file. The caller owns it. @of: the template, for formats that are written for
 * people; NULL for the runs, one by one. @source: the content, which may be no run at all. */
GBytes *dyno_report_write (const DynoReportFormat *format,
                           const DynoReportTemplate *of,
                           const DynoReportSource *source,
                           GError **error);

G_END_DECLS
