/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in of ONNX Runtime that crashes as soon as it is registered. */
#include <signal.h>

void *CreateEpFactories (void);
void *ReleaseEpFactory (void);

void *
CreateEpFactories (void)
{
  raise (SIGSEGV);
  return 0;
}

void *
ReleaseEpFactory (void)
{
  return 0;
}
