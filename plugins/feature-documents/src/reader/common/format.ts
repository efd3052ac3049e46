import type { TextSink } from './text-sink.js'

/** A document that is being read. */
export interface OpenDocument {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** The address of a page. */
  readonly baseUrl: string | undefined
  /** Where its text goes. */
  readonly sink: TextSink
}

/** What a document says of itself. */
export interface About {
  readonly title?: string | undefined
  /** An absent or empty one is left out. */
  readonly details?: Readonly<Record<string, string | number | undefined>>
}

/** Reads documents of one format. Throws a `Failure`, or anything else for a damaged document. */
export type ReadFormat = (document: OpenDocument) => Promise<About>
