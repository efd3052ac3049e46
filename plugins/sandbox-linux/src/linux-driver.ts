import {
  checkSandboxRequest,
  defineSandboxDriver,
  type ProcessUsage,
  type SandboxDriver,
  type SandboxEvent,
  sandboxProcessNotFoundError,
  sandboxRefusedError,
} from '@agent-service/sdk/contracts/sandbox-driver'
import { createConnectionShares, type EgressOptions } from '@agent-service/sdk/egress-proxy'
import { createIdentity } from './groups/service-identity.js'
import { healthOf } from './health/health.js'
import type { CompiledHelper } from './helper/compile-helper.js'
import { examineMachine, type Machine } from './machine/machine.js'
import type { GivenUsers } from './machine/sandbox-users.js'
import { createPrincipalNetworks, type PrincipalNetworks } from './network/principal-networks.js'
import { readProcessTable } from './processes/process-table.js'
import type { SandboxedProcess } from './processes/sandboxed-process.js'
import { createServiceFolder } from './processes/service-folder.js'
import { startProcess } from './start/start-process.js'

/** What the driver needs: users of principals, and the rest. */
export interface LinuxDriverOptions extends GivenUsers {
  /** The absolute path of the helper, or what finds it when it is first needed. */
  readonly helper: string | (() => Promise<CompiledHelper>)
  /** How destinations on the network are judged, and who hears of refused ones. */
  readonly egress?: EgressOptions
  /** For tests: changes what was found on the machine. */
  readonly examined?: (machine: Machine) => Machine
  /** For tests: where the folders of services are. */
  readonly places?: readonly string[]
}

/** The driver, and its end. */
export interface LinuxDriver {
  readonly driver: SandboxDriver
  close(): Promise<void>
}

/** Looks at the machine when it is first used, so that it can be made anywhere. */
export function createLinuxDriver(options: LinuxDriverOptions): LinuxDriver {
  const { helper, egress = {}, examined = (machine: Machine) => machine } = options
  const running = new Map<string, SandboxedProcess | 'starting'>()
  const connections = createConnectionShares()
  const identity = createIdentity()
  const folder = createServiceFolder(identity, options.places)
  let machineFound: Promise<Machine> | undefined
  let networksMade: PrincipalNetworks | undefined
  const examine = async (): Promise<Machine> =>
    examined(await examineMachine(typeof helper === 'string' ? { path: helper } : await helper(), identity))
  const machine = (): Promise<Machine> => (machineFound ??= examine())
  const networks = (path: string): PrincipalNetworks => (networksMade ??= createPrincipalNetworks(path))
  const found = (id: string): SandboxedProcess => {
    const process = running.get(id)
    if (process === undefined || process === 'starting') throw sandboxProcessNotFoundError.create({ id })
    return process
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
        const here = await machine()
        const process = await startProcess(request, call, {
          ...{ machine: here, users: options, folder: folder.open },
          egress: { ...egress, takePlace: connections.of(request.owner ?? request.principal) },
          networks: networks('path' in here.helper ? here.helper.path : ''),
        })
        running.set(request.id, process)
        // The exit event reports what fails.
        const abort = (): void => void process.end('killed', 0).catch(() => undefined)
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
      if (command.kind === 'token' && process.request.token !== undefined) process.replaceToken(command.text)
      if (command.kind === 'end') process.end(command.reason, command.graceMs).catch(() => undefined)
    },
    async measure() {
      const all = [...running.values()].filter((process) => process !== 'starting')
      if (all.length === 0) return []
      const table = (await machine()).groups === undefined ? await readProcessTable() : undefined
      const read = async (process: SandboxedProcess): Promise<ProcessUsage> => {
        const { cpuMs, memoryBytes, processes } = await process.usage(table)
        return { id: process.request.id, principal: process.request.principal, cpuMs, memoryBytes, processes }
      }
      return Promise.all(all.map(read))
    },
    async sweep() {
      const grouped = (await (await machine()).groups?.sweep()) ?? 0
      return { processes: grouped + (await folder.sweep()) }
    },
    async forget(principal) {
      networksMade?.forget(principal)
      await (await machine()).groups?.forget(principal)
      await options.forget?.(principal)
    },
  })

  return {
    driver,
    async close() {
      await Promise.all([...running.values()].map((process) => (process === 'starting' ? undefined : process.end('killed', 0))))
      networksMade?.close()
      if (machineFound !== undefined) await (await machineFound).groups?.close()
      await folder.remove()
    },
  }
}
