/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-model-onnx-private.h"

/* A model of this version or a later one names the versions of its operators, at its end. */
#define FIRST_IR_WITH_OPSETS 3

static GMappedFile *
map_file (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GError) local_error = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      gboolean exists = g_file_test (path, G_FILE_TEST_EXISTS);

      g_set_error (error, DYNO_ERROR, exists ? DYNO_ERROR_INVALID_DATA : DYNO_ERROR_NOT_FOUND,
                   exists ? _ ("“%s” is not a file. Name an ONNX file.")
                          : _ ("There is no file “%s”. Check the path."),
                   path);
      return NULL;
    }
  file = g_mapped_file_new (path, FALSE, &local_error);
  if (file == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The model “%s” could not be read: %s"), path,
                 local_error->message);
  else if (g_mapped_file_get_length (file) == 0)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("The file “%s” is empty: download or export the model again."), path);
  else
    return g_steal_pointer (&file);
  return NULL;
}

DynoOnnxTree *
dyno_onnx_tree_read (const char *path, GError **error)
{
  g_autoptr (DynoOnnxTree) self = g_new0 (DynoOnnxTree, 1);
  const char *advice;

  self->arena = dyno_arena_new ();
  self->file = map_file (path, error);
  if (self->file == NULL)
    return NULL;
  advice = dyno_foreign_file_explain (g_mapped_file_get_contents (self->file),
                                      g_mapped_file_get_length (self->file));
  if (advice != NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("“%s” is not an ONNX model. %s"), path,
                   advice);
      return NULL;
    }
  self->model = onnx__model_proto__unpack (dyno_arena_get_allocator (self->arena),
                                           g_mapped_file_get_length (self->file),
                                           (const guint8 *)g_mapped_file_get_contents (self->file));
  if (self->model != NULL && self->model->graph != NULL && self->model->graph->n_node > 0 &&
      (self->model->n_opset_import > 0 || self->model->ir_version < FIRST_IR_WITH_OPSETS))
    return g_steal_pointer (&self);

  switch (dyno_arena_get_end (self->arena))
    {
    case DYNO_ARENA_END_OF_MEMORY:
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
          _ ("There is not enough memory to read “%s”. Close other programs, or choose a smaller model."),
          path);
      break;
    case DYNO_ARENA_END_OF_STACK:
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
          _ ("“%s” is nested too deeply for a model, so it is damaged. Download or export it again."), path);
      break;
    case DYNO_ARENA_OPEN:
    default:
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” is not an ONNX model, or it was cut short. Download or export it again."), path);
    }
  return NULL;
}

void
dyno_onnx_tree_free (DynoOnnxTree *self)
{
  g_clear_pointer (&self->file, g_mapped_file_unref);
  dyno_arena_free (self->arena);
  g_free (self);
}
