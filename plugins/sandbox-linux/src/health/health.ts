import type { SandboxFence, SandboxHealth } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Machine } from '../machine/machine.js'

/** Why the network can only be off. */
export const noDestinations =
  'The service may not make network namespaces here, so the network can only be off. Allow it user namespaces (kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns).'

/** What confines the processes of a machine. */
export type Mode = 'bubblewrap' | 'Landlock' | 'none'

/** Signals to other processes are out of scope from this generation of Landlock on. */
const scopedLandlock = 6

/** Whether processes can run at all: without their fences if files are not to be confined. */
export const canRun = ({ helper, filters, users }: Machine): boolean => 'path' in helper && filters !== undefined && users

/** The best mode that a machine has. */
export function modeOf(machine: Machine): Mode {
  const { bubblewrap, landlock } = machine
  if (!canRun(machine)) return 'none'
  if ('path' in bubblewrap) return 'bubblewrap'
  return landlock >= scopedLandlock ? 'Landlock' : 'none'
}

const closed = (by: string): SandboxFence => ({ state: 'closed', by, reason: '' })
const partial = (by: string, reason: string): SandboxFence => ({ state: 'partial', by, reason })
const open = (reason: string): SandboxFence => ({ state: 'open', by: '', reason })

/** What confines on this machine, and what does not, with the reason. */
export function healthOf(machine: Machine): SandboxHealth {
  const mode = modeOf(machine)
  const limits = machine.groups
    ? closed(machine.groups.version)
    : partial(
        'measuring',
        'Memory and processors are measured and ended beyond their limits; no control group stops them before. Let the service make control groups: with systemd, Delegate=yes.',
      )
  const destinations = machine.networks
    ? partial('a proxy', 'Only programs that use the proxy of their environment reach the network: raw connections, UDP and ping do not.')
    : open(noDestinations)
  const network = networkOf(machine, mode)
  const fences = { network, destinations, limits }
  if (mode === 'bubblewrap')
    return { confines: true, mode, fences: { files: closed('bubblewrap'), processes: closed('bubblewrap and seccomp'), ...fences } }
  if (mode === 'none') {
    const nothing = open(whyNot(machine))
    return { confines: false, mode, fences: { files: nothing, processes: nothing, ...fences } }
  }
  const files =
    'Names, sizes and times of files outside can be seen, not their contents, and modes and times of those of the same user changed. Install bubblewrap to close this.'
  const processes = 'Command lines of processes of the same user can be seen. Install bubblewrap to hide them.'
  return {
    confines: true,
    mode,
    fences: { files: partial('Landlock', files), processes: partial('Landlock and seccomp', processes), ...fences },
  }
}

function networkOf(machine: Machine, mode: Mode): SandboxFence {
  if (!canRun(machine)) return open(whyNot(machine))
  if (machine.networks) return closed('a network namespace')
  return mode === 'bubblewrap'
    ? partial(
        'a network namespace',
        'Each process has a loopback of its own: those of one principal cannot reach each other, and no port is forwarded.',
      )
    : partial(
        'seccomp',
        'A process has no loopback at all, and no port is forwarded, because the service may not make network namespaces here.',
      )
}

function whyNot({ helper, bubblewrap, landlock, filters, users }: Machine): string {
  if ('missing' in helper) return `The helper that confines does not run: ${helper.missing}.`
  if (!users)
    return 'The service is root and may not run processes as other users here. Run it as an ordinary user, or allow it CAP_SETUID and CAP_SETGID.'
  if (filters === undefined) return `There is no filter of system calls for ${process.arch}, or the kernel has none.`
  const missing = 'missing' in bubblewrap ? bubblewrap.missing : 'bubblewrap works'
  return `${missing}, and Landlock of this kernel is of generation ${landlock}; ${scopedLandlock} is needed. Install bubblewrap, and allow user namespaces.`
}
