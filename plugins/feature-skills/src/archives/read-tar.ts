import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { skillRefusedError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import { type FileCollector, shown } from './file-collector.js'

const refused = (reason: string): Error => skillRefusedError.create({ reason })
const chunkBytes = 65_536
/** Headers and padding come on top of the files. */
const maxTarBytes = limits.maxSkillBytes + 2_048 * limits.maxEntries

/** Reads a gzipped tar archive into a collector. @throws `skill_refused`. */
export async function readTar(bytes: Uint8Array, files: FileCollector, signal: AbortSignal): Promise<void> {
  const { extract } = await import('tar-stream')
  const entries = extract()
  const unpacked = Readable.from(unpack(bytes, signal))
  unpacked.on('error', (error) => entries.destroy(error))
  unpacked.pipe(entries)
  try {
    for await (const entry of entries) {
      signal.throwIfAborted()
      const { name, type, size = 0 } = entry.header
      // The header of an archive of git is no file.
      if (type === 'pax-global-header') {
        entry.resume()
        continue
      }
      if (type === 'directory') {
        if (name !== './' && name !== '.') files.folder(name.replace(/^\.\//, ''))
        entry.resume()
        continue
      }
      if (type !== 'file' && type !== 'contiguous-file') throw refused(`${shown(name)} is a link or a device`)
      if (size > limits.maxFileBytes) throw refused(`${shown(name)} has more than ${limits.maxFileBytes} bytes`)
      const file = files.file(name.replace(/^\.\//, ''))
      for await (const chunk of entry as AsyncIterable<Buffer>) file.write(chunk)
      file.end()
    }
  } finally {
    unpacked.destroy()
    entries.destroy()
  }
}

/** The unpacked bytes; ends with an error before much of a bomb has come out. */
async function* unpack(bytes: Uint8Array, signal: AbortSignal): AsyncIterable<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  gunzip.end(bytes)
  let total = 0
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    total += chunk.byteLength
    if (total > maxTarBytes) throw refused(`it has more than ${maxTarBytes} bytes when it is unpacked`)
    if (total > limits.freeBytes && total > limits.maxRatio * bytes.byteLength)
      throw refused(`it grows more than ${limits.maxRatio} times when it is unpacked`)
    yield chunk
  }
}
