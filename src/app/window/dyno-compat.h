/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* What GTK 4.8 and libadwaita 1.2 offer and later versions deprecate without a replacement at our baseline. */

/* Returns whether there is such a colour. */
gboolean dyno_compat_lookup_color (GtkWidget *widget, const char *name, GdkRGBA *color);
void dyno_compat_scroll_where_needed (GtkScrolledWindow *self);
void dyno_compat_ignore_wheel (GtkWidget *widget);
void dyno_compat_append_numbers (GtkColumnView *view, GtkColumnViewColumn *column);

void dyno_compat_open_file_async (GtkWidget *widget,
                                  const char *title,
                                  GListModel *filters,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
void dyno_compat_open_files_async (GtkWidget *widget,
                                   const char *title,
                                   GListModel *filters,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
/* Returns list of GioFile: the chosen files. @error: G_IO_ERROR_CANCELLED when the user changed their
 * mind. */
GListModel *dyno_compat_choose_files_finish (GAsyncResult *result, GError **error);
void dyno_compat_select_folder_async (GtkWidget *widget,
                                      const char *title,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
/**
 * DynoCompatFormat:
 * @suffix: what the names of its files end in, without the dot
 * @label: what people call it
 *
 * A format to save a file in.
 */
typedef struct
{
  const char *suffix;
  const char *label;
} DynoCompatFormat;

void dyno_compat_save_file_async (GtkWidget *widget,
                                  const char *title,
                                  const char *name,
                                  const DynoCompatFormat *formats,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
/* Returns the chosen file. @error: G_IO_ERROR_CANCELLED when the user changed their mind. */
GFile *dyno_compat_choose_file_finish (GAsyncResult *result, GError **error);
/* Returns a filter for a file chooser. @suffixes: file name endings without the dot, ending with NULL. */
GtkFileFilter *dyno_compat_file_filter_new (const char *name, const char *const *suffixes);

/**
 * DynoCompatAnswer:
 * @save: whether the user wants it done
 * @user_data: what was given
 *
 * Called once when the question is answered.
 */
typedef void (*DynoCompatAnswer) (gboolean save, gpointer user_data);

void dyno_compat_ask_to_save (
    GtkWidget *widget, const char *heading, const char *body, DynoCompatAnswer answer, gpointer user_data);
GtkWidget *dyno_compat_ask_for_name (GtkWidget *widget,
                                     const char *heading,
                                     const char *body,
                                     GtkWidget *form,
                                     const char *accept,
                                     DynoCompatAnswer answer,
                                     gpointer user_data);
void dyno_compat_allow_answer (GtkWidget *question, gboolean allow);
void dyno_compat_present_message (GtkWidget *widget, const char *heading, const char *body);
void dyno_compat_set_help_overlay (GtkApplicationWindow *window, const char *resource);
/* Returns whether GTK tells screen readers what happens away from the focus, which it does since 4.14. */
gboolean dyno_compat_can_announce (void);
/* Returns whether it was announced: see dyno_compat_can_announce(). */
gboolean dyno_compat_announce (GtkWidget *widget, const char *text);
void dyno_compat_present_about (GtkWindow *parent, const char *debug_info);

G_END_DECLS
