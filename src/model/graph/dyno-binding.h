/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/* Instead of the samples of audio, people may give how long it lasts. */
#define DYNO_BINDING_SECONDS "seconds"

/**
 * DYNO_DIMENSION_LEADING:
 *
 * The end of the symbol of a nameless dimension that is the first of every input that has it: it is a
 * batch. A nameless dimension is named after its input and axis, `x:0`; one with a placeholder for a name,
 * `unk__7:0`.
 */
#define DYNO_DIMENSION_LEADING ":0"

/**
 * DYNO_DIMENSION_OF_AUDIO:
 *
 * The end of the symbol of a dimension that is the samples of audio, although its name does not show it.
 */
#define DYNO_DIMENSION_OF_AUDIO ":samples"

/**
 * DYNO_DIMENSION_LENGTH:
 *
 * The end of the symbol of a dimension that has the name of a batch, but is the length of something: `N`
 * beside `batch_size`.
 */
#define DYNO_DIMENSION_LENGTH ":length"

/**
 * DYNO_DIMENSION_PICTURES:
 *
 * The pictures of all items of a step, where an item has several. Its default size is their number in an item.
 */
#define DYNO_DIMENSION_PICTURES "pictures"

/**
 * DynoDimensionKind:
 * @DYNO_DIMENSION_KIND_OTHER: an unknown name; a size must be given
 * @DYNO_DIMENSION_KIND_BATCH: items per step
 * @DYNO_DIMENSION_KIND_SEQUENCE: tokens per item
 * @DYNO_DIMENSION_KIND_PAST: tokens in the cache before the step
 * @DYNO_DIMENSION_KIND_TOTAL: tokens in the cache after the step
 * @DYNO_DIMENSION_KIND_SIDE: height or width of an image
 * @DYNO_DIMENSION_KIND_CHANNELS: channels of an image
 * @DYNO_DIMENSION_KIND_SAMPLES: samples of audio
 * @DYNO_DIMENSION_KIND_PICTURES: pictures of all items; like an unknown name where the model has no default size
 *
 * The meaning of a free dimension according to its name.
 */
typedef enum
{
  DYNO_DIMENSION_KIND_OTHER,
  DYNO_DIMENSION_KIND_BATCH,
  DYNO_DIMENSION_KIND_SEQUENCE,
  DYNO_DIMENSION_KIND_PAST,
  DYNO_DIMENSION_KIND_TOTAL,
  DYNO_DIMENSION_KIND_SIDE,
  DYNO_DIMENSION_KIND_CHANNELS,
  DYNO_DIMENSION_KIND_SAMPLES,
  DYNO_DIMENSION_KIND_PICTURES,
} DynoDimensionKind;

/* Recognises the names that exporters use: `batch_size`, `N`, `seq_len`, `past_sequence_length`, `height`
 * …. Returns its meaning. */
DynoDimensionKind dyno_dimension_kind (const char *name);

/* Returns the names of their free dimensions, without duplicates. @inputs holds DynoTensorInfo. */
GPtrArray *dyno_binding_list_names (GPtrArray *inputs);
/* A dimension with a default size in the model has that size, whatever its name means; pictures have it for each item. Returns a size for
 * every free dimension, including sums such as `past + sequence`. @inputs holds DynoTensorInfo.
 * @sequence_length: size of every dimension whose name means a sequence. @overrides (nullable):
 * `name=size`, several separated by commas; these take precedence. */
DynoBinding *dyno_binding_new (
    GPtrArray *inputs, guint batch_size, guint sequence_length, const char *overrides, GError **error);
/* Returns whether all names in @symbol are bound. @symbol: the name of a dimension, a sum of names and
 * numbers, or `min(sum,number)`. */
gboolean dyno_binding_get (DynoBinding *self, const char *symbol, gint64 *size);
/* Returns whether all its dimensions are bound. */
gboolean dyno_binding_get_shape (DynoBinding *self, DynoTensorInfo *info, DynoShape *shape);
/* Returns the bytes of the inputs whose sizes are known; G_MAXINT64 if they are too many for any machine.
 * @infos holds DynoTensorInfo. */
gint64 dyno_binding_sum_bytes (DynoBinding *self, GPtrArray *infos);
/* Returns the size of the dimension with that meaning; the largest if several differ. */
gint64 dyno_binding_get_kind (DynoBinding *self, DynoDimensionKind kind, gint64 fallback);
/* Returns whether a free dimension of an input has that meaning. @inputs holds DynoTensorInfo. */
gboolean dyno_binding_has_kind (GPtrArray *inputs, DynoDimensionKind kind);
/* Returns its sizes in alphabetical order as text, such as “batch 1, sequence 128”, without those that are
 * empty or follow from others. The caller owns it. */
char *dyno_binding_to_string (DynoBinding *self);

G_END_DECLS
