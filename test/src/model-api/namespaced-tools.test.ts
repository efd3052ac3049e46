import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type OpenAiKernel, startOpenAiKernel, weather } from './support/openai-kernel.js'
import { sendRaw } from './support/raw-client.js'

const offered = (name: string) => ({ type: 'function', strict: false, ...weather, name })
const namespace = (name: string, ...tools: readonly object[]) => ({ type: 'namespace', name, description: 'Tools of a server.', tools })

/** An answer with one call of the function that the model knows by the name. */
const calling = (name: string, provider_call_id = 'call-1') =>
  async function* (): AsyncGenerator<ModelEvent> {
    yield { type: 'response.started' }
    yield { type: 'tool_call.started', part: 0, provider_call_id, name }
    yield { type: 'tool_call.delta', part: 0, arguments_text: '{}' }
    const call = { type: 'tool_call', call_id: provider_call_id, provider_call_id, name, arguments: {} } as const
    const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
    yield { type: 'response.finished', content: [call], stop_reason: 'tool_calls', usage }
  }

describe('functions in namespaces', () => {
  let openai: OpenAiKernel
  let token: string
  before(async () => {
    openai = await startOpenAiKernel()
    token = await openai.tokenWith(['inference'])
  })
  after(() => openai?.close())

  const send = async (members: object) => {
    const answer = await sendRaw(openai.agents.kernel.url, '/v1/responses', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'primary', input: 'Hi', ...members }),
    })
    return { ...answer, ignored: String(answer.headers['x-ignored-parameters'] ?? '').split(', ') }
  }
  const askedNames = () => (openai.asked().tools ?? []).map(({ name }) => name)

  it('are offered under a name of both, and their calls come back as the client names them', async () => {
    openai.answer(calling('mcp__docs__search'))
    const tools = [
      offered('search'),
      namespace('mcp__docs', offered('search'), offered('read')),
      namespace('mcp__web__', offered('search')),
    ]
    const whole = await send({ tools })
    expect(whole.status, whole.text).to.equal(200)
    expect(openai.asked().tools).to.deep.equal(
      ['search', 'mcp__docs__search', 'mcp__docs__read', 'mcp__web__search'].map((name) => ({ ...weather, strict: false, name })),
    )
    expect(whole.ignored).to.deep.equal(['tools[].description'])
    const { output } = JSON.parse(whole.text) as { readonly output: readonly JsonObject[] }
    expect(output[0]).to.deep.include({ type: 'function_call', namespace: 'mcp__docs', name: 'search', call_id: 'call-1' })

    const streamed = await send({ tools, stream: true })
    const events = [...streamed.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)) as JsonObject)
    const named = events.filter((event) => JSON.stringify(event).includes('search'))
    expect(named.map(({ type }) => type)).to.deep.equal([
      'response.output_item.added',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    for (const event of named) {
      const text = JSON.stringify(event)
      expect(text).to.contain('"name":"search"').and.contain('"namespace":"mcp__docs"')
      expect(text).to.not.contain('mcp__docs__search')
    }

    openai.answer(calling('search'))
    const plain = await send({ tools })
    expect((JSON.parse(plain.text) as { readonly output: readonly JsonObject[] }).output[0])
      .to.include({ name: 'search' })
      .and.not.have.property('namespace')
  })

  it('are called in the input by the same name, also where they are not offered any more', async () => {
    const call = (id: string, name: string, more: object) => ({ type: 'function_call', call_id: id, name, arguments: '{}', ...more })
    const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'done' })
    const answer = await send({
      tools: [namespace('mcp__docs', offered('search'))],
      input: [
        { role: 'user', content: 'Hi' },
        call('a', 'search', { namespace: 'mcp__docs' }),
        call('b', 'gone', { namespace: 'mcp__old' }),
        call('c', 'plain', { namespace: null }),
        ...['a', 'b', 'c'].map(result),
      ],
    })
    expect(answer.status, answer.text).to.equal(200)
    const names = openai.asked().messages.flatMap(({ content }) => content.flatMap((part) => ('name' in part ? [part.name] : [])))
    const joined = ['mcp__docs__search', 'mcp__old__gone', 'plain']
    expect(names).to.deep.equal([...joined, ...joined])
    const wrong = await send({ input: [call('a', 'search', { namespace: 7 })] })
    expect([wrong.status, wrong.error?.param]).to.deep.equal([400, 'input[0].namespace'])
  })

  it('get a name that is valid, short and their own', async () => {
    const long = 'x'.repeat(70)
    const tools = [
      offered('a__b'),
      ...[namespace('a', offered('b'), offered('b__c')), namespace('a__b', offered('c'))],
      ...[namespace('dots.and spaces', offered('b')), namespace('dots_and_spaces', offered('b'))],
      ...[namespace(long, offered('one'), offered('two'))],
    ]
    await send({ tools })
    const names = askedNames()
    expect(new Set(names)).to.have.property('size', 8)
    for (const name of names) expect(name).to.match(/^[A-Za-z0-9_-]{1,64}$/)
    await send({
      tools: [...tools].reverse(),
      input: [
        { type: 'function_call', call_id: 'a', name: 'two', namespace: long, arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'x' },
      ],
    })
    expect(askedNames()).to.include.members(names.slice(-2))
    for (const [index, client] of [
      { namespace: 'a', name: 'b' },
      { namespace: 'a', name: 'b__c' },
      { namespace: 'a__b', name: 'c' },
    ].entries()) {
      openai.answer(calling(String(names[index + 1])))
      const { text } = await send({ tools })
      expect((JSON.parse(text) as { readonly output: readonly JsonObject[] }).output[0]).to.include(client)
    }
  })

  it('may be chosen, by their name alone if no other function has it', async () => {
    const tools = [
      offered('read'),
      namespace('docs', offered('search'), offered('read')),
      namespace('web', offered('open'), offered('search')),
    ]
    for (const [choice, name] of [
      [{ name: 'open' }, 'web__open'],
      [{ name: 'read' }, 'read'],
      [{ name: 'read', namespace: 'docs' }, 'docs__read'],
      [{ name: 'search', namespace: 'web' }, 'web__search'],
    ] as const) {
      const answer = await send({ tools, tool_choice: { type: 'function', ...choice } })
      expect(answer.status, answer.text).to.equal(200)
      expect(openai.asked().toolChoice).to.deep.equal({ name })
    }
    for (const choice of [{ name: 'search' }, { name: 'open', namespace: 'docs' }]) {
      const answer = await send({ tools, tool_choice: { type: 'function', ...choice } })
      expect([answer.status, answer.error?.param]).to.deep.equal([400, 'tool_choice'])
    }
  })

  it('are refused with their place where they cannot be read', async () => {
    for (const [tools, param] of [
      [[{ type: 'namespace', tools: [offered('x')] }], 'tools[0]'],
      [[namespace('docs', { type: 'function' })], 'tools[0].tools[0]'],
      [[namespace('docs', 'x' as never)], 'tools[0].tools[0]'],
      [[{ type: 'namespace', name: 'docs', tools: {} }], 'tools[0].tools'],
      [[namespace('docs', { type: 'custom', name: 'x' })], 'tools[0].tools[0]'],
      [[namespace('docs', ...Array.from({ length: 1_001 }, (_, index) => offered(`f${index}`)))], 'tools'],
    ] as const) {
      const answer = await send({ tools })
      expect([answer.status, answer.error?.param]).to.deep.equal([400, param])
    }
    const mixed = await send({ tools: [namespace('docs', offered('x'), { type: 'custom', name: 'y' }), namespace('none')] })
    expect(mixed.status, mixed.text).to.equal(200)
    expect(mixed.ignored).to.have.members(['tools[].description', 'tools[].tools[].custom', 'tools[].namespace'])
  })
})
