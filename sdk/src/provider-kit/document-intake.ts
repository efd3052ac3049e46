import type { ModelEvent } from '../contracts/provider-adapter/index.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { AnswerAssembler } from './answer-assembler.js'
import { isObject } from './common/json.js'
import { isCallFailure } from './failures/call-failure.js'
import { errorIn } from './failures/error-document.js'
import { type FailureReader, failureOfDocument } from './failures/failure-of-words.js'
import type { AnswerReader } from './streams/answer-reader.js'
import type { StreamDocument } from './streams/stream-reader.js'

/** What has been taken of an answer. */
export interface DocumentIntake {
  /**
   * Gives the documents that these bytes complete to the assembler; without bytes the body has
   * ended. @throws a call failure for an error among them, after those before it were taken.
   */
  take(bytes: Uint8Array | undefined, events: ModelEvent[]): void
  /** The connection broke: a document that was held because it could have been all of the answer was not. */
  release(events: ModelEvent[]): void
  /** The answer came in one piece and has been taken. */
  readonly isWhole: boolean
  /** At least one document came. */
  readonly hasDocuments: boolean
  /**
   * What the model's stop stands beside. Gateways write one into every piece, or before the first, so
   * such a stop is no end yet. `undefined`: the stop came alone, after content, and is the end.
   */
  readonly stopBeside: 'text' | 'call' | 'nothing' | undefined
  /** The failure of a document that has words and no content. It counts if the answer turns out to be none. */
  readonly possibleError: Error | undefined
}

/** Makes the intake of one answer. */
export function createDocumentIntake(reader: AnswerReader, assembler: AnswerAssembler, failures: FailureReader): DocumentIntake {
  let held: StreamDocument | undefined
  let hasDocuments = false
  let hasContent = false
  let isWhole = false
  let stopBeside: DocumentIntake['stopBeside']
  let possibleError: Error | undefined

  const addWhole = (answer: JsonValue, events: ModelEvent[]): void => {
    isWhole = true
    const failure = isObject(answer) && errorIn(answer) !== undefined ? failureOfDocument(answer, failures) : undefined
    try {
      assembler.addWhole(answer, events)
    } catch (error) {
      throw isUnreadAnswer(error) && failure ? failure : error
    }
    if (failure && isObject(answer) && errorIn(answer) === 'certain') throw failure
  }
  const addPiece = (document: StreamDocument, events: ModelEvent[]): void => {
    const before = { count: events.length, last: events.at(-1), stopped: assembler.stopped }
    try {
      assembler.add(document, events)
    } catch (error) {
      throw isUnreadAnswer(error) && errorIn(document.data) ? failureOfDocument(document.data, failures) : error
    }
    const brought = broughtBy(events, before)
    if (brought === 'nothing') failIfError(document, events, before.count)
    else hasContent = true
    if (!assembler.stopped) return
    if (brought !== 'nothing') stopBeside = brought
    else if (!before.stopped) stopBeside = hasContent ? undefined : 'nothing'
  }
  const failIfError = ({ event, data }: StreamDocument, events: ModelEvent[], count: number): void => {
    const isNamed = event !== undefined && event !== 'error' && event !== 'message'
    const found = event === 'error' ? 'certain' : isNamed && data['error'] === undefined ? undefined : errorIn(data)
    if (found === undefined) return
    events.length = count
    if (found === 'certain') throw failureOfDocument(data, failures)
    possibleError ??= failureOfDocument(data, failures)
  }
  const add = (document: StreamDocument, events: ModelEvent[]): void => {
    if (isWhole || assembler.ended) return
    const isFirst = !hasDocuments
    hasDocuments = true
    if (isFirst && document.event !== 'error') {
      const whole = isWholeAnswer(document.data, reader, assembler)
      if (whole === true) {
        addWhole(document.data, events)
        return
      }
      // An error needs nothing after it, and what follows may never come.
      if (whole === undefined && errorIn(document.data) !== 'certain') {
        held = document
        return
      }
    }
    if (held) addPiece(held, events)
    held = undefined
    addPiece(document, events)
  }

  return {
    take(bytes, events) {
      for (const document of bytes ? reader.feed(bytes) : reader.end()) add(document, events)
      if (bytes) return
      if (held) addWhole(held.data, events)
      else if (reader.bareText !== undefined) addWhole(reader.bareText, events)
    },
    release(events) {
      if (held) addPiece(held, events)
      held = undefined
    },
    get isWhole() {
      return isWhole
    },
    get hasDocuments() {
      return hasDocuments
    },
    get stopBeside() {
      return stopBeside
    },
    get possibleError() {
      return possibleError
    },
  }
}

/** Whether the first document is a whole answer; `undefined` while only what follows can tell. */
function isWholeAnswer(document: JsonObject, reader: AnswerReader, assembler: AnswerAssembler): boolean | undefined {
  const whole = assembler.isWhole?.(document)
  return whole ?? (reader.isUnframed ? undefined : false)
}

/** What a document brought, by the events that it added or, where a piece joined the one before it, changed. */
function broughtBy(
  events: readonly ModelEvent[],
  before: { readonly count: number; readonly last: ModelEvent | undefined },
): 'text' | 'call' | 'nothing' {
  const joined = before.count > 0 && events[before.count - 1] !== before.last
  const added = events.slice(before.count)
  if (joined || added.some(({ type }) => type === 'text.delta' || type === 'reasoning.delta')) return 'text'
  return added.some(({ type }) => type === 'tool_call.started' || type === 'tool_call.delta') ? 'call' : 'nothing'
}

/** The assembler found nothing that it could read. */
const isUnreadAnswer = (error: unknown): boolean => isCallFailure(error) && error.report.failure === 'invalid_response'
