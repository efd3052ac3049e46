import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

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

/**
 * What a name refers to: `file` is a regular file with one name, and all that is ever read; `link`
 * is a symbolic link; `other` is a FIFO, a device, a socket, or a file with several names.
 */
export type UserFileKind = 'file' | 'folder' | 'link' | 'other'

/** Metadata of a name, without opening it. */
export interface UserFileEntry {
  /** The last name of the path. Empty for the folder itself. */
  readonly name: string
  /** Below the {@link UserFolder}, with `/` between names. */
  readonly path: string
  /** A link is reported as a link, not as its target. */
  readonly kind: UserFileKind
  /** In bytes; 0 for anything but a file. */
  readonly size: number
  /** In milliseconds since 1970. */
  readonly modifiedAt: number
  /**
   * Of files: strong, quoted. Another content has another one, as far as the file system's time
   * goes.
   */
  readonly etag?: string
}

/** A part of a folder, by name. */
export interface UserFilePage {
  /** Ordered by the UTF-16 code units of their names. */
  readonly items: readonly UserFileEntry[]
  /** Pass it as `after` for the next page; absent on the last one. */
  readonly next?: string
  /**
   * How many names of the whole folder cannot be written as a path (control characters, no UTF-8)
   * and are left out.
   */
  readonly unnameable: number
}

/** Bytes of a file, and what was true of it when it was opened. */
export interface UserFileContent extends UserFileEntry {
  /** The whole, or the part that was asked for. */
  readonly bytes: Uint8Array
}

/**
 * A file that is open, and what was true of it when it was opened. It stays this file, even if its
 * name is replaced.
 */
export interface OpenUserFile extends UserFileEntry {
  /**
   * Its bytes, or those of a range, read as they are asked for. Call it once: the file is closed at
   * the end of the stream, on its `return()`, which need not follow a `next()`, and on a failure. A
   * file that becomes shorter meanwhile is an error.
   */
  stream(range?: UserFileRange): AsyncIterable<Uint8Array> & AsyncIterator<Uint8Array>
  /** Its first bytes, 64 KiB at most. Call it before `stream`. */
  peek(length: number): Promise<Uint8Array>
  /** Closes the file; call it if `stream` was not called. A second time nothing happens. */
  close(): Promise<void>
}

/** Which bytes. */
export interface UserFileRange {
  /** The first byte. Default 0. */
  readonly offset?: number
  /** How many at most. Default: up to the end. */
  readonly length?: number
}

/**
 * Conditions on the entry at a path, as the headers of RFC 9110 (13.1) have them: `*`, or etags
 * with commas between.
 */
export interface UserFileConditions {
  /** Only if one of these is there; `*`: only if there is a file. */
  readonly ifMatch?: string
  /** Only if none of these is there; `*`: only if there is nothing. */
  readonly ifNoneMatch?: string
}

/**
 * The files below one folder of a user. Paths are relative to it: plain names with `/` between
 * them, 2,000 characters at most; the empty path is the folder itself. No operation leaves the
 * folder, whatever links it contains and however fast they change: links are followed inside of the
 * folder, unless {@link UserFolderPlace.links} refuses them, and never as the last name of what is
 * read or changed. The folder need not exist; it is made by the first write.
 *
 * Every method may throw `path_invalid`, and `storage_full` if it writes.
 */
export interface UserFolder {
  /**
   * The path that a path leads to: links on the way are followed inside of the folder, whatever its
   * `links` say, the last name only with `followLast` and where it leads to a folder; what is not
   * there yet stays as it is named. `undefined` if a link leads out. It may be another one a moment
   * later: decide about this path, and use it with a folder that refuses links.
   */
  realPath(path: string, options?: { readonly followLast?: boolean }): Promise<string | undefined>
  /** The entry at a path; `undefined` for none, and for what a link leads out to. */
  stat(path: string): Promise<UserFileEntry | undefined>
  /**
   * A part of a folder: at most `limit` names (1 to 1,000, default 1,000) behind the name `after`.
   * `undefined` if the folder does not exist, except that the folder itself is empty before it
   * exists. @throws `folder_too_large` over a million names.
   */
  list(
    path: string,
    options?: { readonly limit?: number; readonly after?: string; readonly signal?: AbortSignal },
  ): Promise<UserFilePage | undefined>
  /**
   * Reads a file into memory; `undefined` for anything but a file. @throws `file_too_large` for
   * more than 10 MiB.
   */
  read(path: string, range?: UserFileRange): Promise<UserFileContent | undefined>
  /**
   * Opens a file of any size for reading; `undefined` if it is not a file. What is decided by its
   * size, its time and its etag is decided about the very file whose bytes are read. Read it, or
   * close it.
   */
  open(path: string): Promise<OpenUserFile | undefined>
  /**
   * Makes a file, or gives it new content, whole or not at all: when this resolves it survives a
   * power failure, and when it rejects or is cut off the file is what it was. Folders that are
   * missing are made. A file keeps its mode; a file with several names gets a content of its own.
   * @throws `precondition_failed`, `file_conflict` (another entry is there), `file_not_found` (a
   * folder of the path leads out), `file_too_large` over `maximumBytes`, `quota_exceeded` if the
   * user's files would take more than they may, the signal's reason, and what the content throws.
   */
  write(
    path: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    options?: UserFileConditions & {
      readonly maximumBytes?: number
      /**
       * How many bytes will come, if that is known: room for them is taken before the first. What
       * comes beyond is taken as it comes.
       */
      readonly expectedBytes?: number
      readonly signal?: AbortSignal
    },
  ): Promise<{ readonly file: UserFileEntry; readonly created: boolean }>
  /**
   * Removes a file, a link (not what it leads to), or a folder: an empty one, with `recursive` one
   * with all that is in it. False if there was nothing. A folder disappears at once; its bytes may
   * be freed later ({@link UserFiles.freeLeftovers}).
   * @throws `precondition_failed`, `file_conflict` for a folder that is not empty.
   */
  remove(path: string, options?: Pick<UserFileConditions, 'ifMatch'> & { readonly recursive?: boolean }): Promise<boolean>
  /**
   * Gives a file, a link or a folder another path, in one step. Folders that are missing are made.
   * @throws `file_not_found`, and `file_conflict` if the new path exists; with `replace` a file
   * takes the place of a file.
   */
  move(from: string, to: string, options?: { readonly replace?: boolean }): Promise<UserFileEntry>
  /**
   * Makes a folder and those above it; nothing happens if it is there. @throws `file_conflict`,
   * `file_not_found`.
   */
  makeFolder(path: string): Promise<void>
}

/** A checksum of bytes, as a client has computed it. */
export interface UserUploadChecksum {
  /** Of the digest. */
  readonly algorithm: 'md5' | 'sha1' | 'sha256'
  /** In base64. */
  readonly digest: string
}

/** A file that arrives in pieces, in one request or over days. */
export interface UserUpload {
  /** Hard to guess; of this folder alone. */
  readonly id: string
  /** Where the file will be, below the {@link UserFolder}. */
  readonly path: string
  /** Of the whole file, in bytes. */
  readonly size: number
  /**
   * How many bytes have arrived and survive a power failure. It is `size` as soon as the file is at
   * its path, and not before.
   */
  readonly offset: number
  /** When it is removed unless another piece arrives, in milliseconds since 1970. */
  readonly expiresAt: number
  /** What the beginner of the upload wanted to be kept with it. */
  readonly note: string
}

/**
 * The uploads below one folder of a user. Their bytes are where no process of an agent reaches
 * them, and outlast a restart; room for the whole file is taken at the beginning. An upload that
 * nothing was added to for a day is removed by {@link UserFiles.freeLeftovers}.
 *
 * Every method may throw `path_invalid`, and `storage_full` if it writes.
 */
export interface UserUploads {
  /**
   * Begins an upload. The conditions are checked now and again before the file comes to its path.
   * An empty file is there at once. @throws as {@link UserFolder.write}, and `too_many_uploads` if
   * the user has a hundred unfinished ones.
   */
  begin(path: string, options: UserFileConditions & { readonly size: number; readonly note?: string }): Promise<UserUpload>
  /**
   * The state of an upload, for a day also of a finished one; `undefined` if it does not exist or is
   * of another folder.
   */
  find(id: string): Promise<UserUpload | undefined>
  /** Those that are not finished, the oldest first; a hundred at most. */
  list(): Promise<readonly UserUpload[]>
  /**
   * Adds bytes behind those that have arrived. If they end early, what has arrived counts, unless
   * there is a checksum: then all of them count or none. With the last byte the file comes to its
   * path in one step; if that is refused, the last byte does not count and can be added again.
   * @throws `upload_locked` while others are being added, `upload_offset_conflict`,
   * `upload_too_long`, `upload_checksum_mismatch`, and as {@link UserFolder.write}.
   */
  append(
    id: string,
    content: AsyncIterable<Uint8Array>,
    options: { readonly offset: number; readonly checksum?: UserUploadChecksum; readonly signal?: AbortSignal },
  ): Promise<UserUpload | undefined>
  /** Ends an unfinished upload and frees its room; false if there was none. @throws `upload_locked`. */
  drop(id: string): Promise<boolean>
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
   * folders above are made if they are missing, and each is a folder, no link. Whoever gets the
   * path is beyond every check of this service: give it to a confined process alone.
   * @throws as {@link UserFiles.folder}, `file_conflict`, `file_not_found` if a link is in the way.
   */
  hostFolder(owner: UserFilesOwner, place: Omit<UserFolderPlace, 'links'>): Promise<string>
  /**
   * What the files of a user take and may take, in all subsystems. Every write is held to it.
   * @throws `path_invalid` for a handle that is none.
   */
  stored(owner: UserFilesOwner): Promise<UserFileUsage>
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

/** The disk, or the user's share of it, is full. */
export const userStorageFullError = defineError<{ readonly path: string }>({
  code: 'storage_full',
  status: 507,
  title: 'Storage full',
  message: ({ path }) => `No room is left to write “${path}”. The file is unchanged. Free some space and try again.`,
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
