import type { Documents } from '@agent-service/sdk/services/documents'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import {
  type UserFileContent,
  type UserFiles,
  type UserFilesOwner,
  type UserFolder,
  userPathInvalidError,
} from '@agent-service/sdk/services/user-files'
import { isDocument, maxDocumentBytes } from './document-text.js'
import { type FileKind, headBytes, kindOf } from './file-kind.js'

/** The most bytes of one picture, and of one text. A PDF may take the rest of its message. */
export const maxImageBytes = 4 * 1024 * 1024
export const maxTextBytes = 200 * 1024

/** The person who attaches files. */
export interface AttachmentOwner extends UserFilesOwner {
  readonly userId: string
}

/** A file before it is read whole. */
export interface FoundFile {
  readonly folder: UserFolder
  readonly head: UserFileContent
  readonly kind: FileKind | undefined
  /** Whether it is attached as the text that it has. */
  readonly document: boolean
  /** As the person gave it. */
  readonly path: string
  /** Where it is: `files/…` or `workspaces/…`, behind any links. */
  readonly realPath: string
  /** Why no model can be shown it, as far as that is known already; in words that follow the path. */
  readonly unshown?: string | undefined
}

interface FindDependencies {
  readonly files: UserFiles
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly documents?: Documents | undefined
}

/** Whether the policies let a person do this with a file, by its whole path: `files/…` or `workspaces/…`. */
export async function personMay(
  policies: Pick<PolicyService, 'isAuthorized'>,
  { userId }: AttachmentOwner,
  action: 'read_file' | 'write_file',
  path: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<boolean> {
  const principal = { type: 'User', id: userId }
  const resource = { type: 'File', id: path, attributes: { path, owner: { __entity: { type: 'User', id: userId } } } }
  return (await policies.isAuthorized({ principal, action, resource }, options)).allowed
}

/** The file at a path, or why it cannot be attached at all, in words that follow the path. */
export async function findFile(
  { files, policies, documents }: FindDependencies,
  owner: AttachmentOwner,
  path: string,
): Promise<FoundFile | string> {
  const [, subsystem, below] = /^(files|workspaces)\/(.+)$/s.exec(path) ?? []
  if (below === undefined) return 'must name one of your files: files/… or workspaces/…'
  try {
    const place = subsystem === 'files' ? 'files' : 'workspaces'
    const folder = files.folder(owner, { subsystem: place, links: 'refuse' })
    // Decided about the real path, and opened at exactly that.
    const real = (await folder.realPath(below)) ?? below
    if (!(await personMay(policies, owner, 'read_file', `${place}/${real}`)))
      return 'names a file that the policies of this service do not allow you to read'
    const head = await folder.read(real, { length: headBytes })
    if (!head) return 'names a file that does not exist'
    const kind = kindOf(head.bytes)
    const document = kind === undefined && documents !== undefined && isDocument(head.bytes, head.name)
    const unshown = sizeProblem(kind, head.size, document)
    return { folder, head, kind, document, path, realPath: `${place}/${real}`, unshown }
  } catch (error) {
    if (userPathInvalidError.isInstance(error)) return `is not a path: ${error.message}`
    throw error
  }
}

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
