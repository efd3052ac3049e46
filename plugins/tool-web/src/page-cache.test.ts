import { createTestClock, describeTool } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { windowOf } from './page-answer.js'
import { createPageCache } from './page-cache.js'
import type { PageText } from './read-page.js'
import { createWebFetchTool } from './web-fetch-tool.js'

const pageOf = (length: number): PageText => ({
  ...{ url: 'https://example.org/', status: 200, mediaType: 'text/plain', details: {}, notes: [] },
  text: 'x'.repeat(length),
})

describe('the cache of pages', () => {
  it('is bounded for each user and in all, and drops the oldest', () => {
    const cache = createPageCache({ clock: createTestClock(), maxCharacters: 40_000, maxPerUser: 25_000 })
    const keep = (userId: string, url: string, length = 10_000) => cache.keep({ userId, url, mode: 'readable' }, pageOf(length))
    const has = (userId: string, url: string) => cache.find({ userId, url, mode: 'readable' }) !== undefined
    for (const url of ['one', 'two', 'three']) keep('ada', url)
    expect(['one', 'two', 'three'].map((url) => has('ada', url))).to.deep.equal([false, true, true])
    keep('bob', 'one')
    keep('cleo', 'one')
    expect([has('ada', 'two'), has('ada', 'three'), has('bob', 'one'), has('cleo', 'one')]).to.deep.equal([false, true, true, true])
    keep('bob', 'huge', 30_000)
    expect([has('bob', 'huge'), has('bob', 'one')]).to.deep.equal([false, true])
    expect(cache.find({ userId: 'bob', url: 'one', mode: 'raw' })).to.equal(undefined)
  })

  it('keeps nothing beyond its time, and a page that came again for its own', async () => {
    const clock = createTestClock()
    const cache = createPageCache({ clock, ttlMs: 1_000 })
    const key = { userId: 'ada', url: 'one', mode: 'readable' } as const
    cache.keep(key, pageOf(10))
    await clock.advance(600)
    cache.keep(key, pageOf(20))
    await clock.advance(600)
    expect(cache.find(key)?.text).to.have.length(20)
    await clock.advance(600)
    expect(cache.find(key)).to.equal(undefined)
  })
})

describe('the parts of a page', () => {
  it('end at lines where they can, and never within a character', () => {
    expect(windowOf('short', 0)).to.deep.equal({ text: 'short' })
    expect(windowOf(`${'a'.repeat(90)}\n${'b'.repeat(90)}`, 0, 100)).to.deep.equal({ text: `${'a'.repeat(90)}\n`, next: 91 })
    expect(windowOf('a'.repeat(200), 0, 100)).to.deep.equal({ text: 'a'.repeat(100), next: 100 })
    expect(windowOf(`${'a'.repeat(99)}🌦${'b'.repeat(99)}`, 0, 100)).to.deep.equal({ text: 'a'.repeat(99), next: 99 })
    expect(windowOf('🌦b', 1, 100)).to.deep.equal({ text: 'b' })
  })
})

describeTool({
  name: 'web_fetch',
  create: () => ({
    tool: createWebFetchTool({ open: async () => pageOf(30_000) }, { documents: true, rendering: true }),
    state: 'not applicable',
  }),
  secrets: [],
  stranger: 'not applicable',
  examples: [
    { title: 'a page', input: { url: 'https://example.org/' } },
    { title: 'the rest of it', input: { url: 'https://example.org/', start: 20_000, raw: false, render: false } },
    { title: 'what is no address', input: { url: 'example.org' }, isError: true },
  ],
})
