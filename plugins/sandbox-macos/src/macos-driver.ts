import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  defineSandboxDriver,
  type SandboxCall,
  type SandboxDriver,
  type SandboxEvent,
  type SandboxHealth,
  type SandboxRequest,
  sandboxProcessNotFoundError,
  sandboxRefusedError,
} from '@agent-service/sdk/contracts/sandbox-driver'
import { type LaunchedProcess, type LaunchPlan, launchPiped, launchTerminal } from '@agent-service/sdk/sandbox-processes'
import { healthOf } from './health.js'
import { examineMachine, type Machine } from './machine/machine.js'
import { type Launcher, launchCommand, launcherEnvironment, systemLauncher } from './processes/launch-command.js'
import { folderPrefix, removeLeftFolders } from './processes/left-folders.js'
import { createLoopbackPorts } from './processes/loopback-ports.js'
import { readProcessTable } from './processes/process-table.js'
import { createRunFolder } from './processes/run-folder.js'
import { createSandboxedProcess, type SandboxedProcess } from './processes/sandboxed-process.js'
import { createWatchdog, type Watchdog } from './processes/watchdog.js'
import { sandboxProfile } from './profile/sandbox-profile.js'
import { findSystemPaths } from './profile/system-paths.js'
import { refuseUnkept, refuseUnsafe } from './refuse-unkept.js'

/** What tests replace. */
export interface MacosDriverOptions {
  /** Default: the platform of this process. */
  readonly platform?: string
  /** Default: the programs of macOS. */
  readonly launcher?: Launcher
  /** Readable by every process. Default: the system of a Mac, and the service's Node.js. */
  readonly system?: readonly string[]
  /** Changes what was found on the machine. */
  readonly examined?: (machine: Machine) => Machine
}

/** The driver, and its end. */
export interface MacosDriver {
  readonly driver: SandboxDriver
  close(): Promise<void>
}

type RunCall = SandboxCall & { readonly input?: AsyncIterable<Uint8Array> }

/** The folder of all runs, and what ends them with the service. */
interface Keeper {
  readonly folder: string
  readonly watchdog: Watchdog
}

/** A driver for macOS by sandbox-exec. On any other system it runs nothing, and its health says so. */
export function createMacosDriver(options: MacosDriverOptions = {}): MacosDriver {
  const { platform = process.platform, launcher = systemLauncher, system = findSystemPaths(), examined = (machine) => machine } = options
  const running = new Map<string, SandboxedProcess | 'starting'>()
  const ports = createLoopbackPorts()
  let healthFound: Promise<SandboxHealth> | undefined
  let keeperMade: Promise<Keeper> | undefined
  const health = (): Promise<SandboxHealth> =>
    (healthFound ??= examineMachine({ platform, launcher, system }).then((machine) => healthOf(examined(machine))))
  const keeper = (): Promise<Keeper> => (keeperMade ??= openKeeper(launcher))

  const start = async (request: SandboxRequest, call: RunCall): Promise<SandboxedProcess> => {
    await refuseUnkept(request, await health())
    const { files, confined, limits, terminal, network, directory, environment, token, command } = request
    const undo: (() => unknown)[] = []
    try {
      const { folder, watchdog } = await keeper()
      const opened = await ports.open(request)
      undo.push(() => opened.close())
      const own = await createRunFolder(folder, { variables: environment, token, privateFiles: request.privateFiles })
      undo.push(() => own.remove())
      call.signal.throwIfAborted()
      const hasTerminal = terminal !== undefined
      const { connect, listen } = opened
      const profile = sandboxProfile({ files, system, own: [own.path], confined, terminal: hasTerminal, connect, listen })
      const launched = await launch(
        {
          command: launchCommand({ launcher, profile, environment: own.environment, limits, terminal: hasTerminal, command }),
          ...{ directory, environment: launcherEnvironment },
        },
        terminal,
        call.input,
      )
      watchdog.add(launched.pid)
      undo.push(() => watchdog.drop(launched.pid))
      return createSandboxedProcess({
        ...{ request, launched, replaceToken: own.replaceToken },
        exposed: network.expose.map((port) => ({ port, host: '127.0.0.1', hostPort: port })),
        release: () => undoAll(undo),
      })
    } catch (error) {
      await undoAll(undo)
      throw error
    }
  }

  const driver = defineSandboxDriver({
    id: 'macos',
    title: 'macOS',
    platforms: ['darwin'],
    supports: { terminal: true },
    health,
    async *run(request, call): AsyncGenerator<SandboxEvent> {
      call.signal.throwIfAborted()
      refuseUnsafe(request)
      if (running.has(request.id)) throw sandboxRefusedError.create({ reason: `a process with the id “${request.id}” is running` })
      running.set(request.id, 'starting')
      try {
        const process = await start(request, call)
        running.set(request.id, process)
        yield* runToEnd(process, call.signal)
      } finally {
        running.delete(request.id)
      }
    },
    async send(id, command) {
      const process = running.get(id)
      if (process === undefined || process === 'starting') throw sandboxProcessNotFoundError.create({ id })
      if (command.kind === 'signal') await process.signal(command.signal)
      if (command.kind === 'resize') process.resize(command.size)
      if (command.kind === 'token' && process.request.token !== undefined) await process.replaceToken(command.text)
      // Its failure is that of the exit, which the events report.
      if (command.kind === 'end') process.end(command.reason, command.graceMs).catch(() => undefined)
    },
    async measure() {
      const all = [...running.values()].filter((process) => process !== 'starting')
      if (all.length === 0) return []
      const table = await readProcessTable()
      return all.map((process) => ({ id: process.request.id, principal: process.request.principal, ...process.usage(table) }))
    },
    async sweep() {
      // The watchdog of an earlier service has ended its trees.
      await removeLeftFolders(await realpath(tmpdir()))
      return { processes: 0 }
    },
    forget: () => Promise.resolve(),
  })

  return {
    driver,
    async close() {
      await Promise.all([...running.values()].map((process) => (process === 'starting' ? undefined : process.end('killed', 0))))
      if (keeperMade !== undefined) (await keeperMade).watchdog.close()
    },
  }
}

async function openKeeper({ shell }: Launcher): Promise<Keeper> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), `${folderPrefix}${process.pid}-`)))
  return { folder, watchdog: createWatchdog(shell, folder) }
}

async function* runToEnd(process: SandboxedProcess, signal: AbortSignal): AsyncGenerator<SandboxEvent> {
  const abort = (): void => void process.end('killed', 0).catch(() => undefined)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    yield* process.events()
  } finally {
    signal.removeEventListener('abort', abort)
    await process.end('killed', 0)
  }
}

/** node-pty is loaded with the first terminal. @throws `sandbox_refused` if the launcher cannot be started. */
async function launch(
  plan: LaunchPlan,
  size: SandboxRequest['terminal'],
  input: AsyncIterable<Uint8Array> | undefined,
): Promise<LaunchedProcess> {
  try {
    if (size === undefined) return await launchPiped(plan, input)
    return launchTerminal((await import('node-pty')).spawn, plan, size, input)
  } catch (error) {
    throw sandboxRefusedError.create({ reason: `it cannot be launched: ${(error as Error).message}` }, { cause: error })
  }
}

async function undoAll(undo: (() => unknown)[]): Promise<void> {
  for (const each of undo.splice(0).reverse()) await each()
}
