/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "dyno-llamacpp-private.h"

/* The functions that llama.c does not define; none of them may be called. */
#define STUB(result, name, arguments)                                                                        \
  void name (void) __attribute__ ((weak));                                                                   \
  void name (void)                                                                                           \
  {                                                                                                          \
    abort ();                                                                                                \
  }

LLAMA_FUNCTIONS (STUB)
