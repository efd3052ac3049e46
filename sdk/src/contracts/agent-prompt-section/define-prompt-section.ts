import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { AgentPromptSection } from './prompt-section.js'

/**
 * Makes a section.
 *
 * @example
 * definePromptSection({
 *   id: 'house-rules',
 *   title: 'House rules',
 *   order: 300,
 *   kind: 'static',
 *   maxTokens: 100,
 *   text: async ({ agent }) => `Answer in plain words. Sign with ${agent.name}.`,
 * })
 */
export function definePromptSection(definition: ContributionDefinition<AgentPromptSection>): AgentPromptSection {
  return Object.freeze<AgentPromptSection>({ ...definition, specVersion: 1 })
}
