import { createHash } from 'node:crypto'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { agentUnknownError } from '@agent-service/sdk/services/agents'
import type { Database } from '@agent-service/sdk/services/database'
import { type Inference, modelGroupUnknownError } from '@agent-service/sdk/services/inference'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import {
  runForbiddenError,
  runKeyReusedError,
  runRequestInvalidError,
  runTooDeepError,
  type StartRunRequest,
  userUnknownError,
} from '@agent-service/sdk/services/runs'
import { v7 as uuidv7 } from 'uuid'
import type { AgentChoice } from '../agents/agent-choice.js'
import type { SharedAgents } from '../agents/shared-agents.js'
import { noAgentError } from '../common/errors.js'
import { ownDocument, ownUndeleted } from '../common/own-document.js'
import { wellFormed } from '../common/well-formed.js'
import type { ForeignSchemas } from '../foreign-schemas/foreign-schemas.js'
import { hasTool } from '../points/sources/named-tools.js'
import type { GivenFiles } from '../posting/given-files.js'
import type { NewPost, Posted, PostingDependencies, PostKey } from '../posting/post.js'
import type { Posting } from '../posting/posting.js'
import { agentEntity } from '../runs/approvals/tool-policies.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { type Callers, hasCallers, joinCallers } from '../store/chats/callers.js'
import { type Chat, chatCollection, newChat, titleFrom } from '../store/chats/chat.js'
import { bothOf, type Guests, isWithin } from '../store/chats/guests.js'
import type { MessageSender } from '../store/chats/message.js'
import { isFinished, type Run, type RunParent, runCollection } from '../store/runs/run.js'
import { checkResultSchema, checkStart } from './check-start.js'

/** The greatest depth of runs that start each other. */
export const maxDepth = 3

/** The dependencies for starting a run. */
export interface StartDependencies extends Pick<PostingDependencies, 'database' | 'clock' | 'accounts'> {
  readonly inference: Pick<Inference, 'groups'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly agentChoice: AgentChoice
  readonly sharedAgents: Pick<SharedAgents, 'ensure'>
  readonly posting: Posting
  readonly foreignSchemas: ForeignSchemas
  readonly files: Pick<GivenFiles, 'most'>
}

/** A start request with the options of this plugin alone. */
export interface InternalStart extends StartRunRequest {
  /** A message of a person in the chat's branch: the run answers in a new branch beside it. */
  readonly replaces?: string
  /** What the key means: requests are the same if their hashes are, for this long in milliseconds. */
  readonly keyed?: { readonly hash: string; readonly lifeMs: number }
}

/**
 * Starts a run, or returns the one that the same request has started before. Checks everything
 * first. @throws as `Runs.start` says.
 */
export async function startRun(dependencies: StartDependencies, request: InternalStart, signal?: AbortSignal): Promise<Posted> {
  const { database, clock, accounts, posting } = dependencies
  const { userId } = request
  signal?.throwIfAborted()
  const { content, terms, used } = checkStart(request)
  const paths = (request.attachments ?? []).map(({ path }) => path)
  const account = await accounts.get(userId)
  if (!account) throw userUnknownError.create({ userId })
  const key = keyOf(request)
  const known = await posting.repeated({ key, content })
  if (known) return known
  await checkResultSchema(dependencies.foreignSchemas, request, signal)

  const { agent, chat } = await placeOf(dependencies, request)
  checkAgainst(agent, request, dependencies.inference)
  const above = request.parent ? await inheritedFrom(database, request.parent, userId) : { ...fromUser, depth: request.depth ?? 0 }
  if (above.depth > maxDepth) throw runTooDeepError.create({ depth: above.depth, max: maxDepth })
  if (chat) checkChat(chat, above)
  const asked = request.chat && 'callers' in request.chat ? (request.chat.callers ?? []) : []
  const callers = joinCallers(above.callers, asked)
  // What an agent asks of itself is no delegation.
  const asking = callers.filter((id) => id !== agent.id)
  await requireDelegation(dependencies, { callers: asking, agent, depth: above.depth }, signal)
  const sentBy = await senderOf(database, asked.at(-1) ?? above.agentId)
  signal?.throwIfAborted()
  const now = new Date(clock.now()).toISOString()
  const place: Pick<NewPost, 'chat' | 'agentId'> =
    chat === undefined
      ? { chat: { create: chatOf(request, { agent, content, ...above, callers, now }) } }
      : { chat: { id: chat.id }, agentId: agent.id }
  const posted = await posting.post({
    userId,
    ...place,
    content,
    ...(paths.length > 0 && { files: dependencies.files.most({ owner: { userId, handle: account.handle }, paths, used, signal }) }),
    ...(sentBy && { sentBy }),
    key,
    ifBusy: request.ifBusy ?? 'refuse',
    ...(request.replaces === undefined ? {} : { replaces: request.replaces }),
    asked: {
      parent: above.parent,
      depth: above.depth,
      terms,
      answer_for: request.answerFor ?? 'chat',
      reports_to: request.reportsTo ? { kind: request.reportsTo.kind, id: request.reportsTo.id } : null,
      ...(request.modelGroup === undefined ? {} : { model_group: request.modelGroup }),
    },
  })
  // A joined run may have changed since.
  return posted.repeated ? { ...posted, run: (await database.collection(runCollection).get(posted.run.id)) ?? posted.run } : posted
}

/** The stored key of a service's request. */
export const clientKeyOf = (userId: string, key: string): string => `run:${userId}/${key}`

/**
 * The key of a service's request never equals that of an HTTP request, which begins with the user's
 * id.
 */
function keyOf({ userId, key, keyed, ...asked }: InternalStart): PostKey {
  return {
    clientKey: clientKeyOf(userId, key),
    hash:
      keyed?.hash ??
      createHash('sha256')
        .update(JSON.stringify(sorted(asked)))
        .digest('hex'),
    ...(keyed && { lifeMs: keyed.lifeMs }),
    reused: () => runKeyReusedError.create({ key }),
  }
}

/** The same value with sorted members, so that their order in the request makes no difference. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, sorted(member)]))
}

/** The agent that answers, and the chat if it exists already. */
async function placeOf(
  dependencies: StartDependencies,
  { userId, agent: wanted, chat: place }: StartRunRequest,
): Promise<{ readonly agent: Agent; readonly chat?: Chat }> {
  const { database, sharedAgents, agentChoice } = dependencies
  const agents = database.collection(agentCollection)
  const chat = place && 'id' in place ? ownUndeleted('chat', await database.collection(chatCollection).get(place.id), userId) : undefined
  const at = chat ? { chat } : {}
  if (wanted === undefined && chat) {
    const agent = await agents.get(chat.agent_id)
    if (!agent?.enabled) throw noAgentError.create({})
    return { agent, ...at }
  }
  if (wanted === undefined) return { agent: await agentChoice.byId(userId, undefined) }
  if ('id' in wanted) {
    const agent = await agents.get(wanted.id)
    if (agent?.user_id !== userId || !agent.enabled) throw agentUnknownError.create({ handle: wanted.id })
    return { agent, ...at }
  }
  await sharedAgents.ensure(userId)
  const agent = await agents.find('by_handle', [userId, wanted.handle])
  if (!agent?.enabled) throw agentUnknownError.create({ handle: wanted.handle })
  return { agent, ...at }
}

/** @throws `run_request_invalid` for tools that the agent does not have, `model_group_unknown`. */
function checkAgainst(agent: Agent, { tools = [], modelGroup }: StartRunRequest, inference: Pick<Inference, 'groups'>): void {
  const foreign = tools.filter((name) => !hasTool(agent, name))
  if (foreign.length > 0) {
    const message = `must be tools of the agent “${agent.handle}”; it does not have ${foreign.join(', ')}`
    throw runRequestInvalidError.create({ problems: [{ path: '/tools', message }] })
  }
  const known = inference.groups().map(({ name }) => name)
  if (modelGroup !== undefined && !known.includes(modelGroup)) throw modelGroupUnknownError.create({ group: modelGroup, known })
}

/** What a run has from the run above it. */
interface Inherited {
  readonly parent: RunParent | null
  /** How many runs and tasks are above it. */
  readonly depth: number
  /** The agent of the run above. */
  readonly agentId?: string
  readonly guests: Guests | null
  readonly callers: Callers
  readonly without_memory?: true
}

/** A run without one above it. */
const fromUser = { parent: null, guests: null, callers: [] } as const satisfies Partial<Inherited>

/** @throws `not_found`, `run_request_invalid`. */
async function inheritedFrom(
  database: Database,
  { runId, callId }: NonNullable<StartRunRequest['parent']>,
  userId: string,
): Promise<Inherited> {
  const above: Run = ownDocument('run', await database.collection(runCollection).get(runId), userId)
  if (isFinished(above) || above.cancel_requested_at !== null) {
    throw runRequestInvalidError.create({
      problems: [{ path: '/parent/runId', message: 'must be a run in progress; this one has ended' }],
    })
  }
  const depth = above.depth + 1
  if (!(await database.collection(agentCollection).get(above.agent_id))) throw notFoundError.create({ what: 'agent' })
  const callers = joinCallers(above.callers, [above.agent_id])
  return {
    parent: { run_id: runId, call_id: callId ?? null, depth },
    depth,
    agentId: above.agent_id,
    guests: above.guests,
    callers,
    ...(above.without_memory && { without_memory: true }),
  }
}

/**
 * Every agent for which the work is done must be permitted to delegate to the one that does it:
 * otherwise one that may not would let another one ask. It is asked for each run, also for those of
 * a task that was created before a policy. @throws `run_forbidden`, `run_request_invalid` for an
 * agent of another user.
 */
async function requireDelegation(
  { database, policies }: StartDependencies,
  { callers, agent, depth }: { readonly callers: Callers; readonly agent: Agent; readonly depth: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const id of callers) {
    const known = await database.collection(agentCollection).get(id)
    if (known && known.user_id !== agent.user_id) {
      const message = 'must be agents of the user'
      throw runRequestInvalidError.create({ problems: [{ path: '/chat/callers', message }] })
    }
    // Of a deleted one a policy can still name the id.
    const principal = agentEntity({ id, user_id: agent.user_id, handle: known?.handle ?? '' })
    const question = { principal, action: 'delegate', resource: agentEntity(agent), context: { depth } }
    const { allowed } = await policies.isAuthorized(question, signal ? { signal } : {})
    if (!allowed) throw runForbiddenError.create({ agent: agent.handle })
  }
}

/** The agent that asks, and so wrote the message; `undefined`: the user did. */
async function senderOf(database: Database, id: string | undefined): Promise<MessageSender | undefined> {
  if (id === undefined) return undefined
  const agent = await database.collection(agentCollection).get(id)
  return { agent_id: id, name: agent?.name ?? null }
}

/** A run in a chat that exists may do no more than the run above. @throws `run_request_invalid`. */
function checkChat(chat: Chat, { guests, callers }: Inherited): void {
  const message =
    guests !== null && !isWithin(chat.guests, guests)
      ? 'must be a chat whose guests may use no more than those of the run above'
      : hasCallers(chat.callers, callers)
        ? undefined
        : 'must be a chat of the agents for which the run above works: its other runs would have less closed to them'
  if (message !== undefined) throw runRequestInvalidError.create({ problems: [{ path: '/chat/id', message }] })
}

/** The new chat of the run. Its guests may use no more than those of the run above. */
function chatOf(
  { userId, chat = {} }: StartRunRequest,
  at: Pick<Inherited, 'guests' | 'callers' | 'without_memory'> & {
    readonly agent: Agent
    readonly content: NewPost['content']
    readonly now: string
  },
) {
  const { agent, content, callers, now } = at
  const { title, hidden = false, spaceId, guests } = 'id' in chat ? {} : chat
  const words = content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  return newChat(
    {
      id: uuidv7(),
      user_id: userId,
      agent_id: agent.id,
      title: title === undefined ? titleFrom(words) : wellFormed(title),
      titling: title === undefined && !hidden ? 'open' : 'closed',
      listing: hidden ? 'hidden' : 'current',
      space_id: spaceId ?? null,
      guests: bothOf(guests ? { tools: [...guests.tools] } : null, at.guests),
      callers,
      ...(at.without_memory && { without_memory: true }),
    },
    now,
  )
}
