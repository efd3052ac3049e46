/*
 * confine: the last steps before a program of an agent runs, and the keeper of a network of its own.
 *
 *   confine run [OPTIONS] -- PROGRAM ARGS...    confines itself and becomes the program
 *   confine network                             keeps a network namespace, over Node.js's channel
 *   confine own UID GID PATH                    gives what the service made at and below a path to a user
 *   confine probe [UID GID]                     prints what this kernel offers, as JSON
 *
 * Options of "run", done in the order given, the last four at the end:
 *   --control-group DIR   joins a control group (before the rights are dropped)
 *   --network PID         joins the network namespace of that process
 *   --show P              keeps P in sight below the folders of --cover, which come after it
 *   --cover DIR           hides a folder that the user may not enter behind an empty one, in which only
 *                         what is shown stands, at its own path; in a mount namespace of its own
 *   --user UID GID        becomes this user, without other groups
 *   --max NAME N          a resource limit: nofile, nproc, fsize, data
 *   --directory DIR       the working directory
 *   --open FILE           descriptor 3 of the program: the filter for what runs it
 *   --environment FILE    the environment of the program: NAME=VALUE, each ended by NUL
 *   --supervise           stays as the parent, and ends everything below when the program has ended,
 *                         on SIGALRM, and when its own parent ends. Two processes do it: if one is
 *                         killed, the other one ends the rest
 *   --same P DEV:INO      demands that P is that file, also when --read or --write opens it later
 *   --read P, --write P   Landlock: what may be opened below P; anything else may not
 *   --scoped              Landlock: only signals and names of sockets outside are out of reach
 *   --filter FILE         a seccomp filter, as the bytes of struct sock_filter
 *
 * Always: no core dumps, no new privileges, no descriptors beyond 0, 1 and 2, and the end with the
 * process that started it. Exit 125: a step failed, said on standard error; the program did not run.
 */
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

/* ------------------------------------------------------------------ Landlock */

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

/* ------------------------------------------------------------------ run */

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

static void join_network(const char *process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/ns/net", number(process));
  int network = open(path, O_RDONLY | O_CLOEXEC);
  if (network < 0) fail("open", path);
  if (setns(network, CLONE_NEWNET) != 0) {
    /* Without rights here, they come with the user namespace that owns the network. */
    snprintf(path, sizeof path, "/proc/%ld/ns/user", number(process));
    int user = open(path, O_RDONLY | O_CLOEXEC);
    if (user < 0 || setns(user, CLONE_NEWUSER) != 0 || setns(network, CLONE_NEWNET) != 0) fail("join the network of", process);
    close(user);
  }
  close(network);
}

static void end_with_parent(pid_t parent, int signal) {
  if (prctl(PR_SET_PDEATHSIG, signal) != 0) fail("follow the parent", "");
  /* It may have ended before the line above. */
  if (getppid() != parent) exit(125);
}

static void become(const char *user, const char *group) {
  gid_t gid = (gid_t)number(group);
  uid_t uid = (uid_t)number(user);
  if (setgroups(0, NULL) != 0 || setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0) fail("become user", user);
}

/* ---- what stands in folders that the user may not enter */

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

static pid_t program;
static volatile sig_atomic_t ending;

static void end_all(int signal) {
  (void)signal;
  ending = 1;
}

static void pass_on(int signal) {
  if (program > 0) kill(program, signal);
}

/* Kills every child, which makes their children ours, until there are none. */
static void end_children(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  for (;;) {
    FILE *list = fopen(path, "re");
    if (list == NULL) return;
    long child;
    while (fscanf(list, "%ld", &child) == 1) kill((pid_t)child, SIGKILL);
    fclose(list);
    if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD) return;
  }
}

static void end_as(int status) {
  if (WIFEXITED(status)) exit(WEXITSTATUS(status));
  signal(WTERMSIG(status), SIG_DFL);
  kill(getpid(), WTERMSIG(status));
  exit(128 + WTERMSIG(status));
}

static const int passed[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT};

/* Waits for the child, which may be told to end all, ends what is left, and ends as the child did. */
static void watch(pid_t parent, void (*at_end)(int)) {
  for (size_t index = 0; index < sizeof passed / sizeof *passed; index += 1) signal(passed[index], pass_on);
  /* Not restarted: it has to end the wait. */
  struct sigaction action = {.sa_handler = at_end};
  sigaction(SIGALRM, &action, NULL);
  end_with_parent(parent, SIGALRM);
  int status = 0;
  pid_t ended;
  do ended = waitpid(-1, &status, 0);
  while (!ending && ended != program && !(ended < 0 && errno == ECHILD));
  end_children();
  if (ended != program) exit(128 + SIGKILL);
  end_as(status);
}

/* The program goes on in the child of a child. If the inner one of the two processes above it is
 * killed, what it kept becomes the outer one's; if the outer one is, the inner one hears of it. */
static void supervise(pid_t parent) {
  for (int inner = 0; inner < 2; inner += 1) {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("supervise", "");
    pid_t self = getpid();
    program = fork();
    if (program < 0) fail("fork", "");
    if (program > 0) watch(parent, inner ? end_all : pass_on);
    parent = self;
  }
  end_with_parent(parent, SIGKILL);
  /* In a terminal the program is in the foreground, so that Ctrl-C reaches it once. */
  signal(SIGTTOU, SIG_IGN);
  if (!isatty(0)) setsid(); /* Else the terminal of the service would be its own. */
  else if (setpgid(0, 0) == 0) tcsetpgrp(0, getpid());
  signal(SIGTTOU, SIG_DFL);
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
  execvp(given[at + 1], given + at + 1);
  fail("start", given[at + 1]);
  return 125;
}

/* ------------------------------------------------------------------ network */

/* Sends one line of Node.js's channel, with a descriptor as its handle where there is one. */
static void send_line(int channel, const char *line, int handle) {
  struct iovec part = {.iov_base = (void *)line, .iov_len = strlen(line)};
  char control[CMSG_SPACE(sizeof handle)] = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (handle >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof handle);
    memcpy(CMSG_DATA(head), &handle, sizeof handle);
  }
  if (sendmsg(channel, &message, MSG_NOSIGNAL) < 0) exit(125);
}

static void answer(int channel, const char *kind, long port, const char *type, int socket) {
  char line[256];
  if (socket < 0)
    snprintf(line, sizeof line, "{\"%s\":%ld,\"error\":\"%s\"}\n", kind, port, strerror(errno));
  else
    snprintf(line, sizeof line, "{\"cmd\":\"NODE_HANDLE\",\"type\":\"%s\",\"msg\":{\"%s\":%ld}}\n", type, kind, port);
  send_line(channel, line, socket);
  if (socket >= 0) close(socket);
}

static int loopback(long port, int listening) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  if (handle < 0) return -1;
  setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  int done = listening ? bind(handle, (struct sockaddr *)&address, sizeof address) == 0 && listen(handle, 128) == 0
                       : connect(handle, (struct sockaddr *)&address, sizeof address) == 0;
  if (done) return handle;
  int kept = errno;
  close(handle);
  errno = kept;
  return -1;
}

/* Makes a user and a network namespace with a loopback, and hands out sockets of it: it reads
 * "listen PORT" and "connect PORT" from standard input, a line each, and answers over the channel
 * that Node.js opened. It ends with its input. */
static int network(void) {
  const char *channel_name = getenv("NODE_CHANNEL_FD");
  if (channel_name == NULL) {
    errno = EINVAL;
    fail("no channel", "");
  }
  int channel = (int)number(channel_name);
  end_with_parent(getppid(), SIGKILL);
  char map[64];
  uid_t uid = geteuid();
  gid_t gid = getegid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) fail("make a network", "");
  write_file("/proc/self/setgroups", "deny");
  snprintf(map, sizeof map, "%u %u 1", uid, uid);
  write_file("/proc/self/uid_map", map);
  snprintf(map, sizeof map, "%u %u 1", gid, gid);
  write_file("/proc/self/gid_map", map);
  struct ifreq device = {.ifr_flags = IFF_UP | IFF_RUNNING};
  strcpy(device.ifr_name, "lo");
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0 || ioctl(any, SIOCSIFFLAGS, &device) != 0) fail("open the loopback", "");
  close(any);
  send_line(channel, "{\"ready\":true}\n", -1);
  char line[64], verb[16];
  long port;
  while (fgets(line, sizeof line, stdin) != NULL) {
    /* Node.js acknowledges each handle there; unread, that would pile up. */
    char seen[1024];
    while (recv(channel, seen, sizeof seen, MSG_DONTWAIT) > 0) continue;
    if (sscanf(line, "%15s %ld", verb, &port) != 2 || port < 1 || port > 65535) continue;
    if (strcmp(verb, "listen") == 0) answer(channel, "listen", port, "net.Server", loopback(port, 1));
    if (strcmp(verb, "connect") == 0) answer(channel, "connect", port, "net.Socket", loopback(port, 0));
  }
  return 0;
}

/* ------------------------------------------------------------------ own */

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

/* ------------------------------------------------------------------ probe */

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

int main(int count, char **given) {
  const char *verb = count >= 2 ? given[1] : "", *user = count == 4 ? given[2] : NULL, *group = count == 4 ? given[3] : NULL;
  if (strcmp(verb, "run") == 0) return run(count - 2, given + 2);
  if (count == 2 && strcmp(verb, "network") == 0) return network();
  if (count == 5 && strcmp(verb, "own") == 0) return own(given[2], given[3], given[4]);
  if ((count == 2 || count == 4) && strcmp(verb, "probe") == 0) return probe(user, group);
  fprintf(stderr, "confine run [OPTIONS] -- PROGRAM ARGS...\nconfine network\nconfine own UID GID PATH\nconfine probe [UID GID]\n");
  return 2;
}
