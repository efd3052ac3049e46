import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { pageCursorError } from '@agent-service/sdk/contracts/http-route'
import {
  defineMemoryBackend,
  isInMemoryScope,
  type MemoryBackend,
  type MemoryItem,
  type MemoryReader,
  type MemoryRecord,
  memoryTextDigest,
} from '@agent-service/sdk/contracts/memory-backend'
import { buildMemoryIndex } from '@agent-service/sdk/memory-index'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Entries, MemoryFiles } from './memory-file.js'

/** A memory back end whose store is one Markdown file for each user. */
export function createMarkdownMemory(files: MemoryFiles, clock: Pick<Clock, 'now'>): MemoryBackend {
  const at = (): string => new Date(clock.now()).toISOString()
  const seenBy = async (reader: MemoryReader, signal: AbortSignal): Promise<readonly MemoryRecord[]> =>
    [...(await files.read(reader.userId, signal)).values()].filter((record) => isSeenBy(reader, record))

  return defineMemoryBackend({
    id: 'markdown',
    title: 'Markdown files',
    async promptText({ maxTokens, ...reader }, { signal }) {
      const records = [...(await seenBy(reader, signal))].sort(
        (one, other) => Number(other.pinned) - Number(one.pinned) || order(other, one),
      )
      let text = ''
      for (const record of records) {
        const line = `- ${record.text.replaceAll(/\r?\n/g, '\n  ')}\n`
        if (text.length + line.length <= 4 * maxTokens) text += line
      }
      return text === '' ? undefined : text.trimEnd()
    },
    remember: ({ userId, scope, text, evidence, origin, key }, { signal }) =>
      files.change(userId, signal, (entries) => {
        const memoryId = `memory-${createHash('sha256').update(key).digest('hex').slice(0, 24)}`
        const result = { id: memoryId }
        if (entries.has(memoryId)) return { result }
        const record: MemoryRecord = {
          ...{ format: 1, id: memoryId, scope, kind: 'note', text, pinned: false, fadesAt: null },
          ...{ createdAt: at(), updatedAt: at(), evidence: evidence ? [evidence] : [] },
          ...(origin !== undefined && { origin }),
        }
        return { result, entries: withEntry(entries, record) }
      }),
    async search({ text, limit, kinds, scope, ...reader }, { signal }) {
      const seen = (await seenBy(reader, signal)).filter((record) => isInMemoryScope(record.scope, scope))
      const records = new Map(seen.map((record) => [record.id, record]))
      const index = await buildMemoryIndex(records.values(), { signal })
      const matches = index.search(text, { limit, accepts: (each) => kinds?.includes(records.get(each)?.kind ?? 'note') !== false })
      return matches.flatMap(({ id: memoryId, score }) => {
        const record = records.get(memoryId)
        return record ? [{ item: itemOf(record), score }] : []
      })
    },
    forget: (memoryId, { userId, signal }) =>
      files.change(userId, signal, (entries) => {
        const entry = entries.get(memoryId)
        if (entry === undefined || entry.forgotten === true) return { result: false }
        return { result: true, entries: withEntry(entries, { ...forgotten(entry, at()), digests: digestsWith(entry) }) }
      }),
    async chatChanged({ userId, chatId, reason }, { signal }) {
      signal.throwIfAborted()
      if (reason !== 'deleted') return
      await files.change(userId, signal, (entries) => {
        let after = entries
        for (const entry of entries.values()) {
          const evidence = entry.evidence.filter((each) => each.chatId !== chatId)
          if (evidence.length === entry.evidence.length) continue
          const stays = evidence.length > 0 || entry.pinned || entry.corrected === true
          after = withEntry(after, stays ? { ...entry, evidence } : forgotten(entry, at()))
        }
        return { result: undefined, ...(after !== entries && { entries: after }) }
      })
    },
    async list(reader, { limit, cursor, kinds, scope, pageId, signal }) {
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const records = (await seenBy(reader, signal)).filter(
        (record) =>
          kinds?.includes(record.kind) !== false &&
          isInMemoryScope(record.scope, scope) &&
          (pageId === undefined || record.pageId === pageId) &&
          (after === undefined || order(record, after) < 0),
      )
      const page = [...records].sort((one, other) => order(other, one)).slice(0, limit)
      const last = page.at(-1)
      return { items: page.map(itemOf), ...(last && records.length > limit && { nextCursor: JSON.stringify([last.updatedAt, last.id]) }) }
    },
    async get(memoryId, reader, { signal }) {
      const record = (await files.read(reader.userId, signal)).get(memoryId)
      return record && isSeenBy(reader, record) ? itemOf(record) : undefined
    },
    change: (memoryId, { text, pinned }, { userId, signal }) =>
      files.change(userId, signal, (entries) => {
        const record = entries.get(memoryId)
        if (record === undefined || record.forgotten === true) return { result: undefined }
        const { origin: _, ...own } = record
        const said = text !== undefined && text !== record.text && { corrected: true, digests: digestsWith(record) }
        const changed: MemoryRecord = {
          ...(text === undefined ? record : own),
          ...{ ...said, text: text ?? record.text, pinned: pinned ?? record.pinned, updatedAt: at() },
        }
        return { result: itemOf(changed), entries: withEntry(entries, changed) }
      }),
    async *export(userId, { signal }) {
      for (const record of (await files.read(userId, signal)).values()) {
        signal.throwIfAborted()
        yield record
      }
    },
    async import(userId, records, { signal }) {
      signal.throwIfAborted()
      const all: MemoryRecord[] = []
      for await (const record of records) {
        signal.throwIfAborted()
        all.push(record)
      }
      await files.change(userId, signal, (entries) => {
        const after = new Map(entries)
        for (const record of all) {
          const known = after.get(record.id)
          if (known === undefined || known.updatedAt <= record.updatedAt) after.set(record.id, record)
        }
        return { result: undefined, ...(!isDeepStrictEqual(after, entries) && { entries: after }) }
      })
      return { records: all.length }
    },
    erase: (userId, { signal }) => files.erase(userId, signal),
  })
}

const withEntry = (entries: Entries, record: MemoryRecord): Entries => new Map([...entries, [record.id, record]])

/** By what a memory is known again, with the text that it has now. */
const digestsWith = ({ digests = [], text }: MemoryRecord): readonly string[] => [...new Set([...digests, memoryTextDigest(text)])]

/** Without its words, and without details of other back ends, which may repeat them. */
function forgotten(
  { title: _, whenToUse: __, origin: ___, details: ____, corrected: _____, ...rest }: MemoryRecord,
  updatedAt: string,
): MemoryRecord {
  return { ...rest, text: '', pinned: false, evidence: [], updatedAt, forgotten: true }
}

function isSeenBy({ agentId, spaceId }: MemoryReader, { scope, forgotten: isForgotten }: MemoryRecord): boolean {
  if (isForgotten === true) return false
  if (scope.kind === 'user' || agentId === undefined) return true
  return scope.kind === 'agent' ? scope.agentId === agentId : scope.spaceId === spaceId
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

type Place = Pick<MemoryItem, 'updatedAt' | 'id'>

/** Negative if the first was changed before the other; of equal times by id. */
function order(one: Place, other: Place): number {
  const [first, second] = [`${one.updatedAt} ${one.id}`, `${other.updatedAt} ${other.id}`]
  return first < second ? -1 : first > second ? 1 : 0
}

function readCursor(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(cursor)
    if (Array.isArray(place) && typeof place[0] === 'string' && typeof place[1] === 'string') return { updatedAt: place[0], id: place[1] }
  } catch {
    // Not JSON: refused like any other foreign cursor.
  }
  throw pageCursorError.create({})
}
