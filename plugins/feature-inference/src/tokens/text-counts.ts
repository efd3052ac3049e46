import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { TokenEncoding } from './token-encoding.js'

/** Remembers the token counts of texts, never the texts. */
export interface TextCounts {
  /** The key of a text: how it was counted, its length and its digest. */
  nameOf(way: TokenEncoding | 'estimate', text: string): string
  find(name: string): number | undefined
  remember(name: string, tokens: number): void
}

/** About 5 MB. */
const maxRemembered = 32_768

/** Keeps the most recently used counts. */
export function createTextCounts(max = maxRemembered): TextCounts {
  const counts = new LRUCache<string, number>({ max })
  return {
    nameOf: (way, text) => `${way}:${text.length}:${hash('sha256', text, 'base64')}`,
    find: (name) => counts.get(name),
    remember: (name, tokens) => void counts.set(name, tokens),
  }
}
