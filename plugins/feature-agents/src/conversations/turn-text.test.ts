import type { RunEvent } from '@agent-service/sdk/services/runs'
import { expect } from 'chai'
import { createTurnText } from './turn-text.js'

const state = (text: string): RunEvent => ({ type: 'state', run: {} as never, text, reasoning: '' })
const delta = (offset: number, text: string): RunEvent => ({ type: 'text.delta', offset, text })

describe('the text of a turn', () => {
  const played = (events: readonly RunEvent[], before = '') => {
    const turn = createTurnText({ text: before, reasoning: '' })
    const changes = events.flatMap((event) => turn.take(event))
    return { turn, changes: changes.map((change) => [change.type, change.text]) }
  }

  it('is that of its run, in the same pieces', () => {
    const { turn, changes } = played([state(''), delta(0, 'Good '), delta(5, 'day')])
    expect(changes).to.deep.equal([
      ['text.delta', 'Good '],
      ['text.delta', 'day'],
    ])
    expect(turn.texts()).to.deep.equal({ text: 'Good day', reasoning: '' })
  })

  it('omits the earlier text of the run', () => {
    const { changes } = played([state('Wait.'), delta(5, '\n\nSo '), delta(10, 'it is.')], 'Wait.')
    expect(changes).to.deep.equal([
      ['text.delta', 'So '],
      ['text.delta', 'it is.'],
    ])
  })

  it('takes the rest from a state, and retracts void text', () => {
    const { changes } = played([state('Go'), state('Good'), { type: 'void', text: '', reasoning: '' }, delta(0, 'Bad')])
    expect(changes).to.deep.equal([
      ['text.delta', 'Go'],
      ['text.delta', 'od'],
      ['void', ''],
      ['text.delta', 'Bad'],
    ])
  })

  it('separates added text', () => {
    const { turn } = played([state('Hm.')])
    expect(turn.add('May I?').map(({ text }) => text)).to.deep.equal(['\n\nMay I?'])
    expect(
      played([])
        .turn.add('May I?')
        .map(({ text }) => text),
    ).to.deep.equal(['May I?'])
  })
})
