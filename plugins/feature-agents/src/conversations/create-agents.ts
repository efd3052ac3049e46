import type { Disposer } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import {
  type AgentSummary,
  type Agents,
  agentUnknownError,
  type ConversationEvent,
  type ConverseRequest,
} from '@agent-service/sdk/services/agents'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { type PolicyService, permitsOperation, requireOperation } from '@agent-service/sdk/services/policy'
import { userUnknownError } from '@agent-service/sdk/services/runs'
import { v7 as uuidv7 } from 'uuid'
import type { SharedAgents } from '../agents/shared-agents.js'
import { eraseChat } from '../chats/erase-chat.js'
import type { ChatParts } from '../points/parts/chat-parts.js'
import type { RunsWithin } from '../run-service/create-runs.js'
import { readStoredAnswer } from '../run-service/stored-answer.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import type { RunLog } from '../runs/log/run-log.js'
import type { RunWatchers } from '../runs/streaming/run-watchers.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { chatCollection } from '../store/chats/chat.js'
import type { Conversations, ReadTurn, TurnDestination } from './conversations.js'
import { type BegunTurn, followTurn } from './follow-turn.js'
import { type RepeatedTurns, runKeyOf, turnKeyLifeMs } from './repeated-turns.js'

/** How long the deletion of an unused new chat may take, in milliseconds. */
const deleteTimeoutMs = 15_000

/** The dependencies of the service `agents`. */
export interface AgentsDependencies {
  readonly database: Database
  readonly accounts: Pick<Accounts, 'get'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly sharedAgents: SharedAgents
  readonly conversations: Conversations
  readonly repeated: RepeatedTurns
  readonly log: Pick<RunLog, 'read'>
  readonly clock: Pick<Clock, 'now'>
  readonly events: Pick<Events, 'record'>
  readonly chatParts: Pick<ChatParts, 'erase'>
  readonly manager: Pick<RunManager, 'cancel'>
  readonly runs: RunsWithin
  readonly watchers: Pick<RunWatchers, 'forbidRetractions'>
}

/** The agents of the users, for other parts of the service. */
export function createAgents(dependencies: AgentsDependencies): Agents {
  return {
    list: (userId) => listAgents(dependencies, userId),
    async details(userId, agentId) {
      const agent = await dependencies.database.collection(agentCollection).get(agentId)
      if (agent?.user_id !== userId) return undefined
      const { enabled, workspace, skills, sandbox, memory, model_group: modelGroup } = agent
      return { ...summaryOf(agent), enabled, workspace, skills, sandbox, modelGroup, memory: { enabled: memory.enabled } }
    },
    converse: (request, { signal }) => converse(dependencies, request, signal),
  }
}

/** Gives a user the shared agents. @throws `user_not_found`. */
async function ensureAgents({ accounts, sharedAgents }: AgentsDependencies, userId: string): Promise<void> {
  if (!(await accounts.get(userId))) throw userUnknownError.create({ userId })
  await sharedAgents.ensure(userId)
}

async function listAgents(dependencies: AgentsDependencies, userId: string): Promise<readonly AgentSummary[]> {
  await ensureAgents(dependencies, userId)
  if (!(await permitsOperation(dependencies.policies, { userId, operation: 'listAgents' }))) return []
  const agents = dependencies.database.collection(agentCollection)
  const page = await agents.query({ index: 'by_user', equals: [userId], limit: 200 })
  return page.items.filter(({ enabled }) => enabled).map(summaryOf)
}

async function* converse(
  dependencies: AgentsDependencies,
  request: ConverseRequest,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, void, undefined> {
  const { conversations, policies } = dependencies
  // Checked before a chat is created for the message.
  await requireOperation(policies, { userId: request.userId, operation: 'createMessage', signal })
  const agent = await agentNamed(dependencies, request.userId, request.agent)
  const turn = await conversations.read(agent, request)
  const begun =
    (await findRepeated(dependencies, request, turn, signal)) ?? (await beginTurn(dependencies, { agent, request, turn }, signal))
  const { place, stopShowing } = begun
  try {
    yield { type: 'run', runId: begun.runId, chatId: place.chatId }
    yield* followTurn(dependencies, { agent, request, ...begun }, signal)
  } finally {
    void stopShowing()
  }
}

/** A turn with its run. `stopShowing` permits that its text is retracted again. */
type FollowedTurn = Pick<BegunTurn, 'place' | 'runId' | 'before'> & { readonly stopShowing: Disposer }

/** The turn, if an earlier request with its key has begun it. */
async function findRepeated(
  { repeated, watchers }: AgentsDependencies,
  { userId, key, restarts }: ConverseRequest,
  turn: ReadTurn,
  signal: AbortSignal,
): Promise<FollowedTurn | undefined> {
  const found = key === undefined ? undefined : await repeated.find({ userId, key, hash: turn.key }, signal)
  if (!found) return undefined
  const { chatId, runId } = found
  const stopShowing = restarts === 'never' ? watchers.forbidRetractions(chatId) : () => undefined
  return { place: { chatId, key: turn.key, instructions: turn.lastInstructions }, runId, before: nothing, stopShowing }
}

/** Stores the turn in the chat of its conversation, which begins a run or continues one. */
async function beginTurn(
  dependencies: AgentsDependencies,
  { agent, request, turn }: { readonly agent: Agent; readonly request: ConverseRequest; readonly turn: ReadTurn },
  signal: AbortSignal,
): Promise<FollowedTurn> {
  const { conversations, watchers } = dependencies
  const place = await conversations.open(agent, turn, signal)
  const stopShowing = request.restarts === 'never' ? watchers.forbidRetractions(place.chatId) : () => undefined
  try {
    return { ...(await begin(dependencies, request, place).finally(place.release)), stopShowing }
  } catch (error) {
    void stopShowing()
    throw error
  }
}

async function agentNamed(dependencies: AgentsDependencies, userId: string, handle: string): Promise<Agent> {
  await ensureAgents(dependencies, userId)
  const agent = await dependencies.database.collection(agentCollection).find('by_handle', [userId, handle])
  if (!agent?.enabled) throw agentUnknownError.create({ handle })
  return agent
}

/** Stores the message. If that fails, a chat that was created for it is deleted. */
async function begin(
  dependencies: AgentsDependencies,
  { userId, key }: ConverseRequest,
  place: TurnDestination,
): Promise<Pick<BegunTurn, 'place' | 'runId' | 'before'>> {
  const { chatId, content, replaces } = place
  try {
    const before = await earlierAnswer(dependencies, place)
    const { run, repeated } = await dependencies.runs.begin({
      ...{ userId, key: runKeyOf(key ?? uuidv7()), chat: { id: chatId }, message: content, ifBusy: 'join' },
      ...(key === undefined ? {} : { keyed: { hash: place.key, lifeMs: turnKeyLifeMs } }),
      ...(replaces === undefined ? {} : { replaces }),
    })
    if (repeated) {
      // The same turn was begun at the same time, in another chat.
      await discardUnused(dependencies, userId, place)
      return { place: { ...place, chatId: run.chat_id }, runId: run.id, before: nothing }
    }
    return { place, runId: run.id, before: run.id === before?.runId ? before : nothing }
  } catch (error) {
    await discardUnused(dependencies, userId, place)
    throw error
  }
}

/** Deletes a chat that was created for a turn and has no message of it. */
async function discardUnused(
  { database, events, clock, chatParts: parts, manager }: AgentsDependencies,
  userId: string,
  { chatId, fresh }: TurnDestination,
): Promise<void> {
  if (fresh) await eraseChat({ database, events, clock, parts, runs: manager }, { chatId, userId, signal: signalWithin(deleteTimeoutMs) })
}

const nothing: BegunTurn['before'] = { text: '', reasoning: '', cursor: undefined }

/** The answer so far of the run that waits in the chat, if there is one. */
async function earlierAnswer(
  { database, log }: AgentsDependencies,
  { chatId, fresh }: TurnDestination,
): Promise<(BegunTurn['before'] & { readonly runId: string }) | undefined> {
  const runId = fresh ? null : ((await database.collection(chatCollection).get(chatId))?.active_run_id ?? null)
  return runId === null ? undefined : { runId, ...(await readStoredAnswer({ database, log }, runId)) }
}

const summaryOf = ({ id, handle, name, description, created_at }: Agent): AgentSummary => ({
  id,
  handle,
  name,
  description,
  createdAt: created_at,
})
