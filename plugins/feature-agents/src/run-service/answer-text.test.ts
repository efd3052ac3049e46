import { expect } from 'chai'
import type { TransitionEvent } from '../runs/log/transition.js'
import { createAnswerText } from './answer-text.js'

const delta = (message: string, offset: number, text: string, kind: 'text' | 'reasoning' = 'text', part = 0): TransitionEvent => ({
  name: `${kind}.delta`,
  data: { message_id: message, part, offset, text },
})
const whole = (id: string, ...texts: readonly string[]): TransitionEvent => ({
  name: 'message.updated',
  data: { message: { id, role: 'assistant', status: 'complete', content: texts.map((text) => ({ type: 'text', text })) } },
})

const broken = (id: string, text: string): TransitionEvent => ({
  name: 'message.updated',
  data: {
    message: { id, role: 'assistant', status: text === '' ? 'failed' : 'partial', content: text === '' ? [] : [{ type: 'text', text }] },
  },
})

describe('the text of an answer', () => {
  const played = (events: readonly TransitionEvent[]) => {
    const answer = createAnswerText()
    let text = ''
    for (const change of events.flatMap((event) =>
      event.name === 'message.updated' ? answer.complete(event.data['message'] as never) : answer.take(event),
    )) {
      if (change.type === 'void') text = change.text
      if (change.type === 'text.delta') text += change.text
    }
    return { answer, text }
  }
  const table: readonly (readonly [string, readonly TransitionEvent[], string])[] = [
    ['is that of one message', [delta('a', 0, 'Good '), delta('a', 5, 'morning'), whole('a', 'Good morning')], 'Good morning'],
    ['has an empty line between messages', [delta('a', 0, 'I look.'), whole('a', 'I look.'), delta('b', 0, 'Rain')], 'I look.\n\nRain'],
    ['has none where a message said nothing', [whole('a'), delta('b', 0, 'Rain'), whole('b', 'Rain')], 'Rain'],
    ['takes what came without deltas from the whole message', [delta('a', 0, 'Go'), whole('a', 'Good', ' day')], 'Good day'],
    [
      'takes late and doubled deltas once',
      [delta('a', 0, 'Good'), delta('a', 2, 'od day'), whole('a', 'Good day'), delta('a', 0, 'Good')],
      'Good day',
    ],
    [
      'loses what was taken back, and no more',
      [
        whole('a', 'First.'),
        delta('b', 0, 'Half'),
        { name: 'run.retrying', data: { void: { message_id: 'b', part: 0, offset: 0 } } },
        delta('b', 0, 'Whole'),
      ],
      'First.\n\nWhole',
    ],
    [
      'keeps what is stored of a message that broke off',
      [whole('a', 'First.'), delta('b', 0, 'Half'), broken('b', 'Half')],
      'First.\n\nHalf',
    ],
    ['loses what is not stored of one', [whole('a', 'First.'), delta('b', 0, 'Not to be seen'), broken('b', '')], 'First.'],
    ['is no reasoning', [delta('a', 0, 'Hm.', 'reasoning'), delta('a', 0, 'Yes', 'text', 1)], 'Yes'],
  ]
  for (const [name, events, text] of table) {
    it(name, () => {
      const { answer, text: shown } = played(events)
      expect(shown).to.equal(text)
      expect(answer.text(), 'what was shown is what is kept').to.equal(text)
    })
  }

  it('reports no retraction if nothing was shown', () => {
    const answer = createAnswerText()
    expect(answer.take({ name: 'run.started', data: { void: { message_id: 'a', part: 0, offset: 0 } } })).to.deep.equal([])
  })
})
