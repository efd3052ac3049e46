import type { JsonObject } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { modelToolOf } from '../context/model-tool.js'
import type { AgentTool, AgentTools } from '../points/sources/agent-tools.js'
import { agentNames, hasTool, isOffered } from '../points/sources/named-tools.js'
import { approvalModeOf } from '../runs/approvals/create-tool-access.js'
import type { ToolAccess } from '../runs/approvals/tool-access.js'
import type { Agent } from '../store/agents/agent.js'

/** How long a list waits for tool sources, in milliseconds. */
const sourcesTimeoutMs = 2_000

/** Why an agent does not get a tool. */
export type ToolReason = 'policy' | 'withheld' | 'not_found'

/** A tool as a client sees it. */
export type ToolView = {
  readonly name: string
  readonly title: string | null
  /** What people read of its calls; null: it has no words of its own. */
  readonly display: JsonObject | null
  readonly description: string | null
  readonly plugin_id: string | null
  /** The tool source that it comes from; null: the plugin itself. */
  readonly source: string | null
  readonly effect: NonNullable<Tool['effect']> | null
  readonly approval: NonNullable<Tool['approval']> | null
  readonly parameters: JsonObject | null
  readonly available: boolean
  readonly reason: ToolReason | null
  readonly message: string | null
}

/** The tools of agents as clients see them. */
export interface ToolViews {
  /** All tools that an agent could get, by name, with those that it cannot and why. */
  possible(agent: Agent): Promise<readonly ToolView[]>
  /** The tools that the agent names, by name, with those that it does not get and why. */
  given(agent: Agent): Promise<readonly ToolView[]>
}

export function createToolViews(dependencies: {
  readonly agentTools: Pick<AgentTools, 'refresh' | 'list' | 'warnings' | 'sourceEntries'>
  readonly access: Pick<ToolAccess, 'permitted'>
}): ToolViews {
  const { agentTools, access } = dependencies

  /** Waits only briefly for tool sources: the list shows what is known by then. */
  const refresh = async (agent: Agent): Promise<void> => {
    const signal = signalWithin(sourcesTimeoutMs)
    await agentTools.refresh(agent, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  const viewsOf = async (agent: Agent, tools: readonly AgentTool[]): Promise<readonly ToolView[]> => {
    const names = tools.map(({ key }) => key)
    const permitted = new Set(names.length === 0 ? [] : await access.permitted(agent, names, {}))
    return tools.map((tool) => viewOf(agent, tool, permitted))
  }

  return {
    async possible(agent) {
      const asking = { ...agent, tools: agentTools.sourceEntries() }
      await refresh(asking)
      return viewsOf(asking, agentTools.list(asking))
    },
    async given(agent) {
      await refresh(agent)
      const listed = agentTools.list(agent).filter(({ key }) => hasTool(agent, key))
      const there = await viewsOf(agent, listed)
      const warnings = new Map(agentTools.warnings(agent).map(({ path, message }) => [path, message]))
      const absent = agent.tools.flatMap((entry, index) => {
        const names = (name: string): boolean => agentNames([entry], name)
        return listed.some(({ key }) => names(key)) ? [] : [absentTool(entry, warnings.get(`/tools/${index}`))]
      })
      return [...there, ...absent].sort((one, other) => (one.name < other.name ? -1 : 1))
    },
  }
}

function viewOf(agent: Agent, { key, pluginId, sourceId, value }: AgentTool, permitted: ReadonlySet<string>): ToolView {
  const reason = permitted.has(key) ? null : isOffered(value, agent) ? 'policy' : 'withheld'
  return {
    name: key,
    title: value.title,
    display: value.display === undefined ? null : (structuredClone(value.display) as unknown as JsonObject),
    description: value.description,
    plugin_id: pluginId,
    source: sourceId ?? null,
    effect: value.effect ?? 'unsafe',
    approval: approvalModeOf(agent, value),
    parameters: modelToolOf(value).parameters,
    available: reason === null,
    reason,
    message: reason && messages[reason],
  }
}

const messages = {
  policy: 'The policies of this service do not allow the agent to use it.',
  withheld: 'Its plugin does not offer it to this agent, as the agent is set up at present.',
} as const

const absentTool = (name: string, message: string | undefined): ToolView => ({
  ...{ name, title: null, display: null, description: null, plugin_id: null, source: null },
  ...{ effect: null, approval: null, parameters: null },
  available: false,
  reason: 'not_found',
  message: message ?? 'No plugin provides it at present: it may be disabled, not set up, or misspelt.',
})
