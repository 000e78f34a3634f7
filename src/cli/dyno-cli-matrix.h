/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-compatibility.h"

G_BEGIN_DECLS

/**
 * DynoCliMatrixOptions:
 * @models: (array zero-terminated=1): what to look at
 * @precisions: (nullable) (array zero-terminated=1): lists of precisions; `fp32` when none
 * @batch_size: items at once
 * @sequence_length: tokens of an item
 * @flags: whether what is known of the backends will do
 */
typedef struct
{
  char **models;
  char **precisions;
  int batch_size;
  int sequence_length;
  DynoProberFlags flags;
} DynoCliMatrixOptions;

/* Returns what runs where, and why not. Elements are DynoCompatibility. */
GPtrArray *dyno_cli_matrix_build (const DynoCliMatrixOptions *options, GError **error);
/* Tries those that nothing is known against and those that failed in an earlier run, one after the other.
 * @cells holds DynoCompatibility. */
void dyno_cli_matrix_try (GPtrArray *cells);
/* Prints them as a table for people. @cells holds DynoCompatibility. */
void dyno_cli_matrix_print (GPtrArray *cells);
/* Prints them for machines. @cells holds DynoCompatibility. */
void dyno_cli_matrix_print_json (GPtrArray *cells);

G_END_DECLS
