import type { Logger } from '@agent-service/sdk'
import { abortable, signalWithin } from '@agent-service/sdk/async'
import { type ChannelMessage, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { FetchMessageObject, SearchObject } from 'imapflow'
import { imapFailure, mailServer } from '../connection/failures.js'
import type { EmailSettings } from '../connection/settings.js'
import { causeInMail } from './mail-failures.js'
import type { Cursor, Memory, Thread } from './memory.js'
import type { OpenMailbox } from './open-mailbox.js'
import { headQuery, readMail } from './read-mail.js'

/** Time limits, in milliseconds. Read for each wait. */
export interface ReceivingLimits {
  /** The longest wait for an answer of the server. */
  readonly answerMs: number
  /** The longest for reading one mail. */
  readonly readMs: number
  /** After so long it is looked for new mails at the latest, which also shows that the connection lives. */
  readonly pollMs: number
  /** The same where the server cannot say that there are new ones. */
  readonly pollWithoutIdleMs: number
}

/** What receives. */
export interface Receiving {
  readonly mailbox: OpenMailbox
  readonly memory: Memory
  readonly settings: EmailSettings
  readonly clock: Pick<Clock, 'now' | 'wait'>
  readonly limits: ReceivingLimits
  readonly log: Pick<Logger, 'debug' | 'warn'>
}

const maxBatch = 10
/** After so many tries a mail that cannot be read is passed over: those behind it must not wait for good. */
const maxTries = 2
/** The same for one that the server refuses, or is slow to give. */
const patienceMs = 900_000
/** Clocks of senders are wrong by less, and the service knows what it has received for longer. */
const againMs = 2 * 86_400_000
const restMs = 1_000

/**
 * Receives until the signal is aborted or the connection ends: what is new by UID, in order, each batch
 * stored with the position behind it, and then marked as seen for people. A mailbox that was made anew
 * (another UIDVALIDITY) is read again from shortly before the last mail; what was received is known by
 * its id.
 */
export async function receiveMails(receiving: Receiving, signal: AbortSignal): Promise<never> {
  const { mailbox, memory, clock } = receiving
  const until = AbortSignal.any([signal, mailbox.lost])
  if (memory.cursor === undefined) await memory.receive([], firstCursor(receiving))
  let canIdle = mailbox.client.capabilities.has('IDLE')
  for (;;) {
    const known = mailbox.news()
    await takeNew(receiving, until)
    const began = clock.now()
    const outcome = await nextRound(receiving, { known, canIdle, signal: until })
    until.throwIfAborted()
    if (outcome === 'refused') canIdle = false
    // Another command ends the wait, and so does a server that only seems to know it.
    if (outcome === 'ended' && clock.now() - began < restMs) await clock.wait(Math.min(restMs, receiving.limits.pollMs), { signal: until })
  }
}

/** Mails that are there when a connection is made are not for the agent. */
function firstCursor({ mailbox: { client }, clock }: Receiving): Cursor {
  const { uidValidity, uidNext } = openOf(client.mailbox)
  return { uidValidity: String(uidValidity), uid: Math.max(0, uidNext - 1), at: clock.now() }
}

/** Waits until the server says that something has changed, or it is time to look. */
async function nextRound(
  { mailbox, clock, limits }: Receiving,
  { known, canIdle, signal }: { readonly known: number; readonly canIdle: boolean; readonly signal: AbortSignal },
): Promise<'news' | 'time' | 'ended' | 'refused'> {
  const round = new AbortController()
  const within = AbortSignal.any([signal, round.signal])
  const ended = async (): Promise<'ended' | 'refused'> => ((await mailbox.client.idle({ whenFree: true })) === false ? 'refused' : 'ended')
  const time = clock.wait(canIdle ? limits.pollMs : limits.pollWithoutIdleMs, { signal: within })
  const waits = [
    mailbox.nextNews(known, within).then(() => 'news' as const),
    time.then(
      () => 'time' as const,
      () => 'time' as const,
    ),
    // The end of the connection is learned from its signal.
    ...(canIdle ? [ended().catch(() => 'ended' as const)] : []),
  ]
  try {
    return await Promise.race(waits)
  } finally {
    round.abort()
  }
}

async function takeNew(receiving: Receiving, signal: AbortSignal): Promise<void> {
  const { mailbox, memory } = receiving
  const start = cursorAt(receiving)
  const query: SearchObject = { uid: `${start.uid + 1}:*`, ...(start.again && { since: new Date(start.again.since) }) }
  const found = await ask(receiving, signal, () => mailbox.client.search(query, { uid: true }))
  // A range that ends with `*` always has the last mail in it.
  const uids = (found || []).filter((uid) => uid > start.uid).sort((one, other) => one - other)
  let cursor = start
  for (let at = 0; at < uids.length; ) {
    const isSuspect = (uids[at] ?? 0) <= (cursor.failed?.until ?? 0)
    const batch = uids.slice(at, at + (isSuspect ? 1 : maxBatch))
    at += batch.length
    cursor = await takeBatch(receiving, { batch, cursor, signal })
  }
  if (cursor.again !== undefined) {
    const { again, ...rest } = cursor
    await memory.receive([], { ...rest, uid: Math.max(rest.uid, again.until) })
  }
}

/** Where to go on; at the beginning of the mailbox if it was made anew. */
function cursorAt({ mailbox: { client }, memory, clock, log }: Receiving): Cursor {
  const { uidValidity, uidNext } = openOf(client.mailbox)
  const present = memory.cursor
  if (present?.uidValidity === String(uidValidity)) return present
  const at = present?.at ?? clock.now()
  log.warn('The mailbox was made anew at the mail server. Mails of the last days are looked through again.', {})
  return { uidValidity: String(uidValidity), uid: 0, at, again: { until: Math.max(0, uidNext - 1), since: at - againMs } }
}

interface Batch {
  readonly batch: readonly number[]
  readonly cursor: Cursor
  readonly signal: AbortSignal
}

/** Reads and stores some mails. Returns the position behind them. */
async function takeBatch(receiving: Receiving, { batch, cursor, signal }: Batch): Promise<Cursor> {
  const { mailbox, memory, clock, log } = receiving
  const { client } = mailbox
  const [first = 0] = batch
  const { failed, ...before } = cursor
  const uid = batch.at(-1) ?? before.uid
  const others = failed !== undefined && uid < failed.until ? { failed: { ...failed, uid: 0, count: 0 } } : {}
  if (failed?.uid === first && failed.count >= maxTries) {
    log.warn('A mail cannot be read and is passed over. It stays in the mailbox, unread.', { uid: first })
    const next = { ...before, uid, ...others }
    await memory.receive([], next)
    return next
  }
  const messages: ChannelMessage[] = []
  const threads = new Map<string, Thread>()
  const seen: number[] = []
  let at = before.at
  try {
    for (const mail of await fetchHeads(receiving, batch, signal)) {
      const since = before.again !== undefined && mail.uid <= before.again.until ? before.again.since : undefined
      const read = await readOne(receiving, { mail, since, signal })
      at = Math.max(at, new Date(mail.internalDate ?? 0).getTime() || 0)
      if ('passedOver' in read) log.debug('A mail is not handed on.', { uid: mail.uid, reason: read.passedOver })
      else {
        messages.push(read.message)
        threads.set(read.message.conversation.id, read.thread)
        seen.push(mail.uid)
      }
    }
  } catch (error) {
    const cause = causeInMail(error, mailbox.lost)
    if (cause !== 'none') {
      const now = clock.now()
      const same = failed?.uid === first ? failed : { count: 0, at: now }
      // The server may only be busy: then it is tried for longer.
      const count = cause === 'certain' || now - same.at >= patienceMs ? same.count + 1 : Math.min(same.count + 1, maxTries - 1)
      await memory.receive([], { ...before, failed: { uid: first, until: Math.max(failed?.until ?? 0, uid), count, at: same.at } })
    }
    throw error
  }
  const next = { ...before, uid, at, ...others }
  await memory.receive(messages, next, threads)
  if (seen.length > 0) {
    const isMarked = await ask(receiving, signal, () => client.messageFlagsAdd(seen.join(','), ['\\Seen'], { uid: true, silent: true }))
    if (!isMarked) log.debug('The mail server marks no mails as seen.', {})
  }
  return next
}

const fetchHeads = async (receiving: Receiving, batch: readonly number[], signal: AbortSignal): Promise<readonly FetchMessageObject[]> => {
  const query = { uid: true, internalDate: true, size: true, bodyStructure: true, bodyParts: [headQuery] }
  const mails = await ask(receiving, signal, () => receiving.mailbox.client.fetchAll(batch.join(','), query, { uid: true }))
  return mails.filter(({ uid }) => batch.includes(uid)).sort((one, other) => one.uid - other.uid)
}

function readOne(
  receiving: Receiving,
  { mail, since, signal }: { readonly mail: FetchMessageObject; readonly since: number | undefined; readonly signal: AbortSignal },
) {
  const { mailbox, settings, limits } = receiving
  const uidValidity = String(openOf(mailbox.client.mailbox).uidValidity)
  const within = signalWithin(limits.readMs, signal)
  return ask(
    receiving,
    signal,
    () => readMail(mail, { client: mailbox.client, settings, uidValidity, signal: within, ...(since !== undefined && { since }) }),
    limits.readMs,
  )
}

/** One request to the server, with a limit. @throws the errors of the contract, or the signal's reason. */
async function ask<T>({ limits }: Receiving, signal: AbortSignal, work: () => Promise<T>, limitMs = limits.answerMs): Promise<T> {
  const within = signalWithin(limitMs, signal)
  try {
    return await abortable(work, within)
  } catch (error) {
    signal.throwIfAborted()
    if (within.aborted)
      throw channelUnavailableError.create({ channel: mailServer, reason: `it took longer than ${limitMs} ms` }, { cause: error })
    throw imapFailure(error, { wasAccepted: true })
  }
}

function openOf<T>(mailbox: T | false): T {
  if (mailbox === false) throw channelUnavailableError.create({ channel: mailServer, reason: 'the mailbox was closed' })
  return mailbox
}
