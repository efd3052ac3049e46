import type { Agents } from '@agent-service/sdk/services/agents'
import type { EventSubscription } from '@agent-service/sdk/services/events'
import type { EndPrincipal } from './end-principal.js'
import { principalName } from './principal-name.js'
import type { PrincipalRecords } from './principal-records.js'

/** Ends the processes of agents that are deleted, also of those that were while this plugin was disabled. */
export function createDeletionSubscription(dependencies: {
  readonly records: PrincipalRecords
  readonly agents: Pick<Agents, 'details'> | undefined
  readonly end: EndPrincipal
}): EventSubscription {
  const { records, agents, end } = dependencies
  return {
    id: 'deleted-agents',
    names: ['agent.deleted'],
    async handle(event, { signal }) {
      if (event.kind === 'event') {
        const { agent_id: id } = event.data
        if (typeof id === 'string') await end({ id: principalName({ userId: event.userId, kind: 'agent', id }) }, signal)
        return
      }
      // Some deletions were not reported: every agent is looked up.
      for await (const record of records.list(event.userId ?? undefined)) {
        if (record.kind !== 'agent' || agents === undefined) continue
        if ((await agents.details(record.user_id, record.principal_id)) === undefined) await end(record, signal)
      }
    },
  }
}
