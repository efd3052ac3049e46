import { expect } from 'chai'
import { fadesAt, isFaded, scoreOf } from '../read/score.js'
import { shortMemory } from '../store/make-memory.js'
import { ada, none, openPkm } from '../test-support/open-pkm.js'
import { defaultSettings } from '../test-support/test-settings.js'

const day = 86_400_000
const begin = Date.parse('2026-01-01T00:00:00.000Z')
const memory = shortMemory(
  { userId: ada, id: 'm', scope: { kind: 'user' }, text: 'Tea.', at: new Date(begin).toISOString(), evidence: [] },
  'fact',
)

describe('the decay of short memories', () => {
  it('drops one of weight 1 out after 46.5 days without a mention', () => {
    const boundary = 14 * Math.log2(10)
    expect(boundary).to.be.closeTo(46.5, 0.01)
    expect(isFaded(memory, begin + (boundary - 0.001) * day, defaultSettings)).to.equal(false)
    expect(isFaded(memory, begin + (boundary + 0.001) * day, defaultSettings)).to.equal(true)
    expect(Date.parse(fadesAt(memory, defaultSettings) ?? '')).to.be.closeTo(begin + boundary * day, 1_000)
  })

  it('halves the score in each half-life, and leaves pinned and lasting ones', () => {
    expect(scoreOf(memory, begin + 14 * day, defaultSettings)).to.be.closeTo(0.5, 1e-9)
    expect(scoreOf({ ...memory, weight: 0.5 }, begin + 28 * day, defaultSettings)).to.be.closeTo(0.125, 1e-9)
    expect(scoreOf({ ...memory, pinned: true }, begin + 900 * day, defaultSettings)).to.equal(1)
    expect(fadesAt({ ...memory, pinned: true }, defaultSettings)).to.equal(null)
    expect(isFaded({ ...memory, lasting: true }, begin + 900 * day, defaultSettings)).to.equal(false)
  })

  it('keeps a faded one searchable, and a further mention brings it back', async () => {
    const pkm = await openPkm()
    const said = { userId: ada, scope: { kind: 'user' }, text: 'Keeps bees on the roof.' } as const
    await pkm.backend.remember({ ...said, key: 'one' }, none)
    const prompt = () => pkm.backend.promptText({ userId: ada, agentId: 'agent-1', maxTokens: 1_000 }, none)
    expect(await prompt()).to.equal('Remembered:\n- Keeps bees on the roof.')
    await pkm.clock.advance(47 * day)
    expect(await prompt()).to.equal(undefined)
    expect((await pkm.backend.search({ userId: ada, text: 'bees', limit: 5 }, none)).map(({ item }) => item.text)).to.deep.equal([
      said.text,
    ])
    await pkm.backend.remember({ ...said, key: 'two' }, none)
    expect(await prompt()).to.equal('Remembered:\n- Keeps bees on the roof.')
    expect(await pkm.texts()).to.have.length(1)
    await pkm.dispose()
  })
})
