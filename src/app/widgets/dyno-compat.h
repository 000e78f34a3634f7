/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* APIs of GTK 4.8 and libadwaita 1.2 that later versions deprecate without a replacement in these versions. */

/* Returns whether there is such a colour. */
gboolean dyno_compat_lookup_color (GtkWidget *widget, const char *name, GdkRGBA *color);
/* Passes the scroll wheel to the page if the scrolled window has nothing to scroll. GTK 4.8 keeps the event,
 * so the page would not scroll. */
void dyno_compat_scroll_where_needed (GtkScrolledWindow *self);
/* Passes the wheel to the page, so that scrolling does not change the value under the pointer. @widget: a
 * widget on a page that scrolls, such as a spin button. */
void dyno_compat_ignore_wheel (GtkWidget *widget);
/* Returns the first widget of that type, @widget or one inside it; NULL if there is none. */
GtkWidget *dyno_compat_find_inside (GtkWidget *widget, GType type);
/* Appends a column with its title aligned to the numbers. GTK aligns all titles to the left. */
void dyno_compat_append_numbers (GtkColumnView *view, GtkColumnViewColumn *column);
/* Returns buttons that switch between the visible pages of a stack: a group of toggles since libadwaita 1.7.
 * @label: their name for screen readers */
GtkWidget *dyno_compat_switcher_new (GtkStack *stack, const char *label);

/**
 * DynoCompatFilter:
 * @name: its name for people, not yet translated
 * @suffixes: the suffixes of its files, without the dot, up to the first NULL; all files if there is none, and
 *   no @with_models
 * @with_models: whether all files with models belong to it
 *
 * A choice of files to show.
 */
typedef struct
{
  const char *name;
  const char *suffixes[10];
  gboolean with_models;
} DynoCompatFilter;

/* Asks for a file to open; dyno_compat_choose_finish() returns a GFile. @filters (nullable): the last element has
 * no name. */
void dyno_compat_open_file_async (GtkWidget *widget,
                                  const char *title,
                                  const DynoCompatFilter *filters,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
/* Asks for one or several files to open; dyno_compat_choose_finish() returns a list of GFile. */
void dyno_compat_open_files_async (GtkWidget *widget,
                                   const char *title,
                                   const DynoCompatFilter *filters,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
/* Asks for a folder; dyno_compat_choose_finish() returns a GFile. */
void dyno_compat_select_folder_async (GtkWidget *widget,
                                      const char *title,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
/**
 * DynoCompatFormat:
 * @suffix: the suffix of its files, without the dot
 * @label: its name for people
 *
 * A format of a file to save.
 */
typedef struct
{
  const char *suffix;
  const char *label;
} DynoCompatFormat;

/* Asks for a file to write and its format; dyno_compat_choose_finish() returns a GFile. The name of the file ends
 * in the suffix of a format. @name: the initial file name, in one of the formats. @formats: the formats to
 * choose from; the last element has no suffix. */
void dyno_compat_save_file_async (GtkWidget *widget,
                                  const char *title,
                                  const char *name,
                                  const DynoCompatFormat *formats,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
/* Returns what the user has chosen, for the caller to own; NULL if they changed their mind. */
gpointer dyno_compat_choose_finish (GAsyncResult *result);

/**
 * DynoCompatAnswer:
 * @save: whether the user wants to save
 * @user_data: the data passed to dyno_compat_ask_to_save()
 *
 * Called once with the user's answer.
 */
typedef void (*DynoCompatAnswer) (gboolean save, gpointer user_data);

/* Asks whether to save data that would be lost otherwise. */
void dyno_compat_ask_to_save (
    GtkWidget *widget, const char *heading, const char *body, DynoCompatAnswer answer, gpointer user_data);
/* Asks for a name. Return in the form accepts, if dyno_compat_allow_answer() allows it. Returns the question. */
GtkWidget *dyno_compat_ask_for_name (GtkWidget *widget,
                                     const char *heading,
                                     const char *body,
                                     GtkWidget *form,
                                     const char *accept,
                                     DynoCompatAnswer answer,
                                     gpointer user_data);
void dyno_compat_allow_answer (GtkWidget *question, gboolean allow);
/* Shows a message that is too long for a toast. */
void dyno_compat_present_message (GtkWidget *widget, const char *heading, const char *body);
/* Adds an overview of keyboard shortcuts to the window, and the action `win.show-help-overlay`. @resource:
 * the path of a UI definition with an object `help_overlay`. */
void dyno_compat_set_help_overlay (GtkApplicationWindow *window, const char *resource);
/* Opens a file with the user’s application for it; see dyno_compat_show_file_finish(). */
void dyno_compat_show_file_async (GtkWindow *parent,
                                  const char *path,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
/* Returns whether the file was opened. @error: no application opens it. */
gboolean dyno_compat_show_file_finish (GAsyncResult *result, GError **error);
/* Returns whether GTK can announce changes away from the focus to screen readers, which it can since 4.14. */
gboolean dyno_compat_can_announce (void);
/* Returns whether the text was announced: see dyno_compat_can_announce(). */
gboolean dyno_compat_announce (GtkWidget *widget, const char *text);
/* Shows the name, the authors and the licence of Dyno. */
void dyno_compat_present_about (GtkWindow *parent, const char *debug_info);

G_END_DECLS
