import { expect } from 'chai'
import { firstLine, titleFrom } from './chat.js'

describe('the title of a chat', () => {
  it('is the first line of a message, cut between words', () => {
    expect(titleFrom('\n  Plan my trip  \nto Rome')).to.equal('Plan my trip')
    expect(titleFrom(`${'word '.repeat(20)}`)).to.equal(`${'word '.repeat(12).trim()}…`)
    expect(titleFrom('x'.repeat(100))).to.equal(`${'x'.repeat(60)}…`)
    expect(titleFrom(' \n ')).to.equal('New chat')
    expect(firstLine('')).to.equal(null)
  })

  it('costs the same for a line of megabytes, and never cuts a character in two', () => {
    expect(titleFrom(`${' '.repeat(10_000)}${'😀'.repeat(2_000_000)}`)).to.equal(`${'😀'.repeat(60)}…`)
  })
})
