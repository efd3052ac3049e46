import { withTimeLimit } from '@agent-service/sdk/async'
import { type ChannelDelivery, type ChannelReceipt, channelOutcomeUnknownError } from '@agent-service/sdk/contracts/channel'
import { deliveryLifeMs, sendFileMs, sendMs } from '../common/limits.js'
import { textOf } from '../common/time.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { backoffMs, minBackoffMs, retryOf } from '../sessions/backoff.js'
import type { OpenSession } from '../sessions/open-session.js'
import { watchersOf } from '../sessions/save-state.js'
import { oneLine, type ShownError, shownError } from '../sessions/shown-error.js'
import { connectionCollection } from '../store/connection.js'
import { type Delivery, deliveryCollection } from '../store/delivery.js'
import { firstOf } from '../store/lines.js'
import { type AttachedFile, openAttached, removeCopy } from './kept-copies.js'

export interface SendDependencies {
  readonly parts: ChannelParts
  readonly session: (connectionId: string) => OpenSession | undefined
}

/**
 * Sends what waits in a line, in its order, one after the other. Only the process with the session of
 * the connection does so, so what is found `sending` was left by one that has ended. Returns when the
 * line has to be looked at again, in milliseconds; `undefined` while it is empty or not connected.
 */
export async function drainOutbox({ parts, session }: SendDependencies, line: string, signal: AbortSignal): Promise<number | undefined> {
  const { database, clock } = parts
  const connectionId = line.slice(0, line.indexOf('/'))
  for (;;) {
    signal.throwIfAborted()
    const open = session(connectionId)
    const delivery = open && (await firstOf(database, deliveryCollection, line))
    if (!delivery || open.signal.aborted) return undefined
    if (delivery.state === 'sending') {
      await save(
        parts,
        delivery,
        isRepeatable(open, delivery, clock.now()) ? { state: 'queued' } : { state: 'unknown', failure: interrupted },
      )
      continue
    }
    const waitMs = delivery.not_before - clock.now()
    if (waitMs > 0) return waitMs
    // While the connection had failed for good it was not tried.
    if (clock.now() - Math.max(Date.parse(delivery.created_at), open.connection.revived_at) > deliveryLifeMs) {
      await save(parts, delivery, {
        state: 'failed',
        failure: { code: 'channel_unavailable', message: 'The vendor could not be reached for a day.' },
      })
      continue
    }
    // It waited, and the vendor does not know its key any more.
    if (!isRepeatable(open, delivery, clock.now())) {
      await save(parts, delivery, { state: 'unknown', failure: delivery.failure ?? interrupted })
      continue
    }
    const target = delivery.edit_of === null ? undefined : await editable(parts, open, delivery.edit_of)
    if (delivery.edit_of !== null && target === undefined) await forget(parts, delivery)
    else await sendWithFile(parts, open, delivery, target)
    const intervalMs = open.channel.limits.intervalMs ?? 0
    if (intervalMs > 0) await clock.wait(intervalMs, { signal })
  }
}

/** Whether sending it cannot lead to a second message: it was not sent, or the vendor makes one of two. */
function isRepeatable({ channel }: OpenSession, { doubt_since: since, edit_of: editOf }: Delivery, now: number): boolean {
  // A change that is made twice is made once.
  if (since === null || editOf !== null) return true
  return channel.supports.idempotentSend && now - since < (channel.limits.idempotentMs ?? Number.POSITIVE_INFINITY)
}

const interrupted = {
  code: 'channel_outcome_unknown',
  message: 'The service stopped while the message was on its way. Look there before you send it again.',
}

/** What a message is sent with. */
interface Dispatch {
  /** Of an edit: the vendor's id of the message that is changed. */
  readonly target: string | undefined
  readonly file: Exclude<AttachedFile, { readonly failure: object }> | undefined
}

async function sendWithFile(parts: ChannelParts, open: OpenSession, delivery: Delivery, target: string | undefined): Promise<void> {
  const file = await openAttached(parts, open, delivery)
  if (file && 'failure' in file) {
    await save(parts, delivery, { state: 'failed', failure: file.failure })
    return
  }
  try {
    await sendOne(parts, open, delivery, { target, file })
  } finally {
    await file?.content.close()
  }
}

async function sendOne(parts: ChannelParts, open: OpenSession, delivery: Delivery, dispatch: Dispatch): Promise<void> {
  const doubtSince = delivery.doubt_since ?? parts.clock.now()
  const sending = await save(parts, delivery, { state: 'sending', attempts: delivery.attempts + 1, doubtSince })
  if (!sending) return
  if (open.signal.aborted) {
    // The session ended meanwhile: the channel has not seen it.
    await save(parts, sending, { state: 'queued', attempts: delivery.attempts, doubtSince: delivery.doubt_since })
    return
  }
  try {
    const receipt = await call(parts, open, sending, dispatch)
    const id = receipt?.id
    await save(parts, sending, { state: 'sent', failure: null, vendorId: typeof id === 'string' ? oneLine(id, 500) : null })
  } catch (error) {
    const shown = shownError(error, { hidden: open.hidden, channel: open.connection.channel, log: parts.log })
    // What is refused over two sessions in a row is refused for itself: the connection is not at fault.
    const isAlone = shown.kind === 'auth' && delivery.failure?.code === shown.code
    if (shown.kind === 'auth' && !isAlone) open.fail(shown)
    // The session has ended before the channel could say what became of the message.
    const isCut = open.signal.aborted && shown.code === 'channel_failed'
    const seen = isCut ? { ...shown, ...interrupted, kind: 'unknown' as const } : isAlone ? { ...shown, kind: 'rejected' as const } : shown
    // Only what failed for certain takes the doubt back, and only that of this attempt.
    const isCertain = seen.kind !== 'unknown'
    await save(parts, sending, { ...afterFailure(parts, open, sending, seen), ...(isCertain && { doubtSince: delivery.doubt_since }) })
  }
}

/** Sends a message, or changes the one with the vendor's id `target`. */
const call = (
  parts: ChannelParts,
  { session, signal, channel }: OpenSession,
  delivery: Delivery,
  { target, file }: Dispatch,
): Promise<ChannelReceipt> => {
  const limitMs = file ? sendFileMs : sendMs
  return withTimeLimit<ChannelReceipt>(
    async (within) => {
      if (target === undefined) return session.send({ ...requestOf(delivery, channel.supports), ...attached(file) }, { signal: within })
      await session.edit?.({ id: target, conversationId: delivery.conversation_id, text: delivery.text }, { signal: within })
      return { id: target }
    },
    {
      ...{ limitMs, clock: parts.clock, signal },
      timedOut: () =>
        channelOutcomeUnknownError.create({ channel: channel.title, reason: `it did not answer within ${limitMs / 1_000} s` }),
    },
  )
}

const attached = (file: Dispatch['file']): Pick<ChannelDelivery, 'attachments'> =>
  file
    ? { attachments: [{ name: file.about.name, mediaType: file.about.media_type, size: file.about.size, bytes: file.content.stream() }] }
    : {}

/** The vendor's id of a message that can be changed. */
async function editable({ database }: ChannelParts, { channel, session }: OpenSession, id: string): Promise<string | undefined> {
  const sent = channel.supports.edits && session.edit ? await database.collection(deliveryCollection).get(id) : undefined
  return sent?.state === 'sent' ? (sent.vendor_id ?? undefined) : undefined
}

/** There is nothing to change. */
async function forget({ database }: ChannelParts, { id }: Delivery): Promise<void> {
  await database.transaction(async (transaction) => {
    if ((await transaction.get(deliveryCollection, id))?.line != null) transaction.delete(deliveryCollection, id)
  })
}

const requestOf = (delivery: Delivery, supports: OpenSession['channel']['supports']): ChannelDelivery => ({
  ...{ id: delivery.id, chunk: { ...delivery.chunk }, conversationId: delivery.conversation_id, text: delivery.text },
  ...(supports.replies && delivery.reply_to !== null && { replyTo: delivery.reply_to }),
  ...(supports.buttons && delivery.buttons.length > 0 && { buttons: delivery.buttons.map((button) => ({ ...button })) }),
})

/** What becomes of a delivery that the vendor did not take. */
function afterFailure(parts: ChannelParts, open: OpenSession, sending: Delivery, error: ShownError): Change {
  const { attempts } = sending
  const failure = { code: error.code, message: error.message }
  const later = (delayMs: number, counted = true): Change => ({
    ...{ state: 'queued', failure, notBefore: parts.clock.now() + delayMs },
    ...(!counted && { attempts: attempts - 1 }),
  })
  const settings = retryOf(parts.retry, open.connection.retry)
  const backoff =
    backoffMs({ ...settings, max_retries: Number.MAX_SAFE_INTEGER }, attempts) ?? Math.max(minBackoffMs, settings.max_backoff_ms)
  if (error.kind === 'rejected') return { state: 'failed', failure }
  // It is sent once the connection was set up anew.
  if (error.kind === 'auth') return later(0, false)
  if (error.kind === 'throttled') return later(Math.max(minBackoffMs, error.retryAfterMs ?? settings.max_backoff_ms), false)
  if (error.kind === 'transient' || isRepeatable(open, sending, parts.clock.now() + backoff)) return later(backoff)
  return { state: 'unknown', failure }
}

interface Change {
  readonly state: Delivery['state']
  readonly attempts?: number
  readonly failure?: Delivery['failure']
  readonly notBefore?: number
  readonly vendorId?: string | null
  readonly doubtSince?: number | null
}

/** Stores another state. `undefined`: it was settled, sent again or deleted meanwhile. */
async function save(parts: ChannelParts, of: Delivery, change: Change): Promise<Delivery | undefined> {
  const { database, clock, events } = parts
  const { state, attempts = of.attempts, failure = of.failure, notBefore = 0, vendorId = null, doubtSince = of.doubt_since } = change
  const isSettled = state === 'sent' || state === 'unknown' || state === 'failed'
  // Administrators are told of what went wrong alone: what a shared connection sends would be too much.
  const connection = isSettled ? await database.collection(connectionCollection).get(of.connection_id) : undefined
  const isReported = connection !== undefined && (state !== 'sent' || connection.user_id !== null)
  const watchers = isReported ? await watchersOf(parts, connection.user_id) : []
  const saved = await database.transaction(async (transaction) => {
    const stored = await transaction.get(deliveryCollection, of.id)
    if (stored?.state !== of.state || stored.line === null) return undefined
    const next: Delivery = {
      ...stored,
      ...{ state, attempts, failure, not_before: notBefore, vendor_id: vendorId, doubt_since: doubtSince },
      ...(isSettled && { line: null, settled_at: textOf(clock.now()) }),
      // What failed, or may have been sent, may be sent again.
      ...(state === 'sent' && { keeps: null }),
    }
    transaction.put(deliveryCollection, next)
    for (const userId of watchers)
      events.record(transaction, { userId, name: 'channel.updated', data: { connection_id: of.connection_id, change: 'delivery' } })
    return next
  })
  if (saved && isSettled) parts.metrics.delivered(state)
  if (saved && state === 'sent') await removeCopy(parts, of)
  return saved
}
