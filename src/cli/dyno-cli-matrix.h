/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-compatibility.h"

G_BEGIN_DECLS

/**
 * DynoCliMatrixOptions:
 * @models: (array zero-terminated=1): the models to check
 * @precisions: (nullable) (array zero-terminated=1): lists of precisions; `fp32` if NULL
 * @batch_size: items per batch
 * @sequence_length: tokens of an item
 * @flags: whether earlier probes of the backends will do
 */
typedef struct
{
  char **models;
  char **precisions;
  int batch_size;
  int sequence_length;
  DynoProberFlags flags;
} DynoCliMatrixOptions;

/* Returns which model runs on which device, and why others do not. Elements are DynoCompatibility. */
GPtrArray *dyno_cli_matrix_build (const DynoCliMatrixOptions *options, GError **error);
/* Tries the combinations that may run and those that failed in an earlier run, one after the other. @cells
 * holds DynoCompatibility. */
void dyno_cli_matrix_try (GPtrArray *cells);
/* Prints the cells as a table. @cells holds DynoCompatibility. */
void dyno_cli_matrix_print (GPtrArray *cells);
/* Prints the cells as JSON. @cells holds DynoCompatibility. */
void dyno_cli_matrix_print_json (GPtrArray *cells);

G_END_DECLS
