/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-error.h"
#include "dyno-model-gguf-private.h"
#include "fuzz-corpus.h"

/* Whatever a file begins with, reading it ends with a description that adds up, or with a reason. */

static void
check_tensors (const DynoGgufHeader *header, gsize size)
{
  for (guint i = 0; i < header->tensors->len; i++)
    {
      const DynoGgufTensor *tensor = header->tensors->pdata[i];

      g_assert_nonnull (dyno_gguf_type_find (tensor->type));
      g_assert_true (tensor->n_elements > 0 && tensor->n_bytes > 0 && (guint64)tensor->n_bytes <= size);
    }
}

static void
check_description (const DynoGgufHeader *header)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModelDescription) description = dyno_gguf_header_describe (header, &error);

  g_assert_true ((description != NULL) == (error == NULL));
  if (description == NULL)
    return;
  g_assert_true (description->parameter_count >= 0 && description->weight_bytes >= 0);
  g_assert_true (description->inputs->len > 0 && description->outputs->len > 0);
  g_assert_true (isfinite (description->attention_width) && description->expert_share >= 0 &&
                 description->expert_share <= 1);
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoGgufHeader) header = dyno_gguf_header_parse ("m.gguf", (const char *)data, size, &error);

  g_assert_true ((header != NULL) == (error == NULL));
  if (header == NULL)
    return;
  check_tensors (header, size);
  check_description (header);
}

FUZZ_TARGET (read_input)
