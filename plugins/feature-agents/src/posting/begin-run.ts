import type { JsonObject } from '@agent-service/sdk'
import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { v7 as uuidv7 } from 'uuid'
import { inboxFullError, noAgentError, runInProgressError } from '../common/errors.js'
import { originOf } from '../runs/log/transition.js'
import { restrictAgent } from '../runs/session/restrict-agent.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { onBranch } from '../store/chats/branch.js'
import { type Chat, type Comparison, chatCollection, presentChat, titleFrom } from '../store/chats/chat.js'
import { addBranch } from '../store/chats/fork-chat.js'
import { type Attachment, listedMessage, type Message, type MessageSender } from '../store/chats/message.js'
import { type Approval, approvalCollection, presentApproval } from '../store/runs/approval.js'
import type { FreshRun } from '../store/runs/fresh-run.js'
import { newRun, type Run, runCollection } from '../store/runs/run.js'
import { insertMessage } from '../store/runs/write-message.js'
import { storeTags } from '../store/tags/store-tags.js'
import type { ChatChoice } from './chat-choice.js'
import type { PostingDependencies, PostKey, RunAsked } from './post.js'

/** The most messages that may wait for one run. */
const maxInbox = 20

/** A person's message as it is stored. */
export interface WrittenMessage {
  readonly content: readonly ContentPart[]
  /** The agent that wrote it in the person's place. */
  readonly sentBy?: MessageSender
  readonly attachments: readonly Attachment[]
  readonly key?: PostKey
  /** The other run that answers it. */
  readonly comparedRunId?: string
  /** What the person has chosen with it. The chat that is passed beside the message has it already. */
  readonly choice?: ChatChoice
}

/**
 * Begins a run at the end of the chat's branch, after the `message` if there is one. @throws
 * `no_agent`.
 */
export async function beginRun(
  { events, runs, modelTurn, driverId }: Pick<PostingDependencies, 'events' | 'runs' | 'modelTurn' | 'driverId'>,
  transaction: Transaction,
  chat: Chat,
  input: {
    readonly message?: WrittenMessage
    readonly asked?: RunAsked
    readonly model?: string
    readonly timezone: string
    readonly now: string
  },
): Promise<{ readonly message?: Message; readonly fresh: FreshRun }> {
  const { timezone, now, asked = {}, model = input.message?.choice?.model ?? undefined } = input
  const agent = await agentOf(transaction, chat)
  const run = newRun({ chat, agent, driver: driverId }, { ...asked, ...(model === undefined ? {} : { model_group: model }) }, now)
  transaction.insert(runCollection, run)
  let message: Message | undefined
  let changed: Chat = { ...withoutComparison(chat), active_run_id: run.id, listing: listingOf(chat), updated_at: now }
  transaction.put(chatCollection, changed)
  await storeTags(transaction, chat, changed)
  if (input.message) {
    const title = chat.title ?? titleFrom(wordsOf(input.message))
    const added = await insertMessage(transaction, { id: uuidv7(), run, ...storedForm(input.message), now, chat: { title } })
    message = added.message
    changed = added.chat
    record(events, transaction, run, 'message.created', { message: listedMessage(message) })
  }
  record(events, transaction, run, 'chat.updated', { chat: presentChat(changed) })
  const place = { agent: restrictAgent(agent, run), chat: changed, timezone, ...(message ? { latest: message } : {}) }
  const fresh = runs.hasRoom(chat.user_id) ? await modelTurn.open(transaction, run, place) : { run }
  return message ? { message, fresh } : { fresh }
}

/**
 * Begins the run that answers a message as well, in a branch of its own that the chat does not show. @throws
 * `no_agent`, `too_many_branches`.
 */
export async function beginBeside(
  { events, runs, modelTurn, driverId }: Pick<PostingDependencies, 'events' | 'runs' | 'modelTurn' | 'driverId'>,
  transaction: Transaction,
  input: {
    readonly message: Message
    readonly asked: RunAsked & Pick<Run, 'id' | 'model_group'>
    readonly timezone: string
    readonly now: string
  },
): Promise<FreshRun> {
  const { message, asked, timezone, now } = input
  const chat = await transaction.get(chatCollection, message.chat_id)
  if (!chat) throw new Error(`The chat ${message.chat_id} of the message ${message.id} does not exist.`)
  const agent = await agentOf(transaction, chat)
  const branch = await addBranch(transaction, chat, message.sequence + 1, now)
  const beside = onBranch(chat, branch)
  const run = newRun({ chat: beside, agent, driver: driverId }, asked, now)
  transaction.insert(runCollection, run)
  const answers: Comparison['answers'] = [
    { branch_id: chat.branch_id, run_id: message.run_id },
    { branch_id: branch.id, run_id: run.id },
  ]
  const changed: Chat = {
    ...chat,
    branch_count: chat.branch_count + 1,
    beside_run_id: run.id,
    comparison: { message_id: message.id, answers },
  }
  transaction.put(chatCollection, changed)
  // Before any event of the run, so that clients know that its branch is not the one that is shown.
  record(events, transaction, run, 'chat.updated', { chat: presentChat(changed) })
  if (!runs.hasRoom(chat.user_id)) return { run }
  return modelTurn.open(transaction, run, { agent: restrictAgent(agent, run), chat: beside, timezone, latest: message })
}

/**
 * Passes a message to the current run. Its open questions are withdrawn: the message is the answer.
 * `chat` has what the person has chosen with the message. @throws `run_inbox_full`,
 * `run_in_progress` for a message that another agent or model is to answer: a run keeps its own.
 */
export async function joinRun(
  { events }: Pick<PostingDependencies, 'events'>,
  transaction: Transaction,
  chat: Chat,
  run: Run,
  input: { readonly message: WrittenMessage; readonly now: string },
): Promise<{ readonly message: Message; readonly run: Run }> {
  const { now } = input
  if (run.inbox.length >= maxInbox) throw inboxFullError.create({ limit: maxInbox })
  if (!(await answersAs(transaction, run, input.message.choice))) throw runInProgressError.create({ runId: run.id })
  const continued = { listing: listingOf(chat), agent_id: chat.agent_id, model: chat.model, ...(chat.comparison && { comparison: null }) }
  const added = { id: uuidv7(), run, ...storedForm(input.message), now, chat: continued }
  const { message, chat: changed } = await insertMessage(transaction, added)
  await storeTags(transaction, chat, changed)
  const joined: Run = { ...run, inbox: [...run.inbox, message.id] }
  transaction.put(runCollection, joined)
  record(events, transaction, run, 'message.created', { message: listedMessage(message) })
  record(events, transaction, run, 'chat.updated', { chat: presentChat(changed) })
  for (const id of run.asking) {
    const approval = await transaction.get(approvalCollection, id)
    if (approval?.status !== 'pending') continue
    const withdrawn: Approval = { ...approval, status: 'withdrawn', resolved_at: now, resolved_by: chat.user_id }
    transaction.put(approvalCollection, withdrawn)
    record(events, transaction, run, 'approval.resolved', { approval: presentApproval(withdrawn) })
  }
  return { message, run: joined }
}

/** Whether a run has the agent and the model group that a person has chosen with a message. */
async function answersAs(transaction: Transaction, run: Run, { agentId, model }: ChatChoice = {}): Promise<boolean> {
  if (agentId !== undefined && agentId !== run.agent_id) return false
  if (model === undefined || model === run.model_group) return true
  return model === null && (await transaction.get(agentCollection, run.agent_id))?.model_group === run.model_group
}

const storedForm = ({ content, sentBy, attachments, key, choice, comparedRunId }: WrittenMessage) =>
  ({
    role: 'user',
    status: 'complete',
    content,
    attachments,
    ...(sentBy === undefined ? {} : { sentBy }),
    ...(typeof choice?.model === 'string' && { model: choice.model }),
    ...(comparedRunId === undefined ? {} : { comparedRunId }),
    ...(key === undefined ? {} : { clientKey: key.clientKey }),
    ...(key?.hash === undefined ? {} : { clientHash: key.hash }),
  }) as const

/** Whoever continues a branch has chosen its answer. */
const withoutComparison = (chat: Chat): Chat => (chat.comparison ? { ...chat, comparison: null } : chat)

async function agentOf(transaction: Transaction, chat: Chat): Promise<Agent> {
  const agent = await transaction.get(agentCollection, chat.agent_id)
  if (!agent?.enabled) throw noAgentError.create({})
  return agent
}

function record(
  events: Pick<Events, 'record'>,
  transaction: Transaction,
  run: Run,
  name: 'message.created' | 'chat.updated' | 'approval.resolved',
  data: JsonObject,
): void {
  events.record(transaction, { userId: run.user_id, name, data: { ...originOf(run), ...data } })
}

/** The text for a title: that of the message, or the names of its files if it has none. */
function wordsOf({ content, attachments }: WrittenMessage): string {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  return text.trim() === '' ? attachments.map(({ name }) => name).join(', ') : text
}

/** The list of a chat after a new message: an archived chat becomes current again. */
const listingOf = ({ listing }: Chat): Chat['listing'] => (listing === 'archived' ? 'current' : listing)
