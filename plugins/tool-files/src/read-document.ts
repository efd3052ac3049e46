import { readBytes } from '@agent-service/sdk/async'
import type { Documents, DocumentText } from '@agent-service/sdk/services/documents'
import type { UserFolder } from '@agent-service/sdk/services/user-files'

/** The largest document that is given away to be read, and the most text that comes back. */
const maxDocumentBytes = 64 * 1024 * 1024
const maxCharacters = 2_000_000
/** How many first bytes tell that a file is a document. */
export const documentHeadBytes = 16

/** Files that are no text to edit but have one to read: by how they begin, and e-mails by their name. */
export function isDocument(head: Uint8Array, name: string): boolean {
  const beginning = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, documentHeadBytes)).toString('latin1')
  return (
    ['%PDF-', 'PK\x03\x04', '{\\rtf', '\xd0\xcf\x11\xe0'].some((mark) => beginning.startsWith(mark)) || name.toLowerCase().endsWith('.eml')
  )
}

/** A document as text; undefined if there is no file. @throws the errors of `Documents`, `stream_too_large`. */
export async function readDocument(
  documents: Documents,
  file: { readonly folder: UserFolder; readonly path: string; readonly userId: string; readonly signal: AbortSignal },
): Promise<DocumentText | undefined> {
  const { folder, path, signal, userId } = file
  const opened = await folder.open(path)
  if (!opened) return undefined
  const bytes = await readBytes(opened.stream(), { maxBytes: maxDocumentBytes, what: `“${path}”`, signal })
  return documents.toText({ bytes, name: opened.name, maxCharacters }, { signal, userId })
}

/** What a document is, and what it says of itself, in one line. */
export function aboutDocument({ mediaType, title, details, cut }: DocumentText): string {
  const told = [...(title === undefined ? [] : [['title', title] as const]), ...Object.entries(details)]
  const about = told
    .filter(([name]) => name !== 'charset')
    .slice(0, 8)
    .map(([name, value]) => `${name}: ${value.slice(0, 200)}`)
  const rest = cut ? ` Only its first ${maxCharacters.toLocaleString('en')} characters can be read.` : ''
  return `${[mediaType, ...about].join('; ')}.${rest}`
}
