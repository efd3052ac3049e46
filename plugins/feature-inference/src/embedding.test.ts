import type { JsonObject } from '@agent-service/sdk'
import type { EmbeddingRequest, ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { type EmbedRequest, embeddingUnavailableError } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { createScriptedAdapter, failure, groupOf } from './test-support/fakes.js'
import { startPlugin, workConnection } from './test-support/start-plugin.js'

const providers = {
  work: workConnection,
  spare: { ...workConnection, api_key: 'key-of-spare' },
}
const entry = (provider: string, model: string): JsonObject => ({ provider, model, extra_params: {}, fallbacks: [] })
const overloaded = failure('overloaded', true)
const refused = failure('authentication', false)

/** Starts the plugin with an adapter whose `embed` throws each of the errors, and then works. */
async function start(models: JsonObject, errors: readonly Error[] = [], changes: Partial<ProviderAdapter> = {}) {
  const asked: EmbeddingRequest[] = []
  const scripted = createScriptedAdapter([])
  const adapter: ProviderAdapter = {
    ...scripted,
    supports: { ...scripted.supports, embed: true },
    async embed(request, { signal }) {
      asked.push(request)
      signal.throwIfAborted()
      const error = errors[asked.length - 1]
      if (error) throw error
      return { vectors: request.inputs.map((_, index) => [index, 0.5]), model: 'answered-model', usage: { input_tokens: 9 } }
    },
    ...changes,
  }
  const plugin = await startPlugin({ providers, models, adapters: [adapter] })
  const ask = (request: Partial<EmbedRequest> = {}, signal = new AbortController().signal) =>
    plugin.inference.embed({ inputs: ['a', 'b'], ...request }, { signal })
  const called = () => asked.map(({ connection, model }) => `${connection.handle} ${model}`)
  return { ...plugin, asked, ask, called }
}
const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.fail('It was expected to fail.'),
    (error: Error) => error,
  )

describe('embeddings through a group', () => {
  it('are shown by the groups that are for them, never by the adapter alone', async () => {
    const models = {
      primary: groupOf({ model: 'gpt-5' }),
      house: groupOf({ model: 'house-large' }),
      embedding: groupOf({ model: 'deployment-7' }),
      vectors: groupOf({ model: 'text-embedding-3-small' }),
      local: groupOf({ model: 'BAAI/bge-m3' }),
      other: entry('missing', 'm'),
    }
    const shown = ({ inference }: Awaited<ReturnType<typeof start>>) =>
      inference.groups().flatMap(({ name, embeds }) => (embeds === true ? [name] : []))
    expect(shown(await start(models))).to.deep.equal(['embedding', 'vectors', 'local'])
    const { embed: _, ...abilities } = createScriptedAdapter([]).supports
    expect(shown(await start(models, [], { supports: abilities }))).to.deep.equal([])
  })

  it('are requested as specified, and returned with their space', async () => {
    const { ask, asked, contributions } = await start({ embedding: groupOf({ model: 'text-embedding-3-small' }) })
    expect(await ask({ purpose: 'query', dimensions: 2 })).to.deep.equal({
      vectors: [
        [0, 0.5],
        [1, 0.5],
      ],
      model: 'answered-model',
      provider: 'work',
      space: 'text-embedding-3-small/2',
      usage: { input_tokens: 9 },
    })
    expect(asked).to.have.length(1)
    expect(asked[0]).to.deep.include({
      protocol: 'completions',
      model: 'text-embedding-3-small',
      inputs: ['a', 'b'],
      purpose: 'query',
      dimensions: 2,
    })
    expect(asked[0]?.connection).to.deep.include({ handle: 'work', apiKey: 'key-of-work' })
    expect(contributions.open.size).to.equal(0)
  })

  it('are unavailable without the group: primary does not substitute it', async () => {
    const { ask, asked } = await start({ primary: groupOf() })
    const error = await failureOf(ask())
    expect(embeddingUnavailableError.isInstance(error)).to.equal(true)
    expect(error.message).to.contain('Configure models.embedding')
    expect(asked).to.have.length(0)
    expect(await ask({ group: 'primary' })).to.have.property('provider', 'work')
  })

  it('are unavailable if the adapter does not support them, and no lease is held', async () => {
    for (const changes of [
      { supports: createScriptedAdapter([]).supports },
      { supports: createScriptedAdapter([]).supports, embed: undefined },
    ]) {
      const { ask, contributions } = await start({ embedding: groupOf() }, [], changes as Partial<ProviderAdapter>)
      const error = await failureOf(ask())
      expect(embeddingUnavailableError.isInstance(error)).to.equal(true)
      expect(error.message).to.contain('“openai”')
      expect(contributions.open.size).to.equal(0)
    }
  })

  it('are retried as the group allows, and fail with the last error', async () => {
    const mended = await start({ embedding: groupOf() }, [overloaded, overloaded])
    expect(await mended.ask()).to.have.property('provider', 'work')
    expect([mended.asked.length, mended.clock.waits.length]).to.deep.equal([3, 2])
    const failing = await start(
      { embedding: groupOf() },
      Array.from({ length: 9 }, () => overloaded),
    )
    expect(await failureOf(failing.ask())).to.equal(overloaded)
    expect([failing.asked.length, failing.contributions.open.size]).to.deep.equal([4, 0])
    const final = await start({ embedding: groupOf() }, [refused])
    expect(await failureOf(final.ask())).to.equal(refused)
    expect(final.asked).to.have.length(1)
  })

  it('use only fallbacks with the same model, because others cannot be compared', async () => {
    const fallbacks = [entry('spare', 'another-model'), entry('spare', 'model-1')]
    const { ask, called } = await start({ embedding: groupOf({ fallbacks }) }, [refused])
    expect(await ask()).to.include({ provider: 'spare', space: 'model-1/2' })
    expect(called()).to.deep.equal(['work model-1', 'spare model-1'])
    const other = await start({ embedding: groupOf({ fallbacks: [entry('spare', 'another-model')] }) }, [refused])
    expect(await failureOf(other.ask())).to.equal(refused)
    expect(other.called()).to.deep.equal(['work model-1'])
  })

  it('fail with the signal’s reason, also between two attempts', async () => {
    const reason = new Error('left')
    const { ask, asked } = await start({ embedding: groupOf() })
    expect(await failureOf(ask({}, AbortSignal.abort(reason)))).to.equal(reason)
    expect(asked).to.have.length(0)
    const controller = new AbortController()
    const waiting = await start({ embedding: groupOf() }, [overloaded], {})
    const end = failureOf(waiting.ask({}, controller.signal))
    controller.abort(reason)
    expect(await end).to.equal(reason)
    expect(waiting.contributions.open.size).to.equal(0)
  })
})
