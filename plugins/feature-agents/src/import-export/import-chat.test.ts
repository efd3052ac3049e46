import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createHeavyWork } from '../common/heavy-work.js'
import { createChatParts } from '../points/parts/chat-parts.js'
import { chatCollection } from '../store/chats/chat.js'
import { type ImportRecord, importCollection } from '../store/chats/import-record.js'
import { messageCollection } from '../store/chats/message.js'
import { createFakeTools, createRecordingLogger } from '../test-support/fake-tools.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import type { ChatDocument } from './chat-document.js'
import { createImporter } from './import-chat.js'

const now = Date.UTC(2026, 5, 1)
const time = '2026-01-01T00:00:00.000Z'

const document = (length: number): ChatDocument => ({
  format: 'agent-service.chat',
  version: 1,
  chat: { title: null, agent: null, archived: false, compaction: true, branch: 1, created_at: time, updated_at: time },
  branches: [{ number: 1, fork: null, created_at: time }],
  messages: Array.from({ length }, (_, sequence) => ({
    ...{ branch: 1, sequence, run: 1, role: 'user', status: 'complete', created_at: time },
    content: [{ type: 'text', text: 'x' }],
  })),
  summaries: [],
})

/** An importer over a store that tells before each transaction how many there were. */
function begin(before: (transactions: number) => Promise<void> | void = () => undefined) {
  const { database: memory, documents } = createMemoryDatabase()
  let transactions = 0
  const database: Database = {
    ...memory,
    collection: (definition) => ({
      ...memory.collection(definition),
      async insert(stored) {
        documents(definition).set(stored.id, stored)
        return { document: stored, revision: 1 }
      },
    }),
    async transaction(work, options) {
      await before(transactions)
      transactions += 1
      return memory.transaction(work, options)
    },
  }
  const clock: Pick<Clock, 'now'> = { now: () => now }
  const events: Events = { record: () => undefined, publishDelta: () => 0, position: () => 0 }
  const log = createRecordingLogger()
  return {
    documents,
    log,
    importer: createImporter({
      imports: createHeavyWork(createFakeQuotas()).imports,
      database,
      events,
      clock: clock as Clock,
      inference: { groups: () => [] },
      log,
      parts: createChatParts({ contributions: createFakeTools([]), log }),
    }),
    transactions: () => transactions,
  }
}

const owner = (signal: AbortSignal = new AbortController().signal) => ({ userId: 'u', agentId: 'a', signal })
const errorOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('importing a chat', () => {
  it('stores the chat last, in pieces of bounded size, and leaves no record', async () => {
    const seen: boolean[] = []
    const { importer, documents, transactions } = begin(() => void seen.push(documents(chatCollection).size > 0))
    const { chat } = await importer.import(document(350), owner())
    expect(documents(messageCollection).size).to.equal(350)
    expect([...documents(chatCollection).keys()]).to.deep.equal([chat.id])
    expect([transactions(), seen.includes(true), documents(importCollection).size]).to.deep.equal([5, false, 0])
  })

  it('leaves nothing of an import that fails or whose caller disconnects', async () => {
    const broken = new Error('The store is full.')
    let failures = 0
    const failing = begin((transactions) => {
      if (transactions === 2 && failures++ === 0) throw broken
    })
    expect(await errorOf(failing.importer.import(document(350), owner()))).to.equal(broken)
    const controller = new AbortController()
    const leaving = begin((transactions) => {
      if (transactions === 2) controller.abort(new Error('gone'))
    })
    expect(await errorOf(leaving.importer.import(document(450), owner(controller.signal)))).to.have.property('message', 'gone')
    for (const { documents } of [failing, leaving]) {
      expect([messageCollection, chatCollection, importCollection].map((kept) => documents<{ id: string }>(kept).size)).to.deep.equal([
        0, 0, 0,
      ])
    }
  })

  it('reports why it failed even if its data cannot be deleted, and keeps the record for that', async () => {
    const broken = new Error('The store is full.')
    const { importer, documents, log } = begin((transactions) => {
      if (transactions === 2) throw broken
    })
    expect(await errorOf(importer.import(document(350), owner()))).to.equal(broken)
    expect([documents(importCollection).size, documents(chatCollection).size]).to.deep.equal([1, 0])
    expect(log.lines.map(({ fields }) => fields['error'])).to.deep.equal([broken])
  })

  it('deletes the data of an interrupted import, but not of one in progress elsewhere', async () => {
    const { importer, documents } = begin()
    for (const [id, hours] of [
      ['interrupted', 2],
      ['going on', 0.5],
    ] as const) {
      const record: ImportRecord = { id, user_id: 'u', started_at: new Date(now - hours * 3_600_000).toISOString() }
      documents(importCollection).set(id, record)
      documents(messageCollection).set(`of ${id}`, {
        ...{ id: `of ${id}`, chat_id: id, branch_id: id, user_id: 'u', run_id: 'r', role: 'user', status: 'complete' },
        ...{ content: [], sequence: 0, created_at: time },
      })
    }
    await importer.import(document(0), owner())
    expect([...documents(importCollection).keys()]).to.deep.equal(['going on'])
    expect([...documents(messageCollection).keys()]).to.deep.equal(['of going on'])
  })

  it('of another product is stored with what its import notes, a small one at once and a large one in pieces', async () => {
    for (const [length, most] of [
      [5, 1],
      [350, 5],
    ] as const) {
      const { importer, documents, transactions } = begin()
      const attachments = new Map([[2, [{ name: 'a.png', path: 'files/imports/a.png', size: 3 }]]])
      const within: string[] = []
      const chat = await importer.importForeign(document(length), owner(), {
        ...{ importId: 'i', attachments },
        within: async (_, made) => void within.push(made.id),
      })
      expect([within, transactions(), documents(importCollection).size]).to.deep.equal([[chat.id], most, 0])
      const stored = [...documents(messageCollection).values()].filter((message) => message.attachments)
      expect(stored.map(({ sequence }) => sequence)).to.deep.equal([2])
    }
  })

  it('of another product leaves nothing when it may not be shown, and none of an interrupted one', async () => {
    const { importer, documents } = begin()
    const refused = new Error('It was cancelled.')
    const foreign = { importId: 'i', attachments: new Map(), within: () => Promise.reject(refused) }
    expect(await errorOf(importer.importForeign(document(350), owner(), foreign))).to.equal(refused)
    expect([messageCollection, chatCollection, importCollection].map((kept) => documents<{ id: string }>(kept).size)).to.deep.equal([
      0, 0, 0,
    ])
    for (const id of ['mine', 'other']) {
      documents(importCollection).set(id, { id, user_id: 'u', started_at: time, part_of: id === 'mine' ? 'i' : 'j' })
      documents(messageCollection).set(`of ${id}`, {
        ...{ id: `of ${id}`, chat_id: id, branch_id: id, user_id: 'u', run_id: 'r', role: 'user', status: 'complete' },
        ...{ content: [], sequence: 0, created_at: time },
      })
    }
    await importer.removePartsOf({ id: 'i', user_id: 'u' })
    expect([...documents(messageCollection).keys()]).to.deep.equal(['of other'])
  })

  it('is one at a time for each person', async () => {
    let go: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const { importer } = begin(() => gate)
    const first = importer.import(document(1), owner())
    expect(await errorOf(importer.import(document(1), owner()))).to.have.property('code', 'import_in_progress')
    const other = importer.import(document(1), { ...owner(), userId: 'other' })
    go()
    await Promise.all([first, other])
    await importer.import(document(1), owner())
  })

  it('shows nothing without its record: the person was deleted meanwhile', async () => {
    const { importer, documents } = begin((transactions) => {
      if (transactions === 1) documents(importCollection).clear()
    })
    expect(await errorOf(importer.import(document(1), owner()))).to.be.instanceOf(Error)
    expect([documents(chatCollection).size, documents(messageCollection).size]).to.deep.equal([0, 0])
  })
})
