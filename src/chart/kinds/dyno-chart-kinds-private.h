/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-axis.h"
#include "dyno-chart-base-private.h"
#include "dyno-chart-cases.h"
#include "dyno-load-summary.h"
#include "dyno-result.h"
#include "dyno-roofline.h"
#include "dyno-series.h"

G_BEGIN_DECLS

/* dyno-bars */

/**
 * DynoBars:
 *
 * Turns cases into bars. The bars of one backend or, if runs are compared, of one run form a series. A few
 * series share the rows, so that bars to compare are adjacent; with more series, each bar has its own row.
 * Estimates have their own series, which are hatched.
 */
typedef struct _DynoBars DynoBars;

/* Creates the series in the order of the plan, which the legend keeps. Returns the state of a chart of bars,
 * without any yet. @cases holds DynoChartCase. @varying: the DynoDimension in which all cases of the chart
 * differ. @is_estimated may be NULL. */
DynoBars *dyno_bars_new (DynoChart *chart,
                         GPtrArray *cases,
                         guint varying,
                         const char *value,
                         gboolean (*is_estimated) (const DynoChartCase *kase));
void dyno_bars_free (DynoBars *self);

/* Makes the bars those of one model, in a panel with its name. @leaders: the series of the previous panels;
 * those of this one are added to it. */
void dyno_bars_set_in_panel (DynoBars *self, GPtrArray *leaders);
/* Adds a bar below the existing ones. Returns its row. @low: the lower end of its interval; not finite for
 * none. */
guint dyno_bars_add (
    DynoBars *self, const DynoChartCase *kase, double value, double low, double high, const char *text);
/* Gives the chart or its last panel its axes, series and bars. Takes @values. */
void dyno_bars_fill (DynoBars *self, DynoAxis *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBars, dyno_bars_free)

/* dyno-energy-quality */

/**
 * DynoEnergyQuality:
 * @DYNO_ENERGY_MEASURED: a sensor measured the power
 * @DYNO_ENERGY_ESTIMATED: all of it is estimated
 * @DYNO_ENERGY_MIXED: a sensor measured some of the cases, but not all
 *
 * Whether the power in a chart was measured or estimated. All texts call estimates estimates.
 */
typedef enum
{
  DYNO_ENERGY_MEASURED,
  DYNO_ENERGY_ESTIMATED,
  DYNO_ENERGY_MIXED,
} DynoEnergyQuality;

/* Returns the common quality. */
DynoEnergyQuality dyno_energy_quality_from_count (guint n_estimated, guint n_all);
/* Returns the common quality. @cases holds DynoChartCase. */
DynoEnergyQuality dyno_energy_quality_from_cases (GPtrArray *cases);
/* Returns whether its power is known, but not from a sensor. */
gboolean dyno_energy_quality_is_estimated (const DynoChartCase *kase);
/* Returns the measured cases; all cases if none was measured. Elements are DynoChartCase. The caller owns the
 * list, but not its elements. @cases holds DynoChartCase. */
GPtrArray *dyno_energy_quality_select_comparable (GPtrArray *cases);

/* Returns the title, which mentions estimates. */
char *dyno_energy_quality_dup_heading (DynoEnergyQuality quality, const char *plain);
/* Returns the name, which mentions an estimate. */
char *dyno_energy_quality_dup_name (gboolean estimated, const char *plain);
/* Returns the amount for a sentence, which mentions an estimate. */
char *dyno_energy_quality_dup_amount (gboolean estimated, double number, const char *unit);
/* Returns the finding, which mentions that estimates are left out. @plain: its finding about the cases of
 * dyno_energy_quality_select_comparable(). */
char *dyno_energy_quality_dup_finding (DynoEnergyQuality quality, const char *plain);
/* Returns the caption, which mentions that power was estimated, and how. @cases holds DynoChartCase. */
char *dyno_energy_quality_dup_caption (GPtrArray *cases, const char *plain);

/* dyno-load-points */

/**
 * DynoLoadMark:
 * @kase: its case
 * @rate: requested items per second, 0 for a closed loop
 * @clients: the number of clients
 * @answered: answered items per second
 * @good: items per second that were answered within the limit
 * @p50: median latency, in ms; like those below, NaN if the rate was overloaded, because it then grew
 *   throughout
 * @p90: its 90th percentile; like the next, NaN if there are too few requests for it
 * @p99: its 99th percentile
 * @user_tokens: tokens per second for each user, 0 if unknown
 * @system_tokens: tokens per second of all users, likewise
 * @problems: DynoLoadProblems
 * @has_limit: whether there was a limit
 *
 * A stretch under load, as a point of a chart.
 */
typedef struct
{
  const DynoChartCase *kase;
  double rate;
  double clients;
  double answered;
  double good;
  double p50;
  double p90;
  double p99;
  double user_tokens;
  double system_tokens;
  guint problems;
  gboolean has_limit;
} DynoLoadMark;

/**
 * DynoLoadColumn:
 * @heading: its heading, to be translated
 * @number: the offset of its number in DynoLoadMark
 * @holds: (nullable): says yes or no in place of a number
 *
 * A column in the table of a chart of stretches.
 */
typedef struct
{
  const char *heading;
  gsize number;
  gboolean (*holds) (const DynoLoadMark *mark);
} DynoLoadColumn;

/* Returns the rate with the model's word for an item. */
char *dyno_load_points_format (const DynoLoadMark *mark, double rate);
/* A closed loop and a rate are never the same measurement, so they are never in one series. Returns all
 * stretches of that kind, in ascending order of a number; for searches for the capacity, those of the first
 * process. Elements are DynoLoadMark. @cases holds DynoChartCase. @number: the offset of a number in
 * DynoLoadMark. */
GArray *dyno_load_points_list (GPtrArray *cases, gboolean are_rates, gsize number);
gboolean dyno_load_points_has_rates (DynoResult *result);
gboolean dyno_load_points_has_loops (DynoResult *result);
gboolean dyno_load_points_has_any (DynoResult *result);
/* Returns a note that the chart shows only the first process of a search; NULL if there is none. @cases holds
 * DynoChartCase. */
char *dyno_load_points_dup_note (GPtrArray *cases);
/* Adds a row for each of @marks and then of @more, which may be NULL, to the table of the chart. A closed loop
 * has no requested rate. @cases holds DynoChartCase. @marks and @more hold DynoLoadMark. */
void dyno_load_points_add_rows (DynoChart *chart,
                                GPtrArray *cases,
                                const DynoLoadColumn *columns,
                                guint n_columns,
                                GArray *marks,
                                GArray *more);
/* Returns whether its queue grew throughout. */
gboolean dyno_load_points_is_overloaded (const DynoLoadMark *mark);
/* Returns whether it has too few requests for one of its percentiles. */
gboolean dyno_load_points_has_too_few (const DynoLoadMark *mark);
/* Returns whether its rate was delivered and kept within the limit. */
gboolean dyno_load_points_is_kept (const DynoLoadMark *mark);
/* Returns the series of the stretch: there is one for each combination of dimensions other than the load,
 * which the axes show. @all holds DynoSeries. @cases holds DynoChartCase. */
DynoSeries *dyno_load_points_find_series (
    GPtrArray *all, GPtrArray *cases, const DynoLoadMark *mark, const char *what, guint first_slot);

/* dyno-missing-roofs */

/**
 * DynoMissingRoofs:
 *
 * The devices, threads and placements of cases whose roofs are not measured, and the commands to measure
 * them; also the devices whose roofs cannot be measured, and why.
 */
typedef struct _DynoMissingRoofs DynoMissingRoofs;

DynoMissingRoofs *dyno_missing_roofs_new (void);
void dyno_missing_roofs_free (DynoMissingRoofs *self);
void dyno_missing_roofs_add (DynoMissingRoofs *self, const DynoChartCase *kase);
/* Returns how to measure the missing roofs, and why others cannot be measured; NULL if none is missing. */
char *dyno_missing_roofs_dup_note (DynoMissingRoofs *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoMissingRoofs, dyno_missing_roofs_free)

/* dyno-operator-kind */

/**
 * DynoOperatorKind:
 * @DYNO_OPERATOR_KIND_MATRIX: products of matrices
 * @DYNO_OPERATOR_KIND_CONVOLUTION: convolutions
 * @DYNO_OPERATOR_KIND_ATTENTION: attention in one piece, and softmax
 * @DYNO_OPERATOR_KIND_NORMALISATION: normalisations
 * @DYNO_OPERATOR_KIND_ELEMENTWISE: activations and other element-wise operators
 * @DYNO_OPERATOR_KIND_REDUCTION: reductions and pooling
 * @DYNO_OPERATOR_KIND_MOVEMENT: operators that move data and compute nothing
 * @DYNO_OPERATOR_KIND_OTHER: the rest
 *
 * The kinds of operators; each has its own colour.
 */
typedef enum
{
  DYNO_OPERATOR_KIND_MATRIX,
  DYNO_OPERATOR_KIND_CONVOLUTION,
  DYNO_OPERATOR_KIND_ATTENTION,
  DYNO_OPERATOR_KIND_NORMALISATION,
  DYNO_OPERATOR_KIND_ELEMENTWISE,
  DYNO_OPERATOR_KIND_REDUCTION,
  DYNO_OPERATOR_KIND_MOVEMENT,
  DYNO_OPERATOR_KIND_OTHER,
  DYNO_N_OPERATOR_KINDS,
} DynoOperatorKind;

/* Returns its kind. */
DynoOperatorKind dyno_operator_kind_from_type (const char *type);
/* Returns its name for people. */
const char *dyno_operator_kind_get_name (DynoOperatorKind kind);

/* dyno-operator-times */

/* Returns whether all operators have a time, so that shares of the total time are meaningful. */
gboolean dyno_operator_times_are_known (DynoResult *result);
/* Returns whether that is so and @is_shown holds for an operator. */
gboolean dyno_operator_times_have (DynoResult *result, gboolean (*is_shown) (DynoOperator *op));
/* Returns whether that is so and an operator took time. */
gboolean dyno_operator_times_have_any (DynoResult *result);
/* Returns why shares of the time are unknown, each reason once; NULL if they are known. @cases holds
 * DynoChartCase. */
char *dyno_operator_times_dup_reasons (GPtrArray *cases);
/* Returns which cases a chart of times leaves out, and why, as a line for a caption; empty for none. @cases
 * holds DynoChartCase. */
char *dyno_operator_times_dup_note (GPtrArray *cases);
/* Says why the chart shows the whole analysis where a part of the time is selected. */
void dyno_operator_times_tell_selection (DynoChart *chart);

/* dyno-pareto */

/* The trade-off between two values: the best of both is not available at once. */

/**
 * DynoParetoMetric:
 * @value: the stable name of a value
 * @unit: its unit
 * @title: its name for people, to be translated
 * @words: (nullable): the same within a title, to be translated
 */
typedef struct
{
  const char *value;
  const char *unit;
  const char *title;
  const char *words;
} DynoParetoMetric;

double dyno_pareto_get_number (const DynoChartCase *kase, const DynoParetoMetric *metric);
/* Returns the cases in order of increasing @x. Elements are DynoChartCase. The caller owns the list, but not
 * its elements. @cases holds DynoChartCase. */
GPtrArray *dyno_pareto_sort (GPtrArray *cases, const DynoParetoMetric *x, const DynoParetoMetric *y);
/* Returns the Pareto front in the same order: no other case is better in one value and no worse in the other.
 * Elements are DynoChartCase. The caller owns the list, but not its elements. @sorted holds DynoChartCase. */
GPtrArray *dyno_pareto_find_front (GPtrArray *sorted, const DynoParetoMetric *x, const DynoParetoMetric *y);
/* Returns an axis with room for all values, linear from zero unless they are far apart. @cases holds
 * DynoChartCase. */
DynoAxis *dyno_pareto_create_axis (GPtrArray *cases, const DynoParetoMetric *metric, const char *title);

/* dyno-roofline-groups */

/* The number of colours. */
#define DYNO_ROOFLINE_MAX_SERIES 8

/**
 * DynoRooflineFamily:
 * @name: the common name of its points
 * @series: their series
 * @slot: its colour
 *
 * A group of similar points.
 */
typedef struct
{
  const char *name;
  const char *series;
  guint slot;
} DynoRooflineFamily;

/**
 * DynoRooflineWords:
 * @point: the title of a column with the names of points
 * @series: the title of a column with their series
 * @shows_count: whether a point shows how many operators it represents, and its label is the family's name
 * @labels_once: whether one point of each family is named in the picture
 *
 * How points of operators are labelled.
 */
typedef struct
{
  const char *point;
  const char *series;
  gboolean shows_count;
  gboolean labels_once;
} DynoRooflineWords;

/**
 * DynoRooflineGroups:
 *
 * Groups of operators of one case as points below its roofs, shared by the roofline of types and that of
 * modules.
 */
typedef struct _DynoRooflineGroups DynoRooflineGroups;

/**
 * DynoRooflineFill:
 * @groups: groups without points
 * @result: the result of their case
 *
 * Adds or hides each of its operators.
 */
typedef void (*DynoRooflineFill) (DynoRooflineGroups *groups, DynoResult *result);

/* @op: an operator of the case with time, FLOPs and bytes. */
void dyno_roofline_groups_add (DynoRooflineGroups *self,
                               DynoOperator *op,
                               const char *key,
                               const char *name,
                               const DynoRooflineFamily *family);
void dyno_roofline_groups_hide (DynoRooflineGroups *self, DynoOperator *op);
/* Returns why none of the cases can be shown. @cases holds DynoChartCase. */
char *dyno_roofline_groups_dup_empty_message (GPtrArray *cases);
/* Shows the first case. @cases holds DynoChartCase. @words: how points are labelled. */
void dyno_roofline_groups_build (DynoChart *chart,
                                 GPtrArray *cases,
                                 const DynoRooflineWords *words,
                                 DynoRooflineFill fill);

/* dyno-roofs */

/**
 * DynoRoofs:
 * @n_threads: the number of processor threads of the case; 0 if that does not apply
 * @lines: its measured roofs
 *
 * The roofs of a case in a chart. The case owns the ceilings.
 */
typedef struct
{
  guint n_threads;
  DynoRoofline lines;
} DynoRoofs;

/**
 * DynoRoofsVerdict:
 * @roof: (nullable): the lowest roof above the point
 * @share: the share of that roof that it reaches; NaN without a roof
 * @memory_bound: whether it is left of the ridge of the slowest memory
 * @is_far: whether it is far below both roofs, so that neither limits it
 * @is_doubtful: whether these roofs vary too much to tell what limits it
 * @above: whether it is above every roof by more than 5 %
 */
typedef struct
{
  DynoCeiling *roof;
  double share;
  gboolean memory_bound;
  gboolean is_far;
  gboolean is_doubtful;
  gboolean above;
} DynoRoofsVerdict;

/**
 * DynoRoofsPlace:
 * @DYNO_ROOFS_DEVICE: the device
 * @DYNO_ROOFS_THREADS: the number of processor threads
 * @DYNO_ROOFS_PINNING: the placement of these
 *
 * The properties in which roofs of one chart may differ, besides their kind.
 */
typedef enum
{
  DYNO_ROOFS_DEVICE = 1 << 0,
  DYNO_ROOFS_THREADS = 1 << 1,
  DYNO_ROOFS_PINNING = 1 << 2,
} DynoRoofsPlace;

/* Finds the roofs of the device, the threads, the placement and the precision of a case. A case whose stages differ in
 * these has none as a whole. Returns whether there is any. @stage: the name of one of its stages; NULL for the whole
 * model. */
gboolean dyno_roofs_find (DynoRoofs *self, const DynoChartCase *kase, const char *stage);
/* Returns the compute ceilings of its device for its number of threads, in all precisions. Elements are
 * DynoCeiling. The caller owns the list, but not its elements. */
GPtrArray *dyno_roofs_list_compute (const DynoChartCase *kase);
/* Returns the intensity, in FLOP/byte, from which on the slowest memory suffices; NaN if unknown. */
double dyno_roofs_get_ridge (const DynoRoofs *self);
/* Does the same as dyno_roofline_place() for a given intensity. Without a memory roof, the distance to the
 * point's own roof is unknown; the only check is that it is not above the compute roof. @intensity: of the
 * work, in FLOP/byte. */
void dyno_roofs_judge (const DynoRoofs *self, double intensity, double rate, DynoRoofsVerdict *verdict);

/* Returns the properties in which they differ, which the name of each has to mention: a set of
 * DynoRoofsPlace. @ceilings holds DynoCeiling. */
guint dyno_roofs_get_varying (GPtrArray *ceilings);
/* Returns the varying properties of the ceiling, such as `8 threads · compact`; empty for none. */
char *dyno_roofs_dup_place (DynoCeiling *ceiling, guint varying, gboolean is_short);
/* Returns which ceilings are unreliable, and by how much; NULL if none is. @ceilings holds DynoCeiling. */
char *dyno_roofs_dup_disturbance (GPtrArray *ceilings);

/* dyno-roofline-scene */

/**
 * DynoRooflineScene:
 *
 * The common part of the roofline charts: points with their roofs, axes for all of them, and the relevant
 * roofs.
 */
typedef struct _DynoRoofline DynoRooflineScene;

/* Returns a roofline without points. @with_all: whether to show all roofs, not only those relevant to the
 * points. */
DynoRooflineScene *dyno_roofline_scene_new (gboolean with_all);
void dyno_roofline_scene_free (DynoRooflineScene *self);
/* Makes room for the point, and for the memories that could have served it. @intensity: in FLOP/byte. */
void dyno_roofline_scene_add_point (
    DynoRooflineScene *self, const DynoRoofs *roofs, double intensity, double rate, gboolean minor);
/* Adds the roofs of the case. @kase: a case that has points in it. */
void dyno_roofline_scene_add_case (DynoRooflineScene *self, const DynoChartCase *kase, const char *stage);
/* Adds the roofs of a device alone, with the fastest compute roof of each precision, and makes room for where they
 * meet. Returns these compute roofs. Elements are DynoCeiling. The caller owns the list, but not its
 * elements. @ceilings: holds DynoCeiling, all of one device, number of threads and placement. @roofs: its roofs. */
GPtrArray *dyno_roofline_scene_add_place (DynoRooflineScene *self, GPtrArray *ceilings, DynoRoofs *roofs);
/* Returns the factor that converts FLOP/s to the unit of the y axis. */
double dyno_roofline_scene_get_factor (DynoRooflineScene *self);
/* Gives the chart its axes, its roofs, and the choice between a few and all of them. */
void dyno_roofline_scene_fill (DynoRooflineScene *self, DynoChart *chart);
/* Returns which roofs are missing, and how to measure them or why that is impossible; NULL if none is
 * missing. */
char *dyno_roofline_scene_dup_note (DynoRooflineScene *self);

/* Returns how to read the picture, for a caption; empty if there are no roofs. The caller owns it. */
char *dyno_roofline_scene_describe_lines (DynoRooflineScene *self);
/* Returns which of its roofs varied while they were measured, as a line for a caption; empty for none. The
 * caller owns it. */
char *dyno_roofline_scene_describe_disturbance (DynoRooflineScene *self);
/* Returns the warning about points above their roofs; empty for none. The caller owns it. @n_above: the
 * number of points above their roofs. */
char *dyno_roofline_scene_describe_above (guint n_above);
/* Returns the verdict in words, such as `61 % of the fp32 AVX2 roof`. The caller owns it. */
char *dyno_roofline_scene_describe_verdict (const DynoRoofsVerdict *verdict);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRooflineScene, dyno_roofline_scene_free)

/* dyno-scaling */

/* Fills a chart of the latency over sizes, or of the throughput. */
void dyno_scaling_build (DynoChart *chart, GPtrArray *cases, gboolean is_latency);

/* dyno-sensor-traces */

/* The prefixes of the names of sensor traces. */
#define DYNO_TRACES_POWER       "power_"
#define DYNO_TRACES_TEMPERATURE "temperature_"
#define DYNO_TRACES_CLOCK       "clock_"
#define DYNO_TRACES_THROTTLED   "throttled_"
#define DYNO_TRACES_USAGE       "utilisation_"

/* Returns the traces with readings, in the order of the result; only those of the first invocation, which
 * alone has power. Elements are DynoTrace. The caller owns the list, not what is in it. */
GPtrArray *dyno_sensor_traces_list (DynoResult *result, const char *prefix);
/* Returns the part of the machine. */
const char *dyno_sensor_traces_get_part (DynoTrace *power);
const char *dyno_sensor_traces_get_part_name (DynoTrace *power);
/* Returns the power of the part most relevant to the work; NULL if there is none. */
DynoTrace *dyno_sensor_traces_find_main_power (DynoResult *result);
/* Returns a series of means: a point of the trace is the mean since the previous point, so each is drawn from there. The
 * caller owns it. @trace: has at least one point. */
DynoSeries *dyno_sensor_traces_create_means (DynoTrace *trace, const char *name, guint slot);

/* dyno-time-table */

/* Creates the layer for the readings of a case. @is_single: whether it is the only one. */
typedef DynoLayer *(*DynoTimeLayer) (DynoSeries *series, gboolean is_single);

/* Adds the headings of a table of readings over time. */
void dyno_time_table_add_head (DynoChart *chart, const char *title, const char *unit);
/* Adds rows for the readings: one each, or in long series one for several, to keep the table readable. @kase
 * may be NULL. */
void dyno_time_table_add_series (DynoChart *chart, DynoSeries *series, const DynoChartCase *kase);
/* Returns a layer of the phases, and of the stages of a model of several graphs in its first process. */
DynoLayer *dyno_time_table_create_spans (DynoTrace *phases, const DynoChartCase *kase);
/* Adds the readings of each case to the picture and to the table, above the phases of the case if it is the
 * only one. Returns the series, in the order of the cases. Elements are DynoSeries. The caller owns it.
 * @cases holds DynoChartCase. */
GPtrArray *dyno_time_table_add_cases (
    DynoChart *chart, GPtrArray *cases, const char *trace, const char *value, DynoTimeLayer create_layer);

G_END_DECLS
