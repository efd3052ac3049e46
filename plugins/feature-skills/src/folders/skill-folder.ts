/** An entry of a {@link SkillFolder}. */
export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
  /** In bytes; 0 for anything but a file. */
  readonly size: number
  /** In milliseconds since 1970. */
  readonly modifiedAt: number
  /** Another content has another one, as far as the time of the file system goes. Empty for folders. */
  readonly etag: string
}

/**
 * A folder in which skills are kept, wherever that is. Paths are relative, with `/` between names;
 * the empty one is the folder itself. No operation follows a link or leaves the folder.
 */
export interface SkillFolder {
  /** Ordered by name, at most `max`; empty if it does not exist or is no folder. */
  list(path: string, max: number): Promise<readonly FolderEntry[]>
  stat(path: string): Promise<FolderEntry | undefined>
  /** `undefined` for anything but a file. Nothing above the limit of one file is read. */
  read(path: string): Promise<Uint8Array | undefined>
  /**
   * Writes a file, whole or not at all; when this resolves it survives a power failure. Folders
   * that are missing are made. `ifMatch`: only over this etag.
   */
  write(path: string, bytes: Uint8Array, options: { readonly ifMatch?: string; readonly signal?: AbortSignal }): Promise<void>
  /** In one step, for files and folders; nothing may be at the new path. */
  move(from: string, to: string): Promise<void>
  /** With everything below; nothing happens if it is not there. */
  remove(path: string): Promise<void>
  /** The absolute path of a folder on this machine, without links. */
  hostPath(path: string): Promise<string>
}
