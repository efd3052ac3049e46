import { strict as assert } from 'node:assert'
import { type ProviderAdapter, type ProviderAdapterSupport, supportOf } from '../../../contracts/provider-adapter/adapter.js'
import type { ModelRequest } from '../../../contracts/provider-adapter/request.js'
import { bodyOrRefusal, type SuiteTopic } from '../support/suite-call.js'
import type { WatchedUpstream } from '../support/watched-upstream.js'

const parameters = {
  type: 'object',
  properties: { timezone: { type: 'string' } },
  required: ['timezone'],
  additionalProperties: false,
}
const tool = { name: 'get_time', description: 'Tells the time in a zone.', parameters }
const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
const text = (value: string) => ({ type: 'text', text: value }) as const

/** Requests that differ in one field and mean different things, by ability. */
const fields: readonly {
  readonly ability: keyof ProviderAdapterSupport
  readonly title: string
  readonly requests: readonly Partial<ModelRequest>[]
}[] = [
  {
    ability: 'strictTools',
    title: 'the enforcement of a tool’s parameters',
    requests: [{ tools: [tool] }, { tools: [{ ...tool, strict: true }] }],
  },
  {
    ability: 'strictSchemas',
    title: 'a schema that is enforced',
    requests: [{ tools: [] }, { tools: [], responseSchema: { name: 'zone', schema: parameters, strict: true } }],
  },
  { ability: 'jsonObject', title: 'an answer in JSON of any shape', requests: [{ tools: [] }, { tools: [], jsonObject: true }] },
  {
    ability: 'parallelToolCalls',
    title: 'the limit of one tool call',
    requests: [{ tools: [tool] }, { tools: [tool], parallelToolCalls: false }],
  },
  { ability: 'logprobs', title: 'log probabilities', requests: [{}, { logprobs: { top: 3 } }, { logprobs: { top: 5 } }] },
  { ability: 'logitBias', title: 'what is added to the logits', requests: [{}, { logitBias: { '7': -100 } }, { logitBias: { '7': 100 } }] },
  {
    ability: 'messageNames',
    title: 'names of participants',
    requests: ['thyme', 'sage'].map((name) => ({ messages: [{ role: 'user', name, content: [text('Hello')] }] })),
  },
  {
    ability: 'imageDetail',
    title: 'the detail of images',
    requests: [{}, { detail: 'low' } as const, { detail: 'high' } as const].map((detail) => ({
      messages: [{ role: 'user', content: [text('What is this?'), { ...image, ...detail }] }],
    })),
  },
]

/**
 * What an adapter declares it sends, or it refuses the request before the call.
 */
export function describeDeclaredFields({ runner, testWire }: SuiteTopic): void {
  runner.describe('declared fields', () => {
    for (const { ability, title, requests } of fields) {
      testWire('text', `${title}, if the adapter declares it: on the wire, or refused before the call`, async (adapter, upstream) => {
        if (supportOf(adapter, upstream.protocol)[ability] !== true) return
        await assertDistinct(adapter, upstream, requests)
      })
    }

    testWire('text', 'settings that the caller insists on: on the wire, or refused before the call', async (adapter, upstream) => {
      const known = adapter.protocols.find(({ id }) => id === upstream.protocol)?.settings.properties ?? {}
      const both = { temperature: 0.25, ...('top_p' in known && { top_p: 0.5 }) }
      for (const name of Object.keys(both)) {
        const values = [0.25, 0.75].map((value) => ({
          settings: { max_tokens: 1_000, ...both, [name]: value },
          required: Object.keys(both),
        }))
        await assertDistinct(adapter, upstream, values)
      }
    })
  })
}

/** Each request is refused without a call, or its body is unlike every other. */
async function assertDistinct(
  adapter: ProviderAdapter,
  upstream: WatchedUpstream,
  requests: readonly Partial<ModelRequest>[],
): Promise<void> {
  const bodies: string[] = []
  for (const changes of requests) {
    const body = await bodyOrRefusal(adapter, upstream, changes)
    if (body !== undefined) bodies.push(body)
  }
  assert.equal(new Set(bodies).size, bodies.length, 'two requests that mean different things look the same on the wire')
}
