import { expect } from 'chai'
import { questionLines, readReply } from './read-reply.js'

const call = {
  kind: 'approval',
  tool: 'write_file',
  purpose: 'Write notes.txt',
  arguments: { path: 'notes.txt' },
  remembers: false,
  options: [],
}
const question = { kind: 'question', tool: 'ask_user', purpose: 'Tea or coffee?', arguments: {}, options: ['Tea', 'Coffee'] }

describe('what is typed to a question of an agent', () => {
  for (const [line, reply] of [
    ['y', { decision: 'approve' }],
    ['  YES  ', { decision: 'approve' }],
    ['yes, but only today', { decision: 'approve', note: 'but only today' }],
    ['n', { decision: 'deny' }],
    ['no: not on a Sunday', { decision: 'deny', note: 'not on a Sunday' }],
    ['', undefined],
    ['yesterday', undefined],
    ['nothing', undefined],
    ['ok', undefined],
  ] as const) {
    it(`is read for a call: “${line}”`, () => expect(readReply(call, line)).to.deep.equal(reply))
  }

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
    expect(lines[0]).to.equal('The agent wants to use write_file: Write Allow it?')
    expect(lines).to.have.length(3)
    expect(lines.at(-1)).to.match(/^Allow it\?/)
    expect(questionLines({ ...call, remembers: true }).at(-1)).to.match(/^Allow it, now and from now on\?/)
    expect(questionLines({ ...call, arguments_cut: true })[1]).to.match(/\(shortened\)$/)
  })
})
