/* What this kernel offers. */
#ifndef CONFINE_PROBE_H
#define CONFINE_PROBE_H

#include "common.h"
#include "landlock.h"

/* Whether a child can do it. */
static int works(int (*step)(void)) {
  pid_t child = fork();
  if (child == 0) _exit(step() == 0 ? 0 : 1);
  int status = 1;
  if (child > 0) waitpid(child, &status, 0);
  return status == 0;
}

static const char *probed_user, *probed_group;
static int try_user(void) {
  if (probed_user == NULL) return 0;
  gid_t gid = (gid_t)number(probed_group);
  uid_t uid = (uid_t)number(probed_user);
  return setgroups(0, NULL) == 0 && setresgid(gid, gid, gid) == 0 ? setresuid(uid, uid, uid) : -1;
}
static int try_network(void) { return unshare(CLONE_NEWUSER | CLONE_NEWNET); }
static int try_mounts(void) { return unshare(CLONE_NEWNS) == 0 ? mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) : -1; }
static int try_filter(void) { return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT ? 0 : -1; }

static int probe(const char *user, const char *group) {
  int abi = landlock_abi();
  probed_user = user;
  probed_group = group;
  const char *words[] = {"false", "true"};
  int users = works(try_user), networks = works(try_network), mounts = works(try_mounts), filters = works(try_filter);
  printf("{\"landlock\":%d,\"users\":%s,\"networks\":%s,\"mounts\":%s,\"filters\":%s}\n", abi < 0 ? 0 : abi, words[users],
         words[networks], words[mounts], words[filters]);
  return 0;
}

#endif
