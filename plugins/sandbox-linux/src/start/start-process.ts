import {
  type SandboxCall,
  type SandboxRequest,
  sandboxRefusedError,
  sandboxUnavailableError,
} from '@agent-service/sdk/contracts/sandbox-driver'
import type { EgressOptions } from '@agent-service/sdk/egress-proxy'
import { type LaunchedProcess, launchPiped, launchTerminal } from '@agent-service/sdk/sandbox-processes'
import { seccompFilter } from '../confinement/seccomp-filter.js'
import { type ClosedFolders, findClosedFolders } from '../files/closed-folders.js'
import { shareFiles } from '../files/share-files.js'
import { canRun, healthOf, type Mode, modeOf } from '../health/health.js'
import type { Machine } from '../machine/machine.js'
import type { GivenUsers, SandboxUser } from '../machine/sandbox-users.js'
import { type OpenPorts, openPorts } from '../network/open-ports.js'
import type { PrincipalNetworks } from '../network/principal-networks.js'
import { loadTerminals } from '../processes/load-terminals.js'
import { markOf } from '../processes/marked-processes.js'
import { createRunFolder } from '../processes/run-folder.js'
import { createSandboxedProcess, type Launcher, type SandboxedProcess } from '../processes/sandboxed-process.js'
import { commandOf } from './command-line.js'
import { refuseUnkept } from './refuse-unkept.js'

/** What the start of a process needs. */
export interface StartDependencies {
  readonly machine: Machine
  readonly users: GivenUsers
  readonly networks: PrincipalNetworks
  readonly egress: EgressOptions
  /** The folder of this driver, for the files of its processes. */
  readonly folder: () => Promise<string>
}

/** Starts a process. When this rejects, nothing of it is left. */
export async function startProcess(
  request: SandboxRequest,
  call: SandboxCall & { readonly input?: AsyncIterable<Uint8Array> },
  { machine, users, networks, egress, folder }: StartDependencies,
): Promise<SandboxedProcess> {
  const mode = modeOf(machine)
  if (!canRun(machine) || 'missing' in machine.helper || (mode === 'none' && request.confined))
    throw sandboxUnavailableError.create({ reason: healthOf(machine).fences.files.reason })
  const helper = machine.helper.path
  const pinned = await refuseUnkept(request, machine, mode)
  const user = await users.userOf(request.principal)
  // A process of root could change what belongs to root, whatever else confines it.
  if (machine.isRoot && user === undefined) throw sandboxRefusedError.create({ reason: 'a process must not run as root' })
  if (user !== undefined) await shareFiles(helper, user, request, users)
  const undo: (() => unknown)[] = []
  try {
    const network = machine.networks ? await networks.join(request.principal, request.network.loopback) : undefined
    if (network) undo.push(() => network.release())
    const ports: OpenPorts = network ? await openPorts(network, request.network, egress) : closedPorts
    undo.push(() => ports.close())
    const own = createRunFolder(await folder(), {
      ...{ user, token: request.token, privateFiles: request.privateFiles ?? {}, home: request.directory, filter: filterOf(machine, mode) },
      variables: { ...proxyVariables(ports.proxyPort), ...request.environment },
    })
    undo.push(() => own.remove())
    const closed = await closedTo(user, request, machine, [helper, own.path])
    const group = machine.groups?.open(request.principal, request.id, request.limits)
    if (group) undo.push(() => group.remove())
    call.signal.throwIfAborted()
    const command = await commandOf({ request, machine, mode, helper, user, closed, pinned, own, network, group })
    const { terminal } = request
    const launched = await launch(command, terminal, call.input)
    return createSandboxedProcess({
      ...{ request, launched, group, exposed: ports.exposed, replaceToken: own.replaceToken },
      launcher: { ...launchers[mode], mark: markOf(own.path) },
      release: () => undoAll(undo),
    })
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}

/** The launcher's own environment. The program's comes from a file that is read inside. */
const launcherEnvironment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

/** @throws `sandbox_refused` for what the system says, such as a command line that is too long. */
async function launch(
  command: readonly [string, ...string[]],
  terminal: SandboxRequest['terminal'],
  input: AsyncIterable<Uint8Array> | undefined,
): Promise<LaunchedProcess> {
  const plan = { command, directory: '/', environment: launcherEnvironment }
  try {
    if (terminal === undefined) return await launchPiped(plan, input)
    return launchTerminal(await loadTerminals(), plan, terminal, input)
  } catch (error) {
    throw sandboxRefusedError.create({ reason: (error as Error).message }, { cause: error })
  }
}

/** Above the program: the two processes of bubblewrap, or the two that supervise. */
const launchers: Readonly<Record<Mode, Omit<Launcher, 'mark'>>> = {
  bubblewrap: { above: 2, ending: 'SIGKILL', isThorough: false },
  Landlock: { above: 2, ending: 'SIGALRM', isThorough: true },
  none: { above: 2, ending: 'SIGALRM', isThorough: true },
}

const closedPorts: OpenPorts = { proxyPort: undefined, exposed: [], close: () => undefined }

/** What programs look for to find their way out; curl, Python, Go, npm, and Node.js from 24 on. */
function proxyVariables(port: number | undefined): Readonly<Record<string, string>> {
  if (port === undefined) return {}
  const address = `http://127.0.0.1:${port}`
  const own = 'localhost,127.0.0.1,::1'
  return {
    ...{ HTTP_PROXY: address, http_proxy: address, HTTPS_PROXY: address, https_proxy: address },
    ...{ ALL_PROXY: `socks5h://127.0.0.1:${port}`, all_proxy: `socks5h://127.0.0.1:${port}`, NO_PROXY: own, no_proxy: own },
    NODE_USE_ENV_PROXY: '1',
  }
}

/** @throws `sandbox_refused` if the user cannot reach what it is given, and nothing can be shown to it. */
async function closedTo(
  user: SandboxUser | undefined,
  { files, directory }: SandboxRequest,
  { system, mounts }: Machine,
  own: readonly string[],
): Promise<ClosedFolders> {
  if (user === undefined) return { covers: [], shown: [] }
  const closed = await findClosedFolders(user, [directory, ...files.read, ...files.write, ...system.readable, ...own])
  if (closed.covers.length > 0 && !mounts)
    throw sandboxRefusedError.create({
      reason: `other users may not enter ${closed.covers.join(', ')}, and this container lets the service mount nothing: allow it CAP_SYS_ADMIN, or run it as an ordinary user`,
    })
  return closed
}

async function undoAll(undo: (() => unknown)[]): Promise<void> {
  for (const each of undo.splice(0).reverse()) await each()
}

function filterOf({ filters, networks }: Machine, mode: Mode): Uint8Array {
  if (filters === undefined) throw new Error('There is no filter for this architecture.')
  if (mode === 'bubblewrap') return seccompFilter(filters, ['unix', 'inet', 'inet6', 'netlink'], true)
  // Landlock leaves sockets in the file system open, so that there can be none.
  return seccompFilter(filters, networks ? ['inet', 'inet6', 'netlink'] : [], false)
}
