import type { SandboxFiles } from '@agent-service/sdk/contracts/sandbox-driver'
import type { SystemPaths } from './system-paths.js'

/** Files there are memory, and no process's own: only control groups count them. */
const maxTemporaryBytes = 268_435_456

/** What bubblewrap is to do. */
export interface BubblewrapPlan {
  /** The program itself: absolute. */
  readonly bubblewrap: string
  readonly system: SystemPaths
  readonly files: SandboxFiles
  /** Whether a denied path is a folder; it exists. */
  readonly isFolder: (path: string) => boolean
  /** Readable at their own paths, whatever else is denied: the helper, and the folder of this run. */
  readonly own: readonly string[]
  /** What stands at `/etc/passwd` and `/etc/group`. */
  readonly accounts: { readonly passwd: string; readonly group: string }
  readonly directory: string
  /** Without it the process has a session of its own, as it must with pipes. */
  readonly terminal: boolean
  /** Whether a network namespace was joined before. Else it gets an empty one. */
  readonly networkJoined: boolean
  /** False where files are not confined: everything is there as outside. */
  readonly confined: boolean
}

/**
 * The command line of bubblewrap up to the program; see bwrap(1). Namespaces of every kind, no
 * capability, `/proc` of the own processes alone, and `/proc/sys` read-only: bubblewrap leaves it
 * writable for the owner of its files. It reads the filter of system calls from descriptor 3.
 */
export function bubblewrapCommand(plan: BubblewrapPlan): readonly [string, ...string[]] {
  const { bubblewrap, system, files, own, accounts, directory, terminal, networkJoined, confined } = plan
  const bind = (kind: string, path: string): readonly string[] => [kind, path, path]
  const writable = new Set(files.write)
  const granted = [...new Set([...files.read, ...files.write])].sort()
  return [
    bubblewrap,
    ...(confined
      ? [
          ...system.readable.flatMap((path) => bind('--ro-bind-try', path)),
          ...system.links.flatMap(({ path, target }) => ['--symlink', target, path]),
          ...['--ro-bind', accounts.passwd, '/etc/passwd', '--ro-bind', accounts.group, '/etc/group'],
          ...['--size', String(maxTemporaryBytes), '--tmpfs', '/tmp'],
        ]
      : ['--bind', '/', '/']),
    ...[
      '--proc',
      '/proc',
      '--ro-bind-try',
      '/proc/sys',
      '/proc/sys',
      '--dev',
      '/dev',
      '--size',
      String(maxTemporaryBytes),
      '--tmpfs',
      '/dev/shm',
    ],
    // Sorted: what lies deeper comes later, and counts.
    ...(confined ? granted.flatMap((path) => bind(writable.has(path) ? '--bind' : '--ro-bind', path)) : []),
    ...(confined
      ? files.deny.flatMap((path) => (plan.isFolder(path) ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path]))
      : []),
    ...own.flatMap((path) => bind('--ro-bind', path)),
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(networkJoined ? [] : ['--unshare-net']),
    ...['--hostname', 'sandbox', '--die-with-parent', '--cap-drop', 'ALL', '--disable-userns'],
    // By bubblewrap, which then has it too: a process can write the memory of the first one inside.
    ...['--seccomp', '3'],
    ...(terminal ? [] : ['--new-session']),
    ...(confined ? ['--remount-ro', '/'] : []),
    ...['--chdir', directory, '--'],
  ]
}
