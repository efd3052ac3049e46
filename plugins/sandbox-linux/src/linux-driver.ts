import { execFile } from 'node:child_process'
import { chmod, mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  checkSandboxRequest,
  defineSandboxDriver,
  type ProcessUsage,
  type SandboxCall,
  type SandboxDriver,
  type SandboxEvent,
  type SandboxRequest,
  sandboxProcessNotFoundError,
  sandboxRefusedError,
  sandboxUnavailableError,
} from '@agent-service/sdk/contracts/sandbox-driver'
import { bubblewrapCommand } from './confinement/bubblewrap.js'
import { landlockOptions } from './confinement/landlock.js'
import { seccompFilter } from './confinement/seccomp-filter.js'
import { isBelow } from './confinement/system-paths.js'
import { healthOf, type Mode, modeOf, noDestinations } from './health.js'
import type { ProcessGroup } from './machine/control-groups.js'
import { examineMachine, type Machine } from './machine/machine.js'
import type { SandboxUser } from './machine/sandbox-users.js'
import type { EgressOptions } from './network/egress-proxy.js'
import { type OpenPorts, openPorts } from './network/open-ports.js'
import { createPrincipalNetworks, type PrincipalNetwork } from './network/principal-networks.js'
import { launchPiped } from './processes/launch.js'
import { launchTerminal } from './processes/launch-terminal.js'
import { readProcessTable } from './processes/process-table.js'
import { createRunFolder, type RunFolder } from './processes/run-folder.js'
import { createSandboxedProcess, type SandboxedProcess } from './processes/sandboxed-process.js'

const execute = promisify(execFile)

/** What the driver needs. */
export interface LinuxDriverOptions {
  /** The absolute path of the helper. */
  readonly helper: string
  /** The user of a principal; `undefined`: the service's own. */
  readonly userOf: (principal: string) => Promise<SandboxUser | undefined>
  /** How destinations on the network are judged, and who hears of refused ones. */
  readonly egress?: EgressOptions
  /** For tests: changes what was found on the machine. */
  readonly examined?: (machine: Machine) => Machine
}

/** The driver, and its end. */
export interface LinuxDriver {
  readonly driver: SandboxDriver
  close(): Promise<void>
}

export function createLinuxDriver({ helper, userOf, egress = {}, examined = (machine) => machine }: LinuxDriverOptions): LinuxDriver {
  const running = new Map<string, SandboxedProcess | 'starting'>()
  const networks = createPrincipalNetworks(helper)
  let machineFound: Promise<Machine> | undefined
  let folderMade: Promise<string> | undefined
  const machine = (): Promise<Machine> => (machineFound ??= examineMachine(helper).then(examined))
  const folder = (): Promise<string> => (folderMade ??= makeFolder())
  const found = (id: string): SandboxedProcess => {
    const process = running.get(id)
    if (process === undefined || process === 'starting') throw sandboxProcessNotFoundError.create({ id })
    return process
  }

  const start = async (
    request: SandboxRequest,
    call: SandboxCall & { readonly input?: AsyncIterable<Uint8Array> },
  ): Promise<SandboxedProcess> => {
    const here = await machine()
    const mode = modeOf(here)
    if (mode === 'none') throw sandboxUnavailableError.create({ reason: healthOf(here).fences.files.reason })
    await refuseUnkept(request, here, mode)
    const user = await userOf(request.principal)
    if (user !== undefined) for (const each of request.files.write) await execute(helper, ['own', String(user.uid), String(user.gid), each])
    const undo: (() => unknown)[] = []
    try {
      const network = here.networks ? await networks.join(request.principal) : undefined
      if (network) undo.push(() => network.release())
      const ports: OpenPorts = network ? await openPorts(network, request.network, egress) : closedPorts
      undo.push(() => ports.close())
      const own = await createRunFolder(await folder(), {
        ...{ user, token: request.token, home: request.directory, filter: filterOf(here, mode) },
        variables: { ...proxyVariables(ports.proxyPort), ...request.environment },
      })
      undo.push(() => own.remove())
      const group = await here.groups?.open(request.principal, request.id, request.limits)
      if (group) undo.push(() => group.remove())
      call.signal.throwIfAborted()
      const command = await commandOf({ request, here, mode, helper, user, own, network, group })
      const { terminal } = request
      const launched = await (terminal === undefined ? launchPiped(command, call.input) : launchTerminal(command, terminal, call.input))
      return createSandboxedProcess({
        ...{ request, launched, group, exposed: ports.exposed, replaceToken: own.replaceToken },
        launcher: mode === 'bubblewrap' ? { above: 2, ending: 'SIGKILL' } : { above: 1, ending: 'SIGALRM' },
        release: () => undoAll(undo),
      })
    } catch (error) {
      await undoAll(undo)
      throw error
    }
  }

  const driver = defineSandboxDriver({
    id: 'linux',
    title: 'Linux',
    platforms: ['linux'],
    supports: { terminal: true },
    health: async () => healthOf(await machine()),
    async *run(request, call): AsyncGenerator<SandboxEvent> {
      call.signal.throwIfAborted()
      const [problem] = checkSandboxRequest(request)
      if (problem !== undefined) throw sandboxRefusedError.create({ reason: `${problem.path} ${problem.message}` })
      if (running.has(request.id)) throw sandboxRefusedError.create({ reason: `a process with the id “${request.id}” is running` })
      running.set(request.id, 'starting')
      try {
        const process = await start(request, call)
        running.set(request.id, process)
        const abort = (): void => void process.end('killed', 0)
        call.signal.addEventListener('abort', abort)
        if (call.signal.aborted) abort()
        try {
          yield* process.events()
        } finally {
          call.signal.removeEventListener('abort', abort)
          await process.end('killed', 0)
        }
      } finally {
        running.delete(request.id)
      }
    },
    async send(id, command) {
      const process = found(id)
      if (command.kind === 'signal') await process.signal(command.signal)
      if (command.kind === 'resize') process.resize(command.size)
      if (command.kind === 'token' && process.request.token !== undefined) await process.replaceToken(command.text)
      if (command.kind === 'end') void process.end(command.reason, command.graceMs)
    },
    async measure() {
      const all = [...running.values()].filter((process) => process !== 'starting')
      if (all.length === 0) return []
      const table = (await machine()).groups === undefined ? await readProcessTable() : undefined
      const read = async (process: SandboxedProcess): Promise<ProcessUsage> => ({
        ...{ id: process.request.id, principal: process.request.principal },
        ...(await process.usage(table)),
      })
      return Promise.all(all.map(read))
    },
    sweep: async () => ({ processes: (await (await machine()).groups?.sweep()) ?? 0 }),
    forget: async (principal) => (await machine()).groups?.forget(principal),
  })

  return {
    driver,
    async close() {
      await Promise.all([...running.values()].map((process) => (process === 'starting' ? undefined : process.end('killed', 0))))
      networks.close()
      if (folderMade !== undefined) await rm(await folderMade, { recursive: true, force: true })
    },
  }
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

/** A folder that the principals may enter, not list. */
async function makeFolder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'agent-service-sandbox-'))
  await chmod(made, 0o711)
  return made
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

/** @throws `sandbox_refused` for what this machine cannot keep. */
async function refuseUnkept({ directory, files, network, confined }: SandboxRequest, { networks }: Machine, mode: Mode): Promise<void> {
  const refuse = (reason: string): never => {
    throw sandboxRefusedError.create({ reason })
  }
  if (!networks && network.access !== 'off') refuse(noDestinations)
  if (!networks && (network.forward.length > 0 || network.expose.length > 0))
    refuse('this machine gives the service no network namespace, so no port can be forwarded')
  if (!confined) return
  for (const each of [directory, ...files.write, ...files.deny]) {
    const real = await realpath(each).catch(() => undefined)
    if (real === undefined) refuse(`${each} does not exist`)
    if (real !== each) refuse(`${each} leads over a symbolic link to ${String(real)}; name that path`)
  }
  const granted = [...files.read, ...files.write]
  const below = files.deny.find((denied) => granted.some((each) => isBelow(denied, each)))
  if (mode === 'Landlock' && below !== undefined) refuse(`${below} cannot be denied below a granted path by Landlock; install bubblewrap`)
}

/** The whole command line: the helper, what confines files, the helper inside, and the program. */
async function commandOf(given: {
  readonly request: SandboxRequest
  readonly here: Machine
  readonly mode: Mode
  readonly helper: string
  readonly user: SandboxUser | undefined
  readonly own: RunFolder
  readonly network: PrincipalNetwork | undefined
  readonly group: ProcessGroup | undefined
}): Promise<readonly [string, ...string[]]> {
  const { request, here, mode, helper, user, own, network, group } = given
  const { files, limits, command, directory, confined, terminal } = request
  const outer = [
    ...(group?.folders ?? []).flatMap((folder) => ['--control-group', folder]),
    ...(network === undefined ? [] : ['--network', String(network.pid)]),
    ...(user === undefined ? [] : ['--user', String(user.uid), String(user.gid)]),
    ...(limits.maxOpenFiles === undefined ? [] : ['--max', 'nofile', String(limits.maxOpenFiles)]),
    ...(limits.maxFileBytes === undefined ? [] : ['--max', 'fsize', String(limits.maxFileBytes)]),
    // It counts the processes of a user, so that it needs one for each principal.
    ...(limits.maxProcesses === undefined || user === undefined ? [] : ['--max', 'nproc', String(limits.maxProcesses)]),
  ]
  const inner = ['--environment', own.environment]
  if (mode !== 'bubblewrap' || !('path' in here.bubblewrap)) {
    const rules = confined ? landlockOptions(here.system, files, [own.path]) : ['--scoped']
    return [helper, 'run', ...outer, '--supervise', ...rules, ...inner, '--filter', own.filter, '--directory', directory, '--', ...command]
  }
  const folders = new Set<string>()
  for (const each of files.deny) if ((await stat(each)).isDirectory()) folders.add(each)
  const wrapped = bubblewrapCommand({
    ...{ bubblewrap: here.bubblewrap.path, system: here.system, files, directory, confined },
    isFolder: (each) => folders.has(each),
    own: [helper, own.path],
    accounts: own,
    terminal: terminal !== undefined,
    networkJoined: network !== undefined,
  })
  return [helper, 'run', ...outer, '--open', own.filter, '--', ...wrapped, helper, 'run', ...inner, '--', ...command]
}
