/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the machine code: the loop of every kernel contains the operation and the loop counter, and nothing else. */
#include <dlfcn.h>
#include <glib.h>
#include <string.h>

#include "dyno-compute-kernel.h"
#include "dyno-memory-kernel.h"
#include "suite.h"

/* More than the longest kernel has. */
#define MOST_BYTES 8192

#if defined(__x86_64__)
#define BRANCH  "jne"
#define COUNTER "dec"
#define STEPS   "add sub jne"
#else
#define BRANCH  "b.ne"
#define COUNTER "subs"
#define STEPS   "add subs b.ne"
#endif

typedef struct
{
  guint64 address;
  char *mnemonic;
  char *operands;
} Instruction;

static void
instruction_clear (gpointer data)
{
  Instruction *self = data;

  g_free (self->mnemonic);
  g_free (self->operands);
}

/* A line is “ address:⇥prefix mnemonic operands”. */
static void
add_instruction (GArray *code, const char *line)
{
  static GRegex *pattern = NULL;
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *address = NULL;
  Instruction instruction;

  if (pattern == NULL)
    pattern = g_regex_new ("^\\s*([0-9a-f]+):\\s+(?:\\{\\w+\\}\\s+)?(\\S+)\\s*(.*)$", 0, 0, NULL);
  if (!g_regex_match (pattern, line, 0, &match))
    return;
  address = g_match_info_fetch (match, 1);
  instruction.address = g_ascii_strtoull (address, NULL, 16);
  instruction.mnemonic = g_match_info_fetch (match, 2);
  instruction.operands = g_match_info_fetch (match, 3);
  g_array_append_val (code, instruction);
}

static char *
disassemble (gconstpointer function)
{
  g_autofree char *objdump = g_find_program_in_path ("objdump");
  g_autofree char *start = NULL;
  g_autofree char *stop = NULL;
  g_autoptr (GError) error = NULL;
  char *text = NULL;
  Dl_info info;

  if (objdump == NULL)
    return NULL;
  g_assert_true (dladdr (function, &info));
  start = g_strdup_printf ("--start-address=0x%zx", (gsize)function - (gsize)info.dli_fbase);
  stop = g_strdup_printf ("--stop-address=0x%zx", (gsize)function - (gsize)info.dli_fbase + MOST_BYTES);
  {
    const char *arguments[] = { objdump, "-d", "--no-show-raw-insn", start, stop, "/proc/self/exe", NULL };
    g_autofree char *self = g_file_read_link (arguments[5], NULL);

    arguments[5] = self;
    g_assert_true (g_spawn_sync (NULL, (char **)arguments, NULL, 0, NULL, NULL, &text, NULL, NULL, &error));
    g_assert_no_error (error);
  }
  return text;
}

/* The instructions from the target of the first backward branch up to that branch: the innermost loop. */
static GArray *
find_loop (GArray *code)
{
  for (guint end = 0; end < code->len; end++)
    {
      Instruction *branch = &g_array_index (code, Instruction, end);
      guint64 target = g_ascii_strtoull (branch->operands, NULL, 16);

      if (strcmp (branch->mnemonic, BRANCH) != 0 || target >= branch->address)
        continue;
      g_array_set_size (code, end + 1);
      while (g_array_index (code, Instruction, 0).address < target)
        g_array_remove_index (code, 0);
      return g_array_ref (code);
    }
  return NULL;
}

static GArray *
dup_loop (gconstpointer function)
{
  g_autofree char *text = disassemble (function);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  g_autoptr (GArray) code = g_array_new (FALSE, FALSE, sizeof (Instruction));
  GArray *loop;

  if (text == NULL)
    {
      g_test_skip ("there is no objdump: install binutils");
      return NULL;
    }
  g_array_set_clear_func (code, instruction_clear);
  for (guint i = 0; lines[i] != NULL; i++)
    add_instruction (code, lines[i]);
  loop = find_loop (code);
  g_assert_nonnull (loop);
  return loop;
}

static guint
count (GArray *loop, const char *mnemonics)
{
  g_auto (GStrv) wanted = g_strsplit (mnemonics, " ", -1);
  guint n = 0;

  for (guint i = 0; i < loop->len; i++)
    n += g_strv_contains ((const char *const *)wanted, g_array_index (loop, Instruction, i).mnemonic);
  return n;
}

static void
test_compute (gconstpointer data)
{
  const DynoComputeKernel *kernel = data;
  g_autoptr (GArray) loop = dup_loop (kernel->run);
  guint n_operations = loop != NULL ? count (loop, kernel->instructions) : 0;

  if (loop == NULL)
    return;
  g_assert_cmpuint (n_operations, ==, kernel->n_chains * kernel->passes);
  g_assert_cmpuint (count (loop, COUNTER " " BRANCH), ==, 2);
  g_assert_cmpuint (loop->len, ==, n_operations + 2);
  for (guint i = 0; i < loop->len; i++)
    g_assert_null (strpbrk (g_array_index (loop, Instruction, i).operands, "(["));
}

static void
test_memory (gconstpointer data)
{
  const DynoMemoryKernel *kernel = data;
  g_autoptr (GArray) loop = dup_loop (kernel->run);
  g_autofree char *expected = g_strconcat (kernel->instructions, " " STEPS, NULL);

  if (loop == NULL)
    return;
  g_assert_cmpuint (count (loop, kernel->instructions), >=, 8 * dyno_memory_mix_count_streams (kernel->mix));
  g_assert_cmpuint (count (loop, expected), ==, loop->len);
  g_assert_cmpuint (count (loop, "jne b.ne"), ==, 1);
}

static void
add_tests (void)
{
  guint n_compute, n_memory;
  const DynoComputeKernel *compute = dyno_compute_kernel_list (&n_compute);
  const DynoMemoryKernel *memory = dyno_memory_kernel_list (&n_memory);

  for (guint i = 0; i < n_compute; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ceilings-loops/%s", compute[i].id);

      g_test_add_data_func (path, &compute[i], test_compute);
    }
  for (guint i = 0; i < n_memory; i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/ceilings-loops/%s/%s/%s", dyno_memory_mix_get_name (memory[i].mix),
                           memory[i].past_caches ? "past-caches" : "cached", memory[i].instruction_set);

      g_test_add_data_func (path, &memory[i], test_memory);
    }
}

SUITE_ADD (add_tests)
