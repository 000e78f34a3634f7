/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoAmdRead:
 * @board: a board
 * @value: (out): the number
 *
 * Reads one number of a board.
 *
 * Returns: whether the board reports it
 */
typedef gboolean (*DynoAmdRead) (gpointer board, double *value);

/**
 * DynoAmdReadProcess:
 * @board: a board
 * @pid: a process
 * @value: (out): the number
 *
 * Reads one number of a process on a board.
 *
 * Returns: whether the process is on it
 */
typedef gboolean (*DynoAmdReadProcess) (gpointer board, GPid pid, double *value);

/**
 * DynoAmdLibrary:
 * @name: its name
 * @list_boards: opens it and lists the boards, at least one; a board is an opaque number or pointer of the
 * library's
 * @dup_address: a board's address on the PCI bus, NULL if unknown
 * @dup_name: a board's name for people, NULL if unknown
 * @read_energy: the board's energy counter and the size of its step
 * @read_power: watts
 * @read_temperature: °C at the board's edge
 * @read_memory: MB of the board's memory in use, by all processes together
 * @read_activity: the share of the time in which the board works, averaged by its firmware, in per cent
 * @read_memory_activity: the share of the time in which its memory is accessed, in per cent
 * @read_process_memory: MB of it in use by one process
 *
 * The readings of a board that both of AMD's libraries offer. They are opened at run time.
 */
typedef struct
{
  const char *name;
  GPtrArray *(*list_boards) (GError **error);
  char *(*dup_address) (gpointer board);
  char *(*dup_name) (gpointer board);
  gboolean (*read_energy) (gpointer board, guint64 *steps, double *joules_per_step);
  DynoAmdRead read_power;
  DynoAmdRead read_temperature;
  DynoAmdRead read_memory;
  DynoAmdRead read_activity;
  DynoAmdRead read_memory_activity;
  DynoAmdReadProcess read_process_memory;
} DynoAmdLibrary;

extern const DynoAmdLibrary dyno_amd_smi;
extern const DynoAmdLibrary dyno_rocm_smi;

/* Opens AMD SMI, or else ROCm SMI; never both, because they report the same boards. Returns the library;
 * NULL if there is none. @boards: the boards it knows, at least one. @error: return location for an error:
 * why neither reports a board. */
const DynoAmdLibrary *dyno_amd_library_open (GPtrArray **boards, GError **error);
/* Returns the address, as the kernel writes it. The caller owns it. @function: bus, device and function, as
 * PCI packs them into 16 bits; higher bits are ignored. */
char *dyno_amd_library_format_address (guint64 domain, guint64 function);

G_END_DECLS
