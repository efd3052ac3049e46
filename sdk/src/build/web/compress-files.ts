import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Texts that browsers load; fonts and pictures are compressed already. */
const isServedText = (file: string): boolean => /\.(js|css|html|svg|json|webmanifest)$/.test(file)
/** Below it a compressed text saves no packet. */
const minBytes = 1024

/** The smallest that Brotli makes of a text, in bytes. */
export const compressText = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })

const forms: readonly (readonly [suffix: string, compress: (bytes: Buffer) => Promise<Buffer>])[] = [
  ['.br', compressText],
  ['.gz', (bytes) => promisify(gzip)(bytes, { level: 9 })],
]

/**
 * Writes `.br` and `.gz` beside each text of a folder, also in folders below it, for which that is smaller, with the time of
 * the text: the service sends them in its place. Zlib works in the threads of the process, several files at a time.
 */
export async function compressFiles(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  await Promise.all(files.filter(isServedText).map((file) => compressFile(path.join(folder, file))))
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < minBytes) return
  const { atime, mtime } = await stat(file)
  for (const [suffix, compress] of forms) {
    const compressed = await compress(bytes)
    if (compressed.length >= bytes.length) continue
    await writeFile(`${file}${suffix}`, compressed)
    await utimes(`${file}${suffix}`, atime, mtime)
  }
}
