import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { classifyFailure } from '../failures/classify.js'
import { readErrorValue } from '../failures/error-body.js'
import { failed } from '../failures/failed-call.js'
import { isObject, listAt, objectAt, parseJson } from '../json.js'
import type { CallDeadline } from '../transport/deadline.js'
import { createEventReader, type EventReader } from '../transport/read-events.js'
import { readText } from '../transport/read-text.js'
import type { UpstreamResponse } from '../transport/upstream-response.js'
import type { AnswerAssembler } from './assemble-answer.js'
import { failedFinishReasons } from './stop-reason.js'

/** The largest answer in one piece that is read, in bytes. */
const answerLimit = 64 * 1024 * 1024
/** How long usage and the end of a stream are waited for once the model has stopped. */
const trailerLimitMs = 10_000
/** How long the end of the body is waited for after `[DONE]`. */
const drainLimitMs = 20

/** What reading an answer came to beside its events. */
export interface AnswerProgress {
  /** The body has been read to its end, so that its connection is free already. */
  wholeAnswerRead: boolean
}

/** An answer in one piece. Whole by its length, so that a missing finish reason means a normal end. */
export async function* readJsonAnswer(
  response: UpstreamResponse,
  assembler: AnswerAssembler,
  deadline: CallDeadline,
  progress: AnswerProgress,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const { text, cut } = await readText(response, deadline, answerLimit).catch((error: unknown) => {
    throw failed({ failure: 'truncated', retryable: true, reason: 'The connection ended before the answer did.' }, error)
  })
  if (cut) throw invalid(`The answer is larger than ${answerLimit} bytes.`)
  progress.wholeAnswerRead = true
  const parsed = parseJson(text)
  const answer = typeof parsed === 'string' ? plainAnswer(parsed) : parsed
  if (!isObject(answer)) throw invalid(`The answer is no JSON object but begins with “${text.trimStart().slice(0, 80)}”.`)
  const events: ModelEvent[] = []
  addChunk(asChunk(answer), assembler, response, events)
  if (listAt(answer, 'choices').length === 0) throw invalid('The answer has no choices.')
  events.push(assembler.finish(assembler.rawStopReason ?? 'stop'))
  yield events
}

/** The message of each choice becomes its delta; one brand sends an empty delta beside it. */
const asChunk = (answer: JsonObject): JsonObject => ({
  ...answer,
  choices: listAt(answer, 'choices').map((choice) => (isObject(choice) ? { ...choice, delta: choice['message'] ?? null } : choice)),
})

const plainAnswer = (text: string): JsonObject => ({
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
})

/**
 * A streamed answer, as the events of each piece of the network. Without a finish reason it was cut, whatever else arrived; `[DONE]` is not
 * needed. What came before a failure is yielded before it is thrown.
 */
export async function* readEventAnswer(
  response: UpstreamResponse,
  assembler: AnswerAssembler,
  deadline: CallDeadline,
  progress: AnswerProgress,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const source = createEventReader()
  let isDone = false
  while (!isDone) {
    const bytes = await nextBytes(response, assembler, deadline)
    if (!bytes) {
      progress.wholeAnswerRead = true
      break
    }
    const events: ModelEvent[] = []
    try {
      isDone = addBytes(bytes, source, assembler, response, events)
    } catch (error) {
      if (events.length > 0) yield events
      throw error
    }
    if (events.length > 1 || (events[0] && events[0].type !== 'response.started')) deadline.answered()
    if (events.length > 0) yield events
  }
  if (isDone) progress.wholeAnswerRead = await drain(response)
  if (assembler.rawStopReason === undefined) {
    throw failed({ failure: 'truncated', retryable: true, reason: 'The stream ended without a finish reason.' })
  }
  yield [assembler.finish(assembler.rawStopReason)]
}

/** The next bytes of the body; nothing at its end, or when the model has stopped and only the trailer is missing. */
async function nextBytes(response: UpstreamResponse, assembler: AnswerAssembler, deadline: CallDeadline): Promise<Uint8Array | undefined> {
  deadline.waiting(assembler.rawStopReason === undefined ? undefined : trailerLimitMs)
  try {
    return await response.read()
  } catch (error) {
    if (assembler.rawStopReason !== undefined) return undefined
    throw failed({ failure: 'truncated', retryable: true, reason: 'The connection ended in the middle of the answer.' }, error)
  } finally {
    deadline.arrived()
  }
}

/** Adds the events that these bytes lead to; answers whether the stream said that it is done. */
function addBytes(
  bytes: Uint8Array,
  source: EventReader,
  assembler: AnswerAssembler,
  response: UpstreamResponse,
  events: ModelEvent[],
): boolean {
  for (const event of feed(source, bytes)) {
    const data = event.data.trim()
    if (data === '') continue
    if (data === '[DONE]') return true
    const chunk = parseJson(data)
    if (!isObject(chunk)) throw invalid(`An event of the stream is no JSON object but begins with “${data.slice(0, 80)}”.`)
    if (event.event === 'error') throw failedChunk(chunk, response)
    addChunk(chunk, assembler, response, events)
  }
  return false
}

/** Reads the end of a body after `[DONE]`, so that its connection can be used again; not for long. False: the end did not come. */
async function drain(response: UpstreamResponse): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), drainLimitMs)
  })
  const end = response.read().then(
    (bytes) => bytes === undefined,
    // A connection that breaks after the answer is whole takes nothing from it.
    () => false,
  )
  const ended = await Promise.race([end, limit])
  clearTimeout(timer)
  return ended
}

function feed(source: EventReader, bytes: Uint8Array): ReturnType<EventReader['feed']> {
  try {
    return source.feed(bytes)
  } catch (error) {
    throw invalid('An event of the stream is too large.', error)
  }
}

/** Hands a chunk to the assembler, unless it is an error in disguise. */
function addChunk(chunk: JsonObject, assembler: AnswerAssembler, response: UpstreamResponse, events: ModelEvent[]): void {
  const choiceError = objectAt(listAt(chunk, 'choices')[0], 'error')
  if (choiceError) throw failedChunk({ error: choiceError }, response)
  if (isObject(chunk['error']) || typeof chunk['error'] === 'string' || chunk['object'] === 'error') throw failedChunk(chunk, response)
  assembler.add(chunk, events)
  const reason = assembler.rawStopReason
  if (reason !== undefined && failedFinishReasons.has(reason)) {
    throw failed({ failure: 'overloaded', retryable: true, reason: `The vendor ended the answer with “${reason}”.`, providerCode: reason })
  }
}

const failedChunk = (chunk: JsonObject, response: UpstreamResponse): Error =>
  failed(classifyFailure({ status: response.status, headers: response.headers, body: readErrorValue(chunk), now: Date.now() }))

const invalid = (reason: string, cause?: unknown): Error => failed({ failure: 'invalid_response', retryable: true, reason }, cause)
