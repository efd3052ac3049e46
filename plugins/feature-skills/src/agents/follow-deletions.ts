import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { EventSubscription } from '@agent-service/sdk/services/events'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { skillsSubsystem } from '../folders/user-skill-folder.js'

/** Removes the skills of agents that are deleted, also of those that were while this plugin was disabled. */
export function createDeletionSubscription({
  files,
  accounts,
  agents,
}: {
  readonly files: UserFiles
  readonly accounts: Pick<Accounts, 'get'>
  readonly agents: Pick<Agents, 'details'>
}): EventSubscription {
  return {
    id: 'deleted-agents',
    names: ['agent.deleted'],
    async handle(event, { signal }) {
      if (event.userId === null) return
      const account = await accounts.get(event.userId)
      if (!account) return
      const folder = files.folder(account, { subsystem: skillsSubsystem, path: 'agents', links: 'refuse' })
      if (event.kind === 'event') {
        const { agent_id: id } = event.data
        if (typeof id === 'string' && (await folder.stat(id)) !== undefined) await folder.remove(id, { recursive: true })
        return
      }
      // Some deletions were not reported: every agent with skills is looked up.
      for (const { name } of (await folder.list('', { signal }))?.items ?? [])
        if ((await agents.details(event.userId, name)) === undefined) await folder.remove(name, { recursive: true })
    },
  }
}
