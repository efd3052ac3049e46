import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { classifyFailure } from '../failures/classify.js'
import { readErrorValue } from '../failures/error-body.js'
import { failed } from '../failures/failed-call.js'
import { isObject, listAt, objectAt, parseJson } from '../json.js'
import type { CallDeadline } from '../transport/deadline.js'
import { createEventReader } from '../transport/read-events.js'
import { readText } from '../transport/read-text.js'
import type { AnswerAssembler } from './assemble-answer.js'
import { failedFinishReasons } from './stop-reason.js'

/** The largest answer in one piece that is read, in bytes. */
const answerLimit = 64 * 1024 * 1024
/** How long usage and the end of a stream are waited for once the model has stopped. */
const trailerLimitMs = 10_000
/** How long the end of the body is waited for after `[DONE]`. */
const drainLimitMs = 20

/** An answer in one piece. Whole by its length, so that a missing finish reason means a normal end. */
export async function* readJsonAnswer(
  response: Response,
  assembler: AnswerAssembler,
  deadline: CallDeadline,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { text, cut } = await readText(response.body, deadline, answerLimit).catch((error: unknown) => {
    throw failed({ failure: 'truncated', retryable: true, reason: 'The connection ended before the answer did.' }, error)
  })
  if (cut) throw invalid(`The answer is larger than ${answerLimit} bytes.`)
  const parsed = parseJson(text)
  const answer = typeof parsed === 'string' ? plainAnswer(parsed) : parsed
  if (!isObject(answer)) throw invalid(`The answer is no JSON object but begins with “${text.trimStart().slice(0, 80)}”.`)
  const events = addChunk(asChunk(answer), assembler, response)
  if (listAt(answer, 'choices').length === 0) throw invalid('The answer has no choices.')
  yield* events
  yield assembler.finish(assembler.rawStopReason ?? 'stop')
}

/** The message of each choice becomes its delta; one brand sends an empty delta beside it. */
const asChunk = (answer: JsonObject): JsonObject => ({
  ...answer,
  choices: listAt(answer, 'choices').map((choice) => (isObject(choice) ? { ...choice, delta: choice['message'] ?? null } : choice)),
})

const plainAnswer = (text: string): JsonObject => ({
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
})

/** A streamed answer. Without a finish reason it was cut, whatever else arrived; `[DONE]` is not needed. */
export async function* readEventAnswer(
  response: Response,
  assembler: AnswerAssembler,
  deadline: CallDeadline,
): AsyncGenerator<ModelEvent, void, undefined> {
  const reader = response.body?.getReader()
  const events = createEventReader()
  let isDone = reader === undefined
  while (reader && !isDone) {
    const limit = assembler.rawStopReason === undefined ? undefined : trailerLimitMs
    const step = await deadline.during(reader.read(), limit).catch((error: unknown) => {
      // The model had stopped; only the trailer is missing.
      if (assembler.rawStopReason !== undefined) return { done: true, value: undefined } as const
      throw failed({ failure: 'truncated', retryable: true, reason: 'The connection ended in the middle of the answer.' }, error)
    })
    if (step.done) break
    for (const event of feed(events, step.value)) {
      const data = event.data.trim()
      if (data === '') continue
      if (data === '[DONE]') {
        isDone = true
        break
      }
      const chunk = parseJson(data)
      if (!isObject(chunk)) throw invalid(`An event of the stream is no JSON object but begins with “${data.slice(0, 80)}”.`)
      if (event.event === 'error') throw failedChunk(chunk, response)
      for (const modelEvent of addChunk(chunk, assembler, response)) {
        if (modelEvent.type !== 'response.started') deadline.answered()
        yield modelEvent
      }
    }
  }
  if (reader && isDone) await drain(reader)
  if (assembler.rawStopReason === undefined) {
    throw failed({ failure: 'truncated', retryable: true, reason: 'The stream ended without a finish reason.' })
  }
  yield assembler.finish(assembler.rawStopReason)
}

/** Reads the end of a body after `[DONE]`, so that its connection can be used again; not for long. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainLimitMs)
  })
  const end = reader.read().then(
    () => undefined,
    // A connection that breaks after the answer is whole takes nothing from it.
    () => undefined,
  )
  await Promise.race([end, limit])
  clearTimeout(timer)
}

function feed(events: ReturnType<typeof createEventReader>, bytes: Uint8Array): ReturnType<typeof events.feed> {
  try {
    return events.feed(bytes)
  } catch (error) {
    throw invalid('An event of the stream is too large.', error)
  }
}

/** Hands a chunk to the assembler, unless it is an error in disguise. */
function addChunk(chunk: JsonObject, assembler: AnswerAssembler, response: Response): readonly ModelEvent[] {
  const choiceError = objectAt(listAt(chunk, 'choices')[0], 'error')
  if (choiceError) throw failedChunk({ error: choiceError }, response)
  if (isObject(chunk['error']) || typeof chunk['error'] === 'string' || chunk['object'] === 'error') throw failedChunk(chunk, response)
  const events = assembler.add(chunk)
  const reason = assembler.rawStopReason
  if (reason !== undefined && failedFinishReasons.has(reason)) {
    throw failed({ failure: 'overloaded', retryable: true, reason: `The vendor ended the answer with “${reason}”.`, providerCode: reason })
  }
  return events
}

const failedChunk = (chunk: JsonObject, response: Response): Error =>
  failed(classifyFailure({ status: response.status, headers: response.headers, body: readErrorValue(chunk), now: Date.now() }))

const invalid = (reason: string, cause?: unknown): Error => failed({ failure: 'invalid_response', retryable: true, reason }, cause)
