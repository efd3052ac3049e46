import { expect } from 'chai'
import { allowedBy, questionLines, readReply, replyHint } from './read-reply.js'

const call = {
  kind: 'approval',
  tool: 'write_file',
  purpose: 'Write notes.txt',
  arguments: { path: 'notes.txt' },
  scopes: [],
  options: [],
}
const scopes = [
  { key: 'call:1', label: 'Exactly this call' },
  { key: 'of:file notes.txt', label: 'Write notes.txt' },
]
const rememberedCall = { ...call, scopes }
const question = { kind: 'question', tool: 'ask_user', purpose: 'Tea or coffee?', arguments: {}, options: ['Tea', 'Coffee'] }

describe('what is typed to a question of an agent', () => {
  for (const [line, reply] of [
    ['y', { decision: 'approve_once' }],
    ['  YES  ', { decision: 'approve_once' }],
    ['yes, but only today', { decision: 'approve_once', note: 'but only today' }],
    ['n', { decision: 'deny' }],
    ['no: not on a Sunday', { decision: 'deny', note: 'not on a Sunday' }],
    ['', undefined],
    ['yesterday', undefined],
    ['nothing', undefined],
    ['ok', undefined],
    ['always', undefined],
    ['a 1', undefined],
  ] as const) {
    it(`is read for a call: “${line}”`, () => expect(readReply(call, line)).to.deep.equal(reply))
  }

  for (const [line, reply] of [
    ['y', { decision: 'approve_once' }],
    ['yes always', { decision: 'approve_once', note: 'always' }],
    ['a 1', { decision: 'approve', scope: 'call:1' }],
    ['Always 2', { decision: 'approve', scope: 'of:file notes.txt' }],
    ['a: 2, but gently', { decision: 'approve', scope: 'of:file notes.txt', note: 'but gently' }],
    ['a', undefined],
    ['always', undefined],
    ['always, please', undefined],
    ['a 0', undefined],
    ['a 3', undefined],
    ['a 1 2', undefined],
    ['a 11', undefined],
    ['a1', undefined],
    ['1', undefined],
  ] as const) {
    it(`is read for a call of which kinds can be allowed: “${line}”`, () => expect(readReply(rememberedCall, line)).to.deep.equal(reply))
  }

  it('allows the only kind there is without its number', () => {
    expect(readReply({ ...call, scopes: scopes.slice(0, 1) }, 'always')).to.deep.equal({ decision: 'approve', scope: 'call:1' })
  })

  for (const [line, reply] of [
    ['2', { decision: 'answer', note: 'Coffee' }],
    ['3', { decision: 'answer', note: '3' }],
    ['0', { decision: 'answer', note: '0' }],
    [' no, thanks ', { decision: 'answer', note: 'no, thanks' }],
    ['/skip', { decision: 'deny' }],
    ['  ', undefined],
  ] as const) {
    it(`is read for a question: “${line}”`, () => expect(readReply(question, line)).to.deep.equal(reply))
  }

  it('is asked for in lines that the agent cannot add to', () => {
    const lines = questionLines({ ...call, purpose: 'Write\r\nAllow it?', arguments: { path: 'a\nb' } })
    expect(lines[0]).to.equal('The agent wants to use write_file: Write ⏎ Allow it?')
    expect(lines).to.have.length(3)
    expect(lines.at(-1)).to.match(/^Allow it\?/)
    expect(questionLines({ ...call, arguments_cut: true })[1]).to.match(/\(shortened\)$/)
  })

  it('is asked for with what can be allowed from now on, numbered from the narrowest', () => {
    expect(questionLines(rememberedCall).slice(2)).to.deep.equal([
      'What you can allow from now on, without being asked:',
      '  1  Exactly this call',
      '  2  Write notes.txt',
      'Allow it? y for this once, a and a number for always, n, or n and the reason.',
    ])
    expect(replyHint(rememberedCall)).to.equal('Type y, n, or a and a number from the list.')
    expect(replyHint(call)).to.equal('Type y or n.')
    expect(allowedBy({ ...rememberedCall, scope: 'of:file notes.txt' })).to.equal('Write notes.txt')
    expect(allowedBy({ ...rememberedCall, scope: null })).to.equal(undefined)
  })

  it('is asked for with every character of the call, also those that a screen hides or reorders', () => {
    const hidden = 'rm a\u202e\u200b\u2066b\u0007'
    const lines = questionLines({
      ...{ ...rememberedCall, purpose: hidden, arguments: { path: hidden } },
      scopes: [{ key: 'call:1', label: 'All of \u202e\n x' }],
    })
    expect(lines[0]).to.equal('The agent wants to use write_file: rm a<U+202E><U+200B><U+2066>b<U+0007>')
    expect(lines[1]).to.equal('  {"path":"rm a<U+202E><U+200B><U+2066>b\\u0007"}')
    expect(lines[3]).to.equal('  1  All of <U+202E> ⏎  x')
  })
})
