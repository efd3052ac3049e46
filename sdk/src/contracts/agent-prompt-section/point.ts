import { defineContributionPoint } from '../../core/contribution-point.js'
import type { AgentPromptSection } from './prompt-section.js'

/** Parts of the system prompt of agents. */
export const agentPromptSections = defineContributionPoint<AgentPromptSection>()({
  id: 'agent.prompt-section',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (section) => section.id,
})
