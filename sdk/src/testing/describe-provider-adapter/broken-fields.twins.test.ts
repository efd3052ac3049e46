import { expect } from 'chai'
import type { ModelRequest } from '../../contracts/provider-adapter/request.js'
import { call, type Events, type Fault, failing, parts, requests } from './break-adapter.test.js'

const declared = (what: string): string =>
  `declared fields › ${what}${what.startsWith('settings') ? '' : ', if the adapter declares it'}: on the wire, or refused before the call`

/** A request without one of its members. */
const without = (name: keyof ModelRequest) =>
  call(
    (adapter) =>
      ({ [name]: _, ...request }, options) =>
        adapter.call(request as ModelRequest, options),
  )

/** The fault, its implementation, and the tests that must fail. */
const faults: readonly Fault[] = [
  [
    'a tool that is not called strict',
    requests(({ tools }) => ({ tools: tools.map(({ strict: _, ...tool }) => tool) })),
    [declared('the enforcement of a tool’s parameters')],
  ],
  [
    'a schema that is enforced and not sent',
    requests(({ responseSchema, messages }) =>
      // What is not enforced is told in words, which is enough.
      responseSchema?.strict === true ? { responseSchema: undefined as never } : { messages },
    ),
    [declared('a schema that is enforced')],
  ],
  ['an answer in JSON that is asked for as text', without('jsonObject'), [declared('an answer in JSON of any shape')]],
  ['a limit of calls that is dropped', without('parallelToolCalls'), [declared('the limit of one tool call')]],
  ['log probabilities that are not asked for', without('logprobs'), [declared('log probabilities')]],
  [
    'log probabilities of one token only',
    requests(({ logprobs }) => (logprobs ? { logprobs: { top: 1 } } : {})),
    [declared('log probabilities')],
  ],
  ['logits without what is added', without('logitBias'), [declared('what is added to the logits')]],
  [
    'messages without the names',
    requests(({ messages }) => ({
      messages: messages.map((message) => ({ role: message.role, content: message.content })) as ModelRequest['messages'],
    })),
    [declared('names of participants')],
  ],
  [
    'images without the detail',
    parts((part) => {
      if (part.type !== 'image') return part
      const { detail: _, ...others } = part
      return others
    }),
    [declared('the detail of images')],
  ],
  [
    'a temperature that is dropped beside another setting',
    requests(({ settings: { temperature: _, ...settings } }) => ({ settings })),
    [declared('settings that the caller insists on')],
  ],
  [
    'a field that is refused after the call',
    call(
      (adapter) =>
        async function* refuseLate(request, options): Events {
          yield* adapter.call(request, options)
          if (request.logitBias) yield* adapter.call({ ...request, protocol: 'another' }, options)
        },
    ),
    [declared('what is added to the logits')],
  ],
]

describe('describeProviderAdapter, fields that are declared', () => {
  it('passes an adapter that refuses a field of one brand before the call', async () => {
    const refuse = call(
      (adapter) => (request, options) => adapter.call(request.logitBias ? { ...request, protocol: 'another' } : request, options),
    )
    expect(await failing(refuse)).to.deep.equal([])
  })
  it('passes an adapter that does not declare a field for its protocol', async () => {
    const result = await failing((adapter) => ({
      ...without('logitBias')(adapter),
      protocols: adapter.protocols.map((protocol) => ({ ...protocol, supports: { logitBias: false } })),
    }))
    expect(result).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.deep.equal(titles)
    })
  }
})
