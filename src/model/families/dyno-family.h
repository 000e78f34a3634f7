/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoFamily:
 * @id: stable, for files and filters
 * @label: name of one model, translated when it is shown
 * @plural: name of several, as a heading
 * @text_is_condition: whether text is only a condition for generating something else, so that its tokens do not measure
 *   the work
 *
 * A family of models.
 */
typedef struct
{
  const char *id;
  const char *label;
  const char *plural;
  gboolean text_is_condition;
} DynoFamily;

extern const DynoFamily dyno_onnx_family;
extern const DynoFamily dyno_gguf_family;
extern const DynoFamily dyno_served_family;

/* Returns every family of models, those of files first. Elements are DynoFamily. The caller owns the list, not
 * its elements. */
GPtrArray *dyno_family_list (void);

G_END_DECLS
