import { isUtf8 } from 'node:buffer'
import type { Problem } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
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
import { type FileKind, headBytes, imageTypes, kindOf } from './file-kind.js'

/** The most bytes of one picture, and of one text. A PDF may take the rest of its message. */
const maxImageBytes = 4 * 1024 * 1024
const maxTextBytes = 200 * 1024

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
   * most bytes of all of them together in the message. @throws `invalid_request` with each file
   * that cannot be shown to a model, and why; `message_too_long`.
   */
  read(
    owner: AttachmentOwner,
    paths: readonly string[],
    room: { readonly used: number; readonly limit: number },
  ): Promise<readonly AttachedFile[]>
}

/** A file before it is read whole. */
interface FoundFile {
  readonly folder: UserFolder
  readonly head: UserFileContent
  readonly kind: FileKind | undefined
  /** As the person gave it. */
  readonly path: string
}

export function createAttachments(dependencies: {
  readonly files: UserFiles
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}): Attachments {
  const { files, policies } = dependencies

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
      return sizeProblem(kind, head.size) ?? { folder, head, kind, path }
    } catch (error) {
      if (userPathInvalidError.isInstance(error)) return `is not a path: ${error.message}`
      throw error
    }
  }

  return {
    async read(owner, paths, { used, limit }) {
      const found = await inOrder(paths, (path) => find(owner, path))
      const sizes = found.reduce((sum, { head, kind }) => sum + partBytes(head.size, kind), 0)
      if (used + sizes > limit) throw messageTooLongError.create({ bytes: used + sizes, limit })
      return inOrder(found, attach)
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

/**
 * The whole file as a part. A file that has changed since its first bytes were checked is refused:
 * its kind may have changed.
 */
async function attach({ folder, head, kind, path }: FoundFile): Promise<AttachedFile | string> {
  const content = await folder.read(head.path, { length: head.size })
  if (content?.etag !== head.etag || content?.bytes.length !== head.size) return 'changed while it was being read. Send the message again'
  const { name, size, etag } = content
  const bytes = Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength)
  if (!kind && (!isUtf8(bytes) || bytes.includes(0))) {
    return 'is not a picture (PNG, JPEG, GIF, WebP), a PDF or a UTF-8 text, so it cannot be shown to a model'
  }
  const data = bytes.toString('base64')
  const attachment: Attachment = { name, path, size, ...(etag === undefined ? {} : { etag }) }
  if (kind?.part === 'image') return { part: { type: 'image', media_type: kind.mediaType, data }, attachment }
  return { part: { type: 'file', media_type: kind?.mediaType ?? textType(name), name, data }, attachment }
}

function sizeProblem(kind: FileKind | undefined, size: number): string | undefined {
  if (size === 0) return 'is empty'
  if (kind?.part === 'image' && size > maxImageBytes) {
    return `has ${size} bytes; a picture may have at most ${maxImageBytes}. Make it smaller`
  }
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
