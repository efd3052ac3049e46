import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { createIgnoredFields } from '../fields/ignored-fields.js'
import { readInput } from '../responses/read-input.js'
import { readChatMessages } from './read-chat-messages.js'

const read = (...messages: readonly JsonObject[]) => {
  const ignored = createIgnoredFields()
  return { messages: readChatMessages(messages, ignored), names: ignored.names() }
}

describe('the messages of a request', () => {
  it('are refused if the answer is to continue one of them, which would be lost', () => {
    for (const member of ['prefix', 'partial']) {
      expect(() => read({ role: 'assistant', content: 'def ', [member]: true })).to.throw(`messages[0].${member}`)
      expect(read({ role: 'assistant', content: 'def ', [member]: false }).names).to.deep.equal([])
    }
  })

  it('may have pictures in an answer that is sent back, which have no effect', () => {
    const picture = 'data:image/png;base64,AAAA'
    const chat = read({
      role: 'assistant',
      content: [
        { type: 'text', text: 'Here.' },
        { type: 'image_url', image_url: { url: picture } },
      ],
    })
    const message = { role: 'assistant', content: [{ type: 'text', text: 'Here.' }] }
    expect(chat).to.deep.equal({ messages: [message], names: ['messages[].content[].image_url'] })
    const ignored = createIgnoredFields()
    const content = [
      { type: 'output_text', text: 'Here.' },
      { type: 'output_image', image_url: picture },
    ]
    expect(readInput(undefined, [{ role: 'assistant', content }], ignored)).to.deep.equal([message])
    expect(ignored.names()).to.deep.equal(['input[].content[].output_image'])
  })
})

describe('the instructions of a response', () => {
  it('are none if they are empty', () => {
    const user = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
    expect(readInput('', 'Hi', createIgnoredFields())).to.deep.equal([user])
    expect(readInput('', [{ role: 'user', content: 'Hi' }], createIgnoredFields())).to.deep.equal([user])
  })
})
