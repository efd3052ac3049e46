/** One file of an archive. */
export interface ArchiveEntry {
  /** Its path, with `/` between names. */
  readonly name: string
  /** In milliseconds since 1970. */
  readonly modifiedAt: number
  /** Its text, or its bytes as they are read. */
  readonly input: string | AsyncIterable<Uint8Array>
}

/** A name that every file system takes. */
export function plainName(text: string): string {
  const plain = text
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^\.+/, '')
    .slice(0, 100)
  return plain === '' ? '_' : plain
}
