import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { AgentPromptSection } from './prompt-section.js'

/** Makes a section. */
export function definePromptSection(definition: ContributionDefinition<AgentPromptSection>): AgentPromptSection {
  return Object.freeze<AgentPromptSection>({ ...definition, specVersion: 1 })
}
