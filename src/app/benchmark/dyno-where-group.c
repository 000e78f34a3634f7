/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-paths.h"

#define HERE "here"

/* The options of each driver, as entries and as switches. */
#define ARGUMENT   0
#define TIME       3
#define N_ENTRIES  11
#define N_SWITCHES 3

struct _DynoWhereGroup
{
  AdwPreferencesGroup parent_instance;

  GtkEditable *entries[N_ENTRIES];
  GtkSwitch *switches[N_SWITCHES];
  AdwComboRow *driver_row;
  gboolean restoring;
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoWhereGroup, dyno_where_group, ADW_TYPE_PREFERENCES_GROUP)

static guint signals[N_SIGNALS];

typedef enum
{
  FOR_SEVERAL_NODES,
  FOR_SCHEDULERS,
} Audience;

/* Each has the same id in the template and in the settings. */
static const struct
{
  const char *id;
  Audience audience;
} entries[N_ENTRIES] = {
  { "argument", FOR_SEVERAL_NODES }, { "nodes", FOR_SEVERAL_NODES }, { "backends", FOR_SEVERAL_NODES },
  { "time", FOR_SCHEDULERS },        { "gres", FOR_SCHEDULERS },     { "constraint", FOR_SCHEDULERS },
  { "account", FOR_SCHEDULERS },     { "qos", FOR_SCHEDULERS },      { "reservation", FOR_SCHEDULERS },
  { "begin", FOR_SCHEDULERS },       { "nice", FOR_SCHEDULERS },
};

static const struct
{
  const char *id;
  Audience audience;
} switches[N_SWITCHES] = {
  { "divide", FOR_SEVERAL_NODES },
  { "share", FOR_SCHEDULERS },
  { "stage", FOR_SEVERAL_NODES },
};

/* NULL for this machine. */
static const DynoClusterDriver *
get_driver (DynoWhereGroup *self)
{
  guint selected = adw_combo_row_get_selected (self->driver_row);

  return selected > 0 && selected != GTK_INVALID_LIST_POSITION ? dyno_cluster_driver_list ()[selected - 1]
                                                               : NULL;
}

static gboolean
is_for (const char *id, Audience audience, const DynoClusterDriver *driver)
{
  if (driver == NULL || (driver->lacks != NULL && g_strv_contains (driver->lacks, id)))
    return FALSE;
  return audience == FOR_SCHEDULERS ? driver->has_scheduler : driver->takes != NULL;
}

static void
set_row_visible (gpointer widget, gboolean visible)
{
  gtk_widget_set_visible (gtk_widget_get_ancestor (widget, ADW_TYPE_PREFERENCES_ROW), visible);
}

static char *
dup_entry (DynoWhereGroup *self, const char *id)
{
  const DynoClusterDriver *driver = get_driver (self);

  for (guint i = 0; i < N_ENTRIES; i++)
    if (g_str_equal (entries[i].id, id) && is_for (entries[i].id, entries[i].audience, driver))
      {
        g_autofree char *text = g_strdup (gtk_editable_get_text (self->entries[i]));

        g_strstrip (text);
        return *text != '\0' ? g_steal_pointer (&text) : NULL;
      }
  return NULL;
}

static gboolean
get_switch (DynoWhereGroup *self, const char *id)
{
  for (guint i = 0; i < N_SWITCHES; i++)
    if (g_str_equal (switches[i].id, id))
      return is_for (id, switches[i].audience, get_driver (self)) &&
             gtk_switch_get_active (self->switches[i]);
  g_return_val_if_reached (FALSE);
}

static void
changed_cb (DynoWhereGroup *self)
{
  if (self->restoring)
    return;
  dyno_row_mark_invalid (GTK_WIDGET (self->entries[ARGUMENT]), dyno_where_group_get_problem (self) != NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
driver_changed_cb (DynoWhereGroup *self)
{
  const DynoClusterDriver *driver = get_driver (self);

  for (guint i = 0; i < N_ENTRIES; i++)
    set_row_visible (self->entries[i], is_for (entries[i].id, entries[i].audience, driver));
  for (guint i = 0; i < N_SWITCHES; i++)
    set_row_visible (self->switches[i], is_for (switches[i].id, switches[i].audience, driver));
  if (driver != NULL && driver->takes_label != NULL)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->entries[ARGUMENT]), _ (driver->takes_label));
  if (driver != NULL && driver->time_label != NULL)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->entries[TIME]), _ (driver->time_label));
  changed_cb (self);
}

static void
dyno_where_group_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_WHERE_GROUP);

  G_OBJECT_CLASS (dyno_where_group_parent_class)->dispose (object);
}

static void
dyno_where_group_class_init (DynoWhereGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_where_group_dispose;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-where-group.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoWhereGroup, driver_row);
  for (guint i = 0; i < N_ENTRIES; i++)
    gtk_widget_class_bind_template_child_full (widget_class, entries[i].id, FALSE,
                                               G_STRUCT_OFFSET (DynoWhereGroup, entries) +
                                                   i * sizeof (gpointer));
  for (guint i = 0; i < N_SWITCHES; i++)
    gtk_widget_class_bind_template_child_full (widget_class, switches[i].id, FALSE,
                                               G_STRUCT_OFFSET (DynoWhereGroup, switches) +
                                                   i * sizeof (gpointer));
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, driver_changed_cb);
}

static void
dyno_where_group_init (DynoWhereGroup *self)
{
  g_autoptr (GtkStringList) places = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_string_list_append (places, _ ("This Machine"));
  for (const DynoClusterDriver *const *driver = dyno_cluster_driver_list (); *driver != NULL; driver++)
    gtk_string_list_append (places, _ ((*driver)->label));
  adw_combo_row_set_model (self->driver_row, G_LIST_MODEL (places));
  driver_changed_cb (self);
}

gboolean
dyno_where_group_is_elsewhere (DynoWhereGroup *self)
{
  g_return_val_if_fail (DYNO_IS_WHERE_GROUP (self), FALSE);
  return get_driver (self) != NULL;
}

const char *
dyno_where_group_get_problem (DynoWhereGroup *self)
{
  const DynoClusterDriver *driver;
  g_autofree char *argument = NULL;

  g_return_val_if_fail (DYNO_IS_WHERE_GROUP (self), NULL);

  driver = get_driver (self);
  argument = dup_entry (self, "argument");
  return driver != NULL && driver->missing != NULL && argument == NULL ? _ (driver->missing) : NULL;
}

char **
dyno_where_group_dup_backends (DynoWhereGroup *self)
{
  g_autofree char *text = NULL;
  g_autoptr (GStrvBuilder) backends = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;

  g_return_val_if_fail (DYNO_IS_WHERE_GROUP (self), NULL);

  text = dup_entry (self, "backends");
  words = g_strsplit (text != NULL ? text : "", ",", -1);
  for (char **word = words; *word != NULL; word++)
    if (*g_strstrip (*word) != '\0')
      g_strv_builder_add (backends, *word);
  return g_strv_builder_end (backends);
}

void
dyno_where_group_init_options (DynoWhereGroup *self, DynoClusterOptions *options)
{
  const DynoClusterDriver *driver;
  g_autofree char *argument = NULL;

  g_return_if_fail (DYNO_IS_WHERE_GROUP (self));
  g_return_if_fail (options != NULL);

  driver = get_driver (self);
  g_return_if_fail (driver != NULL);
  argument = dup_entry (self, "argument");
  *options = (DynoClusterOptions){
    .target = argument != NULL ? g_strconcat (driver->name, ":", argument, NULL) : g_strdup (driver->name),
    .program = dyno_paths_build (DYNO_PATH_BIN, "dyno-cli", NULL),
    .nodes = dup_entry (self, "nodes"),
    .constraint = dup_entry (self, "constraint"),
    .gres = dup_entry (self, "gres"),
    .time = dup_entry (self, "time"),
    .account = dup_entry (self, "account"),
    .qos = dup_entry (self, "qos"),
    .reservation = dup_entry (self, "reservation"),
    .begin = dup_entry (self, "begin"),
    .nice = dup_entry (self, "nice"),
    .stages = get_switch (self, "stage"),
    .divides = get_switch (self, "divide"),
    .shares_nodes = get_switch (self, "share"),
  };
}

GVariant *
dyno_where_group_save (DynoWhereGroup *self)
{
  const DynoClusterDriver *driver;
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a{ss}"));

  g_return_val_if_fail (DYNO_IS_WHERE_GROUP (self), NULL);

  driver = get_driver (self);
  g_variant_builder_add (&builder, "{ss}", "driver", driver != NULL ? driver->name : HERE);
  for (guint i = 0; i < N_ENTRIES; i++)
    g_variant_builder_add (&builder, "{ss}", entries[i].id, gtk_editable_get_text (self->entries[i]));
  for (guint i = 0; i < N_SWITCHES; i++)
    g_variant_builder_add (&builder, "{ss}", switches[i].id,
                           gtk_switch_get_active (self->switches[i]) ? "yes" : "no");
  return g_variant_builder_end (&builder);
}

static guint
find_driver (const char *name)
{
  const DynoClusterDriver *const *drivers = dyno_cluster_driver_list ();

  for (guint i = 0; drivers[i] != NULL; i++)
    if (g_str_equal (drivers[i]->name, name))
      return i + 1;
  return 0;
}

void
dyno_where_group_restore (DynoWhereGroup *self, GVariant *saved)
{
  const char *value;

  g_return_if_fail (DYNO_IS_WHERE_GROUP (self));
  g_return_if_fail (saved != NULL);

  self->restoring = TRUE;
  for (guint i = 0; i < N_ENTRIES; i++)
    if (g_variant_lookup (saved, entries[i].id, "&s", &value))
      gtk_editable_set_text (self->entries[i], value);
  for (guint i = 0; i < N_SWITCHES; i++)
    if (g_variant_lookup (saved, switches[i].id, "&s", &value))
      gtk_switch_set_active (self->switches[i], g_str_equal (value, "yes"));
  if (g_variant_lookup (saved, "driver", "&s", &value))
    adw_combo_row_set_selected (self->driver_row, find_driver (value));
  self->restoring = FALSE;
  driver_changed_cb (self);
}
