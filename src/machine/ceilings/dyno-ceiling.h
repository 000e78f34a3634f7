/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * DYNO_CEILING_DISTURBED_PERCENT:
 *
 * A ceiling whose spread is more than this percentage of it was measured while something else ran.
 */
#define DYNO_CEILING_DISTURBED_PERCENT 5

/**
 * DYNO_CEILING_DOUBTFUL_PERCENT:
 *
 * A ceiling whose spread is more than this percentage of it bears no statement about a case.
 */
#define DYNO_CEILING_DOUBTFUL_PERCENT 20

/**
 * DynoCeilingKind:
 * @DYNO_CEILING_COMPUTE: operations per second
 * @DYNO_CEILING_BANDWIDTH: bytes per second
 * @DYNO_CEILING_LATENCY: the time of one access that depends on the one before it
 */
typedef enum
{
  DYNO_CEILING_COMPUTE,
  DYNO_CEILING_BANDWIDTH,
  DYNO_CEILING_LATENCY,
} DynoCeilingKind;

#define DYNO_TYPE_CEILING_KIND (dyno_ceiling_kind_get_type ())
#define DYNO_TYPE_CEILING      (dyno_ceiling_get_type ())

GType dyno_ceiling_kind_get_type (void);

/**
 * DynoCeiling:
 *
 * One ceiling of the machine: its highest rate, or its latency, at one kind of work. Immutable.
 * Construct-only properties:
 *
 * - `id`: a stable name, such as `fp32-avx512`, `l2-read`, `dram-latency`; `-zeros` at its end marks an
 * upper bound
 * - `kind`, `device` (`cpu`, or `BACKEND:DEVICE` for a device behind a runtime), `threads` (how many worked
 * at once), `pinning` (how they were placed, as dyno_pinning_bind() takes it; NULL or empty for the
 * default)
 * - `precision` (compute), `level` and `mix` (memory), `instruction-set`: NULL or empty if they do not
 * apply
 * - `value` (what was sustained: the median of the best fifth of the undisturbed repeats), `best` (of all of
 * these), `spread` (of the better half of these, from the 10th to the 90th percentile, as a share of `value`), `unit` (`FLOP/s`,
 * `OP/s`, `B/s`, `ns`)
 * - `clock`: the frequency measured beside it in Hz, 0 if unknown
 * - `bytes`: the memory that each thread went over, for memory
 * - `verified`: the share of it that real work reaches, a matrix times a vector of the same size; 0 if not
 * tried
 * - `theoretical`: the value that follows from the processor's data, 0 if an input is unknown;
 * `derivation`: how it was computed, or why there is none, as a sentence
 * - `method`: how it was measured, in words
 * - `constrained`: the memory did not allow an array as large as the method asks for
 * - `upper-bound`: measured with zeros, where they run faster than data
 * - `disturbed`: no repeat was undisturbed, so that all of them count
 * - `measured-at`: µs since 1970 UTC
 */
G_DECLARE_FINAL_TYPE (DynoCeiling, dyno_ceiling, DYNO, CEILING, GObject)

DynoCeilingKind dyno_ceiling_get_kind (DynoCeiling *self);
const char *dyno_ceiling_get_id (DynoCeiling *self);
const char *dyno_ceiling_get_device (DynoCeiling *self);
const char *dyno_ceiling_get_pinning (DynoCeiling *self);
guint dyno_ceiling_get_threads (DynoCeiling *self);
const char *dyno_ceiling_get_precision (DynoCeiling *self);
const char *dyno_ceiling_get_level (DynoCeiling *self);
const char *dyno_ceiling_get_mix (DynoCeiling *self);
const char *dyno_ceiling_get_instruction_set (DynoCeiling *self);
double dyno_ceiling_get_value (DynoCeiling *self);
double dyno_ceiling_get_best (DynoCeiling *self);
double dyno_ceiling_get_spread (DynoCeiling *self);
const char *dyno_ceiling_get_unit (DynoCeiling *self);
double dyno_ceiling_get_clock (DynoCeiling *self);
gint64 dyno_ceiling_get_bytes (DynoCeiling *self);
double dyno_ceiling_get_verified (DynoCeiling *self);
double dyno_ceiling_get_theoretical (DynoCeiling *self);
const char *dyno_ceiling_get_derivation (DynoCeiling *self);
const char *dyno_ceiling_get_method (DynoCeiling *self);
gboolean dyno_ceiling_is_constrained (DynoCeiling *self);
gboolean dyno_ceiling_is_upper_bound (DynoCeiling *self);
/* Returns whether something else must have run during the measurement, see DYNO_CEILING_DISTURBED_PERCENT. */
gboolean dyno_ceiling_is_disturbed (DynoCeiling *self);
/* Returns whether it varies too much for a statement, see DYNO_CEILING_DOUBTFUL_PERCENT. */
gboolean dyno_ceiling_is_doubtful (DynoCeiling *self);
gint64 dyno_ceiling_get_measured_at (DynoCeiling *self);

/* Returns its name, such as `fp32 AVX-512`, `DRAM read` or `L2 latency`. The caller owns it. */
char *dyno_ceiling_dup_name (DynoCeiling *self);
/* Returns its name with its threads, such as `L2 read with 2 threads`. The caller owns it. */
char *dyno_ceiling_dup_title (DynoCeiling *self);

/* Returns whether it replaces another measurement of the same ceiling: a lower latency, or a higher rate. An array that
 * was too small for main memory may be faster than it, and never replaces a larger one. */
gboolean dyno_ceiling_is_better (DynoCeiling *self, DynoCeiling *other);
/* Returns whether both describe the same measurement: all their properties are equal. */
gboolean dyno_ceiling_equal (gconstpointer a, gconstpointer b);

/* Returns its properties by name. The caller owns it. */
JsonObject *dyno_ceiling_to_json (DynoCeiling *self);
/* Returns the ceiling, or NULL if a member is of the wrong type or out of range, or the id or the unit is
 * missing. The caller owns it. @members: as from dyno_ceiling_to_json(); a missing member has its default. */
DynoCeiling *dyno_ceiling_from_json (JsonObject *members);

G_END_DECLS
