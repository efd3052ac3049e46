import type { Problem } from '@agent-service/sdk'
import type { ModelGroup } from '@agent-service/sdk/services/inference'
import type { Agent } from '../store/agents/agent.js'

/** What the service has at this moment. */
export interface AgentSurroundings {
  /** Names of the tools that plugins contribute. */
  readonly tools: ReadonlySet<string>
  readonly groups: readonly ModelGroup[]
  /** Names of the shared sections of the prompt. */
  readonly sections: readonly string[]
}

/** What an agent names and the service does not have, by JSON pointer. It is kept, since a plugin may bring it back. */
export function agentWarnings(agent: Agent, { tools, groups, sections }: AgentSurroundings): readonly Problem[] {
  const warnings: Problem[] = []
  for (const [index, tool] of agent.tools.entries()) {
    if (!tools.has(tool)) warnings.push({ path: `/tools/${index}`, message: `there is no tool “${tool}” at present, so it is not offered` })
  }
  const group = groups.find(({ name }) => name === agent.model_group)
  if (!group) {
    const others = groups.some(({ name }) => name === 'primary') ? 'primary answers in its place' : 'nothing can answer'
    warnings.push({ path: '/model_group', message: `there is no model group “${agent.model_group}”; ${others}` })
  }
  const output = agent.limits.max_output_tokens
  if (group?.max_tokens !== undefined && output !== undefined && output > group.max_tokens) {
    const path = '/limits/max_output_tokens'
    warnings.push({ path, message: `the model group “${group.name}” allows ${group.max_tokens}, which counts` })
  }
  for (const tool of Object.keys(agent.approval)) {
    if (tool !== '*' && !tools.has(tool))
      warnings.push({ path: `/approval/${escaped(tool)}`, message: `there is no tool “${tool}” at present` })
  }
  for (const section of Object.keys(agent.prompts)) {
    if (!sections.includes(section))
      warnings.push({ path: `/prompts/${section}`, message: `the shared prompt has no section “${section}”, so its text is not used` })
  }
  return warnings
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
