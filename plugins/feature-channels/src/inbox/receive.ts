import type { Logger } from '@agent-service/sdk'
import {
  type Channel,
  type ChannelMessage,
  type ChannelReceived,
  channelUnavailableError,
  checkChannelMessage,
} from '@agent-service/sdk/contracts/channel'
import { v7 as uuidv7 } from 'uuid'
import { idOf } from '../common/ids.js'
import { maxFiles, maxHeldLength, maxHeldMessages, maxMessageLength, maxReceived, maxStateBytes } from '../common/limits.js'
import { textOf } from '../common/time.js'
import { wellFormed } from '../common/well-formed.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { askToPair } from '../senders/ask-to-pair.js'
import { readPendingPlaces } from '../senders/make-place.js'
import type { HostFactory } from '../sessions/run-session.js'
import { oneLine } from '../sessions/shown-error.js'
import { type Connection, connectionCollection, stateCollection } from '../store/connection.js'
import { type InboxFile, type InboxMessage, inboxCollection, lineOf } from '../store/inbox.js'
import { type Sender, senderCollection } from '../store/sender.js'
import { admissionOf } from './admission.js'
import { keepFiles } from './kept-files.js'
import { createRoom, type Room } from './room.js'

/** How many messages are stored in one step. */
const batchSize = 50

/** Takes what channels receive, for good. */
export function createHostFactory(
  parts: ChannelParts,
  /** Lines of a connection that have more now. */
  onReceived: (connectionId: string, lines: readonly string[]) => void,
): HostFactory {
  return (connection, channel, signal) => {
    const room = createRoom(parts, connection.id)
    return {
      async receive(received) {
        signal.throwIfAborted()
        await receive(parts, { connection, channel, room, onReceived }, received)
      },
      async state() {
        signal.throwIfAborted()
        return (await parts.database.collection(stateCollection).get(connection.id))?.state
      },
    }
  }
}

interface Receiving {
  readonly connection: Connection
  readonly channel: Channel
  readonly room: Room
  readonly onReceived: (connectionId: string, lines: readonly string[]) => void
}

/**
 * Stores messages in steps; the state of the channel is stored with the last of them, so that a crash
 * in between brings all of them again, and none is lost or taken twice.
 */
async function receive(parts: ChannelParts, receiving: Receiving, { messages, state }: ChannelReceived): Promise<void> {
  const { connection, channel, room } = receiving
  const { database, log } = parts
  if (state !== undefined && Buffer.byteLength(JSON.stringify(state)) > maxStateBytes)
    throw new TypeError(`The state of a channel must have at most ${maxStateBytes} bytes of JSON.`)
  if (messages.length > maxReceived) throw new TypeError(`A channel may hand on at most ${maxReceived} messages at a time.`)
  const taken = messages.filter((message) => isSound(parts, receiving, message))
  // What has no room stays with the vendor, which delivers it again.
  if (taken.length > 0 && !(await room.take(taken.length)))
    throw channelUnavailableError.create({ channel: channel.title, reason: 'too many messages wait for their turn here' })
  const lines = new Set<string>()
  for (let from = 0; from === 0 || from < taken.length; from += batchSize) {
    const batch = taken.slice(from, from + batchSize)
    const isLast = from + batchSize >= taken.length
    // As it is now, with the account that it has become.
    const at = (await database.collection(connectionCollection).get(connection.id)) ?? connection
    const kept = await filesOf(parts, at, batch)
    const pendingPlaces = await readPendingPlaces(database, connection.id)
    const outcomes = await database.transaction(async (transaction) => {
      const current = await transaction.get(connectionCollection, connection.id)
      if (!current?.enabled) throw channelUnavailableError.create({ channel: channel.title, reason: 'the connection was closed' })
      const outcomes: { readonly outcome: string; readonly line?: string }[] = []
      const places = pendingPlaces()
      for (const message of batch) {
        const id = inboxIdOf(current, message)
        if (await transaction.get(inboxCollection, id)) {
          outcomes.push({ outcome: 'repeated' })
          continue
        }
        const senderId = idOf(connection.id, message.sender.id)
        const sender = await transaction.get(senderCollection, senderId)
        const admission = admissionOf(current, sender, message, parts.clock.now())
        if (admission === 'pair' && sender === undefined && !(await places.take(transaction, parts.clock.now()))) {
          outcomes.push({ outcome: 'too_many_pairings' })
          continue
        }
        if (admission !== 'accept' && admission !== 'pair' && admission !== 'hold') {
          outcomes.push({ outcome: admission })
          continue
        }
        const stored = inboxMessageOf(current, message, { id, sender, files: kept.get(id) ?? [], now: parts.clock.now() })
        if (admission === 'accept') {
          transaction.insert(inboxCollection, stored)
          outcomes.push({ outcome: 'taken', ...(stored.line !== null && { line: stored.line }) })
          continue
        }
        const known =
          admission === 'pair'
            ? await askToPair(parts, transaction, {
                ...{ connection: current, id: senderId, before: sender, conversationId: message.conversation.id },
                sender: { id: message.sender.id, name: oneLine(message.sender.name ?? '', 200) },
              })
            : sender
        if (!known || known.held >= maxHeldMessages) {
          outcomes.push({ outcome: 'held_too_many' })
          continue
        }
        transaction.put(senderCollection, { ...known, held: known.held + 1 })
        transaction.insert(inboxCollection, {
          ...stored,
          text: cut(message.text, maxHeldLength),
          line: null,
          held_for: senderId,
          files: [],
        })
        outcomes.push({ outcome: 'held' })
      }
      if (isLast && state !== undefined)
        transaction.put(stateCollection, { id: connection.id, user_id: connection.user_id, state: JSON.parse(JSON.stringify(state)) })
      return outcomes
    })
    for (const { outcome, line } of outcomes) {
      parts.metrics.received(connection.channel, outcome)
      if (line !== undefined) lines.add(line)
    }
  }
  if (taken.length > 0) log.debug('Messages of a channel were stored.', { connection: connection.id, messages: taken.length })
  receiving.onReceived(connection.id, [...lines])
}

/** A message that breaks the contract is a fault of the plugin, and blocks nothing behind it. */
function isSound(
  { log, metrics }: { readonly log: Logger; readonly metrics: ChannelParts['metrics'] },
  { connection, channel }: Receiving,
  message: ChannelMessage,
): boolean {
  const problems = checkChannelMessage(message, channel.supports)
  if (problems.length === 0) return true
  metrics.received(connection.channel, 'invalid')
  log.warn('A channel handed on a message that breaks its contract; it was passed over.', {
    ...{ connection: connection.id, channel: connection.channel, problems: problems.slice(0, 5) },
  })
  return false
}

/** The files that vendors send with the messages of people who were let in; others' are not kept. */
async function filesOf(
  parts: ChannelParts,
  connection: Connection,
  messages: readonly ChannelMessage[],
): Promise<ReadonlyMap<string, readonly InboxFile[]>> {
  const kept = new Map<string, readonly InboxFile[]>()
  for (const message of messages) {
    if (!message.attachments?.length) continue
    const id = inboxIdOf(connection, message)
    if (await parts.database.collection(inboxCollection).get(id)) continue
    const sender = await parts.database.collection(senderCollection).get(idOf(connection.id, message.sender.id))
    if (admissionOf(connection, sender, message, parts.clock.now()) !== 'accept') continue
    const userId = accountOf(connection, sender)
    if (userId !== null)
      kept.set(id, await keepFiles(parts, { id, connection, userId, attachments: message.attachments.slice(0, maxFiles) }))
  }
  return kept
}

/** Accounts of a vendor may number their messages alike. */
const inboxIdOf = ({ id, account }: Pick<Connection, 'id' | 'account'>, message: Pick<ChannelMessage, 'id'>): string =>
  idOf(id, account?.id ?? '', message.id)

/** The account in whose name a sender writes. */
export const accountOf = (connection: Pick<Connection, 'user_id'>, sender: Pick<Sender, 'user_id'> | undefined): string | null =>
  connection.user_id ?? sender?.user_id ?? null

function inboxMessageOf(
  connection: Connection,
  message: ChannelMessage,
  {
    id,
    sender,
    files,
    now,
  }: { readonly id: string; readonly sender: Sender | undefined; readonly files: readonly InboxFile[]; readonly now: number },
): InboxMessage {
  const { conversation } = message
  return {
    ...{ id, connection_id: connection.id, user_id: accountOf(connection, sender), line: lineOf(connection.id, idOf(conversation.id)) },
    ...{ held_for: null, order: uuidv7(), vendor_id: message.id },
    conversation: {
      id: conversation.id,
      kind: conversation.kind,
      title: conversation.title === undefined ? null : oneLine(conversation.title, 200),
    },
    sender: { id: message.sender.id, name: oneLine(message.sender.name ?? '', 200), bot: message.sender.bot },
    ...{ text: cut(message.text), button: message.button ?? null, reply_to: message.replyTo ?? null },
    ...{
      mentioned: message.mentioned,
      files,
      attempts: 0,
      not_before: 0,
      run: null,
      answer: null,
      outcome: null,
      received_at: textOf(now),
      settled_at: null,
    },
  }
}

const cut = (text: string, max = maxMessageLength): string =>
  text.length <= max ? wellFormed(text) : `${wellFormed(text.slice(0, max))}\n[The message was longer and was cut here.]`
