import { setTimeout as delay } from 'node:timers/promises'
import { type BoundedQueue, createBoundedQueue, untilAborted } from '@agent-service/sdk/async'
import type { CommandEvent } from '@agent-service/sdk/contracts/cli-command'
import type { ApiClient } from '../api-client.js'
import { serviceUnreachableError } from '../errors.js'

/** Events that wait to be read; beyond them the connection is not read. */
const maxWaiting = 10_000

/** Consecutive failures of a connection: about half a minute. */
const maxFailures = 20
const maxPauseMs = 2_000

/**
 * Follows the event stream at a path. Resolves once the service has accepted the stream; a lost
 * connection is reopened after the last event. The iteration ends with the signal's reason.
 */
export async function followEvents(
  client: ApiClient,
  path: string,
  { after, signal }: { readonly after: string | undefined; readonly signal: AbortSignal },
): Promise<AsyncIterable<CommandEvent>> {
  const connect = (cursor: string | undefined): Promise<AsyncIterable<CommandEvent>> =>
    client.events(path, { signal, ...(cursor === undefined ? {} : { lastEventId: cursor }) })
  const first = await connect(after)
  const queue = createBoundedQueue<CommandEvent>({ maxItems: maxWaiting })
  readAll(connect, first, after, { queue, signal }).then(
    () => queue.close(),
    (error: Error) => queue.close(error),
  )
  return untilAborted(queue, signal)
}

/** Forwards events until the signal is aborted. @throws errors that reconnecting cannot fix. */
async function readAll(
  connect: (cursor: string | undefined) => Promise<AsyncIterable<CommandEvent>>,
  first: AsyncIterable<CommandEvent>,
  after: string | undefined,
  { queue, signal }: { readonly queue: BoundedQueue<CommandEvent>; readonly signal: AbortSignal },
): Promise<void> {
  let events: AsyncIterable<CommandEvent> | undefined = first
  let cursor = after
  for (let failures = 0; !signal.aborted; ) {
    try {
      events ??= await connect(cursor)
      for await (const event of events) {
        failures = 0
        cursor = event.id ?? cursor
        await queue.push(event, { signal })
      }
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      if (!isBrokenConnection(error) || failures > maxFailures) throw error
    }
    events = undefined
    await delay(Math.min(maxPauseMs, 100 * 2 ** failures), undefined, { signal })
  }
}

/** `fetch` reports an interrupted body as a `TypeError`. */
const isBrokenConnection = (error: unknown): boolean => serviceUnreachableError.isInstance(error) || error instanceof TypeError
