/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-device.h"
#include "dyno-session.h"

G_BEGIN_DECLS

/* In a scripted shape, these stand for the sizes of the inputs. */
#define DYNO_FAKE_BATCH    -1
#define DYNO_FAKE_SEQUENCE -2

/* More steps at the same time than this no script asks for. */
#define DYNO_FAKE_MAX_SLOTS 64

typedef enum
{
  DYNO_FAKE_FAULT_FAIL,
  DYNO_FAKE_FAULT_UNSUPPORTED,
  DYNO_FAKE_FAULT_UNREADABLE,
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
 * @run: the first run affected, counted from 1; 0 while opening
 * @batch_size: only for inputs of this batch size, 0 for all
 * @factor: factor of the time of a slow step
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
 * @missing: (nullable): why it is missing
 * @remedy: (nullable): what to do about it
 * @time_factor: factor of the time of a step on it
 */
typedef struct
{
  char *id;
  char *name;
  char *driver;
  char *address;
  char *missing;
  char *remedy;
  DynoDeviceKind kind;
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
 * DynoFakeRemote:
 * @wire_ns: round-trip time to the engine, in addition to its own work
 * @resolution_ns: of the engine's own clock
 * @is_exact: whether that clock shows the time of the script, however long a step took
 * @process_bytes: memory that another process holds
 * @stages: (element-type DynoLoadStage): stages of loading before the model is opened
 */
typedef struct
{
  gint64 wire_ns;
  gint64 resolution_ns;
  gboolean is_exact;
  gint64 process_bytes;
  GArray *stages;
} DynoFakeRemote;

/**
 * DynoFakeProbe:
 * @DYNO_FAKE_PROBE_ANSWERS: answers
 * @DYNO_FAKE_PROBE_CRASHES: dies by SIGSEGV
 * @DYNO_FAKE_PROBE_HANGS: never returns
 * @DYNO_FAKE_PROBE_EXITS: exits the process, like a library with a fatal error
 * @DYNO_FAKE_PROBE_HESITATES: gives a provisional answer
 */
typedef enum
{
  DYNO_FAKE_PROBE_ANSWERS,
  DYNO_FAKE_PROBE_CRASHES,
  DYNO_FAKE_PROBE_HANGS,
  DYNO_FAKE_PROBE_EXITS,
  DYNO_FAKE_PROBE_HESITATES,
} DynoFakeProbe;

/**
 * DynoFakeScript:
 * @unsupported: (nullable): why the backend says that it cannot measure
 * @lacks: unsupported operators
 * @slots: how many steps run at the same time, of all lanes together
 * @stall_every_ns: how often the engine stands still, 0 for never
 * @stall_ns: for how long
 * @is_computed: whether the outputs count as those of a model, and are checked
 * @remote: (nullable): the remote connection to the engine
 *
 * The script of the fake backend; `backends/fake/README.md` describes the fields of the file. Times are in nanoseconds,
 * sizes in bytes.
 */
typedef struct
{
  char *runtime;
  char *unsupported;
  char *remedy;
  char **lacks;
  DynoFakeProbe probe;
  guint32 seed;
  gint64 load_ns;
  double base_ns;
  double per_item_ns;
  double per_token_ns;
  double noise;
  double process_noise;
  guint warm_up_steps;
  double warm_up_factor;
  guint slots;
  gint64 stall_every_ns;
  gint64 stall_ns;
  gint64 weights;
  gint64 workspace;
  gint64 workspace_per_item;
  double held_factor;
  gboolean is_computed;
  DynoFakeRemote *remote;
  GPtrArray *devices;
  GPtrArray *outputs;
  GPtrArray *nodes;
  GPtrArray *faults;
} DynoFakeScript;

DynoFakeScript *dyno_fake_script_load (const char *path, GError **error);
void dyno_fake_script_play_probe (const DynoFakeScript *self);
void dyno_fake_script_free (DynoFakeScript *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoFakeScript, dyno_fake_script_free)

G_END_DECLS
