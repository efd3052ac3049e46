import type { RouteResponse, ServerSentEvent } from '../../contracts/http-route/route.js'
import { pass } from '../event-loop-turns.js'
import type { SuiteAnswer } from './suite-options.js'

/** The maximum number of pieces that are read of a stream. */
const maxPieces = 1_000

/** The limits of the suite's waits. */
export interface Patience {
  readonly abortLimitMs: number
  readonly quietMs: number
}

/**
 * The outcome of a promise, or `undefined` if it does not settle within the limit. What is ready then counts: a
 * process that stood still fires its timers before anything else happens.
 */
export async function within<Value>(promise: Promise<Value>, limitMs: number): Promise<{ readonly value: Value } | undefined> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => void pass().then(() => resolve(undefined)), limitMs)
  })
  try {
    return await Promise.race([promise.then((value) => ({ value })), limit])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads a handler's answer as the host does. When a stream pauses, its request is aborted, and then
 * it has to end.
 * @throws an `Error` when it does not.
 */
export async function readAnswer(response: RouteResponse, controller: AbortController, patience: Patience): Promise<SuiteAnswer> {
  const { status, headers = {} } = response
  switch (response.kind) {
    case 'json':
      return { status, headers, json: response.json }
    case 'empty':
      return { status, headers }
    case 'bytes':
      return { status, headers, bytes: response.bytes }
    case 'stream': {
      const pieces = await readStream<Uint8Array>(response.stream, controller, patience)
      const bytes = Buffer.concat(pieces)
      if (!controller.signal.aborted && response.length !== undefined && response.length !== bytes.byteLength)
        throw new Error(`the stream has ${bytes.byteLength} bytes; announced were ${response.length}`)
      return { status, headers, bytes }
    }
    case 'events':
      return { status, headers, events: await readStream<ServerSentEvent>(response.events, controller, patience) }
  }
}

async function readStream<Piece>(stream: AsyncIterable<Piece>, controller: AbortController, patience: Patience): Promise<readonly Piece[]> {
  const pieces: Piece[] = []
  const iterator = stream[Symbol.asyncIterator]()
  while (pieces.length < maxPieces) {
    const next = iterator.next()
    const result = await within(next, patience.quietMs)
    if (!result) {
      controller.abort(new Error('The client went away.'))
      // It may end normally or by throwing the signal's reason.
      const end = await within(
        next.then(
          () => true,
          () => true,
        ),
        patience.abortLimitMs,
      )
      if (!end) throw new Error(`the stream continued for ${patience.abortLimitMs} ms after its request was aborted`)
      break
    }
    if (result.value.done) return pieces
    pieces.push(result.value.value)
  }
  const left = await within(Promise.resolve(iterator.return?.()), patience.abortLimitMs)
  if (!left) throw new Error(`the stream did not end within ${patience.abortLimitMs} ms when it was left`)
  return pieces
}
