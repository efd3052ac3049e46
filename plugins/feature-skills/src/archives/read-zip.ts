import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { skillRefusedError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import { type FileCollector, shown } from './file-collector.js'

const refused = (reason: string): Error => skillRefusedError.create({ reason })

const fileTypeMask = 0o170_000
const regular = 0o100_000
const folder = 0o040_000
const unix = 3
/** FAT and the two file systems of Windows, as the maker of an archive. */
const dosKinds: ReadonlySet<number> = new Set([0, 10, 14])

/** Reads a zip archive into a collector. @throws `skill_refused`. */
export async function readZip(bytes: Uint8Array, files: FileCollector, signal: AbortSignal): Promise<void> {
  // Names are read and checked below, and so are encryption and methods.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true } as const
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), options)
  try {
    if (zip.entryCount > limits.maxEntries) throw refused(`it has more than ${limits.maxEntries} entries`)
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted()
      await readEntry(zip, entry, files, signal)
    }
  } finally {
    zip.close()
  }
}

async function readEntry(zip: ZipFile, entry: Entry, files: FileCollector, signal: AbortSignal): Promise<void> {
  const { uncompressedSize, compressedSize } = entry
  const fileName = nameOf(entry)
  const type = entry.versionMadeBy >>> 8 === unix ? (entry.externalFileAttributes >>> 16) & fileTypeMask : 0
  if (type !== 0 && type !== regular && type !== folder) throw refused(`${shown(fileName)} is a link or a device`)
  if (entry.isEncrypted()) throw refused(`${shown(fileName)} is encrypted`)
  if (fileName.endsWith('/') !== (type === folder) && type !== 0) throw refused(`${shown(fileName)} is a folder and a file at once`)
  if (fileName.endsWith('/')) return files.folder(fileName)
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) throw refused(`${shown(fileName)} is compressed in an unknown way`)
  if (uncompressedSize > limits.maxFileBytes) throw refused(`${shown(fileName)} has more than ${limits.maxFileBytes} bytes`)
  if (uncompressedSize > limits.freeBytes && uncompressedSize > limits.maxRatio * compressedSize)
    throw refused(`${shown(fileName)} grows more than ${limits.maxRatio} times when it is unpacked`)
  const local = await zip.readLocalFileHeaderPromise(entry)
  if (!local.fileName.equals(entry.fileNameRaw)) throw refused(`${shown(fileName)} has two names`)
  const file = files.file(fileName)
  let checksum = 0
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    file.write(chunk)
    checksum = crc32(chunk, checksum)
  }
  if (checksum !== entry.crc32) throw refused(`${shown(fileName)} is damaged: its checksum is another one`)
  file.end()
}

/**
 * The name of an entry. Archivers of macOS write UTF-8 without saying so, so bytes that are UTF-8 are
 * read as such; others are of the code page of DOS, unless a field gives the name in Unicode. Where
 * Windows made the archive, a backslash is a slash.
 */
function nameOf(entry: Entry): string {
  const { fileNameRaw, generalPurposeBitFlag, extraFields, versionMadeBy } = entry
  const name = isUtf8(fileNameRaw)
    ? fileNameRaw.toString('utf8')
    : getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
  return dosKinds.has(versionMadeBy >>> 8) ? name.replaceAll('\\', '/') : name
}
