/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

void dyno_cli_notes_print (GPtrArray *results, const char *doubt);
/* Prints each sentence once, with all its subjects; prints nothing if there are none. */
void dyno_cli_notes_print_grouped (GPtrArray *subjects,
                                   GPtrArray *sentences,
                                   const char *heading,
                                   const char *text_heading);
/* Returns whether `--notes` was given, which prints in full the notes that are one line otherwise. */
gboolean dyno_cli_notes_are_wanted (void);
/* Returns the options of every command that prints notes. */
const GOptionEntry *dyno_cli_notes_get_entries (void);

G_END_DECLS
