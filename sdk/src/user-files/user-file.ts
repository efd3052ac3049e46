/**
 * What a name refers to: `file` is a regular file with one name, and all that is ever read; `link`
 * is a symbolic link; `other` is a FIFO, a device, a socket, or a file with several names.
 */
export type UserFileKind = 'file' | 'folder' | 'link' | 'other'

/** Metadata of a name, without opening it. */
export interface UserFileEntry {
  /** The last name of the path. Empty for the folder itself. */
  readonly name: string
  /** Below the `UserFolder`, with `/` between names. */
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

/** Which bytes. */
export interface UserFileRange {
  /** The first byte. Default 0. */
  readonly offset?: number
  /** How many at most. Default: up to the end. */
  readonly length?: number
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
