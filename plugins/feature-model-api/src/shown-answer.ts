import type { Clock } from '@agent-service/sdk/services/clock'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { callerError } from './openai-error.js'

/** How long nothing may be sent before a sign of life is, in milliseconds: what stands between us and the client gives up silent connections. */
const silenceMs = 15_000

/** What an inference shows, and a sign of life for each time that it is silent for long. */
export type ShownEvent = InferenceEvent | { readonly type: 'silent' }

const shown: ReadonlySet<string> = new Set([
  'text.delta',
  'reasoning.delta',
  'tool_call.started',
  'tool_call.delta',
  'response.finished',
  'silent',
])

/**
 * Waits until an inference shows something, or has been silent for long, and gives it on from there. @throws what the caller is told of a failure before
 * that: whatever was tried until then, nobody has seen anything of it, so that it can be an answer with a status.
 */
export async function shownAnswer(events: AsyncIterable<InferenceEvent>, clock: Clock): Promise<AsyncIterable<ShownEvent>> {
  const awake = keepAwake(events, clock)
  try {
    for (;;) {
      const next = await awake.next()
      if (next.done) return awake
      if (shown.has(next.value.type)) return continued(next.value, awake)
    }
  } catch (error) {
    throw callerError(error)
  }
}

async function* keepAwake(events: AsyncIterable<InferenceEvent>, clock: Clock): AsyncGenerator<ShownEvent, void, undefined> {
  const iterator = events[Symbol.asyncIterator]()
  let arriving: Promise<IteratorResult<InferenceEvent>> | undefined
  try {
    for (;;) {
      arriving ??= iterator.next()
      const next = await Promise.race([arriving, silence(clock, arriving)])
      if (next === 'silent') {
        yield { type: 'silent' }
        continue
      }
      arriving = undefined
      if (next.done) return
      yield next.value
    }
  } finally {
    // A rejection that nobody waits for any more belongs to an iteration that was left.
    arriving?.catch(() => undefined)
    await iterator.return?.()
  }
}

/** Resolves when nothing has arrived for long; never, once something has. */
const silence = (clock: Clock, arriving: Promise<unknown>): Promise<'silent'> =>
  new Promise((resolve) => {
    const forget = clock.after(silenceMs, () => resolve('silent'))
    arriving.then(forget, forget)
  })

async function* continued(first: ShownEvent, rest: AsyncGenerator<ShownEvent>): AsyncGenerator<ShownEvent, void, undefined> {
  try {
    yield first
    for await (const event of rest) yield event
  } finally {
    await rest.return(undefined)
  }
}
