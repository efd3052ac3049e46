import type { Problem } from '@agent-service/sdk'
import type { ModelGroup } from '@agent-service/sdk/services/inference'
import type { Agent } from '../store/agents/agent.js'

/** What the service offers at this moment. */
export interface AgentSurroundings {
  /** Names of the tools that plugins contribute, and of those that tool sources offer the agent. */
  readonly tools: ReadonlySet<string>
  /**
   * Tools of the shipped agent of which this one is a copy. It names what any deployment may have, so
   * that it is no fault when this one lacks some. Default: none.
   */
  readonly shippedTools?: ReadonlySet<string>
  readonly groups: readonly ModelGroup[]
  /** Names of the shared sections of the prompt. */
  readonly sections: readonly string[]
}

/**
 * What an agent names but the service lacks, by JSON pointer. The agent keeps it, since a plugin
 * may bring it back.
 */
export function agentWarnings(agent: Agent, { tools, shippedTools, groups, sections }: AgentSurroundings): readonly Problem[] {
  const warnings: Problem[] = []
  for (const [index, tool] of agent.tools.entries()) {
    // All tools of a source: the tool sources report on those.
    if (!tools.has(tool) && !shippedTools?.has(tool) && !tool.endsWith('__*'))
      warnings.push({ path: `/tools/${index}`, message: `the tool “${tool}” is not available at present, so it is not offered` })
  }
  const group = groups.find(({ name }) => name === agent.model_group)
  if (!group) {
    const others = groups.some(({ name }) => name === 'primary') ? 'primary is used instead' : 'the agent cannot answer'
    warnings.push({ path: '/model_group', message: `the model group “${agent.model_group}” does not exist; ${others}` })
  }
  const output = agent.limits.max_output_tokens
  if (group?.max_tokens !== undefined && output !== undefined && output > group.max_tokens) {
    const path = '/limits/max_output_tokens'
    warnings.push({ path, message: `the model group “${group.name}” allows only ${group.max_tokens}, which applies` })
  }
  for (const tool of Object.keys(agent.approval)) {
    if (tool !== '*' && !tools.has(tool))
      warnings.push({ path: `/approval/${escaped(tool)}`, message: `the tool “${tool}” is not available at present` })
  }
  for (const section of Object.keys(agent.prompts)) {
    if (!sections.includes(section))
      warnings.push({ path: `/prompts/${section}`, message: `the shared prompt has no section “${section}”, so its text is not used` })
  }
  return warnings
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
