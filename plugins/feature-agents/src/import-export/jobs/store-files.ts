import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { type UserFiles, userFileConflictError, userPathInvalidError, userStorageFullError } from '@agent-service/sdk/services/user-files'
import type { Product } from '../../common/products.js'
import { headBytes, kindOf } from '../../posting/file-kind.js'
import { maxImageBytes, maxTextBytes, personMay } from '../../posting/find-file.js'
import { maxMessageBytes } from '../../runs/turns/answer-limits.js'
import type { Attachment } from '../../store/chats/message.js'
import type { ChatDocument, PartInDocument } from '../chat-document.js'
import { exportUnreadableError } from '../exports/export-error.js'
import type { OpenExport } from '../exports/open-export.js'
import type { WantedFile } from '../foreign/chat-tree.js'

/** The most bytes of a file that is stored. */
const maxFileBytes = 25 * 1024 * 1024

/** A document with the files that were found for it. */
export interface DocumentWithFiles {
  readonly document: ChatDocument
  readonly attachments: ReadonlyMap<number, readonly Attachment[]>
  /** How many files were stored. */
  readonly stored: number
  readonly notes: readonly string[]
}

export interface FileStore {
  /**
   * Stores the files of a chat among those of the person, below `files/imports/`, within their quota
   * and as the policies permit, and puts them into the messages. The same content has the same path,
   * so that nothing is stored twice. What cannot be stored is named in the message. @throws the
   * signal's reason.
   */
  store(
    chat: { readonly document: ChatDocument; readonly files: readonly WantedFile[]; readonly product: Product },
    owner: { readonly userId: string; readonly handle: string; readonly signal: AbortSignal },
    from: Pick<OpenExport, 'find'>,
  ): Promise<DocumentWithFiles>
}

type Owner = Parameters<FileStore['store']>[1]

export function createFileStore({
  files,
  policies,
}: {
  readonly files: UserFiles
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}): FileStore {
  /** The path of the stored file, or why it is not stored. */
  const put = async (path: string, bytes: Buffer, { userId, handle, signal }: Owner): Promise<Attachment | string> => {
    const folder = files.folder({ handle }, { subsystem: 'files', links: 'refuse' })
    const full = `files/${path}`
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (!(await personMay(policies, { userId, handle }, 'write_file', full, { signal })))
      return 'the policies of this service do not permit it to be stored'
    try {
      const there = await folder.stat(path)
      const file = there?.kind === 'file' && there.size === bytes.length ? there : (await folder.write(path, bytes, { signal })).file
      return { name, path: full, size: bytes.length, ...(file.etag !== undefined && { etag: file.etag }) }
    } catch (error) {
      if (quotaExceededError.isInstance(error) || userStorageFullError.isInstance(error)) return 'there is no room left for it'
      if (userFileConflictError.isInstance(error) || userPathInvalidError.isInstance(error)) return 'it could not be stored'
      throw error
    }
  }

  /** The content of a file, or why there is none. */
  const bytesOf = async ({ source }: WantedFile, from: Pick<OpenExport, 'find'>): Promise<Buffer | string> => {
    switch (source.kind) {
      case 'missing':
        return 'it is not in the export'
      case 'text':
        return Buffer.from(source.text)
      case 'base64':
        return Buffer.from(source.data, 'base64')
      case 'archived': {
        const found = from.find(source.ids)
        if (!found) return 'it is not in the export'
        if (found.size > maxFileBytes) return `it has ${found.size} bytes; at most ${maxFileBytes} are stored`
        try {
          return await found.read()
        } catch (error) {
          if (exportUnreadableError.isInstance(error)) return error.message
          throw error
        }
      }
    }
  }

  return {
    async store({ document, files: wanted, product }, owner, from) {
      const messages = [...document.messages]
      const attachments = new Map<number, Attachment[]>()
      const missing = new Map<string, string[]>()
      let stored = 0
      for (const file of wanted) {
        owner.signal.throwIfAborted()
        const message = messages[file.message]
        if (!message) continue
        const bytes = await bytesOf(file, from)
        const kept =
          typeof bytes === 'string'
            ? bytes
            : bytes.length === 0
              ? 'it is empty'
              : await put(pathOf(product, file.name, bytes), bytes, owner)
        if (typeof kept === 'string' || typeof bytes === 'string') {
          const reason = typeof kept === 'string' ? kept : 'it is not in the export'
          const names = missing.get(reason)
          if (names) names.push(file.name)
          else missing.set(reason, [file.name])
          messages[file.message] = { ...message, content: [...message.content, { type: 'text', text: `(${file.name})` }] }
          continue
        }
        stored += 1
        const room = maxMessageBytes - Buffer.byteLength(JSON.stringify(message.content)) - 1_024
        const part = partOf(bytes, file.name, room)
        if (!part || message.role === 'tool') {
          const text: PartInDocument = { type: 'text', text: `(${file.name}: ${kept.path})` }
          messages[file.message] = { ...message, content: [...message.content, text] }
          continue
        }
        const before = attachments.get(file.message) ?? []
        attachments.set(file.message, [...before, { ...kept, name: file.name }])
        messages[file.message] = { ...message, content: message.content.toSpliced(before.length, 0, part) }
      }
      const notes = [...missing].map(([reason, names]) => `${listed(names)}: ${reason}`)
      return { document: { ...document, messages }, attachments, stored, notes }
    },
  }
}

const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, 5)
    .map((name) => `“${name}”`)
    .join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`

/** What a model can be shown of a file; undefined: nothing. */
function partOf(bytes: Buffer, name: string, room: number): ImagePart | (FilePart & { readonly data: string }) | undefined {
  if (Math.ceil(bytes.length / 3) * 4 > room) return undefined
  const kind = kindOf(bytes.subarray(0, headBytes))
  if (kind?.part === 'image')
    return bytes.length > maxImageBytes ? undefined : { type: 'image', media_type: kind.mediaType, data: bytes.toString('base64') }
  const isText = kind === undefined && bytes.length <= maxTextBytes && isUtf8(bytes) && !bytes.includes(0)
  if (kind === undefined && !isText) return undefined
  return { type: 'file', media_type: kind?.mediaType ?? 'text/plain', name, data: bytes.toString('base64') }
}

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
}

/** Where a file is stored: by its content, with its name for people, and never outside of the folder. */
function pathOf(product: Product, name: string, bytes: Buffer): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const plain = last
    .replaceAll(/[\p{C}\p{Z}:*?"<>|]+/gu, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .trim()
  const type = kindOf(bytes.subarray(0, headBytes))?.mediaType
  const ending = type === undefined ? undefined : endings[type]
  const short = [...(plain || 'file')]
    .slice(-80)
    .join('')
    .replace(/^[. ]+/, '')
  const whole =
    ending === undefined || new RegExp(`\\.(${ending}|jpeg)$`, 'i').test(short) ? short : `${short.replace(/\.dat$/i, '')}.${ending}`
  return `imports/${product}/${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}-${whole}`
}
