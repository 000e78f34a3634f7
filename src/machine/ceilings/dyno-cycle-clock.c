/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-clock.h"
#include "dyno-machine-ceilings-private.h"

/* Long compared with the clock's resolution, short compared with the time in which a processor changes its
 * frequency. */
#define N_TURNS        2500
#define LINKS_PER_TURN 8

/* Each link waits for the one before it, so only its latency counts. Multiplication takes three cycles on
 * every x86-64 core since 2008 (Nehalem, Zen); some cores fold additions of constants away before they
 * run. */
#if defined(__x86_64__)
#define CYCLES_PER_LINK 3
#define LINK            "imul %[value], %[value]\n\t"
#define TURN_END        "dec %[turns]\n\tjnz 1b"
#elif defined(__aarch64__)
#define CYCLES_PER_LINK 1
#define LINK            "eor %[value], %[value], %[turns]\n\t"
#define TURN_END        "subs %[turns], %[turns], #1\n\tb.ne 1b"
#endif

double
dyno_cycle_clock_measure (void)
{
#ifdef LINK
  guint64 value = 3, turns = N_TURNS;
  gint64 start = dyno_clock_now_ns ();

  __asm__ volatile(".balign 64\n1:\n\t" LINK LINK LINK LINK LINK LINK LINK LINK TURN_END
                   : [value] "+r"(value), [turns] "+r"(turns)
                   :
                   : "cc");
  return (double)N_TURNS * LINKS_PER_TURN * CYCLES_PER_LINK * 1e9 / (double)(dyno_clock_now_ns () - start);
#else
  return 0;
#endif
}
