import { Type } from '@agent-service/sdk'
import { limits } from '../common/limits.js'
import { skillNamePattern } from '../format/parse-skill.js'

/** The name of a folder of skills; a skill that is put there by hand may have any. */
export const nameSchema = Type.String({ minLength: 1, maxLength: limits.maxNameBytes, description: 'The name of the skill.' })
export const newNameSchema = Type.String({
  ...{ minLength: 1, maxLength: 64, pattern: skillNamePattern, examples: ['weekly-report'] },
  description: 'Lower-case letters and digits with single “-” between them.',
})
export const pathSchema = Type.String({
  ...{ minLength: 1, maxLength: limits.maxPathLength, examples: ['references/terms.md'] },
  description: 'A file of the skill. Default: SKILL.md.',
})
export const agentId = Type.String({ minLength: 1, maxLength: 100, description: 'One of the caller’s agents: its own skills count too.' })
export const agentQuery = { agent_id: Type.Optional(agentId) }
