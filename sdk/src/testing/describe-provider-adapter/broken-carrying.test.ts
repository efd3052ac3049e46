import { expect } from 'chai'
import type { OpaquePart } from '../../contracts/provider-adapter/content.js'
import { call, details, type Events, emptyUsage, events, type Fault, failing, opaqueParts, parts, requests } from './break-adapter.test.js'
import { providerScenarios } from './suite-options.js'

const carrying = (what: string): string => `carrying › ${what}, where the adapter says so`

/** What is broken, how, and the tests that must fail. */
const faults: readonly Fault[] = [
  ['images that stay behind', parts((part) => (part.type === 'image' ? undefined : part)), [carrying('images of a person')]],
  ['files that stay behind', parts((part) => (part.type === 'file' ? undefined : part)), [carrying('files of a person')]],
  [
    'a schema that stays behind',
    call(
      (adapter) =>
        ({ responseSchema: _, ...request }, options) =>
          adapter.call(request, options),
    ),
    [carrying('the schema of an answer')],
  ],
  [
    'tools without their descriptions',
    requests(({ tools }) => ({ tools: tools.map((tool) => ({ ...tool, description: '' })) })),
    [carrying('tools with their descriptions and parameters')],
  ],
  [
    'a choice that only looks at whether a tool is wanted',
    requests(({ toolChoice }) => (typeof toolChoice === 'object' ? { toolChoice: 'required' } : {})),
    [carrying('the choice of a tool')],
  ],
  ['settings that stay behind', requests(() => ({ settings: {} })), ['carrying › settings and extra parameters']],
  [
    'extra parameters that are put elsewhere',
    requests(({ extraParams, model }) => (model === 'text' && !('model' in extraParams) ? { extraParams: { extra: extraParams } } : {})),
    ['carrying › settings and extra parameters'],
  ],
  [
    'a signature that is trimmed on its way back',
    opaqueParts(({ vendor, data }) => ({ vendor, data: JSON.parse(JSON.stringify(data).replaceAll(' ', '')) as OpaquePart['data'] })),
    ['carrying › back to the vendor byte for byte what it wants with the conversation'],
  ],
  [
    'a signature that goes to whoever is called',
    opaqueParts(({ data }) => ({ vendor: 'plain:model', data })),
    ['carrying › nothing opaque to another vendor'],
  ],
  [
    'an answer in one piece that does not say so',
    events((event) => [event.type === 'response.started' ? { type: 'response.started' } : event]),
    ['answers › in one piece to a streaming request are that answer, and say so'],
  ],
  [
    'an error inside of an answer that ends it well',
    call(
      (adapter) =>
        async function* whole(request, options): Events {
          if (request.model !== 'error-in-answer') return yield* adapter.call(request, options)
          yield { type: 'response.started' }
          yield { type: 'text.delta', part: 0, text: 'Hello, ' }
          yield { type: 'response.finished', content: [{ type: 'text', text: 'Hello, ' }], stop_reason: 'other', usage: emptyUsage }
        },
    ),
    ['failures › inside of an answer whose status is 200: what came, then a provider error, never a whole answer'],
  ],
  [
    'an error inside of an answer that is called something else',
    details('error-in-answer', { failure: 'bad_request' }),
    ['failures › inside of an answer whose status is 200: what came, then a provider error, never a whole answer'],
  ],
]

describe('describeProviderAdapter, what is carried and how answers fail', () => {
  for (const scenario of ['tool-call', 'reasoning', 'opaque'] as const) {
    it(`catches an ability that no scenario shows: ${scenario}`, async () => {
      const others = providerScenarios.filter((each) => each !== scenario)
      expect(await failing(() => ({}), others)).to.deep.equal(['declaration › can play what it says that it supports'])
    })
  }
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.deep.equal(titles)
    })
  }
})
