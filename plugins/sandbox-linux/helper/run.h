/* The last steps before a program runs. */
#ifndef CONFINE_RUN_H
#define CONFINE_RUN_H

#include "common.h"
#include "cover.h"
#include "landlock.h"
#include "network.h"
#include "supervise.h"

static void limit(const char *name, long most) {
  static const struct {
    const char *name;
    int resource;
  } known[] = {{"nofile", RLIMIT_NOFILE}, {"nproc", RLIMIT_NPROC}, {"fsize", RLIMIT_FSIZE}, {"data", RLIMIT_DATA}};
  for (size_t index = 0; index < sizeof known / sizeof *known; index += 1) {
    if (strcmp(known[index].name, name) != 0) continue;
    struct rlimit value = {.rlim_cur = (rlim_t)most, .rlim_max = (rlim_t)most};
    if (setrlimit(known[index].resource, &value) != 0) fail("limit", name);
    return;
  }
  errno = EINVAL;
  fail("limit", name);
}

static void become(const char *user, const char *group) {
  gid_t gid = (gid_t)number(group);
  uid_t uid = (uid_t)number(user);
  if (setgroups(0, NULL) != 0 || setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0) fail("become user", user);
}

static struct sock_filter instructions[BPF_MAXINSNS];
static struct sock_fprog filter = {.len = 0, .filter = instructions};

static void read_filter(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, instructions, sizeof instructions);
  if (size <= 0 || size % (ssize_t)sizeof *instructions != 0) fail("read the filter", path);
  close(file);
  filter.len = (unsigned short)(size / (ssize_t)sizeof *instructions);
}

static char **read_environment(const char *path) {
  static char text[1 << 20];
  static char *values[4096];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (size < 0 || size == (ssize_t)sizeof text - 1) fail("read the environment", path);
  close(file);
  size_t count = 0;
  for (char *at = text; at < text + size && count < sizeof values / sizeof *values - 1; at += strlen(at) + 1) values[count++] = at;
  return values;
}

static int run(int count, char **given) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  pid_t parent = getppid();
  end_with_parent(parent, SIGKILL);
  int abi = landlock_abi();
  int rules = -1, supervised = 0, opened = 0, at = 0;
  char **environment = environ;
#define GIVEN(name, more) (strcmp(given[at], name) == 0 && at + (more) < count)
  for (; at < count && strcmp(given[at], "--") != 0; at += 1) {
    if (GIVEN("--control-group", 1)) {
      char path[4096];
      snprintf(path, sizeof path, "%s/cgroup.procs", given[at += 1]);
      write_file(path, "0");
    } else if (GIVEN("--network", 1)) {
      join_network(given[at += 1]);
    } else if (GIVEN("--show", 1)) {
      show(given[at += 1]);
    } else if (GIVEN("--cover", 1)) {
      cover(given[at += 1]);
    } else if (GIVEN("--user", 2)) {
      become(given[at + 1], given[at + 2]);
      /* A change of the user forgets whose end we follow. */
      end_with_parent(parent, SIGKILL);
      at += 2;
    } else if (GIVEN("--max", 2)) {
      limit(given[at + 1], number(given[at + 2]));
      at += 2;
    } else if (GIVEN("--supervise", 0)) {
      supervised = 1;
    } else if (GIVEN("--same", 2)) {
      keep_same(given[at + 1], given[at + 2]);
      at += 2;
    } else if (GIVEN("--read", 1) || GIVEN("--write", 1)) {
      if (abi < 1) fail("Landlock", "");
      if (rules < 0) rules = open_ruleset(abi, known_rights(abi));
      int writable = given[at][2] == 'w';
      allow_below(rules, abi, given[at += 1], writable);
    } else if (GIVEN("--scoped", 0)) {
      if (abi >= 6 && rules < 0) rules = open_ruleset(abi, 0);
    } else if (GIVEN("--directory", 1)) {
      if (chdir(given[at += 1]) != 0) fail("enter", given[at]);
    } else if (GIVEN("--environment", 1)) {
      environment = read_environment(given[at += 1]);
    } else if (GIVEN("--open", 1)) {
      int file = open(given[at += 1], O_RDONLY);
      if (file < 0 || (file != 3 && dup2(file, 3) != 3)) fail("open", given[at]);
      opened = 1;
    } else if (GIVEN("--filter", 1)) {
      read_filter(given[at += 1]);
    } else {
      errno = EINVAL;
      fail("option", given[at]);
    }
  }
  if (at + 1 >= count) {
    errno = EINVAL;
    fail("no program was named", "");
  }
  if (supervised) supervise(parent);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("give up privileges", "");
  if (rules >= 0 && syscall(SYS_landlock_restrict_self, rules, 0) != 0) fail("Landlock", "");
  if (syscall(SYS_close_range, 3 + opened, ~0U, 0) != 0) fail("close descriptors", "");
  if (filter.len > 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) fail("load the filter", "");
  environ = environment;
  int tries = 0;
  do execvp(given[at + 1], given + at + 1);
  while (counts_still(&tries));
  fail("start", given[at + 1]);
  return 125;
}

#endif
