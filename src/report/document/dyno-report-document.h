/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/**
 * DynoReportBlockKind:
 * @DYNO_REPORT_HEADING: a heading, of a level from 1
 * @DYNO_REPORT_PARAGRAPH: a sentence or some
 * @DYNO_REPORT_LIST: items
 * @DYNO_REPORT_TABLE: rows of cells below titles
 * @DYNO_REPORT_CHART: a picture
 *
 * What a block of a document is.
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
 * @lead: (nullable): a few words in front that stand out
 * @text: what there is to say
 * @aside: (nullable): what it is about, such as names of cases
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
 * @title: above the column
 * @is_number: whether numbers stand in it, which are aligned at their end
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
 * @text: what stands there
 * @number: by what it is sorted; NaN for its text
 * @link: (nullable): the file that it leads to, from where the document lies
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
 * @kind: what it is
 * @level: of a heading, from 1
 * @text: (nullable): of a heading or a paragraph
 * @items: (nullable) (element-type DynoReportItem): of a list
 * @columns: (nullable) (element-type DynoReportColumn): of a table
 * @rows: (nullable) (element-type GArray): of a table: arrays of DynoReportCell, one for each column
 * @is_of_pairs: of a table: whether its first two columns name a pair, and the third what is said of it: where a form can,
 *   it lets people choose the two
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
 * @title: what it is about
 * @subject: (nullable): what it comes to, in a sentence
 * @blocks: (element-type DynoReportBlock): its parts, in their order
 *
 * A report without a form: what is said and in which order, but not how it looks. Templates build one, the writers of the
 * formats render it. Texts are plain: nothing in them is markup.
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

/* @subject: what it comes to, for its metadata; the first that is set stays. */
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
/* As dyno_report_document_begin_table(), where the first two columns name a pair, in either order, and the
 * third says something of it. */
void dyno_report_document_begin_pairs (DynoReportDocument *self);
void dyno_report_document_add_column (DynoReportDocument *self, const char *title, gboolean is_number);
void dyno_report_document_begin_row (DynoReportDocument *self);
void dyno_report_document_add_cell (DynoReportDocument *self, const char *text);
/* @self: a document whose last block is a table, of which a row was begun. @text may be NULL. @number: by
 * what it is sorted; NaN for its text. */
void dyno_report_document_add_number (DynoReportDocument *self, const char *text, double number);
/* @self: a document whose last block is a table, of which a row was begun. @link: the file that it leads
 * to, from where the document lies, with “/” between folders. */
void dyno_report_document_add_link (DynoReportDocument *self, const char *text, const char *link);
/* @chart: a picture; one without anything to see is left out. Takes @chart. */
void dyno_report_document_take_chart (DynoReportDocument *self, DynoChart *chart);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportDocument, dyno_report_document_free)

G_END_DECLS
