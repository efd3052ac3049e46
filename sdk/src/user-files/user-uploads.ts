import type { UserFileConditions } from './user-file.js'

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
  /** Where the file will be, below the `UserFolder`. */
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
 * nothing was added to for a day is removed by `UserFiles.freeLeftovers`.
 *
 * Every method may throw `path_invalid`, and `storage_full` if it writes.
 */
export interface UserUploads {
  /**
   * Begins an upload. The conditions are checked now and again before the file comes to its path.
   * An empty file is there at once. @throws as `UserFolder.write`, and `too_many_uploads` if
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
   * `upload_too_long`, `upload_checksum_mismatch`, and as `UserFolder.write`.
   */
  append(
    id: string,
    content: AsyncIterable<Uint8Array>,
    options: { readonly offset: number; readonly checksum?: UserUploadChecksum; readonly signal?: AbortSignal },
  ): Promise<UserUpload | undefined>
  /** Ends an unfinished upload and frees its room; false if there was none. @throws `upload_locked`. */
  drop(id: string): Promise<boolean>
}
