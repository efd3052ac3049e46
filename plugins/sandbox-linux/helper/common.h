/* What every part of the helper has: headers, failures, numbers, files, the end with the parent. */
#ifndef CONFINE_COMMON_H
#define CONFINE_COMMON_H

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

static void fail(const char *step, const char *what) {
  fprintf(stderr, "confine: %s%s%s: %s\n", step, *what ? " " : "", what, strerror(errno));
  exit(125);
}

/*
 * Whether a step that the limit of processes refused is worth another try: what has just ended still
 * counts for a moment. For a second at most.
 */
static int counts_still(int *tries) {
  struct timespec pause = {0, 5 * 1000 * 1000};
  if (errno != EAGAIN || (*tries += 1) > 200) return 0;
  nanosleep(&pause, NULL);
  return 1;
}

static long number(const char *text) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno != 0 || *text == '\0' || *end != '\0' || value < 0) {
    errno = EINVAL;
    fail("a number was expected, not", text);
  }
  return value;
}

static void write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) fail("write", path);
  close(file);
}

static void end_with_parent(pid_t parent, int signal) {
  if (prctl(PR_SET_PDEATHSIG, signal) != 0) fail("follow the parent", "");
  /* It may have ended before the line above. */
  if (getppid() != parent) exit(125);
}

#endif
