import { expect } from 'chai'
import { bytesOf, type Replay } from '../testing/replay/index.js'
import { testCalls } from './test-call.test.js'

const chunk = (content: string, finish: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: content === '' ? {} : { content }, finish_reason: finish }] })}\n\n`
const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } })}\n\n`
const done = 'data: [DONE]\n\n'

describe('a stop that stands beside text', () => {
  const calls = testCalls()
  const outcome = (pieces: readonly string[], more: Partial<Replay> = {}, timeouts = {}) => {
    calls.answer({ pieces: pieces.map(bytesOf), ...more })
    return calls.outcome({ timeouts: { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 20_000, ...timeouts } })
  }

  it('is no end: the text after it belongs to the answer', async () => {
    for (const first of ['The first, ', '']) {
      const { text, error, finished } = await outcome([chunk(first, 'stop'), chunk('the second.', 'stop'), done])
      expect(error).to.equal(undefined)
      expect(text).to.equal(`${first}the second.`)
      expect(finished?.content).to.deep.equal([{ type: 'text', text: `${first}the second.` }])
    }
  })

  it('is waited after as long as in the middle of an answer', async () => {
    const { text, error } = await outcome([chunk('The first, ', 'stop')], { end: 'hold' }, { idleMs: 60 })
    expect(text).to.equal('The first, ')
    expect(error?.details).to.include({ failure: 'timeout', retryable: true })
  })

  it('and a connection that breaks is a cut answer, unless the end was reported', async () => {
    for (const pieces of [[chunk('The first, ', 'stop')], [chunk('', 'stop')], [chunk('One, ', null), chunk('two, ', 'stop'), usage]]) {
      const { error, finished } = await outcome(pieces, { end: 'destroy' })
      expect(finished).to.equal(undefined)
      expect(error?.details).to.include({ failure: 'truncated', retryable: true })
    }
    expect((await outcome([chunk('All.', 'stop'), done], { end: 'destroy' })).error).to.equal(undefined)
  })

  it('is the end when the body ends', async () => {
    const { finished, error } = await outcome([chunk('All.', 'stop')])
    expect(error).to.equal(undefined)
    expect(finished?.stop_reason).to.equal('stop')
  })

  it('a finish reason that is the text null is none', async () => {
    const { text, error } = await outcome([chunk('All', 'null'), chunk('.', 'null')], { end: 'destroy' })
    expect(text).to.equal('All.')
    expect(error?.details['failure']).to.equal('truncated')
    expect((await outcome([chunk('All', 'null')])).error?.details['failure']).to.equal('truncated')
    expect((await outcome([chunk('All', 'null'), chunk('', 'stop')])).finished?.raw_stop_reason).to.equal('stop')
  })

  it('a stop of its own is the end, also when the connection breaks', async () => {
    const { finished, error } = await outcome([chunk('All.', null), chunk('', 'stop')], { end: 'destroy' })
    expect(error).to.equal(undefined)
    expect(finished?.content).to.deep.equal([{ type: 'text', text: 'All.' }])
  })
})
