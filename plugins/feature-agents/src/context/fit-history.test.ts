import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import {
  type Inference,
  modelGroupUnknownError,
  type TokenCountOptions,
  type TokenCountRequest,
} from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import fc from 'fast-check'
import { createHistoryFitter } from './fit-history.js'
import { withSummary } from './summaries.js'

/** A tokenizer for which every character is `weight` tokens, and every message one more. */
const createPlace = (place: { readonly window: number; readonly maximum: number; readonly pct?: number; readonly weight?: number }) => {
  let counts = 0
  const inference: Inference = {
    limits: { max_tool_turns: 200, default_max_tokens: 8_192, history_truncation_pct: place.pct ?? 90 },
    groups: () => [{ name: 'primary', provider: 'p', model: 'm', context_window: place.window, max_tokens: place.maximum }],
    infer: () => expect.fail('nothing is asked'),
    embed: () => expect.fail('no vectors are asked for'),
    async countTokens({ messages }: TokenCountRequest, _options?: TokenCountOptions) {
      counts += 1
      return { tokens: tokensOf(messages, place.weight), exact: true, window: place.window, reserve: place.maximum }
    },
  }
  return { inference, fitter: createHistoryFitter({ inference }), counts: () => counts }
}
const tokensOf = (messages: readonly ModelMessage[], weight = 0.25): number =>
  messages.reduce(
    (sum, { content }) =>
      sum + 1 + Math.ceil(weight * content.reduce((length, part) => length + ('text' in part ? part.text.length : 0), 0)),
    0,
  )

const time = { type: 'text' as const, text: '[Sunday]' }
const turn = (name: string, length: number): ModelMessage[] => [
  { role: 'user', content: [{ type: 'text', text: name }, time] },
  { role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(length) }] },
]
const system: ModelMessage = { role: 'system', content: [{ type: 'text', text: 's'.repeat(400) }] }
const promptOf = (conversation: readonly ModelMessage[], cut = false) => ({ group: 'primary', system, tools: [], conversation, cut })
const counting = { count: true, squeeze: false }

describe('the part of a conversation that goes into the prompt', () => {
  it('is all of it, without a count, if that certainly fits', async () => {
    const { fitter, counts } = createPlace({ window: 100_000, maximum: 1_000 })
    const conversation = turn('one', 400)
    expect(await fitter.fit(promptOf(conversation), counting)).to.deep.equal({ kept: conversation, overfull: false })
    expect(counts()).to.equal(0)
  })

  it('is left for the driver to count if it may not fit', async () => {
    const { fitter, counts } = createPlace({ window: 4_000, maximum: 500 })
    const conversation = turn('one', 6_000)
    const options = { count: false, squeeze: false }
    expect(await fitter.fit(promptOf(conversation), options)).to.deep.equal({ kept: conversation, overfull: true })
    expect(counts()).to.equal(0)
    expect((await fitter.fit(promptOf(conversation), counting)).overfull, 'it was only near').to.equal(false)
  })

  it('is not counted as a whole again for later messages', async () => {
    const { fitter, counts } = createPlace({ window: 4_000, maximum: 500 })
    const conversation = turn('one', 6_000)
    await fitter.fit(promptOf(conversation), counting)
    const known = counts()
    expect(known).to.be.greaterThan(0)
    const longer = [...conversation, ...turn('two', 400)]
    for (const options of [counting, { count: false, squeeze: false }]) {
      expect(await fitter.fit(promptOf(longer), options)).to.deep.equal({ kept: longer, overfull: false })
    }
    expect(counts()).to.equal(known)
    await fitter.fit(promptOf([...longer, ...turn('three', 2_000)]), counting)
    expect(counts(), 'it may not fit any more').to.be.greaterThan(known)
  })

  it('is overfull above the threshold even if its beginning was counted before', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 2_500 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(lengths, fc.constantFrom(0.1, 0.25, 0.5), async (sizes, weight) => {
        const { fitter } = createPlace({ window: 4_000, maximum: 500, pct: 100, weight })
        let conversation: readonly ModelMessage[] = []
        for (const [index, size] of sizes.entries()) {
          conversation = [...conversation, ...turn(`turn ${index}`, size)]
          const { overfull } = await fitter.fit(promptOf(conversation), counting)
          expect(overfull).to.equal(tokensOf([system, ...conversation], weight) > 2_800)
        }
      }),
    )
  })

  it('is overfull beyond 0.8 × (W − R), to the token', async () => {
    // W − R = 3,500, so 2,800; the system message has 101, a turn 5 and its answer 1 more than a
    // quarter of its length.
    const { fitter } = createPlace({ window: 4_000, maximum: 500, pct: 100 })
    const of = async (length: number) => (await fitter.fit(promptOf(turn('one', length)), counting)).overfull
    const rest = 2_800 - tokensOf([system, ...turn('one', 0)])
    expect([await of(rest * 4), await of(rest * 4 + 1)]).to.deep.equal([false, true])
    expect((await fitter.fit(promptOf(turn('one', 4), true), counting)).overfull, 'more than was read').to.equal(true)
  })

  it('never exceeds the history budget, and never loses the summary, the newest turn, or half a turn', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 6_000 }), { minLength: 1, maxLength: 12 })
    // The quick estimate has a quarter; what has more than twice as much goes to the vendor, who
    // says that it is too long.
    const weight = fc.constantFrom(0.1, 0.25, 0.5)
    await fc.assert(
      fc.asyncProperty(
        lengths,
        weight,
        fc.integer({ min: 10, max: 100 }),
        fc.boolean(),
        fc.boolean(),
        async (sizes, perCharacter, pct, summarised, squeeze) => {
          const { fitter } = createPlace({ window: 4_000, maximum: 500, pct, weight: perCharacter })
          const turns = sizes.map((size, index) => turn(`turn ${index}`, size))
          const whole = summarised ? withSummary({ text: 'They talked.', task: null }, turns.flat()) : turns.flat()
          const { kept } = await fitter.fit(promptOf(whole), { count: true, squeeze })
          const summary = summarised ? whole.slice(0, 1) : []
          expect(kept.slice(0, summary.length)).to.deep.equal(summary)
          const rest = kept.slice(summary.length)
          expect(rest).to.deep.equal(whole.slice(whole.length - rest.length))
          expect(rest.length).to.be.at.least(2)
          expect(rest.length % 2, 'whole turns').to.equal(0)
          const fixed = tokensOf([system], perCharacter)
          const allowed = Math.floor(((3_500 - fixed) * pct) / 100)
          if (rest.length > 2) expect(tokensOf(kept, perCharacter)).to.be.at.most(allowed)
          if (squeeze && rest.length > 2) expect(tokensOf(kept, perCharacter)).to.be.at.most(tokensOf(whole, perCharacter) / 2)
        },
      ),
    )
  })

  it('does not fail before the model call says that there is no model', async () => {
    const { inference } = createPlace({ window: 1_000, maximum: 500 })
    const none: Inference = {
      ...inference,
      groups: () => [],
      countTokens: () => Promise.reject(modelGroupUnknownError.create({ group: 'x', known: [] })),
    }
    const conversation = turn('one', 400_000)
    expect(await createHistoryFitter({ inference: none }).fit(promptOf(conversation), counting)).to.deep.equal({
      kept: conversation,
      overfull: false,
    })
  })
})
