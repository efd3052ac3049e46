import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { TokenEncoding } from './token-encoding.js'

/** What is remembered of texts that were counted: the tokens, never the text. */
export interface TextCounts {
  /** The name that a text is remembered by: how it was counted, its length and its digest. */
  nameOf(way: TokenEncoding | 'estimate', text: string): string
  find(name: string): number | undefined
  remember(name: string, tokens: number): void
}

/** About 5 MB. */
const maxRemembered = 32_768

/** Remembers the texts that were asked for last. */
export function createTextCounts(most = maxRemembered): TextCounts {
  const counts = new LRUCache<string, number>({ max: most })
  return {
    nameOf: (way, text) => `${way}:${text.length}:${hash('sha256', text, 'base64')}`,
    find: (name) => counts.get(name),
    remember: (name, tokens) => void counts.set(name, tokens),
  }
}
