/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-stranger-private.h"

struct _DynoStrangerPage
{
  DynoPage parent_instance;

  GtkLabel *label;
};

G_DEFINE_FINAL_TYPE (DynoStrangerPage, dyno_stranger_page, DYNO_TYPE_PAGE)

static void
dyno_stranger_page_read_store (DynoPage *page)
{
  DynoStrangerPage *self = DYNO_STRANGER_PAGE (page);
  gboolean has_store = dyno_app_session_get_store (dyno_page_get_session (page)) != NULL;

  gtk_label_set_label (self->label,
                       has_store ? _ ("A stranger has found the store") : _ ("There is no store"));
}

static void
dyno_stranger_page_class_init (DynoStrangerPageClass *klass)
{
  DYNO_PAGE_CLASS (klass)->read_store = dyno_stranger_page_read_store;
}

static void
dyno_stranger_page_init (DynoStrangerPage *self)
{
  self->label = GTK_LABEL (gtk_label_new (NULL));
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->label));
}

const DynoPageInfo dyno_stranger_page_info = { "stranger", N_ ("_Stranger"), "dyno-hardware-symbolic",
                                               NULL,       "index.html",     dyno_stranger_page_get_type };
