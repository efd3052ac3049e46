import { definePlugin, type Plugin, Type } from '@agent-service/sdk'
import {
  defineMemoryBackend,
  isInMemoryScope,
  type MemoryItem,
  type MemoryReader,
  type MemoryRecord,
  memoryBackends,
} from '@agent-service/sdk/contracts/memory-backend'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { type Collection, databaseService, defineCollection } from '@agent-service/sdk/services/database'

/** What tests see of all back ends of the process. */
export const seen: { readonly chatChanges: string[]; readonly erased: string[] } = { chatChanges: [], erased: [] }

interface Stored {
  readonly id: string
  readonly user_id: string
  readonly record: MemoryRecord
}

/** A back end that keeps records in the database, and learns nothing by itself: as a third party would write one. */
export function createKeptPlugin(id: string): Plugin {
  const records = defineCollection<Stored>()({
    name: `memory_${id.replaceAll('-', '_')}.records`,
    version: 1,
    userField: 'user_id',
    indexes: { by_user: { fields: ['user_id', 'id'] } },
  })
  return definePlugin({
    manifest: {
      id: `memory-${id}`,
      apiVersion: 1,
      description: 'A memory that keeps what it is given.',
      contributes: ['memory.backend', 'user.data'],
      requires: ['memory-settings'],
      extends: [{ section: 'memory', place: 'backend', variant: id, schema: Type.Object({}) }],
    },
    collections: [records],
    setup(context) {
      const stored = context.use(databaseService).collection(records)
      context.contribute(memoryBackends, createBackend(id, stored))
      context.contribute(userData, {
        ...{ specVersion: 1, id: `memory-${id}`, collections: [records.name] },
        async *export() {
          yield* []
        },
        async erase(userId) {
          for (const document of await allOf(stored, userId)) await stored.delete(document.id)
        },
        size: async (userId) => ({ records: (await allOf(stored, userId)).length, bytes: 0 }),
      })
    },
  })
}

async function allOf(stored: Collection<Stored>, userId: string): Promise<readonly Stored[]> {
  const found: Stored[] = []
  let cursor: string | undefined
  do {
    const page = await stored.query({ index: 'by_user', equals: [userId], limit: 200, ...(cursor !== undefined && { cursor }) })
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

const isSeenBy = ({ agentId, spaceId }: MemoryReader, { scope }: MemoryItem): boolean => {
  if (scope.kind === 'user' || agentId === undefined) return true
  return scope.kind === 'agent' ? scope.agentId === agentId : scope.spaceId === spaceId
}

const itemOf = ({ format: _, forgotten: __, details: ___, corrected: ____, digests: _____, ...item }: MemoryRecord): MemoryItem => item

function createBackend(id: string, stored: Collection<Stored>) {
  const keyOf = (userId: string, recordId: string): string => `${userId}/${recordId}`
  const now = (): string => new Date().toISOString()
  const put = (userId: string, record: MemoryRecord) => stored.put({ id: keyOf(userId, record.id), user_id: userId, record })
  const live = async (reader: MemoryReader): Promise<readonly MemoryItem[]> =>
    (await allOf(stored, reader.userId))
      .map(({ record }) => record)
      .filter((record) => record.forgotten !== true && isSeenBy(reader, record))
      .map(itemOf)
  return defineMemoryBackend({
    id,
    title: `Kept memory ${id}`,
    async promptText(reader) {
      const lines = (await live(reader)).map(({ text }) => `- ${text}`)
      return lines.length === 0 ? undefined : lines.join('\n').slice(0, 4 * reader.maxTokens)
    },
    async remember({ userId, scope, text, evidence, key }) {
      const record: MemoryRecord = {
        ...{ format: 1, id: key, scope, kind: 'note', text, pinned: false, fadesAt: null },
        ...{ createdAt: now(), updatedAt: now(), evidence: evidence ? [evidence] : [] },
      }
      if ((await stored.get(keyOf(userId, key))) === undefined) await put(userId, record)
      return { id: key }
    },
    async search({ text, limit, scope, ...reader }) {
      const words = text.toLowerCase().split(/\W+/)
      const fitting = (await live(reader)).filter(
        (item) => isInMemoryScope(item.scope, scope) && words.some((word) => item.text.toLowerCase().includes(word)),
      )
      return fitting.slice(0, limit).map((item) => ({ item, score: 1 }))
    },
    async forget(memoryId, { userId }) {
      const known = await stored.get(keyOf(userId, memoryId))
      if (known === undefined || known.record.forgotten === true) return false
      await put(userId, { ...known.record, text: '', evidence: [], forgotten: true, updatedAt: now() })
      return true
    },
    chatChanged: async ({ chatId, reason }) => void seen.chatChanges.push(`${chatId} ${reason}`),
    async list(reader, { limit, cursor, scope }) {
      const items = (await live(reader)).filter((item) => isInMemoryScope(item.scope, scope))
      const from = cursor === undefined ? 0 : Number(cursor)
      return { items: items.slice(from, from + limit), ...(from + limit < items.length && { nextCursor: String(from + limit) }) }
    },
    get: async (memoryId, reader) => (await live(reader)).find((item) => item.id === memoryId),
    async change(memoryId, change, { userId }) {
      const known = await stored.get(keyOf(userId, memoryId))
      if (known === undefined || known.record.forgotten === true) return undefined
      const changed = { ...known.record, ...change, updatedAt: now() }
      await put(userId, changed)
      return itemOf(changed)
    },
    async *export(userId) {
      for (const { record } of await allOf(stored, userId)) yield record
    },
    async import(userId, given) {
      let count = 0
      for await (const record of given) {
        count += 1
        await put(userId, record)
      }
      return { records: count }
    },
    async erase(userId) {
      for (const document of await allOf(stored, userId)) await stored.delete(document.id)
      seen.erased.push(userId)
    },
  })
}
