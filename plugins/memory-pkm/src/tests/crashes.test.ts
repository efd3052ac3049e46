import { expect } from 'chai'
import { crashAt, randomSource, type Story, undisturbed, withCrashes } from '../test-support/crashing.js'
import { lore } from '../test-support/lore.js'

const story: Story = {
  lore,
  chats: [
    [
      'chat-1',
      ['Hello! I live in Graz, and I prefer trains.', 'Anna is my sister. I am tired today.', 'That worked, do it like this every time.'],
    ],
    ['chat-2', ['I have moved to Linz. I collect stamps. Anna works as a baker.', 'That worked, do it like this every time.']],
  ],
}

describe('a crash in consolidation', () => {
  it('after any stage leads to the very state of an undisturbed run', async () => {
    const calm = await undisturbed(story)
    expect(calm.state).to.contain('Has moved to Linz.').and.contain('stamps')
    expect(calm.stages).to.deep.equal(new Set(['extract', 'classify', 'resolve', 'reconcile', 'author', 'adjudicate', 'commit']))
    for (const stage of calm.stages) {
      const { state, crashes } = await withCrashes(story, crashAt({ stage }))
      expect(crashes, stage).to.be.greaterThan(0)
      expect(state, stage).to.equal(calm.state)
    }
  })

  it('after writes and before answers, repeats at most the call under way', async () => {
    const calm = await undisturbed(story)
    for (let write = 1; write <= calm.writes; write += 3) {
      const { state, calls } = await withCrashes(story, crashAt({ write }))
      expect(state, `after write ${write}`).to.equal(calm.state)
      expect(calls, `after write ${write}`).to.be.at.most(calm.calls + 1)
    }
    for (let call = 1; call <= calm.calls; call += 3) {
      const { state, calls } = await withCrashes(story, crashAt({ call }))
      expect(state, `in call ${call}`).to.equal(calm.state)
      expect(calls, `in call ${call}`).to.be.at.most(calm.calls + 4)
    }
  })

  it('at random, again and again, changes nothing of the result', async () => {
    const seed = Number(process.env['SEED'] ?? 20_261_128)
    const random = randomSource(seed)
    const calm = await undisturbed(story)
    const { state, crashes } = await withCrashes(story, crashAt({ chance: () => random() < 0.2 }))
    expect(crashes).to.be.greaterThan(3)
    expect(state, `SEED=${seed}`).to.equal(calm.state)
  })
})
