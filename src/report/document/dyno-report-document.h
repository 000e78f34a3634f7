/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-chart.h"

G_BEGIN_DECLS

/**
 * DynoReportBlockKind:
 * @DYNO_REPORT_HEADING: a heading, of a level from 1
 * @DYNO_REPORT_PARAGRAPH: one or several sentences
 * @DYNO_REPORT_LIST: items
 * @DYNO_REPORT_TABLE: rows of cells below titles
 * @DYNO_REPORT_CODE: lines to be copied, kept as they are
 * @DYNO_REPORT_CHART: a picture
 * @DYNO_REPORT_DETAILS: no content: the blocks up to the next heading of level 1 are details, which a terminal
 *   shows only if asked to
 *
 * The kinds of blocks of a document.
 */
typedef enum
{
  DYNO_REPORT_HEADING,
  DYNO_REPORT_PARAGRAPH,
  DYNO_REPORT_LIST,
  DYNO_REPORT_TABLE,
  DYNO_REPORT_CODE,
  DYNO_REPORT_CHART,
  DYNO_REPORT_DETAILS,
} DynoReportBlockKind;

/**
 * DynoReportItem:
 * @name: (nullable): the name of a fact, without punctuation
 * @lead: (nullable): a few words in front, emphasised
 * @text: its text
 * @aside: (nullable): its subject, such as names of cases
 *
 * An item of a list.
 */
typedef struct
{
  char *name;
  char *lead;
  char *text;
  char *aside;
} DynoReportItem;

/**
 * DynoReportColumn:
 * @title: the heading
 * @exact_title: (nullable): the heading above the exact numbers of the cells, such as “Median (ms)”, where it
 *   differs from that above their texts
 * @is_number: whether it holds numbers, which are aligned at their end
 * @is_wrapped: whether it holds sentences, which may be wrapped
 * @is_parts: whether it holds names of cases, whose common parts may be written once
 * @is_setting: whether a value that all rows share may be written once, above the table
 * @rank: the order in which columns are dropped where there is no room, 9 first; 0 for never
 * @words: (nullable): its text above the table if all rows share its value; none if empty
 * @note: (nullable): an explanation, written below the table
 *
 * A column of a table.
 */
typedef struct
{
  char *title;
  char *exact_title;
  gboolean is_number;
  gboolean is_wrapped;
  gboolean is_parts;
  gboolean is_setting;
  guint rank;
  char *words;
  char *note;
} DynoReportColumn;

/**
 * DynoReportCell:
 * @text: its text
 * @number: its exact value, by which rows are sorted; NaN to sort by its text
 * @link: (nullable): the file that it links to, relative to the document
 *
 * A cell of a table.
 */
typedef struct
{
  char *text;
  double number;
  char *link;
} DynoReportCell;

/**
 * DynoReportTable:
 * @columns: (element-type DynoReportColumn): its columns
 * @rows: (element-type GArray): arrays of DynoReportCell, one for each column
 * @is_of_pairs: whether its first two columns name a pair, and the third describes it: formats that can do so
 *   let people choose the two
 *
 * Rows of cells below headings.
 */
typedef struct
{
  GArray *columns;
  GPtrArray *rows;
  gboolean is_of_pairs;
} DynoReportTable;

/* Returns a table without rows. @columns: a letter for each column, `l` for text, `r` for numbers, `w` for
 * sentences that may be wrapped, `p` for parts of a case; a capital marks a setting; a following digit is its
 * rank. @...: the headings, NULL-terminated. */
DynoReportTable *dyno_report_table_new (const char *columns, ...) G_GNUC_NULL_TERMINATED;
void dyno_report_table_free (DynoReportTable *self);
/* @...: a text for each column, NULL-terminated; an empty text leaves the cell blank. Takes @.... */
void dyno_report_table_take_row (DynoReportTable *self, ...) G_GNUC_NULL_TERMINATED;
/* Sets the exact value of a cell of the last row. */
void dyno_report_table_set_number (DynoReportTable *self, guint column, double number);
/* Appends a column; a table without columns gets as many rows. Takes @cells. */
void
dyno_report_table_take_column (DynoReportTable *self, const char *column, const char *title, GStrv cells);
/* Fills cells of every row with numbers, all in one unit that suits them; a unit that suits them all goes to the
 * titles. @column: the first column to fill. @numbers: (element-type double): row by row; NaN for unknown.
 * @unit: their unit. */
void dyno_report_table_set_quantities (DynoReportTable *self,
                                       guint column,
                                       const GArray *numbers,
                                       const char *unit);
/* Sets the unit of the exact values of a column, whose texts have units of their own. */
void dyno_report_table_set_unit (DynoReportTable *self, guint column, const char *unit);
/* Sets the exact values of the last column. @numbers: one for each row; NaN for unknown. */
void dyno_report_table_set_numbers (DynoReportTable *self, const double *numbers);
/* @words: those of the last column. Takes @words. */
void dyno_report_table_take_words (DynoReportTable *self, char *words);
/* @note: that of the last column. Takes @note. */
void dyno_report_table_take_note (DynoReportTable *self, char *note);
/* Returns the notes of all columns as one paragraph; NULL if there are none. The caller owns it. */
char *dyno_report_table_dup_notes (const DynoReportTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportTable, dyno_report_table_free)

/**
 * DynoReportBlock:
 * @kind: its kind
 * @level: of a heading, from 1
 * @text: (nullable): of a heading, a paragraph or code; of details, a sentence in their place
 * @command: (nullable): of code that is a command, the whole in one line
 * @items: (nullable) (element-type DynoReportItem): of a list
 * @table: (nullable): the table
 * @chart: (nullable): the picture
 *
 * A part of a document.
 */
typedef struct
{
  DynoReportBlockKind kind;
  guint level;
  char *text;
  char *command;
  GPtrArray *items;
  DynoReportTable *table;
  DynoChart *chart;
} DynoReportBlock;

/**
 * DynoReportDocument:
 * @title: its title
 * @subject: (nullable): its conclusion, in a sentence
 * @blocks: (element-type DynoReportBlock): its parts, in their order
 * @data: (nullable): the same answer for programs
 *
 * An answer without a format: its content in order, but not its looks. Templates build a document, the writers
 * of the formats render it. Texts are plain: nothing in them is markup.
 */
typedef struct
{
  char *title;
  char *subject;
  GPtrArray *blocks;
  JsonNode *data;
} DynoReportDocument;

/* Returns whether the block has nothing for people: a list or a table that is empty, or a mark. */
gboolean dyno_report_block_is_empty (const DynoReportBlock *self);

/* Returns an empty document. */
DynoReportDocument *dyno_report_document_new (const char *title);
void dyno_report_document_free (DynoReportDocument *self);

/* @subject: its conclusion, for its metadata; the first one that is set is kept. */
void dyno_report_document_set_subject (DynoReportDocument *self, const char *subject);
void dyno_report_document_add_heading (DynoReportDocument *self, guint level, const char *text);
void dyno_report_document_add_paragraph (DynoReportDocument *self, const char *text);
/* @text: lines, each ending in a newline. */
void dyno_report_document_add_code (DynoReportDocument *self, const char *text);
/* Adds a command line with a sentence above, in lines that fit; nothing if there is none. @command may be NULL. */
void dyno_report_document_add_command (DynoReportDocument *self, const char *sentence, const char *command);
void dyno_report_document_begin_list (DynoReportDocument *self);
/* @lead may be NULL. @aside may be NULL. */
void dyno_report_document_add_item (DynoReportDocument *self,
                                    const char *lead,
                                    const char *text,
                                    const char *aside);
/* Adds a fact to the list that is being filled, unless it has no text. @text may be NULL. */
void dyno_report_document_add_fact (DynoReportDocument *self, const char *name, const char *text);
void dyno_report_document_begin_table (DynoReportDocument *self);
/* @table: a table; only formats for data show one without rows, and none shows a blank column. Takes @table. */
void dyno_report_document_take_table (DynoReportDocument *self, DynoReportTable *table);
/* Like dyno_report_document_begin_table() for a table whose first two columns name a pair, in either order,
 * and whose third describes it. */
void dyno_report_document_begin_pairs (DynoReportDocument *self);
void dyno_report_document_add_column (DynoReportDocument *self, const char *title, gboolean is_number);
void dyno_report_document_begin_row (DynoReportDocument *self);
void dyno_report_document_add_cell (DynoReportDocument *self, const char *text);
/* @self: a document whose last block is a table with a begun row. @text may be NULL. @number: its sort key;
 * NaN to sort by its text. */
void dyno_report_document_add_number (DynoReportDocument *self, const char *text, double number);
/* @self: a document whose last block is a table with a begun row. @link: the file that it links to, relative
 * to the document, with “/” between folders. */
void dyno_report_document_add_link (DynoReportDocument *self, const char *text, const char *link);
/* @chart: a picture; left out if it shows nothing. Takes @chart. */
void dyno_report_document_take_chart (DynoReportDocument *self, DynoChart *chart);
/* Marks the blocks up to the next heading of level 1 as details. @summary (nullable): a sentence in place of
 * details that are not shown. */
void dyno_report_document_begin_details (DynoReportDocument *self, const char *summary);
/* Takes @data. */
void dyno_report_document_take_data (DynoReportDocument *self, JsonNode *data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportDocument, dyno_report_document_free)

G_END_DECLS
