import type { ModelEvent } from '../contracts/provider-adapter/index.js'
import type { JsonValue } from '../core/json.js'
import type { AnswerAssembler } from './answer-assembler.js'
import { requestIdOf } from './answers/request-id.js'
import { parseJson } from './common/json.js'
import { createDocumentIntake, type DocumentIntake } from './document-intake.js'
import { callFailure } from './failures/call-failure.js'
import { type FailureReader, failureOfWords } from './failures/failure-of-words.js'
import type { FailureReport } from './failures/failure-report.js'
import { rateLimitsOf } from './failures/rate-limits.js'
import { unreadableWords } from './failures/unreadable.js'
import type { AnswerReader } from './streams/answer-reader.js'
import { readText } from './streams/read-text.js'
import type { CallDeadline } from './transport/deadline.js'
import type { UpstreamResponse } from './transport/upstream-response.js'

/** The largest answer in one piece that is read, in bytes. */
const answerLimit = 64 * 1024 * 1024
/**
 * The most that is read of a stream, in bytes: far more than any model says, pictures and the frames
 * around each word included.
 */
export const streamLimit = 256 * 1024 * 1024
/** How long usage and the end of a stream are waited for once the model has stopped for certain. */
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
  /** How the family reads errors. */
  readonly failures: FailureReader
  /** A stream was requested. */
  readonly stream: boolean
}

/** The body of an answer in one piece. @throws a call failure. */
export async function readWholeBody({
  response,
  deadline,
  progress,
}: Pick<AnswerMeans, 'response' | 'deadline' | 'progress'>): Promise<JsonValue> {
  const { text, cut } = await readText(response, deadline, answerLimit).catch((error: unknown) => {
    throw callFailure({ failure: 'truncated', retryable: true, reason: 'The connection ended before the answer did.' }, error)
  })
  if (cut) throw callFailure(invalid(`The answer is larger than ${answerLimit} bytes.`))
  progress.wholeAnswerRead = true
  const parsed = parseJson(text)
  if (parsed === undefined || parsed === null) throw failureOfWords(text, notJson(text), {})
  return parsed
}

/**
 * An answer, as the events of each piece of the network. One whose model has not stopped was cut.
 * Events before a failure are yielded before it is thrown.
 */
export async function* readAnswer(reader: AnswerReader, means: AnswerMeans): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const { response, assembler, deadline, progress } = means
  const intake = createDocumentIntake(reader, assembler, means.failures)
  const isOver = (): boolean => reader.done || intake.isWhole || assembler.ended
  let started = false
  let size = 0
  while (!isOver()) {
    const { bytes, broken } = await nextBytes(means, intake)
    size += bytes?.byteLength ?? 0
    const events: ModelEvent[] = []
    let failure: { readonly error: unknown } | undefined
    try {
      if (broken) {
        intake.release(events)
        throw broken.error
      }
      if (size > streamLimit) throw callFailure(invalid(`The answer is larger than ${streamLimit} bytes.`))
      intake.take(bytes, events)
    } catch (error) {
      failure = { error: withMeaning(error, reader, intake, means) }
    }
    if (events.length > 0) {
      if (!intake.isWhole && (events.length > 1 || events[0]?.type !== 'response.started')) deadline.answered()
      yield started ? events : withHead(events, means, intake)
      started = true
    }
    if (failure) throw failure.error
    if (bytes) continue
    progress.wholeAnswerRead = true
    break
  }
  if (isOver() && !progress.wholeAnswerRead) progress.wholeAnswerRead = await drain(response)
  if (!assembler.stopped && !intake.isWhole) throw endFailure(reader, intake, means)
  const last = [assembler.finish()]
  yield started ? last : withHead(last, means, intake)
}

const cut: FailureReport = { failure: 'truncated', retryable: true, reason: 'The stream ended before the model had stopped.' }

/** The failure for an answer that ended too early: by what stands in place of its rest, if anything does. */
function endFailure(reader: AnswerReader, intake: DocumentIntake, { failures }: AnswerMeans): Error {
  if (intake.possibleError) return intake.possibleError
  const stray = reader.stray?.trim() ?? ''
  if (stray === '') return callFailure(cut)
  return failureOfWords(stray, intake.hasDocuments ? cut : notJson(stray), failures)
}

/** A failure of reading, with the meaning of the words that the vendor or a proxy left. */
function withMeaning(error: unknown, reader: AnswerReader, intake: DocumentIntake, means: AnswerMeans): unknown {
  const words = unreadableWords(error)
  if (words !== undefined) return failureOfWords(words, invalid((error as Error).message), means.failures, error)
  const isBroken = error instanceof BrokenConnection
  if (!isBroken) return error
  const hasWords = intake.possibleError !== undefined || (reader.stray?.trim() ?? '') !== ''
  return hasWords
    ? endFailure(reader, intake, means)
    : callFailure({ ...cut, reason: 'The connection ended in the middle of the answer.' }, error.cause)
}

class BrokenConnection extends Error {}

/** Adds what the head of the answer says to its first event. */
function withHead(events: readonly ModelEvent[], { response, stream }: AnswerMeans, intake: DocumentIntake): readonly ModelEvent[] {
  const requestId = requestIdOf(response.headers)
  const rateLimits = rateLimitsOf(response.headers, Date.now())
  const head = {
    ...(requestId !== undefined && { request_id: requestId }),
    ...(stream && intake.isWhole && { in_one_piece: true as const }),
    ...(rateLimits.length > 0 && { rate_limits: rateLimits }),
  }
  const [first, ...rest] = events
  return first?.type === 'response.started' ? [{ ...first, ...head }, ...rest] : [{ type: 'response.started', ...head }, ...events]
}

/**
 * The next bytes of the body; nothing at its end, or when the model has stopped for certain and only
 * the trailer is missing.
 */
async function nextBytes(
  { response, assembler, deadline }: AnswerMeans,
  intake: DocumentIntake,
): Promise<{ readonly bytes: Uint8Array | undefined; readonly broken?: { readonly error: Error } }> {
  const isTrailer = assembler.stopped && intake.stopBeside === undefined
  deadline.waiting(isTrailer ? trailerLimitMs : undefined)
  try {
    return { bytes: await response.read() }
  } catch (error) {
    if (isTrailer || (assembler.stopped && intake.stopBeside === 'call' && deadline.expired === undefined)) return { bytes: undefined }
    return { bytes: undefined, broken: { error: new BrokenConnection('The connection ended.', { cause: error }) } }
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

const invalid = (reason: string): FailureReport => ({ failure: 'invalid_response', retryable: true, reason })
const notJson = (text: string): FailureReport => invalid(`The answer is not JSON; it begins with “${text.trimStart().slice(0, 80)}”.`)
