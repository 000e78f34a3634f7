/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AMD's ROCm SMI library as far as Dyno asks it for names: one board at 0000:03:00.0. */
#include <glib.h>

int rsmi_init (guint64 flags);
int rsmi_num_monitor_devices (guint32 *n);
int rsmi_dev_pci_id_get (guint32 index, guint64 *address);
int rsmi_dev_name_get (guint32 index, char *name, size_t length);

int
rsmi_init (guint64 flags)
{
  return 0;
}

int
rsmi_num_monitor_devices (guint32 *n)
{
  *n = 1;
  return 0;
}

int
rsmi_dev_pci_id_get (guint32 index, guint64 *address)
{
  *address = 3 << 8;
  return 0;
}

int
rsmi_dev_name_get (guint32 index, char *name, size_t length)
{
  g_strlcpy (name, "Jacquard Loom", length);
  return 0;
}
