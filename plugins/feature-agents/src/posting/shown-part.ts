import { isUtf8 } from 'node:buffer'
import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import { type Documents, documentsBusyError } from '@agent-service/sdk/services/documents'
import { changedMeanwhile } from './copy-into-workspace.js'
import { documentText } from './document-text.js'
import { type FoundFile, maxTextBytes } from './find-file.js'

/** With less room, the text of a PDF is left out. */
const minTextBytes = 2_000

/** What reading a file for a model needs beside it. */
export interface ShowOptions {
  readonly documents: Documents | undefined
  /** How many bytes the message has left for the text of a PDF. */
  readonly room: number
  readonly userId: string
  readonly signal: AbortSignal | undefined
}

/** `unshown`: no model can be shown the file; `problem`: it cannot be attached. Both are words that follow the path. */
export type Shown = { readonly part: ImagePart | FilePart } | { readonly unshown: string } | { readonly problem: string }

/**
 * The whole file as a part, or the text of a document. A file that has changed since its first bytes were checked is refused:
 * its kind may have changed.
 */
export async function shownPart({ folder, head, kind, document }: FoundFile, options: ShowOptions): Promise<Shown> {
  const content = await folder.read(head.path, { length: head.size })
  if (content?.etag !== head.etag || content?.bytes.length !== head.size) return { problem: changedMeanwhile }
  const { name } = content
  const bytes = Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength)
  if (document || (!kind && (!isUtf8(bytes) || bytes.includes(0)))) {
    const { documents, userId, signal } = options
    if (!documents) return { unshown: 'is not a picture (PNG, JPEG, GIF, WebP), a PDF or a UTF-8 text, so it cannot be shown to a model' }
    const found = await documentText(documents, { bytes, name, maxBytes: maxTextBytes, userId, signal })
    if ('problem' in found) return { unshown: found.problem }
    return { part: { type: 'file', media_type: 'text/markdown', name, data: Buffer.from(found.text).toString('base64') } }
  }
  const data = bytes.toString('base64')
  if (kind?.part === 'image') return { part: { type: 'image', media_type: kind.mediaType, data } }
  const text = kind && (await textBeside(bytes, name, options))
  const part: FilePart = { type: 'file', media_type: kind?.mediaType ?? textType(name), name, data }
  return { part: text === undefined ? part : { ...part, as_text: text } }
}

/** The text of a PDF, for models that cannot be sent one. A PDF without it is shown to all others. */
async function textBeside(bytes: Uint8Array, name: string, { documents, room, userId, signal }: ShowOptions): Promise<string | undefined> {
  // As JSON, a text takes up to twice its bytes.
  const maxBytes = Math.min(maxTextBytes, Math.floor(room / 2))
  if (!documents || maxBytes < minTextBytes) return undefined
  try {
    const found = await documentText(documents, { bytes, name, maxBytes, userId, signal })
    return 'text' in found ? found.text : undefined
  } catch (error) {
    signal?.throwIfAborted()
    if (documentsBusyError.isInstance(error) || timedOut(error)) return undefined
    throw error
  }
}

const timedOut = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

const textTypes: Readonly<Record<string, string>> = { csv: 'text/csv', htm: 'text/html', html: 'text/html', md: 'text/markdown' }

/** Adapters accept every `text/…`; a specific type informs a model better. */
function textType(name: string): string {
  const ending = name.toLowerCase().split('.').at(-1) ?? ''
  return Object.hasOwn(textTypes, ending) ? (textTypes[ending] ?? 'text/plain') : 'text/plain'
}
