import type { Problem } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Documents } from '@agent-service/sdk/services/documents'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { messageTooLongError } from '../common/errors.js'
import { maxMessageBytes } from '../runs/turns/answer-limits.js'
import { type Attachment, maxAttachments } from '../store/chats/message.js'
import { copyIntoWorkspace, notWritable } from './copy-into-workspace.js'
import { type FileKind, imageTypes } from './file-kind.js'
import { type AttachmentOwner, type FoundFile, findFile, maxImageBytes, maxTextBytes, personMay } from './find-file.js'
import { shownPart } from './shown-part.js'
import { attachmentsFolder, workspaceName } from './workspace-name.js'

export type { AttachmentOwner } from './find-file.js'

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
  /** Without content if no model can be shown the file, which then lies in a workspace. */
  readonly part: ImagePart | FilePart
  readonly attachment: Attachment
}

/** Where files are attached. */
export interface AttachmentPlace {
  /** The bytes that the message has already, and the most that it may have. */
  readonly used: number
  readonly limit: number
  /** The workspace of the agent that answers, if that can read it. */
  readonly workspace?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A file that is not attached. */
export interface RefusedFile {
  /** Its place among the given ones. */
  readonly index: number
  readonly path: string
  /** Why, in words that follow the path. */
  readonly reason: string
  /** An agent with tools for files could be given it. */
  readonly needsWorkspace: boolean
}

/** What becomes of files that are attached. */
export interface FileOutcome {
  readonly path: string
  readonly shown: boolean
  readonly inWorkspace: boolean
  readonly refused?: RefusedFile
}

/** Reads the files that a person attaches. */
export interface Attachments {
  /**
   * Reads files below the person's own folder, in the given order, as they are now, and puts them
   * into the workspace, if there is one. A model is shown what it can be and what has room; the rest
   * lies in the workspace alone. Of documents that models do not take, the text is attached. Nothing
   * is copied if one of them is refused. @throws `invalid_request` with each file that is refused,
   * and why; `message_too_long`; `documents_busy`; the reason of the signal.
   */
  read(owner: AttachmentOwner, paths: readonly string[], place: AttachmentPlace): Promise<readonly AttachedFile[]>
  /** As {@link Attachments.read}, but leaves out what is refused. */
  readMost(
    owner: AttachmentOwner,
    paths: readonly string[],
    place: AttachmentPlace,
  ): Promise<{ readonly attached: readonly AttachedFile[]; readonly refused: readonly RefusedFile[] }>
  /** What would become of files with a message; nothing is copied. @throws `documents_busy`, the reason of the signal. */
  check(owner: AttachmentOwner, paths: readonly string[], place: AttachmentPlace): Promise<readonly FileOutcome[]>
  /**
   * Puts a file of an earlier message into another workspace, and returns its record with that;
   * the same object, if it lies there already, is no longer the same file or cannot lie there.
   */
  placeAgain(owner: AttachmentOwner, attachment: Attachment, workspace: string): Promise<Attachment>
}

/** What one message has in its workspace's lines for each file, at most. */
const maxLineBytes = 1_000

/** How to go on where a model cannot be shown a file. */
const chooseAnother = 'To give it to an agent, choose one with tools for files: it gets any file in its workspace'

/** A file and what a model is shown of it. */
interface ReadFile {
  readonly index: number
  readonly found: FoundFile
  readonly part?: ImagePart | FilePart
}

export function createAttachments(dependencies: {
  readonly files: UserFiles
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly documents?: Documents | undefined
}): Attachments {
  const { files, policies, documents } = dependencies

  /** One after the other, so that refused files hold few bytes. */
  const findAll = async (owner: AttachmentOwner, paths: readonly string[]): Promise<readonly (FoundFile | RefusedFile)[]> => {
    const found: (FoundFile | RefusedFile)[] = []
    for (const [index, path] of paths.entries()) {
      const file = await findFile(dependencies, owner, path)
      found.push(typeof file === 'string' ? { index, path, reason: file, needsWorkspace: false } : file)
    }
    return found
  }

  const readAll = async (
    owner: AttachmentOwner,
    found: readonly (FoundFile | RefusedFile)[],
    { used, limit, workspace, signal }: AttachmentPlace,
  ): Promise<{ readonly read: readonly ReadFile[]; readonly refused: readonly RefusedFile[] }> => {
    const read: ReadFile[] = []
    const refused: RefusedFile[] = []
    const fits = withinRoom(found, limit - used - (workspace === undefined ? 0 : found.length * maxLineBytes))
    let { room } = fits
    for (const [index, file] of found.entries()) {
      if ('reason' in file) {
        refused.push(file)
        continue
      }
      const unshown = file.unshown ?? (fits.shown.has(file) ? undefined : 'has no room in the message beside the rest of it')
      const result = unshown === undefined ? await shownPart(file, { documents, room, userId: owner.userId, signal }) : { unshown }
      if ('problem' in result) refused.push({ index, path: file.path, reason: result.problem, needsWorkspace: false })
      else if ('part' in result) {
        if (result.part.type === 'file') room -= Buffer.byteLength(result.part.as_text ?? '')
        read.push({ index, found: file, part: result.part })
      } else if (workspace !== undefined) read.push({ index, found: file })
      else refused.push(unshownFile(index, file.path, result.unshown))
    }
    return { read, refused }
  }

  /** The path of a file in the workspace, whole: its own if it lies there already. */
  const place = async (
    owner: AttachmentOwner,
    { folder, head, realPath }: Pick<FoundFile, 'folder' | 'head' | 'realPath'>,
    workspace: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly path: string } | { readonly problem: string }> => {
    const root = `workspaces/${workspace}`
    if (realPath.startsWith(`${root}/`)) return { path: realPath }
    const target = {
      folder: files.folder(owner, { subsystem: 'workspaces', path: workspace, links: 'refuse' }),
      mayWrite: (path: string) => personMay(policies, owner, 'write_file', `${root}/${path}`),
    }
    const { path, name, size, etag } = head
    const copied = await copyIntoWorkspace({ folder, path, name, size, etag }, target, signal)
    return 'path' in copied ? { path: `${root}/${copied.path}` } : copied
  }

  const attach = async (
    owner: AttachmentOwner,
    { index, found, part }: ReadFile,
    { workspace, signal }: AttachmentPlace,
  ): Promise<AttachedFile | RefusedFile> => {
    const placed = workspace === undefined ? undefined : await place(owner, found, workspace, signal)
    if (placed && 'problem' in placed) return { index, path: found.path, reason: placed.problem, needsWorkspace: false }
    const { name, size, etag } = found.head
    return {
      part: part ?? { type: 'file', media_type: found.kind?.mediaType ?? 'application/octet-stream', name },
      attachment: {
        ...{ name, path: found.path, size },
        ...(etag !== undefined && { etag }),
        ...(placed && { workspace_paths: [placed.path] }),
      },
    }
  }

  /** Why a file that is read could not be put into the workspace, as far as that can be told without writing. */
  const placeProblem = async (owner: AttachmentOwner, { realPath, head }: FoundFile, workspace: string): Promise<string | undefined> => {
    const root = `workspaces/${workspace}`
    if (realPath.startsWith(`${root}/`)) return undefined
    if (!(await personMay(policies, owner, 'write_file', `${root}/${attachmentsFolder}/${workspaceName(head.name)}`))) return notWritable
    const { usedBytes, maxBytes } = await files.stored(owner)
    return maxBytes !== undefined && usedBytes + head.size > maxBytes
      ? `has no room in the workspace of this agent: your files may have ${maxBytes} bytes together, and ${usedBytes} are used`
      : undefined
  }

  return {
    async read(owner, paths, place) {
      const found = await findAll(owner, paths)
      refuse(refusedAtSight(found, place))
      if (place.workspace === undefined) refuseTooLong(found, place)
      const { read, refused } = await readAll(owner, found, place)
      refuse(refused)
      const attached: AttachedFile[] = []
      const unplaced: RefusedFile[] = []
      for (const file of read) {
        const result = await attach(owner, file, place)
        if ('reason' in result) unplaced.push(result)
        else attached.push(result)
      }
      refuse(unplaced)
      return attached
    },

    async readMost(owner, paths, place) {
      const { read, refused } = await readAll(owner, await findAll(owner, paths), place)
      const attached: AttachedFile[] = []
      const left = [...refused]
      for (const file of read) {
        const result = await attach(owner, file, place)
        if ('reason' in result) left.push(result)
        else attached.push(result)
      }
      return { attached, refused: left }
    },

    async check(owner, paths, place) {
      const { workspace } = place
      const { read, refused } = await readAll(owner, await findAll(owner, paths), place)
      const outcomes: FileOutcome[] = refused.map((file) => ({ path: file.path, shown: false, inWorkspace: false, refused: file }))
      for (const { index, found, part } of read) {
        const { path } = found
        const reason = workspace === undefined ? undefined : await placeProblem(owner, found, workspace)
        outcomes.push(
          reason === undefined
            ? { path, shown: part !== undefined, inWorkspace: workspace !== undefined }
            : { path, shown: false, inWorkspace: false, refused: { index, path, reason, needsWorkspace: false } },
        )
      }
      return paths.flatMap((path) => outcomes.find((outcome) => outcome.path === path) ?? [])
    },

    async placeAgain(owner, attachment, workspace) {
      const { workspace_paths: known = [], etag, path } = attachment
      if (known.some((each) => each.startsWith(`workspaces/${workspace}/`))) return attachment
      const found = await findFile(dependencies, owner, path)
      if (typeof found === 'string' || found.head.etag !== etag) return attachment
      const placed = await place(owner, found, workspace, undefined)
      return 'path' in placed ? { ...attachment, workspace_paths: [...known, placed.path] } : attachment
    },
  }
}

/** @throws `invalid_request` with each of them. */
function refuse(files: readonly RefusedFile[]): void {
  const problems = files.map(({ index, reason }): Problem => ({ path: `/attachments/${index}/path`, message: reason }))
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
}

/** What is refused without reading it whole. */
const refusedAtSight = (found: readonly (FoundFile | RefusedFile)[], { workspace }: AttachmentPlace): readonly RefusedFile[] =>
  found.flatMap((file, index) => {
    if ('reason' in file) return [file]
    return workspace === undefined && file.unshown !== undefined ? [unshownFile(index, file.path, file.unshown)] : []
  })

/** A file that this agent cannot be given, and others can. */
const unshownFile = (index: number, path: string, why: string): RefusedFile => ({
  ...{ index, path, needsWorkspace: true },
  reason: `${why.replace(/\.$/, '')}. ${chooseAnother}`,
})

/** @throws `message_too_long` before any of them is read whole. */
function refuseTooLong(found: readonly (FoundFile | RefusedFile)[], { used, limit }: AttachmentPlace): void {
  const bytes = used + found.reduce((sum, file) => sum + ('reason' in file ? 0 : bytesOf(file)), 0)
  if (bytes > limit) throw messageTooLongError.create({ bytes, limit })
}

/** The files that have room in a message, the first ones first, and the room that they leave. */
function withinRoom(
  found: readonly (FoundFile | RefusedFile)[],
  room: number,
): { readonly shown: ReadonlySet<FoundFile>; readonly room: number } {
  const shown = new Set<FoundFile>()
  let left = room
  for (const file of found) {
    if ('reason' in file || file.unshown !== undefined || bytesOf(file) > left) continue
    shown.add(file)
    left -= bytesOf(file)
  }
  return { shown, room: left }
}

/** The size of a file in a message. */
const bytesOf = ({ document, head, kind }: FoundFile): number => partBytes(document ? maxTextBytes : head.size, kind)

/** In base64, and with its names. */
const partBytes = (size: number, kind: FileKind | undefined): number => Math.ceil(size / 3) * 4 + (kind?.part === 'image' ? 64 : 1_024)
