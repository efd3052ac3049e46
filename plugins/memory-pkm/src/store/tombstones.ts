import { memoryTextDigest } from '@agent-service/sdk/contracts/memory-backend'
import type { Transaction } from '@agent-service/sdk/services/database'
import { documentId } from '../common/ids.js'
import { normalText, sha256 } from '../common/text.js'
import { type StoredMemory, tombstoneCollection } from './records.js'
import { scopeKey } from './scope-key.js'

/** What a text says, for comparison. */
export const textDigest = (text: string): string => memoryTextDigest(text)

/** The words of a message, for comparison. */
export const sourceDigest = ({
  chatId,
  messageId,
  quote,
}: {
  readonly chatId: string
  readonly messageId: string
  readonly quote: string
}): string => sha256(JSON.stringify(['source', chatId, messageId, normalText(quote)]))

/** A property of a page with its value, for comparison. */
export const valueDigest = (pageId: string, property: string, value: string): string =>
  sha256(JSON.stringify(['value', pageId, property, normalText(value)]))

/** The title of a page, for comparison. */
export const pageDigest = (scope: string, title: string): string => sha256(JSON.stringify(['page', scope, normalText(title)]))

/** Everything by which a memory would be recognised if it were learnt again. */
export const digestsOf = (memory: StoredMemory): readonly string[] => [...ownDigestsOf(memory), ...memory.sources]

/** What it says by itself, without the words that it was learnt from; the first is that of its text. */
export function ownDigestsOf(memory: StoredMemory): readonly string[] {
  const digests = [textDigest(memory.text)]
  if (memory.type === 'statement') digests.push(valueDigest(memory.page_id, memory.property, memory.value))
  if (memory.type === 'page') digests.push(pageDigest(scopeKey(memory.scope), memory.title))
  return digests
}

/** The most digests that a memory keeps of what it was before, the newest. */
const maxBuried = 200

/** The digests of a memory with what it is not to become again. */
export const buriedWith = ({ buried }: StoredMemory, digests: readonly string[]): readonly string[] =>
  [...new Set([...buried, ...digests])].slice(-maxBuried)

export const bury = (transaction: Transaction, userId: string, digests: readonly string[]): void => {
  for (const digest of digests) transaction.put(tombstoneCollection, { id: documentId(userId, digest), user_id: userId, digest })
}

export const isBuried = async (transaction: Transaction, userId: string, digests: readonly string[]): Promise<boolean> => {
  for (const digest of digests) if ((await transaction.get(tombstoneCollection, documentId(userId, digest))) !== undefined) return true
  return false
}

/** A person or agent has said it again on purpose. */
export const unbury = (transaction: Transaction, userId: string, text: string): void =>
  transaction.delete(tombstoneCollection, documentId(userId, textDigest(text)))
