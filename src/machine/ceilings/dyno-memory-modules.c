/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include <string.h>

#include "dyno-memory-modules.h"
#include "dyno-system-file.h"

/* The firmware's table, readable by the administrator only, and the part of it that udev stores for
 * everyone. */
#define DMI_TABLE  "firmware/dmi/tables/DMI"
#define UDEV_FACTS "../run/udev/data/+dmi:id"

#define EDAC_FOLDER "devices/system/edac/mc"

/* From the System Management BIOS reference, 7.18 Memory Device (type 17). */
#define TYPE_MEMORY_DEVICE 17
#define TYPE_END           127
#define HEADER_LENGTH      4
#define AT_DATA_WIDTH      0x0a
#define AT_SIZE            0x0c
#define AT_LOCATOR         0x10
#define AT_BANK_LOCATOR    0x11
#define AT_SPEED           0x20 /* the configured speed, not the highest that the module supports */
#define AT_LONG_SPEED      0x58
#define NOT_KNOWN          0xffff

/* Narrower modules are soldered parts that together form a channel. */
#define MODULE_BITS 64

static void
module_free (gpointer data)
{
  DynoMemoryModule *self = data;

  g_free (self->locator);
  g_free (self);
}

static guint
read_word (const guint8 *structure, guint at)
{
  return at + 2 <= structure[1] ? structure[at] | (guint)structure[at + 1] << 8 : 0;
}

static const char *
get_text (const guint8 *structure, guint at)
{
  const char *text = (const char *)structure + structure[1];
  guint number = at < structure[1] ? structure[at] : 0;

  if (number == 0)
    return "";
  for (guint i = 1; i < number && *text != '\0'; i++)
    text += strlen (text) + 1;
  return text;
}

static void
add_structure (GPtrArray *modules, const guint8 *structure)
{
  DynoMemoryModule *module;
  guint width = read_word (structure, AT_DATA_WIDTH);

  if (structure[0] != TYPE_MEMORY_DEVICE || read_word (structure, AT_SIZE) == 0)
    return;
  module = g_new0 (DynoMemoryModule, 1);

  guint speed = read_word (structure, AT_SPEED);

  module->megatransfers = speed == NOT_KNOWN ? read_word (structure, AT_LONG_SPEED) |
                                                   read_word (structure, AT_LONG_SPEED + 2) << 16
                                             : speed;
  module->width_bits = width != NOT_KNOWN ? width : 0;
  module->locator =
      g_strdup_printf ("%s %s", get_text (structure, AT_BANK_LOCATOR), get_text (structure, AT_LOCATOR));
  g_ptr_array_add (modules, module);
}

static void
add_table (GPtrArray *modules, const guint8 *table, gsize length)
{
  const guint8 *end = table + length;
  const guint8 *next;

  for (const guint8 *at = table; at != NULL && at + HEADER_LENGTH <= end; at = next)
    {
      if (at[0] == TYPE_END || at[1] < HEADER_LENGTH || at + at[1] > end)
        return;
      /* A structure's texts follow it, each with a zero, and an empty one at the end. */
      next = at + at[1];
      while (next + 1 < end && (next[0] != 0 || next[1] != 0))
        next++;
      next = next + 1 < end ? next + 2 : NULL;
      if (next != NULL)
        add_structure (modules, at);
    }
}

static char *
dup_fact (const char *facts, guint device, const char *name)
{
  g_autofree char *key = g_strdup_printf ("E:MEMORY_DEVICE_%u_%s", device, name);

  return dyno_system_file_dup_field (facts, key, "=");
}

static guint
read_fact (const char *facts, guint device, const char *name)
{
  g_autofree char *text = dup_fact (facts, device, name);

  return text != NULL ? (guint)g_ascii_strtoull (text, NULL, 10) : 0;
}

/* udev stores facts about each slot for memory, and marks empty slots. */
static void
add_facts (GPtrArray *modules, const char *facts)
{
  for (guint device = 0;; device++)
    {
      g_autofree char *locator = dup_fact (facts, device, "LOCATOR");
      g_autofree char *bank = dup_fact (facts, device, "BANK_LOCATOR");
      g_autofree char *present = dup_fact (facts, device, "PRESENT");
      DynoMemoryModule *module;

      if (locator == NULL && present == NULL)
        return;
      if (g_strcmp0 (present, "0") == 0)
        continue;
      module = g_new0 (DynoMemoryModule, 1);
      module->megatransfers = read_fact (facts, device, "CONFIGURED_SPEED_MTS");
      module->width_bits = read_fact (facts, device, "DATA_WIDTH");
      module->locator = g_strdup_printf ("%s %s", bank != NULL ? bank : "", locator != NULL ? locator : "");
      g_ptr_array_add (modules, module);
    }
}

GPtrArray *
dyno_memory_modules_list (gboolean *denied)
{
  GPtrArray *modules = g_ptr_array_new_with_free_func (module_free);
  g_autofree char *path = dyno_paths_build (DYNO_PATH_SYSFS, DMI_TABLE, NULL);
  g_autofree char *facts = dyno_system_file_dup_text (DYNO_PATH_SYSFS, UDEV_FACTS);
  g_autofree char *table = NULL;
  gsize length = 0;

  *denied = FALSE;
  if (g_file_get_contents (path, &table, &length, NULL))
    add_table (modules, (const guint8 *)table, length);
  else
    *denied = g_access (path, F_OK) == 0;
  if (modules->len == 0 && facts != NULL)
    add_facts (modules, facts);
  return modules;
}

/* Boards name channels in two ways: “P0 CHANNEL A”, “ChannelA-DIMM0”; “DIMM_A1”, “CPU0_DIMM_B2”. */
static char *
dup_channel (const char *locator)
{
  static const char *const patterns[] = { "^.*CHANNEL[ _-]?[A-Z0-9]+", "^.*DIMM[ _]?[A-P](?=[0-9])" };

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GRegex) regex = g_regex_new (patterns[i], G_REGEX_CASELESS, 0, NULL);
      g_autoptr (GMatchInfo) match = NULL;

      if (g_regex_match (regex, locator, 0, &match))
        {
          g_autofree char *found = g_match_info_fetch (match, 0);

          return g_ascii_strup (found, -1);
        }
    }
  return NULL;
}

/* Returns how many channels have a module, by the kernel's drivers of error correction, else by the names
 * of the slots; 0 if neither is known. @modules holds DynoMemoryModule. */
static guint
count_channels (GPtrArray *modules)
{
  g_autoptr (GHashTable) channels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) controllers = dyno_system_file_list (DYNO_PATH_SYSFS, EDAC_FOLDER);

  /* The kernel's drivers of error correction report the place of each module. */
  for (guint i = 0; controllers[i] != NULL; i++)
    {
      g_autofree char *folder = g_build_filename (EDAC_FOLDER, controllers[i], NULL);
      g_auto (GStrv) dimms = dyno_system_file_list (DYNO_PATH_SYSFS, folder);

      for (guint j = 0; g_str_has_prefix (controllers[i], "mc") && dimms[j] != NULL; j++)
        {
          g_autofree char *location_path = g_build_filename (folder, dimms[j], "dimm_location", NULL);
          g_autofree char *size_path = g_build_filename (folder, dimms[j], "size", NULL);
          g_autofree char *location = dyno_system_file_dup_text (DYNO_PATH_SYSFS, location_path);
          const char *channel = location != NULL ? strstr (location, "channel ") : NULL;

          if (channel != NULL && dyno_system_file_read_int64 (DYNO_PATH_SYSFS, size_path, 0) > 0)
            g_hash_table_add (channels,
                              g_strdup_printf ("%s/%" G_GUINT64_FORMAT, controllers[i],
                                               g_ascii_strtoull (channel + strlen ("channel "), NULL, 10)));
        }
    }
  if (g_hash_table_size (channels) > 0)
    return g_hash_table_size (channels);
  for (guint i = 0; i < modules->len; i++)
    {
      char *channel = dup_channel (((DynoMemoryModule *)modules->pdata[i])->locator);

      if (channel == NULL)
        return 0;
      g_hash_table_add (channels, channel);
    }
  return g_hash_table_size (channels);
}

static const char *
find_obstacle (GPtrArray *modules, gboolean denied)
{
  const DynoMemoryModule *first = modules->len > 0 ? modules->pdata[0] : NULL;

  if (first == NULL && denied)
    return _ (
        "Not derived: only the administrator may read what the firmware says of the memory. Run “sudo chmod "
        "a+r /sys/firmware/dmi/tables/DMI”; it lasts until the machine is started again.");
  if (first == NULL)
    return _ ("Not derived: the firmware says nothing of the memory, as in a virtual machine.");
  for (guint i = 0; i < modules->len; i++)
    {
      const DynoMemoryModule *module = modules->pdata[i];

      if (module->megatransfers == 0 || module->width_bits == 0)
        return _ ("Not derived: the firmware does not report the speed or width of every memory module.");
      if (module->megatransfers != first->megatransfers || module->width_bits != first->width_bits)
        return _ ("Not derived: the memory modules differ in speed or width.");
    }
  return NULL;
}

double
dyno_memory_modules_derive_bandwidth (char **derivation)
{
  gboolean denied;
  g_autoptr (GPtrArray) modules = dyno_memory_modules_list (&denied);
  const char *obstacle = find_obstacle (modules, denied);
  const DynoMemoryModule *first;
  guint n_channels;

  if (obstacle != NULL)
    {
      *derivation = g_strdup (obstacle);
      return 0;
    }
  first = modules->pdata[0];
  n_channels = first->width_bits < MODULE_BITS ? modules->len : count_channels (modules);
  if (n_channels == 0)
    {
      *derivation = g_strdup_printf (
          _ ("Not derived: the number of memory channels is not known; one would move %.1f GB/s."),
          first->megatransfers * 1e6 * first->width_bits / 8 / 1e9);
      return 0;
    }
  *derivation = g_strdup_printf (
      ngettext ("%u million transfers per second × %u bits × %u channel, as the firmware says.",
                "%u million transfers per second × %u bits × %u channels, as the firmware says.", n_channels),
      first->megatransfers, first->width_bits, n_channels);
  return first->megatransfers * 1e6 * first->width_bits / 8 * n_channels;
}
