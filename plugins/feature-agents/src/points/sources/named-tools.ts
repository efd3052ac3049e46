import type { Tool } from '@agent-service/sdk/contracts/tool'
import { toolNamePrefix } from '@agent-service/sdk/contracts/tool-source'
import type { Agent } from '../../store/agents/agent.js'
import type { Run } from '../../store/runs/run.js'

/** The agent that tools are for, and in a run what that reports to. */
export type ToolOwner = Pick<Agent, 'id' | 'user_id' | 'handle' | 'tools' | 'skills' | 'memory'> & Partial<Pick<Run, 'reports_to'>>

/** Whether an entry of an agent's `tools` may be about a tool of a source. */
const mayBeOfSource = (entry: string): boolean => entry.includes('__')

const sourced = new WeakMap<readonly string[], boolean>()

/** Whether an agent names tools of sources at all. Cheap, since most agents name none. */
export function namesSources(entries: readonly string[]): boolean {
  const known = sourced.get(entries)
  if (known !== undefined) return known
  const found = entries.some(mayBeOfSource)
  sourced.set(entries, found)
  return found
}

/**
 * Whether an entry of an agent's `tools` means this tool: by its name, or as one of many by
 * `<source>__*`.
 */
export const entryNames = (entry: string, name: string): boolean =>
  entry === name || (entry.endsWith('__*') && name.startsWith(entry.slice(0, -1)))

/** Whether the `tools` of an agent name this tool. */
export const agentNames = (entries: readonly string[], name: string): boolean =>
  entries.includes(name) || (namesSources(entries) && entries.some((entry) => entryNames(entry, name)))

/** Reads the skills of an agent. An agent that has skills has it without naming it. */
export const readSkillName = 'read_skill'

/** Whether an agent has this tool: it names it, or needs it for its skills. */
export const hasTool = (agent: Pick<Agent, 'tools' | 'skills'>, name: string): boolean =>
  agentNames(agent.tools, name) || (name === readSkillName && agent.skills.length > 0)

/** Whether an entry is about tools of this source. */
export const isAboutSource = (entry: string, sourceId: string): boolean => entry.startsWith(toolNamePrefix(sourceId))

/** Whether a tool is offered to this agent. */
export const isOffered = (tool: Tool, { id, handle, user_id, memory, reports_to: reportsTo }: ToolOwner): boolean =>
  tool.offered === undefined ||
  tool.offered({
    ...{ id, handle, userId: user_id, memory: { enabled: memory.enabled } },
    ...(reportsTo !== undefined && { reportsTo: reportsTo && { ...reportsTo } }),
  }) === true
