import { defineMemoryBackend } from '../../contracts/memory-backend/define-memory-backend.js'
import type { MemoryBackend, MemoryReader } from '../../contracts/memory-backend/memory-backend.js'
import type { MemoryItem, MemoryRecord } from '../../contracts/memory-backend/memory-record.js'
import { isInMemoryScope } from '../../contracts/memory-backend/scope-filter.js'
import { memoryTextDigest } from '../../contracts/memory-backend/text-digest.js'
import { pageCursorError } from '../../paging/paging.js'

interface User {
  readonly records: Map<string, MemoryRecord>
  /** The ids by the keys of `remember`. */
  readonly keys: Map<string, string>
}

/** What a plain memory may be given. */
export interface PlainMemoryOptions {
  /** The time, in milliseconds since 1970. */
  now(): number
  /** Default `plain`. */
  readonly id?: string
}

/**
 * A memory back end in memory that keeps the contract and has none of its optional abilities: for
 * tests of what uses one. It finds by substrings.
 */
export function createPlainMemory({ now, id = 'plain' }: PlainMemoryOptions): MemoryBackend {
  const users = new Map<string, User>()
  const of = (userId: string): User => {
    const user = users.get(userId) ?? { records: new Map(), keys: new Map() }
    users.set(userId, user)
    return user
  }
  const time = (): string => new Date(now()).toISOString()
  const live = (reader: MemoryReader): readonly MemoryRecord[] =>
    [...of(reader.userId).records.values()].filter((record) => record.forgotten !== true && isSeenBy(reader, record)).sort(newestFirst)
  const forgetRecord = (
    user: User,
    { origin: _, details: __, title: ___, corrected: ____, whenToUse: _____, ...record }: MemoryRecord,
    digests?: readonly string[],
  ): void =>
    void user.records.set(record.id, {
      ...{ ...record, text: '', pinned: false, evidence: [], updatedAt: time(), forgotten: true },
      ...(digests !== undefined && { digests }),
    })

  return defineMemoryBackend({
    id,
    title: 'Plain memory',
    async promptText({ maxTokens, ...reader }, { signal }) {
      signal.throwIfAborted()
      let text = ''
      for (const record of [...live(reader)].sort((one, other) => Number(other.pinned) - Number(one.pinned))) {
        const line = `- ${record.text}\n`
        if (text.length + line.length <= 4 * maxTokens) text += line
      }
      return text === '' ? undefined : text.trimEnd()
    },
    async remember({ userId, scope, text, evidence, origin, key }, { signal }) {
      signal.throwIfAborted()
      const user = of(userId)
      const known = user.keys.get(key)
      if (known !== undefined) return { id: known }
      const record: MemoryRecord = {
        ...{ format: 1, id: `memory-${key}`, scope, kind: 'note', text, pinned: false, fadesAt: null },
        ...{ createdAt: time(), updatedAt: time(), evidence: evidence ? [evidence] : [] },
        ...(origin !== undefined && { origin }),
      }
      user.keys.set(key, record.id)
      user.records.set(record.id, record)
      return { id: record.id }
    },
    async search({ text, limit, kinds, scope, ...reader }, { signal }) {
      signal.throwIfAborted()
      const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
      return live(reader)
        .filter((record) => kinds?.includes(record.kind) !== false && isInMemoryScope(record.scope, scope))
        .map((record) => ({ item: itemOf(record), score: words.filter((word) => record.text.toLowerCase().includes(word)).length }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score)
        .slice(0, limit)
    },
    async forget(memoryId, { userId, signal }) {
      signal.throwIfAborted()
      const user = of(userId)
      const record = user.records.get(memoryId)
      if (record === undefined || record.forgotten === true) return false
      forgetRecord(user, record, digestsWith(record))
      return true
    },
    async chatChanged({ userId, chatId, reason }, { signal }) {
      signal.throwIfAborted()
      if (reason !== 'deleted') return
      const user = of(userId)
      for (const record of user.records.values()) {
        const evidence = record.evidence.filter((each) => each.chatId !== chatId)
        if (evidence.length === record.evidence.length) continue
        if (evidence.length > 0 || record.pinned || record.corrected === true) user.records.set(record.id, { ...record, evidence })
        else forgetRecord(user, record)
      }
    },
    async list(reader, { limit, cursor, kinds, scope, pageId, signal }) {
      signal.throwIfAborted()
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const items = live(reader)
        .filter((record) => isInMemoryScope(record.scope, scope))
        .filter((record) => kinds?.includes(record.kind) !== false && (pageId === undefined || record.pageId === pageId))
        .filter((record) => after === undefined || newestFirst(record, after) > 0)
      const page = items.slice(0, limit)
      const last = page.at(-1)
      return { items: page.map(itemOf), ...(last && items.length > limit && { nextCursor: JSON.stringify([last.updatedAt, last.id]) }) }
    },
    async get(memoryId, reader, { signal }) {
      signal.throwIfAborted()
      const record = of(reader.userId).records.get(memoryId)
      return record && record.forgotten !== true && isSeenBy(reader, record) ? itemOf(record) : undefined
    },
    async change(memoryId, { text, pinned }, { userId, signal }) {
      signal.throwIfAborted()
      const user = of(userId)
      const record = user.records.get(memoryId)
      if (record === undefined || record.forgotten === true) return undefined
      const { origin: _, ...own } = record
      const said = text !== undefined && text !== record.text && { corrected: true, digests: digestsWith(record) }
      const changed: MemoryRecord = {
        ...(text === undefined ? record : own),
        ...{ ...said, text: text ?? record.text, pinned: pinned ?? record.pinned, updatedAt: time() },
      }
      user.records.set(memoryId, changed)
      return itemOf(changed)
    },
    async *export(userId, { signal }) {
      for (const record of [...of(userId).records.values()].sort(oldestFirst)) {
        signal.throwIfAborted()
        yield record
      }
    },
    async import(userId, records, { signal }) {
      signal.throwIfAborted()
      let count = 0
      for await (const record of records) {
        signal.throwIfAborted()
        const user = of(userId)
        const known = user.records.get(record.id)
        if (known === undefined || known.updatedAt <= record.updatedAt) user.records.set(record.id, record)
        count += 1
      }
      return { records: count }
    },
    async erase(userId, { signal }) {
      signal.throwIfAborted()
      users.delete(userId)
    },
  })
}

function isSeenBy({ agentId, spaceId }: MemoryReader, { scope }: MemoryItem): boolean {
  if (scope.kind === 'user' || agentId === undefined) return true
  return scope.kind === 'agent' ? scope.agentId === agentId : scope.spaceId === spaceId
}

/** By what a memory is known again, with the text that it has now. */
const digestsWith = ({ digests = [], text }: MemoryRecord): readonly string[] => [...new Set([...digests, memoryTextDigest(text)])]

type Place = Pick<MemoryItem, 'id' | 'updatedAt'>
const keyOf = ({ updatedAt, id }: Place): string => `${updatedAt} ${id}`
const newestFirst = (one: Place, other: Place): number => (keyOf(one) < keyOf(other) ? 1 : keyOf(one) > keyOf(other) ? -1 : 0)
const oldestFirst = (one: MemoryItem, other: MemoryItem): number =>
  `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1

function readCursor(cursor: string): Place {
  try {
    const [updatedAt, id] = JSON.parse(cursor) as readonly unknown[]
    if (typeof updatedAt === 'string' && typeof id === 'string') return { updatedAt, id }
  } catch {
    // Not JSON: answered like any other foreign cursor.
  }
  throw pageCursorError.create({})
}

function itemOf({
  format: _format,
  forgotten: _forgotten,
  details: _details,
  corrected: _corrected,
  digests: _digests,
  ...item
}: MemoryRecord): MemoryItem {
  return item
}
