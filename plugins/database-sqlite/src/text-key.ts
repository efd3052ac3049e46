import { createHash } from 'node:crypto'
import type { SearchTerm } from '@agent-service/sdk/contracts/database-driver'

/**
 * What every word of a scope begins with in the index: 80 bits of a digest as 16 characters of base
 * 32. So a search reads lists of its own scope alone, and their size is all that its cost depends
 * on.
 */
export const scopeKey = (scope: string): string =>
  BigInt(`0x${createHash('sha256').update(scope).digest('hex').slice(0, 20)}`)
    .toString(32)
    .padStart(16, '0')

/**
 * Words as the index gets them. Between passages stands the key alone, which no term can ask for.
 */
export const wordsWithKey = (key: string, words: string): string => `${key}${words.replaceAll('\n', '  ').replaceAll(' ', ` ${key}`)}`

/**
 * Terms as FTS5 reads them. Each is a string of its syntax, in which quotation marks alone mean
 * something.
 */
export const matchText = (key: string, terms: readonly SearchTerm[]): string =>
  terms
    .map(({ words, prefix }) => `"${words.map((word) => key + word.replaceAll('"', '""')).join(' ')}"${prefix ? ' *' : ''}`)
    .join(' AND ')
