/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-tensor.h"

G_BEGIN_DECLS

/* In a scripted shape, the sizes of the inputs stand for these. */
#define DYNO_FAKE_BATCH    -1
#define DYNO_FAKE_SEQUENCE -2

typedef enum
{
  DYNO_FAKE_FAULT_FAIL,
  DYNO_FAKE_FAULT_OUT_OF_MEMORY,
  DYNO_FAKE_FAULT_CRASH,
  DYNO_FAKE_FAULT_KILL,
  DYNO_FAKE_FAULT_HANG,
  DYNO_FAKE_FAULT_NOT_A_NUMBER,
  DYNO_FAKE_FAULT_SLOW,
} DynoFakeFaultKind;

/**
 * DynoFakeFault:
 * @kind: what goes wrong
 * @run: from which run on, counted from 1; 0 while opening
 * @batch_size: only for inputs of this batch size, 0 for all
 * @factor: how many times as long a step takes when slow
 * @message: (nullable): what the error says
 */
typedef struct
{
  DynoFakeFaultKind kind;
  guint run;
  gint64 batch_size;
  double factor;
  char *message;
} DynoFakeFault;

/**
 * DynoFakeDevice:
 * @time_factor: how many times as long a step takes on it
 */
typedef struct
{
  char *id;
  char *name;
  char *driver;
  gint64 memory;
  char **precisions;
  double time_factor;
} DynoFakeDevice;

/**
 * DynoFakeNode:
 * @share: part of a step's time, from 0 to 1
 */
typedef struct
{
  char *name;
  char *type;
  char *provider;
  double share;
  GArray *inputs;
  GArray *outputs;
} DynoFakeNode;

typedef struct
{
  char *name;
  DynoShape shape;
} DynoFakeOutput;

/**
 * DynoFakeScript:
 *
 * What the fake backend is to play; `backends/fake/README.md` tells the file's fields. Times are in
 * nanoseconds, sizes in bytes.
 */
typedef struct
{
  char *runtime;
  guint32 seed;
  gint64 load_ns;
  double base_ns;
  double per_item_ns;
  double per_token_ns;
  double noise;
  guint warm_up_steps;
  double warm_up_factor;
  gint64 weights;
  gint64 workspace;
  gint64 workspace_per_item;
  double held_factor;
  GPtrArray *devices;
  GPtrArray *outputs;
  GPtrArray *nodes;
  GPtrArray *faults;
} DynoFakeScript;

DynoFakeScript *dyno_fake_script_load (const char *path, GError **error);
void dyno_fake_script_free (DynoFakeScript *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoFakeScript, dyno_fake_script_free)

G_END_DECLS
