/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "machine-tree.h"

/* The file stays the same one, as in the kernel: who holds it open sees the change. */
static inline void
overwrite (MachineTree *tree, const char *path, const char *text)
{
  g_autofree char *name = g_build_filename (tree->root, path, NULL);
  int file = open (name, O_WRONLY | O_TRUNC);

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (write (file, text, strlen (text)), ==, (gssize)strlen (text));
  close (file);
}
