/* Folders that the user may not enter, and what stands in them all the same. */
#ifndef CONFINE_COVER_H
#define CONFINE_COVER_H

#include "common.h"

struct shown {
  const char *path;
  int place, is_folder;
};
static struct shown shown[256];
static size_t shown_count;

/* In the namespace that the mounts will be in: a place of another one cannot be mounted. */
static void show(const char *path) {
  if (shown_count == 0 && (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0)) fail("make a mount namespace", "");
  if (shown_count == sizeof shown / sizeof *shown) {
    errno = E2BIG;
    fail("show", path);
  }
  struct stat info;
  int place = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0 || fstat(place, &info) != 0) fail("show", path);
  shown[shown_count++] = (struct shown){.path = path, .place = place, .is_folder = S_ISDIR(info.st_mode)};
}

static int is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static void cover(const char *folder) {
  if (mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0711,size=1m") != 0) fail("cover", folder);
  mode_t mask = umask(0);
  for (size_t index = 0; index < shown_count; index += 1) {
    char path[4096], source[64];
    struct shown *each = &shown[index];
    if (!is_below(each->path, folder)) continue;
    if (strlen(each->path) >= sizeof path) {
      errno = ENAMETOOLONG;
      fail("show", each->path);
    }
    strcpy(path, each->path);
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')) != NULL; at += 1) {
      *at = '\0';
      if (mkdir(path, 0711) != 0 && errno != EEXIST) fail("show", path);
      *at = '/';
    }
    int made = each->is_folder ? mkdir(path, 0711) : mknod(path, S_IFREG | 0444, 0);
    snprintf(source, sizeof source, "/proc/self/fd/%d", each->place);
    if (made != 0 || mount(source, path, NULL, MS_BIND | MS_REC, NULL) != 0) fail("show", path);
  }
  umask(mask);
}

#endif
