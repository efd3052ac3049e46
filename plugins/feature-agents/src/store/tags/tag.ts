import { createHash } from 'node:crypto'
import type { Problem } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { Chat } from '../chats/chat.js'

/** The most tags of one chat, and the most characters of one tag. */
export const maxTags = 20
export const maxTagLength = 40

/** One tag of one listed chat, by which lists find the chat. */
export type ChatTag = {
  /** `<chat>/<hash of the key>`. */
  readonly id: string
  readonly user_id: string
  readonly chat_id: string
  /** The tag without differences in case. */
  readonly key: string
  readonly listing: Chat['listing']
  readonly pinned: boolean
  readonly space_id: string | null
  /** When a person or a program last wrote to the chat or changed it. */
  readonly active_at: string
}

export const chatTagCollection = defineCollection<ChatTag>()({
  name: 'agents.chat_tags',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_chat: { fields: ['chat_id', 'id'] },
    by_tag: { fields: ['user_id', 'key', 'listing', 'active_at', 'id'] },
    by_tag_pinned: { fields: ['user_id', 'key', 'listing', 'pinned', 'active_at', 'id'] },
    by_tag_space: { fields: ['space_id', 'key', 'listing', 'active_at', 'id'] },
    by_tag_space_pinned: { fields: ['space_id', 'key', 'listing', 'pinned', 'active_at', 'id'] },
  },
})

/** A tag of a user with the number of chats that have it. */
export type UserTag = {
  /** `<user>/<hash of the key>`. */
  readonly id: string
  readonly user_id: string
  readonly key: string
  /** As it was written in the first of these chats. */
  readonly tag: string
  /** At least 1. */
  readonly chats: number
}

export const userTagCollection = defineCollection<UserTag>()({
  name: 'agents.tags',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'key', 'id'] } },
})

/** The same for tags that differ in case alone. */
export const tagKey = (tag: string): string => tag.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/** The id of the record of a tag below a chat or a user. */
export const tagRecordId = (owner: string, key: string): string => `${owner}/${createHash('sha256').update(key).digest('hex').slice(0, 32)}`

/**
 * Control characters, line ends, lone surrogates, and marks that change the direction of a text.
 */
const forbidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

/**
 * Tags in their normal form (NFC, without spaces around them), or the problems with the position of
 * each.
 */
export function normalTags(given: readonly string[]): { readonly tags: readonly string[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const seen = new Map<string, number>()
  const tags = given.map((tag, index) => {
    const normal = tag.normalize('NFC').trim()
    const length = [...normal].length
    const same = seen.get(tagKey(normal))
    const message =
      length === 0 || length > maxTagLength
        ? `must have 1 to ${maxTagLength} characters, found ${length}`
        : forbidden.test(normal)
          ? 'must not contain control characters'
          : same !== undefined && `is the same tag as number ${same}; case makes no difference`
    if (message) problems.push({ path: `/${index}`, message })
    seen.set(tagKey(normal), index)
    return normal
  })
  if (given.length > maxTags) problems.push({ path: '', message: `must have at most ${maxTags} tags, found ${given.length}` })
  return { tags, problems }
}
