import type { JsonObject } from '@agent-service/sdk'
import type { ContentPart, ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { createMemoryDatabase } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { earlierCredentials } from '../../credentials/earlier-credentials.js'
import { answer, createScriptedAdapter, groupOf, type Script } from '../../test-support/fakes.js'
import { infer, startPlugin, workConnection } from '../../test-support/start-plugin.js'
import { usageCollections } from '../../usage/usage-user-data.js'

const providers = { work: workConnection }
const models = { primary: groupOf() }
const refusal = (reason: string, httpStatus?: number, failure: 'bad_request' | 'model_not_found' | 'overloaded' = 'bad_request') =>
  providerError.create({
    ...{ failure, retryable: failure === 'overloaded', connection: 'work', model: 'm', reason },
    ...(httpStatus !== undefined && { httpStatus }),
  })

const picture = (text: string) => ({ type: 'image', media_type: 'image/png', data: Buffer.from(text).toString('base64') }) as const
const user = (...content: Extract<ModelMessage, { role: 'user' }>['content']): ModelMessage => ({ role: 'user', content })
const said = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] })
const text = (words: string) => ({ type: 'text', text: words }) as const

/** What of each call was no text, with the place. */
const mediaOf = (messages: readonly ModelMessage[]): readonly string[] =>
  messages.flatMap(({ content }, index) =>
    content
      .flatMap((part): readonly ContentPart[] => (part.type === 'tool_result' ? part.content : [part]))
      .flatMap((part) => ('data' in part && part.data !== undefined ? [`${index}:${Buffer.from(part.data, 'base64').toString()}`] : [])),
  )

const run = async (scripts: readonly Script[], messages: readonly ModelMessage[], options: { readonly exact?: true } = {}) => {
  const adapter = createScriptedAdapter(scripts)
  const { inference } = await startPlugin({ providers, models, adapters: [adapter] })
  const ended = await infer(inference, { messages, ...options })
  return { ...ended, inference, adapter, sent: adapter.requests.map((request) => mediaOf(request.messages)) }
}

describe('a request whose picture the vendor refuses', () => {
  it('is made again without it, with a text in its place, and says so', async () => {
    const reason =
      'messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels'
    const { error, events, adapter, sent } = await run([[refusal(reason, 400)], answer], [user(text('What is it?'), picture('tall'))])
    expect(error).to.equal(undefined)
    expect(sent).to.deep.equal([['0:tall'], []])
    const [, noted] = adapter.requests[1]?.messages[0]?.content ?? []
    expect(noted).to.include({ type: 'text' })
    expect((noted as { readonly text: string }).text).to.match(/^\[picture left out: .*8000 pixels/)
    expect(events.filter(({ type }) => type === 'request.reduced')).to.deep.equal([
      { type: 'request.reduced', provider: 'work', model: 'model-1', left_out: 'parts', count: 1, reason },
    ])
  })

  for (const [what, failure] of [
    ['in no words of its own', refusal('Request contains an invalid argument.', 400)],
    ['as too large', refusal('413 Request Entity Too Large', 413)],
    ['as a type that the model does not know', refusal('unknown variant `image_url`, expected `text`', 422)],
    ['with a status for models', refusal('No endpoints found that support image input', 404, 'model_not_found')],
    ['as a fault of its own', refusal('image input is not supported - hint: you may need to provide the mmproj', 500, 'overloaded')],
    ['before it is sent', refusal('This model cannot be sent images of the type image/bmp')],
  ] as const)
    it(`is made again when it is refused ${what}`, async () => {
      const { error, sent } = await run([[failure], answer], [user(picture('p'))])
      expect(error).to.equal(undefined)
      expect(sent).to.deep.equal([['0:p'], []])
    })

  it('loses the part that the refusal names first, however the vendor counts', async () => {
    const messages: readonly ModelMessage[] = [
      { role: 'system', content: [text('You see.')] },
      user(picture('good'), picture('bad')),
      said('Yes.'),
      user(picture('new')),
    ]
    for (const path of ['messages.0.content.1.image.source', 'messages[1].content[1].image_url.url']) {
      const { sent } = await run([[refusal(`${path}: Could not process image`, 400)], answer], messages)
      expect(sent[1], path).to.deep.equal(['1:good', '3:new'])
    }
  })

  it('loses those of the newest turn, then all', async () => {
    const messages = [user(picture('old')), said('Yes.'), user(picture('new'))]
    const vague = refusal('Could not process image', 400)
    const { error, sent } = await run([[vague], [vague], answer], messages)
    expect(error).to.equal(undefined)
    expect(sent).to.deep.equal([['0:old', '2:new'], ['0:old'], []])
  })

  it('loses what tools showed, too', async () => {
    const messages: readonly ModelMessage[] = [
      user(text('Look.')),
      { role: 'assistant', content: [{ type: 'tool_call', call_id: 'c', name: 'look', arguments: {} }] },
      { role: 'tool', content: [{ type: 'tool_result', call_id: 'c', name: 'look', content: [picture('shot')] }] },
    ]
    const { error, sent } = await run([[refusal('Could not process image', 400)], answer], messages)
    expect(error).to.equal(undefined)
    expect(sent).to.deep.equal([['2:shot'], []])
  })

  it('fails with the refusal when that does not help, and remembers nothing', async () => {
    const other = refusal('Unsupported parameter: max_tokens', 400)
    const { error, inference, adapter } = await run([[other], [other], answer], [user(picture('p'))])
    expect(error).to.equal(other)
    await infer(inference, { messages: [user(picture('p'))] })
    expect(mediaOf(adapter.requests.at(-1)?.messages ?? [])).to.deep.equal(['0:p'])
  })

  it('is not made again without pictures, for other failures, or if the caller wants it exactly', async () => {
    const alone = await run([[refusal('Could not process image', 400)], answer], [user(text('Hi'))])
    expect(alone.adapter.requests).to.have.length(1)
    const key = providerError.create({
      ...{ failure: 'authentication', retryable: false, connection: 'work', model: 'm', reason: 'No image for this key.', httpStatus: 401 },
    })
    expect((await run([[key], answer], [user(picture('p'))])).error).to.equal(key)
    const exact = await run([[refusal('Could not process image', 400)], answer], [user(picture('p'))], { exact: true })
    expect(exact.adapter.requests).to.have.length(1)
  })
})

describe('a request with what no model of its group can be sent', () => {
  const scripted = createScriptedAdapter([answer])
  const pdf = { type: 'file', media_type: 'application/pdf', name: 'scan.pdf', data: 'JVBERi0=' } as const
  const start = async (supports: object) => {
    const adapter = createScriptedAdapter([answer], { supports: { ...scripted.supports, ...supports } })
    return { adapter, ...(await startPlugin({ providers, models, adapters: [adapter] })) }
  }

  it('is made with a text in its place, unless the caller wants it exactly', async () => {
    const { adapter, inference } = await start({ images: false, files: 'text' })
    const messages = [user(text('See.'), picture('p'), pdf)]
    const { error } = await infer(inference, { messages })
    expect(error).to.equal(undefined)
    expect(adapter.requests[0]?.messages[0]?.content).to.deep.equal([
      text('See.'),
      text('[picture left out: this model takes no pictures]'),
      text('[file “scan.pdf” left out: this model takes no files of the type application/pdf]'),
    ])
    expect((await infer(inference, { messages, exact: true })).error).to.include({ code: 'unsupported_by_model' })
  })
})

describe('pictures that a vendor has refused', () => {
  const attribution = { userId: 'ada' }
  const messages = [user(picture('tall'))]

  it('are left out of later requests at once, after a restart too, for this model and user alone', async () => {
    const database = createMemoryDatabase([...usageCollections, earlierCredentials])
    const start = async (scripts: readonly Script[]) => {
      const adapter = createScriptedAdapter(scripts)
      const { inference } = await startPlugin({
        providers,
        models: { ...models, other: groupOf({ model: 'model-2' }) },
        adapters: [adapter],
        database,
      })
      return { adapter, inference }
    }
    const first = await start([[refusal('Could not process image', 400)], answer])
    await infer(first.inference, { messages, attribution })
    await infer(first.inference, { messages: [...messages, said('No.'), user(text('never mind'))], attribution })
    expect(first.adapter.requests.map((request) => mediaOf(request.messages))).to.deep.equal([['0:tall'], [], []])
    const second = await start([answer])
    await infer(second.inference, { messages, attribution })
    await infer(second.inference, { messages, attribution, group: 'other' })
    await infer(second.inference, { messages, attribution: { userId: 'eve' } })
    expect(second.adapter.requests.map((request) => mediaOf(request.messages))).to.deep.equal([[], ['0:tall'], ['0:tall']])
  })
})

describe('a refusal that may not be about a picture for itself', () => {
  const attribution = { userId: 'ada' }
  const start = async (scripts: readonly Script[], retry?: JsonObject) => {
    const adapter = createScriptedAdapter(scripts)
    const database = createMemoryDatabase([...usageCollections, earlierCredentials])
    const group = groupOf(retry && { retry })
    const { inference } = await startPlugin({ providers, models: { primary: group }, adapters: [adapter], database })
    const ask = (...content: Extract<ModelMessage, { role: 'user' }>['content']) =>
      infer(inference, { messages: [user(...content)], attribution })
    return { ask, sent: () => adapter.requests.map((request) => mediaOf(request.messages)) }
  }

  for (const [what, failure] of [
    ['has no words of its own', refusal('Request contains an invalid argument.', 400)],
    ['speaks of another attempt', refusal('Unable to process input image. Please retry.', 400)],
    ['speaks of a time-out', refusal('Timeout while loading the image.', 400)],
    ['is a fault of the vendor', refusal('Failed to process image: out of memory', 500, 'overloaded')],
  ] as const)
    it(`is remembered only if it comes twice: it ${what}`, async () => {
      const { ask, sent } = await start([[failure], answer, [failure], answer])
      for (let turn = 0; turn < 3; turn += 1) await ask(picture('p'))
      expect(sent()).to.deep.equal([['0:p'], [], ['0:p'], [], []])
    })

  for (const failure of [refusal('413 Request Entity Too Large', 413), refusal('Too many images in request: 4, max 2', 400)])
    it(`costs the older ones first, and is not remembered: ${failure.message.slice(-30)}`, async () => {
      const { ask, sent } = await start([[failure], answer, [failure], answer])
      for (let turn = 0; turn < 3; turn += 1) await ask(...['a', 'b', 'c', 'd'].map(picture))
      const [all, newer] = [
        ['0:a', '0:b', '0:c', '0:d'],
        ['0:c', '0:d'],
      ]
      expect(sent()).to.deep.equal([all, newer, all, newer, all])
    })

  it('costs all in the end, however often it comes', async () => {
    const failure = refusal('413 Request Entity Too Large', 413)
    const { ask, sent } = await start([[failure]])
    await ask(...Array.from({ length: 100 }, (_, index) => picture(String(index))))
    expect(sent().map(({ length }) => length)).to.deep.equal([100, 50, 25, 12, 0])
  })

  it('costs no picture if it speaks of something else', async () => {
    for (const reason of [
      'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens',
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.',
      "Invalid schema for function 'read_file': array schema missing items",
      'You have reached your specified API usage limits.',
      'API key expired. Please renew the API key.',
    ]) {
      const { ask, sent } = await start([[refusal(reason, 400)], answer])
      await ask(picture('p'))
      expect(sent(), reason).to.have.length(1)
    }
  })

  it('takes none of the retries', async () => {
    const busy = providerError.create({ failure: 'overloaded', retryable: true, connection: 'work', model: 'm', reason: 'Busy.' })
    const { ask, sent } = await start([[refusal('Could not process image', 400)], [busy], answer], {
      max_retries: 1,
      initial_backoff_ms: 1,
      backoff_multiplier: 1,
      max_backoff_ms: 1,
    })
    expect((await ask(picture('p'))).error).to.equal(undefined)
    expect(sent()).to.deep.equal([['0:p'], [], []])
  })
})
