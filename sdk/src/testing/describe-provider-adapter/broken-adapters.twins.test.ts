import { expect } from 'chai'
import { providerError } from '../../contracts/provider-adapter/errors.js'
import { Type } from '../../core/type.js'
import { call, details, type Events, emptyUsage, events, type Fault, failing, last, requests, thrown } from './break-adapter.test.js'

const models = 'offered models › are those of the upstream, each with an id of its own'

const announced = (scenario: string): string =>
  `tool calls › of ${scenario} are announced before their arguments, whose pieces form the parsed value`
const betweenPieces = ['between two pieces', 'of the whole call'].map((limit) => `failures › by the limit ${limit}, after what came`)
const aborted = 'ending › in the middle: throws the reason of the signal at once'
const abortedBeforeContent = ['streamed', 'in one piece'].map(
  (how) => `ending › before anything came, ${how}: throws the reason at once, and ends the upstream request`,
)

/** Throws the reason of an abort, and lets the upstream go on. */
const deafUpstream = call(
  (adapter) =>
    async function* deaf(request, { signal }): Events {
      signal.throwIfAborted()
      const inner = adapter.call(request, { signal: new AbortController().signal })[Symbol.asyncIterator]()
      const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      stopped.catch(() => undefined)
      try {
        for (;;) {
          const step = await Promise.race([inner.next(), stopped])
          if (step.done === true) return
          yield step.value
        }
      } finally {
        if (!signal.aborted) await inner.return?.()
      }
    },
)

/** The fault, its implementation, and the tests that must fail. */
const faults: readonly Fault[] = [
  [
    'a list without models',
    () => ({ listModels: async () => [] }),
    [models, 'offered models › throw the reason of a signal that was aborted before, without a call'],
  ],
  [
    'models that come twice',
    (adapter) => ({
      async listModels(request, options) {
        const list = (await adapter.listModels?.(request, options)) ?? []
        return [...list, ...list]
      },
    }),
    [models],
  ],
  [
    'a protocol that is not the upstream’s',
    (adapter) => ({ protocols: adapter.protocols.map((protocol) => ({ ...protocol, id: 'another' })) }),
    ['declaration › has the protocol of the upstream'],
  ],
  [
    'an unknown model that is no provider error',
    call((adapter) => (request, options) => {
      if (request.model === 'no-such-model-of-the-suite') throw new TypeError('undefined is not a script')
      return adapter.call(request, options)
    }),
    ['failures › of a model that may not exist: a provider error, if it fails'],
  ],
  [
    'a failure of an unknown kind',
    thrown((error, request) =>
      providerError.isInstance(error) && request.protocol !== 'plain'
        ? providerError.create({ ...(error.details as Parameters<typeof providerError.create>[0]), failure: 'strange' as never })
        : error,
    ),
    ['failures › for an unsupported protocol, as bad_request and without a call'],
  ],
  [
    'an empty text that is no provider error',
    call((adapter) => (request, options) => {
      const isEmpty = request.messages.every(({ content }) => content.every((part) => part.type === 'text' && part.text === ''))
      if (isEmpty) throw new TypeError('null has no length')
      return adapter.call(request, options)
    }),
    ['failures › of texts that are empty: a provider error, if it fails'],
  ],
  ['an invalid id', () => ({ id: 'Not An Id' }), ['declaration › has specVersion 1, an id, a plain name and at least one protocol']],
  [
    'an alias that is an id',
    (adapter) => ({ protocols: adapter.protocols.map((protocol) => ({ ...protocol, aliases: [protocol.id] })) }),
    ['declaration › has protocols whose ids and aliases are all different'],
  ],
  [
    'settings that are open',
    (adapter) => ({
      protocols: adapter.protocols.map((protocol) => ({ ...protocol, settings: Type.Object({}, { additionalProperties: true }) })),
    }),
    ['declaration › has settings that can be read as plain JSON and are closed'],
  ],
  [
    'a start event that comes twice',
    events((event) => (event.type === 'response.started' ? [event, event] : [event])),
    ['answers › begin with one response.started and end with one response.finished'],
  ],
  [
    'a text that lacks its end',
    last((event, request) =>
      request.model === 'text'
        ? { ...event, content: event.content.map((part) => (part.type === 'text' ? { ...part, text: part.text.slice(0, -1) } : part)) }
        : event,
    ),
    [
      'answers › have the vendor’s text, stop reason and usage',
      'answers › emit the content of text in deltas, each with the index of its part',
      'answers › do not mix when calls run at the same time',
    ],
  ],
  [
    'a wrong stop reason',
    last((event) => (event.stop_reason === 'stop' ? { ...event, stop_reason: 'other' } : event)),
    ['answers › have the vendor’s text, stop reason and usage'],
  ],
  [
    'deltas with the wrong part',
    events((event, request) => [event.type === 'text.delta' && request.model === 'text' ? { ...event, part: 1 } : event]),
    ['answers › emit the content of text in deltas, each with the index of its part'],
  ],
  [
    'more cached tokens than input',
    last((event) => ({ ...event, usage: emptyUsage })),
    [
      'answers › have the vendor’s text, stop reason and usage',
      ...['tool-call', 'parallel-calls', 'reasoning'].map((scenario) => `answers › have the vendor’s usage and one end for ${scenario}`),
      'answers › count tokens as whole numbers, cached ones within the input and reasoning within the output',
    ],
  ],
  ...(['text', 'tool-call', 'parallel-calls', 'reasoning'] as const).map(
    (scenario) =>
      [
        `an answer of ${scenario} that differs when it is not streamed`,
        last((event, request) => (request.model === scenario && !request.stream ? { ...event, raw_stop_reason: 'x' } : event)),
        [`answers › are the same for ${scenario}, streamed or not`],
      ] as const,
  ),
  [
    'a member that is undefined',
    last((event, request) => (request.model === 'text' ? { ...event, metadata: { tier: undefined } as never } : event)),
    ['answers › are plain data'],
  ],
  [
    'a request that is changed',
    call((adapter) => (request, options) => {
      Object.assign(request.settings, { changed: true })
      return adapter.call(request, options)
    }),
    ['answers › do not change the request'],
  ],
  [
    'reasoning that differs from the vendor’s',
    events((event, request) => {
      if (request.model !== 'reasoning') return [event]
      if (event.type === 'reasoning.delta') return [{ ...event, text: 'Other' }]
      if (event.type !== 'response.finished') return [event]
      return [{ ...event, content: event.content.map((part) => (part.type === 'reasoning' ? { ...part, text: 'Other' } : part)) }]
    }),
    ['answers › keep reasoning apart from the text'],
  ],
  [
    'answers that mix',
    (adapter, upstreams) => ({
      async *call(request, options): Events {
        for await (const event of adapter.call(request, options)) {
          const isMixed = (upstreams.at(-1)?.calls() ?? 0) > 2 && event.type === 'response.finished'
          yield isMixed ? { ...event, content: [{ type: 'text', text: 'Another answer' }] } : event
        }
      },
    }),
    ['answers › do not mix when calls run at the same time'],
  ],
  [
    'arguments that are a text',
    last((event, request) => ({
      ...event,
      content: event.content.map((part) =>
        part.type === 'tool_call' && request.model === 'parallel-calls'
          ? { ...part, arguments: JSON.stringify(part.arguments) as never }
          : part,
      ),
    })),
    ['tool calls › of parallel-calls have their names and parsed arguments, in order', announced('parallel-calls')],
  ],
  [
    'calls with another stop reason',
    last((event) => (event.stop_reason === 'tool_calls' ? { ...event, stop_reason: 'stop' } : event)),
    ['tool calls › stop the model with tool_calls'],
  ],
  [
    'a call that is not announced',
    events((event) => (event.type === 'tool_call.started' ? [] : [event])),
    [announced('tool-call'), announced('parallel-calls')],
  ],
  [
    'calls that share an id',
    last((event, request) => ({
      ...event,
      content: event.content.map((part) =>
        part.type === 'tool_call' && request.model === 'parallel-calls' ? { ...part, provider_call_id: 'same' } : part,
      ),
    })),
    [announced('parallel-calls'), 'tool calls › have unique ids'],
  ],
  [
    'calls of one answer with one call_id',
    last((event, request) => ({
      ...event,
      content: event.content.map((part) =>
        part.type === 'tool_call' && request.model === 'parallel-calls' ? { ...part, call_id: 'same' } : part,
      ),
    })),
    ['tool calls › have unique ids'],
  ],
  [
    'a part of an unknown type',
    last((event, request) =>
      request.model === 'text' ? { ...event, content: [...event.content, { type: 'html', html: '<b>' } as never] } : event,
    ),
    ['answers › have parts of known types for text'],
  ],
  [
    'half a call as a part',
    call(
      (adapter) =>
        async function* half(request, options): Events {
          if (request.model !== 'cut-tool-call') return yield* adapter.call(request, options)
          yield { type: 'response.started' }
          yield {
            type: 'response.finished',
            content: [{ type: 'tool_call', call_id: 'a', name: 'get_time', arguments: {} }],
            stop_reason: 'stop',
            usage: emptyUsage,
          }
        },
    ),
    ['tool calls › that are incomplete never become parts'],
  ],
  [
    'a cut answer that succeeds',
    call(
      (adapter) =>
        async function* whole(request, options): Events {
          if (request.model !== 'cut-text') return yield* adapter.call(request, options)
          yield { type: 'response.started' }
          yield { type: 'response.finished', content: [], stop_reason: 'stop', usage: emptyUsage }
        },
    ),
    ['failures › of a cut answer: its content, then truncated, never a complete answer'],
  ],
  ['the wrong kind of failure', details('error', { failure: 'overloaded' }), ['failures › are provider errors of the right kind']],
  ['an error without its connection', details('error', { connection: '' }), ['failures › name the connection and the model']],
  ['a reason without an end', details('error', { reason: 'x'.repeat(2_001) }), ['failures › have a reason of at most 2,000 characters']],
  ['a key in an error', details('error', { reason: 'key-of-the-suite' }), ['failures › never contain the key']],
  ...(['cut-text', 'cut-tool-call', 'error-in-answer', 'silent'] as const).map(
    (scenario) =>
      [
        `a key in the error of ${scenario}`,
        details(scenario, { reason: 'key-of-the-suite' }),
        [`failures › of ${scenario} never contain the key, nor do events`],
      ] as const,
  ),
  [
    'a call that is made again',
    call(
      (adapter) =>
        async function* again(request, options): Events {
          try {
            yield* adapter.call(request, options)
          } catch (error) {
            if (request.model !== 'error') throw error
            yield* adapter.call(request, options)
          }
        },
    ),
    ['failures › are the caller’s to try again: no body is sent twice'],
  ],
  [
    'arguments under the part of another call',
    events((event, request) => [
      event.type === 'tool_call.delta' && request.model === 'parallel-calls' ? { ...event, part: 1 - event.part } : event,
    ]),
    [announced('parallel-calls')],
  ],
  [
    'usage that is counted for each call',
    last((event) => {
      const calls = event.content.filter(({ type }) => type === 'tool_call').length
      return calls < 2 ? event : { ...event, usage: { ...event.usage, output_tokens: calls * event.usage.output_tokens } }
    }),
    ['answers › have the vendor’s usage and one end for parallel-calls'],
  ],
  [
    'silence in an answer without a limit',
    requests(({ timeouts }) => ({ timeouts: { ...timeouts, idleMs: 60_000 } })),
    ['failures › by the limit between two pieces, after what came'],
  ],
  [
    'a call without a limit of its own',
    requests(({ timeouts }) => ({ timeouts: { ...timeouts, totalMs: 60_000 } })),
    ['failures › by the limit of the whole call, after what came'],
  ],
  ['an abort that the upstream does not see', deafUpstream, [aborted, ...abortedBeforeContent]],
  [
    'any protocol',
    call((adapter) => (request, options) => adapter.call({ ...request, protocol: 'plain' }, options)),
    ['failures › for an unsupported protocol, as bad_request and without a call'],
  ],
  [
    'any extra parameter',
    call((adapter) => (request, options) => adapter.call({ ...request, extraParams: {} }, options)),
    [
      'carrying › settings and extra parameters',
      'failures › for extra parameters that touch a protected path, as bad_request and without a call',
    ],
  ],
  ['a time-out of another kind', details('silent', { failure: 'transport' }), ['failures › by the limit for the first token']],
  [
    'a call that begins although it was aborted',
    call(
      (adapter) =>
        async function* late(request, options): Events {
          const early = options.signal.aborted
          if (early) yield { type: 'response.started' }
          yield* adapter.call(request, options)
        },
    ),
    ['ending › before the call: throws the reason of the signal without a call'],
  ],
  [
    'an abort that becomes an error of its own',
    thrown((error, request) => (request.model === 'endless' && !providerError.isInstance(error) ? new Error('aborted') : error)),
    [aborted],
  ],
  [
    'an upstream request that outlives its iteration',
    (_, upstreams) => {
      for (const upstream of upstreams) upstream.leak()
      return {}
    },
    [
      'failures › by the limit for the first token',
      ...betweenPieces,
      aborted,
      ...abortedBeforeContent,
      'ending › in the middle: ends the upstream request',
      'embedding › ends at once when it is aborted, with the reason, upstream too',
    ],
  ],
]

describe('describeProviderAdapter', () => {
  it('passes an adapter that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.deep.equal(titles)
    })
  }
})
