/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "dyno-app-runs-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-module.h"
#include "dyno-unit.h"

#define BAR_WIDTH 72

/* A row of the tree: a module, or one operator. */
#define DYNO_TYPE_MODULE_ROW (dyno_module_row_get_type ())
G_DECLARE_FINAL_TYPE (DynoModuleRow, dyno_module_row, DYNO, MODULE_ROW, GObject)

struct _DynoModuleRow
{
  GObject parent_instance;

  const DynoModule *module; /* the module of an operator */
  DynoOperator *op;
};

G_DEFINE_FINAL_TYPE (DynoModuleRow, dyno_module_row, G_TYPE_OBJECT)

static void
dyno_module_row_finalize (GObject *object)
{
  g_clear_object (&DYNO_MODULE_ROW (object)->op);

  G_OBJECT_CLASS (dyno_module_row_parent_class)->finalize (object);
}

static void
dyno_module_row_class_init (DynoModuleRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_module_row_finalize;
}

static void
dyno_module_row_init (DynoModuleRow *self)
{
}

struct _DynoModuleTable
{
  AdwBin parent_instance;

  GtkColumnView *view;
  DynoNarrowBin *narrow_bin;
  GtkNoSelection *selection;
  GtkColumnViewColumn *kernels; /* in the table where the engine names them */
  DynoModule *root;
  GPtrArray *operators; /* of which the tree is */
};

G_DEFINE_FINAL_TYPE (DynoModuleTable, dyno_module_table, ADW_TYPE_BIN)

/* --- tree --- */

static void
append_row (GListStore *rows, const DynoModule *module, DynoOperator *op)
{
  g_autoptr (DynoModuleRow) row = g_object_new (DYNO_TYPE_MODULE_ROW, NULL);

  row->module = module;
  g_set_object (&row->op, op);
  g_list_store_append (rows, row);
}

static GListModel *
list_rows (const DynoModule *module)
{
  GListStore *rows = g_list_store_new (DYNO_TYPE_MODULE_ROW);

  for (guint i = 0; i < module->modules->len; i++)
    append_row (rows, g_ptr_array_index (module->modules, i), NULL);
  for (guint i = 0; i < module->operators->len; i++)
    append_row (rows, module, g_ptr_array_index (module->operators, i));
  return G_LIST_MODEL (rows);
}

static GListModel *
list_parts (gpointer item, gpointer user_data)
{
  DynoModuleRow *row = item;

  return row->op == NULL ? list_rows (row->module) : NULL;
}

/* --- row contents --- */

static DynoModuleRow *
get_row (GtkListItem *item)
{
  return gtk_tree_list_row_get_item (gtk_list_item_get_item (item));
}

static char *
dup_time (DynoModuleRow *row)
{
  const DynoModule *module = row->module;
  gboolean is_known = row->op != NULL ? dyno_operator_get_time_ns (row->op) >= 0
                                      : module->n_untimed < module->all.n_operators;
  gint64 time_ns = row->op != NULL ? dyno_operator_get_time_ns (row->op) : module->all.time_ns;

  return is_known ? dyno_unit_format ((double)time_ns / 1e6, "ms") : g_strdup ("—");
}

static char *
dup_calls (DynoModuleRow *row)
{
  return dyno_format_count (row->op != NULL ? dyno_operator_get_calls (row->op) : row->module->all.calls);
}

static char *
dup_rate (DynoModuleRow *row)
{
  double flops = row->module->counted.flops;
  double time_ns = (double)row->module->counted.time_ns;

  if (row->op != NULL)
    {
      flops = (double)dyno_operator_get_flops (row->op) * (double)dyno_operator_get_calls (row->op);
      time_ns = (double)dyno_operator_get_time_ns (row->op);
    }
  return flops > 0 && time_ns > 0 ? dyno_format_quantity (1e9 * flops / time_ns, "FLOP/s") : g_strdup ("—");
}

/* Of several providers, the one with the most time comes first. */
static char *
dup_provider (DynoModuleRow *row)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (row->op != NULL)
    return dyno_operator_dup_provider_label (row->op);
  for (guint i = 0; i < row->module->providers->len; i++)
    {
      const DynoModuleProvider *provider = g_ptr_array_index (row->module->providers, i);

      if (provider->label != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", provider->label);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
dup_kernel (DynoModuleRow *row)
{
  return row->op != NULL ? g_strdup (dyno_operator_get_kernel (row->op)) : NULL;
}

/* --- cells --- */

static void
setup_name_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_width_chars (GTK_LABEL (label), 10);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), label);
  gtk_list_item_set_child (item, expander);
}

static void
bind_name_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (item));
  DynoModuleRow *row = get_row (item);
  g_autofree char *full_name =
      row->op != NULL ? g_strdup (dyno_operator_get_name (row->op)) : dyno_module_dup_label (row->module);
  const char *name = row->op != NULL             ? dyno_operator_get_op_type (row->op)
                     : row->module->name != NULL ? row->module->name
                                                 : full_name;

  gtk_tree_expander_set_list_row (expander, gtk_list_item_get_item (item));
  gtk_label_set_label (GTK_LABEL (gtk_tree_expander_get_child (expander)), name);
  dyno_tooltip_set (GTK_WIDGET (expander), full_name);
  g_object_unref (row);
}

static void
unbind_name_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (item)), NULL);
}

static void
setup_share_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *bar = gtk_level_bar_new ();
  GtkWidget *label = gtk_label_new (NULL);

  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_LOW);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_HIGH);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (bar), GTK_LEVEL_BAR_OFFSET_FULL);
  gtk_widget_set_size_request (bar, BAR_WIDTH, -1);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_width_chars (GTK_LABEL (label), 6);
  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (item, box);
}

static void
bind_share_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *bar = gtk_widget_get_first_child (box);
  g_autoptr (DynoModuleRow) row = get_row (item);
  const DynoModule *root = row->module;
  double share = NAN;
  g_autofree char *text = NULL;

  while (root->parent != NULL)
    root = root->parent;
  if (row->op == NULL)
    share = dyno_module_get_share (row->module);
  else if (root->n_untimed == 0 && root->all.time_ns > 0)
    share = (double)dyno_operator_get_time_ns (row->op) / (double)root->all.time_ns;
  if (isfinite (share))
    {
      g_autofree char *percent = dyno_unit_format_percent (100 * share);

      text = g_strdup_printf ("%s\u00a0%%", percent);
    }
  else
    text = g_strdup ("—");

  gtk_widget_set_visible (bar, isfinite (share));
  gtk_level_bar_set_value (GTK_LEVEL_BAR (bar), isfinite (share) ? CLAMP (share, 0, 1) : 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (box)), text);
}

static void
setup_text_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_text_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  char *(*dup_text) (DynoModuleRow * row) = user_data;
  g_autoptr (DynoModuleRow) row = get_row (item);
  g_autofree char *text = dup_text (row);

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)), text != NULL ? text : "");
}

/* Enter or a click folds and unfolds a row. */
static void
activated_cb (DynoModuleTable *self, guint position)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (gtk_tree_list_row_is_expandable (row))
    gtk_tree_list_row_set_expanded (row, !gtk_tree_list_row_get_expanded (row));
}

static void
dyno_module_table_dispose (GObject *object)
{
  DynoModuleTable *self = DYNO_MODULE_TABLE (object);

  if (self->selection != NULL)
    gtk_no_selection_set_model (self->selection, NULL);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_MODULE_TABLE);
  g_clear_object (&self->selection);
  g_clear_object (&self->kernels);
  g_clear_pointer (&self->root, dyno_module_free);
  g_clear_pointer (&self->operators, g_ptr_array_unref);

  G_OBJECT_CLASS (dyno_module_table_parent_class)->dispose (object);
}

static void
dyno_module_table_class_init (DynoModuleTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_module_table_dispose;

  g_type_ensure (DYNO_TYPE_NARROW_BIN);
  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-module-table.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoModuleTable, view);
  gtk_widget_class_bind_template_child (widget_class, DynoModuleTable, narrow_bin);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
}

static void
dyno_module_table_init (DynoModuleTable *self)
{
  const struct
  {
    const char *title;
    char *(*dup_text) (DynoModuleRow *row);
  } texts[] = {
    { N_ ("Time"), dup_time },         { N_ ("Compute"), dup_rate },  { N_ ("Calls"), dup_calls },
    { N_ ("Provider"), dup_provider }, { N_ ("Kernel"), dup_kernel },
  };

  gtk_widget_init_template (GTK_WIDGET (self));

  GtkColumnViewColumn *column =
      dyno_table_append (self->view, _ ("Module"),
                         &(DynoTableColumn){ .setup = G_CALLBACK (setup_name_cb),
                                             .bind = G_CALLBACK (bind_name_cb),
                                             .unbind = G_CALLBACK (unbind_name_cb) });
  gtk_column_view_column_set_expand (column, TRUE);
  dyno_table_append (self->view, _ ("Share of the Time"),
                     &(DynoTableColumn){ .setup = G_CALLBACK (setup_share_cb),
                                         .bind = G_CALLBACK (bind_share_cb),
                                         .is_number = TRUE });
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    column = dyno_table_append (self->view, _ (texts[i].title),
                                &(DynoTableColumn){ .setup = G_CALLBACK (setup_text_cb),
                                                    .bind = G_CALLBACK (bind_text_cb),
                                                    .data = texts[i].dup_text,
                                                    .narrow_owner = self->narrow_bin,
                                                    .is_number = TRUE });
  self->kernels = g_object_ref (column);
  self->selection = gtk_no_selection_new (NULL);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  dyno_compat_scroll_where_needed (GTK_SCROLLED_WINDOW (gtk_widget_get_parent (GTK_WIDGET (self->view))));
}

gboolean
dyno_module_table_set_result (DynoModuleTable *self, DynoResult *result)
{
  g_autoptr (GListModel) tree = NULL;
  GPtrArray *operators;

  g_return_val_if_fail (DYNO_IS_MODULE_TABLE (self), FALSE);
  g_return_val_if_fail (DYNO_IS_RESULT (result), FALSE);

  operators = dyno_result_get_operators (result);
  /* A case whose other numbers are new keeps its unfolded rows. */
  if (self->operators != NULL && self->operators->len == operators->len &&
      (operators->len == 0 ||
       memcmp (self->operators->pdata, operators->pdata, operators->len * sizeof (gpointer)) == 0))
    return self->root->modules->len > 0;
  gtk_no_selection_set_model (self->selection, NULL);
  if (dyno_result_has_kernels (result) && gtk_column_view_column_get_column_view (self->kernels) == NULL)
    gtk_column_view_append_column (self->view, self->kernels);
  else if (!dyno_result_has_kernels (result) &&
           gtk_column_view_column_get_column_view (self->kernels) != NULL)
    gtk_column_view_remove_column (self->view, self->kernels);
  g_clear_pointer (&self->root, dyno_module_free);
  g_clear_pointer (&self->operators, g_ptr_array_unref);
  self->operators = g_ptr_array_copy (operators, (GCopyFunc)g_object_ref, NULL);
  g_ptr_array_set_free_func (self->operators, g_object_unref);
  self->root = dyno_module_new (result);
  tree =
      G_LIST_MODEL (gtk_tree_list_model_new (list_rows (self->root), FALSE, FALSE, list_parts, NULL, NULL));
  gtk_no_selection_set_model (self->selection, tree);
  return self->root->modules->len > 0;
}

GListModel *
dyno_module_table_get_rows (DynoModuleTable *self)
{
  g_return_val_if_fail (DYNO_IS_MODULE_TABLE (self), NULL);
  return G_LIST_MODEL (self->selection);
}
