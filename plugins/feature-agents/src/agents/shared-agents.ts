import { type Logger, type Static, validate } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Resources } from '@agent-service/sdk/services/resources'
import { agentCollection, agentInputSchema, agentSeedingCollection } from './agent.js'
import { newAgent } from './new-agent.js'

type SharedAgent = Static<typeof agentInputSchema>

/** Gives every user the shared agents of `agents/*.json`, once. */
export interface SharedAgents {
  /** Resolves when this user has been given them, now or earlier. Safe to call at once from many requests. */
  ensure(userId: string): Promise<void>
}

export function createSharedAgents(dependencies: {
  readonly database: Database
  readonly resources: Resources
  readonly clock: Clock
  readonly log: Logger
}): SharedAgents {
  const { database, resources, clock, log } = dependencies
  const seedings = database.collection(agentSeedingCollection)
  let files: Promise<readonly SharedAgent[]> | undefined

  const readFiles = async (): Promise<readonly SharedAgent[]> => {
    const names = (await resources.list('agents')).filter((name) => name.endsWith('.json'))
    const agents: SharedAgent[] = []
    for (const name of names) {
      const agent = parse(await resources.read(`agents/${name}`))
      if ('problem' in agent)
        log.warn('A shared agent is passed over: its file is not valid.', { file: `agents/${name}`, problem: agent.problem })
      else agents.push(agent.value)
    }
    return agents
  }

  return {
    async ensure(userId) {
      if (await seedings.get(userId)) return
      files ??= readFiles().catch((error: unknown) => {
        // The next request tries again.
        files = undefined
        throw error
      })
      const agents = await files
      const now = new Date(clock.now()).toISOString()
      await database.transaction(async (transaction) => {
        if (await transaction.get(agentSeedingCollection, userId)) return
        for (const agent of agents) {
          if (await transaction.find(agentCollection, 'by_handle', [userId, agent.handle])) continue
          transaction.insert(agentCollection, newAgent(userId, agent, now))
        }
        transaction.insert(agentSeedingCollection, {
          id: userId,
          user_id: userId,
          seeded_at: now,
          handles: agents.map((agent) => agent.handle),
        })
      })
    },
  }
}

function parse(text: string): { readonly value: SharedAgent } | { readonly problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  const problems = validate(agentInputSchema, value)
  if (problems.length > 0) return { problem: problems.map(({ path, message }) => `${path}: ${message}`).join('; ') }
  return { value: value as SharedAgent }
}
