import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createLineSearches } from './line-search.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const never = { userId: 'ada', signal: new AbortController().signal }

/**
 * On a busy machine a process waits for a processor; what these tests are about takes minutes and
 * more.
 */
const maxStallMs = 1_000

/** The longest that the event loop was held while something ran, in milliseconds. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await work
  delay.disable()
  return delay.max / 1e6
}

describe('a search in lines, of the worst input', () => {
  const worst: readonly (readonly [string, string, string])[] = [
    ['(a|a)*$', 'a', '!'],
    ['^(a+)+$', 'a', '!'],
    ['(x+x+)+y', 'x', ''],
    ['(.*)*(.*)*z', 'a', ''],
  ]
  for (const [text, repeated, end] of worst) {
    it(`takes time in proportion to 10 MB of the worst input: ${text}`, async () => {
      const search = await createLineSearches(createFakeQuotas()).begin({ text, isExpression: true, ignoreCase: true }, never)
      try {
        const lines = bytesOf(`${repeated.repeat(4_999 - end.length)}${end}\n`.repeat(400))
        const searching = (async () => {
          for (let part = 0; part < 5; part += 1) await search.search({ bytes: lines, limit: 1_000_000 })
        })()
        expect(await longestStall(searching), 'the longest that the event loop was held').to.be.below(maxStallMs)
      } finally {
        await search.end()
      }
    })
  }
})
