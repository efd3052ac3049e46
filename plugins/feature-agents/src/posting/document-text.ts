import { ServiceError } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import { type Documents, documentTypeUnknownError } from '@agent-service/sdk/services/documents'

/** The largest file whose text is attached: what is read of a person's file at once. */
export const maxDocumentBytes = 10 * 1024 * 1024
/** How long all waiting and reading of one file may take. */
const limitMs = 100_000

/** A file whose text a message gets. */
export interface AttachedDocument {
  readonly bytes: Uint8Array
  readonly name: string
  /** The most bytes of its text, in UTF-8. */
  readonly maxBytes: number
  readonly userId: string
  readonly signal: AbortSignal | undefined
}

/** Files that are no text themselves but have one: by how they begin, and e-mails by their name. */
export function isDocument(head: Uint8Array, name: string): boolean {
  const beginning = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 8)).toString('latin1')
  return ['PK\x03\x04', '{\\rtf', '\xd0\xcf\x11\xe0'].some((mark) => beginning.startsWith(mark)) || name.toLowerCase().endsWith('.eml')
}

/**
 * The text of a document within its limit, with a last line that says if something was cut; or why
 * there is none, in words that follow the path. @throws `documents_busy`, or the reason of the signal.
 */
export async function documentText(
  documents: Documents,
  { bytes, name, maxBytes, userId, signal }: AttachedDocument,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  try {
    const found = await documents.toText({ bytes, name, maxCharacters: maxBytes }, { signal: signalWithin(limitMs, signal), userId })
    if (found.text.trim() === '') return { problem: 'has no text that could be shown to a model' }
    return { text: withinBytes(found.text, { maxBytes, cut: found.cut }) }
  } catch (error) {
    signal?.throwIfAborted()
    if (!ServiceError.isInstance(error) || error.status >= 500) throw error
    return error.code === documentTypeUnknownError.code
      ? { problem: 'is neither a picture, a text nor a document that could be shown to a model' }
      : { problem: `cannot be shown to a model: ${error.message}` }
  }
}

const note = '\n\n(Cut here: the document is longer than a message may show of it. Read the file for the rest.)'

function withinBytes(text: string, { maxBytes, cut }: { readonly maxBytes: number; readonly cut: boolean }): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes && !cut) return text
  // A character that the limit divides becomes a mark of replacement, which is left out.
  const kept = bytes
    .subarray(0, Math.max(0, maxBytes - note.length))
    .toString()
    .replace(/\ufffd$/, '')
  return `${kept}${note}`
}
