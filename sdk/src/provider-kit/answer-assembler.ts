import type { ModelEvent } from '../contracts/provider-adapter/index.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { StreamDocument } from './streams/stream-reader.js'

/**
 * Builds one answer from what a vendor sends: the part of a call that every protocol writes for
 * itself. An error that a vendor sends inside an answer is thrown as a call failure.
 */
export interface AnswerAssembler {
  /**
   * Takes a document of a stream and adds the events that it leads to. The first event of an answer
   * is `response.started`.
   */
  add(document: StreamDocument, events: ModelEvent[]): void
  /** Takes an answer in one piece, whole by its length, and adds all of its events but the last. */
  addWhole(answer: JsonValue, events: ModelEvent[]): void
  /**
   * Whether the first document of an answer is all of it, so that it goes to `addWhole`; false: it is
   * a piece of a stream. `undefined`: it cannot be told, so a document that stands alone in its body
   * is all of it. Without this member none can be told.
   */
  isWhole?(document: JsonObject): boolean | undefined
  /** The model has stopped; what may follow is usage. A stream that ends before was cut. */
  readonly stopped: boolean
  /** Nothing follows: reading ends. */
  readonly ended: boolean
  /** The event `response.finished`. Only after `stopped`, or after `addWhole`. */
  finish(): ModelEvent
}
