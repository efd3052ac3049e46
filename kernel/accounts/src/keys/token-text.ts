import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const marker = 'svc_pat_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodyLength = 30
const checksumLength = 6
const form = new RegExp(`^${marker}[0-9A-Za-z]{${bodyLength + checksumLength}}$`)

/** Whether a bearer claims to be a personal access token. */
export const isTokenText = (bearer: string): boolean => bearer.startsWith(marker)

/**
 * A new token: `svc_pat_`, 30 random characters of base62 (178 bits), and six with the CRC-32 of
 * everything before.
 */
export function makeTokenText(): string {
  const body = Array.from({ length: bodyLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return `${marker}${body}${checksumOf(`${marker}${body}`)}`
}

/** Whether the checksum is right: a mistyped token is refused without reading the database. */
export const isWholeTokenText = (text: string): boolean =>
  form.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

/** The part of a token that is shown after its creation. */
export const shownPrefixOf = (text: string): string => text.slice(0, marker.length + 4)

/** The stored digest of a token. A token has enough random bits for a plain digest. */
export const tokenDigest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let position = 0; position < checksumLength; position += 1) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum
    rest = Math.floor(rest / alphabet.length)
  }
  return checksum
}
