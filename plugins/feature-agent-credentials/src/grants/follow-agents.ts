import type { EventSubscription } from '@agent-service/sdk/services/events'
import type { Masking } from '../masking/masking.js'
import type { GrantService } from './grant-service.js'

/** Ends the grants of agents that are deleted, also of those that were while this plugin was disabled. */
export const createAgentSubscription = ({
  grants,
  masking,
}: {
  readonly grants: Pick<GrantService, 'endOfAgent' | 'endOfMissingAgents'>
  readonly masking: Pick<Masking, 'forgetAgent'>
}): EventSubscription => ({
  id: 'deleted-agents',
  names: ['agent.deleted'],
  async handle(event) {
    if (event.userId === null) return
    if (event.kind === 'gap') return grants.endOfMissingAgents(event.userId)
    const { agent_id: agentId } = event.data
    if (typeof agentId !== 'string') return
    await grants.endOfAgent(event.userId, agentId)
    await masking.forgetAgent({ userId: event.userId, agentId })
  },
})
