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

gboolean dyno_cli_help_is_group (const GOptionEntry *entry);
char *dyno_cli_help_to_string (const DynoCliCommand *command, GArray *entries);
char *dyno_cli_help_wrap (const char *text);

G_END_DECLS
