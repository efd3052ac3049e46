import { type JsonObject, type ServiceError, Type } from '@agent-service/sdk'
import type { ProviderProtocol } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { answer, createScriptedAdapter, failure, groupOf, type Script } from './test-support/fakes.js'
import { infer, startPlugin, workConnection } from './test-support/start-plugin.js'

const protocol = (id: string, changes: Partial<ProviderProtocol> = {}): ProviderProtocol => ({
  ...{ id, aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] },
  ...changes,
})
const sampling = { top_p: Type.Optional(Type.Number()), stop_sequences: Type.Optional(Type.Array(Type.String())) }
const plain = createScriptedAdapter([]).supports
const everything = {
  ...{ strictTools: true, strictSchemas: true, jsonObject: true, parallelToolCalls: true },
  ...{ logprobs: true, logitBias: true, messageNames: true, imageDetail: true },
}
const retry = { max_retries: 0, initial_backoff_ms: 0, backoff_multiplier: 1, max_backoff_ms: 60_000 }
const bare = (fallbacks: readonly JsonObject[] = [], changes: JsonObject = {}) => groupOf({ fallbacks, retry, ...changes })
const rich: JsonObject = { provider: 'rich', model: 'model-2', extra_params: {}, fallbacks: [] }

/** A group on an adapter that carries nothing special, and a connection to one that carries all. */
async function start(group: JsonObject, scripts: readonly Script[] = [answer]) {
  const first = createScriptedAdapter(scripts)
  const second = createScriptedAdapter([answer], {
    id: 'adapter_rich',
    name: 'rich',
    protocols: [
      protocol('wide', { settings: Type.Object({ ...sampling, max_completion_tokens: Type.Optional(Type.Integer()) }) }),
      protocol('narrow', { supports: { logitBias: false } }),
    ],
    supports: { ...plain, ...everything },
  })
  const providers = { work: workConnection, rich: { adapter: 'adapter_rich', enabled: true } }
  const plugin = await startPlugin({ providers, models: { primary: group }, adapters: [first, second] })
  const ask = async (request: Partial<InferenceRequest>) => {
    const { error, events } = await infer(plugin.inference, request)
    return { error: error as ServiceError | undefined, events }
  }
  return { ask, first, second, plugin }
}

const tool = { name: 't', description: '', parameters: {} }
const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const

/** Requests, and `param` of their refusal. */
const cases: readonly (readonly [Partial<InferenceRequest>, string])[] = [
  [{ tools: [{ ...tool, strict: true }] }, 'tools'],
  [{ responseSchema: { name: 'n', schema: {}, strict: true } }, 'response_format'],
  [{ jsonObject: true }, 'response_format'],
  [{ tools: [tool], parallelToolCalls: false }, 'parallel_tool_calls'],
  [{ logprobs: { top: 0 } }, 'logprobs'],
  [{ logitBias: { '7': 1 } }, 'logit_bias'],
  [{ messages: [{ role: 'user', name: 'ada', content: [] }] }, 'messages'],
  [{ messages: [{ role: 'user', content: [{ ...image, detail: 'low' }] }] }, 'messages'],
  [{ exact: true, settings: { top_p: 0.5 } }, 'top_p'],
  [{ exact: true, settings: { stop: ['END'] } }, 'stop'],
]

describe('a part of a request that the adapter does not declare', () => {
  it('is refused before any call, with the member that it is', async () => {
    const { ask, first, plugin } = await start(bare())
    for (const [request, param] of cases) {
      const { error } = await ask(request)
      expect(error, param).to.include({ code: 'unsupported_by_model', status: 400 })
      expect(error?.problems.map(({ path }) => path)).to.deep.equal([param])
    }
    expect(first.requests).to.deep.equal([])
    expect(plugin.contributions.open.size).to.equal(0)
  })

  it('is passed to an adapter that declares it', async () => {
    const { ask, second } = await start({ ...bare(), ...rich })
    for (const [request] of cases) expect((await ask(request)).error).to.equal(undefined)
    expect(second.requests).to.have.length(cases.length)
    expect(second.requests[5]).to.deep.include({ logitBias: { '7': 1 } })
    expect(second.requests.at(-1)).to.deep.include({ settings: { stop_sequences: ['END'] }, required: ['stop_sequences'] })
  })

  it('makes the next model that carries it answer, which the fallback reports', async () => {
    const { ask, first, second } = await start(bare([rich]))
    const { error, events } = await ask({ logitBias: { '7': 1 } })
    expect(error).to.equal(undefined)
    expect([first.requests.length, second.requests.length]).to.deep.equal([0, 1])
    const fallback = events.find(({ type }) => type === 'attempt.fallback') as { readonly reason: string } | undefined
    expect(fallback?.reason).to.contain('logit_bias')
  })

  it('skips a fallback; the failure of the model before it is the error', async () => {
    const { ask, second } = await start(bare([{ ...rich, api: 'narrow' }]), [[failure('quota_exceeded', false)]])
    const { error } = await ask({ exact: true, settings: { seed: 7 } })
    expect(error?.details).to.include({ failure: 'quota_exceeded' })
    expect(second.requests).to.deep.equal([])
  })

  it('names another protocol of the adapter that carries it', async () => {
    const { ask } = await start({ ...bare(), ...rich, api: 'narrow' })
    expect((await ask({ logitBias: { '7': 1 } })).error?.message).to.contain('Set “api: wide” in models.primary')
  })

  it('does not matter while it asks for nothing', async () => {
    const { ask, first } = await start(bare())
    const nothing = { top_p: 1, frequency_penalty: 0, presence_penalty: 0 }
    const request = { tools: [{ ...tool, strict: false }], parallelToolCalls: true, exact: true, settings: nothing } as const
    expect((await ask(request)).error).to.equal(undefined)
    expect((await ask({ messages: [{ role: 'user', content: [{ ...image, detail: 'auto' }] }] })).error).to.equal(undefined)
    expect(first.requests[0]?.settings).to.deep.equal({})
  })

  it('is left out of settings, as ever, of a request that is not exact', async () => {
    const { ask, first } = await start(bare())
    expect((await ask({ settings: { top_p: 0.5, temperature: 0.5 } })).error).to.equal(undefined)
    expect(first.requests[0]?.settings).to.deep.equal({ temperature: 0.5 })
    expect(first.requests[0]).to.not.have.property('required')
  })

  it('does not count as a model that is left when another keeps failing', async () => {
    const group = bare([{ ...rich, api: 'narrow' }])
    const { ask, first, second } = await start(group, [[failure('overloaded', false)]])
    for (let call = 0; call < 5; call += 1) await ask({})
    expect(second.requests).to.have.length(5)
    const { error } = await ask({ exact: true, settings: { seed: 7 } })
    expect(error?.details).to.include({ failure: 'overloaded' })
    expect(first.requests).to.have.length(6)
  })
})

describe('what an exact request sets', () => {
  it('wins over the group, in its settings and in extra_params', async () => {
    const group = bare([], { seed: 1, temperature: 0.9, extra_params: { seed: 2, user: 'x', own: { seed: 3 } } })
    const { ask, first } = await start(group)
    await ask({ exact: true, settings: { seed: 7, temperature: 0.1 } })
    expect(first.requests[0]).to.deep.include({ settings: { seed: 7, temperature: 0.1 }, extraParams: { user: 'x', own: { seed: 3 } } })
    expect(first.requests[0]?.required).to.have.members(['seed', 'temperature'])
    await ask({ settings: { temperature: 0.1 } })
    expect(first.requests[1]?.extraParams).to.deep.equal({ seed: 2, user: 'x', own: { seed: 3 } })
  })

  it('names its tools, its choice of them, images and files, which may not be left out', async () => {
    const { ask, first } = await start(bare())
    const file = { type: 'file', media_type: 'text/plain', name: 'a.txt', data: 'YQ==' } as const
    const messages = [{ role: 'user', content: [image, file] } as const]
    await ask({ exact: true, tools: [tool], toolChoice: 'required', messages })
    expect(first.requests[0]?.required).to.have.members(['tools', 'tool_choice', 'images', 'files'])
  })

  it('limits the answer under any name, and never raises a limit that wins over max_tokens', async () => {
    const settingsOf = async (own: JsonObject, asked: JsonObject) => {
      const { ask, second } = await start({ ...bare(), ...rich, ...own })
      expect((await ask({ exact: true, settings: asked })).error).to.equal(undefined)
      return second.requests[0]?.settings
    }
    expect(await settingsOf({ max_completion_tokens: 50 }, { max_tokens: 20 })).to.deep.equal({ max_tokens: 20 })
    expect(await settingsOf({ max_completion_tokens: 50 }, { max_tokens: 200 })).to.deep.equal({ max_tokens: 50 })
    expect(await settingsOf({ max_tokens: 50 }, { max_completion_tokens: 20 })).to.deep.equal({ max_completion_tokens: 20 })
    const { ask, first } = await start(bare())
    await ask({ exact: true, settings: { max_completion_tokens: 20 } })
    expect(first.requests[0]?.settings).to.deep.equal({ max_tokens: 20 })
  })
})
