import type { ModelEvent } from '../contracts/provider-adapter/index.js'
import type { JsonValue } from '../core/json.js'
import type { AnswerAssembler } from './answer-assembler.js'
import { requestIdOf } from './answers/request-id.js'
import { parseJson } from './common/json.js'
import { callFailure } from './failures/call-failure.js'
import { rateLimitsOf } from './failures/rate-limits.js'
import { readText } from './streams/read-text.js'
import type { StreamDocument, StreamReader } from './streams/stream-reader.js'
import type { CallDeadline } from './transport/deadline.js'
import type { UpstreamResponse } from './transport/upstream-response.js'

/** The largest answer in one piece that is read, in bytes. */
const answerLimit = 64 * 1024 * 1024
/** How long usage and the end of a stream are waited for once the model has stopped. */
const trailerLimitMs = 10_000
/** How long the end of the body is waited for once nothing more is to come. */
const drainLimitMs = 20

/** The result of reading an answer, besides its events. */
export interface AnswerProgress {
  /** The body has been read to its end, so that its connection is free already. */
  wholeAnswerRead: boolean
}

/** Options for reading an answer. */
export interface AnswerMeans {
  readonly response: UpstreamResponse
  readonly assembler: AnswerAssembler
  readonly deadline: CallDeadline
  readonly progress: AnswerProgress
  /** A stream was requested and the answer is not one. */
  readonly onePiece: boolean
}

type Batches = AsyncGenerator<readonly ModelEvent[], void, undefined>

/** The body of an answer in one piece. @throws a call failure. */
export async function readWholeBody({
  response,
  deadline,
  progress,
}: Pick<AnswerMeans, 'response' | 'deadline' | 'progress'>): Promise<JsonValue> {
  const { text, cut } = await readText(response, deadline, answerLimit).catch((error: unknown) => {
    throw callFailure({ failure: 'truncated', retryable: true, reason: 'The connection ended before the answer did.' }, error)
  })
  if (cut) throw invalid(`The answer is larger than ${answerLimit} bytes.`)
  progress.wholeAnswerRead = true
  const parsed = parseJson(text)
  if (parsed === undefined || parsed === null) throw invalid(`The answer is not JSON; it begins with “${text.trimStart().slice(0, 80)}”.`)
  return parsed
}

/** An answer in one piece. */
export async function* readWholeAnswer(means: AnswerMeans): Batches {
  const { assembler } = means
  const parsed = await readWholeBody(means)
  const events: ModelEvent[] = []
  try {
    assembler.addWhole(parsed, events)
  } catch (error) {
    if (events.length > 0) yield withHead(events, means)
    throw error
  }
  events.push(assembler.finish())
  yield withHead(events, means)
}

/**
 * A streamed answer, as the events of each piece of the network. One whose model has not stopped
 * was cut. Events before a failure are yielded before it is thrown.
 */
export async function* readStreamedAnswer(reader: StreamReader, means: AnswerMeans): Batches {
  const { response, assembler, deadline, progress } = means
  const isOver = (): boolean => reader.done || assembler.ended
  let started = false
  while (!isOver()) {
    const bytes = await nextBytes(means)
    const events: ModelEvent[] = []
    let failure: { readonly error: unknown } | undefined
    try {
      addDocuments(bytes ? reader.feed(bytes) : reader.end(), assembler, events)
    } catch (error) {
      failure = { error }
    }
    if (events.length > 0) {
      if (events.length > 1 || events[0]?.type !== 'response.started') deadline.answered()
      yield started ? events : withHead(events, means)
      started = true
    }
    if (failure) throw failure.error
    if (bytes) continue
    progress.wholeAnswerRead = true
    break
  }
  if (isOver() && !progress.wholeAnswerRead) progress.wholeAnswerRead = await drain(response)
  if (!assembler.stopped) {
    throw callFailure({ failure: 'truncated', retryable: true, reason: 'The stream ended before the model had stopped.' })
  }
  const last = [assembler.finish()]
  yield started ? last : withHead(last, means)
}

function addDocuments(documents: readonly StreamDocument[], assembler: AnswerAssembler, events: ModelEvent[]): void {
  for (const document of documents) {
    if (assembler.ended) return
    assembler.add(document, events)
  }
}

/** Adds what the head of the answer says to its first event. */
function withHead(events: readonly ModelEvent[], { response, onePiece }: AnswerMeans): readonly ModelEvent[] {
  const requestId = requestIdOf(response.headers)
  const rateLimits = rateLimitsOf(response.headers, Date.now())
  const head = {
    ...(requestId !== undefined && { request_id: requestId }),
    ...(onePiece && { in_one_piece: true as const }),
    ...(rateLimits.length > 0 && { rate_limits: rateLimits }),
  }
  const [first, ...rest] = events
  return first?.type === 'response.started' ? [{ ...first, ...head }, ...rest] : [{ type: 'response.started', ...head }, ...events]
}

/**
 * The next bytes of the body; nothing at its end, or when the model has stopped and only the
 * trailer is missing.
 */
async function nextBytes({ response, assembler, deadline }: AnswerMeans): Promise<Uint8Array | undefined> {
  deadline.waiting(assembler.stopped ? trailerLimitMs : undefined)
  try {
    return await response.read()
  } catch (error) {
    if (assembler.stopped) return undefined
    throw callFailure({ failure: 'truncated', retryable: true, reason: 'The connection ended in the middle of the answer.' }, error)
  } finally {
    deadline.arrived()
  }
}

/**
 * Reads the end of a body after its last document, so that its connection can be used again; not
 * for long. False: the end did not come.
 */
async function drain(response: UpstreamResponse): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), drainLimitMs)
  })
  const end = response.read().then(
    (bytes) => bytes === undefined,
    // A connection that breaks after a complete answer does not affect it.
    () => false,
  )
  const ended = await Promise.race([end, limit])
  clearTimeout(timer)
  return ended
}

const invalid = (reason: string): Error => callFailure({ failure: 'invalid_response', retryable: true, reason })
