import { strict as assert } from 'node:assert'
import { EventEmitter, once } from 'node:events'
import type { HttpRoute, RouteResponse, ServerSentEvent } from '../../contracts/http-route/route.js'
import { pass } from '../event-loop-turns.js'
import { within } from './read-answer.js'
import { call, callAndRead, type RouteSuite, settled } from './suite-bench.js'
import type { HttpRouteExample } from './suite-options.js'

/** Rules for answers that are streams, and for what they hold open. */
export function describeStreams(suite: RouteSuite, example: HttpRouteExample): void {
  const { runner, using, patience, unchecked } = suite
  const { title } = example
  runner.it(`ends a stream that is left unread, as for HEAD, and one that is left in the middle: ${title}`, () =>
    using(async ({ route }) => {
      for (const pieces of [0, 1]) {
        const hasEnded = await leaveStream(suite, route, example, pieces)
        assert.ok(hasEnded, `the stream did not end within ${patience.abortLimitMs} ms when it was left`)
      }
    }),
  )
  runner.it(`holds nothing for a client that is gone: ${title}`, () =>
    using(async ({ route, held, absent }) => {
      if (absent.has('held')) {
        const { kind } = await call(route, example)
        if (kind === 'stream' || kind === 'events')
          unchecked.without('held', 'a client that is gone leaves no listener or subscription behind')
      }
      if (held === undefined) return
      const before = held()
      await settled(callAndRead(route, example, patience))
      for (const pieces of [0, 1]) await leaveStream(suite, route, example, pieces)
      await pass()
      assert.equal(
        held(),
        before,
        'something is still held for clients that are gone; let it go when the stream ends or the signal is aborted, and leave out of “held” what is opened once for all',
      )
    }),
  )
  describeReports(suite, example)
  runner.it(`sends events that can be written: ${title}`, () =>
    using(async ({ route }) => {
      const { events = [] } = await callAndRead(route, example, patience)
      events.forEach(assertEvent)
    }),
  )
}

const withheldHint = '; if it is for everyone, name in “withheld” the texts that no other may read'

/** Rules for what a stream reports while it is open. */
function describeReports(suite: RouteSuite, example: HttpRouteExample): void {
  const { runner, using, patience, stranger, withheld, unchecked } = suite
  runner.it(`reports what happens to its user, and to no stranger: ${example.title}`, () =>
    using(async ({ route, change, absent }) => {
      const mine = await openStream(route, example)
      if (mine === undefined) return
      const theirs = stranger && (await openStream(route, { ...example, principal: stranger }))
      try {
        await pass()
        // A stream that ends by itself, such as a file, reports nothing that happens later.
        if (mine.hasEnded()) return
        if (absent.has('change')) unchecked.without('change', 'a stream reports what happens to its user, and to no other')
        if (change === undefined) return
        const [before, alone] = [mine.pieces.length, theirs?.pieces.length ?? 0]
        await change()
        const came = await within(mine.until(before + 1), patience.abortLimitMs)
        assert.ok(came, `nothing was reported within ${patience.abortLimitMs} ms of a change`)
        await pass()
        const reports = mine.pieces.slice(before)
        const crossed = (theirs?.pieces.slice(alone) ?? []).filter((piece) =>
          withheld ? withheld.some((text) => piece.includes(text)) : reports.includes(piece),
        )
        assert.deepEqual(crossed, [], `a stranger got what was reported to the user${withheld ? '' : withheldHint}`)
      } finally {
        mine.leave()
        theirs?.leave()
      }
    }),
  )
}

/** A stream that is read all the time, with its pieces as texts. Undefined for another answer. */
async function openStream(route: HttpRoute, example: HttpRouteExample) {
  const controller = new AbortController()
  const response = await call(route, example, controller.signal).catch(() => undefined)
  const iterator = response && iteratorOf(response)
  if (iterator === undefined) return undefined
  const pieces: string[] = []
  const heard = new EventEmitter()
  const read = async (): Promise<void> => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      // A comment keeps a stream open, whatever happens.
      if (isComment(next.value)) continue
      pieces.push(next.value instanceof Uint8Array ? Buffer.from(next.value).toString('latin1') : JSON.stringify(next.value))
      heard.emit('piece')
    }
  }
  let isOver = false
  void settled(read()).then(() => {
    isOver = true
  })
  return {
    pieces,
    hasEnded: () => isOver,
    async until(count: number): Promise<void> {
      while (pieces.length < count) await once(heard, 'piece', { signal: controller.signal })
    },
    leave: () => controller.abort(new Error('The client went away.')),
  }
}

const isComment = (piece: unknown): boolean => typeof piece === 'object' && piece !== null && 'comment' in piece

/** Requests a stream, takes that many pieces and leaves it as the host does. True if it ends, or was none. */
async function leaveStream({ patience }: RouteSuite, route: HttpRoute, example: HttpRouteExample, pieces: number): Promise<boolean> {
  const controller = new AbortController()
  // What an example does once, such as a deletion, may be refused the second time.
  const response = await call(route, example, controller.signal).catch(() => undefined)
  const iterator = response && iteratorOf(response)
  if (iterator === undefined) return true
  for (let taken = 0; taken < pieces; taken += 1) await within(settled(iterator.next()), patience.quietMs)
  controller.abort(new Error('The client went away.'))
  return (await within(settled(Promise.resolve(iterator.return?.())), patience.abortLimitMs)) !== undefined
}

const iteratorOf = (response: RouteResponse): AsyncIterator<unknown> | undefined =>
  response.kind === 'stream'
    ? response.stream[Symbol.asyncIterator]()
    : response.kind === 'events'
      ? response.events[Symbol.asyncIterator]()
      : undefined

function assertEvent(event: ServerSentEvent): void {
  if ('comment' in event) {
    assert.equal(typeof event.comment, 'string', 'the comment of an event is no text')
    return
  }
  assert.equal(typeof event.data, 'string', 'the data of an event is no text; write it with JSON.stringify')
  for (const name of ['id', 'event'] as const) {
    const value: unknown = event[name]
    assert.ok(
      value === undefined || (typeof value === 'string' && !/[\r\n\0]/.test(value)),
      `the ${name} of an event is not one line of text`,
    )
  }
}
