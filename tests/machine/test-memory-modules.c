/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-memory-modules.h"
#include "machine-tree.h"
#include "suite.h"

#define UDEV "run/udev/data/+dmi:id"
#define EDAC "sys/devices/system/edac/mc/"

/* One structure of the firmware's table: its type, its length, and the texts after it. */
static void
append_structure (
    GByteArray *table, guint8 type, const guint8 *body, guint8 length, const char *texts, gsize n_texts)
{
  const guint8 header[] = { type, (guint8)(length + 4), 0, 0 };

  g_byte_array_append (table, header, sizeof header);
  g_byte_array_append (table, body, length);
  g_byte_array_append (table, (const guint8 *)texts, (guint)n_texts);
  g_byte_array_append (table, (const guint8 *)"", 1);
}

/* A module as in SMBIOS 3.3; a @speed of 0xffff refers to the extended field at the end. */
static void
append_module (
    GByteArray *table, guint16 size, guint16 width, guint16 speed, const char *texts, gsize n_texts)
{
  guint8 body[0x5c - 4] = { 0 };

  body[0x0a - 4] = width & 0xff;
  body[0x0b - 4] = width >> 8;
  body[0x0c - 4] = size & 0xff;
  body[0x0d - 4] = size >> 8;
  body[0x10 - 4] = 1;
  body[0x11 - 4] = 2;
  body[0x15 - 4] = 0x40; /* the rated speed of the module does not count */
  body[0x16 - 4] = 0x1f;
  body[0x20 - 4] = speed & 0xff;
  body[0x21 - 4] = speed >> 8;
  body[0x58 - 4] = 0x80;
  body[0x5a - 4] = 0x01;
  append_structure (table, 17, body, sizeof body, texts, n_texts);
}

#define TEXTS(text) text, sizeof (text)

static void
write_table (MachineTree *tree, GByteArray *table)
{
  g_autofree char *file = g_build_filename (tree->root, "sys/firmware/dmi/tables/DMI", NULL);
  g_autofree char *folder = g_path_get_dirname (file);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (file, (const char *)table->data, table->len, &error);
  g_assert_no_error (error);
}

static void
check (double expected, const char *words)
{
  g_autofree char *derivation = NULL;

  g_assert_cmpfloat (dyno_memory_modules_derive_bandwidth (&derivation), ==, expected);
  g_test_message ("%s", derivation);
  g_assert_nonnull (strstr (derivation, words));
}

static void
test_nothing (MachineTree *tree, gconstpointer data)
{
  check (0, "virtual machine");
}

/* Two channels with two modules each, and a place that is empty. */
static void
test_table (MachineTree *tree, gconstpointer data)
{
  g_autoptr (GByteArray) table = g_byte_array_new ();

  append_structure (table, 1, (const guint8 *)"\1\2", 2, TEXTS ("A board"));
  append_module (table, 0x4000, 64, 4800, TEXTS ("DIMM 0\0P0 CHANNEL A"));
  append_module (table, 0x4000, 64, 4800, TEXTS ("DIMM 1\0P0 CHANNEL A"));
  append_module (table, 0x4000, 64, 4800, TEXTS ("DIMM 0\0P0 CHANNEL B"));
  append_module (table, 0x4000, 64, 4800, TEXTS ("DIMM 1\0P0 CHANNEL B"));
  append_module (table, 0, 64, 0, TEXTS ("DIMM 0\0P0 CHANNEL C"));
  append_structure (table, 127, (const guint8 *)"", 0, TEXTS (""));
  write_table (tree, table);
  check (4800e6 * 8 * 2, "2 channels");
}

/* 0x18000 million transfers do not fit the 16-bit field. */
static void
test_long_speed (MachineTree *tree, gconstpointer data)
{
  g_autoptr (GByteArray) table = g_byte_array_new ();

  append_module (table, 0x4000, 64, 0xffff, TEXTS ("ChannelA-DIMM0\0BANK 0"));
  write_table (tree, table);
  check (0x10080 * 1e6 * 8, "1 channel");
}

/* A table truncated anywhere never yields an incomplete module. */
static void
test_truncated (MachineTree *tree, gconstpointer data)
{
  g_autoptr (GByteArray) table = g_byte_array_new ();
  guint whole;

  append_module (table, 0x4000, 64, 3200, TEXTS ("DIMM_A1"));
  whole = table->len;
  while (table->len > 1)
    {
      g_autoptr (GPtrArray) modules = NULL;
      gboolean denied;

      g_byte_array_set_size (table, table->len - 1);
      write_table (tree, table);
      modules = dyno_memory_modules_list (&denied);
      g_assert_cmpuint (modules->len, ==, 0);
    }
  g_assert_cmpuint (whole, >, 90);
}

/* The data of udev is outside of sysfs. */
static void
set_up (MachineTree *tree, gconstpointer data)
{
  machine_tree_set_up (tree, data);
  machine_tree_write (tree, "sys/class/dmi/id/sys_vendor", "Maker\n");
}

static void
write_facts (MachineTree *tree, const char *speed, const char *width, const char *const *locators)
{
  g_autoptr (GString) text = g_string_new ("I:1\nE:MEMORY_ARRAY_LOCATION=System Board\n");

  for (guint i = 0; locators[i] != NULL; i++)
    {
      g_string_append_printf (text, "E:MEMORY_DEVICE_%u_LOCATOR=%s\n", i, locators[i]);
      g_string_append_printf (text, "E:MEMORY_DEVICE_%u_DATA_WIDTH=%s\n", i, width);
      g_string_append_printf (text, "E:MEMORY_DEVICE_%u_CONFIGURED_SPEED_MTS=%s\n", i, speed);
    }
  machine_tree_write (tree, UDEV, text->str);
}

/* The data that everyone may read; the empty slot is named, but not counted. */
static void
test_udev (MachineTree *tree, gconstpointer data)
{
  write_facts (tree, "5600", "64", (const char *const[]){ "DIMM_A2", "DIMM_B2", NULL });
  check (5600e6 * 8 * 2, "5600");
  machine_tree_write (tree, UDEV,
                      "E:MEMORY_DEVICE_0_PRESENT=0\nE:MEMORY_DEVICE_0_LOCATOR=DIMM_A1\n"
                      "E:MEMORY_DEVICE_1_LOCATOR=DIMM_A2\nE:MEMORY_DEVICE_1_DATA_WIDTH=64\n"
                      "E:MEMORY_DEVICE_1_CONFIGURED_SPEED_MTS=3200\n");
  check (3200e6 * 8, "1 channel");
}

/* Soldered parts of 16 bits, each with its own channel. */
static void
test_soldered (MachineTree *tree, gconstpointer data)
{
  write_facts (tree, "6400", "16", (const char *const[]){ "Onboard", "Onboard", "Onboard", "Onboard", NULL });
  check (6400e6 * 2 * 4, "16 bits");
}

static void
test_unknown_channels (MachineTree *tree, gconstpointer data)
{
  write_facts (tree, "3200", "64", (const char *const[]){ "PROC 1 DIMM 3", "PROC 1 DIMM 5", NULL });
  check (0, "one would move 25.6 GB/s");
  machine_tree_fill (tree, EDAC, "mc0/dimm0/dimm_location=channel 0 slot 0 \n", "mc0/dimm0/size=16384\n",
                     "mc1/dimm4/dimm_location=channel 0 slot 0 \n", "mc1/dimm4/size=16384\n",
                     "mc1/dimm5/dimm_location=channel 1 slot 0 \n", "mc1/dimm5/size=0\n", NULL);
  check (3200e6 * 8 * 2, "2 channels");
}

static void
test_unlike (MachineTree *tree, gconstpointer data)
{
  write_facts (tree, "0", "64", (const char *const[]){ "DIMM_A1", NULL });
  check (0, "every memory module");
  machine_tree_write (tree, UDEV,
                      "E:MEMORY_DEVICE_0_LOCATOR=DIMM_A1\nE:MEMORY_DEVICE_0_DATA_WIDTH=64\n"
                      "E:MEMORY_DEVICE_0_CONFIGURED_SPEED_MTS=3200\nE:MEMORY_DEVICE_1_LOCATOR=DIMM_B1\n"
                      "E:MEMORY_DEVICE_1_DATA_WIDTH=64\nE:MEMORY_DEVICE_1_CONFIGURED_SPEED_MTS=2666\n");
  check (0, "differ");
}

static const SuiteFixtureTest (MachineTree) tests[] = {
  { "/memory-modules/nothing", test_nothing },
  { "/memory-modules/table", test_table },
  { "/memory-modules/long-speed", test_long_speed },
  { "/memory-modules/truncated", test_truncated },
  { "/memory-modules/udev", test_udev },
  { "/memory-modules/soldered", test_soldered },
  { "/memory-modules/unknown-channels", test_unknown_channels },
  { "/memory-modules/unlike", test_unlike },
};

SUITE_FIXTURE_TESTS (tests, MachineTree, set_up, machine_tree_tear_down)
