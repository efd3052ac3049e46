import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { type SandboxHealth, sandboxUnavailableError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Sandbox } from '@agent-service/sdk/services/sandbox'
import { type SandboxSettings, sandboxSection } from '../configuration/sandbox-section.js'
import type { ExecutionRegistry } from '../executions/execution-registry.js'
import { callerOf } from './caller-of.js'

const fence = namedObject('SandboxFence', {
  state: Type.Union([Type.Literal('closed'), Type.Literal('partial'), Type.Literal('open')]),
  by: Type.String({ description: 'What closes it; empty if it is open.', examples: ['bubblewrap'] }),
  reason: Type.String({ description: 'What is not closed, why, and how to mend it; empty if it is closed.', examples: [''] }),
})

const { disabled: _disabled, ...limits } = sandboxSection.properties

const statusSchema = namedObject('SandboxStatus', {
  confines: Type.Boolean({ description: 'Whether code is confined. If not, none runs, unless `disabled`.' }),
  disabled: Type.Boolean({ description: '`sandbox.disabled`: code reaches every file that the service’s own user does.' }),
  driver: Type.Union([Type.String({ examples: ['linux'] }), Type.Null()], { description: 'Null if there is none for this system.' }),
  mode: Type.String({ description: 'What confines; `none` if nothing does.', examples: ['bubblewrap'] }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why there is no driver.', examples: [null] }),
  fences: Type.Union(
    [namedObject('SandboxFences', { files: fence, processes: fence, network: fence, destinations: fence, limits: fence }), Type.Null()],
    {
      description:
        'By the way out; null without a driver. `files`: reading and writing of files outside. `processes`: seeing, signalling and tracing of processes outside, and system calls that lead out. `network`: everything outside while the network is off. `destinations`: addresses that stay closed while it is on. `limits`: memory, processes, and the accounting of both.',
    },
  ),
  limits: namedObject('SandboxSettings', limits),
  machine: Type.Union(
    [
      namedObject('SandboxMachine', {
        processors: Type.Number({ minimum: 0, description: 'What percentages of processors refer to.' }),
        memory_bytes: Type.Integer({ minimum: 0, description: 'What percentages of memory refer to.' }),
        running: Type.Integer({ minimum: 0, description: 'Processes of all users that run.' }),
        principals: Type.Integer({ minimum: 0, description: 'Agents, apps and servers whose processes run.' }),
      }),
      Type.Null(),
    ],
    { description: 'For administrators; null for others.' },
  ),
})

type Known = SandboxHealth & { readonly driver: string }

/** What confines on this machine and what does not. */
export function createStatusRoute(dependencies: {
  readonly sandbox: Pick<Sandbox, 'health' | 'machine'>
  readonly registry: Pick<ExecutionRegistry, 'running'>
  readonly settings: SandboxSettings
}): HttpRoute {
  const { sandbox, registry, settings } = dependencies
  const { disabled, ...effective } = settings
  return defineRoute({
    method: 'GET',
    path: '/api/sandbox',
    operationId: 'getSandbox',
    summary: 'Show what confines the code of agents, and what does not',
    description:
      'As this machine lets the service: the mode, each way out with its reason, and the limits. `agent-service doctor` shows the same without a running service.',
    tags: ['sandbox'],
    auth: 'user',
    answers: { 200: { description: 'The sandbox.', schema: statusSchema } },
    async handle({ signal, ...request }) {
      const found = await healthOf(sandbox, signal)
      const { confines, mode, driver } = 'mode' in found ? found : { confines: false, mode: 'none', driver: null }
      const running = registry.running()
      const { processors, memoryBytes } = sandbox.machine()
      return ok({
        ...{ confines, disabled, driver, mode, limits: { ...effective } },
        reason: 'missing' in found ? found.missing : null,
        fences: 'mode' in found ? presentFences(found.fences) : null,
        machine:
          callerOf(request).role === 'admin'
            ? {
                ...{ processors, memory_bytes: memoryBytes, running: running.length },
                principals: new Set(running.map(({ principal }) => principal)).size,
              }
            : null,
      })
    },
  })
}

async function healthOf(sandbox: Pick<Sandbox, 'health'>, signal: AbortSignal): Promise<Known | { readonly missing: string }> {
  try {
    return await sandbox.health({ signal })
  } catch (error) {
    if (!sandboxUnavailableError.isInstance(error)) throw error
    return { missing: error.message }
  }
}

const presentFences = ({ files, processes, network, destinations, limits: ofLimits }: SandboxHealth['fences']) => ({
  ...{ files: { ...files }, processes: { ...processes }, network: { ...network } },
  ...{ destinations: { ...destinations }, limits: { ...ofLimits } },
})
