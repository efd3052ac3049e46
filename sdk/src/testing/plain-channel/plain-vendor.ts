import { onAbort } from '../../async/on-abort.js'
import type { ChannelButton } from '../../contracts/channel/deliveries.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import type { ChannelBenchSent, ChannelFault } from '../describe-channel/channel-bench.js'

/** An answer of the vendor: a status, and a body if it is 200. */
export interface PlainAnswer {
  readonly status: number
  /** Unreadable where the vendor is `garbled`. */
  readonly body?: unknown
  readonly retryAfterMs?: number
}

/** A message to send, as the vendor takes it. */
export interface PlainSending {
  /** A second one of the same key is not sent again. */
  readonly key: string
  readonly conversationId: string
  readonly text: string
  readonly replyTo?: string
  readonly buttons?: readonly ChannelButton[]
  readonly files?: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/** What waits for a channel to read it; of another form only when it is no message. */
export interface PlainUpdate {
  readonly sequence: number
  readonly message: unknown
}

/** The connection broke, or was refused, as its code says. */
const createBreak = (code: 'ECONNRESET' | 'ECONNREFUSED'): Error => Object.assign(new Error(`The connection failed: ${code}.`), { code })

/** A messaging service in memory: one account, long polls, and a wire that breaks. */
export interface PlainVendor {
  readonly updates: PlainUpdate[]
  readonly sent: (ChannelBenchSent & { readonly id: string })[]
  readonly files: Map<string, Uint8Array>
  readonly typing: string[]
  readonly presence: string[]
  /** Sequences up to which everything was acknowledged, in order. */
  readonly acknowledged: string[]
  /** Requests that wait. */
  readonly waiting: number
  fault: ChannelFault | undefined
  /** Queues a message, or something else. */
  push(message: unknown): void
  /** Breaks every request that waits. */
  drop(): void
  /** Updates after the sequence, as soon as there are any; acknowledges those up to it. */
  poll(token: string, after: number, signal: AbortSignal): Promise<PlainAnswer>
  /** One request. `take` is what it does to the account. */
  request(
    token: string,
    take: () => PlainAnswer,
    options: { readonly signal: AbortSignal; readonly sending?: boolean },
  ): Promise<PlainAnswer>
  /** Sends a message, once for each key. */
  take(sending: PlainSending): PlainAnswer
}

/** Makes a vendor with one account, which has this token. */
export function createPlainVendor(token: string): PlainVendor {
  const updates: PlainUpdate[] = []
  const acknowledged: string[] = []
  const sent: PlainVendor['sent'] = []
  const keys = new Map<string, string>()
  const wakes = new Set<(broken: boolean) => void>()
  let sequence = 0
  let fault: ChannelFault | undefined

  /** Until something happens; rejects when the connection breaks or is given up. */
  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (broken: boolean): void => {
        wakes.delete(settle)
        forget()
        if (broken) reject(createBreak('ECONNRESET'))
        else resolve()
      }
      const forget = onAbort(signal, (reason) => {
        wakes.delete(settle)
        reject(reason)
      })
      wakes.add(settle)
    })
  const wake = (broken: boolean): void => {
    for (const settle of [...wakes]) settle(broken)
  }
  const refusal = async (given: string, signal: AbortSignal): Promise<PlainAnswer | undefined> => {
    await Promise.resolve()
    signal.throwIfAborted()
    if (fault === 'down') throw createBreak('ECONNREFUSED')
    if (fault === 'silent') await untilAborted(signal)
    if (fault === 'revoked' || given !== token) return { status: 401 }
    if (fault === 'failing') return { status: 500 }
    if (fault === 'redirecting') return { status: 307 }
    if (fault === 'throttled') return { status: 429, retryAfterMs: 3_000 }
    return fault === 'garbled' ? { status: 200, body: '<html>' } : undefined
  }
  const untilAborted = async (signal: AbortSignal): Promise<void> => {
    while (fault === 'silent') await wait(signal)
  }

  return {
    ...{ updates, sent, acknowledged, files: new Map(), typing: [], presence: [] },
    get waiting() {
      return wakes.size
    },
    get fault() {
      return fault
    },
    set fault(value) {
      fault = value
      wake(value === 'down')
    },
    push(message) {
      sequence += 1
      updates.push({ sequence, message })
      wake(false)
    },
    drop: () => wake(true),
    async poll(given, after, signal) {
      for (const update of updates.splice(0, updates.filter((each) => each.sequence <= after).length))
        acknowledged.push(idOf(update.message))
      for (;;) {
        const refused = fault === 'silent' || fault === 'throttled' ? undefined : await refusal(given, signal)
        if (refused) return refused
        const next = updates.filter((update) => update.sequence > after)
        if (next.length > 0 && fault !== 'silent') return { status: 200, body: next }
        await wait(signal)
      }
    },
    async request(given, take, { signal, sending = false }) {
      const refused = await refusal(given, signal)
      if (refused) return refused
      if (sending && fault === 'rejecting') return { status: 400 }
      const answer = take()
      if (sending && fault === 'losing') throw createBreak('ECONNRESET')
      return structuredClone(answer)
    },
    take({ key, conversationId, text, replyTo, buttons, files }) {
      const id = keys.get(key) ?? `sent-${sent.length + 1}`
      if (!keys.has(key))
        sent.push({
          ...{ id, conversationId, text },
          ...(replyTo !== undefined && { replyTo }),
          ...(buttons !== undefined && { buttons }),
          ...(files !== undefined && { files }),
        })
      keys.set(key, id)
      return { status: 200, body: { id } }
    },
  }
}

const idOf = (message: unknown): string => String((message as Partial<ChannelMessage> | null)?.id ?? '')
