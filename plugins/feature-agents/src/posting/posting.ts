import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { v7 as uuidv7 } from 'uuid'
import { idempotencyKeyReusedError, inboxFullError, noAgentError, notReplaceableError, runInProgressError } from '../common/errors.js'
import { ownUndeleted } from '../common/own-document.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import type { ModelTurn } from '../runs/turns/model-turn.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { ownerAt } from '../store/chats/branch.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import { type Chat, chatCollection, presentChat, titleFrom } from '../store/chats/chat.js'
import { forkChat } from '../store/chats/fork-chat.js'
import { type Attachment, listedMessage, type Message, messageCollection } from '../store/chats/message.js'
import { type Approval, approvalCollection, presentApproval } from '../store/runs/approval.js'
import type { FreshRun } from '../store/runs/fresh-run.js'
import { newRun, type Run, type RunParent, runCollection } from '../store/runs/run.js'
import { insertMessage } from '../store/runs/write-message.js'
import type { AttachedFile } from './attachments.js'

/** The most messages that may wait for one run. */
const maximumInbox = 20

/** How long an `Idempotency-Key` is known, in milliseconds. */
const keyLifeMs = 24 * 3_600_000

/** A message to store. */
export interface NewPost {
  readonly userId: string
  readonly chatId: string
  readonly content: readonly ContentPart[]
  /** Files that stand before `content`. They are read once it is known that the message is a new one. */
  readonly files?: { readonly paths: readonly string[]; read(): Promise<readonly AttachedFile[]> }
  /** A message of a person in the branch that is shown: the chat goes on from where that one stands, in a branch of its own. */
  readonly replaces?: string
  readonly parent?: RunParent
  /** The request's `Idempotency-Key`: the same one within a day gives the message that it stored. */
  readonly idempotencyKey?: string
}

/** Stores what people write, each message in one transaction with what it sets going. */
export interface Posting {
  /**
   * Stores a message. It begins a run, or goes to the one that goes on. @throws `not_found`, `run_in_progress` (for one that replaces another),
   * `no_agent`, `too_many_runs`, `run_inbox_full`, `message_not_replaceable`, and what reading its files throws.
   */
  post(input: NewPost): Promise<{ readonly message: Message; readonly run: Run }>
  /** Answers the newest message of a person, or the one before this answer, anew in a branch of its own. @throws as {@link post}. */
  regenerate(input: { readonly userId: string; readonly chatId: string; readonly messageId?: string }): Promise<{ readonly run: Run }>
}

export function createPosting(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly accounts: Accounts
  readonly runs: RunManager
  readonly modelTurn: Pick<ModelTurn, 'open'>
  /** This process among the drivers. */
  readonly driverId: string
}): Posting {
  const { database, events, clock, accounts, runs, modelTurn, driverId } = dependencies
  const chats = database.collection(chatCollection)

  const ownedChat = async (transaction: Transaction, chatId: string, userId: string): Promise<Chat> =>
    ownUndeleted('chat', await transaction.get(chatCollection, chatId), userId)

  const agentOf = async (transaction: Transaction, chat: Chat): Promise<Agent> => {
    const agent = await transaction.get(agentCollection, chat.agent_id)
    if (!agent?.enabled) throw noAgentError.create({})
    return agent
  }

  const record = (
    transaction: Transaction,
    { user_id, id }: Chat,
    name: 'message.created' | 'chat.updated' | 'approval.resolved',
    runId: string,
    data: Parameters<Events['record']>[1]['data'],
  ): void => events.record(transaction, { userId: user_id, name, data: { chat_id: id, run_id: runId, ...data } })

  /** What an earlier request with this key has stored, where its answer was lost with the process. */
  const repeated = async (
    transaction: Transaction,
    clientKey: string | undefined,
    { content, files }: Pick<NewPost, 'content' | 'files'>,
  ): Promise<{ readonly message: Message; readonly run: Run } | undefined> => {
    const message = clientKey === undefined ? undefined : await transaction.find(messageCollection, 'by_client_key', [clientKey])
    if (!message) return undefined
    const run = await transaction.get(runCollection, message.run_id)
    if (!run || Date.parse(message.created_at) + keyLifeMs < clock.now()) {
      const { client_key: _, ...rest } = message
      transaction.put(messageCollection, rest)
      return undefined
    }
    if (!isSame(message, content, files?.paths ?? [])) throw idempotencyKeyReusedError.create({})
    return { message, run }
  }

  /** Begins a run at the end of the chat's branch. `content`: with a person's message before it. */
  const begin = async (
    transaction: Transaction,
    chat: Chat,
    input: {
      readonly content?: readonly ContentPart[]
      readonly attachments: readonly Attachment[]
      readonly timezone: string
      readonly parent?: RunParent
      readonly clientKey?: string
      readonly now: string
    },
  ): Promise<{ readonly message?: Message; readonly fresh: FreshRun }> => {
    const { content, attachments, timezone, parent, clientKey, now } = input
    const agent = await agentOf(transaction, chat)
    const run = newRun({ chat, agent, driver: driverId, parent: parent ?? null }, now)
    transaction.insert(runCollection, run)
    let message: Message | undefined
    let changed: Chat = { ...chat, active_run_id: run.id, listing: listingOf(chat), updated_at: now }
    transaction.put(chatCollection, changed)
    if (content) {
      const title = chat.title ?? titleFrom(wordsOf(content, attachments))
      const added = await insertMessage(transaction, {
        id: uuidv7(),
        run,
        role: 'user',
        status: 'complete',
        content,
        attachments,
        now,
        ...(clientKey === undefined ? {} : { clientKey }),
        chat: { title },
      })
      message = added.message
      changed = added.chat
      record(transaction, chat, 'message.created', run.id, { message: listedMessage(message) })
    }
    record(transaction, chat, 'chat.updated', run.id, { chat: presentChat(changed) })
    const fresh = runs.hasRoom(chat.user_id)
      ? await modelTurn.open(transaction, run, { agent, chat: changed, timezone, ...(message ? { latest: message } : {}) })
      : { run }
    return message ? { message, fresh } : { fresh }
  }

  /** Gives a message to the run that goes on. Questions that it asked are withdrawn: the message is the answer. */
  const steer = async (
    transaction: Transaction,
    chat: Chat,
    run: Run,
    input: {
      readonly content: readonly ContentPart[]
      readonly attachments: readonly Attachment[]
      readonly clientKey?: string
      readonly now: string
    },
  ): Promise<{ readonly message: Message; readonly run: Run }> => {
    const { now } = input
    if (run.inbox.length >= maximumInbox) throw inboxFullError.create({ limit: maximumInbox })
    const { message, chat: changed } = await insertMessage(transaction, {
      id: uuidv7(),
      run,
      role: 'user',
      status: 'complete',
      ...input,
      chat: { listing: listingOf(chat) },
    })
    const steered: Run = { ...run, inbox: [...run.inbox, message.id] }
    transaction.put(runCollection, steered)
    record(transaction, chat, 'message.created', run.id, { message: listedMessage(message) })
    record(transaction, chat, 'chat.updated', run.id, { chat: presentChat(changed) })
    for (const id of run.asking) {
      const approval = await transaction.get(approvalCollection, id)
      if (approval?.status !== 'pending') continue
      const withdrawn: Approval = { ...approval, status: 'withdrawn', resolved_at: now, resolved_by: chat.user_id }
      transaction.put(approvalCollection, withdrawn)
      record(transaction, chat, 'approval.resolved', run.id, { approval: presentApproval(withdrawn) })
    }
    return { message, run: steered }
  }

  const timezoneOf = async (userId: string): Promise<string> => (await accounts.get(userId))?.timezone ?? 'UTC'
  const nowText = (): string => new Date(clock.now()).toISOString()

  return {
    async post(input) {
      const { userId, chatId, files, replaces, parent, idempotencyKey } = input
      const key = idempotencyKey === undefined ? {} : { clientKey: `${userId}/${idempotencyKey}` }
      const timezone = await timezoneOf(userId)
      if (files) {
        const stored = await database.transaction(async (transaction) => {
          await ownedChat(transaction, chatId, userId)
          return repeated(transaction, key.clientKey, input)
        })
        if (stored) return stored
      }
      const attached = files ? await files.read() : []
      const content = [...attached.map(({ part }) => part), ...input.content]
      const attachments = attached.map(({ attachment }) => attachment)
      const giveBack = runs.reserve(userId)
      try {
        const posted = await database.transaction(async (transaction) => {
          let chat = await ownedChat(transaction, chatId, userId)
          const now = nowText()
          const stored = await repeated(transaction, key.clientKey, input)
          if (stored) return { stored }
          if (chat.active_run_id !== null) {
            const run = await transaction.get(runCollection, chat.active_run_id)
            if (!run || run.cancel_requested_at !== null || replaces !== undefined)
              throw runInProgressError.create({ runId: chat.active_run_id })
            return { steered: await steer(transaction, chat, run, { content, attachments, now, ...key }) }
          }
          if (replaces !== undefined) {
            const replaced = await transaction.get(messageCollection, replaces)
            if (replaced?.chat_id !== chat.id) throw notFoundError.create({ what: 'message' })
            if (replaced.role !== 'user' || !isOn(chat, replaced)) throw notReplaceableError.create({})
            chat = await forkChat(transaction, chat, replaced.sequence, now)
          }
          return { begun: await begin(transaction, chat, { content, attachments, timezone, now, ...key, ...(parent ? { parent } : {}) }) }
        })
        if (posted.stored) return posted.stored
        if (posted.steered) {
          runs.wake(posted.steered.run)
          return posted.steered
        }
        const { message, fresh } = posted.begun
        if (!message) throw new Error('A run that a message begins has no message.')
        runs.begin(fresh)
        return { message, run: fresh.run }
      } finally {
        giveBack()
      }
    },

    async regenerate({ userId, chatId, messageId }) {
      const timezone = await timezoneOf(userId)
      const giveBack = runs.reserve(userId)
      try {
        const seen = ownUndeleted('chat', await chats.get(chatId), userId)
        const asked = await questionBefore(seen, messageId)
        const fresh = await database.transaction(async (transaction) => {
          const chat = await ownedChat(transaction, chatId, userId)
          if (chat.active_run_id !== null) throw runInProgressError.create({ runId: chat.active_run_id })
          if (!isOn(chat, asked)) throw notReplaceableError.create({})
          const now = nowText()
          return (await begin(transaction, await forkChat(transaction, chat, asked.sequence + 1, now), { attachments: [], timezone, now }))
            .fresh
        })
        runs.begin(fresh)
        return { run: fresh.run }
      } finally {
        giveBack()
      }
    },
  }

  /** The newest message of a person at or before this one, or of the whole branch. */
  async function questionBefore(chat: Chat, messageId: string | undefined): Promise<Message> {
    let before: number | undefined
    if (messageId !== undefined) {
      const named = await database.collection(messageCollection).get(messageId)
      if (named?.chat_id !== chat.id) throw notFoundError.create({ what: 'message' })
      if (!isOn(chat, named)) throw notReplaceableError.create({})
      before = named.sequence + 1
    }
    for await (const message of messagesAlong(database, chat.path, {
      order: 'descending',
      ...(before === undefined ? {} : { to: before }),
    })) {
      if (message.role === 'user') return message
    }
    throw notReplaceableError.create({})
  }
}

/** Whether a message is what a request posts. Files count by their names: what is in them may have changed since. */
function isSame({ content, attachments = [] }: Message, texts: readonly ContentPart[], paths: readonly string[]): boolean {
  const stored = [attachments.map(({ path }) => path), content.slice(attachments.length)]
  return JSON.stringify(stored) === JSON.stringify([paths, texts])
}

/** What a title is made from: the text, or what the files are called where there is none. */
function wordsOf(content: readonly ContentPart[], attachments: readonly Attachment[]): string {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  return text.trim() === '' ? attachments.map(({ name }) => name).join(', ') : text
}

/** Whether a message is on the branch that its chat shows. */
const isOn = (chat: Chat, message: Message): boolean =>
  message.sequence < chat.message_count && ownerAt(chat.path, message.sequence) === message.branch_id

/** Where a chat is listed once it has been written to: one that was archived comes back. */
const listingOf = ({ listing }: Chat): Chat['listing'] => (listing === 'archived' ? 'current' : listing)
