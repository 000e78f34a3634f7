/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-model-onnx-private.h"

#define MAGIC(text) text, sizeof text - 1

/* The first bytes of other files that people take for models, and the remedy for each. */
static const struct
{
  gsize offset;
  const char *magic;
  gsize size;
  const char *advice;
} kinds[] = {
  { 0, MAGIC ("version https://git-lfs.github.com/"),
    N_ ("It is a Git LFS pointer, which only stands for the model: fetch that with “git lfs pull”.") },
  { 0, MAGIC ("PK\3\4"),
    N_ ("It is a ZIP archive, as PyTorch saves models: export the model to ONNX, or name the folder of its "
        "config.json.") },
  { 0, MAGIC ("\x80\2\x8a\nl\xfc\x9c\x46\xf9"),
    N_ ("It is a PyTorch file: export the model to ONNX, or name the folder of its config.json.") },
  { 4, MAGIC ("TFL3"),
    N_ ("It is a TensorFlow Lite model: measure it on LiteRT, with the backend “litert”.") },
  { 0, MAGIC ("\x89HDF\r\n"), N_ ("It is an HDF5 file, as Keras saves models: convert the model to ONNX.") },
  /* The length of its header is far below 2⁴⁸ bytes; the header is an object in JSON. */
  { 6, MAGIC ("\0\0{\""),
    N_ ("It is a safetensors file, which holds weights alone: name the folder of its config.json.") },
  { 0, MAGIC ("<?xml"),
    N_ ("It is an XML file, as OpenVINO saves models: name the ONNX file from which it was converted.") },
};

const char *
dyno_foreign_file_explain (const char *contents, gsize size)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (size >= kinds[i].offset + kinds[i].size &&
        memcmp (contents + kinds[i].offset, kinds[i].magic, kinds[i].size) == 0)
      return _ (kinds[i].advice);
  return NULL;
}
