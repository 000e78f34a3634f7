/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#ifdef __linux__
#include <elf.h>
#endif
#include <glib.h>
#include <string.h>

#include "dyno-onnxruntime-private.h"

/* More libraries than any plug-in needs, and more than need each other in a row. */
#define MAX_NEEDED 32
#define MAX_DEPTH  8

#if defined(__linux__) && GLIB_SIZEOF_VOID_P == 8
typedef struct
{
  const char *bytes;
  gsize size;
} File;

/* Returns the @n bytes at @offset, or NULL if the file is shorter. */
static gconstpointer
get_part (const File *file, guint64 offset, guint64 n)
{
  return offset <= file->size && n <= file->size - offset ? file->bytes + offset : NULL;
}

static gboolean
defines_factory (const File *file, const Elf64_Shdr *symbols, const Elf64_Shdr *names)
{
  const char *texts = get_part (file, names->sh_offset, names->sh_size);
  const char *table = get_part (file, symbols->sh_offset, symbols->sh_size);

  for (guint64 i = 0; texts != NULL && table != NULL && i < symbols->sh_size / sizeof (Elf64_Sym); i++)
    {
      Elf64_Sym symbol;

      memcpy (&symbol, table + i * sizeof symbol, sizeof symbol);
      if (symbol.st_shndx != SHN_UNDEF && symbol.st_name < names->sh_size &&
          names->sh_size - symbol.st_name >= sizeof DYNO_ORT_PLUGIN_FACTORY &&
          memcmp (texts + symbol.st_name, DYNO_ORT_PLUGIN_FACTORY, sizeof DYNO_ORT_PLUGIN_FACTORY) == 0)
        return TRUE;
    }
  return FALSE;
}

#endif

gboolean
dyno_ort_plugin_file_has_factory (const char *path)
{
#if defined(__linux__) && GLIB_SIZEOF_VOID_P == 8
  g_autoptr (GMappedFile) mapped = g_mapped_file_new (path, FALSE, NULL);
  const File file = { mapped != NULL ? g_mapped_file_get_contents (mapped) : NULL,
                      mapped != NULL ? g_mapped_file_get_length (mapped) : 0 };

  if (file.bytes == NULL)
    return FALSE;

  const char *header = get_part (&file, 0, sizeof (Elf64_Ehdr));
  const char *sections;
  Elf64_Ehdr elf;
  if (header == NULL || memcmp (header, ELFMAG, SELFMAG) != 0 || header[EI_CLASS] != ELFCLASS64)
    return FALSE;
  memcpy (&elf, header, sizeof elf);
  sections = elf.e_shentsize == sizeof (Elf64_Shdr)
                 ? get_part (&file, elf.e_shoff, (guint64)elf.e_shnum * sizeof (Elf64_Shdr))
                 : NULL;
  for (guint i = 0; sections != NULL && i < elf.e_shnum; i++)
    {
      Elf64_Shdr symbols, names;

      memcpy (&symbols, sections + i * sizeof symbols, sizeof symbols);
      if (symbols.sh_type != SHT_DYNSYM || symbols.sh_link >= elf.e_shnum)
        continue;
      memcpy (&names, sections + symbols.sh_link * sizeof names, sizeof names);
      if (defines_factory (&file, &symbols, &names))
        return TRUE;
    }
  return FALSE;
#else
  return TRUE;
#endif
}

/* Returns the library beside @path whose name begins with @name, as with a longer version; NULL if there is none. */
static char *
find_beside (const char *path, const char *name)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *child;

  while (dir != NULL && (child = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (child, name))
      return g_build_filename (folder, child, NULL);
  return NULL;
}

/* @depth: how many more libraries may need each other in a row. */
static gboolean
open_file (const char *path, guint depth)
{
  for (guint i = 0; i < MAX_NEEDED; i++)
    {
      const char *problem, *end;
      g_autofree char *missing = NULL;
      g_autofree char *beside = NULL;

      if (dlopen (path, RTLD_LAZY | RTLD_LOCAL) != NULL)
        return TRUE;
      /* The loader says: “libx.so.1: cannot open shared object file: No such file or directory”. */
      problem = dlerror ();
      end = strstr (problem, ": cannot open shared object file");
      missing = end != NULL ? g_strndup (problem, (gsize)(end - problem)) : NULL;
      if (depth == 0 || missing == NULL || strchr (missing, '/') != NULL)
        return FALSE;
      beside = find_beside (path, missing);
      if (beside == NULL || !open_file (beside, depth - 1))
        return FALSE;
    }
  return FALSE;
}

gboolean
dyno_ort_plugin_file_open (const char *path)
{
  return open_file (path, MAX_DEPTH);
}
