import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, notFoundError, ok } from '@agent-service/sdk/contracts/http-route'
import { type SandboxFiles, sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { Sandbox, SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import type { SandboxSettings } from '../configuration/sandbox-section.js'
import { maxProcesses } from '../executions/process-places.js'
import { fileAccess } from '../policies/file-access.js'
import { connectQuestion } from '../policies/network-access.js'
import { principalEntity } from '../policies/principal-entity.js'
import { orNull } from '../reports/process-view.js'
import { callerOf } from './caller-of.js'

const paths = (description: string) => Type.Array(Type.String(), { description, examples: [[]] })

const schema = namedObject('AgentSandboxAccess', {
  agent_id: Type.String(),
  network: namedObject('AgentNetworkAccess', {
    access: Type.Union([Type.Literal('off'), Type.Literal('policies')], {
      description: '`off`: the agent’s own setting closes everything. `policies`: each connection is asked of the policies.',
    }),
    default_access: Type.Boolean({ description: 'What holds where no policy says anything: `sandbox.default_network_access`.' }),
    reason: Type.String({ description: 'For people.' }),
    asked: orNull(
      namedObject('AskedDestination', {
        host: Type.String({ examples: ['example.org'] }),
        port: Type.Integer({ examples: [443] }),
        allowed: Type.Boolean({ description: 'Addresses that are not public stay closed in any case.' }),
      }),
      'The answer for `host` and `port` of the query; null without them.',
    ),
  }),
  files: namedObject('AgentFileAccess', {
    writable: paths('What its code may change, as the user names it: `workspaces/…`, with everything below.'),
    readable: paths('What its code may only read, with everything below.'),
    denied: paths('What stays closed, although it is below one of the others.'),
    refused: orNull(Type.String(), 'Why no code of the agent runs; null if it may.'),
  }),
  limits: namedObject('AgentSandboxLimits', {
    max_cpu_pct: Type.Number({ description: 'Of all processors together.', examples: [95] }),
    max_memory_pct: Type.Number({ examples: [80] }),
    memory_bytes: Type.Integer({ minimum: 0, description: 'The same as bytes of this machine.' }),
    timeout_secs: Type.Integer({ minimum: 0, description: 'Of a call that names no time; 0: none.' }),
    max_running: Type.Integer({ description: 'Commands and terminals at once.', examples: [maxProcesses.principal] }),
    max_processes: Type.Integer({ description: 'Processes and threads of all of them together.', examples: [512] }),
  }),
})

/** What the code of an agent may reach, open and use. */
export function createAgentRoute(dependencies: {
  readonly agents: Pick<Agents, 'details'> | undefined
  readonly policies: PolicyService
  readonly files: Pick<UserFiles, 'folder'>
  readonly sandbox: Pick<Sandbox, 'machine'>
  readonly settings: SandboxSettings
  /** Processes and threads of an agent. */
  readonly maxTasks: number
}): HttpRoute {
  const { agents, policies, files, sandbox, settings, maxTasks } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/sandbox/agents/{agent_id}',
    operationId: 'getAgentSandbox',
    summary: 'Show what the code of an agent may reach, open and use',
    description:
      'As the settings, the agent and the policies have it at this moment. The policies decide about each connection when it is made: `host` and `port` ask them about one.',
    tags: ['sandbox'],
    auth: 'user',
    params: Type.Object({ agent_id: Type.String({ minLength: 1, maxLength: 200 }) }),
    query: Type.Object({
      host: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'A name or an address.' })),
      port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, default: 443 })),
    }),
    errors: [notFoundError],
    answers: { 200: { description: 'Its access and limits.', schema } },
    async handle({ params, query, signal, ...request }) {
      const caller = callerOf(request)
      const agent = await agents?.details(caller.userId, params.agent_id)
      if (agent === undefined) throw notFoundError.create({ what: 'agent' })
      const { id, handle, workspace } = agent
      const principal: SandboxPrincipal = {
        ...{ userId: caller.userId, userHandle: caller.handle, kind: 'agent', id, handle, workspace },
      }
      const byDefault = settings.default_network_access
      const isOff = !agent.sandbox.network
      const host = query.host?.toLowerCase()
      const question = host === undefined ? undefined : { host, port: query.port ?? 443 }
      const allows = async (): Promise<boolean> =>
        question !== undefined &&
        !isOff &&
        (await policies.isAuthorized(connectQuestion(principalEntity(principal), { ...question, byDefault }), { signal })).allowed
      return ok({
        agent_id: id,
        network: {
          access: isOff ? 'off' : 'policies',
          default_access: byDefault,
          reason: reasonOf(isOff, byDefault),
          asked: question === undefined ? null : { ...question, allowed: await allows() },
        },
        files: await filesOf(principal, { policies, files, signal }),
        limits: {
          ...{ max_cpu_pct: settings.max_cpu_pct, max_memory_pct: settings.max_memory_pct, timeout_secs: settings.timeout_secs },
          memory_bytes: Math.floor((sandbox.machine().memoryBytes * settings.max_memory_pct) / 100),
          ...{ max_running: maxProcesses.principal, max_processes: maxTasks },
        },
      })
    },
  })
}

function reasonOf(isOff: boolean, byDefault: boolean): string {
  if (isOff) return 'The agent’s setting “sandbox.network” is off.'
  return byDefault
    ? 'Everything public, but for what a policy forbids (sandbox.default_network_access is true).'
    : 'What a policy permits (sandbox.default_network_access is false).'
}

/** The lists of the driver, as the user names the files. */
async function filesOf(principal: SandboxPrincipal, place: Omit<Parameters<typeof fileAccess>[1], 'workspace'>) {
  const root = `workspaces/${principal.workspace}`
  try {
    const { write, read, deny }: SandboxFiles = await fileAccess(principal, { ...place, workspace: root })
    return { writable: [...write], readable: [...read], denied: [...deny], refused: null }
  } catch (error) {
    if (!sandboxRefusedError.isInstance(error)) throw error
    return { writable: [], readable: [], denied: [], refused: String(error.details['reason']) }
  }
}
