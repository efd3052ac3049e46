import { strict as assert } from 'node:assert'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'

/** Options of {@link eventually}. */
export interface EventuallyOptions {
  /**
   * How long it may take, in milliseconds. Default 30,000: what comes does so long before, also on a
   * busy machine, and what does not come fails in the end.
   */
  readonly within?: number
  /** What is waited for. A function is asked when the time is over: how things stand then. */
  readonly what?: string | (() => unknown)
}

const [firstPauseMs, longestPauseMs] = [2, 50]

/**
 * Looks again and again until something has come: until `check` returns anything but `undefined`,
 * `null` and `false`. What it throws counts as not yet, so that it may consist of assertions.
 * Resolves with what it returned. Only for what nothing announces: an event, a promise and a clock
 * held by hand are surer and quicker.
 * @throws an `AssertionError` when the time is over, with `what`, and the last error of `check` as
 * its cause.
 *
 * @example
 * const answer = await eventually(async () => {
 *   const response = await fetch('http://127.0.0.1:8080/readyz')
 *   return response.ok && response
 * }, { what: 'The ready service' })
 */
export async function eventually<Value>(
  check: () => Value | Promise<Value>,
  { within = 30_000, what = 'It' }: EventuallyOptions = {},
): Promise<Exclude<Value, undefined | null | false>> {
  const end = performance.now() + within
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const look = await lookOnce(check)
    if ('value' in look && look.value !== undefined && look.value !== null && look.value !== false)
      return look.value as Exclude<Value, undefined | null | false>
    if (performance.now() >= end) throw await failureOf(what, within, look)
    await setTimeout(pauseMs)
  }
}

type Look<Value> = { readonly value: Value } | { readonly error: unknown }

async function lookOnce<Value>(check: () => Value | Promise<Value>): Promise<Look<Value>> {
  try {
    return { value: await check() }
  } catch (error) {
    return { error }
  }
}

async function failureOf(what: NonNullable<EventuallyOptions['what']>, within: number, look: Look<unknown>): Promise<Error> {
  const said = typeof what === 'string' ? `${what} did not happen within ${within} ms` : await standing(what, within)
  const error = new assert.AssertionError({
    message: 'error' in look && look.error instanceof Error ? `${said}; the last look failed with: ${look.error.message}` : said,
  })
  if ('error' in look) error.cause = look.error
  return error
}

async function standing(what: () => unknown, within: number): Promise<string> {
  const look = await lookOnce(what)
  const state = 'value' in look ? inspect(look.value, { depth: 6, breakLength: 140 }) : `unknown (${String(look.error)})`
  return `It did not happen within ${within} ms; how things stand: ${state}`
}
