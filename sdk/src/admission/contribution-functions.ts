import { agentPromptSections } from '../contracts/agent-prompt-section/point.js'
import { agentRunHooks } from '../contracts/agent-run-hook/point.js'
import { channels } from '../contracts/channel/point.js'
import { chatParts } from '../contracts/chat-part/point.js'
import { cliCommands } from '../contracts/cli-command/point.js'
import { consolePanels } from '../contracts/console-panel/point.js'
import { doctorChecks } from '../contracts/doctor-check/point.js'
import { httpErrorFormats } from '../contracts/http-error-format/point.js'
import { httpRoutes } from '../contracts/http-route/point.js'
import { httpSites } from '../contracts/http-site/point.js'
import { memoryBackends } from '../contracts/memory-backend/point.js'
import { policyEngines } from '../contracts/policy-engine/point.js'
import { providerAdapters } from '../contracts/provider-adapter/point.js'
import { sandboxDrivers } from '../contracts/sandbox-driver/point.js'
import { schedulerJobs } from '../contracts/scheduler-job/point.js'
import { searchProviders } from '../contracts/search-provider/point.js'
import { tools } from '../contracts/tool/point.js'
import { toolSources } from '../contracts/tool-source/point.js'
import { userData } from '../contracts/user-data/point.js'
import { vaultConnectors } from '../contracts/vault-connector/point.js'
import { websocketRoutes } from '../contracts/websocket-route/point.js'

/**
 * What a function of a contribution returns: a result at once, a promise of a result, a stream, a promise
 * of an answer with a stream in it, or a promise of an object of functions.
 */
export type FunctionKind = 'immediate' | 'call' | 'stream' | 'response' | 'site' | 'session'

/** The functions of a point's contributions, by name. */
export type ContributionFunctions = Readonly<Record<string, FunctionKind>>

const each = (kind: FunctionKind, names: readonly string[]): ContributionFunctions => Object.fromEntries(names.map((name) => [name, kind]))
const calls = (...names: readonly string[]): ContributionFunctions => each('call', names)
const immediate = (...names: readonly string[]): ContributionFunctions => each('immediate', names)

const byPoint: readonly (readonly [{ readonly id: string }, ContributionFunctions])[] = [
  [providerAdapters, { call: 'stream', ...calls('embed', 'listModels') }],
  [tools, { ...calls('execute', 'probe'), ...immediate('offered', 'purpose', 'scopes', 'exactly', 'asks') }],
  [toolSources, { changes: 'stream', ...calls('tools', 'execute', 'probe') }],
  [httpErrorFormats, immediate('format')],
  [httpRoutes, { handle: 'response' }],
  [websocketRoutes, calls('handle')],
  [httpSites, { handle: 'site', upgrade: 'site' }],
  [schedulerJobs, calls('run')],
  [userData, { export: 'stream', ...calls('erase', 'size', 'handOver') }],
  [agentPromptSections, calls('text')],
  [agentRunHooks, calls('beforeModelCall', 'afterModelCall', 'beforeToolCall', 'afterToolCall', 'mask', 'maskAnswer', 'runEnded')],
  [chatParts, calls('erase', 'rest', 'export', 'import')],
  [
    memoryBackends,
    {
      export: 'stream',
      ...calls(
        'promptText',
        'remember',
        'search',
        'forget',
        'chatChanged',
        'sweep',
        'list',
        'get',
        'change',
        'import',
        'erase',
        'passes',
        'retryPass',
        'revisions',
        'restore',
      ),
    },
  ],
  [policyEngines, calls('prepare', 'load', 'decide', 'rehearse', 'check')],
  [searchProviders, calls('search')],
  [vaultConnectors, calls('test', 'list', 'read', 'write', 'renew', 'close')],
  [channels, { connect: 'session' }],
  [sandboxDrivers, { run: 'stream', ...calls('health', 'send', 'measure', 'sweep', 'forget') }],
  [consolePanels, {}],
  [cliCommands, calls('run')],
  [doctorChecks, calls('run')],
]

/** The functions of each point's contributions that others call. A point that is not listed has none. */
export const contributionFunctions: ReadonlyMap<string, ContributionFunctions> = new Map(
  byPoint.map(([{ id }, functions]) => [id, functions] as const),
)

/** Whether a function may be called before the code behind it is there: what it returns may come at a later time. */
export function mayWait(point: string, name: string): boolean {
  const functions = contributionFunctions.get(point) ?? {}
  return Object.hasOwn(functions, name) && functions[name] !== 'immediate'
}
