import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import { expect } from 'chai'
import OpenAI, { APIError } from 'openai'
import { z } from 'zod'
import { type ClientsKernel, pixel, refusals, startClientsKernel, twoCalls } from './support/clients-kernel.js'

setTracingDisabled(true)

for (const useResponses of [false, true])
  describe(`the agents of OpenAI, by ${useResponses ? 'responses' : 'chat completions'}`, () => {
    let service: ClientsKernel
    let runner: Runner
    before(async () => {
      service = await startClientsKernel()
      const openAIClient = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey })
      runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses }), tracingDisabled: true })
    })
    after(() => service?.close())

    const agent = new Agent({ name: 'Reporter', instructions: 'Be brief.', model: 'primary' })

    it('stream, with usage', async () => {
      service.upstream.script(() => ({ text: 'A text in pieces.' }))
      const result = await runner.run(agent, 'Hi', { stream: true })
      let text = ''
      for await (const piece of result.toTextStream()) text += piece
      await result.completed
      expect([text, result.finalOutput]).to.deep.equal(['A text in pieces.', 'A text in pieces.'])
      expect(result.state.usage).to.include({ inputTokens: 10, outputTokens: 5, totalTokens: 15 })
    })

    it('run tools in parallel', async () => {
      service.upstream.script(({ body }) =>
        body.messages.some(({ role }) => role === 'tool') ? { text: 'Cold and warm.' } : { calls: twoCalls },
      )
      const asked: string[] = []
      const weather = tool({
        ...{ name: 'weather', description: 'The weather.', parameters: z.object({ place: z.string() }) },
        execute: async ({ place }) => {
          asked.push(place)
          return `${place}: fine`
        },
      })
      const result = await runner.run(new Agent({ name: 'Reporter', instructions: 'Ask.', model: 'primary', tools: [weather] }), 'Hi')
      expect(result.finalOutput).to.equal('Cold and warm.')
      expect(asked).to.have.members(['Oslo', 'Rome'])
      expect(service.upstream.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool')).to.have.length(2)
    })

    it('get what a schema says', async () => {
      service.upstream.script(() => ({ text: '{"place":"Oslo","degrees":7}' }))
      const outputType = z.object({ place: z.string(), degrees: z.number() })
      const result = await runner.run(new Agent({ name: 'Reporter', instructions: 'Report.', model: 'primary', outputType }), 'Hi')
      expect(result.finalOutput).to.deep.equal({ place: 'Oslo', degrees: 7 })
      expect(service.upstream.requests[0]?.body.response_format?.type).to.equal('json_schema')
    })

    it('send images', async () => {
      service.upstream.script(() => ({ text: 'A pixel.' }))
      const image = { type: 'input_image' as const, image: `data:image/png;base64,${pixel}` }
      await runner.run(agent, [{ role: 'user', content: [{ type: 'input_text', text: 'What is it?' }, image] }])
      expect(JSON.stringify(service.upstream.requests[0]?.body.messages)).to.contain(pixel)
    })

    it('do not try again what the vendor refuses', async () => {
      for (const [vendor, status] of refusals) {
        service.upstream.script(() => ({ status: vendor, error: { message: `It is ${vendor}.` } }))
        const error = await runner.run(agent, 'Hi').then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        if (!(error instanceof APIError)) throw error
        expect([error.status, service.upstream.requests.length]).to.deep.equal([status, 1])
      }
    })

    it('cancel the call of the vendor when they are aborted', async () => {
      service.upstream.script(() => 'hang')
      const controller = new AbortController()
      const result = await runner.run(agent, 'Hi', { stream: true, signal: controller.signal })
      const read = (async () => {
        for await (const _ of result.toTextStream()) controller.abort()
      })().catch((error: unknown) => error)
      await service.upstream.left()
      await read
    })

    it('talk to an agent of the service', async () => {
      service.upstream.script(() => ({ text: 'I am Talker.' }))
      const talker = new Agent({ name: 'Proxy', instructions: 'Pass it on.', model: 'agent/talker' })
      expect((await runner.run(talker, 'Hi')).finalOutput).to.equal('I am Talker.')
    })
  })
