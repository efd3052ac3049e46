import { expect } from 'chai'
import { typedCommand } from './typed-command.js'

describe('a command in the field of a message', () => {
  it('begins with a slash at the beginning of a line, and is no path', () => {
    const command = (text: string, caret = text.length) => typedCommand(text, caret)
    expect(command('/')).to.deep.equal({ from: 0, to: 1, query: '' })
    expect(command('Hello\n/Tra')).to.deep.equal({ from: 6, to: 10, query: 'tra' })
    expect(command('/tra and more', 4)).to.deep.equal({ from: 0, to: 4, query: 'tra' })
    for (const text of ['', 'a/', 'see /tra', '/etc/hosts', '/tra ', '//', `/${'a'.repeat(33)}`, '\n'])
      expect(command(text), text).to.equal(undefined)
    expect(command('/translate', 4)).to.equal(undefined)
  })
})
