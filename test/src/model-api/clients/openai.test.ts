import { expect } from 'chai'
import OpenAI, { APIUserAbortError } from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { errorOf } from '../support/openai-kernel.js'
import { type ClientsKernel, pixel, refusals, startClientsKernel, twoCalls } from './support/clients-kernel.js'

const hello = [{ role: 'user' as const, content: 'Hi' }]
const weather = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { place: { type: 'string' } } } },
}

describe('the official client for Node', () => {
  let service: ClientsKernel
  let client: OpenAI
  before(async () => {
    service = await startClientsKernel()
    client = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey })
  })
  after(() => service?.close())

  it('lists and retrieves models', async () => {
    const models = (await client.models.list()).data as readonly (OpenAI.Model & { readonly embeddings?: boolean })[]
    expect(models.map(({ id, embeddings }) => [id, embeddings])).to.deep.include.members([
      ['primary', false],
      ['embedding', true],
      ['agent/talker', false],
    ])
    for (const id of ['primary', 'agent/talker']) expect(await client.models.retrieve(id)).to.include({ id, object: 'model' })
    const error = await errorOf(client.models.retrieve('agent/nobody'))
    expect([error.status, error.code]).to.deep.equal([404, 'model_not_found'])
  })

  it('streams, with usage', async () => {
    service.upstream.script(() => ({ text: 'A text in pieces.' }))
    const stream = await client.chat.completions.create({
      ...{ model: 'primary', messages: hello, stream: true, stream_options: { include_usage: true } },
    })
    let text = ''
    let usage: OpenAI.CompletionUsage | null | undefined
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      usage = chunk.usage ?? usage
    }
    expect(text).to.equal('A text in pieces.')
    expect(usage).to.deep.include({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 })
  })

  it('runs tools in parallel', async () => {
    service.upstream.script(({ body }) =>
      body.messages.some(({ role }) => role === 'tool') ? { text: 'Cold and warm.' } : { calls: twoCalls },
    )
    const asked: string[] = []
    const runner = client.chat.completions.runTools({
      model: 'primary',
      stream: true,
      messages: hello,
      tools: [
        {
          type: 'function',
          function: {
            ...{ name: 'weather', description: 'The weather.', parameters: { type: 'object', properties: { place: { type: 'string' } } } },
            parse: JSON.parse as (text: string) => { readonly place: string },
            function: async ({ place }: { readonly place: string }) => {
              asked.push(place)
              return `${place}: fine`
            },
          },
        },
      ],
    })
    expect(await runner.finalContent()).to.equal('Cold and warm.')
    expect(asked).to.deep.equal(['Oslo', 'Rome'])
    expect(service.upstream.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool')).to.have.length(2)
    service.upstream.script(() => ({ calls: twoCalls.slice(0, 1) }))
    const forced = await client.chat.completions.create({ model: 'primary', messages: hello, tools: [weather], tool_choice: 'required' })
    expect(forced.choices[0]?.finish_reason).to.equal('tool_calls')
    expect(service.upstream.requests[0]?.body.tool_choice).to.equal('required')
  })

  it('gets what a schema says', async () => {
    service.upstream.script(() => ({ text: '{"place":"Oslo","degrees":7}' }))
    const format = zodResponseFormat(z.object({ place: z.string(), degrees: z.number() }), 'report')
    const completion = await client.chat.completions.parse({ model: 'primary', messages: hello, response_format: format })
    expect(completion.choices[0]?.message.parsed).to.deep.equal({ place: 'Oslo', degrees: 7 })
    expect(service.upstream.requests[0]?.body.response_format?.type).to.equal('json_schema')
  })

  it('sends images', async () => {
    service.upstream.script(() => ({ text: 'A pixel.' }))
    const url = `data:image/png;base64,${pixel}`
    const content = [
      { type: 'text' as const, text: 'What is it?' },
      { type: 'image_url' as const, image_url: { url } },
    ]
    await client.chat.completions.create({ model: 'primary', messages: [{ role: 'user', content }] })
    expect(JSON.stringify(service.upstream.requests[0]?.body.messages)).to.contain(pixel)
  })

  it('makes embeddings, which it asks for in base64 by itself', async () => {
    service.upstream.script(() => ({ text: '' }))
    const made = await client.embeddings.create({ model: 'embedding', input: ['Hi', 'there'] })
    expect(made.data.map(({ embedding }) => embedding)).to.deep.equal([
      [2, 2.25, 2.5, 2.75],
      [5, 5.25, 5.5, 5.75],
    ])
    expect(made.usage).to.deep.equal({ prompt_tokens: 3, total_tokens: 3 })
    const short = await client.embeddings.create({ model: 'embedding', input: 'Hi', dimensions: 2, encoding_format: 'float' })
    expect(short.data[0]?.embedding).to.deep.equal([2, 2.25])
    expect(service.upstream.requests.at(-1)?.body.dimensions).to.equal(2)
    const wrong: readonly (readonly [object, string])[] = [
      [{ input: [[1, 2]] }, 'input[0]'],
      [{ model: 'agent/talker' }, 'model'],
      [{ dimensions: 0 }, 'dimensions'],
    ]
    for (const [change, param] of wrong) {
      const error = await errorOf(client.embeddings.create({ model: 'embedding', input: 'Hi', ...change } as never))
      expect([error.status, error.param]).to.deep.equal([400, param])
    }
    expect((await errorOf(client.embeddings.create({ model: 'nothing', input: 'Hi' }))).status).to.equal(404)
  })

  it('does not try again what its vendor refuses', async () => {
    const before = await service.chats()
    for (const model of ['primary', 'agent/talker']) {
      for (const [vendor, status] of refusals) {
        service.upstream.script(() => ({ status: vendor, error: { message: `It is ${vendor}.` } }))
        const error = await errorOf(client.chat.completions.create({ model, messages: [{ role: 'user', content: `Refuse ${vendor}` }] }))
        expect([error.status, service.upstream.requests.length], `${model} ${vendor}`).to.deep.equal([status, 1])
        expect(error.message).to.contain(`It is ${vendor}.`)
      }
    }
    expect((await service.chats()) - before, 'one chat for each turn of the agent').to.equal(refusals.length)
    service.upstream.script(() => ({ status: 400, error: { message: 'No vectors.' } }))
    const embedding = await errorOf(client.embeddings.create({ model: 'embedding', input: 'Hi' }))
    expect([embedding.status, service.upstream.requests.length]).to.deep.equal([400, 1])
  })

  it('waits as long as a limited vendor says, and tries again', async () => {
    service.upstream.script(() =>
      service.upstream.requests.length === 1
        ? { status: 429, error: { message: 'Slow down.', code: 'rate_limit_exceeded' }, headers: { 'retry-after': '1' } }
        : { text: 'Now.' },
    )
    const completion = await client.chat.completions.create({ model: 'primary', messages: hello })
    expect([completion.choices[0]?.message.content, service.upstream.requests.length]).to.deep.equal(['Now.', 2])
    service.upstream.script(() => ({ status: 429, error: { message: 'Slow down.' }, headers: { 'retry-after': '1' } }))
    const error = await errorOf(client.chat.completions.create({ model: 'primary', messages: hello }, { maxRetries: 0 }))
    expect([error.status, error.headers?.get('retry-after')]).to.deep.equal([429, '1'])
  })

  it('cancels the call of the vendor when it is aborted', async () => {
    for (const stream of [false, true]) {
      service.upstream.script(() => 'hang')
      const controller = new AbortController()
      const asked = client.chat.completions.create({ model: 'primary', messages: hello, stream }, { signal: controller.signal })
      if (stream) for await (const _ of (await asked) as AsyncIterable<unknown>) break
      else {
        while (service.upstream.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
        controller.abort()
        expect(await asked.then(String, (error: unknown) => error)).to.be.instanceOf(APIUserAbortError)
      }
      await service.upstream.left()
    }
  })

  it('talks to an agent, by completions and by responses', async () => {
    service.upstream.script(() => ({ text: 'I am Talker.' }))
    const completion = await client.chat.completions.create({ model: 'agent/talker', messages: hello, temperature: 0 })
    expect(completion.choices[0]?.message.content).to.equal('I am Talker.')
    const response = await client.responses.create({ model: 'agent/talker', input: 'Hi' })
    expect(response.output_text).to.equal('I am Talker.')
    const stream = client.chat.completions.stream({ model: 'agent/talker', messages: hello, stream_options: { include_usage: true } })
    expect((await stream.finalChatCompletion()).usage).to.include({ total_tokens: 15 })
  })
})
