import type { Logger } from '@agent-service/sdk'
import { createLimiter, type Limiter, signalWithin } from '@agent-service/sdk/async'
import {
  type ChannelDelivery,
  type ChannelReceipt,
  type ChannelSession,
  channelErrorKindOf,
  channelRejectedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'
import type { Clock } from '@agent-service/sdk/services/clock'
import { mailServer } from './connection/failures.js'
import type { EmailSettings } from './connection/settings.js'
import { downloadFile } from './imap/download.js'
import type { Memory } from './imap/memory.js'
import type { OpenMailbox } from './imap/open-mailbox.js'
import { type ReceivingLimits, receiveMails } from './imap/receiving.js'
import { bareIdOf, messageIdOf, partsOf } from './incoming/threads.js'
import { composeMail } from './outgoing/compose.js'
import { type SmtpServer, sendMail } from './outgoing/smtp.js'

/** Time limits, in milliseconds. Read for each wait. */
export interface EmailLimits extends ReceivingLimits {
  /** The longest for handing one mail over. */
  readonly sendMs: number
}

/** What a session is made of. */
export interface SessionParts {
  /** Of the connection. */
  readonly id: string
  readonly settings: EmailSettings
  readonly mailbox: OpenMailbox
  readonly memory: Memory
  readonly smtp: SmtpServer
  readonly clock: Pick<Clock, 'now' | 'wait'>
  readonly limits: EmailLimits
  readonly log: Pick<Logger, 'debug' | 'warn'>
  /** Of the session: whatever waits ends with its reason. */
  readonly life: AbortSignal
  /** Signs in once more. @throws `channel_unauthorized` when the credentials have ended. */
  signInAgain(signal: AbortSignal): Promise<void>
}

/** Mail servers allow a few connections of one account. */
const maxConnections = 3
const maxWaiting = 1_000
const againMs = 10_000

type Options = { readonly signal: AbortSignal }

/** A session. Its end fails what is called afterwards. */
export function createSession(parts: SessionParts): ChannelSession {
  const { settings, mailbox, life } = parts
  const places = createLimiter({ maxConcurrent: maxConnections, maxWaiting })
  let end: Error | undefined
  const within = (signal: AbortSignal): AbortSignal => {
    signal.throwIfAborted()
    life.throwIfAborted()
    if (end !== undefined) throw end
    return AbortSignal.any([signal, life])
  }
  return {
    account: { id: settings.address, name: settings.address },
    async run({ signal }: Options) {
      const until = AbortSignal.any([signal, life])
      try {
        await receiveMails(parts, until)
      } catch (error) {
        end = channelUnavailableError.create({ channel: mailServer, reason: 'the connection has ended' })
        until.throwIfAborted()
        const reason = await endOf(parts, error, until)
        if (channelErrorKindOf(reason) === 'auth') end = reason as Error
        throw reason
      } finally {
        mailbox.close()
      }
    },
    async send(delivery, { signal }) {
      const until = within(signal)
      const release = await placeIn(places, until)
      try {
        return await send(parts, delivery, until)
      } finally {
        release()
      }
    },
    async *download(attachment, { signal }) {
      yield* downloadFile(mailbox.client, attachment, within(signal))
    },
  }
}

async function placeIn(places: Limiter, signal: AbortSignal): Promise<() => void> {
  try {
    return await places.acquire({ signal })
  } catch (cause) {
    signal.throwIfAborted()
    throw channelUnavailableError.create({ channel: mailServer, reason: 'too many mails wait to be sent' }, { cause })
  }
}

/** A connection that the server has ended may have lost its credentials, of which servers say nothing then. */
async function endOf({ mailbox, signInAgain }: SessionParts, error: unknown, signal: AbortSignal): Promise<unknown> {
  if (mailbox.client.usable || channelErrorKindOf(error) !== 'transient') return error
  try {
    await signInAgain(signalWithin(againMs, signal))
    return error
  } catch (failure) {
    signal.throwIfAborted()
    return channelErrorKindOf(failure) === 'auth' ? failure : error
  }
}

async function send(parts: SessionParts, delivery: ChannelDelivery, signal: AbortSignal): Promise<ChannelReceipt> {
  const { id, settings, memory, smtp, clock, limits, log } = parts
  const { address, name } = settings
  const to = partsOf(delivery.conversationId)
  if (to === undefined) throw channelRejectedError.create({ channel: mailServer, reason: 'there is no such conversation' })
  const messageId = messageIdOf({ connection: id, id: delivery.id, thread: to.thread, address })
  if (memory.wasSent(delivery.id)) return { id: messageId }
  const thread = memory.thread(delivery.conversationId)
  const inReplyTo = delivery.replyTo === undefined ? undefined : bareIdOf(delivery.replyTo)
  const from = { address, name }
  const broken = new AbortController()
  const mail = await composeMail({
    ...{ messageId, from, to: to.address, thread, inReplyTo, delivery, at: new Date(clock.now()) },
    onUnreadable: (cause) => broken.abort(cause),
  })
  try {
    const until = AbortSignal.any([signal, broken.signal])
    const options = { signal: until, answerMs: limits.answerMs, limitMs: limits.sendMs, wasAccepted: true }
    await sendMail(smtp, { ...mail.envelope, content: mail.content }, options)
  } catch (error) {
    signal.throwIfAborted()
    // The end of a mail is not sent when a part of it is missing, and the server takes none without.
    if (broken.signal.aborted)
      throw channelRejectedError.create({ channel: mailServer, reason: 'a file cannot be read' }, { cause: broken.signal.reason })
    throw error
  }
  const sent = { subject: thread?.subject ?? '', ...(thread?.root !== undefined && { root: thread.root }), last: messageId }
  try {
    await memory.sent(delivery.id, delivery.conversationId, sent)
  } catch (error) {
    // It was sent. Should it be asked for again, the second mail has the same Message-ID.
    log.warn('It could not be stored that a mail was sent.', { error })
  }
  return { id: messageId }
}
