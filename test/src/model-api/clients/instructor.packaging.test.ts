import createInstructor from '@instructor-ai/instructor'
import { expect } from 'chai'
import OpenAI, { APIError, APIUserAbortError } from 'openai'
import { z } from 'zod/v3'
import { type ClientsKernel, pixel, refusals, startClientsKernel } from './support/clients-kernel.js'

const report = { schema: z.object({ place: z.string(), degrees: z.number() }), name: 'Report' }
const whole = { place: 'Oslo', degrees: 7 }

describe('instructor', () => {
  let service: ClientsKernel
  const { error: print } = console
  const client = (mode: 'TOOLS' | 'JSON_SCHEMA' | 'MD_JSON') => {
    const openai = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey })
    // Its types are those of an older release of the official client.
    return createInstructor({ client: openai as never, mode })
  }
  const ask = (mode: 'TOOLS' | 'JSON_SCHEMA' | 'MD_JSON', changes: object = {}, options: { readonly signal?: AbortSignal } = {}) =>
    client(mode).chat.completions.create(
      {
        ...{ model: 'primary', messages: [{ role: 'user', content: 'Hi' }], response_model: report, max_retries: 0 },
        ...changes,
      } as never,
      options as never,
    ) as unknown as Promise<typeof whole>
  before(async () => {
    service = await startClientsKernel()
    // It prints each error that it also throws.
    console.error = () => undefined
  })
  after(() => {
    console.error = print
    return service?.close()
  })

  it('gets what a schema says, by a tool and by a format', async () => {
    service.upstream.script(() => ({ calls: [{ name: 'Report', input: whole }] }))
    expect(await ask('TOOLS')).to.deep.include(whole)
    expect(service.upstream.requests[0]?.body.tools?.map(({ function: { name } }) => name)).to.deep.equal(['Report'])
    service.upstream.script(() => ({ text: JSON.stringify(whole) }))
    expect(await ask('JSON_SCHEMA')).to.deep.include(whole)
    expect(service.upstream.requests[0]?.body.response_format?.type).to.equal('json_schema')
  })

  it('streams an object that grows', async () => {
    service.upstream.script(() => ({ calls: [{ name: 'Report', input: whole }] }))
    const stream = (await ask('TOOLS', { stream: true })) as unknown as AsyncIterable<Partial<typeof whole>>
    let last: Partial<typeof whole> = {}
    for await (const next of stream) last = next
    expect(last).to.deep.include(whole)
  })

  it('sends images', async () => {
    service.upstream.script(() => ({ calls: [{ name: 'Report', input: whole }] }))
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }
    await ask('TOOLS', { messages: [{ role: 'user', content: [image] }] })
    expect(JSON.stringify(service.upstream.requests[0]?.body.messages)).to.contain(pixel)
  })

  it('does not try again what its vendor refuses', async () => {
    for (const [vendor, status] of refusals) {
      service.upstream.script(() => ({ status: vendor, error: { message: `It is ${vendor}.` } }))
      const error = await ask('TOOLS').then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (!(error instanceof APIError)) throw error
      expect([error.status, service.upstream.requests.length]).to.deep.equal([status, 1])
    }
  })

  for (const stream of [false, true])
    it(`cancels the call of the vendor when ${stream ? 'a stream' : 'it'} is aborted`, async () => {
      service.upstream.script(() => 'hang')
      const controller = new AbortController()
      const asked = (async () => {
        const answer = await ask('TOOLS', { stream }, { signal: controller.signal })
        if (stream) for await (const _ of answer as unknown as AsyncIterable<unknown>) expect.fail('nothing is said that fits')
        return undefined
      })().catch((error: unknown) => error)
      while (service.upstream.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
      controller.abort()
      await service.upstream.left()
      expect(await asked).to.be.instanceOf(APIUserAbortError)
    })

  it('reads what an agent says', async () => {
    service.upstream.script(() => ({ text: `\`\`\`json\n${JSON.stringify(whole)}\n\`\`\`` }))
    expect(await ask('MD_JSON', { model: 'agent/talker' })).to.deep.include(whole)
  })
})
