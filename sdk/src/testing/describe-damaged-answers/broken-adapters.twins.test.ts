import { expect } from 'chai'
import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { changed, createTinyAdapter, event } from '../describe-provider-faults/tiny-adapter.test.js'
import { type Recording, requestTo } from '../replay/index.js'
import { describeDamagedAnswers } from './index.js'

const documents = [...['Grüße', ', ', 'Welt 👋'].map((text) => ({ text })), { end: true }]
const recording: Recording = {
  ...{ name: 'greeting', kind: 'sse', contentType: 'text/event-stream', status: 200, headers: {}, documents, truncated: false },
  ...{ bytes: Buffer.concat(documents.map(event)), url: undefined, request: undefined },
}

/** Runs the suite; returns the words of its failure. */
async function failureOf(adapter: ProviderAdapter): Promise<string | undefined> {
  const runner = createCollectingRunner()
  describeDamagedAnswers({
    name: 'tiny',
    runner,
    create: () => adapter,
    recordings: [recording],
    request: (baseUrl) => requestTo(baseUrl),
    seed: 7,
    damages: 60,
  })
  const results = await runner.run({ testLimitMs: 20_000 })
  const error = results.find((result) => result.error !== undefined)?.error
  return error instanceof Error ? error.message : undefined
}

/** Errors are left to the kit, and no document alone is an answer. */
const sound = createTinyAdapter({
  assembler: (assembler) =>
    changed(assembler, ({ add }) => ({
      add: (document, events) => (document.data['error'] === undefined ? add(document, events) : undefined),
      isWhole: () => false,
    })),
})

describe('describeDamagedAnswers', function () {
  this.timeout(30_000)

  it('passes a correct adapter', async () => {
    expect(await failureOf(sound)).to.equal(undefined)
  })
  it('catches one that does not read all', async () => {
    const strict: ProviderAdapter = {
      ...sound,
      async *call(request, options) {
        for await (const each of sound.call(request, options)) {
          yield each
          if (each.type === 'text.delta') throw new TypeError('The rest is not read.')
        }
      },
    }
    expect(await failureOf(strict)).to.contain('not read')
  })
  it('catches one that hides the words of an error', async () => {
    const mute: ProviderAdapter = {
      ...sound,
      async *call(request, options) {
        try {
          yield* sound.call(request, options)
        } catch (error) {
          const details = (error as { readonly details: Record<string, unknown> }).details
          throw Object.assign(error as Error, { details: { ...details, reason: 'It failed.' } })
        }
      },
    }
    expect(await failureOf(mute)).to.contain('the words are missing')
  })
  it('catches one that loses what comes too early', async () => {
    const strict = createTinyAdapter({
      assembler: (assembler) => {
        let isFirst = true
        return changed(assembler, ({ add }) => ({
          isWhole: () => false,
          add(document, events) {
            const isEarly = isFirst && document.data['text'] !== 'Grüße'
            isFirst = false
            if (!isEarly && document.data['error'] === undefined) add(document, events)
          },
        }))
      },
    })
    expect(await failureOf(strict)).to.match(/after the next one: text/)
  })
  it('catches one that takes a cut answer for whole', async () => {
    const carefree = createTinyAdapter({ assembler: (assembler) => changed(assembler, () => ({ stopped: true })) })
    expect(await failureOf(carefree)).to.not.equal(undefined)
  })
  it('catches one that never finishes, of which no damage shows anything', async () => {
    const endless: ProviderAdapter = {
      ...sound,
      async *call(request, options) {
        for await (const each of sound.call(request, options)) if (each.type !== 'response.finished') yield each
      },
    }
    expect(await failureOf(endless)).to.contain('nothing could be checked')
  })
})
