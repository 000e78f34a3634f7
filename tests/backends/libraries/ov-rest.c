/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every function of OpenVINO that “ov.c” lacks; it does nothing and succeeds. */
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
