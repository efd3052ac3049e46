import { type ChannelHost, channelErrorKindOf, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { BotApi } from './bot-api.js'
import { fieldsOf, integerOf, listOf } from './fields.js'
import type { Bot } from './mentions.js'
import { readUpdate } from './message-of-update.js'
import { telegram } from './refusals.js'

/** What polls. */
export interface Polling {
  readonly api: BotApi
  readonly host: ChannelHost
  readonly bot: Bot
  readonly clock: Pick<Clock, 'now' | 'wait'>
  /** How long Telegram holds a request open while there is nothing. */
  readonly holdSeconds: number
  /** The longest wait for an answer after that. */
  readonly limits: { readonly answerMs: number }
  /** Says that a button was seen to be pressed. Never rejects. */
  answerPress(id: string, signal: AbortSignal): Promise<void>
}

/** The updates that a connection takes. Without edits: the service answers what was written first. */
export const allowedUpdates: readonly string[] = ['message', 'callback_query']

/** After a week without messages Telegram numbers them anew: an older position may be behind all of them. */
const positionMs = 6 * 86_400_000

const defaultPauseMs = 5_000
const maxPauseMs = 300_000

/**
 * Receives until the signal is aborted or a request fails. Each request names the number after the
 * last update that was stored, with which Telegram forgets those before it.
 */
export async function poll(polling: Polling, signal: AbortSignal): Promise<never> {
  const { host, clock, bot } = polling
  const { offset, at } = fieldsOf(await host.state())
  let position = positionOf(integerOf(offset), integerOf(at))
  for (;;) {
    signal.throwIfAborted()
    const now = clock.now()
    const known = position !== undefined && now - position.at < positionMs ? position.offset : undefined
    const updates = await nextUpdates(polling, known, signal)
    if (updates.length === 0) continue
    const numbers = updates.map((update) => integerOf(fieldsOf(update)['update_id'])).filter((number) => number !== undefined)
    // Without a number nothing can be acknowledged: the same would come again at once.
    if (numbers.length === 0) throw channelUnavailableError.create({ channel: telegram, reason: 'its updates cannot be read' })
    const read = updates.map((update) => readUpdate(update, bot, now))
    position = { offset: Math.max(...numbers) + 1, at: now }
    await host.receive({ messages: read.flatMap(({ message }) => (message ? [message] : [])), state: { ...position } })
    await Promise.all(read.map(async ({ pressed }) => (pressed === undefined ? undefined : polling.answerPress(pressed, signal))))
  }
}

const positionOf = (offset: number | undefined, at: number | undefined) =>
  offset === undefined || at === undefined ? undefined : { offset, at }

/** One batch. Where Telegram asks to wait, that is waited for here, since the connection is good. */
async function nextUpdates(polling: Polling, offset: number | undefined, signal: AbortSignal): Promise<readonly unknown[]> {
  const { api, clock, holdSeconds, limits } = polling
  const parameters = { ...(offset !== undefined && { offset }), timeout: holdSeconds, limit: 50, allowed_updates: allowedUpdates }
  try {
    return listOf(await api.call('getUpdates', parameters, { signal, limitMs: holdSeconds * 1_000 + limits.answerMs }))
  } catch (error) {
    if (channelErrorKindOf(error) !== 'throttled') throw error
    const { retryAfterMs } = fieldsOf(fieldsOf(error)['details'])
    await clock.wait(Math.min(integerOf(retryAfterMs) ?? defaultPauseMs, maxPauseMs), { signal })
    return []
  }
}
