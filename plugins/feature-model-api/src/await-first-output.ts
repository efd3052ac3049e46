import type { Clock } from '@agent-service/sdk/services/clock'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { callerError } from './openai-error.js'

/**
 * How long a stream may be silent before a keep-alive is sent, in milliseconds: proxies close
 * silent connections.
 */
const silenceMs = 15_000

/** The events of an inference, with a keep-alive for each long silence. */
export type OutputEvent = InferenceEvent | { readonly type: 'silent' }

const outputTypes: ReadonlySet<string> = new Set([
  'text.delta',
  'reasoning.delta',
  'tool_call.started',
  'tool_call.delta',
  'response.finished',
  'silent',
])

/**
 * Waits for the first output of an inference, or for a long silence, and returns the events from
 * there.
 * @throws the error for the caller of an earlier failure: nothing has been sent yet, so it can have
 * a status.
 */
export async function awaitFirstOutput(events: AsyncIterable<InferenceEvent>, clock: Clock): Promise<AsyncIterable<OutputEvent>> {
  const awake = keepAwake(events, clock)
  try {
    for (;;) {
      const next = await awake.next()
      if (next.done) return awake
      if (outputTypes.has(next.value.type)) return continued(next.value, awake)
    }
  } catch (error) {
    throw callerError(error)
  }
}

async function* keepAwake(events: AsyncIterable<InferenceEvent>, clock: Clock): AsyncGenerator<OutputEvent, void, undefined> {
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
    // Avoids an unhandled rejection of an abandoned iteration.
    arriving?.catch(() => undefined)
    await iterator.return?.()
  }
}

/** Resolves after a long silence; never, once something has arrived. */
const silence = (clock: Clock, arriving: Promise<unknown>): Promise<'silent'> =>
  new Promise((resolve) => {
    const stopTimer = clock.after(silenceMs, () => resolve('silent'))
    arriving.then(stopTimer, stopTimer)
  })

async function* continued(first: OutputEvent, rest: AsyncGenerator<OutputEvent>): AsyncGenerator<OutputEvent, void, undefined> {
  try {
    yield first
    for await (const event of rest) yield event
  } finally {
    await rest.return(undefined)
  }
}
