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
#include "common.h"
#include "network.h"
#include "own.h"
#include "probe.h"
#include "run.h"

int main(int count, char **given) {
  const char *verb = count >= 2 ? given[1] : "", *user = count == 4 ? given[2] : NULL, *group = count == 4 ? given[3] : NULL;
  if (strcmp(verb, "run") == 0) return run(count - 2, given + 2);
  if (count == 2 && strcmp(verb, "network") == 0) return network();
  if (count == 5 && strcmp(verb, "own") == 0) return own(given[2], given[3], given[4]);
  if ((count == 2 || count == 4) && strcmp(verb, "probe") == 0) return probe(user, group);
  fprintf(stderr, "confine run [OPTIONS] -- PROGRAM ARGS...\nconfine network\nconfine own UID GID PATH\nconfine probe [UID GID]\n");
  return 2;
}
