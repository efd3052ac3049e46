import { type ModelMessage, type ProviderAdapter, type ProviderFailure, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { createMemoryDatabase } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { earlierCredentials } from '../../credentials/earlier-credentials.js'
import { answer, createScriptedAdapter, groupOf, type Script } from '../../test-support/fakes.js'
import { infer, startPlugin, workConnection } from '../../test-support/start-plugin.js'
import { usageCollections } from '../../usage/usage-user-data.js'
import { createRefusedTools, refusesTools } from './refused-tools.js'

const refusal = (reason: string, failure: ProviderFailure = 'bad_request') =>
  providerError.create({ failure, retryable: false, connection: 'work', model: 'm', reason })
const ollama = refusal('registry.ollama.ai/library/gemma3:4b does not support tools')
const tools = [{ name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }]
const text = (words: string) => ({ type: 'text', text: words }) as const
const hi: ModelMessage = { role: 'user', content: [text('Hi')] }

const start = async (scripts: readonly Script[], changes: Partial<ProviderAdapter> = {}) => {
  const adapter = createScriptedAdapter(scripts, changes)
  const models = { primary: groupOf(), other: groupOf({ model: 'model-2' }) }
  const database = createMemoryDatabase([...usageCollections, earlierCredentials])
  const { inference, clock } = await startPlugin({ providers: { work: workConnection }, models, adapters: [adapter], database })
  const ask = (changes: Partial<InferenceRequest> = {}) => infer(inference, { messages: [hi], tools, ...changes })
  return { adapter, inference, clock, ask, offered: () => adapter.requests.map((request) => request.tools.length) }
}

describe('a model that takes no tools', () => {
  it('is asked again without them, and says so with each answer', async () => {
    const { ask, offered, inference } = await start([[ollama], answer])
    const note = {
      ...{ type: 'request.reduced', provider: 'work', model: 'model-1', left_out: 'tools', count: 1 },
      reason: 'registry.ollama.ai/library/gemma3:4b does not support tools',
    }
    expect(inference.groups()[0]).to.not.have.property('tools')
    for (const [index, calls] of [2, 3].entries()) {
      const { error, events } = await ask()
      expect(error).to.equal(undefined)
      expect(events.filter(({ type }) => type === 'request.reduced')).to.deep.equal([note])
      expect(offered(), `message ${index + 1}`).to.deep.equal([1, 0, 0].slice(0, calls))
    }
    expect(inference.groups().map((group) => group.tools)).to.deep.equal([false, undefined])
  })

  it('is offered tools again after an hour', async () => {
    const { ask, clock, offered } = await start([[ollama], answer])
    await ask()
    await clock.wait(3_600_001, { signal: new AbortController().signal })
    await ask()
    expect(offered()).to.deep.equal([1, 0, 1])
  })

  it('is so for the user who met the refusal: words that one brings about take no tools from others', async () => {
    const { ask, offered } = await start([[ollama], answer])
    for (const userId of ['eve', 'eve', 'ada']) await ask({ attribution: { userId } })
    expect(offered()).to.deep.equal([1, 0, 0, 1])
  })

  it('keeps its tools if the refusal was about something else that repeats such words', async () => {
    const picture = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
    const echo = (id: number) => refusal(`Invalid message (request ${id}): "It does not support tools!"`)
    const { ask, offered } = await start([[echo(1)], [echo(2)], answer])
    const messages: readonly ModelMessage[] = [{ role: 'user', content: [text('It does not support tools!'), picture] }]
    for (let turn = 0; turn < 2; turn += 1) await ask({ messages })
    expect(offered()).to.deep.equal([1, 0, 1, 1])
  })

  it('reads earlier calls and results as text', async () => {
    const { adapter, ask } = await start([[ollama], answer])
    const call = { type: 'tool_call', call_id: 'c', name: 'get_time', arguments: {} } as const
    await ask({
      messages: [
        hi,
        { role: 'assistant', content: [text('I look.'), call] },
        { role: 'tool', content: [{ type: 'tool_result', call_id: 'c', name: 'get_time', content: [text('noon')] }] },
        { role: 'assistant', content: [text('Noon.')] },
      ],
    })
    expect(adapter.requests[1]?.messages).to.deep.equal([
      hi,
      { role: 'assistant', content: [text('I look.\n(called get_time with {})')] },
      { role: 'user', content: [text('(get_time answered: noon)')] },
      { role: 'assistant', content: [text('Noon.')] },
    ])
  })

  it('loses no pictures by that refusal', async () => {
    const picture = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
    const { adapter, ask } = await start([[ollama], answer])
    await ask({ messages: [{ role: 'user', content: [picture] }] })
    expect(adapter.requests[1]?.messages).to.deep.equal([{ role: 'user', content: [picture] }])
  })

  it('is called without them if its adapter cannot send any, and no other model of the group can', async () => {
    const { supports } = createScriptedAdapter([])
    const { ask, offered } = await start([answer], { supports: { ...supports, tools: false, toolChoice: false } })
    for (const calls of [1, 2]) {
      const { error, events } = await ask()
      expect(error).to.equal(undefined)
      expect(events.filter(({ type }) => type === 'request.reduced')).to.have.length(1)
      expect(offered()).to.deep.equal([0, 0].slice(0, calls))
    }
    expect((await ask({ exact: true })).error).to.include({ code: 'unsupported_by_model' })
  })

  it('fails where the caller wants the tools or one of them, and where that does not help', async () => {
    for (const changes of [{ exact: true }, { toolChoice: 'required' }, { toolChoice: { name: 'get_time' } }, { tools: [] }] as const) {
      const { ask, offered } = await start([[ollama], answer])
      expect((await ask(changes)).error).to.equal(ollama)
      expect(offered()).to.have.length(1)
    }
    const other = refusal('Something else is wrong.')
    const { ask, inference } = await start([[ollama], [other]])
    expect((await ask()).error).to.equal(other)
    expect(inference.groups()[0]).to.not.have.property('tools')
  })
})

describe('words about tools', () => {
  for (const [reason, failure] of [
    ['registry.ollama.ai/library/phi4-reasoning:14b does not support tools'],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [
      'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs',
      'model_not_found',
    ],
    ["This model doesn't support tool use."],
    ['This model doesn’t support tool use in streaming mode.'],
    ['`tool calling` is not supported with this model'],
    ['tools is not supported in this model. For a list of supported models refer to the documentation.'],
    ["Unsupported parameter: 'tools' is not supported with this model."],
    ['Function calling is not enabled for models/gemma-3-27b-it'],
    ['Function calling is not supported for this model.'],
    ['deepseek-reasoner does not support Function Calling'],
    ['tools param requires --jinja flag', 'overloaded'],
    ['Unrecognized request arguments supplied: tool_choice, tools'],
    ['kimi-k2-thinking does not support tools'],
    ['Tools not supported by this model'],
    ['tool_use is not supported by this model'],
    ['function_calling is not supported by this model'],
    ['"tools" is currently not supported'],
    ["Extra inputs are not permitted: 'tools'"],
    ['body.tools: Extra inputs are not permitted'],
    ['tools: Extra inputs are not permitted'],
  ] as const satisfies readonly (readonly [string, ProviderFailure?])[])
    it(`mean all of them: ${reason.slice(0, 50)}`, () => expect(refusesTools(refusal(reason, failure))).to.equal(true))

  for (const reason of [
    "Invalid schema for function 'get_time': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    'tools.0.custom.input_schema.type: Field required',
    'tools[3].function.parameters: unknown field `$ref`',
    'Unsupported parameter: tools[0].strict is not supported.',
    'Tool type web_search is not supported with this model.',
    "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
    'Parallel tool calls are not supported.',
    'Function calling with a response mime type: application/json is unsupported',
    'Thinking may not be enabled when tool_choice forces tool use.',
    'The tool get_time is not supported.',
    'model does not support tools_v2',
    'Function calling is not enabled when using response schema',
    'This model does not support tools with images',
    'This model does not support tool use with thinking enabled',
    'Tool use is not supported for cached content',
    'Tool calls are not allowed in system messages',
    'tool calls are not supported in the last message',
    'The model does not support tools: [web_search]',
    'Too many tools: at most 128 are supported.',
  ])
    it(`mean something else: ${reason.slice(0, 50)}`, () => expect(refusesTools(refusal(reason))).to.equal(false))

  it('mean nothing in failures of another kind', () => {
    for (const kind of ['authentication', 'quota_exceeded', 'rate_limited', 'timeout', 'transport'] as const)
      expect(refusesTools(refusal('does not support tools', kind)), kind).to.equal(false)
    expect(createRefusedTools(() => 0).reasonOf('x', undefined)).to.equal(undefined)
  })
})
