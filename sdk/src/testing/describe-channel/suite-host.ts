import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ChannelHost, ChannelReceived } from '../../contracts/channel/channel.js'
import { checkChannelMessage } from '../../contracts/channel/check-message.js'
import type { ChannelSupports } from '../../contracts/channel/declaration.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import type { JsonObject } from '../../core/json.js'

/** The service for one connection: it stores as the service does, can be slow, and can fail. */
export interface SuiteHost {
  readonly host: ChannelHost
  /** Every message that was stored, also those that came twice. */
  readonly received: readonly ChannelMessage[]
  /** What was wrong with what the channel handed on. */
  readonly problems: readonly string[]
  /** How many calls of `receive` wait now. */
  readonly waiting: number
  /** How many calls of `receive` have failed. */
  readonly failures: number
  /** Calls wait from now on, until the result is called. */
  hold(): () => void
  /** Calls fail from now on, with nothing stored; without an error they work again. */
  fail(error?: Error): void
}

const maxStateBytes = 65_536

/** Makes an empty store. It outlives sessions. */
export function createSuiteHost(supports: ChannelSupports): SuiteHost {
  const received: ChannelMessage[] = []
  const problems: string[] = []
  let state: JsonObject | undefined
  let gate: Promise<void> = Promise.resolve()
  let failure: Error | undefined
  let waiting = 0
  let failures = 0
  const host: ChannelHost = {
    async receive(given) {
      problems.push(...problemsOf(given, supports))
      const copy = structuredClone(given)
      waiting += 1
      try {
        await gate
        await setImmediate()
        if (failure !== undefined) {
          failures += 1
          throw failure
        }
        received.push(...copy.messages)
        state = copy.state ?? state
      } finally {
        waiting -= 1
      }
    },
    async state() {
      return structuredClone(state)
    },
  }
  return {
    host,
    received,
    problems,
    get waiting() {
      return waiting
    },
    get failures() {
      return failures
    },
    hold() {
      let open: () => void = () => undefined
      gate = new Promise((resolve) => {
        open = resolve
      })
      return () => open()
    },
    fail(error) {
      failure = error
    },
  }
}

function problemsOf({ messages, state, ...others }: ChannelReceived, supports: ChannelSupports): readonly string[] {
  const text = state === undefined ? '{}' : JSON.stringify(state)
  return [
    ...Object.keys(others).map((name) => `${name} is no member of what is received`),
    ...messages.flatMap((message, index) =>
      checkChannelMessage(message, supports).map((problem) => `messages/${index}${problem.path} ${problem.message}`),
    ),
    ...(Buffer.byteLength(text) > maxStateBytes ? [`the state is larger than ${maxStateBytes} bytes`] : []),
    ...(state === undefined || isDeepStrictEqual(JSON.parse(text), state) ? [] : ['the state is no JSON']),
  ]
}
