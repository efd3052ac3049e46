import { createHash } from 'node:crypto'
import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { LRUCache } from 'lru-cache'
import { estimateTokens } from './estimate-tokens.js'

/** How many conversations are remembered. */
const maxKnown = 1_000

/**
 * The counted sizes of conversations, so that a conversation is not counted as a whole each time.
 * In memory, the newest thousand.
 */
export interface KnownSizes {
  /**
   * The largest possible size of a conversation, in tokens: the counted size of its beginning, and
   * twice the estimate of the rest. Undefined if none of it was counted. A beginning is identified
   * by its first text, the number of its messages and their estimate.
   */
  atMost(group: string, conversation: readonly ModelMessage[]): number | undefined
  remember(group: string, conversation: readonly ModelMessage[], tokens: number): void
}

interface KnownSize {
  readonly messages: number
  readonly estimate: number
  readonly tokens: number
}

export function createKnownSizes(): KnownSizes {
  const sizes = new LRUCache<string, KnownSize>({ max: maxKnown })

  return {
    atMost(group, conversation) {
      const known = sizes.get(nameOf(group, conversation))
      if (!known || known.messages > conversation.length) return undefined
      if (estimateAll(conversation.slice(0, known.messages)) !== known.estimate) return undefined
      return known.tokens + 2 * estimateAll(conversation.slice(known.messages))
    },
    remember(group, conversation, tokens) {
      sizes.set(nameOf(group, conversation), { messages: conversation.length, estimate: estimateAll(conversation), tokens })
    },
  }
}

/** The estimated size of all messages together. */
export const estimateAll = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { content }) => sum + estimateTokens(content), 0)

function nameOf(group: string, [first]: readonly ModelMessage[]): string {
  const hash = createHash('sha256').update(group)
  for (const part of first?.content ?? []) if (part.type === 'text') hash.update('\0').update(part.text)
  return hash.digest('base64')
}
