import type { Logger, Problem } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import { type Tool, tools } from '@agent-service/sdk/contracts/tool'
import { maxSourceTools, toolNamePrefix, toolSources } from '@agent-service/sdk/contracts/tool-source'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributed, ContributionLease, Contributions } from '@agent-service/sdk/services/contributions'
import { entryNames, isAboutSource, namesSources, type ToolOwner } from './named-tools.js'
import { createSourceLists } from './source-lists.js'

/** A tool with its plugin, and with its source if it comes from one. */
export type AgentTool = Contributed<Tool> & { readonly sourceId?: string }

/**
 * The tools of agents: those that plugins contribute, which are the same for all agents, and those
 * of the tool sources that an agent names.
 */
export interface AgentTools {
  /**
   * Reads the lists of the tool sources that the agent names, unless they are fresh. Rejects only
   * with the signal's reason.
   */
  refresh(agent: ToolOwner, signal?: AbortSignal): Promise<void>
  /** Whether the agent names tools of an available source. */
  hasSources(agent: Pick<ToolOwner, 'tools'>): boolean
  /**
   * All tools known for the agent, ordered by name. Contributed tools are included whether the
   * agent names them or not.
   */
  list(agent: ToolOwner): readonly AgentTool[]
  /** What an agent names to have all tools of all sources. */
  sourceEntries(): readonly string[]
  find(agent: ToolOwner, name: string): Contributed<Tool> | undefined
  /** Leases a tool for one call. */
  acquire(agent: ToolOwner, name: string): ContributionLease<Tool> | undefined
  /**
   * Whether an entry of an agent's `tools` names an available tool, as far as is known without
   * waiting.
   */
  isThere(entry: string): boolean
  /** The tools that the agent names but is not offered, and why. */
  warnings(agent: ToolOwner): readonly Problem[]
  close(): Promise<void>
}

interface OfferedTools {
  readonly tools: ReadonlyMap<string, Contributed<Tool> & { readonly sourceId: string }>
  readonly warnings: readonly Problem[]
}

const noTools: OfferedTools = { tools: new Map(), warnings: [] }

export function createAgentTools(dependencies: {
  readonly contributions: Pick<Contributions, 'list' | 'acquire' | 'onChange'>
  readonly clock: Clock
  readonly log: Logger
}): AgentTools {
  const { contributions } = dependencies
  const lists = createSourceLists(dependencies)
  const sourcesOf = ({ tools: entries }: Pick<ToolOwner, 'tools'>) =>
    namesSources(entries) ? contributions.list(toolSources).filter(({ key }) => entries.some((entry) => isAboutSource(entry, key))) : []
  const common = (name: string): Contributed<Tool> | undefined => contributions.list(tools).find(({ key }) => key === name)

  /** In the order of the agent's list, so that the tools named first win if there are too many. */
  const offered = (agent: ToolOwner): OfferedTools => {
    const sources = sourcesOf(agent)
    if (sources.length === 0) return noTools
    const found: OfferedTools['tools'] & Map<string, Contributed<Tool> & { sourceId: string }> = new Map()
    const warnings: Problem[] = []
    for (const [index, entry] of agent.tools.entries()) {
      let more = 0
      let named = 0
      for (const { key, pluginId } of sources.filter((source) => isAboutSource(entry, source.key))) {
        for (const [name, value] of lists.known(key, agent.id)?.tools ?? []) {
          // Contributed tools come first: a source cannot replace them.
          if (!entryNames(entry, name) || common(name)) continue
          named += 1
          if (found.has(name)) continue
          if (found.size >= maxSourceTools) more += 1
          else found.set(name, { key: name, pluginId, value, sourceId: key })
        }
      }
      const path = `/tools/${index}`
      if (more > 0)
        warnings.push({
          path,
          message: `${more} of its tools are not offered: an agent has at most ${maxSourceTools} tools from tool sources`,
        })
      if (named === 0 && entry.endsWith('__*')) warnings.push({ path, message: `no tool matches “${entry}” at present` })
    }
    return { tools: found, warnings }
  }

  const ofSource = (agent: ToolOwner, name: string) =>
    namesSources(agent.tools) && name.includes('__') ? offered(agent).tools.get(name) : undefined

  return {
    hasSources: (agent) => sourcesOf(agent).length > 0,
    async refresh(agent, signal) {
      const sources = sourcesOf(agent)
      if (sources.length === 0) return
      const owner = { userId: agent.user_id, agentId: agent.id, agentHandle: agent.handle }
      const all = Promise.all(sources.map(({ key }) => lists.refresh(key, owner)))
      await (signal ? abortable(() => all, signal) : all)
    },
    list(agent) {
      const { tools: more } = offered(agent)
      if (more.size === 0) return contributions.list(tools)
      return [...contributions.list(tools), ...more.values()].sort((one, other) => (one.key < other.key ? -1 : 1))
    },
    sourceEntries: () => contributions.list(toolSources).map(({ key }) => `${toolNamePrefix(key)}*`),
    find: (agent, name) => common(name) ?? ofSource(agent, name),
    acquire(agent, name) {
      const lease = contributions.acquire(tools, name)
      if (lease) return lease
      const found = ofSource(agent, name)
      const source = found && contributions.acquire(toolSources, found.sourceId)
      return found && source ? { ...found, signal: source.signal, release: () => source.release() } : undefined
    },
    isThere: (entry) =>
      entry.endsWith('__*') || (entry.includes('__') && common(entry) === undefined)
        ? contributions.list(toolSources).some(({ key }) => isAboutSource(entry, key))
        : common(entry) !== undefined,
    warnings: (agent) => {
      const { warnings } = offered(agent)
      const absent = agent.tools.flatMap((entry, index): readonly Problem[] =>
        entry.endsWith('__*') && !contributions.list(toolSources).some(({ key }) => isAboutSource(entry, key))
          ? [
              {
                path: `/tools/${index}`,
                message: `the tool source of “${entry}” is not available at present, so its tools are not offered`,
              },
            ]
          : [],
      )
      return [...absent, ...warnings]
    },
    close: () => lists.close(),
  }
}
