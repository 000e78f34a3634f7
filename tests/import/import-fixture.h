/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-scratch.h"
#include "dyno-store.h"

/* A store in a folder of its own, removed after the test. */
typedef struct
{
  char *folder;
  DynoStore *store;
} Fixture;

static inline void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  fixture->folder = dyno_scratch_new (&error);
  g_assert_no_error (error);
  path = g_build_filename (fixture->folder, "store.sqlite", NULL);
  fixture->store = dyno_store_open (path, &error);
  g_assert_no_error (error);
}

static inline void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->store);
  dyno_scratch_remove (fixture->folder);
  g_free (fixture->folder);
}

static inline char *
write_file (Fixture *fixture, const char *name, const char *text)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

static inline DynoRun *
load_run (Fixture *fixture, const char *id)
{
  g_autoptr (GError) error = NULL;
  DynoRun *run = dyno_store_load_run (fixture->store, id, &error);

  g_assert_no_error (error);
  return run;
}
