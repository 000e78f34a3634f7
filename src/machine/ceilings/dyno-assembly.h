/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Kernels are written in assembly, because a compiler would spill, reorder or fold away the measured
 * instructions. These macros write the same line for register 0, 1, 2 and so on. */

/* clang-format off */
#define DYNO_TIMES_4(line, ...)                                                                              \
  line (0, __VA_ARGS__) line (1, __VA_ARGS__) line (2, __VA_ARGS__) line (3, __VA_ARGS__)
#define DYNO_TIMES_8(line, ...)                                                                              \
  DYNO_TIMES_4 (line, __VA_ARGS__)                                                                           \
  line (4, __VA_ARGS__) line (5, __VA_ARGS__) line (6, __VA_ARGS__) line (7, __VA_ARGS__)
#define DYNO_TIMES_12(line, ...)                                                                             \
  DYNO_TIMES_8 (line, __VA_ARGS__)                                                                           \
  line (8, __VA_ARGS__) line (9, __VA_ARGS__) line (10, __VA_ARGS__) line (11, __VA_ARGS__)
#define DYNO_TIMES_16(line, ...)                                                                             \
  DYNO_TIMES_12 (line, __VA_ARGS__)                                                                          \
  line (12, __VA_ARGS__) line (13, __VA_ARGS__) line (14, __VA_ARGS__) line (15, __VA_ARGS__)
#define DYNO_TIMES_24(line, ...)                                                                             \
  DYNO_TIMES_16 (line, __VA_ARGS__)                                                                          \
  line (16, __VA_ARGS__) line (17, __VA_ARGS__) line (18, __VA_ARGS__) line (19, __VA_ARGS__)                \
  line (20, __VA_ARGS__) line (21, __VA_ARGS__) line (22, __VA_ARGS__) line (23, __VA_ARGS__)
/* clang-format on */

#if defined(__x86_64__)

#define DYNO_LOW_REGISTERS                                                                                   \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
      "xmm13", "xmm14", "xmm15"
#define DYNO_HIGH_REGISTERS                                                                                  \
  "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",         \
      "xmm27", "xmm28", "xmm29", "xmm30", "xmm31"
#define DYNO_ALL_REGISTERS DYNO_LOW_REGISTERS, DYNO_HIGH_REGISTERS

#elif defined(__aarch64__)

#define DYNO_ALL_REGISTERS                                                                                   \
  "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15",      \
      "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29",      \
      "v30", "v31"

#endif
