import { createHash } from 'node:crypto'
import { type Logger, type Static, validate } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Resources } from '@agent-service/sdk/services/resources'
import { type AgentDefinition, agentCollection, agentSeedingCollection } from '../store/agents/agent.js'
import { insertAgent } from '../store/agents/agent-records.js'
import { agentInputSchema } from '../store/agents/agent-schema.js'
import { completeDefinition } from '../store/agents/new-agent.js'

/** One file of `agents/*.json`. */
export interface SharedAgent {
  readonly definition: AgentDefinition
  /** Changes with the file's content. */
  readonly digest: string
}

/** Gives every user the shared agents of `agents/*.json`, once. The files are read once. */
export interface SharedAgents {
  /**
   * Resolves when this user has the shared agents, given now or earlier. Safe to call concurrently.
   */
  ensure(userId: string): Promise<void>
  /** The shared agent with this handle, as the service ships it at present. */
  find(handle: string): Promise<SharedAgent | undefined>
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
        log.warn('A shared agent is skipped: its file is not valid.', { file: `agents/${name}`, problem: agent.problem })
      else agents.push(agent)
    }
    return agents
  }

  const shared = (): Promise<readonly SharedAgent[]> => {
    files ??= readFiles().catch((error: unknown) => {
      // The next request tries again.
      files = undefined
      throw error
    })
    return files
  }

  return {
    async ensure(userId) {
      if (await seedings.get(userId)) return
      const agents = await shared()
      const now = new Date(clock.now()).toISOString()
      await database.transaction(async (transaction) => {
        if (await transaction.get(agentSeedingCollection, userId)) return
        for (const { definition, digest } of agents) {
          const { handle } = definition
          if (await transaction.find(agentCollection, 'by_handle', [userId, handle])) continue
          await insertAgent(transaction, userId, definition, {
            by: { kind: 'service', id: null },
            cause: 'shared',
            shared: { handle, digest },
            now,
          })
        }
        transaction.insert(agentSeedingCollection, {
          id: userId,
          user_id: userId,
          seeded_at: now,
          handles: agents.map(({ definition }) => definition.handle),
        })
      })
    },
    find: async (handle) => (await shared()).find(({ definition }) => definition.handle === handle),
  }
}

function parse(text: string): SharedAgent | { readonly problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  const problems = validate(agentInputSchema, value)
  if (problems.length > 0) return { problem: problems.map(({ path, message }) => `${path}: ${message}`).join('; ') }
  const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex')
  return { definition: completeDefinition(value as Static<typeof agentInputSchema>), digest }
}
