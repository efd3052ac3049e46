import { expect } from 'chai'
import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { changed, createTinyAdapter, event } from '../describe-provider-faults/tiny-adapter.test.js'
import { type Recording, requestTo } from '../replay/index.js'
import { describeRecordedAnswers } from './index.js'

const bytes = Buffer.concat([...['Grüße', ', ', 'Welt 👋'].map((text) => event({ text })), event({ end: true })])
const recording: Recording = {
  ...{ name: 'greeting', kind: 'sse', contentType: 'text/event-stream', status: 200, headers: {}, documents: [], truncated: false },
  ...{ bytes, url: undefined, request: undefined },
}

/** Runs the suite; returns the subject of each failed test. */
async function failing(adapter: ProviderAdapter, recordings: readonly Recording[] = [recording]): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeRecordedAnswers({
    name: 'tiny',
    runner,
    create: () => adapter,
    recordings,
    request: (baseUrl) => requestTo(baseUrl),
    check: ({ text }) => expect(text).to.equal('Grüße, Welt 👋'),
    completeFrom: () => bytes.length,
    seed: 7,
    chunkings: 30,
  })
  const results = await runner.run({ testLimitMs: 20_000 })
  return results
    .filter(({ error }) => error !== undefined)
    .map(({ title }) => (title.includes('cut anywhere') ? 'cut' : title.includes('random chunks') ? 'chunks' : 'there'))
}

describe('describeRecordedAnswers', function () {
  this.timeout(30_000)
  const good = createTinyAdapter()
  const carefree = createTinyAdapter({ assembler: (assembler) => changed(assembler, () => ({ stopped: true })) })
  /** Emits only the first of the events that arrive together. */
  const hasty = createTinyAdapter({
    assembler: (assembler) =>
      changed(assembler, ({ add }) => ({
        add: (document, events) => (events.length > 0 ? assembler.add(document, []) : add(document, events)),
      })),
  })

  it('passes a correct adapter', async () => {
    expect(await failing(good)).to.deep.equal([])
  })
  it('catches one that accepts a cut answer', async () => {
    expect(await failing(carefree)).to.deep.equal(['cut'])
  })
  it('catches one whose answer depends on the chunks', async () => {
    expect(await failing(hasty)).to.include('chunks')
  })
  it('catches one with a wrong answer', async () => {
    const other = { ...recording, bytes: Buffer.concat([event({ text: 'Grusse' }), event({ end: true })]) }
    expect(await failing(good, [other])).to.include('chunks')
  })
  it('catches an empty list of recordings', async () => {
    expect(await failing(good, [])).to.deep.equal(['there'])
  })
  it('says that nothing is cut without completeFrom', async () => {
    const runner = createCollectingRunner()
    describeRecordedAnswers({
      name: 'tiny',
      runner,
      create: () => good,
      recordings: [recording],
      request: (baseUrl) => requestTo(baseUrl),
      check: ({ text }) => expect(text).to.equal('Grüße, Welt 👋'),
      seed: 7,
      chunkings: 1,
    })
    await runner.run()
    expect(runner.notes).to.deep.equal([
      'recorded answers, tiny: not checked, because “completeFrom” was not given: an answer that is cut anywhere is truncated, without a call',
    ])
  })
})
