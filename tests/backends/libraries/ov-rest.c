/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every function of OpenVINO's that “ov.c” does not have; it does nothing, and that without an error. */
#include "dyno-ov-api.h"

/* clang-format off */
#define OV_DO_NOTHING(result, name, arguments)              \
  __attribute__ ((weak)) result ov_##name arguments;        \
  result                                                    \
  ov_##name arguments                                       \
  {                                                         \
    return (result)0;                                       \
  }
/* clang-format on */

OV_FUNCTIONS (OV_DO_NOTHING)
