import { expect } from 'chai'
import { type RecordedRequest, recordedRequests } from '../test-support/recorded-requests.js'
import { countWith, silentLog } from '../test-support/token-counter.js'
import { createTokenWorker, type TokenWorker } from './create-token-worker.js'
import { encodingOf } from './token-encoding.js'

/**
 * The maximum ratio to the vendor's count. Tool schemas are counted as JSON, which vendors shorten.
 */
const most = { text: 1.25, tools: 1.6, guessed: 1.5 } as const

describe('requests whose tokens the vendor counted', () => {
  const requests = recordedRequests(process.env['FIXTURES_DIR'])
  const known = requests.filter(({ model }) => encodingOf(model) !== undefined)
  const others = requests.filter(({ model }) => encodingOf(model) === undefined)
  let worker: TokenWorker

  before(() => {
    worker = createTokenWorker({ clock: { after: () => () => undefined } })
  })
  after(() => worker.close())

  const count = ({ model, messages, tools }: RecordedRequest) =>
    countWith({ worker, log: silentLog, model })({ group: 'primary', messages, tools })

  it('exist', () => {
    expect(known.length).to.be.at.least(25)
    expect(others.length).to.be.at.least(80)
  })

  for (const request of known)
    it(`${request.name}: counts ${request.inputTokens} tokens or few more`, async function () {
      this.timeout(20_000)
      const { tokens, exact } = await count(request)
      const limit = exact ? (request.tools.length > 0 ? most.tools : most.text) : most.guessed
      expect(tokens / request.inputTokens).to.be.within(1, limit)
      // The framing of messages is not published exactly.
      if (exact && request.tools.length === 0) expect(tokens - request.inputTokens).to.be.at.most(5)
    })

  for (const request of others)
    it(`${request.name}: the estimate is not below ${request.inputTokens} tokens`, async () => {
      const { tokens, exact } = await count(request)
      expect(exact).to.equal(false)
      expect(tokens).to.be.at.least(request.inputTokens)
      // The vendor's preamble weighs much in short requests.
      const media = request.messages.some(({ content }) => content.some(({ type }) => type === 'image')) ? 1_600 : 0
      expect(tokens).to.be.at.most(request.inputTokens * 1.6 + 420 + media)
    })
})
