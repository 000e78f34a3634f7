/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/**
 * DynoReportBlockKind:
 * @DYNO_REPORT_HEADING: a heading, of a level from 1
 * @DYNO_REPORT_PARAGRAPH: one or several sentences
 * @DYNO_REPORT_LIST: items
 * @DYNO_REPORT_TABLE: rows of cells below titles
 * @DYNO_REPORT_CHART: a picture
 *
 * The kinds of blocks of a document.
 */
typedef enum
{
  DYNO_REPORT_HEADING,
  DYNO_REPORT_PARAGRAPH,
  DYNO_REPORT_LIST,
  DYNO_REPORT_TABLE,
  DYNO_REPORT_CHART,
} DynoReportBlockKind;

/**
 * DynoReportItem:
 * @lead: (nullable): a few words in front, emphasised
 * @text: its text
 * @aside: (nullable): its subject, such as names of cases
 *
 * An item of a list.
 */
typedef struct
{
  char *lead;
  char *text;
  char *aside;
} DynoReportItem;

/**
 * DynoReportColumn:
 * @title: the heading
 * @is_number: whether it holds numbers, which are aligned at their end
 *
 * A column of a table.
 */
typedef struct
{
  char *title;
  gboolean is_number;
} DynoReportColumn;

/**
 * DynoReportCell:
 * @text: its text
 * @number: its sort key; NaN to sort by its text
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
 * DynoReportBlock:
 * @kind: its kind
 * @level: of a heading, from 1
 * @text: (nullable): of a heading or a paragraph
 * @items: (nullable) (element-type DynoReportItem): of a list
 * @columns: (nullable) (element-type DynoReportColumn): of a table
 * @rows: (nullable) (element-type GArray): of a table: arrays of DynoReportCell, one for each column
 * @is_of_pairs: of a table: whether its first two columns name a pair, and the third describes it: formats
 *   that can do so let people choose the two
 * @chart: (nullable): the picture
 *
 * A part of a document.
 */
typedef struct
{
  DynoReportBlockKind kind;
  guint level;
  char *text;
  GPtrArray *items;
  GArray *columns;
  GPtrArray *rows;
  gboolean is_of_pairs;
  DynoChart *chart;
} DynoReportBlock;

/**
 * DynoReportDocument:
 * @title: its title
 * @subject: (nullable): its conclusion, in a sentence
 * @blocks: (element-type DynoReportBlock): its parts, in their order
 *
 * A report without a format: its content in order, but not its looks. Templates build a document, the writers
 * of the formats render it. Texts are plain: nothing in them is markup.
 */
typedef struct
{
  char *title;
  char *subject;
  GPtrArray *blocks;
} DynoReportDocument;

/* Returns an empty document. */
DynoReportDocument *dyno_report_document_new (const char *title);
void dyno_report_document_free (DynoReportDocument *self);

/* @subject: its conclusion, for its metadata; the first one that is set is kept. */
void dyno_report_document_set_subject (DynoReportDocument *self, const char *subject);
void dyno_report_document_add_heading (DynoReportDocument *self, guint level, const char *text);
void dyno_report_document_add_paragraph (DynoReportDocument *self, const char *text);
void dyno_report_document_begin_list (DynoReportDocument *self);
/* @lead may be NULL. @aside may be NULL. */
void dyno_report_document_add_item (DynoReportDocument *self,
                                    const char *lead,
                                    const char *text,
                                    const char *aside);
void dyno_report_document_begin_table (DynoReportDocument *self);
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportDocument, dyno_report_document_free)

G_END_DECLS
