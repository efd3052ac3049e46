import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'
import type { UserFolder } from '../user-files/user-folder.js'
import type { UserUploads } from '../user-files/user-uploads.js'

export * from '../user-files/user-file.js'
export * from '../user-files/user-folder.js'
export * from '../user-files/user-uploads.js'

/**
 * A folder below a user's folder that one plugin owns, as its manifest declares it in
 * `storage.subsystems`: `workspaces`. A plugin reaches those that its manifest declares or names in
 * `storage.uses`.
 */
export type UserSubsystem = string

/** Whose files: the name of the user's folder, `Account.handle`. */
export interface UserFilesOwner {
  /** Of the account; never the username. */
  readonly handle: string
}

/** The location of a {@link UserFolder}. */
export interface UserFolderPlace {
  /** The first name below the user's folder. */
  readonly subsystem: UserSubsystem
  /** A folder below it, `agent-1`. Default: the subsystem's own folder. */
  readonly path?: string
  /**
   * What symbolic links on the way to a name are. `follow`: other names, inside of the folder.
   * `refuse`: nothing that is there, so that what is opened has exactly the path that was named;
   * for those who decide about paths, with {@link UserFolder.realPath}. Default `follow`.
   */
  readonly links?: 'follow' | 'refuse'
}

/** What the files of a user take. */
export interface UserFileUsage {
  /** What the files of the user take together, in bytes. */
  readonly usedBytes: number
  /** `storage.max_bytes_per_user`; absent without a limit. */
  readonly maxBytes?: number
}

/**
 * The files of users: `{storage.data_dir}/users/{handle}/{subsystem}/…`. Every path is checked by
 * the kernel, against what was opened rather than against what was named. The caller decides for
 * whom: pass the user that the request or the run belongs to, and the narrowest folder that will
 * do.
 *
 * @example
 * const folder = context.use(userFilesService).folder({ handle: 'ada' }, { subsystem: 'notes' })
 * await folder.write('today.md', new TextEncoder().encode('Buy milk.'))
 * const file = await folder.read('today.md')
 */
export interface UserFiles {
  /**
   * The files below one folder. Opens nothing. @throws `path_invalid` for a handle or a path that
   * is none, `subsystem_undeclared` for a subsystem that the plugin's manifest neither declares nor
   * names in `storage.uses`.
   */
  folder(owner: UserFilesOwner, place: UserFolderPlace): UserFolder
  /**
   * The uploads below one folder. Opens nothing. Files come to their paths as with a folder of that
   * place. @throws as {@link UserFiles.folder}.
   */
  uploads(owner: UserFilesOwner, place: UserFolderPlace): UserUploads
  /**
   * The absolute path of a folder on this machine, for a process that works in it; it and the
   * folders above are made if they are missing, and each is a folder, no link. A
   * process that has the path is beyond every check of this service: give it to a confined one alone.
   * @throws as {@link UserFiles.folder}, `file_conflict`, `file_not_found` if a link is in the way.
   */
  hostFolder(owner: UserFilesOwner, place: Omit<UserFolderPlace, 'links'>): Promise<string>
  /**
   * What the files of a user take and may take, in all subsystems. Every write is held to it.
   * @throws `path_invalid` for a handle that is none.
   */
  stored(owner: UserFilesOwner): Promise<UserFileUsage>
  /** What the files of one user may take together, in bytes; absent without a limit. */
  readonly maxBytes?: number
  /**
   * Frees what interrupted writes and removals left behind, of all users: folders that were
   * removed, and files that were being written and uploads that nothing was written to for a day. For a
   * job; it may run beside everything else. @throws the signal's reason.
   */
  freeLeftovers(options: { readonly signal: AbortSignal }): Promise<void>
}

/** Files of users, checked. Provided by the kernel. */
export const userFilesService = defineServiceReference<UserFiles>()('kernel.user-files')

/** A path that does not lead below its folder. */
export const userPathInvalidError = defineError<{ readonly path: string; readonly problem: string }>({
  code: 'path_invalid',
  status: 422,
  title: 'Invalid path',
  message: ({ path, problem }) => `The path ${JSON.stringify(path.slice(0, 200))} ${problem}.`,
})

/** Nothing is there, or nothing that belongs to the folder. */
export const userFileNotFoundError = defineError<{ readonly path: string }>({
  code: 'file_not_found',
  status: 404,
  title: 'File not found',
  message: ({ path }) => `“${path}” does not exist here.`,
})

/** The entry at the path is in the way. */
export const userFileConflictError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'file_conflict',
  status: 409,
  title: 'File conflict',
  message: ({ path, reason }) => `“${path}” ${reason}.`,
})

/** The entry at the path is not the one that the caller has seen. */
export const userFileChangedError = defineError<{ readonly path: string }>({
  code: 'precondition_failed',
  status: 412,
  title: 'Precondition failed',
  message: ({ path }) =>
    `“${path}” is not what If-Match or If-None-Match asks for. Read it again, then repeat the change with its new etag.`,
})

/** More bytes than this way of reading or writing takes. */
export const userFileTooLargeError = defineError<{ readonly path: string; readonly limit: number }>({
  code: 'file_too_large',
  status: 413,
  title: 'File too large',
  message: ({ path, limit }) => `“${path}” has more than ${limit} bytes, the maximum here. Read it in parts.`,
})

/** A folder that can no longer be listed in pages. */
export const userFolderTooLargeError = defineError<{ readonly path: string; readonly limit: number }>({
  code: 'folder_too_large',
  status: 422,
  title: 'Folder too large',
  message: ({ path, limit }) => `The folder “${path}” holds more than ${limit} names. Move some of them into folders of their own.`,
})

/**
 * The disk, or the user's share of it, is full, or has too little room for a size that was announced:
 * `needed` and `left` are in bytes.
 */
export const userStorageFullError = defineError<{ readonly path: string; readonly needed?: number; readonly left?: number }>({
  code: 'storage_full',
  status: 507,
  title: 'Storage full',
  message: ({ path, needed, left }) =>
    needed === undefined || left === undefined
      ? `No room is left to write “${path}”. The file is unchanged. Free some space and try again.`
      : `“${path}” needs ${needed} bytes, and ${left} are left on the disk of the service for it, besides a reserve, what has been announced already, and a quarter for other users. The file is unchanged. Free some space and try again.`,
})

/** Bytes are being added to the upload by another request. */
export const userUploadLockedError = defineError<{ readonly id: string }>({
  code: 'upload_locked',
  status: 423,
  title: 'Upload locked',
  message: ({ id }) => `Another request is adding to the upload ${id}. Wait until it has ended, then ask for the offset.`,
})

/** The bytes do not begin where those that have arrived end. */
export const userUploadOffsetError = defineError<{ readonly given: number; readonly expected: number }>({
  code: 'upload_offset_conflict',
  status: 409,
  title: 'Wrong offset',
  message: ({ given, expected }) => `The upload has ${expected} bytes; the next ones cannot begin at ${given}.`,
})

/** More bytes than were announced. */
export const userUploadTooLongError = defineError<{ readonly size: number }>({
  code: 'upload_too_long',
  status: 413,
  title: 'Upload too long',
  message: ({ size }) => `The upload was announced with ${size} bytes; no more are accepted.`,
})

/** The bytes are not those that the client sent. */
export const userUploadChecksumError = defineError<{ readonly algorithm: string }>({
  code: 'upload_checksum_mismatch',
  status: 460,
  title: 'Checksum mismatch',
  message: ({ algorithm }) =>
    `The ${algorithm} checksum of the bytes is not the one in the request; none of them was kept. Send them again.`,
})

/** A user has as many unfinished uploads as there may be. */
export const userUploadsTooManyError = defineError<{ readonly max: number }>({
  code: 'too_many_uploads',
  status: 429,
  title: 'Too many uploads',
  message: ({ max }) => `You have ${max} unfinished uploads, which is the maximum. Finish or cancel one.`,
})
