import { expect } from 'chai'
import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { requestTo, startReplayServer } from '../replay/index.js'
import { describeProviderFaults } from './index.js'
import { changed, createTinyAdapter, tinyWire } from './tiny-adapter.test.js'

/** Runs the suite; returns the titles of the failed tests. */
async function failing(adapter: ProviderAdapter): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeProviderFaults({ name: 'tiny', runner, create: () => adapter, request: (baseUrl) => requestTo(baseUrl), wire: tinyWire })
  const results = await runner.run({ testLimitMs: 3_000 })
  expect(results).to.have.length.greaterThan(15)
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('an upstream that fails, tiny › ', ''))
}

const cuts = [
  'a connection that breaks before the first event',
  'a connection that ends normally in the text',
  'a connection that breaks in the arguments of a call',
]

describe('describeProviderFaults', function () {
  this.timeout(30_000)
  const good = createTinyAdapter()
  const carefree = createTinyAdapter({ assembler: (assembler) => changed(assembler, () => ({ stopped: true })) })
  const deaf = createTinyAdapter({
    assembler: (assembler) =>
      changed(assembler, ({ add }) => ({
        add: (document, events) => (document.data['error'] === undefined ? add(document, events) : undefined),
      })),
  })
  const doubling = createTinyAdapter({
    assembler: (assembler) =>
      changed(assembler, ({ add }) => ({
        add(document, events) {
          add(document, events)
          if (document.data['text'] === 'Hello, ') add(document, events)
        },
      })),
  })

  it('passes a correct adapter', async () => {
    expect(await failing(good)).to.deep.equal([])
  })
  it('catches one that accepts a cut answer', async () => {
    expect(await failing(carefree)).to.include.members(cuts)
  })
  it('catches one that ignores errors inside an answer', async () => {
    expect(await failing(deaf)).to.deep.equal([
      // Errors that say no more than that they are one are found for it.
      'a spent quota, inside an answer with status 200',
    ])
  })
  it('catches one that emits content twice', async () => {
    expect(await failing(doubling))
      .to.include('a connection that breaks in the text')
      .and.include('a slow drip within the limits')
  })
  it('catches one that decodes each piece by itself', async () => {
    const hasty: ProviderAdapter = {
      ...good,
      async *call(request, options) {
        const { status, headers, body } = await fetch(`${request.connection.baseUrl}/tiny`, { method: 'POST', body: '{}' })
        const pieces: Uint8Array[] = []
        for await (const piece of body ?? []) pieces.push(new TextEncoder().encode(new TextDecoder().decode(piece as Uint8Array)))
        const type = headers.get('content-type') ?? ''
        const proxy = await startReplayServer(() => ({ status, headers: { 'content-type': type }, pieces }))
        try {
          const connection = { ...request.connection, baseUrl: proxy.baseUrl }
          yield* good.call({ ...request, connection }, options)
        } finally {
          await proxy.close()
        }
      },
    }
    expect(await failing(hasty))
      .to.include('characters that are cut between their bytes')
      .and.not.include('a slow drip within the limits')
  })
  it('says what a wire of bytes leaves unchecked', async () => {
    const runner = createCollectingRunner()
    const wire = { ...tinyWire, contentType: 'application/octet-stream' }
    describeProviderFaults({ name: 'tiny', runner, create: () => good, request: (baseUrl) => requestTo(baseUrl), wire })
    await runner.run({ testLimitMs: 3_000 })
    expect(runner.notes).to.deep.equal([
      'an upstream that fails, tiny: not checked, because “wire.text as plain text” was not given: characters that are cut between their bytes',
    ])
  })
  it('catches one that retries by itself', async () => {
    const again: ProviderAdapter = {
      ...good,
      async *call(request, options) {
        try {
          yield* good.call(request, options)
        } catch {
          yield* good.call(request, options)
        }
      },
    }
    expect(await failing(again))
      .to.include('503')
      .and.include('429 with Retry-After')
  })
})
