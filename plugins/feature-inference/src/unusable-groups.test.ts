import type { JsonObject } from '@agent-service/sdk'
import { Type } from '@agent-service/sdk'
import type { FilePart } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { answer, createScriptedAdapter, groupOf } from './test-support/fakes.js'
import { infer, startPlugin, workConnection } from './test-support/start-plugin.js'

const { api_key: _key, ...managed } = workConnection

describe('an unusable group reports what to change:', () => {
  const failureOf = async (connection: JsonObject, group: JsonObject = {}, request: Partial<InferenceRequest> = {}) => {
    const adapter = createScriptedAdapter([answer])
    const { inference, contributions } = await startPlugin({
      providers: { work: connection },
      models: { primary: groupOf(group) },
      adapters: [adapter],
      environment: {},
    })
    const { error } = await infer(inference, request)
    expect(adapter.requests).to.have.length(0)
    expect(contributions.open.size).to.equal(0)
    return error as Error & { readonly code: string }
  }

  it('a key whose variable is not set', async () => {
    const error = await failureOf(workConnection)
    expect(error.code).to.equal('credential_missing')
    expect(error.message).to.contain('WORK_KEY').and.contain('work')
  })
  it('a brand that needs a key and has none', async () => {
    expect((await failureOf({ provider: 'groq', enabled: true })).code).to.equal('credential_missing')
  })
  it('a connection that is disabled', async () => {
    expect((await failureOf({ ...workConnection, enabled: false })).message).to.contain('providers.work.enabled')
  })
  it('a connection that does not exist', async () => {
    expect((await failureOf(workConnection, { provider: 'nowhere' })).message)
      .to.contain('nowhere')
      .and.contain('work')
  })
  it('a deleted managed credential', async () => {
    const error = await failureOf({ ...managed, credential_id: '01890a5d-ac96-774b-bcce-b302099a8057' })
    expect(error.code).to.equal('credential_unusable')
    expect(error.message).to.contain('“work”').and.contain('01890a5d-ac96-774b-bcce-b302099a8057').and.contain('api_key')
  })
  it('the default protocol of the first-party brand if its adapter does not speak it', async () => {
    const error = await failureOf({ provider: 'openai', api_key: 'literal', enabled: true })
    expect(error.code).to.equal('model_group_unusable')
    expect(error.message).to.contain('responses').and.contain('api: completions')
  })
  it('an adapter that no active plugin contributes', async () => {
    expect((await failureOf({ provider: 'anthropic', api_key: 'literal', enabled: true })).message).to.contain('adapter_beta')
  })
  it('a setting that the protocol does not know, and a parameter that the service owns', async () => {
    const connection = { ...workConnection, api_key: 'literal' }
    expect((await failureOf(connection, { top_k: 5 })).message).to.contain('top_k')
    expect((await failureOf(connection, { extra_params: { stream: false } })).message).to.contain('stream')
    expect((await failureOf(connection, { extra_params: { messages: null } })).message).to.contain('messages')
    expect((await failureOf(connection, { extra_params: { own: { field: 1 } } })).message).to.contain('own.field')
    const responseSchema = { name: 'n', schema: {} }
    expect((await failureOf(connection, { extra_params: { response_format: {} } }, { responseSchema })).message).to.contain(
      'response_format',
    )
  })
  it('a request that the adapter does not support', async () => {
    const adapter = createScriptedAdapter([answer], {
      supports: {
        streaming: false,
        tools: false,
        toolChoice: false,
        images: false,
        files: false,
        reasoning: false,
        opaqueParts: false,
        structuredOutput: false,
      },
    })
    const { inference } = await startPlugin({ providers: { work: workConnection }, models: { primary: groupOf() }, adapters: [adapter] })
    const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
    const cases: readonly (readonly [Partial<InferenceRequest>, string])[] = [
      [{ exact: true, tools: [{ name: 't', description: '', parameters: {} }] }, 'tools'],
      [{ exact: true, messages: [{ role: 'user', content: [image] }] }, 'images'],
      [
        { exact: true, messages: [{ role: 'tool', content: [{ type: 'tool_result', call_id: 'c', name: 't', content: [image] }] }] },
        'images',
      ],
      [{ responseSchema: { name: 'n', schema: {} } }, 'schema'],
    ]
    for (const [request, word] of cases) expect(((await infer(inference, request)).error as Error).message).to.contain(word)
    await infer(inference)
    expect(adapter.requests[0]?.stream).to.equal(false)
  })
  it('a binary file if the adapter supports only text files', async () => {
    const adapter = createScriptedAdapter([answer], { supports: { ...createScriptedAdapter([]).supports, files: 'text' } })
    const { inference } = await startPlugin({ providers: { work: workConnection }, models: { primary: groupOf() }, adapters: [adapter] })
    const text = { type: 'file', media_type: 'text/csv; charset=utf-8', name: 'a.csv', data: 'YTtiCg==' } as const
    const { data: _, ...elsewhere } = { ...text, url: 'https://example.com/a.csv' }
    const files: readonly FilePart[] = [{ ...text, media_type: 'application/pdf', name: 'a.pdf' }, elsewhere]
    for (const file of files) {
      const result = { type: 'tool_result', call_id: 'c', name: 't', content: [text, file] } as const
      for (const message of [{ role: 'user', content: [text, file] } as const, { role: 'tool', content: [result] } as const]) {
        const { error } = await infer(inference, { messages: [message], exact: true })
        expect((error as Error).message).to.contain('files other than text')
      }
    }
    expect(adapter.requests).to.deep.equal([])
    expect((await infer(inference, { messages: [{ role: 'user', content: [text] }] })).error).to.equal(undefined)
  })
  it('a third-party adapter is found by its id or plain name, with its first protocol', async () => {
    const adapter = createScriptedAdapter([answer], {
      id: 'adapter_scripted',
      name: 'scripted',
      protocols: [{ id: 'script', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] }],
    })
    for (const name of ['adapter_scripted', 'scripted']) {
      const { inference } = await startPlugin({
        providers: { demo: { adapter: name, enabled: true } },
        models: { primary: groupOf({ provider: 'demo' }) },
        adapters: [adapter],
      })
      expect((await infer(inference)).error).to.equal(undefined)
    }
    expect(adapter.requests.map(({ protocol }) => protocol)).to.deep.equal(['script', 'script'])
  })
})
