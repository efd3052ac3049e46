import { strict as assert } from 'node:assert'
import type { WebSocketMessage } from '../../contracts/websocket-route/route.js'
import { pass } from '../event-loop-turns.js'
import type { SuiteRunner } from '../suite-runner.js'
import { givenInput } from '../unchecked-rules.js'
import type { WebSocketRouteExample, WebSocketRouteSuiteOptions } from './suite-options.js'
import { leave, using, visit, visitInFull } from './visits.js'

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
      if (foreign.received.length > 0) assert.notDeepEqual(foreign.received, received, 'a stranger got the messages of the user')
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
      assert.deepEqual(crossed, [], 'a stranger got messages of the user')
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
