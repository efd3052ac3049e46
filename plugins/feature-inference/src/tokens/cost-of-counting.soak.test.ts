import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenCount } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { sampleTexts } from '../test-support/sample-texts.js'
import { countWith, silentLog } from '../test-support/token-counter.js'
import { createTokenWorker } from './create-token-worker.js'

const open = new AbortController().signal
const megabyte = 1024 * 1024

/** A clock whose callbacks run by hand, to end a thread and wait until its memory is freed. */
function createHandClock() {
  let last: (() => void) | undefined
  return {
    after(_: number, callback: () => void) {
      last = callback
      return () => undefined
    },
    pass: () => last?.(),
  }
}

/** The resident memory once it is below a limit, or after three seconds. */
async function residentBelow(limit: number): Promise<number> {
  for (let tries = 0; tries < 30 && process.memoryUsage.rss() > limit; tries += 1) await sleep(100)
  return process.memoryUsage.rss()
}

/** The delays of the event loop meanwhile, in milliseconds. */
async function delaysDuring(work: () => Promise<unknown>): Promise<{ readonly p99: number; readonly longest: number }> {
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  await work()
  delay.disable()
  return { p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 }
}

describe('what counting costs', () => {
  it('leaves the event loop alone while 4 MB of a conversation are counted', async function () {
    this.timeout(60_000)
    const worker = createTokenWorker({ clock: createHandClock() })
    const page = Object.values(sampleTexts).join('\n')
    const messages = Array.from({ length: Math.ceil((4 * megabyte) / page.length) }, (_, index) => ({
      role: 'user' as const,
      content: [{ type: 'text' as const, text: `${index} ${page}` }],
    }))
    const count = countWith({ worker, log: silentLog, model: 'gpt-5' })
    // The first count includes compilation by the engine.
    await count({ group: 'primary', messages: messages.slice(0, 60), tools: [] })
    // Subtracts the delays of the machine itself.
    const idle = await delaysDuring(() => sleep(1_500))
    let counted: TokenCount | undefined
    const busy = await delaysDuring(async () => {
      counted = await count({ group: 'primary', messages, tools: [] })
    })
    await worker.close()
    const { tokens, exact } = counted ?? {}
    expect(exact).to.equal(true)
    expect(tokens).to.be.greaterThan(megabyte)
    expect(busy.p99 - idle.p99).to.be.at.most(20)
    expect(busy.longest - idle.longest).to.be.at.most(60)
  })

  it('frees the memory of a tokenizer each time', async function () {
    this.timeout(60_000)
    const clock = createHandClock()
    const worker = createTokenWorker({ clock })
    const text = Object.values(sampleTexts).join('\n').repeat(20)
    const before = process.memoryUsage.rss()
    const after: number[] = []
    let during = 0
    for (let round = 0; round < 4; round += 1) {
      await worker.count('o200k_base', [text], open)
      await worker.count('cl100k_base', [text], open)
      during = Math.max(during, process.memoryUsage.rss())
      clock.pass()
      after.push(await residentBelow(before + 55 * megabyte))
    }
    await worker.close()
    const told = [before, during, ...after].map((bytes) => `${Math.round(bytes / megabyte)} MB`).join(', ')
    expect(during - before, told).to.be.within(20 * megabyte, 200 * megabyte)
    // The better of two rounds counts, because the system may be slow. Memory does not grow from
    // the first two to the last two.
    const [first = 0, second = 0, third = 0, fourth = 0] = after
    expect(Math.min(first, second) - before, told).to.be.at.most(60 * megabyte)
    expect(Math.min(third, fourth) - Math.max(first, second), told).to.be.at.most(10 * megabyte)
  })
})
