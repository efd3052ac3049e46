import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { groupOf } from '../test-support/fakes.js'
import { startPlugin, workConnection } from '../test-support/start-plugin.js'
import { countWith, silentLog } from '../test-support/token-counter.js'
import type { TokenWorker } from './create-token-worker.js'
import { imageTokens } from './request-pieces.js'

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const weather: ModelTool = {
  name: 'weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
}

/** Counts every character as a token, and records the texts. */
function createFakeWorker(failure?: Error): Pick<TokenWorker, 'count'> & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    count(_, texts) {
      asked.push(...texts)
      return failure ? Promise.reject(failure) : Promise.resolve(texts.map((text) => text.length))
    },
  }
}

describe('counting the tokens of a request', () => {
  it('adds the framing of every message and tool', async () => {
    const worker = createFakeWorker()
    const count = countWith({ worker, log: silentLog, model: 'gpt-5' })
    expect(await count({ group: 'primary', messages: [], tools: [] })).to.deep.equal({
      tokens: 3,
      exact: true,
      window: 128_000,
      reserve: 8_192,
    })
    expect((await count({ group: 'primary', messages: [user('12345')], tools: [] })).tokens).to.equal(3 + 4 + 5)
    const withTool = await count({ group: 'primary', messages: [user('12345')], tools: [weather] })
    expect(withTool.exact).to.equal(true)
    expect(withTool.tokens).to.equal(
      12 + 12 + 8 + weather.name.length + weather.description.length + JSON.stringify(weather.parameters).length,
    )
  })

  it('counts a text once, so a growing conversation costs only its new message', async () => {
    const worker = createFakeWorker()
    const count = countWith({ worker, log: silentLog, model: 'gpt-5' })
    const messages = Array.from({ length: 500 }, (_, index) => user(`message ${index}`))
    const before = await count({ group: 'primary', messages, tools: [weather] })
    expect(worker.asked.length).to.equal(500 + 3)
    const after = await count({ group: 'primary', messages: [...messages, user('and one more')], tools: [weather] })
    expect(worker.asked.slice(503)).to.deep.equal(['and one more'])
    expect(after.tokens - before.tokens).to.equal(4 + 'and one more'.length)
    await count({ group: 'primary', messages, tools: [weather] })
    expect(worker.asked.length).to.equal(504)
  })

  it('counts a repeated text each time', async () => {
    const worker = createFakeWorker()
    const count = countWith({ worker, log: silentLog, model: 'gpt-5' })
    expect((await count({ group: 'primary', messages: [user('same'), user('same')], tools: [] })).tokens).to.equal(3 + 4 + 4 + 8)
    expect(worker.asked).to.deep.equal(['same'])
  })

  it('estimates without a tokenizer if the estimate is safely below the limit', async () => {
    const worker = createFakeWorker()
    const count = countWith({ worker, log: silentLog, model: 'gpt-5' })
    const messages = [user('How are you this morning?')]
    const estimated = await count({ group: 'primary', messages, tools: [] }, { atMost: 100 })
    expect(estimated.exact).to.equal(false)
    expect(estimated.tokens).to.be.within(13, 20)
    expect(worker.asked).to.deep.equal([])
    const counted = await count({ group: 'primary', messages, tools: [] }, { atMost: estimated.tokens })
    expect(counted.exact).to.equal(true)
    expect(worker.asked.length).to.equal(1)
  })

  it('estimates for models with an unknown tokenizer', async () => {
    const worker = createFakeWorker()
    const { exact, tokens } = await countWith({ worker, log: silentLog, model: 'claude-haiku-4-5' })({
      group: 'primary',
      messages: [user('How are you this morning?')],
      tools: [],
    })
    expect(exact).to.equal(false)
    expect(tokens).to.be.within(13, 70)
    expect(worker.asked).to.deep.equal([])
  })

  it('estimates if the thread fails, and warns', async () => {
    const lines: unknown[] = []
    const log = { ...silentLog, warn: (message: string, fields: unknown) => void lines.push(message, fields) }
    const failure = new Error('out of memory')
    const count = countWith({ worker: createFakeWorker(failure), log, model: 'gpt-5' })
    const counted = await count({ group: 'primary', messages: [user('How are you?')], tools: [] })
    expect(counted.exact).to.equal(false)
    expect(counted.tokens).to.be.within(10, 16)
    expect(lines).to.deep.equal(['Tokens were estimated instead of counted.', { group: 'primary', model: 'gpt-5', error: failure }])
  })

  it('throws the signal’s reason, before and during a count', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const worker: Pick<TokenWorker, 'count'> = {
      count() {
        controller.abort(reason)
        return Promise.reject(reason)
      },
    }
    const count = countWith({ worker, log: silentLog, model: 'gpt-5' })
    const request = { group: 'primary', messages: [user('How are you?')], tools: [] }
    for (let time = 0; time < 2; time += 1)
      expect(await count(request, { signal: controller.signal }).catch((error: unknown) => error)).to.equal(reason)
  })

  it('counts the text of every file that reaches a model as text', async () => {
    const worker = createFakeWorker()
    const count = countWith({ worker, log: silentLog, model: 'gpt-5' })
    for (const type of ['text/csv', 'application/json', 'application/sql', 'application/x-sh; charset=utf-8', 'image/svg+xml']) {
      const content = [{ type: 'file', media_type: type, name: 'a', data: Buffer.from(`in ${type}`).toString('base64') }] as const
      const { exact } = await count({ group: 'primary', messages: [{ role: 'user', content }], tools: [] })
      expect([type, exact, worker.asked.at(-1)]).to.deep.equal([type, true, `in ${type}`])
    }
  })

  it('counts everything that a message may contain', async () => {
    const worker = createFakeWorker()
    const count = countWith({ worker, log: silentLog, model: 'gpt-5' })
    const text = Buffer.from('a,b\n1,2\n').toString('base64')
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'image', media_type: 'image/png', data: 'AAAA' },
          { type: 'file', media_type: 'text/csv', name: 'table.csv', data: text },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Let me see.', opaque: { vendor: 'v', data: { signature: 's'.repeat(600) } } },
          { type: 'tool_call', call_id: 'c1', name: 'weather', arguments: { place: 'Linz' } },
          { type: 'tool_call', call_id: 'c2', name: 'weather', arguments: {}, invalid_arguments: '{"place":' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool_result', call_id: 'c1', name: 'weather', content: [{ type: 'text', text: 'Rain.' }] },
          {
            type: 'tool_result',
            call_id: 'c2',
            name: 'weather',
            content: [{ type: 'image', media_type: 'image/png', url: 'https://x.org/' }],
          },
        ],
      },
    ]
    const { tokens, exact } = await count({ group: 'primary', messages, tools: [] })
    const texts = ['table.csv', 'a,b\n1,2\n', 'Let me see.', 'weather', '{"place":"Linz"}', 'weather', '{"place":', 'Rain.']
    expect([...new Set(worker.asked)]).to.have.members([...new Set(texts)])
    expect(tokens).to.equal(3 + 3 * 4 + 4 * 8 + 2 * imageTokens + 100 + texts.join('').length)
    expect(exact).to.equal(false)
  })

  it('counts documents by size, and does not decode large files', async () => {
    const worker = createFakeWorker()
    const count = countWith({ worker, log: silentLog, model: 'gpt-5' })
    const withFile = async (mediaType: string, bytes: number): Promise<number> => {
      const data = 'A'.repeat((bytes / 3) * 4)
      const content = [{ type: 'file' as const, media_type: mediaType, name: 'f', data }]
      return (await count({ group: 'primary', messages: [{ role: 'user', content }], tools: [] })).tokens - 8
    }
    expect(await withFile('application/pdf', 3_000)).to.equal(3_000)
    expect(await withFile('application/pdf', 300_000)).to.equal(30_000)
    expect(await withFile('text/plain', 1_500_000)).to.equal(750_000)
    expect(worker.asked).to.deep.equal(['f'])
  })

  it('returns the group’s context window and the reserve for the answer', async () => {
    const place = async (changes: object) => {
      const count = countWith({ worker: createFakeWorker(), log: silentLog, model: 'gpt-5', changes })
      const { window, reserve } = await count({ group: 'primary', messages: [], tools: [] })
      return { window, reserve }
    }
    expect(await place({})).to.deep.equal({ window: 128_000, reserve: 8_192 })
    expect(await place({ max_tokens: 2_000 })).to.deep.equal({ window: 128_000, reserve: 2_000 })
    expect(await place({ context_window: 4_001 })).to.deep.equal({ window: 4_001, reserve: 2_000 })
    expect(await place({ context_window: 10_000, max_tokens: 9_000 })).to.deep.equal({ window: 10_000, reserve: 5_000 })
  })
})

describe('the tokens of a group, by the service', () => {
  it('are counted by its own model’s tokenizer; a group that does not exist counts as primary', async () => {
    const models = { primary: groupOf({ model: 'gpt-4o', context_window: 9_000 }), other: groupOf({ max_tokens: 100 }) }
    const { inference, dispose } = await startPlugin({ providers: { work: workConnection }, models })
    const request = { messages: [user('hello world')], tools: [] }
    const primary = { tokens: 3 + 4 + 2, exact: true, window: 9_000, reserve: 4_500 }
    expect(await inference.countTokens({ group: 'primary', ...request })).to.deep.equal(primary)
    expect(await inference.countTokens({ group: 'no-such-group', ...request })).to.deep.equal(primary)
    expect(await inference.countTokens({ group: 'other', ...request })).to.include({ exact: false, window: 128_000, reserve: 100 })
    await dispose()
    // The thread has ended with the plugin.
    expect((await inference.countTokens({ group: 'primary', messages: [user('something new')], tools: [] })).exact).to.equal(false)
  })

  it('are refused if there is no group', async () => {
    const { inference } = await startPlugin({ providers: { work: workConnection }, models: { other: groupOf() } })
    const error = await inference.countTokens({ group: 'fast', messages: [], tools: [] }).catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'model_group_unknown' })
  })
})
