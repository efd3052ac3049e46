import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { tooCostly, unreadable } from '../common/failures.js'

/** How many files an archive may have, and how many bytes all that is unpacked of it may have. */
const maxEntries = 10_000
const maxUnpackedBytes = 256 * 1024 * 1024

/** A document that is a zip archive of files. */
export interface Archive {
  readonly names: readonly string[]
  has(name: string): boolean
  /** The content of a file, in pieces; undefined if there is none of this name. */
  open(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** The whole content of a file. */
  read(name: string): Promise<Buffer | undefined>
}

/**
 * Opens an archive. A file that its index calls too large is not unpacked. What the index says is not
 * believed either: bytes are counted as they are unpacked, over all files and also if one is read twice.
 */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const zip = await fromBufferPromise(buffer, { lazyEntries: true, autoClose: false, validateEntrySizes: true })
  if (zip.entryCount > maxEntries) throw tooCostly(`${maxEntries.toLocaleString('en')} files in one document`)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)

  let unpacked = 0
  // A stream that fails before its reading begins would never end: it is opened when that begins.
  const counted = async function* (entry: Entry): AsyncGenerator<Uint8Array> {
    for await (const piece of await contentOf(zip, entry)) {
      unpacked += piece.length
      if (unpacked > maxUnpackedBytes) throw tooLarge()
      yield piece
    }
  }
  const open = async (name: string): Promise<AsyncIterable<Uint8Array> | undefined> => {
    const entry = entries.get(name)
    if (!entry) return undefined
    if (entry.uncompressedSize > maxUnpackedBytes - unpacked) throw tooLarge()
    return counted(entry)
  }
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    open,
    async read(name) {
      const content = await open(name)
      if (!content) return undefined
      const pieces: Uint8Array[] = []
      for await (const piece of content) pieces.push(piece)
      return Buffer.concat(pieces)
    },
  }
}

const tooLarge = (): Error => tooCostly(`${maxUnpackedBytes / 1024 / 1024} MiB when it is unpacked`)

async function contentOf(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  if (entry.isEncrypted()) throw unreadable('it is encrypted')
  const content = await zip.openReadStreamPromise(entry)
  // Damaged content may fail twice: who reads it gets the first error, and nothing waits for the second.
  content.on('error', () => undefined)
  return content as AsyncIterable<Uint8Array>
}
