import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embedMany, generateText, Output, stepCountIs, streamText, tool } from 'ai'
import { expect } from 'chai'
import { z } from 'zod'
import { type ClientsKernel, pixel, refusals, startClientsKernel, twoCalls } from './support/clients-kernel.js'

describe('the AI SDK with its compatible provider', () => {
  let service: ClientsKernel
  let provider: ReturnType<typeof createOpenAICompatible>
  before(async () => {
    service = await startClientsKernel()
    provider = createOpenAICompatible({
      ...{ name: 'service', baseURL: service.baseURL, apiKey: service.apiKey, includeUsage: true, supportsStructuredOutputs: true },
    })
  })
  after(() => service?.close())

  it('streams, with usage', async () => {
    service.upstream.script(() => ({ text: 'A text in pieces.' }))
    const result = streamText({ model: provider('primary'), prompt: 'Hi' })
    let text = ''
    for await (const piece of result.textStream) text += piece
    expect(text).to.equal('A text in pieces.')
    expect(await result.totalUsage).to.include({ inputTokens: 10, outputTokens: 5, totalTokens: 15 })
  })

  it('runs tools in parallel', async () => {
    service.upstream.script(({ body }) =>
      body.messages.some(({ role }) => role === 'tool') ? { text: 'Cold and warm.' } : { calls: twoCalls },
    )
    const asked: string[] = []
    const weather = tool({
      description: 'The weather.',
      inputSchema: z.object({ place: z.string() }),
      execute: async ({ place }) => {
        asked.push(place)
        return `${place}: fine`
      },
    })
    const { text, steps } = await generateText({ model: provider('primary'), prompt: 'Hi', tools: { weather }, stopWhen: stepCountIs(3) })
    expect([text, steps.length, asked]).to.deep.equal(['Cold and warm.', 2, ['Oslo', 'Rome']])
  })

  it('gets what a schema says', async () => {
    service.upstream.script(() => ({ text: '{"place":"Oslo","degrees":7}' }))
    const schema = z.object({ place: z.string(), degrees: z.number() })
    const { output } = await generateText({ model: provider('primary'), prompt: 'Hi', output: Output.object({ schema }) })
    expect(output).to.deep.equal({ place: 'Oslo', degrees: 7 })
    expect(service.upstream.requests[0]?.body.response_format?.type).to.equal('json_schema')
  })

  it('sends images', async () => {
    service.upstream.script(() => ({ text: 'A pixel.' }))
    const content = [
      { type: 'text' as const, text: 'What is it?' },
      { type: 'image' as const, image: Buffer.from(pixel, 'base64') },
    ]
    await generateText({ model: provider('primary'), messages: [{ role: 'user', content }] })
    expect(JSON.stringify(service.upstream.requests[0]?.body.messages)).to.contain(pixel)
  })

  it('makes embeddings', async () => {
    service.upstream.script(() => ({ text: '' }))
    const { embeddings, usage } = await embedMany({ model: provider.embeddingModel('embedding'), values: ['Hi', 'there'] })
    expect(embeddings.map(([first]) => first)).to.deep.equal([2, 5])
    expect(usage.tokens).to.equal(3)
  })

  it('does not try again what its vendor refuses', async () => {
    for (const [vendor, status] of refusals) {
      service.upstream.script(() => ({ status: vendor, error: { message: `It is ${vendor}.` } }))
      const error = await generateText({ model: provider('primary'), prompt: 'Hi' }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (!APICallError.isInstance(error)) throw error
      expect([error.statusCode, error.isRetryable, service.upstream.requests.length]).to.deep.equal([status, false, 1])
      expect(error.message).to.contain(`It is ${vendor}.`)
    }
  })

  it('cancels the call of the vendor when it is aborted', async () => {
    service.upstream.script(() => 'hang')
    const controller = new AbortController()
    const result = streamText({ model: provider('primary'), prompt: 'Hi', abortSignal: controller.signal, onError: () => undefined })
    for await (const _ of result.textStream) controller.abort()
    await service.upstream.left()
  })

  it('talks to an agent', async () => {
    service.upstream.script(() => ({ text: 'I am Talker.' }))
    const { text, response } = await generateText({ model: provider('agent/talker'), prompt: 'Hi', temperature: 0 })
    expect(text).to.equal('I am Talker.')
    expect(response.headers?.['x-ignored-parameters']).to.equal('temperature')
  })
})
