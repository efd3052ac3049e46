import { setMaxListeners } from 'node:events'
import type { NewMemory } from '@agent-service/sdk/contracts/memory-backend'
import { expect } from 'chai'
import { memoryFullError } from '../memories/make-room.js'
import { startBasic } from '../test-support/basic-bench.js'

const { signal } = new AbortController()
setMaxListeners(0, signal)
const userId = 'user-1'
const memory = (text: string, more: Partial<NewMemory> = {}): NewMemory => ({ userId, scope: { kind: 'user' }, text, key: text, ...more })

describe('the store of notes', () => {
  it('shows each of two processes what the other one has changed', async () => {
    const { backend: one, reopen } = await startBasic()
    const other = await reopen()
    const find = async (backend: typeof one, text: string) =>
      (await backend.search({ userId, text, limit: 9 }, { signal })).map(({ item }) => item.text)
    const { id } = await one.remember(memory('Likes oolong'), { signal })
    expect(await find(other, 'oolong')).to.deep.equal(['Likes oolong'])
    await other.change(id, { text: 'Likes sencha' }, { userId, signal })
    expect([await find(one, 'oolong'), await find(one, 'sencha')]).to.deep.equal([[], ['Likes sencha']])
    expect(await one.promptText({ userId, agentId: 'a', maxTokens: 9 }, { signal })).to.equal('- Likes sencha')
    await one.forget(id, { userId, signal })
    expect([await find(other, 'sencha'), await other.promptText({ userId, agentId: 'a', maxTokens: 9 }, { signal })]).to.deep.equal([
      [],
      undefined,
    ])
  })

  it('loses nothing that two processes remember at a time', async () => {
    const { backend: one, reopen } = await startBasic()
    const other = await reopen()
    const texts = Array.from({ length: 12 }, (_, index) => `Fact ${index}`)
    await Promise.all(texts.map((text, index) => (index % 2 === 0 ? one : other).remember(memory(text), { signal })))
    for (const backend of [one, other]) {
      const { items } = await backend.list({ userId }, { limit: 50, signal })
      expect(items.map(({ text }) => text).sort()).to.deep.equal([...texts].sort())
    }
  })

  it('begins anew after an erasure, also for another process', async () => {
    const { backend: one, clock, reopen } = await startBasic()
    const other = await reopen()
    await one.remember(memory('Before'), { signal })
    await other.search({ userId, text: 'before', limit: 9 }, { signal })
    await clock.advance(1)
    await one.erase(userId, { signal })
    await one.remember(memory('After'), { signal })
    expect((await other.list({ userId }, { limit: 9, signal })).items.map(({ text }) => text)).to.deep.equal(['After'])
    expect(await other.search({ userId, text: 'before', limit: 9 }, { signal })).to.deep.equal([])
  })

  it('stores halves of characters as what every database takes', async () => {
    const { backend } = await startBasic()
    const { id } = await backend.remember(memory('half \ud83d', { key: 'k' }), { signal })
    const [item] = (await backend.list({ userId }, { limit: 1, signal })).items
    expect(item?.text).to.equal('half \ufffd')
    expect((await backend.change(id, { text: '\udc00' }, { userId, signal }))?.text).to.equal('\ufffd')
  })

  it('refuses more notes than there may be, and takes others when some are forgotten', async () => {
    const { backend } = await startBasic()
    const at = '2026-01-01T00:00:00.000Z'
    async function* records() {
      for (let index = 0; index < 10_000; index += 1)
        yield {
          ...({ format: 1, id: `${index}`, scope: { kind: 'user' }, kind: 'note', text: 'x', pinned: false } as const),
          ...{ createdAt: at, updatedAt: at, fadesAt: null, evidence: [] },
        }
    }
    await backend.import(userId, records(), { signal })
    const refused = await backend.remember(memory('One more'), { signal }).catch((error: unknown) => error)
    expect(memoryFullError.isInstance(refused)).to.equal(true)
    expect(String(refused)).to.include('10000 memories, which is the maximum. Forget some')
    await backend.forget('7', { userId, signal })
    await backend.remember(memory('One more'), { signal })
  })

  it('ends a change that waits for another one with its signal', async () => {
    const { backend } = await startBasic()
    const controller = new AbortController()
    const reason = new Error('enough')
    const first = backend.remember(memory('First'), { signal })
    const second = backend.remember(memory('Second'), { signal: controller.signal }).catch((error: unknown) => error)
    controller.abort(reason)
    expect(await second).to.equal(reason)
    await first
    await backend.remember(memory('Third'), { signal })
    expect((await backend.list({ userId }, { limit: 9, signal })).items.map(({ text }) => text).sort()).to.deep.equal(['First', 'Third'])
  })
})
