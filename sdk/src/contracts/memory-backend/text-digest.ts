import { createHash } from 'node:crypto'

/**
 * The digest of what a text says, for `digests` of records: 64 hexadecimal digits. Compatibility forms,
 * capital letters, spacing and the punctuation around it make no difference. It does not change between
 * releases.
 *
 * @example
 * const isBarred = (text: string, digests: readonly string[]) => digests.includes(memoryTextDigest(text))
 */
export const memoryTextDigest = (text: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['text', plainText(text)]))
    .digest('hex')

function plainText(text: string): string {
  const flat = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’‘`]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
  return flat.replaceAll(/[\s\u200b\ufeff]+/g, ' ').replaceAll(/^[\s.,;:!?"'()[\]-]+|[\s.,;:!?"'()[\]-]+$/g, '')
}
