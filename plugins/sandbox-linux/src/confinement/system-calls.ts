/** The processor architectures that there are filters for, as Node.js names them. */
export type Architecture = 'x64' | 'arm64'

/**
 * What differs between architectures: the number by which the kernel knows them
 * (linux/audit.h), and those of system calls (asm/unistd.h).
 */
export interface SystemCalls {
  readonly audit: number
  /** Beyond this number the calls are those of another interface: x32. */
  readonly maxNumber: number | undefined
  readonly clone: number
  readonly clone3: number
  readonly ioctl: number
  readonly socket: number
  /** Change a process by its number, as the first or the second argument; 0 is the caller. */
  readonly ofProcess: { readonly first: Readonly<Record<string, number>>; readonly second: Readonly<Record<string, number>> }
  /** Never needed by a program, and ways to what lies outside. */
  readonly denied: Readonly<Record<string, number>>
  /**
   * Ways to what lies outside unless namespaces hide it: memory, queues and semaphores that all
   * processes share, and watches, which Landlock does not know.
   */
  readonly shared: Readonly<Record<string, number>>
}

/** The same on every architecture since Linux 5.1. */
const common = {
  ...{ open_tree: 428, move_mount: 429, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442, open_tree_attr: 467 },
  ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
  ...{ pidfd_getfd: 438, process_madvise: 440, quotactl_fd: 443 },
} as const

export const systemCalls: Readonly<Record<Architecture, SystemCalls>> = {
  x64: {
    ...{ audit: 0xc000003e, maxNumber: 0x3fffffff, clone: 56, clone3: 435, ioctl: 16, socket: 41 },
    ofProcess: {
      first: {
        ...{ prlimit64: 302, sched_setaffinity: 203, sched_setscheduler: 144, sched_setparam: 142, sched_setattr: 314 },
        ...{ migrate_pages: 256, move_pages: 279 },
      },
      second: { setpriority: 141, ioprio_set: 251 },
    },
    denied: {
      ...common,
      // Other processes.
      ...{ ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312 },
      // Keys, programs and memory inside the kernel.
      ...{ keyctl: 250, add_key: 248, request_key: 249, bpf: 321, perf_event_open: 298, userfaultfd: 323 },
      // Mounts and namespaces.
      ...{ mount: 165, umount2: 166, pivot_root: 155, chroot: 161, unshare: 272, setns: 308, open_by_handle_at: 304 },
      // The machine.
      fanotify_init: 300,
      ...{ kexec_load: 246, kexec_file_load: 320, init_module: 175, finit_module: 313, delete_module: 176, reboot: 169 },
      ...{ swapon: 167, swapoff: 168, acct: 163, quotactl: 179, settimeofday: 164, clock_settime: 227, clock_adjtime: 305 },
      ...{ adjtimex: 159, personality: 135, syslog: 103, iopl: 172, ioperm: 173, vhangup: 153, lookup_dcookie: 212 },
    },
    shared: {
      ...{ shmget: 29, shmat: 30, shmctl: 31, semget: 64, semop: 65, semctl: 66, semtimedop: 220 },
      ...{ msgget: 68, msgsnd: 69, msgrcv: 70, msgctl: 71, mq_open: 240, mq_unlink: 241 },
      ...{ inotify_init: 253, inotify_init1: 294 },
    },
  },
  arm64: {
    ...{ audit: 0xc00000b7, maxNumber: undefined, clone: 220, clone3: 435, ioctl: 29, socket: 198 },
    ofProcess: {
      first: {
        ...{ prlimit64: 261, sched_setaffinity: 122, sched_setscheduler: 119, sched_setparam: 118, sched_setattr: 274 },
        ...{ migrate_pages: 238, move_pages: 239 },
      },
      second: { setpriority: 140, ioprio_set: 30 },
    },
    denied: {
      ...common,
      ...{ ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272 },
      ...{ keyctl: 219, add_key: 217, request_key: 218, bpf: 280, perf_event_open: 241, userfaultfd: 282 },
      ...{ mount: 40, umount2: 39, pivot_root: 41, chroot: 51, unshare: 97, setns: 268, open_by_handle_at: 265 },
      fanotify_init: 262,
      ...{ kexec_load: 104, kexec_file_load: 294, init_module: 105, finit_module: 273, delete_module: 106, reboot: 142 },
      ...{ swapon: 224, swapoff: 225, acct: 89, quotactl: 60, settimeofday: 170, clock_settime: 112, clock_adjtime: 266 },
      ...{ adjtimex: 171, personality: 92, syslog: 116, vhangup: 58, lookup_dcookie: 18 },
    },
    shared: {
      ...{ shmget: 194, shmat: 196, shmctl: 195, semget: 190, semop: 193, semctl: 191, semtimedop: 192 },
      ...{ msgget: 186, msgsnd: 189, msgrcv: 188, msgctl: 187, mq_open: 180, mq_unlink: 181 },
      ...{ inotify_init1: 26 },
    },
  },
}
