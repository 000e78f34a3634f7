/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "dyno-ink.h"
#include "dyno-report-document-private.h"
#include "dyno-report-pages.h"
#include "dyno-text.h"

/* Sizes in points. */
#define MARGIN         48.0
#define FOOTER         22.0
#define LIST_INDENT    12.0
#define SPACING        6.0
#define ITEM_SPACING   2.5
#define HEADING_BEFORE 14.0
#define HEADING_AFTER  5.0
/* The minimum room below a heading, so that it is not alone at the end of a page. */
#define HEADING_KEEPS 64.0
/* The minimum room on its first page for a part of the first level. */
#define PART_KEEPS 250.0
/* A picture that needs a larger share of a page is not kept below its heading. */
#define MOST_KEPT    0.9
#define CELL_PADDING 3.5
#define CHART_WIDTH  760.0

#define BODY_SIZE  9.5
#define TABLE_SIZE 7.5
/* The minimum font size of a table; a table that is still too wide has narrower columns, in which words
 * break. */
#define MIN_TABLE_SIZE 5.5
/* The minimum width of a column, in letters: Chinese may break behind each of them. */
#define LEAST_LETTERS 3.2
/* The share of the page width for the first column of a table. */
#define FIRST_SHARE 0.2
#define FOOTER_SIZE 8.0

/* The maximum lengths of headings and cells and of other texts, in characters: a stranger's names may be very
 * long; data formats have them in full. */
#define MAX_LABEL 300
#define MAX_TEXT  12000

static const double heading_sizes[] = { 18, 13, 10.5 };

/* The tags of PDF for a block with several parts, and for each part. */
typedef struct
{
  const char *block;
  const char *part;
} Nesting;

static const Nesting list_nesting = { "L", "LI" };
static const Nesting table_nesting = { "Table", "TR" };

/**
 * Piece:
 * @page: its page
 * @x: its left edge
 * @y: its top
 * @width: its width
 * @height: its height
 * @layout: (nullable): a text
 * @first: the first of its lines in this piece
 * @end: the line after the last
 * @chart: (nullable): a picture
 * @tag: its PDF tag
 * @nesting: (nullable): the enclosing list or table
 * @block: the index of that list or table
 * @part: the index of the item or row
 * @is_row_end: whether a line is drawn below it, from margin to margin
 *
 * Something on a page.
 */
typedef struct
{
  guint page;
  double x;
  double y;
  double width;
  double height;
  PangoLayout *layout;
  int first;
  int end;
  DynoChart *chart;
  const char *tag;
  const Nesting *nesting;
  guint block;
  guint part;
  gboolean is_row_end;
} Piece;

struct _DynoReportPages
{
  char *title;
  double width;
  double height;
  PangoContext *context;
  GArray *pieces;
  GArray *headings;

  /* Only during the layout. */
  guint page;
  double y;
  const Nesting *nesting;
  guint block;
  guint part;
};

static void
piece_clear (gpointer data)
{
  Piece *piece = data;

  g_clear_object (&piece->layout);
  g_clear_object (&piece->chart);
}

static double
get_content_width (const DynoReportPages *self)
{
  return self->width - 2 * MARGIN;
}

static double
get_bottom (const DynoReportPages *self)
{
  return self->height - MARGIN - FOOTER;
}

static void
begin_page (DynoReportPages *self)
{
  self->page++;
  self->y = MARGIN;
}

/* Goes to the next page if this one lacks the height. */
static void
need (DynoReportPages *self, double height)
{
  if (self->y + height > get_bottom (self) && self->y > MARGIN)
    begin_page (self);
}

/* Adds space, except at the top of a page. */
static void
skip (DynoReportPages *self, double height)
{
  if (self->y > MARGIN)
    self->y += height;
}

/* Everything up to end_nesting() belongs to one list or table. */
static void
begin_nesting (DynoReportPages *self, const Nesting *nesting)
{
  self->nesting = nesting;
  self->block++;
}

static void
end_nesting (DynoReportPages *self)
{
  self->nesting = NULL;
}

static void
take_piece (DynoReportPages *self, Piece *piece)
{
  piece->page = self->page;
  piece->nesting = self->nesting;
  piece->block = self->block;
  piece->part = self->part;
  g_array_append_val (self->pieces, *piece);
}

/* Text */

static PangoLayout *
create_layout (DynoReportPages *self, const char *text, double size, double width, gboolean is_bold)
{
  PangoLayout *layout = pango_layout_new (self->context);
  PangoFontDescription *font = pango_font_description_from_string (dyno_chart_style_get_light ()->font);

  pango_font_description_set_size (font, (int)(size * PANGO_SCALE));
  pango_font_description_set_weight (font, is_bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  if (width > 0)
    pango_layout_set_width (layout, (int)(width * PANGO_SCALE));
  pango_layout_set_text (layout, text, -1);
  return layout;
}

static void
get_size (PangoLayout *layout, double *width, double *height)
{
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);
  *width = (double)logical.width / PANGO_SCALE;
  *height = (double)logical.height / PANGO_SCALE;
}

/* Returns the end of the lines from @first on that fit into @room; @height gets their height. */
static int
find_end (PangoLayout *layout, int first, double room, double *height)
{
  int n_lines = pango_layout_get_line_count (layout);
  PangoLayoutIter *iter = pango_layout_get_iter (layout);
  double top = NAN;
  int line = 0;

  *height = 0;
  for (; line < n_lines; line++, pango_layout_iter_next_line (iter))
    {
      PangoRectangle logical;

      pango_layout_iter_get_line_extents (iter, NULL, &logical);
      if (line < first)
        continue;
      if (isnan (top))
        top = logical.y;
      if ((logical.y + logical.height - top) / PANGO_SCALE > room && line > first)
        break;
      *height = (logical.y + logical.height - top) / PANGO_SCALE;
    }
  pango_layout_iter_free (iter);
  return line;
}

/* A text that does not fit continues on the next page. */
static void
take_text (DynoReportPages *self, PangoLayout *layout, double x, const char *tag)
{
  int n_lines = pango_layout_get_line_count (layout);
  int first = 0;

  while (first < n_lines)
    {
      Piece piece = { .x = x, .first = first, .tag = tag };

      need (self, BODY_SIZE * 2);
      piece.end = find_end (layout, first, get_bottom (self) - self->y, &piece.height);
      piece.y = self->y;
      piece.layout = g_object_ref (layout);
      take_piece (self, &piece);
      self->y += piece.height;
      first = piece.end;
      if (first < n_lines)
        begin_page (self);
    }
  g_object_unref (layout);
}

static void
put_paragraph (DynoReportPages *self, const char *text)
{
  g_autofree char *shown = dyno_plain_text_shorten (text, MAX_TEXT);

  take_text (self, create_layout (self, shown, BODY_SIZE, get_content_width (self), FALSE), MARGIN, "P");
  self->y += SPACING;
}

static void
add_paragraph (DynoReportPages *self, const DynoReportBlock *block, const DynoReportBlock *next)
{
  put_paragraph (self, block->text);
}

static void
add_list (DynoReportPages *self, const DynoReportBlock *block, const DynoReportBlock *next)
{
  begin_nesting (self, &list_nesting);
  for (guint i = 0; i < block->items->len; i++)
    {
      const DynoReportItem *item = g_ptr_array_index (block->items, i);
      g_autofree char *lead = dyno_plain_text_shorten (item->lead != NULL ? item->lead : "", MAX_LABEL);
      g_autofree char *rest = dyno_plain_text_shorten (item->text, MAX_TEXT);
      g_autoptr (GString) text = g_string_new (lead);
      g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
      PangoLayout *layout;
      PangoLayout *bullet = create_layout (self, "•", BODY_SIZE, 0, FALSE);

      g_string_append_printf (text, "%s%s", *lead != '\0' ? " " : "", rest);
      if (item->aside != NULL)
        g_string_append_printf (text, " (%s)", item->aside);
      layout = create_layout (self, text->str, BODY_SIZE, get_content_width (self) - LIST_INDENT, FALSE);
      bold->start_index = 0;
      bold->end_index = (guint)strlen (lead);
      pango_attr_list_insert (attributes, bold);
      pango_layout_set_attributes (layout, attributes);
      need (self, BODY_SIZE * 2);
      self->part++;
      take_text (self, bullet, MARGIN, "Lbl");
      self->y -= g_array_index (self->pieces, Piece, self->pieces->len - 1).height;
      take_text (self, layout, MARGIN + LIST_INDENT, "LBody");
      self->y += ITEM_SPACING;
    }
  end_nesting (self);
  self->y += SPACING;
}

/* Tables */

typedef struct
{
  const DynoReportTable *table;
  double size;
  double *widths;
} Table;

/* Returns the text of a cell; a unit such as “GFLOP/s” in a title stays on one line. */
static PangoLayout *
create_cell_layout (DynoReportPages *self, const Table *table, int row, guint column, double width)
{
  const GArray *cells = row >= 0 ? g_ptr_array_index (table->table->rows, row) : NULL;
  const char *whole_text = cells == NULL
                               ? g_array_index (table->table->columns, DynoReportColumn, column).title
                           : column < cells->len ? g_array_index (cells, DynoReportCell, column).text
                                                 : "";
  g_autofree char *text = dyno_plain_text_shorten (whole_text, MAX_LABEL);
  PangoLayout *layout = create_layout (self, text, table->size, width, row < 0);
  g_autoptr (PangoAttrList) attributes = row < 0 ? pango_attr_list_new () : NULL;

  for (const char *slash = strchr (text, '/'); row < 0 && slash != NULL; slash = strchr (slash + 1, '/'))
    {
      PangoAttribute *whole = pango_attr_allow_breaks_new (FALSE);
      const char *end = slash[1] != '\0' ? g_utf8_next_char (slash + 1) : slash + 1;

      whole->start_index = (guint)(slash - text);
      whole->end_index = (guint)(end - text);
      pango_attr_list_insert (attributes, whole);
    }
  if (attributes != NULL)
    pango_layout_set_attributes (layout, attributes);
  return layout;
}

static double
get_text_width (DynoReportPages *self, const Table *table, int row, guint column, gboolean is_broken)
{
  g_autoptr (PangoLayout) layout = create_cell_layout (self, table, row, column, 0);
  double width, height;

  if (is_broken)
    {
      pango_layout_set_wrap (layout, PANGO_WRAP_WORD);
      pango_layout_set_width (layout, 0);
    }
  get_size (layout, &width, &height);
  return width;
}

/* Columns are as wide as their longest text on one line; if they do not fit, the excess width of all columns over that
 * of their longest word shrinks. Numbers stay on one line. The first column names the subject of a row, and must not be
 * too narrow. Returns whether they fit without breaking words. */
static gboolean
fit_columns (DynoReportPages *self, Table *table)
{
  guint n = table->table->columns->len;
  g_autofree double *least = g_new (double, n);
  double room = get_content_width (self), all = 0, all_least = 0;

  for (guint i = 0; i < n; i++)
    {
      gboolean is_number = g_array_index (table->table->columns, DynoReportColumn, i).is_number;
      double narrow = i == 0 ? room * FIRST_SHARE : table->size * LEAST_LETTERS;
      double natural = 0, least_natural = 0;

      for (int row = -1; row < (int)table->table->rows->len; row++)
        {
          natural = fmax (natural, get_text_width (self, table, row, i, FALSE));
          least_natural = fmax (least_natural, get_text_width (self, table, row, i, row < 0 || !is_number));
        }
      table->widths[i] = natural + (2 * CELL_PADDING + 1);
      least[i] = fmax (least_natural, fmin (natural, narrow)) + (2 * CELL_PADDING + 1);
      all += table->widths[i];
      all_least += least[i];
    }
  for (guint i = 0; all > room && i < n; i++)
    table->widths[i] =
        all_least >= room ? least[i] * room / all_least
                          : least[i] + (table->widths[i] - least[i]) * (room - all_least) / (all - all_least);
  return all_least <= room;
}

static PangoLayout *
create_cell (DynoReportPages *self, const Table *table, int row, guint column)
{
  PangoLayout *layout =
      create_cell_layout (self, table, row, column, table->widths[column] - 2 * CELL_PADDING);

  if (g_array_index (table->table->columns, DynoReportColumn, column).is_number)
    pango_layout_set_alignment (layout, PANGO_ALIGN_RIGHT);
  return layout;
}

static double
get_row_height (DynoReportPages *self, const Table *table, int row)
{
  double highest = 0;

  for (guint i = 0; i < table->table->columns->len; i++)
    {
      g_autoptr (PangoLayout) layout = create_cell (self, table, row, i);
      double width, height;

      get_size (layout, &width, &height);
      highest = fmax (highest, height);
    }
  return highest + 2 * CELL_PADDING;
}

/* A row of -1 is the header. */
static void
put_row (DynoReportPages *self, const Table *table, int row, double height)
{
  double x = MARGIN;

  self->part++;
  for (guint i = 0; i < table->table->columns->len; i++)
    {
      Piece piece = {
        .x = x + CELL_PADDING,
        .y = self->y + CELL_PADDING,
        .height = height - CELL_PADDING,
        .layout = create_cell (self, table, row, i),
        .end = G_MAXINT,
        .tag = row < 0 ? "TH" : "TD",
        .is_row_end = i + 1 == table->table->columns->len,
      };

      take_piece (self, &piece);
      x += table->widths[i];
    }
  self->y += height;
}

/* Repeats the header on each page of the table. */
static void
add_table (DynoReportPages *self, const DynoReportBlock *block, const DynoReportBlock *next)
{
  g_autofree double *widths = g_new0 (double, block->table->columns->len);
  g_autofree char *notes = dyno_report_table_dup_notes (block->table);
  Table table = { block->table, TABLE_SIZE, widths };
  double head;

  while (!fit_columns (self, &table) && table.size > MIN_TABLE_SIZE)
    table.size -= 0.5;
  head = get_row_height (self, &table, -1);
  need (self, head + HEADING_KEEPS / 2);
  begin_nesting (self, &table_nesting);
  put_row (self, &table, -1, head);
  for (guint i = 0; i < block->table->rows->len; i++)
    {
      double height = get_row_height (self, &table, (int)i);
      guint page = self->page;

      need (self, height);
      if (self->page != page)
        put_row (self, &table, -1, head);
      put_row (self, &table, (int)i, height);
    }
  end_nesting (self);
  self->y += SPACING;
  if (notes != NULL)
    put_paragraph (self, notes);
}

/* Charts */

static double
get_chart_height (const DynoReportPages *self, DynoChart *chart)
{
  double scale = get_content_width (self) / CHART_WIDTH;

  return fmin (dyno_report_charts_get_height (chart, CHART_WIDTH) * scale, get_bottom (self) - MARGIN);
}

static void
add_chart (DynoReportPages *self, const DynoReportBlock *block, const DynoReportBlock *next)
{
  Piece piece = {
    .x = MARGIN, .width = get_content_width (self), .chart = g_object_ref (block->chart), .tag = "Figure"
  };

  piece.height = get_chart_height (self, block->chart);
  skip (self, SPACING);
  need (self, piece.height);
  piece.y = self->y;
  take_piece (self, &piece);
  self->y += piece.height + SPACING;
}

/* Keeps a picture on the page of its heading, if both fit on one. */
static void
add_heading (DynoReportPages *self, const DynoReportBlock *block, const DynoReportBlock *next)
{
  static const char *const tags[] = { "H1", "H2", "H3" };
  guint level = CLAMP (block->level, 1, G_N_ELEMENTS (tags));
  g_autofree char *text = dyno_plain_text_shorten (block->text, MAX_LABEL);
  PangoLayout *layout = create_layout (self, text, heading_sizes[level - 1], get_content_width (self), TRUE);
  DynoReportPlace place = { block->text, level, 0, 0 };
  double least = block->level == 1 ? PART_KEEPS : HEADING_KEEPS;
  double whole = next != NULL && next->kind == DYNO_REPORT_CHART
                     ? HEADING_AFTER + SPACING + get_chart_height (self, next->chart)
                     : 0;
  double width, height;

  get_size (layout, &width, &height);
  skip (self, HEADING_BEFORE);
  need (self, height + (whole < (get_bottom (self) - MARGIN) * MOST_KEPT ? fmax (whole, least) : least));
  place.page = self->page;
  place.y = self->y;
  g_array_append_val (self->headings, place);
  take_text (self, layout, MARGIN, tags[level - 1]);
  self->y += HEADING_AFTER;
}

static void (*const adders[]) (DynoReportPages *self,
                               const DynoReportBlock *block,
                               const DynoReportBlock *next) = {
  [DYNO_REPORT_HEADING] = add_heading, [DYNO_REPORT_PARAGRAPH] = add_paragraph,
  [DYNO_REPORT_LIST] = add_list,       [DYNO_REPORT_TABLE] = add_table,
  [DYNO_REPORT_CODE] = add_paragraph,  [DYNO_REPORT_CHART] = add_chart,
};

DynoReportPages *
dyno_report_pages_new (const DynoReportDocument *document, double width, double height)
{
  DynoReportPages *self = g_new0 (DynoReportPages, 1);
  cairo_font_options_t *options = cairo_font_options_create ();

  self->title = dyno_plain_text_shorten (document->title, MAX_LABEL);
  self->width = width;
  self->height = height;

  /* Paper has no pixels to align letters to: turn hinting off. */
  self->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  pango_cairo_context_set_font_options (self->context, options);
  cairo_font_options_destroy (options);
  pango_context_set_round_glyph_positions (self->context, FALSE);
  pango_cairo_context_set_resolution (self->context, 72);

  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_array_set_clear_func (self->pieces, piece_clear);
  self->headings = g_array_new (FALSE, FALSE, sizeof (DynoReportPlace));
  self->y = MARGIN;
  for (guint i = 0; i < document->blocks->len; i++)
    {
      const DynoReportBlock *block = document->blocks->pdata[i];

      if (!dyno_report_block_is_empty (block))
        adders[block->kind](self, block,
                            i + 1 < document->blocks->len ? document->blocks->pdata[i + 1] : NULL);
    }
  return self;
}

void
dyno_report_pages_free (DynoReportPages *self)
{
  g_free (self->title);
  g_array_unref (self->pieces);
  g_array_unref (self->headings);
  g_object_unref (self->context);
  g_free (self);
}

guint
dyno_report_pages_get_n_pages (const DynoReportPages *self)
{
  return self->page + 1;
}

GArray *
dyno_report_pages_list_headings (const DynoReportPages *self)
{
  return self->headings;
}

/* Drawing */

/* Closes and opens the tags between two pieces, either of which may be NULL. */
static void
change_tags (const Piece *last, const Piece *next, cairo_t *cr)
{
  const Nesting *from = last != NULL ? last->nesting : NULL;
  const Nesting *to = next != NULL ? next->nesting : NULL;
  gboolean same_block = from != NULL && to != NULL && last->block == next->block;
  gboolean same_part = same_block && last->part == next->part;

  if (from != NULL && !same_part)
    cairo_tag_end (cr, from->part);
  if (from != NULL && !same_block)
    cairo_tag_end (cr, from->block);
  if (to != NULL && !same_block)
    cairo_tag_begin (cr, to->block, NULL);
  if (to != NULL && !same_part)
    cairo_tag_begin (cr, to->part, NULL);
}

static void
draw_piece (const Piece *piece, cairo_t *cr)
{
  const DynoChartStyle *style = dyno_chart_style_get_light ();
  double scale = piece->width / CHART_WIDTH;

  dyno_ink_set (cr, &style->foreground);
  cairo_tag_begin (cr, piece->tag, NULL);
  if (piece->layout != NULL)
    {
      PangoLayoutIter *iter = pango_layout_get_iter (piece->layout);
      double top = NAN;
      int line = 0;

      do
        {
          PangoRectangle logical;

          pango_layout_iter_get_line_extents (iter, NULL, &logical);
          if (line < piece->first || line >= piece->end)
            continue;
          if (isnan (top))
            top = logical.y;
          cairo_move_to (cr, piece->x + (double)logical.x / PANGO_SCALE,
                         piece->y + (pango_layout_iter_get_baseline (iter) - top) / PANGO_SCALE);
          pango_cairo_show_layout_line (cr, pango_layout_iter_get_line_readonly (iter));
        }
      while (line++, pango_layout_iter_next_line (iter));
      pango_layout_iter_free (iter);
    }
  else
    {
      cairo_save (cr);
      cairo_translate (cr, piece->x, piece->y);
      cairo_scale (cr, scale, scale);
      dyno_chart_render (piece->chart, cr, CHART_WIDTH, piece->height / scale, style);
      cairo_restore (cr);
    }
  cairo_tag_end (cr, piece->tag);
}

void
dyno_report_pages_draw (DynoReportPages *self, guint page, cairo_t *cr)
{
  const Piece *last = NULL;

  /* The lines of tables are outside all tags, because they have no meaning. */
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);

      if (piece->page != page || !piece->is_row_end)
        continue;
      dyno_ink_set (cr, &dyno_chart_style_get_light ()->grid);
      cairo_set_line_width (cr, 0.5);
      cairo_move_to (cr, MARGIN, piece->y + piece->height);
      cairo_line_to (cr, self->width - MARGIN, piece->y + piece->height);
      cairo_stroke (cr);
    }
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);

      if (piece->page != page)
        continue;
      change_tags (last, piece, cr);
      draw_piece (piece, cr);
      last = piece;
    }
  change_tags (last, NULL, cr);

  /* Translators: the number of a page, and how many there are */
  g_autofree char *number = g_strdup_printf (_ ("%u of %u"), page + 1, dyno_report_pages_get_n_pages (self));
  g_autoptr (PangoLayout) left =
      create_layout (self, self->title, FOOTER_SIZE, get_content_width (self) - 80, FALSE);
  g_autoptr (PangoLayout) right = create_layout (self, number, FOOTER_SIZE, get_content_width (self), FALSE);
  pango_layout_set_height (left, -1);
  pango_layout_set_ellipsize (left, PANGO_ELLIPSIZE_END);
  pango_layout_set_alignment (right, PANGO_ALIGN_RIGHT);
  dyno_ink_set (cr, &dyno_chart_style_get_light ()->dim);
  cairo_move_to (cr, MARGIN, self->height - MARGIN - FOOTER_SIZE);
  pango_cairo_show_layout (cr, left);
  cairo_move_to (cr, MARGIN, self->height - MARGIN - FOOTER_SIZE);
  pango_cairo_show_layout (cr, right);
}
