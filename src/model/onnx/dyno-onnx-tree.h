/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-arena.h"
#include "onnx.pb-c.h"

G_BEGIN_DECLS

/**
 * DynoOnnxTree:
 * @file: the file
 * @model: its contents; its graph has nodes
 *
 * An ONNX file, mapped and parsed. It is only known to be parseable.
 */
typedef struct
{
  GMappedFile *file;
  Onnx__ModelProto *model;

  /*< private >*/
  DynoArena *arena;
} DynoOnnxTree;

/* The file may be untrusted, so only call this in workers, whose resources are limited. Returns its
 * contents. The caller owns it. */
DynoOnnxTree *dyno_onnx_tree_read (const char *path, GError **error);
void dyno_onnx_tree_free (DynoOnnxTree *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOnnxTree, dyno_onnx_tree_free)

G_END_DECLS
