/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The name of the file that lists the graphs of a model of several. */
#define DYNO_MANIFEST_FILE "stages.json"

/**
 * DynoManifestInput:
 * @name: its name in the graph
 * @axis: in a repeated stage, the dimension along which it is split into one part for each iteration; -1 for none
 * @feeder: index of the earlier stage whose output of the same name feeds it; -1 for an input of the model
 *
 * An input of a stage.
 */
typedef struct
{
  char *name;
  int axis;
  int feeder;
} DynoManifestInput;

/**
 * DynoManifestStage:
 * @name: a stable word in lower case, such as `encoder`
 * @file: (type filename): its ONNX file
 * @inputs: (element-type DynoManifestInput): its inputs
 * @outputs: (element-type utf8): its outputs
 *
 * One graph of a model of several.
 */
typedef struct
{
  char *name;
  char *file;
  GPtrArray *inputs;
  GPtrArray *outputs;
} DynoManifestStage;

/**
 * DynoManifest:
 * @stages: (element-type DynoManifestStage): in the order in which they run
 *
 * The graphs of a model and the links between them: an output of an earlier stage feeds the input of the
 * same name; all other inputs are inputs of the model. It is a file beside those of the stages, and its
 * path can be used wherever that of an ONNX file can.
 */
typedef struct
{
  GPtrArray *stages;
} DynoManifest;

DynoManifest *dyno_manifest_new (void);
void dyno_manifest_free (DynoManifest *self);
/* Returns a new last stage without inputs and outputs. */
DynoManifestStage *dyno_manifest_add_stage (DynoManifest *self, const char *name, const char *file);
/* @axis: the dimension along which it is split, one part for each iteration of the stage; -1 for an input
 * that stays the same. */
void dyno_manifest_stage_add_input (DynoManifestStage *self, const char *name, int axis);
void dyno_manifest_stage_add_output (DynoManifestStage *self, const char *name);
/* Determines which stage feeds which input. Returns whether the stages fit together. Fails with
 * DYNO_ERROR_INVALID_DATA, whose message is the end of a sentence. */
gboolean dyno_manifest_link (DynoManifest *self, GError **error);

/* Returns whether it runs once for each part of a split input. */
gboolean dyno_manifest_stage_repeats (const DynoManifestStage *self);
/* In a repeated stage, the output `next_NAME` becomes the input `NAME` of the next iteration. Returns the
 * output that feeds the input in the next iteration; NULL if it stays the same. */
char *dyno_manifest_stage_dup_carried (const DynoManifestStage *self, const char *input);
/* Returns the name of the node in the whole model. */
char *dyno_manifest_stage_dup_node_name (const DynoManifestStage *self, const char *node);
/* Returns whether the node of the whole model belongs to the stage. */
gboolean dyno_manifest_is_node_of (const char *node, const char *stage);
/* Returns whether a later stage consumes it, in which case it is not an output of the model. */
gboolean dyno_manifest_is_taken (const DynoManifest *self, guint stage, const char *output);

/* Returns whether it is a manifest rather than a graph. */
gboolean dyno_manifest_is_path (const char *path);
/* Returns whether it is written. */
gboolean dyno_manifest_write (const DynoManifest *self, const char *folder, GError **error);
/* Returns the manifest, with absolute paths of files; NULL if there is none. The caller owns it. Fails
 * with DYNO_ERROR_INVALID_DATA. */
DynoManifest *dyno_manifest_read (const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoManifest, dyno_manifest_free)

G_END_DECLS
