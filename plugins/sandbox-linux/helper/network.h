/* A network namespace of its own: who keeps it, and who joins it. */
#ifndef CONFINE_NETWORK_H
#define CONFINE_NETWORK_H

#include "common.h"

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

#endif
