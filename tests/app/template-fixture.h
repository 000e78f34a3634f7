/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The widgets that have templates, made from the names of their .ui files. */

void template_fixture_ensure_types (void);
GType template_fixture_find_type (const char *resource);
GtkWidget *template_fixture_construct (GType type);
void template_fixture_add_tests (const char *prefix, GTestDataFunc test);

G_END_DECLS
