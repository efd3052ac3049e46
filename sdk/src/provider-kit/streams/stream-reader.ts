import type { JsonObject } from '../../core/json.js'

/** One document of a streamed answer: an event of server-sent events, a line, a frame. */
export interface StreamDocument {
  /** The name under which it came, if the framing has names. */
  readonly event?: string
  /** Its content. */
  readonly data: JsonObject
}

/** Splits the bytes of a streamed answer into its documents, however the network split them. */
export interface StreamReader {
  /**
   * The documents that these bytes complete. @throws a call failure for what is not a document of
   * this framing, once those before it have been returned.
   */
  feed(bytes: Uint8Array): readonly StreamDocument[]
  /**
   * The stream is over: a document that is complete without an end mark, if the framing allows
   * that. @throws as `feed`.
   */
  end(): readonly StreamDocument[]
  /** The stream has reported its end. */
  readonly done: boolean
  /**
   * Text between the documents that belongs to none of them, its first 4,000 characters: what a
   * proxy or a server writes into a stream when it fails. It says why a stream ended without its
   * end; in a whole answer it means nothing.
   */
  readonly stray?: string
}
