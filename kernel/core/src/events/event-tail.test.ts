import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import fc from 'fast-check'
import { createEventTail, type EventTail } from './event-tail.js'
import { publishedEvent } from './published-event.js'

const roomy = { events: 1_000, bytes: 1_000_000 }
const piece = (message: string, offset: number, text: string): JsonObject => ({ message_id: message, part: 0, offset, text })

/** A tail with these events, numbered from 1. */
const tailOf = (...events: readonly (readonly [string, JsonObject])[]): EventTail => {
  const tail = createEventTail(0, roomy)
  for (const [index, [name, data]] of events.entries()) tail.add(publishedEvent(index + 1, name, data))
  return tail
}
const shown = (tail: EventTail, after = 0) => tail.after(after).map(({ number, name, json }) => [number, name, JSON.parse(json())])

describe('the newest events of a user', () => {
  it('join deltas of one text, with the newest number', () => {
    const tail = tailOf(
      ['text.delta', piece('a', 0, 'One ')],
      ['text.delta', piece('a', 4, 'two ')],
      ['text.delta', piece('a', 8, 'three.')],
    )
    expect(shown(tail)).to.deep.equal([[3, 'text.delta', piece('a', 0, 'One two three.')]])
    expect(shown(tail, 2)).to.deep.equal(shown(tail))
    expect(shown(tail, 3)).to.deep.equal([])
  })

  it('join texts that grow at the same time, and nothing across an event of another kind', () => {
    const tail = tailOf(
      ['text.delta', piece('a', 0, 'A')],
      ['text.delta', piece('b', 0, 'B')],
      ['text.delta', piece('a', 1, 'a')],
      ['text.delta', piece('b', 1, 'b')],
      ['run.retrying', { message_id: 'a' }],
      ['text.delta', piece('a', 2, '!')],
    )
    expect(shown(tail)).to.deep.equal([
      [3, 'text.delta', piece('a', 0, 'Aa')],
      [4, 'text.delta', piece('b', 0, 'Bb')],
      [5, 'run.retrying', { message_id: 'a' }],
      [6, 'text.delta', piece('a', 2, '!')],
    ])
  })

  it('do not join deltas with a gap, another context or another name, or without a text', () => {
    const apart: readonly (readonly [string, JsonObject])[] = [
      ['text.delta', piece('a', 0, 'One')],
      ['text.delta', piece('a', 4, 'later')],
      ['text.delta', { ...piece('a', 9, 'elsewhere'), part: 1 }],
      ['reasoning.delta', { ...piece('a', 18, 'thought'), part: 1 }],
      ['tool_call.delta', { message_id: 'a', part: 2 }],
      ['tool_call.delta', { message_id: 'a', part: 2 }],
    ]
    expect(tailOf(...apart).after(0)).to.have.length(apart.length)
  })

  it('join at most a few thousand characters', () => {
    const tail = createEventTail(0, roomy)
    for (let index = 0; index < 100; index += 1) tail.add(publishedEvent(index + 1, 'text.delta', piece('a', index * 100, 'x'.repeat(100))))
    expect(tail.after(0).map(({ delta }) => delta?.text.length)).to.deep.equal([4_000, 4_000, 2_000])
  })

  it('are dropped from the oldest on, by number and by bytes', () => {
    const few = createEventTail(0, { events: 2, bytes: 1_000_000 })
    for (let number = 1; number <= 5; number += 1) few.add(publishedEvent(number, 'chat.updated', { number }))
    expect(few.after(0).map(({ number }) => number)).to.deep.equal([4, 5])
    expect(few.coveredFrom()).to.equal(3)
    const small = createEventTail(0, { events: 100, bytes: 6_000 })
    for (let number = 1; number <= 5; number += 1) small.add(publishedEvent(number, 'chat.updated', { text: 'x'.repeat(500) }))
    expect(small.bytes()).to.be.at.most(6_000)
    expect(small.coveredFrom()).to.equal(3)
  })

  it('lead every client that has seen a part of them to the same texts', () => {
    const step = fc.record({ message: fc.constantFrom('a', 'b', 'c'), text: fc.string({ minLength: 1, maxLength: 5 }) })
    fc.assert(
      fc.property(fc.array(fc.oneof(step, fc.constant('state' as const)), { maxLength: 60 }), fc.nat(), (steps, seenCount) => {
        const tail = createEventTail(0, roomy)
        const whole = new Map<string, string>()
        const seen = new Map<string, string>()
        const known = steps.length === 0 ? 0 : seenCount % (steps.length + 1)
        for (const [index, one] of steps.entries()) {
          const number = index + 1
          if (one === 'state') tail.add(publishedEvent(number, 'chat.updated', {}))
          else {
            const before = whole.get(one.message) ?? ''
            tail.add(publishedEvent(number, 'text.delta', piece(one.message, before.length, one.text)))
            whole.set(one.message, before + one.text)
          }
          if (number === known) for (const [message, text] of whole) seen.set(message, text)
        }
        // By the contract: text overwrites, never shortens; an offset beyond the text is a gap.
        for (const { delta } of tail.after(known)) {
          if (!delta) continue
          const message = String(delta['message_id'])
          const text = seen.get(message) ?? ''
          expect(delta.offset).to.be.at.most(text.length)
          const end = delta.offset + delta.text.length
          seen.set(message, text.slice(0, delta.offset) + delta.text + text.slice(end))
        }
        expect(Object.fromEntries(seen)).to.deep.equal(Object.fromEntries(whole))
        expect(tail.after(known).filter(({ delta }) => !delta)).to.have.length(steps.slice(known).filter((one) => one === 'state').length)
      }),
    )
  })
})
