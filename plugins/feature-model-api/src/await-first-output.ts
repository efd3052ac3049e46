import type { Clock } from '@agent-service/sdk/services/clock'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { callerError } from './openai-error.js'

/** How long nothing may come before a stream is begun, in milliseconds: proxies end silent requests. */
const silenceMs = 15_000

const outputTypes: ReadonlySet<InferenceEvent['type']> = new Set([
  'text.delta',
  'reasoning.delta',
  'tool_call.started',
  'tool_call.delta',
  'response.finished',
])

type Arriving = Promise<IteratorResult<InferenceEvent>>

/**
 * Waits for the first output of an inference, or for a long silence, and returns the events from
 * there. The stream that is then begun is kept alive by the service.
 * @throws the error for the caller of an earlier failure: nothing has been sent yet, so it can have
 * a status.
 */
export async function awaitFirstOutput(events: AsyncIterable<InferenceEvent>, clock: Clock): Promise<AsyncIterable<InferenceEvent>> {
  const iterator = events[Symbol.asyncIterator]()
  try {
    for (;;) {
      const arriving = iterator.next()
      const next = await Promise.race([arriving, silence(clock, arriving)])
      if (next === 'silent' || next.done || outputTypes.has(next.value.type)) return continued(arriving, iterator)
    }
  } catch (error) {
    throw callerError(error)
  }
}

/** Resolves after a long silence; never, once something has arrived. */
const silence = (clock: Clock, arriving: Arriving): Promise<'silent'> =>
  new Promise((resolve) => {
    const stopTimer = clock.after(silenceMs, () => resolve('silent'))
    arriving.then(stopTimer, stopTimer)
  })

async function* continued(arriving: Arriving, iterator: AsyncIterator<InferenceEvent>): AsyncGenerator<InferenceEvent, void, undefined> {
  try {
    for (let next = await arriving; !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}
