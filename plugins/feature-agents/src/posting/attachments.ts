import { isUtf8 } from 'node:buffer'
import type { Problem } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import { type Documents, documentsBusyError } from '@agent-service/sdk/services/documents'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import {
  type UserFileContent,
  type UserFiles,
  type UserFilesOwner,
  type UserFolder,
  userPathInvalidError,
} from '@agent-service/sdk/services/user-files'
import { messageTooLongError } from '../common/errors.js'
import { maxMessageBytes } from '../runs/turns/answer-limits.js'
import { type Attachment, maxAttachments } from '../store/chats/message.js'
import { documentText, isDocument, maxDocumentBytes } from './document-text.js'
import { type FileKind, headBytes, imageTypes, kindOf } from './file-kind.js'

/** The most bytes of one picture, and of one text. A PDF may take the rest of its message. */
const maxImageBytes = 4 * 1024 * 1024
const maxTextBytes = 200 * 1024
/** With less room, the text of a PDF is left out. */
const minTextBytes = 2_000

/** What one message can have, for clients that check before they upload. */
export const attachmentLimits = {
  max_files: maxAttachments,
  max_image_bytes: maxImageBytes,
  max_text_bytes: maxTextBytes,
  max_message_bytes: maxMessageBytes,
  image_types: imageTypes,
} as const

/** A file as a model sees it, and the message's record of its origin. */
export interface AttachedFile {
  readonly part: ImagePart | FilePart
  readonly attachment: Attachment
}

/** The person who attaches files. */
export interface AttachmentOwner extends UserFilesOwner {
  readonly userId: string
}

/** Reads the files that a person attaches. */
export interface Attachments {
  /**
   * Reads files below the person's own folder, in the given order, as they are now. `room`: the
   * most bytes of all of them together in the message. Of documents that models do not take, the
   * text is attached. @throws `invalid_request` with each file that cannot be shown to a model, and
   * why; `message_too_long`; `documents_busy`; the reason of the signal.
   */
  read(
    owner: AttachmentOwner,
    paths: readonly string[],
    room: { readonly used: number; readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<readonly AttachedFile[]>
}

/** A file before it is read whole. */
interface FoundFile {
  readonly folder: UserFolder
  readonly head: UserFileContent
  readonly kind: FileKind | undefined
  /** Whether it is attached as the text that it has. */
  readonly document: boolean
  /** As the person gave it. */
  readonly path: string
}

export function createAttachments(dependencies: {
  readonly files: UserFiles
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly documents?: Documents | undefined
}): Attachments {
  const { files, policies, documents } = dependencies

  /** The real path of a file behind any links, if the policies let the person read it. */
  const permitted = async (
    { userId }: AttachmentOwner,
    subsystem: string,
    folder: UserFolder,
    named: string,
  ): Promise<string | undefined> => {
    const path = (await folder.realPath(named)) ?? named
    const full = `${subsystem}/${path}`
    const attributes = { path: full, owner: { __entity: { type: 'User', id: userId } } }
    const resource = { type: 'File', id: full, attributes }
    const { allowed } = await policies.isAuthorized({ principal: { type: 'User', id: userId }, action: 'read_file', resource })
    return allowed ? path : undefined
  }

  /** The file at a path, or why it cannot be attached. */
  const find = async (owner: AttachmentOwner, path: string): Promise<FoundFile | string> => {
    const [, subsystem, below] = /^(files|workspaces)\/(.+)$/s.exec(path) ?? []
    if (below === undefined) return 'must name one of your files: files/… or workspaces/…'
    try {
      const place = subsystem === 'files' ? 'files' : 'workspaces'
      const folder = files.folder(owner, { subsystem: place, links: 'refuse' })
      const real = await permitted(owner, place, folder, below)
      if (real === undefined) return 'names a file that the policies of this service do not allow you to read'
      const head = await folder.read(real, { length: headBytes })
      if (!head) return 'names a file that does not exist'
      const kind = kindOf(head.bytes)
      const document = kind === undefined && documents !== undefined && isDocument(head.bytes, head.name)
      return sizeProblem(kind, head.size, document) ?? { folder, head, kind, document, path }
    } catch (error) {
      if (userPathInvalidError.isInstance(error)) return `is not a path: ${error.message}`
      throw error
    }
  }

  return {
    async read(owner, paths, { used, limit, signal }) {
      const found = await inOrder(paths, (path) => find(owner, path))
      const sizes = found.reduce((sum, { head, kind, document }) => sum + partBytes(document ? maxTextBytes : head.size, kind), 0)
      if (used + sizes > limit) throw messageTooLongError.create({ bytes: used + sizes, limit })
      let room = limit - used - sizes
      return inOrder(found, async (file) => {
        const attached = await attach(file, { documents, room, userId: owner.userId, signal })
        if (typeof attached !== 'string' && attached.part.type === 'file') room -= Buffer.byteLength(attached.part.as_text ?? '')
        return attached
      })
    },
  }
}

/**
 * Runs one step after the other, so that refused files hold few bytes. A text result is a problem;
 * all problems are reported together.
 */
async function inOrder<Item, Result extends object>(
  items: readonly Item[],
  take: (item: Item) => Promise<Result | string>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const problems: Problem[] = []
  for (const [index, item] of items.entries()) {
    const result = await take(item)
    if (typeof result === 'string') problems.push({ path: `/attachments/${index}/path`, message: result })
    else results.push(result)
  }
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
  return results
}

/** What attaching a file needs beside it. */
interface AttachOptions {
  readonly documents: Documents | undefined
  /** How many bytes the message has left for the text of a PDF. */
  readonly room: number
  readonly userId: string
  readonly signal: AbortSignal | undefined
}

/**
 * The whole file as a part, or the text of a document. A file that has changed since its first bytes were checked is refused:
 * its kind may have changed.
 */
async function attach({ folder, head, kind, document, path }: FoundFile, options: AttachOptions): Promise<AttachedFile | string> {
  const content = await folder.read(head.path, { length: head.size })
  if (content?.etag !== head.etag || content?.bytes.length !== head.size) return 'changed while it was being read. Send the message again'
  const { name, size, etag } = content
  const bytes = Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength)
  const attachment: Attachment = { name, path, size, ...(etag === undefined ? {} : { etag }) }
  if (document || (!kind && (!isUtf8(bytes) || bytes.includes(0)))) {
    const { documents, userId, signal } = options
    if (!documents) return 'is not a picture (PNG, JPEG, GIF, WebP), a PDF or a UTF-8 text, so it cannot be shown to a model'
    const found = await documentText(documents, { bytes, name, maxBytes: maxTextBytes, userId, signal })
    if ('problem' in found) return found.problem
    return { part: { type: 'file', media_type: 'text/markdown', name, data: Buffer.from(found.text).toString('base64') }, attachment }
  }
  const data = bytes.toString('base64')
  if (kind?.part === 'image') return { part: { type: 'image', media_type: kind.mediaType, data }, attachment }
  const text = kind && (await textBeside(bytes, name, options))
  const part: FilePart = { type: 'file', media_type: kind?.mediaType ?? textType(name), name, data }
  return { part: text === undefined ? part : { ...part, as_text: text }, attachment }
}

/** The text of a PDF, for models that cannot be sent one. A PDF without it is shown to all others. */
async function textBeside(
  bytes: Uint8Array,
  name: string,
  { documents, room, userId, signal }: AttachOptions,
): Promise<string | undefined> {
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

function sizeProblem(kind: FileKind | undefined, size: number, document: boolean): string | undefined {
  if (size === 0) return 'is empty'
  if (kind?.part === 'image' && size > maxImageBytes) {
    return `has ${size} bytes; a picture may have at most ${maxImageBytes}. Make it smaller`
  }
  if (document) return size > maxDocumentBytes ? `has ${size} bytes; a document may have at most ${maxDocumentBytes}` : undefined
  if (!kind && size > maxTextBytes) {
    return `is not a picture (PNG, JPEG, GIF, WebP) or a PDF, and has ${size} bytes; a text may have at most ${maxTextBytes}`
  }
  return undefined
}

/** The size of a file in a message: base64, and its names. */
const partBytes = (size: number, kind: FileKind | undefined): number => Math.ceil(size / 3) * 4 + (kind?.part === 'image' ? 64 : 1_024)

const textTypes: Readonly<Record<string, string>> = { csv: 'text/csv', htm: 'text/html', html: 'text/html', md: 'text/markdown' }

/** Adapters accept every `text/…`; a specific type informs a model better. */
function textType(name: string): string {
  const ending = name.toLowerCase().split('.').at(-1) ?? ''
  return Object.hasOwn(textTypes, ending) ? (textTypes[ending] ?? 'text/plain') : 'text/plain'
}
