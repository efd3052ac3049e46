import type { JsonObject } from '@agent-service/sdk'
import { type MemoryRecord, memoryTextDigest } from '@agent-service/sdk/contracts/memory-backend'
import { expect } from 'chai'
import { lore } from '../test-support/lore.js'
import { ada, none, openPkm } from '../test-support/open-pkm.js'

const later = '2030-01-01T00:00:00.000Z'

/** As another back end forgets it: without words and details, with the digests. */
const forgottenElsewhere = ({ title: _, details: __, ...record }: MemoryRecord): MemoryRecord => ({
  ...{ ...record, text: '', forgotten: true, pinned: false, evidence: [], updatedAt: later },
})

/** Learns where Ada lives, takes the memories through another back end, and has her say the same again. */
async function learnAgain(through: (record: MemoryRecord) => MemoryRecord) {
  const [first, second] = [await openPkm(lore), await openPkm(lore)]
  await first.chat('chat-1', ['I live in Graz.'])
  await first.sweep()
  const records = (await first.export()).map(through)
  async function* moved() {
    yield* records
  }
  await second.backend.import(ada, moved(), none)
  const after = await second.export()
  await second.chat('chat-2', ['As you know: I live in Graz.'])
  await second.sweep()
  const texts = await second.texts()
  await Promise.all([first.dispose(), second.dispose()])
  return { after, texts }
}

const isSaid = ({ text }: MemoryRecord): boolean => text === 'Lives in Graz.'
const pkmOf = ({ details }: MemoryRecord): JsonObject => details?.['pkm'] ?? {}

describe('what a person did in another back end', () => {
  it('stays forgotten, and nothing of it is learnt again', async () => {
    const { after, texts } = await learnAgain((record) => (isSaid(record) ? forgottenElsewhere(record) : record))
    expect(after.filter(({ forgotten }) => forgotten)).to.have.length(2)
    expect(JSON.stringify(after.filter(({ forgotten }) => forgotten))).to.not.match(/Graz/)
    expect(texts).to.not.include('Lives in Graz.')
  })

  it('stays corrected, and what stood there is not learnt again', async () => {
    const { after, texts } = await learnAgain((record) =>
      isSaid(record) ? { ...record, text: 'Lives in Salzburg.', updatedAt: later } : record,
    )
    const changed = after.filter(({ text }) => text === 'Lives in Salzburg.')
    expect(changed.map((record) => [pkmOf(record)['origin'], record.corrected])).to.deep.equal([
      ['person', true],
      ['person', true],
    ])
    expect(changed.find(({ kind }) => kind === 'statement')?.details?.['pkm']).to.include({ value: 'Lives in Salzburg.' })
    expect(texts).to.include('Lives in Salzburg.').and.not.include('Lives in Graz.')
  })

  it('counts as corrected if it was learnt there', async () => {
    const pkm = await openPkm()
    const record: MemoryRecord = {
      ...{ format: 1, id: 'note-1', scope: { kind: 'user' }, kind: 'note', text: 'Likes sencha.', pinned: false, fadesAt: null },
      ...{ createdAt: later, updatedAt: later, evidence: [], corrected: true },
    }
    async function* records() {
      yield record
    }
    await pkm.backend.import(ada, records(), none)
    expect((await pkm.export()).map((each) => pkmOf(each)['origin'])).to.deep.equal(['person'])
    await pkm.dispose()
  })

  it('is not learnt again where notes alone were forgotten or corrected there', async () => {
    for (const state of [
      { text: '', forgotten: true },
      { text: 'Lives in Linz.', corrected: true },
    ]) {
      const pkm = await openPkm(lore)
      async function* records() {
        yield {
          ...{ format: 1, id: 'note-1', scope: { kind: 'user' }, kind: 'note', pinned: false, fadesAt: null, evidence: [] },
          ...{ createdAt: later, updatedAt: later, digests: [memoryTextDigest('Lives in Graz.')], ...state },
        } satisfies MemoryRecord as MemoryRecord
      }
      await pkm.backend.import(ada, records(), none)
      await pkm.chat('chat-1', ['I live in Graz.'])
      await pkm.sweep()
      expect(await pkm.texts(), JSON.stringify(state)).to.not.include('Lives in Graz.')
      await pkm.dispose()
    }
  })
})
