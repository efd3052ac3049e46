import { createHash } from 'node:crypto'
import { domainOf } from './addresses.js'

/** Message-IDs of a mail and of those before it, as they stand in its header: `<a@b>`. */
export interface MessageIds {
  readonly own: string | undefined
  /** The mail that it answers. */
  readonly inReplyTo: string | undefined
  /** The thread, the oldest first. */
  readonly references: readonly string[]
}

const anId = /<[^\s<>\p{C}]{1,250}>/gu
const maxReferences = 100

/** The Message-IDs in a header. */
export const idsIn = (header: string | undefined): readonly string[] =>
  [...(header ?? '').slice(0, 20_000).matchAll(anId)].slice(0, maxReferences).map(([id]) => id)

const hashOf = (parts: readonly string[], length: number): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length)

const ours = /^<as-[\da-f]{24}-([\da-f]{20})@/

/**
 * The Message-ID of a delivery: the same each time it is sent, and another one for each delivery of
 * each connection. It carries the key of the thread, for programs that keep nothing else.
 */
export const messageIdOf = (delivery: {
  readonly connection: string
  readonly id: string
  readonly thread: string
  readonly address: string
}): string => `<as-${hashOf([delivery.connection, delivery.id], 24)}-${delivery.thread}@${domainOf(delivery.address)}>`

/** The key of the thread that a mail belongs to: of what we sent in it, or of its first mail. */
export function threadOf({ own, inReplyTo, references }: MessageIds, address: string): string {
  const before = [...references, ...(inReplyTo === undefined ? [] : [inReplyTo])]
  for (const id of before.toReversed()) {
    const [, key] = ours.exec(id) ?? []
    if (key !== undefined && id.endsWith(`@${domainOf(address)}>`)) return key
  }
  return hashOf([before[0] ?? own ?? ''], 20)
}

/** The root of a thread for the header `References`, if it is known. */
export const rootOf = ({ own, inReplyTo, references }: MessageIds): string | undefined => references[0] ?? inReplyTo ?? own

/**
 * The id of a received message. The same when the mailbox was made anew; another one for a mail that
 * only claims the Message-ID of another one.
 */
export const receivedIdOf = (own: string | undefined, parts: readonly string[]): string => `${own ?? '<>'}#${hashOf(parts, 12)}`

/** The Message-ID within an id of a received message, or of one that was sent. */
export const bareIdOf = (id: string): string | undefined => idsIn(id)[0]

/** The conversation of a thread with one person. */
export const conversationIdOf = (senderId: string, thread: string): string => `${senderId}/${thread}`

/** Who takes part in a conversation, and its thread; undefined for any other id. */
export function partsOf(conversationId: string): { readonly address: string; readonly thread: string } | undefined {
  const [, address, thread] = /^(?:unverified:)?([^/\s\p{C}]+)\/([\da-f]{20})$/u.exec(conversationId) ?? []
  return address === undefined || thread === undefined ? undefined : { address, thread }
}

/** A short name of a conversation or a delivery, for the state. */
export const shortOf = (id: string): string => hashOf([id], 16)
