import { expect } from 'chai'
import fc from 'fast-check'
import type { Message } from '../store/chats/message.js'
import { chooseCut, cutPoints } from './cut-points.js'

const base = { chat_id: 'c', branch_id: 'c', user_id: 'u', created_at: '2026-01-01T00:00:00.000Z' }
/**
 * `u` a person, `U` one who writes to the run that goes on, `a` an answer, `c` one with a call, `t`
 * its result, `o` one that is open.
 */
const messagesOf = (letters: string): readonly Message[] => {
  let run = 0
  return [...letters].map((letter, sequence): Message => {
    if (letter === 'u') run += 1
    const place = { ...base, id: `m${sequence}`, sequence, run_id: `r${run}` }
    const text = { type: 'text' as const, text: letter }
    if (letter === 'u' || letter === 'U') return { ...place, role: 'user', status: 'complete', content: [text] }
    if (letter === 't')
      return { ...place, role: 'tool', status: 'complete', content: [{ type: 'tool_result', call_id: 'x', name: 'n', content: [] }] }
    const call = letter === 'c' ? [{ type: 'tool_call' as const, call_id: 'x', name: 'n', arguments: {} }] : []
    return { ...place, role: 'assistant', status: letter === 'o' ? 'open' : 'complete', content: [text, ...call] }
  })
}
const cutsOf = (letters: string): string =>
  cutPoints(messagesOf(letters))
    .map(({ index, kind }) => `${index}${kind === 'turn' ? '!' : ''}`)
    .join(' ')
const chosen = (letters: string, target: number, longest = target * 1.5) => {
  const messages = messagesOf(letters)
  const tokens = messages.map(() => 10)
  const cut = chooseCut(messages, tokens, { target, longest })
  return cut && `${letters.slice(0, cut.index)}|${letters.slice(cut.index)}`
}

describe('the cut points of a conversation', () => {
  it('are between turns and between steps, never between a call and its result, never before an open answer', () => {
    for (const [letters, cuts] of [
      ['ua', '0! 1'],
      ['uctctaua', '0! 1 3 5 6! 7'],
      // Written while the call was under way, and after its result.
      ['ucUta', '0! 1 4'],
      ['uctUa', '0! 1 3! 4'],
      // A call that never got its result is over once another run begins.
      ['ucua', '0! 1 2! 3'],
      ['uao', '0! 1'],
    ] as const) {
      expect(cutsOf(letters), letters).to.equal(cuts)
    }
  })

  it('leave the newest whole turns that fit, and at least the last one', () => {
    expect(chosen('uauauaua', 40)).to.equal('uaua|uaua')
    expect(chosen('uauauaua', 45)).to.equal('uaua|uaua')
    expect(chosen('uauauaua', 0, 100)).to.equal('uauaua|ua')
    expect(chosen('ua', 0, 100)).to.equal(undefined)
  })

  it('are inside the last turn only if that is too long as a whole', () => {
    expect(chosen('uauctctctcta', 40)).to.equal('uauctctct|cta')
    expect(chosen('uctctctcta', 0)).to.equal('uctctctct|a')
    expect(chosen('uct', 0), 'the call alone has to stay').to.equal(undefined)
    expect(chosen('ctctct', 20), 'behind a summary that ends inside of a turn').to.equal('ctct|ct')
    expect(chosen('uau', 0, 0), 'a long message of a person').to.equal('ua|u')
  })

  it('always leave a valid conversation, and remove something', () => {
    const letters = fc.array(fc.constantFrom('ua', 'ucta', 'uctUcta', 'ucUta', 'uc', 'uctct'), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(letters, fc.nat(200), fc.nat(200), (turns, target, longest) => {
        const messages = messagesOf(turns.join(''))
        const cut = chooseCut(
          messages,
          messages.map(() => 10),
          { target, longest },
        )
        if (!cut) return
        expect(cut.index).to.be.within(1, messages.length - 1)
        expect(cutPoints(messages)).to.deep.include(cut)
        const calls = (part: readonly Message[]) => part.filter(({ content }) => content.some(({ type }) => type === 'tool_call')).length
        const results = (part: readonly Message[]) => part.filter(({ role }) => role === 'tool').length
        const behind = messages.slice(cut.index)
        expect(results(behind)).to.be.at.most(calls(behind))
      }),
    )
  })
})
