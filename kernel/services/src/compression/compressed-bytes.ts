import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Encoding } from './negotiate-encoding.js'

/** Compresses what is sent again and again, and keeps the results. */
export interface CompressedBytes {
  /**
   * `key` names the content, also its version. `read` is called if the result is not kept; those who ask
   * at the same time wait for one compression. @throws what `read` throws; then nothing is kept.
   */
  of(key: string, encoding: Encoding, read: () => Promise<Uint8Array>): Promise<Uint8Array>
}

/** Quick levels: a third of the time of the best ones for some per cent more bytes. */
const compress = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
    }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 6 }),
} as const

/** Compresses in the threads of the process; the results least recently used make room beyond `maxBytes`. */
export function createCompressedBytes({ maxBytes }: { readonly maxBytes: number }): CompressedBytes {
  interface Wanted {
    readonly encoding: Encoding
    readonly read: () => Promise<Uint8Array>
  }
  const kept = new LRUCache<string, Uint8Array, Wanted>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => Math.max(1, bytes.byteLength),
    fetchMethod: async (_key, _before, { context }) => compress[context.encoding](await context.read()),
  })
  return {
    async of(key, encoding, read) {
      return kept.forceFetch(`${encoding} ${key}`, { context: { encoding, read } })
    },
  }
}
