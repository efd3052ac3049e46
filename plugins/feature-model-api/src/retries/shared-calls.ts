import { abortable, onAbort } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { argumentsText } from '../messages/call-arguments.js'
import { answerOverdueError, keyReusedError } from './errors.js'
import type { RequestIdentity } from './request-identity.js'

type Finished = Extract<InferenceEvent, { type: 'response.finished' }>

/** How long an answer is kept for a retry whose first response was lost, in milliseconds. */
const keptMs = 120_000
/** Of one kept answer, and of all of them, in UTF-16 code units. */
const maxAnswerLength = 1_000_000
const maxKeptLength = 8_000_000
const maxKept = 1_000

/** Makes the same inference once, for a request and its retries. */
export interface SharedCalls {
  /**
   * The events of an inference. A retry gets those of the first request, whole, while that is under
   * way or has just ended; every other request starts one. The inference is aborted when no request
   * listens to it any more. @throws `idempotency_key_reused` for another request with a chosen key.
   */
  open(
    identity: RequestIdentity | undefined,
    signal: AbortSignal,
    start: (signal: AbortSignal) => AsyncIterable<InferenceEvent>,
  ): AsyncIterable<InferenceEvent>
  /** Forgets all answers that are kept. */
  clear(): void
}

interface Call {
  readonly id: string
  readonly digest: string
  readonly controller: AbortController
  readonly finished: Promise<Finished>
  listeners: number
  isSettled: boolean
}

interface Kept {
  readonly length: number
  readonly stopTimer: () => unknown
}

/** Holds calls under way, and bounded answers of those that have ended. */
export function createSharedCalls({ clock }: { readonly clock: Pick<Clock, 'after'> }): SharedCalls {
  const calls = new Map<string, Call>()
  /** The calls that have ended, oldest first. */
  const kept = new Map<Call, Kept>()
  let keptLength = 0

  const forget = (call: Call): void => {
    const { length, stopTimer } = kept.get(call) ?? { length: 0, stopTimer: () => undefined }
    stopTimer()
    kept.delete(call)
    keptLength -= length
    if (calls.get(call.id) === call) calls.delete(call.id)
  }

  const keep = (call: Call, finished: Finished): void => {
    const length = lengthOf(finished)
    if (length > maxAnswerLength || calls.get(call.id) !== call) {
      forget(call)
      return
    }
    kept.set(call, { length, stopTimer: clock.after(keptMs, () => forget(call)) })
    keptLength += length
    for (const [oldest] of kept) if (kept.size > maxKept || keptLength > maxKeptLength) forget(oldest)
  }

  return {
    open(identity, signal, start) {
      if (!identity) return start(signal)
      const known = calls.get(identity.id)
      if (known && identity.isChosen && known.digest !== identity.digest) throw keyReusedError.create({})
      if (known && identity.isRetry && !known.controller.signal.aborted) return eventsOf(known, signal)
      if (known) forget(known)
      return begin(identity, signal, start, {
        add: (call) => void calls.set(call.id, call),
        ended: (call, finished) => (finished ? keep(call, finished) : forget(call)),
      })
    },
    clear() {
      for (const call of [...kept.keys()]) forget(call)
    },
  }
}

function begin(
  { id, digest }: RequestIdentity,
  signal: AbortSignal,
  start: (signal: AbortSignal) => AsyncIterable<InferenceEvent>,
  register: { add(call: Call): void; ended(call: Call, finished: Finished | undefined): void },
): AsyncIterable<InferenceEvent> {
  const controller = new AbortController()
  const iterator = start(controller.signal)[Symbol.asyncIterator]()
  let resolve: (finished: Finished) => void = () => undefined
  let reject: (reason: unknown) => void = () => undefined
  const finished = new Promise<Finished>((onFinished, onFailed) => {
    resolve = onFinished
    reject = onFailed
  })
  // Without a retry no request waits for it.
  finished.catch(() => undefined)
  const call: Call = { id, digest, controller, finished, listeners: 1, isSettled: false }
  register.add(call)

  const settle = (answer: Finished | undefined, reason?: unknown): void => {
    if (call.isSettled) return
    call.isSettled = true
    register.ended(call, answer)
    if (answer) resolve(answer)
    else reject(reason)
  }
  const observe = ({ done, value }: IteratorResult<InferenceEvent>): void => {
    if (done) settle(undefined, new Error('The inference ended without an answer.'))
    else if (value.type === 'response.finished') settle(value)
  }
  const leave = leaving(call, signal)
  return {
    [Symbol.asyncIterator]: () => ({
      // Observed beside the consumer, so that no event takes longer.
      next() {
        const next = iterator.next()
        next.then(observe, (error: unknown) => settle(undefined, error))
        return next
      },
      async return() {
        leave()
        if (call.isSettled || controller.signal.aborted) await iterator.return?.()
        else void drain(iterator, observe, settle)
        return { done: true, value: undefined }
      },
    }),
  }
}

/** Reads an inference whose first request has left, for the retries that wait for it. */
async function drain(
  iterator: AsyncIterator<InferenceEvent>,
  observe: (result: IteratorResult<InferenceEvent>) => void,
  settle: (finished: undefined, reason: unknown) => void,
): Promise<void> {
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) observe(next)
  } catch (error) {
    settle(undefined, error)
  }
}

/**
 * Lets one listener leave, once; also when its signal is aborted. The last one ends the call, and so
 * does one whose time is over.
 */
function leaving(call: Call, signal: AbortSignal): () => void {
  let isHere = true
  const leave = (): void => {
    if (!isHere) return
    isHere = false
    stopListening()
    call.listeners -= 1
    if (call.isSettled || (call.listeners > 0 && !answerOverdueError.isInstance(signal.reason))) return
    call.controller.abort(signal.aborted ? signal.reason : new DOMException('No request waits for the answer.', 'AbortError'))
  }
  let stopListening: () => void = () => undefined
  stopListening = onAbort(signal, leave)
  return leave
}

/** The answer of a call as the events of a whole inference. */
async function* eventsOf(call: Call, signal: AbortSignal): AsyncGenerator<InferenceEvent, void, undefined> {
  call.listeners += 1
  const leave = leaving(call, signal)
  try {
    const finished = await abortable(call.finished, signal)
    for (const [part, content] of finished.content.entries()) {
      if (content.type === 'text') yield { type: 'text.delta', part, text: content.text }
      else if (content.type === 'reasoning') yield { type: 'reasoning.delta', part, text: content.text }
      else if (content.type === 'tool_call') {
        yield { type: 'tool_call.started', part, provider_call_id: content.provider_call_id ?? content.call_id, name: content.name }
        yield { type: 'tool_call.delta', part, arguments_text: argumentsText(content) }
      }
    }
    yield finished
  } finally {
    leave()
  }
}

/** Roughly how much memory an answer takes. */
const lengthOf = ({ content }: Finished): number => JSON.stringify(content).length
