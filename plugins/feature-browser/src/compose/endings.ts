import type { EventSubscription } from '@agent-service/sdk/services/events'
import type { OpenProfiles } from '../profiles/open-profiles.js'
import type { StoredProfile, StoredProfiles } from '../profiles/stored-profiles.js'
import type { SessionRegistry } from '../sessions/session-registry.js'

/** What ends with a run, an agent or an account. */
export interface Endings {
  /** Closes the sessions and forgets the profiles of a user, or of one agent. Resolves with their number. */
  forget(userId: string, agentId: string | undefined, signal: AbortSignal): Promise<number>
  /** Closes the sessions of runs that were cancelled, and forgets the profiles of agents that were deleted. */
  readonly subscription: EventSubscription
}

export function createEndings({
  registry,
  profiles,
  stored,
}: {
  readonly registry: SessionRegistry
  /** Absent without a browser service. */
  readonly profiles: OpenProfiles | undefined
  readonly stored: StoredProfiles
}): Endings {
  const remove = async (profile: StoredProfile, signal: AbortSignal): Promise<void> => {
    if (profiles === undefined) await stored.remove(profile.id)
    else await profiles.forget(profile, signal)
  }
  const forget = async (userId: string, agentId: string | undefined, signal: AbortSignal): Promise<number> => {
    await registry.close(({ owner }) => owner.userId === userId && (agentId === undefined || owner.agentId === agentId))
    // Also what is being opened or closed, which would keep its cookies afterwards.
    await profiles?.end(userId, agentId, signal)
    let count = 0
    for (;;) {
      const found = (await stored.list(userId)).filter((each) => agentId === undefined || each.agent_id === agentId)
      if (found.length === 0) return count
      for (const profile of found) {
        signal.throwIfAborted()
        await remove(profile, signal)
        count += 1
      }
    }
  }
  return {
    forget,
    subscription: {
      id: 'endings',
      names: ['run.cancelled', 'agent.deleted'],
      async handle(event, { signal }) {
        // What was not reported ends by its idle time.
        if (event.kind !== 'event') return
        const { userId, data } = event
        if (event.name === 'agent.deleted') {
          if (typeof data['agent_id'] === 'string') await forget(userId, data['agent_id'], signal)
          return
        }
        await registry.close(({ owner }) => owner.userId === userId && owner.chatId === data['chat_id'])
      },
    },
  }
}
