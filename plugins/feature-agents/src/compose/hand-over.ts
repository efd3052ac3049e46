import type { HandOverItem, HandOverOptions, UserDataRecord } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, type DocumentsPlace, documentsOf, type StoredObject } from '@agent-service/sdk/services/database'
import type { SharedAgents } from '../agents/shared-agents.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { type Agent, agentCollection, agentSeedingCollection, definitionOf } from '../store/agents/agent.js'
import { changeAgent } from '../store/agents/agent-records.js'
import { chatCollection } from '../store/chats/chat.js'
import { type Space, spaceCollection } from '../store/chats/space.js'
import { approvalGrantCollection } from '../store/runs/approval-grant.js'
import { isFinished, runCollection } from '../store/runs/run.js'

/** What a hand-over of agents and chats depends on. */
export interface HandOverDependencies {
  readonly database: Database
  readonly runs: Pick<RunManager, 'cancel'>
  readonly sharedAgents: Pick<SharedAgents, 'find'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Agents and chats of an account that gets another holder. Chats stay, with nothing at work in them.
 * Agents are as the service ships them again; those that the former holder made are switched off,
 * and their versions stay. Spaces have no context, and no tool is permitted once and for all.
 */
export async function handOverAgents(
  dependencies: HandOverDependencies,
  userId: string,
  { signal, setAside }: HandOverOptions,
): Promise<readonly HandOverItem[]> {
  const { database, runs } = dependencies
  const place: DocumentsPlace = { index: 'by_user', equals: [userId], signal }
  const cancelled = await each(documentsOf(database, runCollection, place), async (run) => {
    if (isFinished(run)) return false
    await runs.cancel(run.id, { signal })
    return true
  })
  const grants = await each(documentsOf(database, approvalGrantCollection, place), async ({ id }) => {
    await database.collection(approvalGrantCollection).delete(id)
    return true
  })
  const agents = await each(documentsOf(database, agentCollection, place), async (agent) => {
    if (!(await resetAgent(dependencies, agent))) return false
    await setAside(recordOf('agents', agent))
    return true
  })
  // Shipped agents that the former holder deleted come back.
  await database.collection(agentSeedingCollection).delete(userId)
  const spaces = await each(documentsOf(database, spaceCollection, place), async (space) => {
    if (space.context === '' && space.summary === null) return false
    await setAside(recordOf('spaces', space))
    return clearSpace(database, space)
  })
  const chats = await each(documentsOf(database, chatCollection, place), async () => true)
  return [
    { what: 'runs at work', count: cancelled, outcome: 'ended' },
    { what: 'tools that were always allowed', count: grants, outcome: 'ended' },
    { what: 'changed agents', count: agents, outcome: 'set_aside' },
    { what: 'contexts of spaces', count: spaces, outcome: 'set_aside' },
    { what: 'chats', count: chats, outcome: 'kept' },
  ]
}

/** How many of the documents something was done with. */
async function each<Document>(documents: AsyncIterable<Document>, work: (document: Document) => Promise<boolean>): Promise<number> {
  let count = 0
  for await (const document of documents) if (await work(document)) count += 1
  return count
}

/** Returns whether it was another one than the service ships. */
async function resetAgent({ database, sharedAgents, clock }: HandOverDependencies, { id, shared }: Agent): Promise<boolean> {
  const shipped = shared === null ? undefined : await sharedAgents.find(shared.handle)
  return database.transaction(async (transaction) => {
    const agent = await transaction.get(agentCollection, id)
    if (!agent) return false
    const definition = shipped ? { ...shipped.definition, handle: agent.handle } : { ...definitionOf(agent), enabled: false }
    const after = await changeAgent(transaction, agent, definition, {
      by: { kind: 'service', id: null },
      cause: shipped ? 'adopted' : 'changed',
      now: new Date(clock.now()).toISOString(),
      ...(shipped && shared ? { shared: { handle: shared.handle, digest: shipped.digest } } : {}),
    })
    return after.version !== agent.version
  })
}

const clearSpace = (database: Database, { id }: Space): Promise<boolean> =>
  database.transaction(async (transaction) => {
    const space = await transaction.get(spaceCollection, id)
    if (!space) return false
    transaction.put(spaceCollection, { ...space, context: '', summary: null, summary_updated_at: null })
    return true
  })

const recordOf = (folder: string, document: StoredObject): UserDataRecord => ({
  path: `${folder}/${document.id}.json`,
  json: JSON.parse(JSON.stringify(document)),
})
