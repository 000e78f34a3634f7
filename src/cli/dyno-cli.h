/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * DynoCliStatus:
 * @DYNO_CLI_OK: everything worked
 * @DYNO_CLI_FAILED: a case, or the command itself, failed
 * @DYNO_CLI_USAGE: the command line is wrong
 * @DYNO_CLI_WORSE: a case is shown to be worse than allowed, or to differ from the run that was repeated
 * @DYNO_CLI_UNDECIDED: whether a run was repeated cannot be told for all of its cases
 *
 * The exit status of `dyno-cli`.
 */
typedef enum
{
  DYNO_CLI_OK = 0,
  DYNO_CLI_FAILED = 1,
  DYNO_CLI_USAGE = 2,
  DYNO_CLI_WORSE = 3,
  DYNO_CLI_UNDECIDED = 4,
} DynoCliStatus;

typedef struct _DynoCliCommand DynoCliCommand;

/**
 * DynoCliCommand:
 * @name: the word after `dyno-cli`
 * @parameters: the text after the options in the first line of its help
 * @summary: one sentence for lists of commands
 * @description: a longer description, with examples
 * @actions: (nullable): the words that may follow @name, NULL-terminated
 * @prints_answer: whether it takes `--format` and `--json`
 * @prints_notes: whether it takes `--notes`
 * @prints_tables: whether it takes `--wide`
 * @run: runs it; @arguments are its options and parameters
 *
 * A command of `dyno-cli`. Its help is English in every language, as its manual page is.
 */
struct _DynoCliCommand
{
  const char *name;
  const char *parameters;
  const char *summary;
  const char *description;
  const char *const *actions;
  gboolean prints_answer;
  gboolean prints_notes;
  gboolean prints_tables;
  DynoCliStatus (*run) (const DynoCliCommand *self, char **arguments, GError **error);
};

extern const DynoCliCommand dyno_cli_baseline_command;
extern const DynoCliCommand dyno_cli_ceilings_command;
extern const DynoCliCommand dyno_cli_ci_command;
extern const DynoCliCommand dyno_cli_compare_command;
extern const DynoCliCommand dyno_cli_complete_command;
extern const DynoCliCommand dyno_cli_engines_command;
extern const DynoCliCommand dyno_cli_export_command;
extern const DynoCliCommand dyno_cli_hardware_command;
extern const DynoCliCommand dyno_cli_history_command;
extern const DynoCliCommand dyno_cli_import_command;
extern const DynoCliCommand dyno_cli_jobs_command;
extern const DynoCliCommand dyno_cli_list_command;
extern const DynoCliCommand dyno_cli_models_command;
extern const DynoCliCommand dyno_cli_open_command;
extern const DynoCliCommand dyno_cli_queue_command;
extern const DynoCliCommand dyno_cli_recommend_command;
extern const DynoCliCommand dyno_cli_report_command;
extern const DynoCliCommand dyno_cli_run_command;
extern const DynoCliCommand dyno_cli_selftest_command;
extern const DynoCliCommand dyno_cli_serve_command;
extern const DynoCliCommand dyno_cli_show_command;
extern const DynoCliCommand dyno_cli_store_command;
extern const DynoCliCommand dyno_cli_tune_command;
extern const DynoCliCommand dyno_cli_verify_command;

/* Parses the options of a command; `--help` prints its help and ends the process. Returns the arguments that
 * are not options; NULL with @error set, or without if options are only collected. @entries: its options,
 * maybe in groups. */
char **dyno_cli_parse (const DynoCliCommand *command,
                       const GOptionEntry *entries,
                       char **arguments,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Returns whether the number of arguments is allowed. @at_least: the minimum number. @at_most: the maximum
 * number. */
gboolean dyno_cli_expect_arguments (char **arguments, guint at_least, guint at_most, GError **error);
const DynoCliCommand *const *dyno_cli_list_commands (void);
const DynoCliCommand *dyno_cli_find_command (const char *name);
/* Returns the most similar word, or one that begins with it; NULL if there is none. */
const char *dyno_cli_find_similar (const char *word, const char *const *known);
/* Returns the action of that name from @command; NULL if there is none. @word may be NULL. @error: suggests a
 * similar action. */
const char *dyno_cli_find_action (const DynoCliCommand *command, const char *word, GError **error);
/* Returns the row of a table for the action of that name, as dyno_cli_find_action() does. @rows: a row of @size bytes
 * for each action of @command, in the same order. */
gconstpointer dyno_cli_find_row (
    const DynoCliCommand *command, const char *word, gconstpointer rows, gsize size, GError **error);
/* @entries: receives the options of the next calls of dyno_cli_parse(), whose commands then do nothing; NULL
 * to parse again. */
void dyno_cli_collect_entries (GArray *entries);
/* From now on, shows control characters in output for people, writes it in the locale's character set, and
 * lets the process fail with a message if its output cannot be written: a full disk, a closed pipe. */
void dyno_cli_guard_output (void);
/* From now on, the process fails with a message if it gets no memory. */
void dyno_cli_guard_memory (void);
/* Lets that message be in the language of the user, which is known now. */
void dyno_cli_translate_last_words (void);
/* Ends the process without unloading libraries: a thread that was cancelled, such as one that probed an
 * engine, may still use them and is not waited for. Processes that it started end with this one. @status: the
 * exit status, unless the output cannot be written. */
G_NORETURN void dyno_cli_end (DynoCliStatus status);
/* Replaces the last line of the terminal. @line: the progress, or NULL at the end. */
void dyno_cli_show_progress (const char *line);
/* Prints a message to standard error. */
void dyno_cli_warn (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Prints a text for people, wrapped to the width of the terminal. */
void dyno_cli_say (const char *format, ...) G_GNUC_PRINTF (1, 2);
void dyno_cli_print_json (JsonNode *node);
/* Checks an output file before a long operation. Returns whether it can be written. @path may be NULL. */
gboolean dyno_cli_check_output_file (const char *path, GError **error);
/* Returns whether the bytes were written. @path: a file, or NULL or `-` for the standard output. @bytes: the
 * bytes to write unchanged, except that control characters are shown on a terminal. */
gboolean dyno_cli_write_bytes (const char *path, GBytes *bytes, GError **error);
/* Returns whether the text was written. @path: a file, or NULL or `-` for the standard output. */
gboolean dyno_cli_write (const char *path, const char *text, GError **error);

G_END_DECLS
