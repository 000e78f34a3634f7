/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"
#include "dyno-chart-private.h"

G_BEGIN_DECLS

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
/* Shows the first case that has data. @chart: a chart that has only a title. @cases holds DynoChartCase.
 * @words: how points are labelled. */
void dyno_roofline_groups_build (DynoChart *chart,
                                 GPtrArray *cases,
                                 const DynoRooflineWords *words,
                                 gboolean (*has_data) (DynoResult *result),
                                 DynoRooflineFill fill);

G_END_DECLS
