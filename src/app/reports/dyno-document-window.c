/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-reports-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

#define CHART_HEIGHT 320

struct _DynoDocumentWindow
{
  AdwWindow parent_instance;

  GCancellable *cancellable;
  DynoReportSubject *subject;
  DynoReportButton *report_button;
  GtkStack *stack;
  GtkBox *box;
  AdwStatusPage *failed_page;
};

G_DEFINE_FINAL_TYPE (DynoDocumentWindow, dyno_document_window, ADW_TYPE_WINDOW)

/* Blocks */

static GtkWidget *
create_label (const char *text, const char *css_class)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "wrap", TRUE, "wrap-mode",
                                   PANGO_WRAP_WORD_CHAR, NULL);

  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
create_heading (const DynoReportBlock *block)
{
  static const char *const css_classes[] = { "title-2", "title-3", "heading" };
  GtkWidget *label =
      g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, "label", block->text,
                    "xalign", 0.0, "wrap", TRUE, "margin-top", block->level > 1 ? 12 : 0, NULL);

  gtk_widget_add_css_class (label, css_classes[CLAMP (block->level, 1, G_N_ELEMENTS (css_classes)) - 1]);
  return label;
}

static GtkWidget *
create_paragraph (const DynoReportBlock *block)
{
  return create_label (block->text, NULL);
}

static GtkWidget *
create_list (const DynoReportBlock *block)
{
  GtkWidget *list = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);

  for (guint i = 0; i < block->items->len; i++)
    {
      const DynoReportItem *item = block->items->pdata[i];
      g_autofree char *led = item->lead != NULL
                                 ? g_strdup_printf ("%s%s %s", item->lead,
                                                    g_str_has_suffix (item->lead, ":") ? "" : ":", item->text)
                                 : g_strdup (item->text);
      g_autofree char *text =
          /* Translators: a sentence, and the cases that it is about */
          item->aside != NULL ? g_strdup_printf (_ ("%s (%s)"), led, item->aside) : g_strdup (led);

      gtk_box_append (GTK_BOX (list), create_label (text, NULL));
    }
  return list;
}

static GtkWidget *
create_table (const DynoReportBlock *block)
{
  GtkGrid *grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 18, "row-spacing", 6, "margin-top", 12,
                                "margin-bottom", 12, "margin-start", 12, "margin-end", 12, NULL);
  GtkWidget *window =
      g_object_new (GTK_TYPE_SCROLLED_WINDOW, "vscrollbar-policy", GTK_POLICY_NEVER, "child", grid, NULL);

  for (guint column = 0; column < block->table->columns->len; column++)
    {
      const DynoReportColumn *of = &g_array_index (block->table->columns, DynoReportColumn, column);

      for (guint row = 0; row <= block->table->rows->len; row++)
        {
          GArray *cells = row > 0 ? block->table->rows->pdata[row - 1] : NULL;
          const char *text = cells != NULL ? g_array_index (cells, DynoReportCell, column).text : of->title;
          GtkWidget *label = create_label (text, cells != NULL ? "numeric" : "heading");

          /* With wrapped cells the card would be as high as a table of the least width. */
          gtk_label_set_wrap (GTK_LABEL (label), FALSE);
          gtk_label_set_xalign (GTK_LABEL (label), of->is_number ? 1 : 0);
          gtk_grid_attach (grid, label, (int)column, (int)row, 1, 1);
        }
    }
  gtk_widget_add_css_class (window, "card");
  dyno_compat_scroll_where_needed (GTK_SCROLLED_WINDOW (window));
  return window;
}

static GtkWidget *
create_code (const DynoReportBlock *block)
{
  return create_label (block->text, "monospace");
}

static GtkWidget *
create_chart (const DynoReportBlock *block)
{
  GtkWidget *view = dyno_chart_view_new (block->chart);

  gtk_widget_set_size_request (view, -1, CHART_HEIGHT);
  return view;
}

static GtkWidget *(*const create[]) (const DynoReportBlock *block) = {
  [DYNO_REPORT_HEADING] = create_heading, [DYNO_REPORT_PARAGRAPH] = create_paragraph,
  [DYNO_REPORT_LIST] = create_list,       [DYNO_REPORT_TABLE] = create_table,
  [DYNO_REPORT_CODE] = create_code,       [DYNO_REPORT_CHART] = create_chart,
};

/* The window */

static void
built_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  DynoDocumentWindow *self = DYNO_DOCUMENT_WINDOW (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoReportDocument) document = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (document == NULL)
    {
      g_autofree char *description = g_markup_escape_text (error->message, -1);

      adw_status_page_set_description (self->failed_page, description);
      gtk_stack_set_visible_child_name (self->stack, "failed");
      return;
    }
  for (guint i = 0; i < document->blocks->len; i++)
    {
      const DynoReportBlock *block = document->blocks->pdata[i];

      if (!dyno_report_block_is_empty (block))
        gtk_box_append (self->box, create[block->kind](block));
    }
  dyno_report_button_take_subject (self->report_button, dyno_report_subject_ref (self->subject));
  gtk_stack_set_visible_child_name (self->stack, "document");
}

static void
dyno_document_window_dispose (GObject *object)
{
  DynoDocumentWindow *self = DYNO_DOCUMENT_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_DOCUMENT_WINDOW);

  G_OBJECT_CLASS (dyno_document_window_parent_class)->dispose (object);
}

static void
dyno_document_window_finalize (GObject *object)
{
  DynoDocumentWindow *self = DYNO_DOCUMENT_WINDOW (object);

  g_object_unref (self->cancellable);
  g_clear_pointer (&self->subject, dyno_report_subject_unref);

  G_OBJECT_CLASS (dyno_document_window_parent_class)->finalize (object);
}

static void
dyno_document_window_class_init (DynoDocumentWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_document_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = dyno_document_window_finalize;

  g_type_ensure (DYNO_TYPE_REPORT_BUTTON);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-document-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoDocumentWindow, report_button);
  gtk_widget_class_bind_template_child (widget_class, DynoDocumentWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoDocumentWindow, box);
  gtk_widget_class_bind_template_child (widget_class, DynoDocumentWindow, failed_page);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
dyno_document_window_init (DynoDocumentWindow *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
dyno_document_window_present (GtkWidget *owner, const char *title, DynoReportSubject *subject)
{
  GtkRoot *root = gtk_widget_get_root (owner);
  DynoDocumentWindow *self = g_object_new (DYNO_TYPE_DOCUMENT_WINDOW, "title", title, NULL);

  self->subject = subject;
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (root));
  dyno_report_subject_build_async (subject, self, self->cancellable, built_cb);
  gtk_window_present (GTK_WINDOW (self));
}
