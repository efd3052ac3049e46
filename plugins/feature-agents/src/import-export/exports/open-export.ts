import { Readable } from 'node:stream'
import { visibleLine } from '@agent-service/sdk'
import type { UserFolder } from '@agent-service/sdk/services/user-files'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { cutText } from '../../common/well-formed.js'
import { exportUnreadableError } from './export-error.js'

/** A file of an export that has chats. */
export interface ExportPart {
  /** Its name, for people. */
  readonly name: string
  /** In bytes, unpacked. */
  readonly size: number
  open(): AsyncIterable<Uint8Array>
}

/** A file in the archive that belongs to a message. */
export interface ExportedFile {
  /** Its last name in the archive. */
  readonly name: string
  /** In bytes, unpacked. */
  readonly size: number
  /** The whole content. @throws `export_unreadable` if it is damaged or not as large as the archive says. */
  read(): Promise<Buffer>
}

/** An export: a ZIP archive, or one file of JSON. */
export interface OpenExport {
  readonly parts: readonly ExportPart[]
  /** The file whose name begins with one of these ids. */
  find(ids: readonly string[]): ExportedFile | undefined
  close(): void
}

/** What is bounded, since an archive may be made to harm. */
const maxEntries = 100_000
const maxNameLength = 1_000
const maxIndexBytes = 64 * 1024 * 1024
const maxParts = 10_000
const maxUnpackedBytes = 8 * 1024 ** 3
const freeBytes = 64 * 1024 * 1024
const maxRatio = 200
const blockBytes = 1024 * 1024

const refused = (reason: string): Error => exportUnreadableError.create({ reason })

/**
 * Opens a person's file as an export. Nothing is unpacked to the disk, and no name in the archive is
 * ever a path. `etag`: that of the file when the import began; another one means it was replaced.
 * @throws `export_unreadable`.
 */
export async function openExport(folder: UserFolder, path: string, etag: string): Promise<OpenExport> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  async function* bytesOf(offset: number, length: number): AsyncGenerator<Uint8Array> {
    const file = await folder.open(path)
    if (!file) throw refused(`${name} is not there any more`)
    if (file.etag !== etag) {
      await file.close()
      throw refused(`${name} was changed while it was being imported. Import it again`)
    }
    yield* file.stream({ offset, length })
  }
  const entry = await folder.stat(path)
  if (entry?.kind !== 'file') throw refused(`${name} is not there any more`)
  const head = await wholeOf(bytesOf(0, Math.min(4, entry.size)))
  const isArchive = head.length === 4 && head.readUInt32LE() === 0x0403_4b50
  if (isArchive) return openArchive(new FileReader(bytesOf), entry.size)
  return { parts: [{ name, size: entry.size, open: () => bytesOf(0, entry.size) }], find: () => undefined, close: () => undefined }
}

/** Reads the index of an archive in blocks, and the content of its files as streams. */
class FileReader extends RandomAccessReader {
  readonly #bytesOf: (offset: number, length: number) => AsyncGenerator<Uint8Array>
  #block: { readonly offset: number; readonly bytes: Buffer } = { offset: 0, bytes: Buffer.alloc(0) }

  constructor(bytesOf: (offset: number, length: number) => AsyncGenerator<Uint8Array>) {
    super()
    this.#bytesOf = bytesOf
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytesOf(start, end - start), { objectMode: false })
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    this.#fill(position, length).then(
      () => {
        const { offset: begin, bytes } = this.#block
        bytes.copy(buffer, offset, position - begin, position - begin + length)
        callback(null)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    )
  }

  async #fill(position: number, length: number): Promise<void> {
    const { offset, bytes } = this.#block
    if (position >= offset && position + length <= offset + bytes.length) return
    const read = await wholeOf(this.#bytesOf(position, Math.max(length, blockBytes)))
    if (read.length < length) throw refused('the archive ends too early. It was not downloaded whole')
    this.#block = { offset: position, bytes: read }
  }
}

async function openArchive(reader: RandomAccessReader, size: number): Promise<OpenExport> {
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, { lazyEntries: true, autoClose: false, validateEntrySizes: true })
    if (zip.entryCount > maxEntries) throw refused(`the archive has more than ${maxEntries} files`)
    const entries: Entry[] = []
    let indexBytes = 0
    for await (const entry of zip.eachEntry()) {
      const { fileNameLength, extraFieldLength, fileCommentLength } = entry
      if (fileNameLength > maxNameLength)
        throw refused(`the archive has a file with a name that is longer than ${maxNameLength} characters`)
      indexBytes += fileNameLength + extraFieldLength + fileCommentLength
      if (indexBytes > maxIndexBytes) throw refused(`the archive says more than ${maxIndexBytes} bytes about its files`)
      if (!entry.fileName.endsWith('/') && !entry.fileName.startsWith('__MACOSX/')) entries.push(entry)
    }
    return exportOf(zip, entries)
  } catch (error) {
    throw exportUnreadableError.isInstance(error) ? error : refused(`the archive cannot be read: ${reasonOf(error)}`)
  }
}

/** Why, without a full stop: it ends a sentence that has one. */
function reasonOf(error: unknown): string {
  const reason = (error instanceof Error ? error.message : 'it is damaged').replaceAll(/[\p{C}]/gu, ' ').slice(0, 200)
  if (/^End of central directory/i.test(reason)) return 'it is no ZIP file, or was not downloaded whole'
  return reason.replace(/\.+$/, '')
}

const baseOf = ({ fileName }: Entry): string => fileName.slice(fileName.lastIndexOf('/') + 1)
/** Its last name, as one line for people. */
const shownName = (entry: Entry): string => visibleLine(cutText(baseOf(entry), 200))

function exportOf(zip: ZipFile, files: readonly Entry[]): OpenExport {
  const named = files.filter((entry) => /^conversations(-\d+)?\.json$/i.test(baseOf(entry)))
  const unsorted = named.length > 0 ? named : files.filter((entry) => /\.json$/i.test(baseOf(entry)))
  if (unsorted.length > maxParts) throw refused(`the archive has more than ${maxParts} files with chats`)
  const inOrder = new Intl.Collator('en', { numeric: true })
  const chats = unsorted.toSorted((one, other) => inOrder.compare(one.fileName, other.fileName))
  if (chats.length === 0) {
    const inner = files.find((entry) => /\.zip$/i.test(baseOf(entry)))
    throw refused(
      inner
        ? `the archive has other archives in it (${shownName(inner)}). Unpack it, and import each of them`
        : 'the archive has no “conversations.json” and no other file of JSON',
    )
  }
  let unpacked = 0
  async function* contentOf(entry: Entry): AsyncGenerator<Uint8Array> {
    checkEntry(entry)
    const stream = await zip.openReadStreamPromise(entry)
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        unpacked += chunk.length
        if (unpacked > maxUnpackedBytes) throw refused(`the archive has more than ${maxUnpackedBytes} bytes when it is unpacked`)
        yield chunk
      }
    } catch (error) {
      throw exportUnreadableError.isInstance(error) ? error : refused(`${shownName(entry)} in the archive is damaged: ${reasonOf(error)}`)
    }
  }
  const index = indexOf(files)
  return {
    parts: chats.map((entry) => ({ name: shownName(entry), size: entry.uncompressedSize, open: () => contentOf(entry) })),
    find(ids) {
      const entry = ids.map((id) => index.get(id.toLowerCase())).find((found) => found !== undefined)
      return entry && { name: shownName(entry), size: entry.uncompressedSize, read: () => wholeOf(contentOf(entry)) }
    },
    close: () => zip.close(),
  }
}

function checkEntry(entry: Entry): void {
  const { uncompressedSize, compressedSize, compressionMethod } = entry
  const name = shownName(entry)
  if (entry.isEncrypted()) throw refused(`${name} in the archive is encrypted`)
  if (compressionMethod !== 0 && compressionMethod !== 8) throw refused(`${name} in the archive is compressed in an unknown way`)
  if (uncompressedSize > freeBytes && uncompressedSize > maxRatio * compressedSize)
    throw refused(`${name} grows more than ${maxRatio} times when it is unpacked`)
}

/**
 * The files by all that their names can begin with: `file-a1b2-plan.png` and `file_00aa-sanitized.png`
 * belong to `file-a1b2` and `file_00aa`. The first of a name counts.
 */
function indexOf(files: readonly Entry[]): ReadonlyMap<string, Entry> {
  const index = new Map<string, Entry>()
  const put = (key: string, entry: Entry): void => void (key !== '' && !index.has(key) && index.set(key, entry))
  for (const entry of files) put(baseOf(entry).toLowerCase(), entry)
  for (const entry of files) {
    const name = baseOf(entry).toLowerCase()
    for (const { index: end } of [...name.matchAll(/[-_.]/g)].slice(0, 8)) put(name.slice(0, end), entry)
  }
  return index
}

async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}
