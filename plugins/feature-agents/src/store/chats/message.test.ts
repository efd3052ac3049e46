import { expect } from 'chai'
import { newChat, presentChat, titleFrom } from './chat.js'
import { listedMessage, type Message, presentMessage } from './message.js'

describe('what a client sees', () => {
  it('of a message: no owner, and nothing opaque', () => {
    const opaque = { vendor: 'v', data: 'secret-signature' }
    const shown = presentMessage({
      id: 'm',
      chat_id: 'c',
      branch_id: 'c',
      user_id: 'owner',
      run_id: 'r',
      role: 'assistant',
      status: 'complete',
      content: [
        { type: 'reasoning', text: 'hm', opaque },
        { type: 'tool_call', call_id: 'a', name: 'look', arguments: {}, opaque },
      ],
      sequence: 0,
      created_at: '2026-01-01T00:00:00.000Z',
    })
    expect(JSON.stringify(shown)).to.not.match(/opaque|secret-signature|user_id|owner/)
    expect(shown.content.map((part) => part.type)).to.deep.equal(['reasoning', 'tool_call'])
  })

  it('of a list of messages: where an attached file came from, and the bytes of those alone that came from nowhere', () => {
    const file = { type: 'file', media_type: 'application/pdf', name: 'a.pdf', data: 'AAAA' } as const
    const made = { type: 'image', media_type: 'image/png', data: 'BBBB' } as const
    const attachment = { name: 'a.pdf', path: 'files/a.pdf', size: 3, etag: '"1"' }
    const message: Message = {
      ...{ id: 'm', chat_id: 'c', branch_id: 'c', user_id: 'owner', run_id: 'r', role: 'user', status: 'complete' },
      ...{ sequence: 0, created_at: '2026-01-01T00:00:00.000Z', client_key: 'owner/key' },
      content: [file, made, { type: 'text', text: 'AAAA' }],
      attachments: [attachment],
    }
    expect(listedMessage(message).content).to.deep.equal([
      { type: 'file', media_type: 'application/pdf', ...attachment },
      made,
      { type: 'text', text: 'AAAA' },
    ])
    expect(presentMessage(message).content).to.deep.equal(message.content)
    for (const shown of [listedMessage(message), presentMessage(message)]) {
      expect(shown).to.not.have.any.keys('attachments', 'client_key', 'user_id')
    }
  })

  it('of a chat: no owner, and nothing of its inside', () => {
    const chat = presentChat(newChat({ id: 'c', user_id: 'owner', agent_id: 'a', title: null }, ''))
    expect(chat).to.not.have.any.keys('user_id', 'deleting', 'path')
  })
})

describe('a title from the first message', () => {
  it('is its first line, cut between words', () => {
    expect(titleFrom('  Hello there\nsecond line')).to.equal('Hello there')
    expect(titleFrom(' \n ')).to.equal('New chat')
    const cut = titleFrom(`${'word '.repeat(30)}`)
    expect(cut).to.match(/^(word )+word…$/)
    expect([...cut].length).to.be.at.most(61)
    expect(titleFrom('😀'.repeat(100))).to.equal(`${'😀'.repeat(60)}…`)
  })
})
