import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { channels } from '@agent-service/sdk/contracts/channel'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import { httpErrorFormats } from '@agent-service/sdk/contracts/http-error-format'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { httpSites } from '@agent-service/sdk/contracts/http-site'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { sandboxDrivers } from '@agent-service/sdk/contracts/sandbox-driver'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import { toolSources } from '@agent-service/sdk/contracts/tool-source'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { websocketRoutes } from '@agent-service/sdk/contracts/websocket-route'

/** What a function returns: a result, a stream, an answer with a stream in it, or an object of functions. */
export type FunctionKind = 'call' | 'stream' | 'response' | 'site' | 'session'

interface Contract {
  readonly point: { readonly id: string }
  /** The functions of its contributions that other plugins and the kernel call. */
  readonly functions: Readonly<Record<string, FunctionKind>>
}

const calls = (...names: readonly string[]): Readonly<Record<string, FunctionKind>> =>
  Object.fromEntries(names.map((name) => [name, 'call' as const]))

const contracts: readonly Contract[] = [
  // Drivers, commands, panels and checks are not called by other plugins; tools have a guard of their own.
  { point: providerAdapters, functions: { call: 'stream', ...calls('embed') } },
  { point: toolSources, functions: { changes: 'stream', ...calls('tools', 'execute', 'probe') } },
  { point: httpErrorFormats, functions: calls('format') },
  { point: httpRoutes, functions: { handle: 'response' } },
  { point: websocketRoutes, functions: calls('handle') },
  { point: httpSites, functions: { handle: 'site', upgrade: 'site' } },
  { point: schedulerJobs, functions: calls('run') },
  { point: userData, functions: { export: 'stream', ...calls('erase', 'size', 'handOver') } },
  { point: agentPromptSections, functions: calls('text') },
  {
    point: agentRunHooks,
    functions: calls('beforeModelCall', 'afterModelCall', 'beforeToolCall', 'afterToolCall', 'mask', 'maskAnswer', 'runEnded'),
  },
  { point: chatParts, functions: calls('erase', 'export', 'import') },
  {
    point: memoryBackends,
    functions: {
      export: 'stream',
      ...calls('promptText', 'remember', 'search', 'forget', 'chatChanged', 'sweep', 'list', 'get', 'change', 'import', 'erase'),
    },
  },
  { point: policyEngines, functions: calls('prepare', 'load', 'decide', 'rehearse', 'check') },
  { point: searchProviders, functions: calls('search') },
  { point: vaultConnectors, functions: calls('test', 'list', 'read', 'write', 'renew', 'close') },
  { point: channels, functions: { connect: 'session' } },
  { point: sandboxDrivers, functions: { run: 'stream', ...calls('health', 'send', 'measure', 'sweep', 'forget') } },
]

/** The functions of each point's contributions; none for a point that is not listed. */
export const functionsOf: ReadonlyMap<string, Readonly<Record<string, FunctionKind>>> = new Map(
  contracts.map(({ point, functions }) => [point.id, functions] as const),
)
