import { type MemoryRecord, memoryTextDigest } from '@agent-service/sdk/contracts/memory-backend'
import { expect } from 'chai'
import { startBasic } from '../test-support/basic-bench.js'

const { signal } = new AbortController()
const userId = 'user-1'
const digest = 'a'.repeat(64)
const at = '2025-01-01T00:00:00.000Z'
const record = (more: Partial<MemoryRecord> = {}): MemoryRecord => ({
  ...{ format: 1, id: 'statement-1', scope: { kind: 'user' }, kind: 'statement', text: 'Lives in Berlin.', pinned: false, fadesAt: null },
  ...{
    createdAt: at,
    updatedAt: at,
    evidence: [],
    details: { pkm: { value: 'Berlin', aliases: ['Berlin'] } },
    digests: [digest],
  },
  ...more,
})

async function imported(...taken: readonly MemoryRecord[]) {
  const bench = await startBasic()
  async function* records() {
    yield* taken
  }
  await bench.backend.import(userId, records(), { signal })
  const exported = async (): Promise<readonly MemoryRecord[]> => {
    const all: MemoryRecord[] = []
    for await (const each of bench.backend.export(userId, { signal })) all.push(each)
    return all
  }
  return { ...bench, exported }
}

describe('records of another back end', () => {
  it('keep no words when they are forgotten, only digests of them', async () => {
    const { backend, exported } = await imported(record())
    await backend.forget('statement-1', { userId, signal })
    const [left] = await exported()
    expect(JSON.stringify(left)).to.not.match(/berlin/i)
    expect([left?.forgotten, left?.details, left?.digests]).to.deep.equal([true, undefined, [digest, memoryTextDigest('Lives in Berlin.')]])
  })

  it('do not stay in the page that repeats them, unless a person has written it', async () => {
    const page = record({ id: 'page-1', kind: 'summary', title: 'Ada', text: 'Lives in Berlin and likes tea.' })
    const statements = ['Lives in Berlin.', 'Likes tea.'].map((text, index) => record({ id: `statement-${index}`, text, pageId: 'page-1' }))
    const textOf = (records: readonly MemoryRecord[]) => records.find(({ id }) => id === 'page-1')?.text
    const { backend, exported } = await imported(page, ...statements)
    await backend.forget('statement-0', { userId, signal })
    expect(textOf(await exported())).to.equal('- Likes tea.')
    await backend.change('statement-1', { text: 'Likes milk.' }, { userId, signal })
    expect(textOf(await exported())).to.equal('- Likes milk.')
    await backend.change('page-1', { text: 'My own words.' }, { userId, signal })
    await backend.forget('statement-1', { userId, signal })
    expect(textOf(await exported())).to.equal('My own words.')
  })

  it('change together where two say the same on one page', async () => {
    const twins = [record({ id: 'one', pageId: 'page-1' }), record({ id: 'other', pageId: 'page-1', kind: 'note' })]
    const { backend, exported } = await imported(...twins, record({ id: 'elsewhere' }))
    await backend.change('one', { text: 'Lives in Bonn.' }, { userId, signal })
    const texts = async () => Object.fromEntries((await exported()).map(({ id, text }) => [id, text]))
    expect(await texts()).to.deep.equal({ one: 'Lives in Bonn.', other: 'Lives in Bonn.', elsewhere: 'Lives in Berlin.' })
    await backend.forget('other', { userId, signal })
    expect(await texts()).to.deep.equal({ one: '', other: '', elsewhere: 'Lives in Berlin.' })
  })

  it('keep nothing of what only a deleted chat says', async () => {
    const page = record({ id: 'page-1', kind: 'summary', title: 'Ada', text: 'Lives in Berlin.', details: {} })
    const { backend, exported } = await imported(record({ evidence: [{ chatId: 'chat-1' }], pageId: 'page-1' }), page)
    await backend.chatChanged({ userId, chatId: 'chat-1', agentId: 'a', spaceId: null, reason: 'deleted', at }, { signal })
    const left = (await exported()).find(({ id }) => id === 'statement-1')
    expect(JSON.stringify(await exported())).to.not.match(/berlin/i)
    expect([left?.forgotten, left?.details]).to.deep.equal([true, undefined])
  })

  it('stay when a chat is deleted, if a person has corrected them there', async () => {
    const { backend, exported } = await imported(record({ evidence: [{ chatId: 'chat-1' }], corrected: true }))
    await backend.chatChanged({ userId, chatId: 'chat-1', agentId: 'a', spaceId: null, reason: 'deleted', at }, { signal })
    expect((await exported()).map(({ text }) => text)).to.deep.equal(['Lives in Berlin.'])
  })

  it('are not pinned once they are forgotten', async () => {
    const { exported } = await imported(record({ forgotten: true, pinned: true, text: '' }))
    expect((await exported()).map(({ pinned }) => pinned)).to.deep.equal([false])
  })
})
