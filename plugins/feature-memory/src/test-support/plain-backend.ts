import { defineError } from '@agent-service/sdk'
import {
  defineMemoryBackend,
  isInMemoryScope,
  type MemoryBackend,
  type MemoryChatChange,
  type MemoryItem,
  type MemoryReader,
  type MemoryRecord,
} from '@agent-service/sdk/contracts/memory-backend'

/** A back end in memory that a test controls. */
export interface PlainBackend {
  readonly backend: MemoryBackend
  readonly chatChanges: MemoryChatChange[]
  /** Calls so far, by the names of the members. */
  readonly called: string[]
  records(userId: string): readonly MemoryRecord[]
  /** The next calls fail or hang until this is cleared. */
  fault: 'fail' | 'hang' | undefined
  /** Imports for these users are refused, or break. */
  readonly imports: Map<string, 'refused' | 'broken'>
  /** What a sweep does. */
  onSweep: ((changed: ((userId: string) => Promise<void>) | undefined) => Promise<void>) | undefined
  /** Called before each call does its work. */
  onCall: ((name: string) => void) | undefined
}

const fullError = defineError<Record<string, never>>({ code: 'memory_full', status: 409, title: 'Full', message: () => 'It is full.' })

export function createPlainBackend(id: string, options: { readonly damages?: boolean; readonly history?: boolean } = {}): PlainBackend {
  const users = new Map<string, Map<string, MemoryRecord>>()
  const chatChanges: MemoryChatChange[] = []
  const called: string[] = []
  let count = 0
  const now = (): string => new Date(Date.UTC(2026, 0, 1) + ++count * 1_000).toISOString()
  const of = (userId: string): Map<string, MemoryRecord> => {
    const known = users.get(userId) ?? new Map<string, MemoryRecord>()
    users.set(userId, known)
    return known
  }
  const visible = ({ userId, agentId, spaceId }: MemoryReader): MemoryItem[] =>
    [...of(userId).values()]
      .filter(({ forgotten }) => forgotten !== true)
      .filter(({ scope }) => scope.kind !== 'agent' || agentId === undefined || scope.agentId === agentId)
      .filter(({ scope }) => scope.kind !== 'space' || (spaceId === undefined ? agentId === undefined : scope.spaceId === spaceId))
      .map(({ format: _, details: __, forgotten: ___, ...item }) => item)
      .sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
  const plain: PlainBackend = {
    chatChanges,
    called,
    records: (userId) => [...of(userId).values()],
    fault: undefined,
    imports: new Map(),
    onCall: undefined,
    onSweep: undefined,
    backend: undefined as never,
  }
  const step = async (name: string, signal: AbortSignal): Promise<void> => {
    called.push(name)
    plain.onCall?.(name)
    signal.throwIfAborted()
    if (plain.fault === 'fail') throw new Error('the disk is on fire: secret-word')
    if (plain.fault === 'hang')
      await new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  }
  const backend = defineMemoryBackend({
    id,
    title: `Plain ${id}`,
    supports: { history: options.history === true, sweep: true, passes: false, revisions: false },
    async promptText(reader, { signal }) {
      await step('promptText', signal)
      const lines = visible(reader).map(({ text }) => `- ${text}`)
      return lines.length === 0 ? undefined : lines.join('\n').slice(0, reader.maxTokens * 4)
    },
    async remember({ userId, scope, text, evidence, origin, key }, { signal }) {
      await step('remember', signal)
      const known = of(userId)
      const record: MemoryRecord = {
        ...{ format: 1, id: key, scope, kind: 'note', text, pinned: false, fadesAt: null },
        ...{ createdAt: now(), updatedAt: now(), evidence: evidence ? [evidence] : [] },
        ...(origin !== undefined && { origin }),
      }
      if (!known.has(key)) known.set(key, record)
      return { id: key }
    },
    async search({ text, limit, scope, asOf, ...reader }, { signal }) {
      await step('search', signal)
      const words = text.toLowerCase().split(/\W+/)
      return visible(reader)
        .filter(({ createdAt }) => asOf === undefined || createdAt <= asOf)
        .filter((item) => isInMemoryScope(item.scope, scope) && words.some((word) => item.text.toLowerCase().includes(word)))
        .slice(0, limit)
        .map((item) => ({ item, score: 1 }))
    },
    async forget(memoryId, { userId, signal }) {
      await step('forget', signal)
      const known = of(userId).get(memoryId)
      if (known === undefined || known.forgotten === true) return false
      of(userId).set(memoryId, { ...known, text: '', forgotten: true, updatedAt: now() })
      return true
    },
    async chatChanged(change, { signal }) {
      await step('chatChanged', signal)
      chatChanges.push(change)
    },
    async sweep({ signal, changed }) {
      await step('sweep', signal)
      await plain.onSweep?.(changed)
      return { users: 1, more: false }
    },
    async list(reader, { limit, cursor, kinds, scope, signal }) {
      await step('list', signal)
      const items = visible(reader)
        .filter((item) => isInMemoryScope(item.scope, scope))
        .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
      const from = cursor === undefined ? 0 : Number(cursor)
      const page = items.slice(from, from + limit)
      return { items: page, ...(from + limit < items.length && { nextCursor: String(from + limit) }) }
    },
    async get(memoryId, reader, { signal }) {
      await step('get', signal)
      return visible(reader).find((item) => item.id === memoryId)
    },
    async change(memoryId, change, { userId, signal }) {
      await step('change', signal)
      const known = of(userId).get(memoryId)
      if (known === undefined || known.forgotten === true) return undefined
      const { format: _, details: __, ...changed }: MemoryRecord = { ...known, ...change, updatedAt: now() }
      of(userId).set(memoryId, { format: 1, ...changed })
      return changed
    },
    async *export(userId, { signal }) {
      await step('export', signal)
      yield* [...of(userId).values()]
    },
    async import(userId, records, { signal }) {
      await step('import', signal)
      if (plain.imports.get(userId) === 'broken') throw new Error('This user cannot be stored: secret-word')
      if (plain.imports.get(userId) === 'refused') throw fullError.create({})
      let imported = 0
      for await (const record of records) {
        imported += 1
        of(userId).set(record.id, options.damages === true ? { ...record, text: record.text.slice(1) } : record)
      }
      return { records: imported }
    },
    async erase(userId, { signal }) {
      await step('erase', signal)
      users.delete(userId)
    },
  })
  return Object.assign(plain, { backend })
}
