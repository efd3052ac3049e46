import { stat } from 'node:fs/promises'
import type { SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import { bubblewrapCommand } from '../confinement/bubblewrap.js'
import { landlockOptions } from '../confinement/landlock.js'
import type { ClosedFolders } from '../files/closed-folders.js'
import type { PinnedPath } from '../files/pinned-paths.js'
import type { ProcessGroup } from '../groups/process-group.js'
import type { Mode } from '../health/health.js'
import type { Machine } from '../machine/machine.js'
import type { SandboxUser } from '../machine/sandbox-users.js'
import type { PrincipalNetwork } from '../network/principal-networks.js'
import type { RunFolder } from '../processes/run-folder.js'

/** Everything that a command line is made of. */
export interface CommandParts {
  readonly request: SandboxRequest
  readonly machine: Machine
  readonly mode: Mode
  readonly helper: string
  readonly user: SandboxUser | undefined
  readonly closed: ClosedFolders
  readonly pinned: readonly PinnedPath[]
  readonly own: RunFolder
  readonly network: PrincipalNetwork | undefined
  readonly group: ProcessGroup | undefined
}

/** The whole command line: the helper, what confines files, the helper inside, and the program. */
export async function commandOf(parts: CommandParts): Promise<readonly [string, ...string[]]> {
  const { request, machine, mode, helper, pinned, own, network } = parts
  const { files, command, directory, confined, terminal } = request
  const outer = outerOptions(parts)
  const same = pinned.flatMap(({ path, file }) => ['--same', path, file])
  const inner = ['--environment', own.environment]
  if (mode !== 'bubblewrap' || !('path' in machine.bubblewrap)) {
    const rules = confined ? [...same, ...landlockOptions(machine.system, files, [own.path])] : ['--scoped']
    return [helper, 'run', ...outer, '--supervise', ...rules, ...inner, '--filter', own.filter, '--directory', directory, '--', ...command]
  }
  const folders = new Set<string>()
  for (const each of files.deny) if ((await stat(each)).isDirectory()) folders.add(each)
  const wrapped = bubblewrapCommand({
    ...{ bubblewrap: machine.bubblewrap.path, system: machine.system, files, directory, confined },
    isFolder: (each) => folders.has(each),
    own: [helper, own.path],
    accounts: own,
    terminal: terminal !== undefined,
    networkJoined: network !== undefined,
  })
  return [helper, 'run', ...outer, '--open', own.filter, '--', ...wrapped, helper, 'run', ...same, ...inner, '--', ...command]
}

/** What the helper does before anything else, while it has the service's rights. */
function outerOptions({ request: { limits }, user, closed, network, group }: CommandParts): readonly string[] {
  return [
    ...(group?.folders ?? []).flatMap((folder) => ['--control-group', folder]),
    ...(network === undefined ? [] : ['--network', String(network.pid)]),
    ...closed.shown.flatMap((each) => ['--show', each]),
    ...closed.covers.flatMap((each) => ['--cover', each]),
    ...(user === undefined ? [] : ['--user', String(user.uid), String(user.gid)]),
    ...(limits.maxOpenFiles === undefined ? [] : ['--max', 'nofile', String(limits.maxOpenFiles)]),
    ...(limits.maxFileBytes === undefined ? [] : ['--max', 'fsize', String(limits.maxFileBytes)]),
    // It counts the processes of a user, so that it needs one for each principal.
    ...(limits.maxProcesses === undefined || user === undefined ? [] : ['--max', 'nproc', String(limits.maxProcesses)]),
  ]
}
