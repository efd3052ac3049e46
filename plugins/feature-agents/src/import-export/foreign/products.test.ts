import { expect } from 'chai'
import { convertChat } from './chat-tree.js'
import { ForeignChatError } from './foreign-chat.js'
import { fenced } from './json-values.js'
import { readChat } from './read-chat.js'

const now = Date.UTC(2026, 0, 1)
const convert = (value: unknown) => convertChat(readChat(value), now)
/** Role and parts of each message, in short. */
const shortly = (value: unknown) =>
  convert(value).document.messages.map(({ branch, role, content }) => [
    branch,
    role,
    ...content.map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return `${part.type}: ${part.text}`
      if (part.type === 'tool_call') return `call ${part.name} ${JSON.stringify(part.arguments)}`
      if (part.type === 'tool_result') return `result ${part.name} ${JSON.stringify(part.content)}`
      return part.type
    }),
  ])
const problemOf = (value: unknown): string => {
  try {
    convert(value)
  } catch (error) {
    if (error instanceof ForeignChatError) return error.message
    throw error
  }
  return 'none'
}

type Json = Record<string, unknown>

/** A conversation of ChatGPT in which each message follows the one before. */
const chatGpt = (...messages: readonly Json[]): Json => ({
  ...{ conversation_id: 'c', title: 'T', create_time: 1, update_time: 2, current_node: `n${messages.length - 1}` },
  mapping: Object.fromEntries(
    messages.map((message, index) => [
      `n${index}`,
      {
        id: `n${index}`,
        parent: index === 0 ? null : `n${index - 1}`,
        children: index + 1 < messages.length ? [`n${index + 1}`] : [],
        message,
      },
    ]),
  ),
})
const said = (role: string, content: Json, more: Json = {}): Json => ({
  author: { role },
  content,
  recipient: 'all',
  metadata: {},
  ...more,
})
const text = (words: string): Json => ({ content_type: 'text', parts: [words] })

describe('conversations of ChatGPT', () => {
  it('keep code, its output and pictures of tools, fold thoughts, and leave out what is hidden', () => {
    const chat = chatGpt(
      said('system', text('SYSTEM')),
      said('user', { content_type: 'user_editable_context', user_profile: 'P', user_instructions: 'W' }),
      said('user', text('Plot it')),
      said('assistant', { content_type: 'thoughts', thoughts: [{ summary: 'Plan', content: 'Use matplotlib' }] }),
      said('assistant', { content_type: 'code', language: 'unknown', text: 'plot(1)' }, { recipient: 'python' }),
      said('tool', { content_type: 'execution_output', text: 'ok' }, { author: { role: 'tool', name: 'python' } }),
      said('tool', {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00aa' }],
      }),
      said('assistant', { content_type: 'reasoning_recap', content: 'Thought for 3 seconds' }),
      said('assistant', text('Here it is.'), { metadata: { model_slug: 'o3' } }),
      said('assistant', text('internal'), { metadata: { is_visually_hidden_from_conversation: true } }),
    )
    expect(shortly(chat)).to.deep.equal([
      [1, 'user', 'text: Plot it'],
      [1, 'assistant', 'reasoning: Plan\n\nUse matplotlib'],
      [1, 'assistant', 'call python {"code":"plot(1)"}'],
      [1, 'tool', 'result python [{"type":"text","text":"ok"}]'],
      [1, 'assistant'],
      [1, 'assistant', 'text: Here it is.'],
    ])
    const { files, document } = convert(chat)
    expect(files).to.deep.equal([{ message: 4, name: 'file_00aa', source: { kind: 'archived', ids: ['file_00aa'] } }])
    expect(document.messages.at(-1)).to.include({ model: 'o3' })
    // One turn: all of it answers the same message.
    expect(new Set(document.messages.map(({ run }) => run)).size).to.equal(1)
  })

  it('have references as Markdown, transcripts of voice, and what a person has attached', () => {
    const references = [{ matched_text: '\ue200cite\ue202turn0\ue201', alt: '([site](https://example.com))' }]
    const chat = chatGpt(
      said(
        'user',
        {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'audio_transcription', text: 'Hello' },
            { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-1' },
          ],
        },
        {
          metadata: {
            attachments: [
              { id: 'file-1', name: 'a.png' },
              { id: 'file-2', name: 'b.pdf' },
            ],
          },
        },
      ),
      said('assistant', text('Yes \ue200cite\ue202turn0\ue201.\ue200navlist\ue202x\ue201'), {
        metadata: { content_references: references },
      }),
    )
    expect(shortly(chat)).to.deep.equal([
      [1, 'user', 'text: Hello'],
      [1, 'assistant', 'text: Yes ([site](https://example.com)).'],
    ])
    expect(convert(chat).files.map(({ name }) => name)).to.deep.equal(['b.pdf', 'a.png'])
  })

  it('say what is wrong with them', () => {
    expect(problemOf({ title: 'x', create_time: 1, conversation_id: 'c' })).to.equal('it has no messages (“mapping”)')
    expect(problemOf(chatGpt(said('user', text('a')), { content: text('b') }))).to.equal('message 2 has no author')
    expect(problemOf(chatGpt({ author: { role: 'user' } }))).to.equal('message 1 has no content')
    expect(problemOf(chatGpt())).to.equal('it has no messages')
    const circle = {
      conversation_id: 'c',
      current_node: 'a',
      mapping: { a: { parent: 'b', children: [], message: null }, b: { parent: 'a', children: [], message: null } },
    }
    expect(problemOf(circle)).to.equal('some of its messages follow each other in a circle')
    expect(problemOf({ a: 1 })).to.equal('it is no chat of ChatGPT, Claude, Open WebUI or LibreChat')
    expect(problemOf({ format: 'agent-service.chat' })).to.include('POST /api/chats/import')
    expect(problemOf(7)).to.equal('it is not an object')
  })
})

describe('conversations of Claude', () => {
  it('keep thinking, calls of tools and attachments, in the order of old exports too', () => {
    const chat = {
      ...{ uuid: 'c', name: '', created_at: '2025-01-01T00:00:00.000000Z', updated_at: '2025-01-01T00:00:00.000000Z' },
      chat_messages: [
        {
          uuid: 'a',
          sender: 'human',
          text: 'Look\nat this',
          content: [],
          attachments: [{ file_name: 'n.txt', extracted_content: 'N' }],
          files: [{ file_name: 'p.png', file_uuid: 'f' }],
        },
        {
          ...{ uuid: 'b', sender: 'assistant', text: 'ignored' },
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'tool_use', id: 't', name: 'web_search', input: { query: 'q' } },
            {
              type: 'tool_result',
              tool_use_id: 't',
              name: 'web_search',
              content: [{ type: 'knowledge', title: 'Title', url: 'https://example.com' }],
            },
            { type: 'token_budget' },
            { type: 'text', text: 'Done' },
          ],
        },
      ],
    }
    expect(shortly(chat)).to.deep.equal([
      [1, 'user', 'text: Look\nat this'],
      [1, 'assistant', 'reasoning: hm', 'call web_search {"query":"q"}'],
      [1, 'tool', 'result web_search [{"type":"text","text":"Title\\nhttps://example.com"}]'],
      [1, 'assistant', 'text: Done'],
    ])
    const { document, files } = convert(chat)
    expect(document.chat.title).to.equal('Look')
    expect(files.map(({ source }) => source)).to.deep.equal([
      { kind: 'text', text: 'N' },
      { kind: 'archived', ids: ['f', 'p.png'] },
    ])
    expect(problemOf({ uuid: 'c', chat_messages: [{ uuid: 'a', text: 'x' }] })).to.equal('message 1 has no author (“sender”)')
    expect(problemOf({ uuid: 'c', chat_messages: [] })).to.equal('it has no messages')
    expect(problemOf({ chat_messages: [] })).to.equal('it has no id (“uuid”)')
  })
})

const openWebUi = (message: Json): Json => ({
  ...{ id: 'c', title: 'T' },
  chat: {
    history: {
      currentId: 'a',
      messages: { a: { id: 'a', parentId: null, childrenIds: [], role: 'assistant', timestamp: 1_700_000_000, ...message } },
    },
  },
})

describe('chats of Open WebUI', () => {
  it('have reasoning and calls of tools from the text, or from what newer releases store beside it', () => {
    const details =
      '<details type="reasoning" done="true" duration="3"><summary>Thought for 3 seconds</summary>\n&gt; One &amp; two\n&gt; three\n</details>\n' +
      '<details type="tool_calls" done="true" id="x" name="get_weather" arguments="&quot;{\\&quot;city\\&quot;: \\&quot;Paris\\&quot;}&quot;" result="&quot;18C&quot;"><summary>Tool Executed</summary></details>\nIt is mild. <details><summary>Own</summary></details>'
    const expected = [
      [1, 'assistant', 'reasoning: One & two\nthree', 'call get_weather {"city":"Paris"}'],
      [1, 'tool', 'result get_weather [{"type":"text","text":"\\"18C\\""}]'],
      [1, 'assistant', 'text: It is mild. <details><summary>Own</summary></details>'],
    ]
    expect(shortly(openWebUi({ content: details }))).to.deep.equal(expected)
    const output = [
      { type: 'reasoning', content: [{ type: 'output_text', text: 'think' }] },
      { type: 'function_call', call_id: 'x', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'x', output: [{ type: 'input_text', text: 'r' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'said' }] },
    ]
    expect(shortly(openWebUi({ content: 'other', output }))).to.deep.equal([
      [1, 'assistant', 'reasoning: think', 'call f {"a":1}'],
      [1, 'tool', 'result tool [{"type":"text","text":"r"}]'],
      [1, 'assistant', 'text: said'],
    ])
    expect(problemOf(openWebUi({ content: 'x', role: undefined }))).to.equal('message 1 has no author (“role”)')
  })
})

describe('conversations of LibreChat', () => {
  it('keep thoughts, tools and errors', () => {
    const chat = {
      ...{ conversationId: 'c', title: 'T', recursive: false },
      messages: [
        { messageId: 'a', parentMessageId: '00000000-0000-0000-0000-000000000000', isCreatedByUser: true, text: 'q' },
        {
          ...{ messageId: 'b', parentMessageId: 'a', sender: 'GPT-4', model: 'gpt-4', text: '', unfinished: true },
          content: [
            { type: 'think', think: 't' },
            { type: 'tool_call', tool_call: { id: 'x', name: 'search.web', args: '{"q":1}', output: 'found' } },
            { type: 'text', text: { value: 'a' } },
          ],
        },
      ],
    }
    expect(shortly(chat)).to.deep.equal([
      [1, 'user', 'text: q'],
      [1, 'assistant', 'reasoning: t', 'call search_web {"q":1}'],
      [1, 'tool', 'result search_web [{"type":"text","text":"found"}]'],
      [1, 'assistant', 'text: a'],
    ])
    expect(convert(chat).document.messages.at(-1)).to.include({ status: 'partial', model: 'gpt-4' })
    expect(problemOf({ conversationId: 'c', messages: [{ messageId: 'a', text: 'x' }] })).to.include('message 1 has no author')
  })

  it('may be nested thousands of levels deep', () => {
    let tree: Json[] = []
    for (let index = 5_000; index > 0; index -= 1)
      tree = [{ messageId: `m${index}`, isCreatedByUser: index % 2 === 1, text: `t${index}`, children: tree }]
    const { document } = convert({ conversationId: 'c', messagesTree: tree })
    expect(document.messages.map(({ content: [part] }) => part?.type === 'text' && part.text)).to.deep.equal(
      Array.from({ length: 5_000 }, (_, index) => `t${index + 1}`),
    )
  })
})

describe('a tree of messages', () => {
  it('with more branches than a chat may have keeps the shown one and says how many it lost', () => {
    const answers = Array.from({ length: 250 }, (_, index) => ({
      messageId: `a${index}`,
      parentMessageId: 'q',
      isCreatedByUser: false,
      text: `answer ${index}`,
    }))
    const chat = readChat({ conversationId: 'c', messages: [{ messageId: 'q', isCreatedByUser: true, text: 'q' }, ...answers] })
    const { document, notes } = convertChat({ ...chat, current: 'a3' }, now)
    expect(document.branches).to.have.length(200)
    const shown = document.messages.filter(({ branch }) => branch === document.chat.branch).at(-1)
    expect(shown?.content).to.deep.equal([{ type: 'text', text: 'answer 3' }])
    expect(notes).to.deep.equal(['50 of its 250 branches were left out: a chat has at most 200'])
  })

  it('may have more branches than a call has room for arguments', () => {
    const answers = Array.from({ length: 150_000 }, (_, index) => ({
      messageId: `a${index}`,
      parentMessageId: 'q',
      isCreatedByUser: false,
      text: `answer ${index}`,
    }))
    const { document } = convert({ conversationId: 'c', messages: [{ messageId: 'q', isCreatedByUser: true, text: 'q' }, ...answers] })
    expect(document.branches).to.have.length(200)
  })

  it('has names of files that are cut between characters', () => {
    const messages = [{ messageId: 'q', isCreatedByUser: true, text: 'q', files: [{ file_id: 'f', filename: `${'a'.repeat(199)}😀` }] }]
    const [file] = convert({ conversationId: 'c', messages }).files
    expect(file?.name).to.equal('a'.repeat(199))
  })
})

describe('code in a fence', () => {
  it('gets one that is longer than those in it, however many there are', () => {
    expect(fenced('a\n  ````\nb', 'js')).to.equal('`````js\na\n  ````\nb\n`````')
    expect(fenced('```\n'.repeat(300_000)).slice(0, 5)).to.equal('````\n')
  })

  it('may have any number of empty lines', () => {
    expect(fenced('\n'.repeat(1_000_000))).to.have.length(1_000_008)
  })
})

describe('chats that are made to harm', () => {
  const attached = (count: number) =>
    said('user', text('See'), { metadata: { attachments: Array.from({ length: count }, () => ({ id: 'f', name: 'x' })) } })

  it('have no more files than a message has parts, and a chat can hold', () => {
    expect(problemOf(chatGpt(attached(999)))).to.equal('none')
    expect(problemOf(chatGpt(attached(1_000)))).to.equal('a message of it has more than 1000 parts')
    expect(problemOf(chatGpt(...Array.from({ length: 6 }, () => attached(900))))).to.equal('it has more than 5000 files')
  })

  it('may have any number of fences, and of messages that follow the same one', () => {
    expect(problemOf(chatGpt(said('user', { content_type: 'code', text: '```\n'.repeat(150_000) })))).to.equal('none')
    const answers = Object.fromEntries(
      Array.from({ length: 150_000 }, (_, index) => [index, { parentId: 'q', role: 'assistant', content: 'a' }]),
    )
    const chat = { id: 'c', chat: { history: { messages: { q: { role: 'user', content: 'q' }, ...answers } } } }
    expect(convert(chat).notes).to.have.length(1)
  })

  it('have no half characters in the names of their files', () => {
    const name = `${'x'.repeat(199)}\u{1f600}.png`
    const { files } = convert(chatGpt(said('user', text('See'), { metadata: { attachments: [{ id: 'f', name }] } })))
    expect(files.map((file) => file.name)).to.deep.equal(['x'.repeat(199)])
  })
})
