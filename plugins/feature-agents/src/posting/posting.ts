import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Transaction } from '@agent-service/sdk/services/database'
import { requireOperation } from '@agent-service/sdk/services/policy'
import { runRequestInvalidError, userUnknownError } from '@agent-service/sdk/services/runs'
import { v7 as uuidv7 } from 'uuid'
import { notReplaceableError, runInProgressError } from '../common/errors.js'
import { ownUndeleted } from '../common/own-document.js'
import { restrictAgent } from '../runs/session/restrict-agent.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { type Chat, chatCollection } from '../store/chats/chat.js'
import { forkChat } from '../store/chats/fork-chat.js'
import { type MessageSender, messageCollection } from '../store/chats/message.js'
import { ownSpace } from '../store/chats/own-space.js'
import type { FreshRun } from '../store/runs/fresh-run.js'
import { type Run, type RunTerms, runCollection } from '../store/runs/run.js'
import { beginBeside, beginRun, joinRun, type WrittenMessage } from './begin-run.js'
import { type ChatChoice, changesChoice, withChoice } from './chat-choice.js'
import type { NewFiles, NewPost, Posted, PostingDependencies, RunAsked } from './post.js'
import { isOnBranch, type RegenerateInput, regenerateAnswer } from './regenerate-answer.js'
import { repeatedPost } from './repeated-post.js'

/**
 * Stores people's messages, each in one transaction with the run that it begins. Every way to a
 * message leads through here, so that a policy that forbids a user `createMessage` applies to all
 * of them, and one that forbids `createChat` whenever a listed chat begins with the message.
 */
export interface Posting {
  /**
   * Stores a message. It begins a run, or goes to the current one. @throws `user_not_found`,
   * `forbidden`, `not_found`, `run_in_progress`, `no_agent`, `too_many_runs`, `run_inbox_full`,
   * `message_not_replaceable`, and the errors of its key and of reading its files. Nothing is
   * written then.
   */
  post(input: NewPost): Promise<Posted>
  /**
   * The message that an earlier request with this key has stored. @throws the key's error for
   * another request.
   */
  repeated(input: Pick<NewPost, 'key' | 'content' | 'files' | 'choice' | 'compareWith'>): Promise<Posted | undefined>
  /** Answers a message of a person again, in a new branch. @throws as {@link post}. */
  regenerate(input: RegenerateInput): Promise<{ readonly run: Run }>
}

export function createPosting(dependencies: PostingDependencies): Posting {
  return {
    post: (input) => post(dependencies, input),
    repeated: (input) => repeated(dependencies, input),
    async regenerate(input) {
      await requireOperation(dependencies.policies, { userId: input.userId, operation: 'createMessage' })
      await requireChoice(dependencies, input)
      return { run: await regenerateAnswer(dependencies, input, await timezoneOf(dependencies, input.userId)) }
    },
  }
}

/** Most keys are new, which needs no transaction to find out. */
async function repeated(
  { database, clock }: PostingDependencies,
  input: Pick<NewPost, 'key' | 'content' | 'files' | 'choice' | 'compareWith'>,
): Promise<Posted | undefined> {
  const known = input.key && (await database.collection(messageCollection).find('by_client_key', [input.key.clientKey]))
  return known && database.transaction((transaction) => repeatedPost(transaction, input, clock.now()))
}

/** @throws `user_not_found`. */
async function timezoneOf({ accounts }: PostingDependencies, userId: string): Promise<string> {
  const account = await accounts.get(userId)
  if (!account) throw userUnknownError.create({ userId })
  return account.timezone
}

/** @throws `forbidden`. */
async function requirePermission(dependencies: PostingDependencies, { userId, chat, choice, compareWith }: NewPost): Promise<void> {
  const { policies } = dependencies
  await requireOperation(policies, { userId, operation: 'createMessage' })
  if ('create' in chat && chat.create.listing !== 'hidden') await requireOperation(policies, { userId, operation: 'createChat' })
  if ('id' in chat) await requireChoice(dependencies, { userId, chatId: chat.id, ...(choice && { choice }) })
  // Otherwise it would be a way to have a model answer that the person may not choose.
  if (compareWith) await requireOperation(policies, { userId, operation: 'updateChat' })
}

/** A message that changes the choice of its chat does what `updateChat` does. @throws `forbidden`. */
async function requireChoice(
  { database, policies }: PostingDependencies,
  { userId, chatId, choice }: { readonly userId: string; readonly chatId: string; readonly choice?: ChatChoice },
): Promise<void> {
  if (!choice) return
  const chat = await database.collection(chatCollection).get(chatId)
  if (chat?.user_id === userId && changesChoice(chat, choice)) await requireOperation(policies, { userId, operation: 'updateChat' })
}

async function post(dependencies: PostingDependencies, asked: NewPost): Promise<Posted> {
  const { database, clock, runs } = dependencies
  await requirePermission(dependencies, asked)
  const input = asked.compareWith ? { ...asked, asked: { ...asked.asked, terms: await readingTerms(dependencies, asked) } } : asked
  const { userId, files } = input
  const timezone = await timezoneOf(dependencies, userId)
  let read: Awaited<ReturnType<NewFiles['read']>> = { attached: [] }
  if (files) {
    const seen = await database.transaction(async (transaction) => {
      const chat = await chatOf(transaction, input)
      const known = await repeatedPost(transaction, input, clock.now())
      return known ? { known } : { answering: await answeringAgent(transaction, chat, input) }
    })
    if (seen.known) return seen.known
    // Before the message, so that it never names a file that is not there.
    read = await files.read(seen.answering)
  }
  const { attached, notes = [] } = read
  const message: WrittenMessage = {
    content: [...attached.map(({ part }) => part), ...notes, ...input.content],
    attachments: attached.map(({ attachment }) => attachment),
    ...(input.sentBy ? { sentBy: input.sentBy } : {}),
    ...(input.key ? { key: input.key } : {}),
    ...(input.choice && { choice: input.choice }),
  }
  const release = reserve(runs, userId, input.compareWith ? 2 : 1)
  try {
    const posted = await database.transaction((transaction) => store(dependencies, transaction, input, message, timezone))
    if ('fresh' in posted) {
      const { message: stored, fresh, beside } = posted
      runs.begin(fresh)
      if (beside) runs.begin(beside)
      return { message: stored, run: fresh.run, ...(beside && { beside: beside.run }), repeated: false }
    }
    if (!posted.repeated) runs.wake(posted.run)
    return posted
  } finally {
    release()
  }
}

/** Reserves room for several runs, or for none. @throws `too_many_runs`. */
function reserve(runs: PostingDependencies['runs'], userId: string, count: number): () => void {
  const release = runs.reserve(userId)
  if (count === 1) return release
  try {
    const others = reserve(runs, userId, count - 1)
    return () => {
      release()
      others()
    }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * The terms of both runs of a comparison: two runs at the same time must not change the same things, and the
 * changes of the answer that is not chosen would stay. Nor may they ask: one question would get two answers.
 */
async function readingTerms(
  { database, readingTools }: PostingDependencies,
  { userId, chat: wanted, choice, asked }: NewPost,
): Promise<RunTerms> {
  const chat = 'create' in wanted ? wanted.create : await database.collection(chatCollection).get(wanted.id)
  const agentId = choice?.agentId ?? chat?.agent_id
  const agent = agentId === undefined ? undefined : await database.collection(agentCollection).get(agentId)
  const reading = agent?.user_id === userId ? ((await readingTools?.(agent)) ?? []) : []
  const { tools = null, limits = {}, result = null } = asked?.terms ?? {}
  return { tools: tools === null ? reading : reading.filter((name) => tools.includes(name)), limits, result }
}

/** The agent that answers, with what the run may use; `undefined`: it does not exist, which storing the message says. */
async function answeringAgent(transaction: Transaction, chat: Chat, { choice, asked }: NewPost): Promise<Agent | undefined> {
  const agent = await transaction.get(agentCollection, choice?.agentId ?? chat.agent_id)
  if (agent?.user_id !== chat.user_id) return undefined
  return restrictAgent(agent, { terms: asked?.terms ?? null, guests: chat.guests, reports_to: asked?.reports_to ?? null })
}

/**
 * Writes the message with the run that it begins. `fresh`: a run that this process drives from now
 * on.
 */
async function store(
  dependencies: PostingDependencies,
  transaction: Transaction,
  input: NewPost,
  message: WrittenMessage,
  timezone: string,
): Promise<Posted | (Pick<Posted, 'message'> & { readonly fresh: FreshRun; readonly beside?: FreshRun })> {
  const { asked, ifBusy = 'join', replaces, choice = {}, compareWith } = input
  let chat = await chatOf(transaction, input)
  const now = new Date(dependencies.clock.now()).toISOString()
  const known = await repeatedPost(transaction, input, dependencies.clock.now())
  if (known) return known
  chat = await withChoice(transaction, chat, choice)
  const beside = chat.beside_run_id ?? null
  if (compareWith && beside !== null) throw runInProgressError.create({ runId: beside })
  if (chat.active_run_id !== null) {
    const run = await transaction.get(runCollection, chat.active_run_id)
    if (
      !run ||
      run.cancel_requested_at !== null ||
      replaces !== undefined ||
      compareWith ||
      ifBusy === 'refuse' ||
      !isSameReader(run, asked)
    )
      throw runInProgressError.create({ runId: chat.active_run_id })
    return { ...(await joinRun(dependencies, transaction, chat, run, { message, now })), repeated: false }
  }
  if (replaces !== undefined) chat = await forkBefore(transaction, chat, replaces, now)
  const comparedRunId = compareWith && uuidv7()
  const written = comparedRunId === undefined ? message : { ...message, comparedRunId }
  const first = await beginRun(dependencies, transaction, chat, { message: written, timezone, now, ...(asked ? { asked } : {}) })
  if (!first.message) throw new Error('The new run has no message.')
  if (input.sentBy) noteDelegation(dependencies, transaction, first.fresh.run, input.sentBy)
  if (!compareWith || comparedRunId === undefined) return { message: first.message, fresh: first.fresh }
  const other = { ...asked, id: comparedRunId, model_group: compareWith.model }
  return {
    message: first.message,
    fresh: first.fresh,
    beside: await beginBeside(dependencies, transaction, { message: first.message, asked: other, timezone, now }),
  }
}

/** Notes that an agent lets another one work; what it plans for itself is no more than it may do anyway. */
function noteDelegation(
  { audit }: PostingDependencies,
  transaction: Transaction,
  { id, user_id, agent_id, chat_id, parent, callers }: Run,
  { agent_id: caller }: MessageSender,
): void {
  if (caller === agent_id) return
  const details = { caller_agent_id: caller, callers: [...callers], run_id: id, chat_id, parent_run_id: parent?.run_id ?? null }
  audit.record(transaction, { kind: 'agent.delegated', actor: { userId: user_id }, subject: agent_id, details })
}

/** Whether a run answers to those to whom the answer of a message belongs. */
const isSameReader = (run: Pick<Run, 'answer_for' | 'reports_to'>, asked: NewPost['asked']): boolean =>
  readerOf(run) === readerOf(asked ?? {})

const readerOf = ({ answer_for: answerFor, reports_to: report }: Pick<RunAsked, 'answer_for' | 'reports_to'>): string | undefined =>
  answerFor === 'report' && report ? JSON.stringify([report.kind, report.id]) : undefined

/**
 * The chat of a post; a new one is not stored yet. @throws `not_found`, `run_request_invalid` if
 * the chat is with another agent.
 */
async function chatOf(transaction: Transaction, { chat: wanted, userId, agentId }: NewPost): Promise<Chat> {
  if ('create' in wanted) {
    await ownSpace(transaction, wanted.create.space_id, userId)
    return wanted.create
  }
  const chat = ownUndeleted('chat', await transaction.get(chatCollection, wanted.id), userId)
  if (agentId !== undefined && agentId !== chat.agent_id) {
    const message = 'must be the agent of the chat: a chat has one agent'
    throw runRequestInvalidError.create({ problems: [{ path: '/agent', message }] })
  }
  return chat
}

/** The chat on a new branch, from the place of a person's message on. */
async function forkBefore(transaction: Transaction, chat: Chat, messageId: string, now: string): Promise<Chat> {
  const replaced = await transaction.get(messageCollection, messageId)
  if (replaced?.chat_id !== chat.id) throw notFoundError.create({ what: 'message' })
  if (replaced.role !== 'user' || !isOnBranch(chat, replaced)) throw notReplaceableError.create({})
  return forkChat(transaction, chat, replaced.sequence, now)
}
