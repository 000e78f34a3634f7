/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-litert-private.h"
#include "dyno-model-description.h"
#include "fuzz-corpus.h"

/* Whatever a TensorFlow Lite file holds, LiteRT refuses it, or it has a description that adds up. Needs LiteRT, whose own code is
 * not followed. */

static void
read_input (const guint8 *data, gsize size)
{
  static DynoBackend *backend;
  const char *path = fuzz_file_write ("model.tflite", data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModelDescription) description = NULL;

  /* The class of the backend adds the format. A library that is named is not searched for again. */
  if (backend == NULL)
    {
      DynoEngineLibrary *library = dyno_engine_library_find (DYNO_TYPE_LITERT_LIBRARY, &error);

      if (library == NULL)
        fuzz_skip (error->message);
      dyno_engine_path_set (DYNO_ENGINE_LIBRARY_GET_CLASS (library)->variable,
                            dyno_engine_library_get_path (library));
      backend = dyno_backend_lookup ("litert", &error);
      g_assert_no_error (error);
    }
  if (dyno_engine_format_recognise (path) == NULL)
    return;
  description = dyno_litert_file_describe (path, &error);
  g_assert_true ((description != NULL) == (error == NULL));
  if (description == NULL)
    return;
  g_assert_true (description->parameter_count >= 0 && description->weight_bytes >= 0);
  for (guint i = 0; i < description->inputs->len; i++)
    g_assert_true (g_utf8_validate (dyno_tensor_info_get_name (description->inputs->pdata[i]), -1, NULL));
}

FUZZ_TARGET (read_input)
