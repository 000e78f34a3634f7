/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * DynoQuality:
 * @DYNO_QUALITY_MEASURED: read from a clock, a counter or the operating system
 * @DYNO_QUALITY_UNSTEADY: measured over the whole window of a case whose latency never became steady
 * @DYNO_QUALITY_ESTIMATED: computed by a model that dyno_value_get_source() names
 * @DYNO_QUALITY_IMPORTED: read from another tool's file; dyno_value_get_source() names the tool and its version
 * @DYNO_QUALITY_UNSUPPORTED: there is no number; the source gives the cause and the remedy
 */
typedef enum
{
  DYNO_QUALITY_MEASURED,
  DYNO_QUALITY_UNSTEADY,
  DYNO_QUALITY_ESTIMATED,
  DYNO_QUALITY_IMPORTED,
  DYNO_QUALITY_UNSUPPORTED,
} DynoQuality;

#define DYNO_TYPE_QUALITY (dyno_quality_get_type ())
#define DYNO_TYPE_VALUE   (dyno_value_get_type ())

GType dyno_quality_get_type (void);
/* Returns the word that the store and the reports use. */
const char *dyno_quality_to_string (DynoQuality quality);
/* Returns whether @string is such a word. */
gboolean dyno_quality_from_string (const char *string, DynoQuality *quality);

/**
 * DynoValue:
 *
 * One number of a result, immutable: its stable name (`latency_p50_ms`), unit, quality, and the source it
 * came from. An unsupported value holds NaN.
 */
typedef struct _DynoValue DynoValue;

GType dyno_value_get_type (void);

/* A number that is not finite becomes unsupported. Returns a new value. @unit: the unit, empty for a plain
 * number. @source may be NULL. */
DynoValue *
dyno_value_new (const char *name, double number, const char *unit, DynoQuality quality, const char *source);
/* Returns a new value without a number. @reason: the cause and the remedy, as a sentence. */
DynoValue *dyno_value_new_unsupported (const char *name, const char *unit, const char *reason);
DynoValue *dyno_value_ref (DynoValue *self);
void dyno_value_unref (DynoValue *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoValue, dyno_value_unref)

const char *dyno_value_get_name (DynoValue *self);
/* Returns whether @self has that name. @hash: its g_str_hash(), which a caller that searches many values
 * computes once. */
gboolean dyno_value_has_name (DynoValue *self, const char *name, guint hash);
double dyno_value_get_number (DynoValue *self);
const char *dyno_value_get_unit (DynoValue *self);
DynoQuality dyno_value_get_quality (DynoValue *self);
const char *dyno_value_get_source (DynoValue *self);
/* Returns whether there is a number, of whatever quality. */
gboolean dyno_value_is_number (DynoValue *self);

G_END_DECLS
