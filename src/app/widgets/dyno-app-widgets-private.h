/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <glib.h>
#include <gtk/gtk.h>

#include "dyno-backend.h"
#include "dyno-goal.h"
#include "dyno-progress.h"
#include "dyno-result.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* dyno-after-frame */

/**
 * DynoAfterFrame:
 * @widget: the widget that was drawn
 *
 * Called once a widget is on the screen.
 */
typedef void (*DynoAfterFrame) (GtkWidget *widget);

/* Keeps the first frame fast by deferring work that it does not show. @callback: called once, after the first
 * frame with @widget; never if @widget is not shown. */
void dyno_after_frame (GtkWidget *widget, DynoAfterFrame callback);

/* dyno-announce */

/* Announces a change away from the focus, such as the end of a case, to screen readers. If GTK cannot
 * announce, the text goes to an invisible label of the window with the role of a status. Widgets outside a
 * window announce nothing. */
void dyno_announce (GtkWidget *widget, const char *text);

/* dyno-case-grid */

#define DYNO_TYPE_CASE_GRID (dyno_case_grid_get_type ())

/**
 * DynoCaseGrid:
 *
 * All cases of a run at a glance: a small square per case shows its status by symbol and colour. Signal
 * `activated` (DynoResult): a square was clicked.
 */
G_DECLARE_FINAL_TYPE (DynoCaseGrid, dyno_case_grid, DYNO, CASE_GRID, AdwBin)

GListModel *dyno_case_grid_get_results (DynoCaseGrid *self);
/* @results: a list of DynoResult; NULL for none. */
void dyno_case_grid_set_results (DynoCaseGrid *self, GListModel *results);

/* Returns the case's label, its status, and its median latency or the reason of its failure. The caller owns
 * it. */
char *dyno_case_grid_describe (DynoResult *result);

/* dyno-chips-row */

#define DYNO_TYPE_CHIPS_ROW (dyno_chips_row_get_type ())

/**
 * DynoChipsRow:
 *
 * One value of an axis, or several to compare: a toggle button for each, and one that asks for another number.
 * Properties: `values` (string array, write-only): values to offer; construct-only: `usual` (nullable string):
 * the label of “0”, which is offered first; `minimum` and `maximum` (uint) of other numbers, which cannot be
 * added if `maximum` is 0; `optional` (boolean): whether no value may be chosen. At first the first value is
 * chosen, unless the row is optional. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoChipsRow, dyno_chips_row, DYNO, CHIPS_ROW, AdwPreferencesRow)

/* Returns the error in the choice, as a sentence; NULL if there is none. */
const char *dyno_chips_row_get_problem (DynoChipsRow *self);
/* Returns the chosen values. */
char **dyno_chips_row_dup_values (DynoChipsRow *self);
/* Chooses exactly these; those that are not offered are shown as well. */
void dyno_chips_row_set_values (DynoChipsRow *self, const char *const *values);
/* Offers only these and the usual one, which is chosen if no other is left; does not emit `changed`. */
void dyno_chips_row_offer (DynoChipsRow *self, const char *const *values);
/* Chooses another value. */
void dyno_chips_row_choose (DynoChipsRow *self, const char *value);

/* dyno-columns */

#define DYNO_TYPE_COLUMNS (dyno_columns_get_type ())

/**
 * DynoColumns:
 *
 * Lays out its children in equal columns if it is at least `threshold` px wide, or stacked if it is narrower
 * or they do not fit. Properties, read-write: `threshold` and `spacing` (int, px).
 */
G_DECLARE_FINAL_TYPE (DynoColumns, dyno_columns, DYNO, COLUMNS, GtkWidget)

/* dyno-compat-hidden */

/* Hides invisible pages from screen readers. */

/* From now on, pages of stacks leave the accessible tree while another page is shown. GTK 4.18 does so
 * itself; GTK 4.8 hides only widgets that are not visible, and the pages of a stack stay visible. */
void dyno_compat_hidden_mend (void);

/* dyno-compat-names */

/* Accessible names of widgets for GTK before 4.14, which leaves names out or repeats them. */

/* From now on, each widget that is shown gets the name that newer versions of GTK give it; with those
 * versions, only rows of lists get a name, from the texts in them. */
void dyno_compat_names_mend (void);

/* dyno-double-click */

/* Protects @button from a double click on the button that it replaces: it ignores the pointer for the time of
 * a double click after it has appeared. @button: a button that replaces another one, such as Stop that
 * replaces Run. */
void dyno_double_click_guard (GtkWidget *button);

/* dyno-download-status */

#define DYNO_TYPE_DOWNLOAD_STATUS (dyno_download_status_get_type ())

/**
 * DynoDownloadStatus:
 *
 * The progress of the window's download, and the error of the last one. Closing the window cancels the
 * download.
 */
G_DECLARE_FINAL_TYPE (DynoDownloadStatus, dyno_download_status, DYNO, DOWNLOAD_STATUS, AdwBin)

/* Returns the cancellable of the new download. */
GCancellable *dyno_download_status_begin (DynoDownloadStatus *self, const char *text);
/* Returns the cancellable of the download; NULL if there is none, or once its window is closed. */
GCancellable *dyno_download_status_get_cancellable (DynoDownloadStatus *self);
/* @fraction: the finished part, 0 to 1. */
void dyno_download_status_say (DynoDownloadStatus *self, const char *text, double fraction);
/* Shows the progress, as a [callback@Dyno.ProgressFunc]. Ignores reports of a cancelled download. */
void dyno_download_status_report (const DynoProgress *progress, gpointer self);
/* Hides the error. */
void dyno_download_status_clear_problem (DynoDownloadStatus *self);
/* @error: the error that ended the download, if any. */
void dyno_download_status_end (DynoDownloadStatus *self, const GError *error);

/* dyno-format */

/* Numbers, dates and names for people, in their locale. */

/* Returns @number with the significant digits of a measurement; a dash if it is not finite. The caller owns
 * it. */
char *dyno_format_number (double number);
/* Returns the number and its unit, scaled to read best; a dash if there is no number. The caller owns it.
 * @unit: the unit as values name it, empty for none. */
char *dyno_format_quantity (double number, const char *unit);
/* Returns @milliseconds in µs, ms or s, whichever reads best. The caller owns it. */
char *dyno_format_latency (double milliseconds);
/* Returns the number and unit of the value; a dash if there is no number. The caller owns it. @value may be
 * NULL. */
char *dyno_format_value (DynoResult *result, DynoValue *value);
/* Returns @count with the locale's separators. The caller owns it. */
char *dyno_format_count (gint64 count);
/* Returns @bytes in MB (10⁶ bytes) or a similar unit. The caller owns it. */
char *dyno_format_bytes (gint64 bytes);
/* Returns the date, relative to now. The caller owns it. @microseconds: µs since 1970 UTC, 0 for never. */
char *dyno_format_date (gint64 microseconds);
/* Returns the difference between two numbers of this ratio, in per cent; a dash if @ratio is not finite. The
 * caller owns it. */
char *dyno_format_difference (double ratio);
/* Returns a remark on the quality; NULL if the value is simply measured or missing. */
const char *dyno_format_quality (DynoQuality quality);
/* Returns an icon name for the state. */
const char *dyno_format_state_icon (DynoCaseState state);
/* Returns the style class that colours the icon. */
const char *dyno_format_state_css_class (DynoCaseState state);
/* Like dyno_format_state_icon(), but a case without doubts has the icon of its grade. */
const char *dyno_format_status_icon (DynoResult *result);
const char *dyno_format_status_css_class (DynoResult *result);

/* dyno-glyph */

/* @y: the middle of its height. */
void dyno_glyph_draw_bar (
    GtkSnapshot *snapshot, float left, float right, float y, float height, const GdkRGBA *color);
/* @ring: the width of its line; 0 for a filled dot. */
void dyno_glyph_draw_dot (
    GtkSnapshot *snapshot, float x, float y, float diameter, float ring, const GdkRGBA *color);

/* dyno-icon-button */

/* Returns a flat button for a row. @tooltip: also its name for screen readers. */
GtkWidget *dyno_icon_button_new (const char *icon_name, const char *tooltip);

/* dyno-limit-row */

#define DYNO_TYPE_LIMIT_ROW (dyno_limit_row_get_type ())

/**
 * DynoLimitRow:
 *
 * An upper limit on one need of a recommended case; 0 means no limit. Signal `changed`.
 */
G_DECLARE_FINAL_TYPE (DynoLimitRow, dyno_limit_row, DYNO, LIMIT_ROW, AdwActionRow)

/* Returns a row without a limit. */
DynoLimitRow *dyno_limit_row_new (DynoLimit limit);
/* Returns the limit, in the unit of the field; 0 for none. */
double dyno_limit_row_get_most (DynoLimitRow *self);
/* Removes the limit. */
void dyno_limit_row_reset (DynoLimitRow *self);
void dyno_limit_row_apply (DynoLimitRow *self, DynoGoal *goal);

/* dyno-list-box */

/* Removes all rows. */
void dyno_list_box_clear (GtkListBox *list);
/* Removes all children. */
void dyno_box_clear (GtkBox *box);
/* Fills the row at that place in @rows, or a new last one: a row that is filled again keeps the focus. Returns the label of
 * @text, at the end of the row. */
GtkLabel *dyno_expander_row_fill (AdwExpanderRow *row,
                                  GPtrArray *rows,
                                  guint index,
                                  const char *title,
                                  const char *subtitle,
                                  const char *text);
/* Removes those of its rows that @rows lists from @length on. */
void dyno_expander_row_cut (AdwExpanderRow *row, GPtrArray *rows, guint length);
/* Shows in a row with an entry whether its text is wrong. */
void dyno_row_mark_invalid (GtkWidget *row, gboolean is_invalid);

/* dyno-menu */

/* Appends an item without a mnemonic: what people have named may have underscores. @target: the parameter of the action */
void dyno_menu_append_plain (GMenu *menu, const char *text, const char *action, const char *target);

/* dyno-name-label */

/* Case names differ at their end, so narrow columns wrap them before ellipsizing. Returns a label for a name
 * in a table. @width_chars: its minimum width in letters. */
GtkWidget *dyno_name_label_new (int width_chars);
/* Lets all labels inside be shortened where there is no room, such as those of a button. */
void dyno_labels_shrink (GtkWidget *widget);

/* dyno-narrow-bin */

#define DYNO_TYPE_NARROW_BIN (dyno_narrow_bin_get_type ())

/**
 * DynoNarrowBin:
 *
 * Holds one child and detects whether there is little room for it. Properties: `child`, `threshold` (int, px
 * with text of the usual size) and the read-only `narrow`, true while the width is below the threshold;
 * templates bind to it, and it has the style class `narrow` then. The child may request more than 360 px if
 * there is room; the bin itself never does.
 */
G_DECLARE_FINAL_TYPE (DynoNarrowBin, dyno_narrow_bin, DYNO, NARROW_BIN, GtkWidget)

/* Returns an empty bin. */
GtkWidget *dyno_narrow_bin_new (void);

/* Returns its child; NULL if there is none. */
GtkWidget *dyno_narrow_bin_get_child (DynoNarrowBin *self);
/* @child may be NULL. */
void dyno_narrow_bin_set_child (DynoNarrowBin *self, GtkWidget *child);
/* @threshold: the width below which the bin is narrow, in px with text of the usual size. */
void dyno_narrow_bin_set_threshold (DynoNarrowBin *self, int threshold);
/* Returns whether there is little room. */
gboolean dyno_narrow_bin_get_narrow (DynoNarrowBin *self);
/* Returns how wide, in px, something has to be with the text of @widget that is @width wide with text of the usual size. */
double dyno_narrow_bin_scale (GtkWidget *widget, int width);

/* dyno-node-grid */

#define DYNO_TYPE_NODE_GRID (dyno_node_grid_get_type ())

/**
 * DynoNodeGrid:
 *
 * The status of each case on each node: a row per case and a column per node, or the reverse if there are
 * more nodes than cases.
 *
 * Signal `activated (DynoRun *run, DynoResult *result)`: the user asks for the details of a case.
 */
G_DECLARE_FINAL_TYPE (DynoNodeGrid, dyno_node_grid, DYNO, NODE_GRID, AdwBin)

/**
 * DynoGridNode:
 * @name: a node
 * @state: (nullable): the status of its task, in a word
 * @reason: (nullable): the reason of that status
 * @run: (nullable): its run
 * @cases: (nullable): the numbers of its cases in the plan, NULL for all
 *
 * A node. All fields are borrowed.
 */
typedef struct
{
  const char *name;
  const char *state;
  const char *reason;
  DynoRun *run;
  const char *const *cases;
} DynoGridNode;

GtkWidget *dyno_node_grid_new (void);
/* Shows the nodes. Unchanged cells are kept, so that focus and scroll position stay. @nodes holds
 * DynoGridNode. */
void dyno_node_grid_show (DynoNodeGrid *self, GPtrArray *labels, GArray *nodes);

/* dyno-path-row */

#define DYNO_TYPE_PATH_ROW (dyno_path_row_get_type ())

/**
 * DynoPathRow:
 *
 * The path of an engine's library, folder or program in the settings; empty to find it automatically.
 */
G_DECLARE_FINAL_TYPE (DynoPathRow, dyno_path_row, DYNO, PATH_ROW, AdwActionRow)

GtkWidget *dyno_path_row_new (const DynoEnginePath *path);

/* dyno-sparkline */

#define DYNO_TYPE_SPARKLINE (dyno_sparkline_get_type ())

/**
 * DynoSparkline:
 *
 * The last numbers of a series as a small line without axes, which only shows whether they rise or fall. The
 * text beside it gives the value, so assistive technologies ignore the line.
 */
G_DECLARE_FINAL_TYPE (DynoSparkline, dyno_sparkline, DYNO, SPARKLINE, GtkWidget)

/* Returns an empty line. */
GtkWidget *dyno_sparkline_new (void);

void dyno_sparkline_push (DynoSparkline *self, double value);
/* Shows the last values of @trace in place of all others; none if it is NULL. */
void dyno_sparkline_set_trace (DynoSparkline *self, DynoTrace *trace);
guint dyno_sparkline_get_length (DynoSparkline *self);

/* dyno-tab-stop */

#define DYNO_TYPE_TAB_STOP (dyno_tab_stop_get_type ())

/**
 * DynoTabStop:
 *
 * Holds a list and makes it one stop of the Tab key: the arrow keys go from row to row, Tab goes through the
 * widgets of the focused row and then leaves the list. Coming back focuses the last row again.
 */
G_DECLARE_FINAL_TYPE (DynoTabStop, dyno_tab_stop, DYNO, TAB_STOP, AdwBin)

/* Returns the widget inside @widget that has the focus in its window, or NULL. */
GtkWidget *dyno_focus_find_within (GtkWidget *widget);

/* dyno-table */

/**
 * DynoTableColumn:
 * @setup: makes the widget of a cell, as in #GtkSignalListItemFactory
 * @bind: fills a cell
 * @unbind: (nullable): empties a cell
 * @data: what these functions and @compare get
 * @compare: (nullable): orders the rows by this column
 * @narrow_owner: (nullable): an object with a property `narrow`, which hides the column while it is TRUE
 * @only_narrow: whether @narrow_owner shows the column while it is narrow, instead of hiding it
 * @is_number: whether the cells are numbers, with which the title is aligned
 *
 * A column of a table.
 */
typedef struct
{
  GCallback setup;
  GCallback bind;
  GCallback unbind;
  gpointer data;
  GCompareDataFunc compare;
  gpointer narrow_owner;
  gboolean only_narrow;
  gboolean is_number;
} DynoTableColumn;

/* Appends a resizable column. Returns it; the view owns it. */
GtkColumnViewColumn *dyno_table_append (GtkColumnView *view, const char *title, const DynoTableColumn *spec);
/* Removes all columns. */
void dyno_table_clear (GtkColumnView *view);

/* dyno-thread-task */

/* Runs @thread in a thread, then @callback with @owner, which is kept until then. @owner: only the main thread
 * may touch it. @cancellable may be NULL. @data (nullable): passed to @thread. @free_data frees it; it may be NULL. */
void dyno_thread_task_run (gpointer owner,
                           GCancellable *cancellable,
                           GTaskThreadFunc thread,
                           gpointer data,
                           GDestroyNotify free_data,
                           GAsyncReadyCallback callback);

/* dyno-toast */

/* Shows @toast on the nearest overlay above @widget. If there is none, because the widget has left its
 * window, nothing is shown. Takes @toast. */
void dyno_toast_add (GtkWidget *widget, AdwToast *toast);
void dyno_toast_say (GtkWidget *widget, const char *text);
/* Hides the toast a moment later. If a toast is hidden while it appears, libadwaita 1.2 frees data of both
 * animations when the first one ends, which may be the wrong one if frames are slow. @toast: a toast that may
 * have just appeared. */
void dyno_toast_dismiss (AdwToast *toast);
/* Reports a failure; a button shows the whole message. @error: the reason. */
void dyno_toast_report_error (GtkWidget *widget, const char *text, const GError *error);

/* dyno-tooltip */

/* Gives cells of lists and grids a tooltip without a question to the display for each. @text: NULL or empty for
 * none. */
void dyno_tooltip_set (GtkWidget *widget, const char *text);
/* Returns the text; NULL if there is none. */
const char *dyno_tooltip_get (GtkWidget *widget);

/* dyno-unit-spin */

/* Shows the unit after the number, inside the field. The user may type the number alone. */
void dyno_unit_spin_set_unit (GtkSpinButton *spin, const char *unit);

/* dyno-writing */

/* Marks the beginning of a write in a thread. The process ends only after dyno_writing_end(), to be called
 * when the write has finished or failed, even if the user closes the last window or quits. */
void dyno_writing_begin (void);
void dyno_writing_end (void);

G_END_DECLS
