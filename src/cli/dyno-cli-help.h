/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cli.h"

G_BEGIN_DECLS

/**
 * DYNO_CLI_GROUP:
 * @title: a literal
 *
 * An element of a command's entries: the help shows this title above the options that follow.
 */
#define DYNO_CLI_GROUP(title)                                                                                \
  {                                                                                                          \
    "", 0, 0, G_OPTION_ARG_NONE, NULL, title, NULL                                                           \
  }

/* Returns whether the entry is a title of a group. */
gboolean dyno_cli_help_is_group (const GOptionEntry *entry);
/* Returns the help of the command. The caller owns it. @entries: its options; a title precedes those of its
 * group and may occur again. */
char *dyno_cli_help_to_string (const DynoCliCommand *command, GArray *entries);
/* Returns the text wrapped to the width of the help. The caller owns it. @text: paragraphs; a line that
 * begins with a space is not wrapped. */
char *dyno_cli_help_wrap (const char *text);

G_END_DECLS
