import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/** A document that is to become text. */
export interface DocumentSource {
  /** Its content, at most 64 MiB. */
  readonly bytes: Uint8Array
  /** Its name, which may tell what it is: `report.docx`. Default: none. */
  readonly name?: string
  /** The media type that someone stated. The content decides. Default: none. */
  readonly mediaType?: string
  /** The most characters of text. Default 200,000, at most 2,000,000. */
  readonly maxCharacters?: number
  /** The address of a page, against which its links are read. Default: none. */
  readonly baseUrl?: string
}

/** Options of reading a document. */
export interface DocumentOptions {
  /** Ends the wait and the reading. */
  readonly signal: AbortSignal
  /** Whose document it is: users take turns. Default: all that name no user have one turn together. */
  readonly userId?: string
}

/** A document as text. */
export interface DocumentText {
  /** The media type of the content. */
  readonly mediaType: string
  /** Markdown, where the document has a structure. */
  readonly text: string
  /** The document's own title. Absent: it has none. */
  readonly title?: string
  /** What else it says of itself: `author`, `pages`, `from`, `width`. Texts of at most 1,000 characters. */
  readonly details: Readonly<Record<string, string>>
  /** Whether the text was cut at `maxCharacters`. */
  readonly cut: boolean
}

/**
 * Makes text of documents: PDF, DOCX, XLSX, PPTX, HTML, e-mail, plain text, JSON, and the metadata of
 * images. Each is read in a worker with bounded memory and time, a few at once; a hostile document
 * ends with an error and harms nothing else.
 *
 * @example
 * const documents = context.use(documentsService)
 * const bytes = new TextEncoder().encode('<h1>Dear town</h1>')
 * const letter = await documents?.toText({ bytes, name: 'letter.html' }, { signal })
 */
export interface Documents {
  /** Whether a document of this type or name would be read. */
  reads(kind: { readonly mediaType?: string; readonly name?: string }): boolean
  /**
   * The text of a document, cut at `maxCharacters`. @throws `document_type_unknown`, `document_unreadable` (damaged, encrypted, hostile),
   * `document_too_costly` (memory, time, size), `documents_busy`, or the reason of the signal.
   */
  toText(source: DocumentSource, options: DocumentOptions): Promise<DocumentText>
}

/** Documents as text. Provided by `feature-documents`. */
export const documentsService = defineServiceReference<Documents>()('documents')

/** The content is of no type that can be read. */
export const documentTypeUnknownError = defineError<{ readonly mediaType: string }>({
  code: 'document_type_unknown',
  status: 415,
  title: 'Document type unknown',
  message: ({ mediaType }) =>
    `Documents of the type ${mediaType} cannot be read as text. PDF, DOCX, XLSX, PPTX, HTML, e-mail, text, JSON and images can.`,
})

/** The document is damaged, encrypted or hostile. */
export const documentUnreadableError = defineError<{ readonly mediaType: string; readonly reason: string }>({
  code: 'document_unreadable',
  status: 422,
  title: 'Document unreadable',
  message: ({ mediaType, reason }) => `The document (${mediaType}) cannot be read: ${reason}.`,
})

/** Reading the document took more time or memory than one document may. */
export const documentTooCostlyError = defineError<{ readonly mediaType: string; readonly limit: string }>({
  code: 'document_too_costly',
  status: 422,
  title: 'Document too costly',
  message: ({ mediaType, limit }) => `The document (${mediaType}) was not read to its end: it takes more than ${limit}.`,
})

/** Too many documents wait to be read. */
export const documentsBusyError = defineError<Record<string, never>>({
  code: 'documents_busy',
  status: 503,
  title: 'Too many documents',
  message: () => 'Too many documents are being read. Try again in a moment.',
})
