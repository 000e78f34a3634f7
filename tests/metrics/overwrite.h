/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "machine-tree.h"

/* The file keeps its inode, as in the kernel: open descriptors see the change. */
static inline void
overwrite (MachineTree *tree, const char *path, const char *text)
{
  g_autofree char *name = g_build_filename (tree->root, path, NULL);
  int file = open (name, O_WRONLY | O_TRUNC);

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (write (file, text, strlen (text)), ==, (gssize)strlen (text));
  close (file);
}

/* A chip of the kernel's folder hwmon that sits on a device of the PCI bus and is renewed every millisecond. */
static inline void
add_chip (MachineTree *tree, const char *folder, const char *name, const char *address)
{
  g_autofree char *chip = g_build_filename ("sys/class/hwmon", folder, NULL);
  g_autofree char *name_path = g_build_filename (chip, "name", NULL);
  g_autofree char *interval_path = g_build_filename (chip, "update_interval", NULL);
  g_autofree char *device = g_build_filename ("sys/devices", address, "vendor", NULL);
  g_autofree char *target = g_build_filename (tree->root, "sys/devices", address, NULL);
  g_autofree char *link = g_build_filename (tree->root, chip, "device", NULL);
  g_autofree char *line = g_strconcat (name, "\n", NULL);

  machine_tree_write (tree, name_path, line);
  machine_tree_write (tree, interval_path, "1\n");
  machine_tree_write (tree, device, "0x1002\n");
  g_assert_cmpint (symlink (target, link), ==, 0);
}
