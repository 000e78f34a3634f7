/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"

G_BEGIN_DECLS

/**
 * DynoEngineLines:
 * @title: the engine and the language
 * @text: lines of a program, separated by newlines
 *
 * Lines of a program that make an engine run a model as it was measured.
 */
typedef struct
{
  char *title;
  char *text;
} DynoEngineLines;

/* Returns the lines to write, by engine and language; the command of Dyno is last. Options of an engine
 * that these lines cannot express are in the command only. Elements are DynoEngineLines. @n_processors: the
 * number of threads to write where the engine chooses it. */
GPtrArray *dyno_engine_lines_list (DynoCase *kase, guint n_processors);

G_END_DECLS
