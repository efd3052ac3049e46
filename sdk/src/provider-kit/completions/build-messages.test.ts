import { expect } from 'chai'
import type { FilePart } from '../../contracts/provider-adapter/content.js'
import type { ModelMessage } from '../../contracts/provider-adapter/request.js'
import type { JsonObject } from '../../core/json.js'
import { createToolNames } from '../answers/tool-names.js'
import { fileAsText } from '../messages/file-as-text.js'
import { buildCompletionsMessages, type CompletionsMessagesContext } from './build-messages.js'

const names = createToolNames(['files:read'], { refused: /[^a-z_]/g, maxLength: 64 })
const told = (messages: readonly ModelMessage[], changes: Partial<CompletionsMessagesContext> = {}) =>
  buildCompletionsMessages(messages, { vendor: 'v:m', names, contentOfCalls: null, ...changes })

const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
const wireImage = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const notes: FilePart = { type: 'file', media_type: 'text/markdown', name: 'notes.md', data: Buffer.from('Thyme').toString('base64') }
const plan: FilePart = { type: 'file', media_type: 'application/pdf', name: 'plan.pdf', data: 'BBBB' }
const text = (value: string) => ({ type: 'text', text: value }) as const
const ids = { call_id: 'ours', provider_call_id: 'theirs', name: 'files:read' } as const

describe('the messages of chat completions', () => {
  it('have no turn that is only reasoning', () => {
    const reasoning = (data: JsonObject) => ({ type: 'reasoning', text: 'Hm', opaque: { vendor: 'v:m', data } }) as const
    for (const data of [{ field: 'reasoning_content' }, { field: 'content', value: [{ type: 'thinking', thinking: [] }] }])
      expect(told([{ role: 'assistant', content: [reasoning(data)] }])).to.deep.equal([])
  })

  it('have what a person wrote, and files of text, as one string', () => {
    expect(told([{ role: 'user', content: [text('Look'), notes] }])).to.deep.equal([
      { role: 'user', content: `Look\n${fileAsText(notes).text}` },
    ])
  })

  it('have parts where there are images, without empty texts', () => {
    expect(told([{ role: 'user', content: [text(''), text('Look'), image, notes] }])).to.deep.equal([
      { role: 'user', content: [text('Look'), wireImage, fileAsText(notes)] },
    ])
  })

  it('have other files as the brand takes them, else a note', () => {
    const content = [plan, { ...notes, data: Buffer.from([0xff]).toString('base64') }]
    const notText = text('(file notes.md left out: its content is not text in UTF-8)')
    expect(told([{ role: 'user', content }])).to.deep.equal([{ role: 'user', content: `(file plan.pdf left out)\n${notText.text}` }])
    const filePart = ({ name }: FilePart) => ({ type: 'file', name })
    expect(told([{ role: 'user', content }], { filePart })).to.deep.equal([
      { role: 'user', content: [{ type: 'file', name: 'plan.pdf' }, notText] },
    ])
  })

  it('have calls and results under one id, with names that the vendor takes, images behind the results', () => {
    const calls: ModelMessage = { role: 'assistant', content: [{ type: 'tool_call', ...ids, arguments: { path: 'a' } }] }
    const results: ModelMessage = { role: 'tool', content: [{ type: 'tool_result', ...ids, content: [text('Here'), notes, plan, image] }] }
    expect(told([calls, results], { wireCallId: (id) => `${id}!` })).to.deep.equal([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'theirs!', type: 'function', function: { name: names.wire('files:read'), arguments: '{"path":"a"}' } }],
      },
      {
        role: 'tool',
        tool_call_id: 'theirs!',
        content: `Here\n${fileAsText(notes).text}\n(file plan.pdf left out)\n(see image)`,
      },
      { role: 'user', content: [wireImage] },
    ])
    expect(told([calls], { contentOfCalls: '' })[0]).to.include({ content: '' })
  })

  it('have reasoning beside text for its own vendor, and no turn of which nothing remains', () => {
    const turn: ModelMessage = {
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'Hm', opaque: { vendor: 'v:m', data: { field: 'reasoning_content' } } }, text('Noon.')],
    }
    expect(told([turn])).to.deep.equal([{ role: 'assistant', content: 'Noon.', reasoning_content: 'Hm' }])
    expect(told([turn], { vendor: 'v:other' })).to.deep.equal([{ role: 'assistant', content: 'Noon.' }])
    expect(told([{ role: 'assistant', content: [text('')] }])).to.deep.equal([])
  })
})
