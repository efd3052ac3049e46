import { expect } from 'chai'
import { checkAnswer, maxMessageBytes, withFittingPictures } from './answer-limits.js'

const picture = (bytes: number) => ({ type: 'image', media_type: 'image/png', data: 'A'.repeat(bytes) }) as const

describe('the pictures of an answer', () => {
  it('stay as long as the message has room, and become sentences then, so that the answer is kept', () => {
    const text = { type: 'text', text: 'Here.' } as const
    const [small, large] = [picture(1_000), picture(maxMessageBytes - 10_000)]
    expect(withFittingPictures([text, small])).to.deep.equal([text, small])
    const content = withFittingPictures([text, large, large, small])
    expect(content.map(({ type }) => type)).to.deep.equal(['text', 'image', 'text', 'image'])
    expect(content[2]).to.have.property('text').that.contains('no room for its 53')
    checkAnswer({ content })
    expect(() => checkAnswer({ content: [text, large, large, small] })).to.throw('grew beyond')
  })
})
