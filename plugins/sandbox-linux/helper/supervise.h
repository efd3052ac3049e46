/* The two processes above a program, which end everything below when one of them does. */
#ifndef CONFINE_SUPERVISE_H
#define CONFINE_SUPERVISE_H

#include "common.h"

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
    int tries = 0;
    do program = fork();
    while (program < 0 && counts_still(&tries));
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

#endif
