import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type {
  MemoryBackend,
  MemoryChange,
  MemoryChatChange,
  MemoryItem,
  MemoryKind,
  MemoryPass,
  MemoryReader,
  MemoryRecord,
  MemoryRevision,
  MemoryScope,
  MemoryScopeFilter,
  NewMemory,
} from '@agent-service/sdk/contracts/memory-backend'
import type { Changes } from '../common/changes.js'
import { memoryUnsupportedError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { MemoryMetrics } from '../common/metrics.js'
import type { MemoryCalls } from './memory-calls.js'
import type { SafeTexts } from './safe-texts.js'
import type { WriteGate } from './write-gate.js'

/** Which memories of a user are wanted. Absent members restrict nothing. */
export interface MemoryFilter {
  readonly reader: MemoryReader
  readonly kinds?: readonly MemoryKind[]
  /** Only those in this memory, not what the reader sees beside it. */
  readonly scope?: MemoryScope['kind']
  /** Of the scope `space`: only this one. */
  readonly spaceId?: string
  readonly pageId?: string
  readonly asOf?: string
}

/** A page of a list. */
export interface ListedMemories {
  readonly items: readonly MemoryItem[]
  readonly nextCursor?: string
}

/** Where a change comes from, for events. */
export interface ChangeOrigin {
  readonly signal: AbortSignal
  readonly chatId?: string
  readonly runId?: string
}

/**
 * The memories of the users, as routes, tools and commands change and read them: one back end, whose
 * changes pass a gate and are reported. Known secrets in texts are masked before any back end gets
 * them. All throw `memory_unavailable` and the signal's reason.
 */
export interface Memories {
  list(
    filter: MemoryFilter,
    options: { readonly limit: number; readonly cursor?: string | undefined; readonly signal: AbortSignal },
  ): Promise<ListedMemories>
  search(
    filter: MemoryFilter & { readonly text: string },
    options: { readonly limit: number; readonly signal: AbortSignal },
  ): Promise<readonly MemoryItem[]>
  /** One that this reader sees. @throws `not_found`. */
  get(reader: MemoryReader, id: string, signal: AbortSignal): Promise<MemoryItem>
  /** @throws `invalid_request` for a text without a visible character. */
  remember(memory: NewMemory, origin: ChangeOrigin): Promise<{ readonly id: string }>
  /** @throws `not_found`, `invalid_request` for a text without a visible character. */
  change(userId: string, id: string, change: MemoryChange, origin: ChangeOrigin): Promise<MemoryItem>
  /** @throws `not_found`. */
  forget(userId: string, id: string, origin: ChangeOrigin): Promise<void>
  /** Reads the back end as fast as it is read. */
  export(userId: string, signal: AbortSignal): AsyncIterable<MemoryRecord>
  import(userId: string, records: AsyncIterable<MemoryRecord>, signal: AbortSignal): Promise<number>
  /** @throws `memory_unsupported`. */
  passes(
    userId: string,
    options: { readonly limit: number; readonly cursor?: string | undefined; readonly signal: AbortSignal },
  ): Promise<{ readonly items: readonly MemoryPass[]; readonly nextCursor?: string }>
  /** @throws `not_found`. */
  retryPass(userId: string, id: string, signal: AbortSignal): Promise<void>
  /** @throws `memory_unsupported`. */
  revisions(userId: string, signal: AbortSignal): Promise<readonly MemoryRevision[]>
  /** @throws `not_found`. */
  restore(userId: string, id: string, signal: AbortSignal): Promise<void>
  /** Passes on what has happened in a chat. */
  chatChanged(change: MemoryChatChange, signal: AbortSignal): Promise<void>
}

/** The most that a back end may be asked for. */
export const maxHits = 1_000

export function createMemories(dependencies: {
  readonly calls: MemoryCalls
  readonly gate: WriteGate
  readonly changes: Pick<Changes, 'report'>
  readonly metrics: Pick<MemoryMetrics, 'changed'>
  readonly safe: SafeTexts
}): Memories {
  const { calls, gate, changes, metrics, safe } = dependencies

  const write = <Result>(
    what: string,
    userId: string,
    signal: AbortSignal,
    work: (backend: MemoryBackend, signal: AbortSignal) => Promise<Result>,
    limitMs: number = limits.writeMs,
  ): Promise<Result> => gate.pass(userId, signal, () => calls.call({ what, signal, limitMs }, work))

  const changed = async (update: Parameters<Changes['report']>[0]): Promise<void> => {
    metrics.changed(update.change)
    await changes.report(update)
  }

  const listPage = (
    filter: MemoryFilter,
    { limit, cursor, signal }: { readonly limit: number; readonly cursor?: string | undefined; readonly signal: AbortSignal },
  ): Promise<ListedMemories> =>
    calls.call({ what: 'list', signal }, (backend, limited) => {
      const { reader, kinds, pageId, asOf } = filter
      const scope = scopeOf(filter)
      requireHistory(backend, asOf)
      return backend.list(reader, {
        ...{ limit, signal: limited },
        ...(cursor !== undefined && { cursor }),
        ...(kinds !== undefined && { kinds }),
        ...(scope !== undefined && { scope }),
        ...(pageId !== undefined && { pageId }),
        ...(asOf !== undefined && { asOf }),
      })
    })

  return {
    list: listPage,
    search: ({ text, ...filter }, { limit, signal }) => {
      const { reader, kinds, asOf } = filter
      const scope = scopeOf(filter)
      return calls.call({ what: 'search', signal }, async (backend, limited) => {
        requireHistory(backend, asOf)
        const query = {
          ...{ ...reader, text, limit: Math.min(limit, maxHits) },
          ...(kinds !== undefined && { kinds }),
          ...(scope !== undefined && { scope }),
          ...(asOf !== undefined && { asOf }),
        }
        return (await backend.search(query, { signal: limited })).map(({ item }) => item)
      })
    },
    async get(reader, id, signal) {
      const found = await calls.call({ what: 'get', signal }, (backend, limited) => backend.get(id, reader, { signal: limited }))
      if (!found) throw notFoundError.create({ what: 'memory' })
      return found
    },
    async remember(memory, { signal, chatId, runId }) {
      const { userId } = memory
      const safeMemory = { ...memory, text: safe.text(memory.text) }
      const remembered = await write('remember', userId, signal, (backend, limited) => backend.remember(safeMemory, { signal: limited }))
      await changed({ userId, change: 'remembered', memoryId: remembered.id, chatId, runId })
      return remembered
    },
    async change(userId, id, change, { signal }) {
      const safeChange = change.text === undefined ? change : { ...change, text: safe.text(change.text) }
      const item = await write('change', userId, signal, (backend, limited) => backend.change(id, safeChange, { userId, signal: limited }))
      if (!item) throw notFoundError.create({ what: 'memory' })
      await changed({ userId, change: 'changed', memoryId: id })
      return item
    },
    async forget(userId, id, { signal, chatId, runId }) {
      const had = await write('forget', userId, signal, (backend, limited) => backend.forget(id, { userId, signal: limited }))
      if (!had) throw notFoundError.create({ what: 'memory' })
      await changed({ userId, change: 'forgotten', memoryId: id, chatId, runId })
    },
    export: (userId, signal) => calls.stream({ what: 'export', signal }, (backend, limited) => backend.export(userId, { signal: limited })),
    async import(userId, records, signal) {
      const { records: count } = await write(
        ...(['import', userId, signal] as const),
        (backend, limited) => backend.import(userId, safeRecords(records), { signal: limited }),
        limits.transferMs,
      )
      await changed({ userId, change: 'imported' })
      return count
    },
    async passes(userId, { limit, cursor, signal }) {
      return calls.call({ what: 'passes', signal }, async (backend, limited) => {
        const options = { limit, signal: limited, ...(cursor !== undefined && { cursor }) }
        return required(calls.id, 'passes of background work', backend.passes?.(userId, options))
      })
    },
    async retryPass(userId, id, signal) {
      const had = await write(
        ...(['retry', userId, signal] as const),
        async (backend, limited) => (await backend.retryPass?.(id, { userId, signal: limited })) === true,
      )
      if (!had) throw notFoundError.create({ what: 'pass that ended without success' })
      await changed({ userId, change: 'retried' })
    },
    revisions: (userId, signal) =>
      calls.call({ what: 'revisions', signal }, async (backend, limited) =>
        required(calls.id, 'earlier texts', backend.revisions?.(userId, { signal: limited })),
      ),
    async restore(userId, id, signal) {
      const had = await write(
        ...(['restore', userId, signal] as const),
        async (backend, limited) => (await backend.restore?.(id, { userId, signal: limited })) === true,
      )
      if (!had) throw notFoundError.create({ what: 'earlier text' })
      await changed({ userId, change: 'restored' })
    },
    chatChanged: (change, signal) =>
      write('chat_changed', change.userId, signal, (backend, limited) => backend.chatChanged(change, { signal: limited })),
  }

  async function* safeRecords(records: AsyncIterable<MemoryRecord>): AsyncGenerator<MemoryRecord> {
    for await (const record of records) yield safe.record(record)
  }

  function requireHistory(backend: MemoryBackend, asOf: string | undefined): void {
    if (asOf !== undefined && !backend.supports.history)
      throw memoryUnsupportedError.create({ backend: calls.id, what: 'history, so “as_of” cannot be answered' })
  }
}

function required<Result>(backend: string, what: string, result: Promise<Result> | undefined): Promise<Result> {
  if (result === undefined) throw memoryUnsupportedError.create({ backend, what })
  return result
}

/** The one memory that is wanted, if not all that the reader sees. */
function scopeOf({ reader: { agentId }, scope, spaceId }: MemoryFilter): MemoryScopeFilter | undefined {
  if (scope === 'agent') return { kind: 'agent', ...(agentId !== undefined && { agentId }) }
  if (scope === 'space') return { kind: 'space', ...(spaceId !== undefined && { spaceId }) }
  return scope && { kind: scope }
}
