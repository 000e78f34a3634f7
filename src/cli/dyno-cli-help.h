/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cli.h"

G_BEGIN_DECLS

/**
 * DYNO_CLI_GROUP:
 * @title: a literal
 *
 * Stands among the entries of a command: the title that its help gives to the options behind it.
 */
#define DYNO_CLI_GROUP(title)                                                                                \
  {                                                                                                          \
    "", 0, 0, G_OPTION_ARG_NONE, NULL, title, NULL                                                           \
  }

/* Returns whether it is the title of the options behind it. */
gboolean dyno_cli_help_is_group (const GOptionEntry *entry);
/* Returns its help. The caller owns it. @entries: its options; a title stands before those of its group,
 * and may come again. */
char *dyno_cli_help_to_string (const DynoCliCommand *command, GArray *entries);
/* Returns the text as wide as the help is. The caller owns it. @text: paragraphs, in which a line that
 * begins with a space stays as it is. */
char *dyno_cli_help_wrap (const char *text);

G_END_DECLS
