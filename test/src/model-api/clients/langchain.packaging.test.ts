import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { expect } from 'chai'
import { z } from 'zod'
import { type ClientsKernel, pixel, refusals, startClientsKernel, twoCalls } from './support/clients-kernel.js'

describe('the client of LangChain', () => {
  let service: ClientsKernel
  const chat = (model = 'primary', options: { readonly temperature?: number } = {}) =>
    new ChatOpenAI({ model, apiKey: service.apiKey, configuration: { baseURL: service.baseURL }, ...options })
  before(async () => {
    service = await startClientsKernel()
  })
  after(() => service?.close())

  it('streams, with usage', async () => {
    service.upstream.script(() => ({ text: 'A text in pieces.' }))
    let text = ''
    let total = 0
    for await (const chunk of await chat().stream('Hi')) {
      text += chunk.text
      const { usage_metadata: usage } = chunk as unknown as { readonly usage_metadata?: { readonly total_tokens: number } }
      total = usage?.total_tokens ?? total
    }
    expect([text, total]).to.deep.equal(['A text in pieces.', 15])
  })

  it('runs tools in parallel', async () => {
    service.upstream.script(({ body }) =>
      body.messages.some(({ role }) => role === 'tool') ? { text: 'Cold and warm.' } : { calls: twoCalls },
    )
    const weather = tool(async ({ place }: { readonly place: string }) => `${place}: fine`, {
      ...{ name: 'weather', description: 'The weather.', schema: z.object({ place: z.string() }) },
    })
    const model = chat().bindTools([weather])
    const asked = await model.invoke([new HumanMessage('Hi')])
    expect(asked.tool_calls?.map(({ name, args }) => [name, args])).to.deep.equal(twoCalls.map(({ name, input }) => [name, input]))
    const results = (asked.tool_calls ?? []).map(({ id }) => new ToolMessage({ content: 'fine', tool_call_id: id ?? '' }))
    const answer = await model.invoke([new HumanMessage('Hi'), asked, ...results])
    expect(answer.text).to.equal('Cold and warm.')
  })

  it('gets what a schema says', async () => {
    service.upstream.script(() => ({ text: '{"place":"Oslo","degrees":7}' }))
    const schema = z.object({ place: z.string(), degrees: z.number() })
    const report = await chat().withStructuredOutput(schema, { method: 'jsonSchema', name: 'report' }).invoke('Hi')
    expect(report).to.deep.equal({ place: 'Oslo', degrees: 7 })
    expect(service.upstream.requests[0]?.body.response_format?.type).to.equal('json_schema')
  })

  it('sends images', async () => {
    service.upstream.script(() => ({ text: 'A pixel.' }))
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }
    await chat().invoke([new HumanMessage({ content: [{ type: 'text', text: 'What is it?' }, image] })])
    expect(JSON.stringify(service.upstream.requests[0]?.body.messages)).to.contain(pixel)
  })

  it('makes embeddings', async () => {
    service.upstream.script(() => ({ text: '' }))
    const embeddings = new OpenAIEmbeddings({ model: 'embedding', apiKey: service.apiKey, configuration: { baseURL: service.baseURL } })
    expect((await embeddings.embedDocuments(['Hi', 'there'])).map(([first]) => first)).to.deep.equal([2, 5])
  })

  it('does not try again what its vendor refuses, nor what the service refuses', async () => {
    const failureOf = (promise: Promise<unknown>): Promise<{ readonly status?: number; readonly message: string }> =>
      promise.then(
        () => expect.fail('It was expected to fail.'),
        (error: { readonly status?: number; readonly message: string }) => error,
      )
    for (const [vendor, status] of refusals) {
      service.upstream.script(() => ({ status: vendor, error: { message: `It is ${vendor}.` } }))
      const error = await failureOf(chat().invoke('Hi'))
      expect([error.status, service.upstream.requests.length]).to.deep.equal([status, 1])
    }
    expect((await failureOf(chat('primary', { temperature: 9 }).invoke('Hi'))).status).to.equal(400)
  })

  it('cancels the call of the vendor when it is aborted', async () => {
    service.upstream.script(() => 'hang')
    const controller = new AbortController()
    const asked = (async () => {
      for await (const _ of await chat().stream('Hi', { signal: controller.signal })) controller.abort()
    })().catch((error: unknown) => error)
    await service.upstream.left()
    await asked
  })

  it('talks to an agent', async () => {
    service.upstream.script(() => ({ text: 'I am Talker.' }))
    expect((await chat('agent/talker', { temperature: 0 }).invoke('Hi')).text).to.equal('I am Talker.')
  })
})
