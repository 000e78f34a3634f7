/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-error.h"
#include "dyno-result-sink.h"
#include "dyno-store.h"
#include "dyno-store-private.h"

G_BEGIN_DECLS

/* A folder of its own for each test, removed after it. */
typedef struct
{
  char *folder;
  char *path;
  DynoStore *store;
} StoreFixture;

void store_fixture_set_up (StoreFixture *self, gconstpointer data);
void store_fixture_tear_down (StoreFixture *self, gconstpointer data);
void store_fixture_reopen (StoreFixture *self);
char *store_fixture_build_path (StoreFixture *self, const char *name);

DynoRun *store_fixture_make_run (const char *id, gint64 started_at, const char *title);
DynoResult *store_fixture_make_result (const char *model, const char *backend, guint ordinal);
void store_fixture_set_origin (DynoRun *run);
void store_fixture_add_meter (DynoRun *run);
void store_fixture_keep (DynoStore *store, DynoRun *run);
void store_fixture_begin (DynoStore *store, DynoRun *run);
void store_fixture_add (DynoStore *store, DynoRun *run, DynoResult *result);

/* As the functions of a store of the same names, without an error. */
DynoStore *store_fixture_open (const char *path);
DynoStore *store_fixture_open_document (const char *path);
GStrv store_fixture_import (DynoStore *store, const char *path);
DynoRun *store_fixture_load (DynoStore *store, const char *id);
GPtrArray *store_fixture_list (DynoStore *store, const char *search, guint offset, guint limit);
void store_fixture_delete (DynoStore *store, const char *id);
void store_fixture_assert_same_run (DynoRun *one, DynoRun *other);

/* A callback that puts the result into the GAsyncResult * that its data points to, and what waits for that. */
void store_fixture_on_ready (GObject *source, GAsyncResult *result, gpointer user_data);
GAsyncResult *store_fixture_wait_for (GAsyncResult **result);

void store_fixture_run_sql (const char *path, const char *sql);
gint64 store_fixture_read_int (const char *path, const char *sql);
/* The one number that @sql gives. */
void store_fixture_assert_int (const char *path, const char *sql, gint64 expected);

G_END_DECLS
