import { setMaxListeners } from 'node:events'
import type { PluginContext } from '@agent-service/sdk'
import { settlesWithin } from '@agent-service/sdk/async'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { EventSubscription } from '@agent-service/sdk/services/events'
import type { Sandbox } from '@agent-service/sdk/services/sandbox'
import { type DriverSlot, openDriverSlot } from '../drivers/driver-slot.js'
import { type Execution, graceMs } from '../executions/execution.js'
import { createExecutionRegistry, type ExecutionRegistry } from '../executions/execution-registry.js'
import { createProcessPlaces } from '../executions/process-places.js'
import { readMachineSize } from '../governor/machine-size.js'
import { startGovernor } from '../governor/start-governor.js'
import { createSandboxAccess } from '../policies/sandbox-access.js'
import { createEndPrincipal } from '../principals/end-principal.js'
import { createDeletionSubscription } from '../principals/follow-deletions.js'
import { createPrincipalRecords, createSandboxUserData } from '../principals/principal-records.js'
import { createPrincipalTokens } from '../principals/principal-tokens.js'
import { createSetAsideWorkspaces } from '../principals/set-aside-workspaces.js'
import { createWorkspaces } from '../principals/workspaces.js'
import { type AuditNotes, createAuditNotes } from '../reports/audit-notes.js'
import { createProcessEvents } from '../reports/process-events.js'
import { reportDriver } from '../reports/report-driver.js'
import { createSandboxMetrics } from '../reports/sandbox-metrics.js'
import { createReports } from '../service/create-reports.js'
import { createSandbox } from '../service/create-sandbox.js'
import type { UsedServices } from './use-services.js'

/** The parts of the sandbox that the plugin contributes and provides. */
export interface SandboxParts {
  readonly sandbox: Sandbox
  readonly registry: ExecutionRegistry
  readonly slot: DriverSlot
  readonly notes: AuditNotes
  readonly userData: UserData
  readonly deletions: EventSubscription
}

export async function createSandboxParts(
  context: Pick<PluginContext, 'onDispose' | 'onStopping'>,
  services: UsedServices,
): Promise<SandboxParts> {
  const {
    settings,
    contributions,
    clock,
    log,
    quotas,
    files,
    tokens,
    accounts,
    agents,
    policies,
    urls,
    database,
    skills,
    signal,
    restarts,
  } = services
  const machine = await readMachineSize()
  const registry = createExecutionRegistry(clock)
  const notes = createAuditNotes(services)
  const metrics = createSandboxMetrics(services.metrics, () => registry.running().map((execution) => execution.view()))
  const events = createProcessEvents(services)
  const records = createPrincipalRecords(database)
  const stopping = new AbortController()
  // Each process that is about to start listens for it.
  setMaxListeners(0, stopping.signal)
  const slot = openDriverSlot({
    ...{ contributions, log, platform: process.platform, signal: AbortSignal.any([signal, stopping.signal]) },
    onReady: (ready) => reportDriver(ready, { log, notes, disabled: settings.disabled }),
  })
  // What a call waits for ends before a restart, which waits for the call.
  const isLeftAlone = (execution: Execution): boolean => execution.view().background || execution.view().terminal
  restarts.tell({ ends: () => registry.running().filter(isLeftAlone).length })
  const endAll = (): Promise<unknown> => Promise.all(registry.running().map((execution) => execution.stop()))
  slot.onGone(() => void endAll())
  context.onDispose(slot.close)
  context.onDispose(() => events.settled())
  context.onDispose(() => {
    for (const execution of registry.running()) execution.abandon()
  })
  context.onStopping(async () => {
    stopping.abort(new Error('The sandbox is stopping.'))
    await settlesWithin(endAll(), { limitMs: graceMs * 2, clock })
  })
  const governor = startGovernor({ settings, machine, clock, log, slot, registry, metrics, signal })
  const sandbox = createSandbox({
    ...{ settings, slot, registry, records, accounts, urls, clock, log, machine },
    places: createProcessPlaces(quotas),
    files,
    workspaces: createWorkspaces(files),
    access: createSandboxAccess({
      ...{ agents, policies, files, skills, defaultAccess: settings.default_network_access },
      onRefused: ({ principal }, { host, port, address }) =>
        notes.refused('sandbox_connection.refused', principal, { host, port, ...(address === undefined ? {} : { address }) }),
    }),
    tokens: createPrincipalTokens(tokens),
    reports: createReports({ metrics, events, notes, governor }),
    stopping: stopping.signal,
  })
  const end = createEndPrincipal({ running: () => registry.running(), slot, records, log })
  return {
    ...{ sandbox, registry, slot, notes },
    userData: createSandboxUserData(records, end, (userId) => registry.forget(userId), createSetAsideWorkspaces({ files, accounts })),
    deletions: createDeletionSubscription({ records, agents, end }),
  }
}
