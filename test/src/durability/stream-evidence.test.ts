import { expect } from 'chai'
import type { FollowedEvent } from '../campaigns/support/follower.js'
import { longText, piecesOf } from '../campaigns/support/long-text.js'
import { createScreen } from '../campaigns/support/screen.js'
import { createDeltaCheck, disagreements } from '../campaigns/support/stream-evidence.js'
import { createRandom } from '../support/random.js'

const story = longText('a story', 200)
const place = { message_id: 'm', run_id: 'r', part: 0 }

/** The events of an answer that comes in pieces, from the id 1 on. */
function eventsOf(text: string): readonly FollowedEvent[] {
  let offset = 0
  const deltas = piecesOf(text, createRandom(1), 9).map((piece) => {
    const data = { ...place, offset, text: piece }
    offset += piece.length
    return { name: 'text.delta', data }
  })
  const created = { name: 'message.created', data: { message: { id: 'm', role: 'assistant', status: 'open', content: [] } } }
  return [created, ...deltas].map((event, index) => ({ id: index + 1, ...event }))
}

/** What a screen shows in the end; `gap` where it had to read again. */
function show(events: readonly FollowedEvent[], options: Parameters<typeof createScreen>[0] = {}): string {
  const screen = createScreen(options)
  return events.every((event) => screen.apply(event) === 'applied') ? screen.text('m') : 'gap'
}

describe('the checks of a tab', () => {
  const events = eventsOf(story)
  const again = (index: number): FollowedEvent => ({ ...(events[index] as FollowedEvent), id: 1_000 + index })

  it('accept the story, also with late or repeated deltas', () => {
    expect(show(events)).to.equal(story)
    expect(show([...events, again(3), again(5)])).to.equal(story)
  })

  it('reject a tab that ignores offsets, and report a gap for a missing delta', () => {
    expect(show([...events, again(3)], { misapply: 'offsets' })).to.not.equal(story)
    expect(show(events.filter((_, index) => index !== 4))).to.equal('gap')
  })

  it('accept a tab that starts over when the text no longer counts, and reject one that does not', () => {
    const nothing: FollowedEvent = { id: 500, name: 'run.started', data: { void: { message_id: 'm', part: 0, offset: 0 } } }
    const shorter = events.slice(1).map((event) => ({ ...event, id: event.id + 500 }))
    const cut = [...events, nothing, ...shorter.slice(0, -3)]
    expect(story.startsWith(show(cut))).to.equal(true)
    expect(show(cut)).to.have.length.below(story.length)
    expect(show(cut, { misapply: 'voids' })).to.equal(story)
  })

  it('detect a delta in a wrong position, of another run, and with half a character', () => {
    const check = (...given: readonly FollowedEvent[]): readonly string[] => {
      const deltas = createDeltaCheck('a tab')
      given.forEach(deltas.see)
      return deltas.problems((runId) => (runId === 'r' ? story : undefined))
    }
    const delta = (offset: number, text: string, run_id = 'r'): FollowedEvent => ({
      id: 1,
      name: 'text.delta',
      data: { ...place, run_id, offset, text },
    })
    const smile = story.indexOf('😀')
    const beginning = story.slice(0, smile)
    expect(check(delta(0, beginning))).to.deep.equal([])
    expect(check(delta(1, beginning))[0]).to.match(/at 1, where the story has/)
    expect(check(delta(0, beginning, 'another'))[0]).to.match(/where the story has “nothing”/)
    expect(check(delta(0, story.slice(0, smile + 1)))[0]).to.match(/half a character/)
  })

  it('detect a missed state event, and one out of order', () => {
    const states = [1, 2, 3].map((id) => ({ id, name: 'message.created', chatId: 'c' }))
    expect(disagreements('a tab', states, states)).to.deep.equal([])
    expect(disagreements('a tab', states.slice(1), states)[0]).to.match(/missed 1 state events, the first is 1/)
    expect(disagreements('a tab', [...states].reverse(), states)[0]).to.match(/as its state event 0/)
    expect(disagreements('a tab', [...states, { id: 4, name: 'x', chatId: 'c' }], states)[0]).to.match(/where another tab saw none/)
  })
})
