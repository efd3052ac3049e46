/** What a reader is asked; the bytes of the document follow. */
export interface ReadJob {
  readonly name?: string
  readonly mediaType?: string
  readonly baseUrl?: string
  readonly maxCharacters: number
}

/** What a reader says first, once it knows: its answer may never come. */
export interface DetectedType {
  readonly detected: string
}

/** What a reader answers; the text of the document follows, in UTF-8. */
export type ReadAnswer =
  | {
      readonly outcome: 'read'
      readonly mediaType: string
      readonly title?: string
      readonly details: Readonly<Record<string, string>>
      readonly cut: boolean
      /** The time of processors that the reader has used so far. Its limit is for its whole life. */
      readonly cpuSeconds: number
    }
  | { readonly outcome: 'type-unknown'; readonly mediaType: string }
  | { readonly outcome: 'unreadable'; readonly mediaType: string; readonly reason: string }
  | { readonly outcome: 'too-costly'; readonly mediaType: string; readonly limit: string }

/** The largest document. */
export const maxDocumentBytes = 64 * 1024 * 1024
/** The longest text of a document, in UTF-16 code units. */
export const maxTextCharacters = 2_000_000
export const defaultTextCharacters = 200_000
/** The longest of a document's details, and how many it may have. */
export const maxDetailCharacters = 1_000
export const maxDetails = 40
