import { snakeCaseOf, wordOf } from './names.js'
import type { PluginSources } from './plugin-sources.js'

/** A back end over a collection. */
export const memoryBackendSources = (id: string): PluginSources => {
  const word = wordOf(id, 'memory')
  return {
    index: indexText(id, word),
    test: testText(id, word),
    more: {
      'create-memory.ts': createMemoryText(word),
      'memory-store.ts': memoryStoreText(id),
      'take-turns.ts': takeTurnsText,
    },
  }
}

const indexText = (id: string, word: string): string => `import { definePlugin, Type } from '@agent-service/sdk'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { defineUserData, userData } from '@agent-service/sdk/contracts/user-data'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { createMemory } from './create-memory.js'
import { createStore, memories } from './memory-store.js'
import { takeTurns } from './take-turns.js'

export default definePlugin({
  manifest: {
    id: '${id}',
    apiVersion: 1,
    contributes: ['memory.backend', 'user.data'],
    // Makes the id of the back end a value of \`memory.backend\` in the configuration.
    extends: [{ section: 'memory', place: 'backend', variant: '${word}', schema: Type.Object({}) }],
  },
  collections: [memories],
  setup(context) {
    const clock = context.use(clockService)
    const store = createStore(context.use(databaseService).collection(memories))
    const backend = takeTurns(createMemory(store, () => clock.now()))
    context.contribute(memoryBackends, backend)
    context.contribute(
      userData,
      defineUserData({
        id: '${id}',
        collections: [memories.name],
        shownBy: ['listMemories', 'getMemory', 'exportMemories'],
        async *export(userId, options) {
          let number = 0
          for await (const record of backend.export(userId, options)) {
            number += 1
            yield { path: \`memories/\${number}.json\`, json: JSON.parse(JSON.stringify(record)) }
          }
        },
        erase: (userId, options) => backend.erase(userId, options),
        async size(userId) {
          const records = await store.all(userId)
          return { records: records.length, bytes: records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)), 0) }
        },
      }),
    )
  },
})
`

const testText = (id: string, word: string): string => `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { databaseService } from '@agent-service/sdk/services/database'
import { createTestContext, describeMemoryBackend, describeUserData, type PluginTestOptions } from '@agent-service/sdk/testing'
import plugin from './index.js'

async function open(services: PluginTestOptions['services'] = []) {
  const test = createTestContext(plugin, { services })
  await test.setup()
  const [backend] = test.contributed(memoryBackends)
  assert.ok(backend)
  return { test, backend }
}

// Every rule of the contract.
describeMemoryBackend({
  name: '${word}',
  supports: { history: false, sweep: false, passes: false, revisions: false },
  async create() {
    const { test, backend } = await open()
    return {
      backend,
      advance: (milliseconds) => test.services.clock.advance(milliseconds),
      reopen: async () => (await open([[databaseService, test.services.database]])).backend,
      close: () => test.dispose(),
    }
  },
  runner,
})

describeUserData({
  name: '${id}',
  async create() {
    const { test, backend } = await open()
    const [data] = test.contributed(userData)
    assert.ok(data)
    const { signal } = new AbortController()
    return {
      data,
      database: test.services.database,
      async fill(userId) {
        for (const key of ['tea', 'rain'])
          await backend.remember({ userId, scope: { kind: 'user' }, text: \`\${userId} likes \${key}.\`, key }, { signal })
      },
      close: () => test.dispose(),
    }
  },
  runner,
})
`

const createMemoryText = (word: string): string => `import { pageCursorError } from '@agent-service/sdk/contracts/http-route'
import {
  defineMemoryBackend,
  isInMemoryScope,
  type MemoryBackend,
  type MemoryItem,
  type MemoryReader,
  type MemoryRecord,
  memoryTextDigest,
} from '@agent-service/sdk/contracts/memory-backend'
import type { MemoryStore } from './memory-store.js'

/** The contract over {@link MemoryStore}. It finds by parts of words, and learns nothing by itself. */
export function createMemory(store: MemoryStore, now: () => number): MemoryBackend {
  const time = (): string => new Date(now()).toISOString()
  const liveOf = async (userId: string, id: string) => {
    const record = await store.get(userId, id)
    return record?.forgotten === true ? undefined : record
  }
  const seenBy = async (reader: MemoryReader) =>
    (await store.all(reader.userId)).filter((record) => record.forgotten !== true && isSeen(reader, record)).sort(newestFirst)
  const forget = (userId: string, { id, scope, kind, createdAt }: MemoryRecord, digests?: readonly string[]) =>
    store.put(userId, {
      ...{ format: 1, id, scope, kind, createdAt, updatedAt: time(), forgotten: true },
      ...{ text: '', pinned: false, fadesAt: null, evidence: [], ...(digests !== undefined && { digests }) },
    })

  return defineMemoryBackend({
    id: '${word}',
    title: 'An own memory',
    async promptText({ maxTokens, ...reader }, { signal }) {
      signal.throwIfAborted()
      let text = ''
      const pinnedFirst = (await seenBy(reader)).sort((one, other) => Number(other.pinned) - Number(one.pinned))
      for (const record of pinnedFirst) {
        const line = \`- \${record.text}\\n\`
        if (text.length + line.length <= 4 * maxTokens) text += line
      }
      return text === '' ? undefined : text.trimEnd()
    },
    async remember({ userId, scope, text, evidence, origin, key }, { signal }) {
      signal.throwIfAborted()
      const id = \`memory-\${key}\`
      if ((await store.get(userId, id)) === undefined)
        await store.put(userId, {
          ...{ format: 1, id, scope, kind: 'note', text, pinned: false, fadesAt: null, createdAt: time(), updatedAt: time() },
          ...{ evidence: evidence ? [evidence] : [], ...(origin !== undefined && { origin }) },
        })
      return { id }
    },
    async search({ text, limit, kinds, scope, ...reader }, { signal }) {
      signal.throwIfAborted()
      const words = text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? []
      return (await seenBy(reader))
        .filter((record) => kinds?.includes(record.kind) !== false && isInMemoryScope(record.scope, scope))
        .map((record) => ({ item: itemOf(record), score: words.filter((word) => record.text.toLowerCase().includes(word)).length }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score)
        .slice(0, limit)
    },
    async forget(id, { userId, signal }) {
      signal.throwIfAborted()
      const record = await liveOf(userId, id)
      if (record !== undefined) await forget(userId, record, digestsOf(record))
      return record !== undefined
    },
    async chatChanged({ userId, chatId, reason }, { signal }) {
      signal.throwIfAborted()
      for (const record of reason === 'deleted' ? await store.all(userId) : []) {
        const evidence = record.evidence.filter((each) => each.chatId !== chatId)
        if (evidence.length === record.evidence.length) continue
        if (evidence.length > 0 || record.pinned || record.corrected === true) await store.put(userId, { ...record, evidence })
        else await forget(userId, record)
      }
    },
    async list(reader, { limit, cursor, kinds, scope, pageId, signal }) {
      signal.throwIfAborted()
      const after = cursor === undefined ? undefined : placeOf(cursor)
      const items = (await seenBy(reader))
        .filter((record) => isInMemoryScope(record.scope, scope) && (pageId === undefined || record.pageId === pageId))
        .filter((record) => kinds?.includes(record.kind) !== false && (after === undefined || newestFirst(record, after) > 0))
      const last = items.slice(0, limit).at(-1)
      const next = last && items.length > limit && { nextCursor: keyOf(last) }
      return { items: items.slice(0, limit).map(itemOf), ...next }
    },
    async get(id, reader, { signal }) {
      signal.throwIfAborted()
      const record = await liveOf(reader.userId, id)
      return record && isSeen(reader, record) ? itemOf(record) : undefined
    },
    async change(id, { text, pinned }, { userId, signal }) {
      signal.throwIfAborted()
      const record = await liveOf(userId, id)
      if (record === undefined) return undefined
      const { origin, ...own } = record
      const corrected = text !== undefined && text !== record.text && { corrected: true, digests: digestsOf(record) }
      const changed: MemoryRecord = {
        ...{ ...own, ...(text === undefined && origin !== undefined && { origin }), ...corrected },
        ...{ text: text ?? record.text, pinned: pinned ?? record.pinned, updatedAt: time() },
      }
      await store.put(userId, changed)
      return itemOf(changed)
    },
    async *export(userId, { signal }) {
      for (const record of (await store.all(userId)).sort((one, other) => newestFirst(other, one))) {
        signal.throwIfAborted()
        yield record
      }
    },
    async import(userId, records, { signal }) {
      signal.throwIfAborted()
      let count = 0
      for await (const record of records) {
        signal.throwIfAborted()
        const known = await store.get(userId, record.id)
        if (known === undefined || known.updatedAt <= record.updatedAt) await store.put(userId, record)
        count += 1
      }
      return { records: count }
    },
    async erase(userId, { signal }) {
      signal.throwIfAborted()
      for (const { id } of await store.all(userId)) await store.remove(userId, id)
    },
  })
}

function isSeen({ agentId, spaceId }: MemoryReader, { scope }: MemoryItem): boolean {
  if (scope.kind === 'user' || agentId === undefined) return true
  return scope.kind === 'agent' ? scope.agentId === agentId : scope.spaceId === spaceId
}

/** By what a text is known again that a person has changed or had forgotten. */
const digestsOf = ({ digests = [], text }: MemoryRecord): readonly string[] => [...new Set([...digests, memoryTextDigest(text)])]

type Place = Pick<MemoryItem, 'id' | 'updatedAt'>
const keyOf = ({ updatedAt, id }: Place): string => \`\${updatedAt} \${id}\`
const newestFirst = (one: Place, other: Place): number => (keyOf(one) < keyOf(other) ? 1 : keyOf(one) > keyOf(other) ? -1 : 0)

function placeOf(cursor: string): Place {
  const [, updatedAt, id] = /^(\\S+) (.+)$/s.exec(cursor) ?? []
  if (updatedAt === undefined || id === undefined || Number.isNaN(Date.parse(updatedAt))) throw pageCursorError.create({})
  return { updatedAt, id }
}

const itemOf = ({ format: _, forgotten: __, details: ___, corrected: ____, digests: _____, ...item }: MemoryRecord): MemoryItem => item
`

const memoryStoreText = (id: string): string => `import { createHash } from 'node:crypto'
import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import { type Collection, defineCollection } from '@agent-service/sdk/services/database'

interface Stored {
  readonly id: string
  readonly user_id: string
  readonly record: MemoryRecord
}

export const memories = defineCollection<Stored>()({
  name: '${snakeCaseOf(id)}.memories',
  version: 1,
  indexes: { by_user: { fields: ['user_id', 'id'] } },
  userField: 'user_id',
})

/** The memories of each person, one document for each. */
export interface MemoryStore {
  /** All of a person's, in no order. Every search reads them: enough for some hundreds. */
  all(userId: string): Promise<MemoryRecord[]>
  get(userId: string, id: string): Promise<MemoryRecord | undefined>
  put(userId: string, record: MemoryRecord): Promise<void>
  remove(userId: string, id: string): Promise<void>
}

export const createStore = (stored: Collection<Stored>): MemoryStore => ({
  async all(userId) {
    const records: MemoryRecord[] = []
    let cursor: string | undefined
    do {
      const page = await stored.query({ index: 'by_user', equals: [userId], limit: 200, ...(cursor !== undefined && { cursor }) })
      records.push(...page.items.map(({ record }) => record))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return records
  },
  get: async (userId, id) => (await stored.get(documentId(userId, id)))?.record,
  put: async (userId, record) => void (await stored.put({ id: documentId(userId, record.id), user_id: userId, record })),
  remove: async (userId, id) => void (await stored.delete(documentId(userId, id))),
})

/** No id of one person is ever that of another, whatever it contains. */
const documentId = (userId: string, id: string): string => createHash('sha256').update(JSON.stringify([userId, id])).digest('hex')
`

const takeTurnsText = `import { createInTurns } from '@agent-service/sdk/async'
import type { MemoryBackend } from '@agent-service/sdk/contracts/memory-backend'

/** The same back end, with one change of a person’s memories at a time: none is lost that was made of what another one replaces. */
export function takeTurns(backend: MemoryBackend): MemoryBackend {
  const turns = createInTurns()
  return {
    ...backend,
    remember: (memory, options) => turns.run(memory.userId, () => backend.remember(memory, options)),
    forget: (id, reader) => turns.run(reader.userId, () => backend.forget(id, reader)),
    chatChanged: (chat, options) => turns.run(chat.userId, () => backend.chatChanged(chat, options)),
    change: (id, change, reader) => turns.run(reader.userId, () => backend.change(id, change, reader)),
    import: (userId, records, options) => turns.run(userId, () => backend.import(userId, records, options)),
    erase: (userId, options) => turns.run(userId, () => backend.erase(userId, options)),
  }
}
`
