import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import { expect } from 'chai'
import { documentsOfView } from '../read/search-index.js'
import { shortMemory } from '../store/make-memory.js'
import { ada, none, openPkm } from '../test-support/open-pkm.js'

const at = '2026-01-01T00:00:00.000Z'
const base = { format: 1, scope: { kind: 'user' }, pinned: false, fadesAt: null, createdAt: at, updatedAt: at } as const

/** Notes of one chat, and a page with as many statements. */
async function* records(count: number): AsyncGenerator<MemoryRecord> {
  for (let index = 0; index < count; index += 1)
    yield { ...base, id: `note-${index}`, kind: 'note', text: `Likes the song number ${index}.`, evidence: [{ chatId: 'chat-1' }] }
  const own = { origin: 'chat', sources: [], buried: [] }
  yield {
    ...{ ...base, id: 'page-1', kind: 'summary', title: 'Ada', text: 'Much is known.', evidence: [] },
    details: { pkm: { ...own, type: 'page', title: 'Ada', class: 'person', aliases: [], links: [] } },
  }
  const statement = { ...own, type: 'statement', page_id: 'page-1', property: 'likes', valid_from: null, valid_to: null, expired_at: null }
  for (let index = 0; index < count; index += 1) {
    const text = `Ada likes the film number ${index}.`
    yield {
      ...{ ...base, id: `statement-${index}`, kind: 'statement', pageId: 'page-1', text, evidence: [] },
      details: { pkm: { ...statement, value: text, superseded_by: null, confidence: 1, disputes: null } },
    }
  }
}

/** How many turns of the event loop others have while something is done; the database of the test gives none by itself. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next: NodeJS.Immediate
  const count = (): void => {
    turns += 1
    next = setImmediate(count)
  }
  next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}

describe('work on many memories', () => {
  it('gives others a turn again and again', async () => {
    const pkm = await openPkm()
    const { backend } = pkm
    const change = { userId: ada, chatId: 'chat-1', agentId: 'agent-1', spaceId: null, reason: 'deleted', at } as const
    const turns = {
      imported: await turnsOf(() => backend.import(ada, records(200), none)),
      exported: await turnsOf(() => pkm.export()),
      forgotten: await turnsOf(() => backend.forget('page-1', { userId: ada, ...none })),
      chatGone: await turnsOf(async () => {
        await backend.chatChanged(change, none)
        await pkm.sweep()
      }),
      erased: await turnsOf(() => backend.erase(ada, none)),
    }
    expect(turns.imported, 'taking in 401').to.be.at.least(8)
    expect(turns.exported, 'giving 401').to.be.at.least(7)
    expect(turns.forgotten, 'forgetting a page of 200').to.be.at.least(6)
    expect(turns.chatGone, 'forgetting 200 of a chat').to.be.at.least(3)
    expect(turns.erased, 'erasing 401').to.be.at.least(8)
    expect(await pkm.export()).to.deep.equal([])
    await pkm.dispose()
  })

  it('is not done at once where something is remembered beside them', async () => {
    const pkm = await openPkm()
    await pkm.backend.import(ada, records(1_100), none)
    const memory = { userId: ada, scope: { kind: 'user' }, text: 'Likes another song, number one.', key: 'k' } as const
    expect(await turnsOf(() => pkm.backend.remember(memory, none))).to.be.at.least(2)
    expect(await turnsOf(() => pkm.backend.remember({ ...memory, key: 'l' }, none))).to.equal(0)
    await pkm.dispose()
  })

  it('makes the documents of an index one by one, those of the newest days first', () => {
    let made = 0
    const memories = new Map(
      Array.from({ length: 50 }, (_, index) => {
        const day = `2026-01-${String((index % 28) + 1).padStart(2, '0')}T00:00:00.000Z`
        const memory = shortMemory({ userId: ada, id: `m${index}`, scope: { kind: 'user' }, text: 'Tea.', at: day, evidence: [] }, 'fact')
        const counted = Object.defineProperty({ ...memory }, 'text', {
          get() {
            made += 1
            return 'Tea.'
          },
        })
        return [memory.memory_id, counted] as const
      }),
    )
    const documents = documentsOfView({ revision: 1, memories })
    expect([documents.next().value?.id, made]).to.deep.equal(['m27', 1])
    expect([...documents]).to.have.length(49)
  })
})
