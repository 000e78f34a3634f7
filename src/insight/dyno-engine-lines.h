/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"

G_BEGIN_DECLS

/**
 * DynoEngineLines:
 * @title: the engine and the language
 * @text: lines of a program, with newlines
 *
 * What to write to have an engine run a model as it was measured.
 */
typedef struct
{
  char *title;
  char *text;
} DynoEngineLines;

/* Options of an engine that these lines have no words for are in the command only. Returns what to write,
 * by engine and language; the command of Dyno last. Elements are DynoEngineLines. @n_processors: the
 * number of threads to write where the engine chooses it. */
GPtrArray *dyno_engine_lines_list (DynoCase *kase, guint n_processors);

G_END_DECLS
