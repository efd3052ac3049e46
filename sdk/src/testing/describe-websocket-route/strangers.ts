import { strict as assert } from 'node:assert'
import type { WebSocketMessage } from '../../contracts/websocket-route/route.js'
import { within } from '../describe-http-route/read-answer.js'
import { pass } from '../event-loop-turns.js'
import type { SuiteRunner } from '../suite-runner.js'
import { givenInput, type UncheckedRules } from '../unchecked-rules.js'
import type { WebSocketRouteExample, WebSocketRouteSuiteOptions } from './suite-options.js'
import { leave, using, visit, visitInFull } from './visits.js'

const withheldHint = '; if all get these, such as heartbeats, name in “withheld” the texts that no other may read'

/** Rules for a user who owns nothing of an example. */
export function describeStranger(options: WebSocketRouteSuiteOptions, runner: SuiteRunner, example: WebSocketRouteExample): void {
  const stranger = givenInput(options.stranger)
  const { title, ends, sends = [] } = example
  runner.it(`sends a stranger nothing of what the user gets: ${title}`, () =>
    using(options, async ({ route }) => {
      if (stranger === undefined || (ends && 'errorCode' in ends)) return
      const foreign = visit(route, { ...example, principal: stranger })
      await pass()
      await leave(foreign, options)
      const { received } = await visitInFull(route, example, options)
      if (options.withheld !== undefined) return assertWithheld(foreign.received, options.withheld, textOf(sends))
      if (foreign.received.length > 0)
        assert.notDeepEqual(foreign.received, received, `a stranger got the messages of the user${withheldHint}`)
    }),
  )
  runner.it(`sends a stranger who is connected nothing that is meant for the user: ${title}`, () =>
    using(options, async ({ route }) => {
      if (stranger === undefined) return
      const foreign = visit(route, { ...example, principal: stranger, sends: [] })
      await pass()
      const alone = foreign.received.length
      const { received } = await visitInFull(route, example, options)
      await pass()
      await leave(foreign, options)
      if (options.withheld !== undefined) return assertWithheld(foreign.received, options.withheld)
      const meant = new Set(received.map((message) => textOf([message])))
      const crossed = foreign.received.slice(alone).filter((message) => meant.has(textOf([message])))
      assert.deepEqual(crossed, [], `a stranger got messages of the user${withheldHint}`)
    }),
  )
}

/** Rules for what a route tells its clients by itself. */
export function describeReports(
  options: WebSocketRouteSuiteOptions,
  { runner, unchecked }: { readonly runner: SuiteRunner; readonly unchecked: UncheckedRules },
): void {
  const stranger = givenInput(options.stranger)
  runner.it('tells a client what happens, and no stranger', () =>
    using(options, async (under) => {
      const [example] = options.examples
      if (under.change === undefined) unchecked.without('change', 'a client hears of what happens, and no other user does')
      const change = givenInput(under.change)
      if (change === undefined || example === undefined) return
      const limitMs = options.answerLimitMs ?? 5_000
      const foreign = stranger && visit(under.route, { ...example, principal: stranger })
      const mine = visit(under.route, example)
      // What is said to both before does not count, and a client may have to ask for reports.
      await within(mine.until(example.receives ?? 0), limitMs)
      await pass()
      const [before, alone] = [mine.received.length, foreign?.received.length ?? 0]
      await change()
      const came = await within(mine.until(before + 1), limitMs)
      assert.ok(came && mine.received.length > before, `nothing was sent within ${limitMs} ms of a change`)
      await pass()
      const reports = new Set(mine.received.slice(before).map((message) => textOf([message])))
      await leave(mine, options)
      if (foreign === undefined) return
      await leave(foreign, options)
      const crossed = foreign.received.slice(alone)
      if (options.withheld !== undefined) return assertWithheld(crossed, options.withheld)
      assert.deepEqual(
        crossed.filter((message) => reports.has(textOf([message]))),
        [],
        `a stranger got what was sent to the user${withheldHint}`,
      )
    }),
  )
}

const textOf = (messages: readonly WebSocketMessage[]): string =>
  messages
    .map((message) =>
      message.kind === 'json'
        ? JSON.stringify(message.json)
        : message.kind === 'text'
          ? message.text
          : Buffer.from(message.bytes).toString('latin1'),
    )
    .join('\n')

/** Fails if messages have one of the texts, but for those that the stranger brought. */
function assertWithheld(received: readonly WebSocketMessage[], texts: readonly string[], sent = ''): void {
  const got = textOf(received)
  const leaked = texts.filter((text) => got.includes(text) && !sent.includes(text))
  assert.deepEqual(leaked, [], 'a stranger got texts of the user')
}
