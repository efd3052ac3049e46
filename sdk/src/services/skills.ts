import { defineServiceReference } from '../core/service-reference.js'

/** Whose skills. */
export interface SkillOwner {
  /** The user. */
  readonly userId: string
  /** The name of that user's folder, `Account.handle`. */
  readonly userHandle: string
  /** One of that user's agents. */
  readonly agentId: string
}

/**
 * The skills of agents: folders with instructions, scripts and material.
 *
 * @example
 * const skills = context.use(skillsService)
 * const folders = await skills.folders({ userId, userHandle: 'ada', agentId: 'agent-1' }, { signal })
 */
export interface Skills {
  /**
   * The absolute folders of the skills that are enabled for an agent and work, for a confined
   * process of that agent to read, and never to write. Links in them have been resolved. Empty for
   * an agent without skills.
   */
  folders(owner: SkillOwner, options: { readonly signal: AbortSignal }): Promise<readonly string[]>
}

/** The skills of agents. Provided by `feature-skills`. */
export const skillsService = defineServiceReference<Skills>()('skills')
