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

/** Runs the suite; answers for each test that failed what it is about. */
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
    .map(({ title }) => (title.includes('cut anywhere') ? 'cut' : title.includes('random borders') ? 'borders' : 'there'))
}

describe('describeRecordedAnswers', function () {
  this.timeout(30_000)
  const good = createTinyAdapter()
  const carefree = createTinyAdapter({ assembler: (assembler) => changed(assembler, () => ({ stopped: true })) })
  /** Shows only the first of what arrives together. */
  const hasty = createTinyAdapter({
    assembler: (assembler) =>
      changed(assembler, ({ add }) => ({
        add: (document, events) => (events.length > 0 ? assembler.add(document, []) : add(document, events)),
      })),
  })

  it('passes an adapter that keeps its promises', async () => {
    expect(await failing(good)).to.deep.equal([])
  })
  it('catches one to which a cut answer is whole', async () => {
    expect(await failing(carefree)).to.deep.equal(['cut'])
  })
  it('catches one whose answer depends on the borders', async () => {
    expect(await failing(hasty)).to.include('borders')
  })
  it('catches one that reads something else', async () => {
    const other = { ...recording, bytes: Buffer.concat([event({ text: 'Grusse' }), event({ end: true })]) }
    expect(await failing(good, [other])).to.include('borders')
  })
  it('catches that there is nothing to replay', async () => {
    expect(await failing(good, [])).to.deep.equal(['there'])
  })
})
