/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-model-gguf-private.h"
#include "dyno-text.h"

#define MIN_VERSION 2
#define MAX_VERSION 3
/* A file with a version beyond is damaged. */
#define MAX_LATER_VERSION 255

/* A vocabulary of a million words takes some tens of megabytes. */
#define MAX_HEADER_BYTES (G_GUINT64_CONSTANT (512) << 20)
#define MAX_ENTRIES      65536
#define MAX_TENSORS      262144
#define MAX_KEY_BYTES    4096
#define MAX_NAME_BYTES   256

/* Longer texts and arrays, such as vocabularies, are only counted. */
#define MAX_KEPT_BYTES 1024
#define MAX_KEPT_LIST  4096

#define ALIGNMENT_KEY   "general.alignment"
#define USUAL_ALIGNMENT 32
#define MAX_ALIGNMENT   (1 << 20)

static const guint8 value_sizes[DYNO_GGUF_N_VALUES] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };

/* A header that is being read; all reads go through take(). */
typedef struct
{
  DynoGgufHeader *header;
  const char *start;
  gsize size;
  gsize at;
  const char *problem; /* (nullable): why it cannot be read */
  gboolean is_new;     /* whether another program may read it */
} Reader;

static void
tensor_free (gpointer data)
{
  DynoGgufTensor *self = data;

  g_free (self->name);
  g_free (self);
}

void
dyno_gguf_header_free (DynoGgufHeader *self)
{
  g_free (self->path);
  g_hash_table_unref (self->texts);
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->lists);
  g_hash_table_unref (self->counts);
  g_ptr_array_unref (self->tensors);
  g_free (self);
}

static const char *
take (Reader *self, guint64 n_bytes)
{
  const char *bytes = self->start + self->at;

  if (self->problem == NULL && n_bytes > MIN (self->size, MAX_HEADER_BYTES) - self->at)
    self->problem =
        n_bytes > self->size - self->at ? _ ("it ends within its header") : _ ("its header is too long");
  if (self->problem != NULL)
    return NULL;
  self->at += n_bytes;
  return bytes;
}

/* Returns 0 after a problem. */
static guint64
take_unsigned (Reader *self, guint n_bytes)
{
  const char *bytes = take (self, n_bytes);
  guint64 number = 0;

  if (bytes != NULL)
    memcpy (&number, bytes, n_bytes);
  return GUINT64_FROM_LE (number);
}

/* Returns the text; NULL after a problem. The caller owns it. */
static char *
take_text (Reader *self, gsize max_bytes)
{
  guint64 length = take_unsigned (self, 8);
  const char *bytes = take (self, length);

  if (bytes != NULL && (length > max_bytes || !g_utf8_validate (bytes, (gssize)length, NULL) || length == 0))
    self->problem = _ ("a name in it is empty, too long or no text");
  return self->problem == NULL ? g_strndup (bytes, length) : NULL;
}

static double
take_number (Reader *self, guint32 type)
{
  guint64 bits = take_unsigned (self, value_sizes[type]);
  guint32 low = (guint32)bits;
  float single;
  double twofold;

  switch (type)
    {
    case DYNO_GGUF_VALUE_INT8:
      return (gint8)bits;
    case DYNO_GGUF_VALUE_INT16:
      return (gint16)bits;
    case DYNO_GGUF_VALUE_INT32:
      return (gint32)bits;
    case DYNO_GGUF_VALUE_INT64:
      return (double)(gint64)bits;
    case DYNO_GGUF_VALUE_FLOAT:
      memcpy (&single, &low, sizeof single);
      return (double)single;
    case DYNO_GGUF_VALUE_DOUBLE:
      memcpy (&twofold, &bits, sizeof twofold);
      return twofold;
    default:
      return (double)bits;
    }
}

static void
refuse_new (Reader *self, const char *problem)
{
  self->problem = problem;
  self->is_new = TRUE;
}

static void
take_array (Reader *self, const char *key)
{
  guint32 type = (guint32)take_unsigned (self, 4);
  guint64 count = take_unsigned (self, 8);
  g_autoptr (GArray) list = NULL;
  gint64 known;

  if (self->problem == NULL && (type >= DYNO_GGUF_N_VALUES || type == DYNO_GGUF_VALUE_ARRAY))
    refuse_new (self, _ ("an array in it has elements of an unknown type"));
  if (self->problem == NULL && count > MAX_HEADER_BYTES)
    self->problem = _ ("its header is too long");
  if (self->problem != NULL)
    return;
  known = (gint64)count;
  g_hash_table_replace (self->header->counts, g_strdup (key), g_memdup2 (&known, sizeof known));
  if (type == DYNO_GGUF_VALUE_TEXT)
    for (guint64 i = 0; i < count && self->problem == NULL; i++)
      take (self, take_unsigned (self, 8));
  else if (count > MAX_KEPT_LIST)
    take (self, count * value_sizes[type]);
  else
    {
      list = g_array_new (FALSE, FALSE, sizeof (double));
      for (guint64 i = 0; i < count && self->problem == NULL; i++)
        {
          double number = take_number (self, type);

          g_array_append_val (list, number);
        }
      g_hash_table_replace (self->header->lists, g_strdup (key), g_steal_pointer (&list));
    }
}

static void
take_entry (Reader *self)
{
  g_autofree char *key = take_text (self, MAX_KEY_BYTES);
  guint32 type = (guint32)take_unsigned (self, 4);

  if (self->problem != NULL)
    return;
  if (type >= DYNO_GGUF_N_VALUES)
    refuse_new (self, _ ("a value in it is of an unknown type"));
  else if (type == DYNO_GGUF_VALUE_ARRAY)
    take_array (self, key);
  else if (type == DYNO_GGUF_VALUE_TEXT)
    {
      guint64 length = take_unsigned (self, 8);
      const char *bytes = take (self, length);

      if (bytes != NULL && length <= MAX_KEPT_BYTES && g_utf8_validate (bytes, (gssize)length, NULL))
        g_hash_table_replace (self->header->texts, g_steal_pointer (&key), g_strndup (bytes, length));
    }
  else
    {
      double number = take_number (self, type);

      g_hash_table_replace (self->header->numbers, g_steal_pointer (&key),
                            g_memdup2 (&number, sizeof number));
    }
}

static gboolean
read_sizes (DynoGgufTensor *tensor)
{
  const DynoGgufType *type = dyno_gguf_type_find (tensor->type);

  tensor->n_elements = 1;
  for (guint i = 0; i < tensor->n_dims; i++)
    if (tensor->dims[i] <= 0 ||
        __builtin_mul_overflow (tensor->n_elements, tensor->dims[i], &tensor->n_elements))
      return FALSE;
  return type != NULL && tensor->dims[0] % type->block == 0 &&
         !__builtin_mul_overflow (tensor->n_elements / type->block, type->bytes, &tensor->n_bytes);
}

/* Returns where the data of the tensor ends, from the beginning of all data; 0 after a problem. */
static guint64
take_tensor (Reader *self, guint64 alignment)
{
  DynoGgufTensor *tensor = g_new0 (DynoGgufTensor, 1);
  guint64 offset, end = 0;

  g_ptr_array_add (self->header->tensors, tensor);
  tensor->name = take_text (self, MAX_NAME_BYTES);
  tensor->n_dims = (guint32)take_unsigned (self, 4);
  if (self->problem == NULL && (tensor->n_dims == 0 || tensor->n_dims > G_N_ELEMENTS (tensor->dims)))
    self->problem = _ ("a tensor in it has too many dimensions");
  for (guint i = 0; self->problem == NULL && i < tensor->n_dims; i++)
    tensor->dims[i] = (gint64)take_unsigned (self, 8);
  tensor->type = (guint32)take_unsigned (self, 4);
  offset = take_unsigned (self, 8);
  if (self->problem == NULL && dyno_gguf_type_find (tensor->type) == NULL)
    refuse_new (self, _ ("a tensor in it is of a type that Dyno does not know"));
  else if (self->problem == NULL &&
           (!read_sizes (tensor) || offset % alignment != 0 ||
            __builtin_add_overflow (offset, (guint64)tensor->n_bytes, &end) || end > self->size))
    self->problem = _ ("the size of a tensor in it is not possible, or it was not downloaded whole");
  return self->problem == NULL ? end : 0;
}

/* The data begins at the next multiple of the alignment after the header. */
static void
take_tensors (Reader *self, guint64 n_tensors)
{
  gint64 alignment = g_hash_table_contains (self->header->numbers, ALIGNMENT_KEY)
                         ? dyno_gguf_header_get (self->header, ALIGNMENT_KEY, -1, 0)
                         : USUAL_ALIGNMENT;
  guint64 end = 0, start;

  if (alignment < 1 || alignment > MAX_ALIGNMENT || (alignment & (alignment - 1)) != 0)
    self->problem = _ ("its alignment is not possible");
  for (guint64 i = 0; i < n_tensors && self->problem == NULL; i++)
    {
      guint64 of_tensor = take_tensor (self, (guint64)alignment);

      end = MAX (end, of_tensor);
    }
  start = (self->at + (guint64)alignment - 1) & ~((guint64)alignment - 1);
  if (self->problem == NULL && end > 0 && (start > self->size || end > self->size - start))
    self->problem = _ ("the size of a tensor in it is not possible, or it was not downloaded whole");
}

DynoGgufHeader *
dyno_gguf_header_new (const char *path)
{
  DynoGgufHeader *header = g_new0 (DynoGgufHeader, 1);

  header->path = g_strdup (path);
  header->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  header->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  header->lists = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
  header->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  header->tensors = g_ptr_array_new_with_free_func (tensor_free);
  return header;
}

DynoGgufHeader *
dyno_gguf_header_parse (const char *path, const char *start, gsize size, GError **error)
{
  g_autoptr (DynoGgufHeader) header = dyno_gguf_header_new (path);
  Reader reader = { .header = header, .start = start, .size = size };

  const char *magic = take (&reader, strlen (DYNO_GGUF_MAGIC));
  guint32 version = (guint32)take_unsigned (&reader, 4);
  guint64 n_tensors = take_unsigned (&reader, 8);
  guint64 n_entries = take_unsigned (&reader, 8);
  if (reader.problem == NULL && memcmp (magic, DYNO_GGUF_MAGIC, strlen (DYNO_GGUF_MAGIC)) != 0)
    reader.problem = _ ("it does not begin as a GGUF file does");
  else if (reader.problem == NULL && (version < MIN_VERSION || version > MAX_VERSION))
    {
      reader.problem = _ ("its version is neither 2 nor 3");
      reader.is_new = version > 0 && version <= MAX_LATER_VERSION;
    }
  else if (reader.problem == NULL && (n_tensors > MAX_TENSORS || n_entries > MAX_ENTRIES))
    reader.problem = _ ("its header is too long");
  for (guint64 i = 0; i < n_entries && reader.problem == NULL; i++)
    take_entry (&reader);
  if (reader.problem == NULL)
    take_tensors (&reader, n_tensors);

  if (reader.problem == NULL)
    return g_steal_pointer (&header);
  if (reader.is_new)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 /* Translators: a file, and why it cannot be used */
                 _ ("“%s” is a GGUF file that this version of Dyno cannot use: %s. Name another file of the "
                    "model."),
                 path, reader.problem);
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 /* Translators: a file, and why it cannot be used */
                 _ ("“%s” is not a GGUF file that can be used: %s. Download it again."), path,
                 reader.problem);
  return NULL;
}

/* Maps no more than a header may take: the file may be larger than the memory. */
DynoGgufHeader *
dyno_gguf_header_read (const char *path, GError **error)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  struct stat info = { 0 };
  void *start = MAP_FAILED;
  DynoGgufHeader *header;
  gsize size;

  if (fd >= 0 && fstat (fd, &info) == 0 && S_ISREG (info.st_mode))
    start = mmap (NULL, CLAMP ((gsize)info.st_size, 1, MAX_HEADER_BYTES), PROT_READ, MAP_PRIVATE, fd, 0);
  else if (fd >= 0)
    errno = EINVAL;
  size = (gsize)info.st_size;
  if (fd >= 0)
    close (fd);
  if (start == MAP_FAILED)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                   _ ("The model “%s” could not be read: %s. Check the path."), path, g_strerror (errno));
      return NULL;
    }
  header = dyno_gguf_header_parse (path, start, size, error);
  munmap (start, CLAMP (size, 1, MAX_HEADER_BYTES));
  return header;
}

static gint64
to_integer (double number, gint64 fallback)
{
  return number >= 0 && number <= G_MAXINT32 && floor (number) == number ? (gint64)number : fallback;
}

gint64
dyno_gguf_header_get (const DynoGgufHeader *self, const char *key, int index, gint64 fallback)
{
  const double *number = g_hash_table_lookup (self->numbers, key);
  GArray *list = g_hash_table_lookup (self->lists, key);
  double largest = -1;

  if (number != NULL)
    return to_integer (*number, fallback);
  if (list == NULL || (index >= 0 && (guint)index >= list->len))
    return fallback;
  if (index >= 0)
    return to_integer (g_array_index (list, double, index), fallback);
  for (guint i = 0; i < list->len; i++)
    largest = MAX (largest, g_array_index (list, double, i));
  return to_integer (largest, fallback);
}
