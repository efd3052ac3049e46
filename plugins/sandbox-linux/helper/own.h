/* Gives what the service made to a user. */
#ifndef CONFINE_OWN_H
#define CONFINE_OWN_H

#include "common.h"

/* Of these two users: the service, and the one that the whole belonged to. */
static uid_t service, former;
static const int max_depth = 4000;

static int is_ours(const struct stat *info) {
  /* A file of several names may have one outside. */
  return (info->st_uid == service || info->st_uid == former) && (S_ISDIR(info->st_mode) || info->st_nlink == 1);
}

/* By open folders alone and without following links, so that no swap in a race leads elsewhere. A
 * folder is given away before it is read: what the service makes in it later follows its owner. */
static void own_below(int folder, uid_t uid, gid_t gid, int depth) {
  char **inner = NULL;
  size_t count = 0;
  int again = dup(folder);
  DIR *list = again < 0 ? NULL : fdopendir(again);
  if (list == NULL || depth > max_depth) {
    if (depth > max_depth) errno = ELOOP;
    fail("list a folder", "");
  }
  rewinddir(list);
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    int place = openat(folder, entry->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat info;
    if (place < 0 && errno == ENOENT) continue;
    if (place < 0 || fstat(place, &info) != 0) fail("look at", entry->d_name);
    if (is_ours(&info) && fchownat(place, "", uid, gid, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0) fail("own", entry->d_name);
    close(place);
    if (!S_ISDIR(info.st_mode)) continue;
    inner = realloc(inner, (count + 1) * sizeof *inner);
    if (inner == NULL || (inner[count++] = strdup(entry->d_name)) == NULL) fail("list a folder", "");
  }
  closedir(list);
  for (size_t index = 0; index < count; index += 1) {
    int next = openat(folder, inner[index], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) fail("open", inner[index]);
    free(inner[index]);
    if (next < 0) continue;
    own_below(next, uid, gid, depth + 1);
    close(next);
  }
  free(inner);
}

/* The path itself is given away last: that it has its owner says that the rest has. What came to be
 * in it meanwhile is looked at once more. */
static int own(const char *user, const char *group, const char *path) {
  uid_t uid = (uid_t)number(user);
  gid_t gid = (gid_t)number(group);
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  struct stat info;
  int place = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0 || fstat(place, &info) != 0) fail("open", path);
  /* A folder above it may have become a link since it was looked at. */
  char source[64], real[4096];
  snprintf(source, sizeof source, "/proc/self/fd/%d", place);
  ssize_t length = readlink(source, real, sizeof real);
  if (length < 0 || (size_t)length != strlen(path) || strncmp(real, path, (size_t)length) != 0) {
    errno = ELOOP;
    fail("own over a link", path);
  }
  service = geteuid();
  former = info.st_uid;
  if (!is_ours(&info)) {
    errno = EMLINK;
    fail("own a file of several names", path);
  }
  int folder = S_ISDIR(info.st_mode) ? openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (folder >= 0) own_below(folder, uid, gid, 0);
  if (fchownat(place, "", uid, gid, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0) fail("own", path);
  if (folder >= 0) own_below(folder, uid, gid, 0);
  return 0;
}

#endif
