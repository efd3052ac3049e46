import { randomUUID } from 'node:crypto'
import type { Logger } from '@agent-service/sdk'
import { onAbort } from '@agent-service/sdk/async'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import {
  type SandboxDriver,
  type SandboxHealth,
  type SandboxLimits,
  type SandboxRequest,
  sandboxUnavailableError,
} from '@agent-service/sdk/contracts/sandbox-driver'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Sandbox, SandboxStart } from '@agent-service/sdk/services/sandbox'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import type { SandboxSettings } from '../configuration/sandbox-section.js'
import type { DriverSlot } from '../drivers/driver-slot.js'
import { type Execution, startExecution } from '../executions/execution.js'
import type { ExecutionRegistry } from '../executions/execution-registry.js'
import type { ProcessPlaces } from '../executions/process-places.js'
import type { MachineSize } from '../governor/machine-size.js'
import { usageLimits } from '../governor/start-governor.js'
import type { SandboxAccess } from '../policies/sandbox-access.js'
import { loopbackName, ownerName, principalName } from '../principals/principal-name.js'
import type { PrincipalRecords } from '../principals/principal-records.js'
import type { PrincipalTokens } from '../principals/principal-tokens.js'
import { apiPort, processEnvironment, tokenVariable } from '../principals/process-environment.js'
import type { Workspaces } from '../principals/workspaces.js'
import { checkStart } from './check-start.js'

/** How much a process without a terminal in the foreground may write, in bytes. */
const maxForegroundOutputBytes = 104_857_600
/** Of each process, whatever the section says. */
export const fixedLimits = { maxProcesses: 512, maxOpenFiles: 4_096, maxFileBytes: 68_719_476_736 } as const satisfies SandboxLimits

/** What happens to processes, for those who report it. */
export interface ExecutionReports {
  started(execution: Execution): void
  ended(execution: Execution): void
  refused(start: SandboxStart, error: unknown): void
}

/** What the service `sandbox` needs. */
export interface SandboxDependencies {
  readonly settings: SandboxSettings
  readonly slot: DriverSlot
  readonly registry: ExecutionRegistry
  readonly places: ProcessPlaces
  readonly records: Pick<PrincipalRecords, 'note'>
  readonly workspaces: Workspaces
  readonly files: Pick<UserFiles, 'maxBytes'>
  readonly access: SandboxAccess
  readonly tokens: PrincipalTokens
  readonly accounts: Pick<Accounts, 'get'>
  readonly urls: Pick<Urls, 'listener'>
  readonly clock: Clock
  readonly log: Logger
  readonly machine: MachineSize
  readonly reports: ExecutionReports
  /** Aborted when nothing may start any more. */
  readonly stopping: AbortSignal
}

/** Runs code for users; see `Sandbox`. */
export function createSandbox(dependencies: SandboxDependencies): Sandbox {
  const { settings, slot, registry, machine, reports } = dependencies
  return {
    async start(start, { signal }) {
      try {
        return await startProcess(dependencies, start, signal)
      } catch (error) {
        if (!signal.aborted) reports.refused(start, error)
        throw error
      }
    },
    list: (filter) => registry.list(filter).map((execution) => execution.view()),
    find(userId, id) {
      const found = registry.find(id)
      return found?.view().principal.userId === userId ? found : undefined
    },
    async health() {
      const { key, health } = await slot.ready()
      return { ...health, driver: key, disabled: settings.disabled }
    },
    machine: () => machine,
  }
}

async function startProcess(dependencies: SandboxDependencies, start: SandboxStart, outer: AbortSignal): Promise<Execution> {
  const { places, slot, stopping } = dependencies
  checkStart(start)
  const name = principalName(start.principal)
  // The signals live longer than the start: what listens to them is removed after it.
  const starting = new AbortController()
  const forgets = [outer, stopping].map((each) => onAbort(each, (reason) => starting.abort(reason)))
  const undo: (() => void)[] = []
  try {
    starting.signal.throwIfAborted()
    undo.push(places.take(name, start.principal.userId))
    const lease = await slot.acquire()
    undo.push(lease.release)
    forgets.push(onAbort(lease.signal, (reason) => starting.abort(reason)))
    const over = new AbortController()
    undo.push(() => over.abort())
    const execution = await runWithToken(dependencies, start, { name, driver: lease.value, signal: starting.signal, over: over.signal })
    follow(execution, dependencies, { ends: start.background === true ? [lease.signal] : [lease.signal, outer], undo })
    return execution
  } catch (error) {
    for (const each of undo.reverse()) each()
    throw error
  } finally {
    for (const forget of forgets) forget()
  }
}

/** Runs the process with a token that is renewed until `over`. The process ends with its user's sessions. */
async function runWithToken(
  dependencies: SandboxDependencies,
  start: SandboxStart,
  given: { readonly name: string; readonly driver: SandboxDriver; readonly signal: AbortSignal; readonly over: AbortSignal },
): Promise<Execution> {
  const { slot, clock, log, tokens, settings } = dependencies
  const { name, driver, signal, over } = given
  demandFence((await slot.ready()).health, settings)
  const request = await requestOf(dependencies, start, { name, signal })
  let execution: Execution | undefined
  const token = await tokens.keep(start.principal, { signal: over, replace: async (text) => execution?.replaceToken(text) })
  const plan = {
    ...{
      principal: start.principal,
      kind: start.kind,
      title: start.title,
      background: start.background === true,
      chatId: start.chatId ?? null,
      callers: start.callers ?? [],
    },
    request: { ...request, token: { variable: tokenVariable, text: token.token } },
    timeoutMs: start.timeoutMs ?? settings.timeout_secs * 1_000,
    maxOutputBytes: start.maxOutputBytes ?? (start.background === true || start.terminal ? 0 : maxForegroundOutputBytes),
  }
  const started = await startExecution(plan, { driver, clock, log }, signal)
  execution = started
  void token.ended.then((end) => {
    if (end === 'account_ended') void started.stop()
  })
  return started
}

/** Registers and reports what runs; when it has ended, everything taken for it is released. */
function follow(
  execution: Execution,
  { registry, reports, stopping }: SandboxDependencies,
  { ends, undo }: { readonly ends: readonly AbortSignal[]; readonly undo: readonly (() => void)[] },
): void {
  const forgets = ends.map((each) => onAbort(each, () => void execution.stop()))
  void execution.exited.then(() => {
    for (const each of [...forgets, ...undo]) each()
    reports.ended(execution)
  })
  registry.add(execution)
  reports.started(execution)
  // Those that run when the plugin stops are ended there; this one may have been late.
  if (stopping.aborted) void execution.stop()
}

/** Drivers refuse too; nothing is made or asked for what will not run. @throws `sandbox_unavailable`. */
function demandFence({ confines, fences }: SandboxHealth, { disabled }: SandboxSettings): void {
  if (confines || disabled) return
  const { files, processes } = fences
  throw sandboxUnavailableError.create({ reason: files.reason || processes.reason })
}

/** Programs may always write temporary files of this length, in bytes. */
const minFileBytes = 268_435_456

/**
 * No file of a program is longer than all files of its user may be: nothing else ends one that has a
 * length and no data.
 */
const maxFileBytesOf = ({ maxBytes = Number.POSITIVE_INFINITY }: Pick<UserFiles, 'maxBytes'>): number =>
  Math.min(fixedLimits.maxFileBytes, Math.max(minFileBytes, maxBytes))

/** Everything of the request but its token. */
async function requestOf(
  dependencies: SandboxDependencies,
  start: SandboxStart,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): Promise<SandboxRequest> {
  const { accounts, workspaces, files, access, records, urls, settings, machine } = dependencies
  const { principal, command, terminal, expose = [], callers = [] } = start
  const { memoryBytes, totalMemoryBytes } = usageLimits(settings, machine)
  const account = await accounts.get(principal.userId)
  if (account === undefined || account.handle !== principal.userHandle) throw notFoundError.create({ what: 'user' })
  const place = await workspaces.open(principal, start.directory)
  const granted = await access.of(start, { workspace: place.workspace, signal })
  await records.note(principal)
  return {
    id: randomUUID(),
    principal: name,
    owner: ownerName(principal.userId),
    command,
    directory: place.directory,
    environment: processEnvironment(start, { ...place, timezone: start.timezone ?? account.timezone }),
    ...(start.privateFiles && { privateFiles: start.privateFiles }),
    ...(terminal === undefined ? {} : { terminal }),
    files: granted.files,
    network: {
      ...granted.network,
      forward: [{ port: apiPort, to: urls.listener() }],
      expose,
      ...(callers.length > 0 && { loopback: loopbackName(callers, granted.network.access) }),
    },
    limits: { ...fixedLimits, maxFileBytes: maxFileBytesOf(files), memoryBytes, totalMemoryBytes },
    confined: !settings.disabled,
  }
}
