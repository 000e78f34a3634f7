/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-app-session-private.h"
#include "dyno-app-shell-private.h"
#include "page-fixture.h"
#include "suite.h"

G_BEGIN_DECLS

/* Makes a file a suite whose tests, which @add adds, share an application. */
#define WINDOW_SUITE(add)                                                                                    \
  static int run_suite (int argc, char *argv[])                                                              \
  {                                                                                                          \
    return window_fixture_run_suite (argc, argv, add);                                                       \
  }                                                                                                          \
                                                                                                             \
  SUITE (run_suite)

/* A data folder of this process, with the store of an application that all its tests share. */

const char *window_fixture_init (void);
void window_fixture_speak (const char *language);
int window_fixture_run (void);
int window_fixture_run_suite (int argc, char *argv[], void (*add) (void));
DynoApplication *window_fixture_get_application (void);
DynoAppSession *window_fixture_get_session (void);
DynoStore *window_fixture_get_store (void);
void window_fixture_clear_store (void);

DynoWindow *window_fixture_open (int width);
void window_fixture_close (DynoWindow *window);

gboolean window_fixture_shows (GtkWidget *widget, const char *text);
void window_fixture_wait_shown (DynoWindow *window, const char *text);
void window_fixture_wait_gone (DynoWindow *window, const char *text);
void window_fixture_wait_frames (GtkWidget *widget);
gboolean window_fixture_can (GtkWidget *widget, const char *action_name);
gboolean window_fixture_press (GtkWidget *widget, guint keyval, GdkModifierType modifiers);

G_END_DECLS
