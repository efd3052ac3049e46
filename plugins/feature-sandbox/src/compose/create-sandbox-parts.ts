import type { PluginContext } from '@agent-service/sdk'
import { settlesWithin } from '@agent-service/sdk/async'
import type { Sandbox } from '@agent-service/sdk/services/sandbox'
import { type DriverSlot, openDriverSlot } from '../drivers/driver-slot.js'
import { createSandbox } from '../executions/create-sandbox.js'
import { graceMs } from '../executions/execution.js'
import { createExecutionRegistry, type ExecutionRegistry } from '../executions/execution-registry.js'
import { createProcessPlaces } from '../executions/process-places.js'
import { readMachineSize } from '../governor/machine-size.js'
import { createSandboxAccess } from '../policies/sandbox-access.js'
import { createPrincipalTokens } from '../principals/principal-tokens.js'
import { createWorkspaces } from '../principals/workspaces.js'
import type { UsedServices } from './use-services.js'

/** The parts of the sandbox that the plugin contributes and provides. */
export interface SandboxParts {
  readonly sandbox: Sandbox
  readonly registry: ExecutionRegistry
  readonly slot: DriverSlot
}

export function createSandboxParts(context: Pick<PluginContext, 'onDispose' | 'onStopping'>, services: UsedServices): SandboxParts {
  const { settings, contributions, clock, log, quotas, files, tokens, accounts, urls, signal } = services
  const registry = createExecutionRegistry(clock)
  const stopping = new AbortController()
  const endAll = (): Promise<unknown> => Promise.all(registry.running().map((execution) => execution.stop()))
  const slot = openDriverSlot({
    ...{ contributions, log, platform: process.platform, signal: AbortSignal.any([signal, stopping.signal]) },
    onReady: ({ key, health }) => log.info('The sandbox is ready.', { driver: key, mode: health.mode }),
  })
  slot.onGone(() => void endAll())
  context.onDispose(slot.close)
  context.onDispose(() => {
    for (const execution of registry.running()) execution.abandon()
  })
  context.onStopping(async () => {
    stopping.abort(new Error('The sandbox is stopping.'))
    await settlesWithin(endAll(), { limitMs: graceMs * 2, clock })
  })
  const sandbox = createSandbox({
    ...{ settings, slot, registry, accounts, urls, clock, log },
    places: createProcessPlaces(quotas),
    workspaces: createWorkspaces(files),
    access: createSandboxAccess({ defaultNetworkAccess: settings.default_network_access }),
    tokens: createPrincipalTokens(tokens),
    machine: readMachineSize(),
    reports: { started: () => undefined, ended: () => undefined, refused: () => undefined },
    stopping: stopping.signal,
  })
  return { sandbox, registry, slot }
}
