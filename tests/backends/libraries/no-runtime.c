/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A library that has nothing to do with ONNX Runtime. */
int no_runtime_answer (void);

int
no_runtime_answer (void)
{
  return 42;
}
