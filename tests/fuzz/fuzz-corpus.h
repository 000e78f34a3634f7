/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-command.h"

G_BEGIN_DECLS

/**
 * FuzzFunc:
 * @data: bytes as a stranger may send them
 * @size: their number
 *
 * Reads the bytes as Dyno would. It aborts if it gets neither a result nor an error, or a result that is not consistent.
 */
typedef void (*FuzzFunc) (const guint8 *data, gsize size);

/**
 * FUZZ_TARGET:
 * @read: the #FuzzFunc of the file
 *
 * Under `./dev fuzz` each file is a program of libFuzzer, which makes up inputs from the corpus. As ordinary tests they are one
 * program, `test-fuzz NAME CORPUS`, which reads the corpus, and the same files cut off, with other bytes, or with a part twice.
 */
#ifdef DYNO_LIBFUZZER
#define FUZZ_TARGET(read)                                                                                    \
  int LLVMFuzzerTestOneInput (const guint8 *data, size_t size)                                               \
  {                                                                                                          \
    read (data, size);                                                                                       \
    return 0;                                                                                                \
  }
#else
#define FUZZ_TARGET(read)                                                                                    \
  __attribute__ ((constructor)) static void add_target (void)                                                \
  {                                                                                                          \
    fuzz_corpus_add (__FILE__, read);                                                                        \
  }
#endif

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);
int LLVMFuzzerInitialize (int *argc, char ***argv);
void fuzz_corpus_add (const char *file, FuzzFunc read);

/* fuzz-file */

/* Returns the path of a file of that name with these bytes, for a parser that opens files; valid until the next call.
 * @name: a name without folders, which decides how the parser reads the file. */
const char *fuzz_file_write (const char *name, const guint8 *data, gsize size);
/* Returns the folder of such files, which the process removes at its end. */
const char *fuzz_file_get_folder (void);
/* Removes a folder with all that is in it. */
void fuzz_file_remove (const char *path);
/* Ends the process, as skipped, if the target lacks what it reads with. @why: a sentence. */
G_NORETURN void fuzz_skip (const char *why);

/* fuzz-command */

/* Makes every command that Dyno starts from now on succeed, and print these bytes. They are not copied. */
void fuzz_command_answer (const guint8 *data, gsize size);
/* The linker puts it in place of dyno_command_run(), because starting a process takes as long as reading hundreds of inputs. */
gboolean __wrap_dyno_command_run (GSubprocessLauncher *launcher,
                                  const char *const *words,
                                  const char *input,
                                  const DynoCommandLimits *limits,
                                  GCancellable *cancellable,
                                  DynoCommandAnswer *answer,
                                  GError **error);

G_END_DECLS
