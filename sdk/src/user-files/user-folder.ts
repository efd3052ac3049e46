import type { OpenUserFile, UserFileConditions, UserFileContent, UserFileEntry, UserFilePage, UserFileRange } from './user-file.js'

/**
 * The files below one folder of a user. Paths are relative to it: plain names with `/` between
 * them, 2,000 characters at most; the empty path is the folder itself. No operation leaves the
 * folder, whatever links it contains and however fast they change: links are followed inside of the
 * folder, unless `UserFolderPlace.links` refuses them, and never as the last name of what is
 * read or changed. The folder need not exist; it is made by the first write.
 *
 * A name that is composed (NFC) and one that is decomposed (NFD) look the same and mean the same
 * entry: what is not there as it is given is found in the other form, and its entry and `realPath` have
 * the form on the disk. New names are composed. Where both forms are there, each is reached by its own.
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
   * be freed later (`UserFiles.freeLeftovers`).
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
