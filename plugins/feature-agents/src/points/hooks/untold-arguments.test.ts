import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { untoldArguments } from './untold-arguments.js'

/** Of a tool whose sentence changes with all arguments, or with those that are named. */
const untold = (sentence: string, sent: JsonObject, saying = Object.keys(sent)): readonly string[] =>
  untoldArguments(sentence, sent, (each) => JSON.stringify(saying.map((name) => each[name]))).map(([name]) => name)

describe('the arguments that a sentence does not tell', () => {
  it('are those that are no texts, empty, or not in it', () => {
    expect(untold('Run: ls -la', { command: 'ls -la', background: true, note: '', directory: 'reports' })).to.deep.equal([
      'background',
      'note',
      'directory',
    ])
    expect(untold('Read the clock', {})).to.deep.equal([])
  })

  it('are those that only repeat a part of another one, or of a word', () => {
    expect(untold('Run: ls reports', { directory: 'reports', command: 'ls reports' })).to.deep.equal(['directory'])
    expect(untold('Run: ls', { mode: 'un', command: 'ls' })).to.deep.equal(['mode'])
    expect(untold('Move a to a', { from: 'a', to: 'a' })).to.deep.equal([])
    expect(untold('Move a to b', { from: 'a', to: 'a' })).to.deep.equal(['to'])
  })

  it('are those that only repeat words of the tool', () => {
    expect(untold('Run: ls', { command: 'ls', directory: 'Run' }, ['command'])).to.deep.equal(['directory'])
    expect(untold('Run: ls x', { command: 'ls x', directory: 'Run: ls x' }, ['command'])).to.deep.equal(['directory'])
    expect(untold('Send mail', { to: 'mail' }, [])).to.deep.equal(['to'])
  })

  it('are told with all that a screen would hide', () => {
    expect(untold('Run: ls ⏎ id <U+202E>', { command: 'ls\nid\u202e' })).to.deep.equal(['command'])
    expect(untold('Run: ls ⏎ id<U+202E>', { command: 'ls\nid\u202e' })).to.deep.equal([])
  })
})
