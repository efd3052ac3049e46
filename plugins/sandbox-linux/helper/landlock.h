/* Landlock: the rules of files that the ABI of this kernel knows. */
#ifndef CONFINE_LANDLOCK_H
#define CONFINE_LANDLOCK_H

#include "common.h"

/* The rules of Landlock that the kernel's ABI knows; see landlock(7). The headers may be older. */
#define FS_REFER (1ULL << 13)
#define FS_TRUNCATE (1ULL << 14)
#define FS_IOCTL_DEV (1ULL << 15)
#define READ_RIGHTS (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
/* Without devices: nothing that a process makes may be one. */
#define MAKE_RIGHTS                                                                                                        \
  (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |                         \
   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
   LANDLOCK_ACCESS_FS_MAKE_SOCK)
#define DEVICE_RIGHTS (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK)
#define FILE_RIGHTS (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)

struct ruleset {
  unsigned long long fs, net, scoped;
};

static int landlock_abi(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static unsigned long long known_rights(int abi) {
  unsigned long long rights = READ_RIGHTS | MAKE_RIGHTS | DEVICE_RIGHTS;
  if (abi >= 2) rights |= FS_REFER;
  if (abi >= 3) rights |= FS_TRUNCATE;
  if (abi >= 5) rights |= FS_IOCTL_DEV;
  return rights;
}

static int open_ruleset(int abi, unsigned long long files) {
  /* Abstract sockets and signals outside are out of scope from ABI 6 on. */
  struct ruleset set = {.fs = files, .net = 0, .scoped = abi >= 6 ? 3 : 0};
  size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  int rules = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
  if (rules < 0) fail("Landlock", "");
  return rules;
}

/* Files that were looked at before. What runs already may have put a link in their place. */
static struct {
  const char *path, *file;
} same[4096];
static size_t same_count;

static void demand_same(const char *path, const struct stat *info) {
  char file[64];
  snprintf(file, sizeof file, "%llu:%llu", (unsigned long long)info->st_dev, (unsigned long long)info->st_ino);
  for (size_t index = 0; index < same_count; index += 1) {
    if (strcmp(same[index].path, path) != 0 || strcmp(same[index].file, file) == 0) continue;
    errno = ESTALE;
    fail("something else is now at", path);
  }
}

static void keep_same(const char *path, const char *file) {
  if (same_count == sizeof same / sizeof *same) {
    errno = E2BIG;
    fail("look at", path);
  }
  same[same_count].path = path;
  same[same_count++].file = file;
  struct stat info;
  if (stat(path, &info) != 0) fail("look at", path);
  demand_same(path, &info);
}

static void allow_below(int rules, int abi, const char *path, int writable) {
  int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) {
    if (errno == ENOENT) return;
    fail("open", path);
  }
  struct stat info;
  if (fstat(place, &info) != 0) fail("look at", path);
  demand_same(path, &info);
  unsigned long long rights = READ_RIGHTS;
  if (writable) rights |= MAKE_RIGHTS | FS_REFER | FS_TRUNCATE;
  /* A device that is granted may be asked what it is: /dev/null, /dev/tty. */
  if (!S_ISDIR(info.st_mode)) rights = (rights & FILE_RIGHTS) | (S_ISCHR(info.st_mode) ? FS_IOCTL_DEV : 0);
  struct landlock_path_beneath_attr rule = {.allowed_access = rights & known_rights(abi), .parent_fd = place};
  if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) fail("grant", path);
  close(place);
}

#endif
