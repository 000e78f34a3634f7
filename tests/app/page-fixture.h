/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-app-shell-private.h"

G_BEGIN_DECLS

typedef gboolean (*PageCondition) (gpointer data);
typedef gboolean (*PageMatch) (GtkWidget *widget, gconstpointer wanted);

DynoApplication *page_fixture_start_application (void);
GtkWidget *page_fixture_present (DynoApplication *application, GType page_type);
void page_fixture_close (GtkWidget *page);
GtkWidget *page_fixture_find_where (GtkWidget *widget, PageMatch match, gconstpointer wanted);
GtkWidget *page_fixture_find (GtkWidget *widget, GType type);
GtkWidget *page_fixture_find_anywhere (GType type);
GtkWidget *page_fixture_find_named (GtkWidget *widget, const char *name);
GtkWidget *page_fixture_find_row (GtkWidget *widget, const char *title);
void page_fixture_press (GtkWidget *widget, const char *label);
GtkFileChooser *page_fixture_find_dialog (void);
GtkFileChooser *page_fixture_wait_for_dialog (void);
void page_fixture_choose_format (GtkFileChooser *dialog, const char *name);
void page_fixture_wait (PageCondition condition, gpointer data);
void page_fixture_finalize (gpointer object);

G_END_DECLS
