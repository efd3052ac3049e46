import { strict as assert } from 'node:assert'
import { setMaxListeners } from 'node:events'
import type { MemoryBackend, MemoryReader, NewMemory } from '../../contracts/memory-backend/memory-backend.js'
import type { MemoryItem, MemoryKind, MemoryRecord } from '../../contracts/memory-backend/memory-record.js'
import type { MemoryScopeFilter } from '../../contracts/memory-backend/scope-filter.js'
import { assertPlainData } from '../within-limit.js'
import { checkItem } from './check-item.js'
import type { MemoryBench } from './memory-bench.js'

/** The user of the suite, a second one, and an agent and a space of theirs. */
export const [ada, bob, assistant, garden] = ['user-ada', 'user-bob', 'agent-assistant', 'space-garden'] as const

/** A bench with what most tests do. Every answer is checked for its form. */
export interface SuiteBench extends Omit<MemoryBench, 'reopen' | 'close'> {
  readonly signal: AbortSignal
  /** The back end after a restart, if the bench can restart it; else the same one. */
  restarted(): Promise<MemoryBackend>
  /** Another bench, which is closed with this one. */
  another(): Promise<SuiteBench>
  /** Remembers a text for {@link ada}, and resolves to its id. */
  remember(text: string, memory?: Partial<NewMemory>): Promise<string>
  /** All pages of a list, by default of {@link ada} as a person. */
  listAll(reader?: Partial<MemoryReader>, options?: ListOptions): Promise<readonly MemoryItem[]>
  /** The texts of {@link listAll}, sorted. */
  texts(reader?: Partial<MemoryReader>): Promise<readonly string[]>
  /** The texts that a search finds, the best first. */
  find(
    text: string,
    reader?: Partial<MemoryReader> & {
      readonly limit?: number
      readonly kinds?: readonly MemoryKind[]
      readonly scope?: MemoryScopeFilter
    },
  ): Promise<readonly string[]>
  /** What an agent reads; empty if it is nothing. */
  prompt(options?: {
    readonly userId?: string
    readonly agentId?: string
    readonly spaceId?: string
    readonly maxTokens?: number
  }): Promise<string>
  /** Everything that an export gives, by default of {@link ada}. */
  exported(userId?: string): Promise<readonly MemoryRecord[]>
  /** Imports records, by default for {@link ada}. */
  take(records: readonly MemoryRecord[], userId?: string): Promise<void>
  /** Sweeps until nothing is left to do at once; nothing without `sweep`. Resolves to the users who were told as changed. */
  sweepAll(): Promise<ReadonlySet<string>>
}

/** Of a list. */
export interface ListOptions {
  readonly limit?: number
  readonly kinds?: readonly MemoryKind[]
  readonly scope?: MemoryScopeFilter
  readonly pageId?: string
  readonly asOf?: string
}

const maxPages = 3_000
const maxSweeps = 200

/** Opens a bench, runs a test and closes the bench. */
export async function withSuiteBench(
  create: () => MemoryBench | Promise<MemoryBench>,
  test: (bench: SuiteBench) => Promise<void>,
): Promise<void> {
  const opened: MemoryBench[] = []
  const open = async (): Promise<SuiteBench> => {
    const bench = await create()
    opened.push(bench)
    return suiteBenchOf(bench, open)
  }
  try {
    await test(await open())
  } finally {
    for (const bench of opened) await bench.close()
  }
}

function suiteBenchOf(bench: MemoryBench, another: () => Promise<SuiteBench>): SuiteBench {
  const { backend } = bench
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  let keys = 0
  const listAll: SuiteBench['listAll'] = async (reader = {}, { limit = 100, ...options } = {}) => {
    const items: MemoryItem[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < maxPages; pages += 1) {
      const page = await backend.list({ userId: ada, ...reader }, { limit, ...options, signal, ...(cursor !== undefined && { cursor }) })
      assertPlainData(page, 'the page')
      assert.ok(page.items.length <= limit, `the page has ${page.items.length} items, and the limit is ${limit}`)
      for (const item of page.items) checkItem(item)
      items.push(...page.items)
      if (page.nextCursor === undefined) return items
      cursor = page.nextCursor
    }
    return assert.fail(`the list has more than ${maxPages} pages`)
  }
  return {
    backend,
    signal,
    another,
    advance: (milliseconds) => bench.advance(milliseconds),
    restarted: async () => (bench.reopen ? bench.reopen() : backend),
    async remember(text, memory = {}) {
      keys += 1
      const { id } = await backend.remember({ userId: ada, scope: { kind: 'user' }, text, key: `suite-key-${keys}`, ...memory }, { signal })
      assert.equal(typeof id, 'string')
      await bench.advance(5)
      return id
    },
    listAll,
    texts: async (reader) => (await listAll(reader)).map(({ text }) => text).sort(),
    async find(text, { limit = 20, ...reader } = {}) {
      const hits = await backend.search({ userId: ada, text, limit, ...reader }, { signal })
      assertPlainData(hits, 'the hits')
      assert.ok(hits.length <= limit, `there are ${hits.length} hits, and the limit is ${limit}`)
      for (const [index, { item, score }] of hits.entries()) {
        checkItem(item)
        assert.ok(Number.isFinite(score), `the score ${score} is no number`)
        assert.ok(score <= (hits[index - 1]?.score ?? score), 'a better hit stands behind a worse one')
      }
      assert.equal(new Set(hits.map(({ item }) => item.id)).size, hits.length, 'a memory is found twice')
      return hits.map(({ item }) => item.text)
    },
    async prompt({ userId = ada, agentId = assistant, maxTokens = 2_000, ...reader } = {}) {
      const text = await backend.promptText({ userId, agentId, maxTokens, ...reader }, { signal })
      assert.notEqual(text, '', 'nothing is undefined, not an empty text')
      assert.ok(
        (text ?? '').length <= 4 * maxTokens,
        `the text has ${text?.length} characters, and ${maxTokens} tokens are ${4 * maxTokens}`,
      )
      return text ?? ''
    },
    async exported(userId = ada) {
      const records: MemoryRecord[] = []
      for await (const record of backend.export(userId, { signal })) {
        assertPlainData(record, 'the record')
        assert.equal(record.format, 1)
        checkItem(record)
        records.push(record)
      }
      return records
    },
    async take(records, userId = ada) {
      assert.deepEqual(await backend.import(userId, each(records), { signal }), { records: records.length })
    },
    async sweepAll() {
      const told = new Set<string>()
      const changed = async (userId: string): Promise<void> => void told.add(userId)
      for (let sweeps = 0; backend.sweep !== undefined; sweeps += 1) {
        assert.ok(sweeps < maxSweeps, `there was more to do after ${maxSweeps} sweeps`)
        const { users, more } = await backend.sweep({ signal, changed })
        assert.ok(Number.isSafeInteger(users) && users >= 0, `a sweep counts ${users} users`)
        if (!more) return told
      }
      return told
    },
  }
}

/** Records as an import reads them. */
export async function* each(records: Iterable<MemoryRecord>): AsyncGenerator<MemoryRecord> {
  yield* records
}
