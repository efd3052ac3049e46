import { expect } from 'chai'
import type { Protocol } from './support/field-table.js'
import { type FieldsKernel, startFieldsKernel } from './support/fields-kernel.js'
import { sendRaw, type WireAnswer } from './support/raw-client.js'
import type { WireBody } from './support/recording-upstream.js'

const hello = { role: 'user', content: 'Hi' }
const weather = { name: 'weather', description: 'The weather.', parameters: { type: 'object', properties: {} } }
const tool = { type: 'function', function: weather }
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"place":"Oslo"}' } }

/** The roles of the messages that reached the upstream. */
const rolesOf = (sent: WireBody | undefined): readonly string[] =>
  ((sent?.['messages'] ?? []) as unknown as readonly { readonly role: string }[]).map(({ role }) => role)

/** What the command-line client of the responses protocol sends with each turn. */
const coding = {
  instructions: 'You are a coding agent.',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Say hello.' }] },
  ],
  tools: [
    { type: 'function', strict: false, ...weather },
    { type: 'web_search', external_web_access: true },
    { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
    { type: 'namespace', name: 'mcp__x', tools: [] },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning: { effort: 'medium', summary: 'detailed' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '0197-abc',
  client_metadata: { session: 'x' },
  text: { verbosity: 'low' },
}

describe('requests as clients send them', function () {
  this.timeout(30_000)
  let fields: FieldsKernel
  before(async () => {
    fields = await startFieldsKernel({ primary: { provider: 'completions', model: 'model-1', api: 'completions' } })
    await fields.person.request('POST', '/api/agents', { handle: 'helper', name: 'Helper', model_group: 'primary', tools: [] })
  })
  after(() => fields?.close())

  const ask = async (
    protocol: Protocol,
    members: object,
    { model = 'completions', query = '' } = {},
  ): Promise<WireAnswer & { readonly sent: WireBody | undefined; readonly ignored: readonly string[] }> => {
    const before = fields.upstream.bodies.length
    const plain = protocol === 'chat' ? { messages: [hello] } : { input: [hello] }
    const answer = await sendRaw(fields.kernel.url, `/v1/${protocol === 'chat' ? 'chat/completions' : 'responses'}${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fields.person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, ...plain, ...members }),
    })
    const header = answer.headers['x-ignored-parameters']
    return { ...answer, sent: fields.upstream.bodies[before], ignored: typeof header === 'string' ? header.split(', ') : [] }
  }
  const taken = async (protocol: Protocol, members: object) => {
    const answer = await ask(protocol, members)
    expect(answer.status, `${JSON.stringify(members)}: ${answer.text}`).to.equal(200)
    return answer
  }
  const refused = async (protocol: Protocol, members: object, param: string) => {
    const answer = await ask(protocol, members)
    expect([answer.status, answer.error?.param], JSON.stringify(members)).to.deep.equal([400, param])
    expect(answer.sent, JSON.stringify(members)).to.equal(undefined)
    return answer
  }

  it('of a coding agent are taken, and what has no effect is named', async () => {
    const answer = await ask('responses', coding, { query: '?client_version=0.171.0' })
    expect(answer.status, answer.text).to.equal(200)
    expect(answer.text).to.contain('response.completed')
    expect(answer.sent?.['tools']).to.have.length(1)
    expect(answer.sent).to.include({ reasoning_effort: 'medium', parallel_tool_calls: false })
    expect(answer.ignored).to.have.members([
      ...['client_version', 'prompt_cache_key', 'client_metadata', 'text.verbosity', 'reasoning.summary', 'include'],
      ...['tools[].web_search', 'tools[].custom', 'tools[].namespace'],
    ])
    const models = await sendRaw(fields.kernel.url, '/v1/models?client_version=0.171.0&api-version=1&after=x', {
      headers: { authorization: `Bearer ${fields.person.token}` },
    })
    expect([models.status, models.headers['x-ignored-parameters']]).to.deep.equal([200, 'client_version, api-version, after'])
  })

  it('have the whole answers of before in them, with whatever servers put there', async () => {
    const echo = {
      ...{ role: 'assistant', content: '', refusal: null, annotations: [], audio: null, function_call: null },
      ...{ reasoning: 'Hm.', reasoning_content: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }], images: [{}] },
      ...{ id: 'msg', phase: 'final_answer', provider_specific_fields: { x: 1 }, cache_control: {}, logprobs: null, new_member: 1 },
      tool_calls: [{ ...call, index: 0, status: 'completed', extra_content: { google: {} }, function: { ...call.function, parsed: {} } }],
    }
    const result = { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'rain' }], is_error: false }
    const chat = await taken('chat', { messages: [hello, echo, result, { ...hello, id: '7', opts: {}, timestamp: 5 }] })
    expect(rolesOf(chat.sent)).to.deep.equal([...['user', 'assistant', 'tool', 'user']])
    expect(chat.ignored).to.include.members([
      ...['messages[].reasoning_details', 'messages[].new_member', 'messages[].tool_calls[].index', 'messages[].opts'],
      ...['messages[].tool_calls[].function.parsed', 'messages[].is_error'],
    ])
    expect(chat.ignored).to.not.include('messages[].audio')
    const items = [
      hello,
      { type: 'reasoning', id: 'rs', summary: [], content: null, encrypted_content: 'gAAA', status: null },
      {
        ...{ type: 'message', id: 'msg', role: 'assistant', status: 'completed', phase: 'commentary', new_member: 1 },
        content: [{ type: 'output_text', text: 'I look.', annotations: [], logprobs: [], parsed: null, x: 1 }],
      },
      { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search' } },
      { type: 'function_call', id: 'fc', call_id: 'call_1', name: 'weather', arguments: '{}', namespace: 'x', caller: { type: 'direct' } },
      { type: 'function_call_output', id: 'fo', call_id: 'call_1', output: 'rain', status: 'completed' },
    ]
    const responses = await taken('responses', { input: items })
    expect(responses.ignored).to.include.members(['input[].encrypted_content', 'input[].phase', 'input[].web_search_call'])
    expect(rolesOf(responses.sent)).to.deep.equal(['user', 'assistant', 'tool'])
  })

  it('may have calls of tools that are no functions, which are told as text', async () => {
    const shown = 'data:image/png;base64,AAAA'
    const { sent, ignored } = await taken('responses', {
      input: [
        hello,
        { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' },
        { type: 'custom_tool_call', id: 'ctc', call_id: 'b', name: 'apply_patch', input: '*** Begin Patch', status: 'completed' },
        { type: 'custom_tool_call_output', call_id: 'b', output: 'Done.' },
        { type: 'function_call_output', call_id: 'a', output: 'rain' },
        { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls'] }, status: 'completed' },
        { type: 'function_call_output', call_id: 'c', output: 'a.txt' },
        { type: 'local_shell_call', id: 'd', action: { type: 'exec', command: ['pwd'] } },
        { type: 'local_shell_call_output', id: 'd', output: '{"output":"/"}' },
        { type: 'shell_call', call_id: 'e', action: { commands: ['ls'] } },
        { type: 'shell_call_output', call_id: 'e', output: [{ stdout: 'b.txt', stderr: '' }] },
        { type: 'apply_patch_call', call_id: 'f', operation: { type: 'delete_file', path: 'a' } },
        { type: 'apply_patch_call_output', call_id: 'f', status: 'completed' },
        { type: 'custom_tool_call', call_id: 'g', name: 'look', input: 'x' },
        {
          ...{ type: 'custom_tool_call_output', call_id: 'g' },
          output: [
            { type: 'input_text', text: 'See' },
            { type: 'input_image', image_url: shown },
          ],
        },
        hello,
      ],
    })
    expect(ignored).to.deep.equal(['input[].status'])
    const messages = sent?.['messages'] as unknown as readonly { readonly role: string; readonly content: unknown }[]
    const told = messages.map(({ role, content }) => [role, typeof content === 'string' ? content : JSON.stringify(content)])
    expect(told.slice(0, 4)).to.deep.equal([
      ['user', 'Hi'],
      ['assistant', '(called apply_patch with *** Begin Patch)'],
      ['tool', 'rain'],
      ['user', '(apply_patch answered: Done.)'],
    ])
    expect(told.slice(4, 12)).to.deep.equal([
      ['assistant', '(called local_shell with {"type":"exec","command":["ls"]})'],
      ['user', '(local_shell answered: a.txt)'],
      ['assistant', '(called local_shell with {"type":"exec","command":["pwd"]})'],
      ['user', '(local_shell answered: {"output":"/"})'],
      ['assistant', '(called shell with {"commands":["ls"]})'],
      ['user', '(shell answered: [{"stdout":"b.txt","stderr":""}])'],
      ['assistant', '(called apply_patch with {"type":"delete_file","path":"a"})'],
      ['user', '(apply_patch answered: completed)'],
    ])
    expect(told[13]?.join()).to.contain('(look answered: See)').and.contain(shown)
    await refused('responses', { input: [{ type: 'custom_tool_call_output', call_id: 'x', output: 'y' }] }, 'input[0].call_id')
    await refused('responses', { input: [{ type: 'custom_tool_call', call_id: 'x', input: 'y' }] }, 'input[0]')
  })

  it('lose no content silently', async () => {
    await refused('chat', { messages: [{ ...hello, images: ['iVBORw0KGgo='] }] }, 'messages[0].images')
    await refused(
      'chat',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', image_url: { url: 'x' } }] }] },
      'messages[0].content[0].image_url',
    )
    await refused('chat', { messages: [hello, { role: 'assistant', content: [{ type: 'tool_use', id: 'x' }] }] }, 'messages[1].content[0]')
    await refused('responses', { input: [hello, { role: 'assistant', content: '', tool_calls: [call] }] }, 'input[1].tool_calls')
    await refused('responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0].type')
    await refused('chat', { temprature: 0.1 }, 'temprature')
    await refused('chat', { chat_template_kwargs: { enable_thinking: false } }, 'chat_template_kwargs')
    await taken('chat', { messages: [{ ...hello, images: [], files: [] }] })
  })

  it('name what they ignore when they are refused, too', async () => {
    const answer = await ask('chat', { user: 'ada', verbosity: 'low', temprature: 1 }, { query: '?api-version=1' })
    expect([answer.status, answer.error?.param]).to.deep.equal([400, 'temprature'])
    expect(answer.ignored).to.deep.equal(['api-version', 'user', 'verbosity'])
    const unknown = await ask('chat', { user: 'ada' }, { model: 'nothing' })
    expect([unknown.status, unknown.ignored]).to.deep.equal([404, ['user']])
    const odd = await ask('chat', {
      messages: [{ role: 'assistant', content: 'x', 'a\r\nset-cookie: b': 1, ['y'.repeat(5_000)]: 1 }, hello],
    })
    expect(odd.headers).to.not.have.property('set-cookie')
    expect(String(odd.headers['x-ignored-parameters']).length).to.be.below(300)
  })

  it('have hints and defaults of current clients, which change nothing', async () => {
    const plain = await taken('chat', {})
    for (const members of [
      { verbosity: 'low' },
      { service_tier: 'priority' },
      { store: true },
      { prediction: { type: 'content', content: 'x' } },
      { modalities: ['text'] },
      { web_search_options: {} },
      { parallel_tool_calls: false },
      { tools: [], tool_choice: 'auto', parallel_tool_calls: true },
      { tool_choice: 'none' },
      { stop: '' },
      { stop: [''] },
      { stop: [] },
      { stream_options: { include_usage: true } },
      { metadata: {}, user: 'ada', safety_identifier: 'x', prompt_cache_key: 'x', prompt_cache_retention: '24h' },
      { temperature: null, stop: null, tools: null, tool_choice: null, functions: null, function_call: null, logit_bias: {}, n: 1 },
      { functions: [], function_call: 'auto' },
      { keep_alive: '5m', cache_prompt: true, usage: { include: true }, session_id: 'x', chat_id: 'y' },
    ])
      expect((await taken('chat', members)).sent, JSON.stringify(members)).to.deep.equal(plain.sent)
    expect((await taken('chat', { max_tokens: 7, max_completion_tokens: 7 })).sent).to.deep.equal(
      (await taken('chat', { max_tokens: 7 })).sent,
    )
    const streamed = await taken('chat', { stream: true, stream_options: { include_obfuscation: true, continuous_usage_stats: true } })
    expect(streamed.ignored).to.have.members(['stream_options.include_obfuscation', 'stream_options.continuous_usage_stats'])
    const bare = await taken('responses', {})
    for (const members of [
      { truncation: 'auto', max_tool_calls: 5, background: false, conversation: null, previous_response_id: null, prompt: null },
      { store: true },
      { reasoning: { summary: 'concise' } },
      { include: ['web_search_call.action.sources', 'file_search_call.results'] },
      { text: {}, include: [], tools: [], instructions: null },
    ])
      expect((await taken('responses', members)).sent, JSON.stringify(members)).to.deep.equal(bare.sent)
  })

  it('may ask for pictures beside text, but not for audio', async () => {
    const plain = await taken('chat', {})
    for (const modalities of [
      ['text', 'image'],
      ['image', 'text'],
    ]) {
      const answer = await taken('chat', { modalities })
      expect(answer.ignored).to.deep.equal(['modalities'])
      expect(answer.sent).to.deep.equal(plain.sent)
    }
    for (const modalities of [['text', 'audio'], ['image'], ['text', 'image', 'audio'], 'image'])
      await refused('chat', { modalities }, 'modalities')
  })

  it('may have -1 for no limit', async () => {
    for (const [protocol, name] of [
      ['chat', 'max_tokens'],
      ['chat', 'max_completion_tokens'],
      ['chat', 'top_k'],
      ['responses', 'max_output_tokens'],
    ] as const) {
      const answer = await taken(protocol, { [name]: -1 })
      expect(answer.ignored).to.deep.equal([name])
      expect(answer.sent).to.deep.equal((await taken(protocol, {})).sent)
      if (name !== 'top_k') await refused(protocol, { [name]: 0 }, name)
      await refused(protocol, { [name]: -2 }, name)
      const members = { [name]: -1 }
      expect((await ask(protocol, members, { model: 'agent/helper' })).ignored, name).to.deep.equal([name])
    }
    expect((await taken('chat', { max_tokens: -1, max_completion_tokens: 7 })).sent).to.deep.equal(
      (await taken('chat', { max_completion_tokens: 7 })).sent,
    )
  })

  it('may allow some of their tools', async () => {
    const other = { type: 'function', function: { ...weather, name: 'other' } }
    const flat = [tool, other].map(({ function: called }) => ({ type: 'function', ...called }))
    const nested = (mode: string | undefined, ...tools: readonly object[]) => ({ type: 'allowed_tools', allowed_tools: { mode, tools } })
    const named = { type: 'function', function: { name: 'weather' } }
    const offered = async (protocol: Protocol, tools: readonly object[], choice: object) => {
      const { sent, ignored } = await taken(protocol, { tools, tool_choice: choice })
      return { tools: sent?.['tools'], choice: sent?.['tool_choice'], ignored }
    }
    const auto = { tools: [tool], choice: 'auto', ignored: [] }
    const required = { ...auto, choice: 'required' }
    const bare = { type: 'function', name: 'weather' }
    expect(await offered('chat', [tool, other], nested('auto', named))).to.deep.equal(auto)
    expect(await offered('chat', [tool, other], nested(undefined, bare))).to.deep.equal(auto)
    expect(await offered('chat', [tool, other], nested('required', named))).to.deep.equal(required)
    expect(await offered('responses', flat, { type: 'allowed_tools', mode: 'required', tools: [bare] })).to.deep.equal(required)
    expect(await offered('responses', flat, { type: 'allowed_tools', mode: 'auto', tools: [bare, { type: 'mcp' }] })).to.deep.equal({
      ...auto,
      ignored: ['tool_choice.tools[].mcp'],
    })
    const spaced = [{ type: 'namespace', name: 'sky', tools: [{ type: 'function', ...weather }, flat[1]] }, ...flat]
    const inSpace = async (...tools: readonly object[]) => {
      const sent = (await taken('responses', { tools: spaced, tool_choice: { type: 'allowed_tools', mode: 'auto', tools } })).sent
      return ((sent?.['tools'] ?? []) as unknown as readonly (typeof tool)[]).map(({ function: { name } }) => name)
    }
    expect(await inSpace({ type: 'namespace', name: 'sky' })).to.deep.equal(['sky__weather', 'sky__other'])
    expect(await inSpace({ ...bare, namespace: 'sky' }, { type: 'function', name: 'other' })).to.deep.equal(['sky__weather', 'other'])
    for (const [choice, param] of [
      [nested('auto'), 'tool_choice.allowed_tools.tools'],
      [nested('auto', { type: 'web_search' }), 'tool_choice.allowed_tools.tools'],
      [nested('auto', named, { type: 'function', name: 'none' }), 'tool_choice.allowed_tools.tools[1]'],
      [nested('auto', named, { type: 'namespace', name: 'none' }), 'tool_choice.allowed_tools.tools[1]'],
      [nested('some', named), 'tool_choice.allowed_tools.mode'],
      [{ type: 'allowed_tools', mode: 'auto', tools: ['weather'] }, 'tool_choice.tools[0]'],
      [{ type: 'allowed_tools', mode: 'auto', tools: [bare], depth: 1 }, 'tool_choice.depth'],
    ] as const)
      await refused('chat', { tools: [tool, other], tool_choice: choice }, param)
    await refused('chat', { tool_choice: nested('auto', named) }, 'tool_choice.allowed_tools.tools[0]')
  })

  it('may have the reasoning of routers', async () => {
    const low = await taken('chat', { reasoning_effort: 'low' })
    for (const [reasoning, ignored] of [
      [{ effort: 'low' }, []],
      [{ effort: 'low', exclude: false, max_tokens: null }, []],
      [
        { effort: 'low', exclude: true, enabled: true, summary: 'detailed' },
        ['reasoning.exclude', 'reasoning.enabled', 'reasoning.summary'],
      ],
    ] as const) {
      const answer = await taken('chat', { reasoning })
      expect(answer.sent).to.deep.equal(low.sent)
      expect(answer.ignored).to.deep.equal(ignored)
    }
    expect((await taken('chat', { reasoning: { effort: 'low' }, reasoning_effort: 'low' })).sent).to.deep.equal(low.sent)
    const plain = await taken('chat', {})
    for (const reasoning of [{}, { enabled: true }, { effort: '' }])
      expect((await taken('chat', { reasoning })).sent).to.deep.equal(plain.sent)
    await refused('chat', { reasoning: { max_tokens: 2_000 } }, 'reasoning.max_tokens')
    await refused('chat', { reasoning: { enabled: false } }, 'reasoning.enabled')
    await refused('chat', { reasoning: { depth: 2 } }, 'reasoning.depth')
    await refused('chat', { reasoning: { effort: 3 } }, 'reasoning.effort')
    await refused('chat', { reasoning: 'low' }, 'reasoning')
    await refused('chat', { reasoning: { effort: 'low' }, reasoning_effort: 'high' }, 'reasoning.effort')
    const agent = await ask('chat', { reasoning: { effort: 'low' } }, { model: 'agent/helper' })
    expect([agent.status, agent.error?.param]).to.deep.equal([400, 'reasoning.effort'])
    expect((await ask('chat', { reasoning: {} }, { model: 'agent/helper' })).status).to.equal(200)
  })

  it('have parts of either protocol in both, lists for results, and arguments as an object', async () => {
    const image = 'data:image/png;base64,AAAA'
    const parts = [
      [
        { type: 'text', text: 'See', cache_control: { type: 'ephemeral' } },
        { type: 'image_url', image_url: { url: image, format: 'image/png' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,BBBB', filename: 'a.pdf' } },
      ],
      [
        { type: 'input_text', text: 'See' },
        { type: 'input_image', image_url: image, detail: 'auto' },
        { type: 'input_file', file_data: 'data:application/pdf;base64,BBBB', filename: 'a.pdf' },
      ],
    ]
    const sent = []
    for (const content of parts) {
      sent.push((await taken('chat', { messages: [{ role: 'user', content }] })).sent)
      sent.push((await taken('responses', { input: [{ role: 'user', content }] })).sent)
    }
    for (const body of sent) expect(body).to.deep.equal(sent[0])
    const object = { ...call, function: { name: 'weather', arguments: { place: 'Oslo' } } }
    const result = { role: 'tool', tool_call_id: 'call_1' }
    const text = await taken('chat', {
      messages: [hello, { role: 'assistant', content: null, tool_calls: [call] }, { ...result, content: 'rain' }],
    })
    const lists = await taken('chat', {
      messages: [
        hello,
        { role: 'assistant', content: '', tool_calls: [object] },
        { ...result, content: [{ type: 'output_text', text: 'rain' }] },
      ],
    })
    expect(lists.sent).to.deep.equal(text.sent)
    expect(
      (await taken('chat', { messages: [hello, { role: 'assistant', tool_calls: [call] }, { ...result, content: null }] })).status,
    ).to.equal(200)
    const picture = await taken('responses', {
      input: [
        { type: 'function_call', call_id: 'c', name: 'weather', arguments: { place: 'Oslo' } },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'image_url', image_url: { url: image } }] },
      ],
    })
    expect(JSON.stringify(picture.sent)).to.contain(image)
  })

  it('have several system messages anywhere, and the roles developer and function', async () => {
    const messages = [
      { role: 'developer', content: 'A' },
      hello,
      { role: 'system', content: [{ type: 'text', text: 'B' }] },
      { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{}' } },
      { role: 'function', name: 'weather', content: 'rain' },
      { role: 'system', content: 'C' },
      hello,
    ]
    const { sent } = await taken('chat', { messages })
    expect(rolesOf(sent).filter((role) => role === 'tool')).to.have.length(1)
    await refused('chat', { messages: [hello, { role: 'function', name: 'other', content: 'x' }] }, 'messages[1].name')
  })

  it('leave out tools of vendors if there are others, and refuse them where they are needed', async () => {
    for (const type of [
      'web_search',
      'web_search_preview',
      'local_shell',
      'custom',
      'image_generation',
      'mcp',
      'code_interpreter',
      'file_search',
    ]) {
      const answer = await taken('chat', { tools: [tool, { type, name: 'x' }] })
      expect(answer.ignored, type).to.deep.equal([`tools[].${type}`])
      expect(answer.sent?.['tools']).to.have.length(1)
      await refused('chat', { tools: [{ type, name: 'x' }] }, 'tools[0]')
      await refused('chat', { tools: [tool, { type, name: 'x' }], tool_choice: { type } }, 'tool_choice')
    }
    await refused('chat', { tools: [tool, { type: 7 }] }, 'tools[1]')
    await refused('chat', { tools: [tool, {}] }, 'tools[1]')
    await refused('chat', { tool_choice: 'required' }, 'tool_choice')
    await refused('chat', { tools: [tool, { type: 'function', function: {} }] }, 'tools[1].function')
    const strict = await taken('chat', { tools: [{ ...tool, function: { ...weather, strict: null }, cache_control: {} }] })
    expect(strict.ignored).to.deep.equal(['tools[].cache_control'])
  })

  it('of clients that know functions alone are answered in their form', async () => {
    const { sent } = await taken('chat', { functions: [weather], function_call: { name: 'weather' } })
    expect(sent?.['tools']).to.deep.equal([tool])
    expect(sent?.['tool_choice']).to.deep.equal({ type: 'function', function: { name: 'weather' } })
    await refused('chat', { functions: [weather], tools: [tool] }, 'functions')
    await refused('chat', { functions: [{}] }, 'functions[0]')
  })

  it('to agents may have the same hints', async () => {
    for (const [protocol, members] of [
      [
        'chat',
        {
          store: true,
          service_tier: 'flex',
          verbosity: 'low',
          stop: '',
          repetition_penalty: 1.1,
          prediction: {},
          tools: [],
          functions: [],
        },
      ],
      ['responses', { truncation: 'auto', include: ['reasoning.encrypted_content'], text: { verbosity: 'low' }, max_tool_calls: 3 }],
    ] as const) {
      const answer = await ask(protocol, members, { model: 'agent/helper', query: '?api-version=1' })
      expect(answer.status, answer.text).to.equal(200)
      expect(answer.ignored).to.include('api-version')
    }
  })

  it('may have headers of other clients, and ask for a stream that they do not get', async () => {
    const send = (
      headers: Readonly<Record<string, string>>,
      body: string | Uint8Array = JSON.stringify({ model: 'completions', messages: [hello] }),
    ) => sendRaw(fields.kernel.url, '/v1/chat/completions', { method: 'POST', headers, body })
    const own = { authorization: `bearer ${fields.person.token}` }
    for (const headers of [
      { ...own, 'content-type': 'text/json', accept: 'text/event-stream', 'openai-organization': 'x', 'openai-beta': 'y' },
      { ...own, expect: '100-continue', 'content-type': 'application/json; charset=UTF-8' },
      own,
    ])
      expect((await send(headers)).status, JSON.stringify(headers)).to.equal(200)
    expect((await send(own, `\ufeff${JSON.stringify({ model: 'completions', messages: [hello] })}`)).status).to.equal(200)
    for (const name of ['api-key', 'x-api-key']) {
      const answer = await send({ [name]: fields.person.token })
      expect([answer.status, answer.error?.code]).to.deep.equal([401, 'unauthenticated'])
      expect(answer.error?.message).to.contain('Authorization: Bearer').and.contain(name)
    }
    const packed = await send({ ...own, 'content-encoding': 'gzip' }, new Uint8Array([31, 139]))
    expect([packed.status, packed.error?.message.includes('Content-Encoding')]).to.deep.equal([400, true])
  })

  it('for embeddings may have null for every optional member', async () => {
    const answer = await sendRaw(fields.kernel.url, '/v1/embeddings?api-version=1', {
      method: 'POST',
      headers: { authorization: `Bearer ${fields.person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'nothing', input: 'x', encoding_format: null, dimensions: null, user: null, extra: null }),
    })
    expect([answer.status, answer.error?.code]).to.deep.equal([404, 'model_not_found'])
  })
})
