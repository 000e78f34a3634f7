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
 * The graphs of a model and the links between them: an output of an earlier stage feeds the input of the same name; all
 * other inputs are inputs of the model. It is a file beside those of the stages, and stands for the model wherever the
 * path of an ONNX file does.
 */
typedef struct
{
  GPtrArray *stages;
} DynoManifest;

DynoManifest *dyno_manifest_new (void);
void dyno_manifest_free (DynoManifest *self);
DynoManifestStage *dyno_manifest_add_stage (DynoManifest *self, const char *name, const char *file);
void dyno_manifest_stage_add_input (DynoManifestStage *self, const char *name, int axis);
void dyno_manifest_stage_add_output (DynoManifestStage *self, const char *name);
gboolean dyno_manifest_link (DynoManifest *self, GError **error);

gboolean dyno_manifest_stage_repeats (const DynoManifestStage *self);
char *dyno_manifest_stage_dup_carried (const DynoManifestStage *self, const char *input);
char *dyno_manifest_stage_dup_node_name (const DynoManifestStage *self, const char *node);
gboolean dyno_manifest_is_taken (const DynoManifest *self, guint stage, const char *output);

gboolean dyno_manifest_is_path (const char *path);
gboolean dyno_manifest_write (const DynoManifest *self, const char *folder, GError **error);
DynoManifest *dyno_manifest_read (const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoManifest, dyno_manifest_free)

G_END_DECLS
