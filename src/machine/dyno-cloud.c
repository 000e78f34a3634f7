/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-json.h"
#include "dyno-machine-private.h"
#include "dyno-machine.h"
#include "dyno-system-file.h"

/* How the firmware of each provider's machines names it. */
static const struct
{
  const char *provider;
  const char *file;
  const char *text;
  gboolean names_type; /* whether the product is the type of the instance */
} providers[] = {
  { DYNO_CLOUD_AWS, "sys_vendor", "Amazon EC2", TRUE },
  { DYNO_CLOUD_GOOGLE, "product_name", "Google Compute Engine", FALSE },
  { DYNO_CLOUD_AZURE, "chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77", FALSE },
  { "Oracle Cloud", "chassis_asset_tag", "OracleCloud.com", FALSE },
  { "Alibaba Cloud", "sys_vendor", "Alibaba Cloud", FALSE },
  { "DigitalOcean", "sys_vendor", "DigitalOcean", FALSE },
  { "Hetzner Cloud", "sys_vendor", "Hetzner", FALSE },
  { "Scaleway", "sys_vendor", "Scaleway", FALSE },
  { "OpenStack", "product_name", "OpenStack", FALSE },
};

/* The answers of the metadata service, for all snapshots from then on. */
static GMutex mutex;
static char *told_type;
static char *told_region;

static char *
read_firmware (const char *file)
{
  g_autofree char *path = g_build_filename ("class/dmi/id", file, NULL);

  return dyno_system_file_dup_text (DYNO_PATH_SYSFS, path);
}

static int
find_provider (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (providers); i++)
    {
      g_autofree char *text = read_firmware (providers[i].file);

      if (text != NULL && g_str_has_prefix (text, providers[i].text))
        return (int)i;
    }
  return -1;
}

const char *
dyno_cloud_get_provider (void)
{
  int found = find_provider ();

  return found >= 0 ? providers[found].provider : NULL;
}

void
dyno_cloud_tell (const char *type, const char *region)
{
  g_mutex_lock (&mutex);
  g_free (told_type);
  g_free (told_region);
  told_type = g_strdup (type);
  told_region = g_strdup (region);
  g_mutex_unlock (&mutex);
}

JsonObject *
dyno_cloud_read (void)
{
  int found = find_provider ();
  g_autofree char *product =
      found >= 0 && providers[found].names_type ? read_firmware ("product_name") : NULL;
  JsonObject *cloud;

  if (found < 0)
    return NULL;
  cloud = json_object_new ();
  g_mutex_lock (&mutex);
  dyno_json_member_set_string (cloud, "provider", providers[found].provider);
  dyno_json_member_set_string (cloud, "type", told_type != NULL ? told_type : product);
  dyno_json_member_set_string (cloud, "region", told_region);
  dyno_json_member_set_string (cloud, "source",
                               told_type != NULL || told_region != NULL ? "metadata" : "firmware");
  g_mutex_unlock (&mutex);
  return cloud;
}

char *
dyno_machine_dup_cloud (const char *snapshot)
{
  g_autoptr (JsonObject) object = snapshot != NULL ? dyno_json_try_object (snapshot, -1) : NULL;
  JsonObject *cloud = dyno_json_member_get_object (dyno_json_member_get_object (object, "state"), "cloud");
  const char *const words[] = { "provider", "type", "region" };
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const char *text = dyno_json_member_get_string (cloud, words[i]);

      if (text != NULL)
        g_ptr_array_add (parts, (gpointer)text);
    }
  if (parts->len == 0)
    return NULL;
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **)parts->pdata);
}
