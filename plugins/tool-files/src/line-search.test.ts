import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createLineSearches } from './line-search.js'
import type { SearchQuery } from './search-protocol.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const literal = (text: string): SearchQuery => ({ text, isExpression: false, ignoreCase: false })
const expression = (text: string): SearchQuery => ({ text, isExpression: true, ignoreCase: true })
const never = { userId: 'ada', signal: new AbortController().signal }
const createSearches = () => createLineSearches(createFakeQuotas())

/** What a promise is rejected with. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  )

describe('a search in lines', () => {
  it('finds texts and expressions, and skips files that are not text', async () => {
    const searches = createSearches()
    const search = await searches.begin(literal('a.b'), never)
    const other = await searches.begin(expression('^A.B$'), { ...never, userId: 'ben' })
    try {
      expect(await search.search({ bytes: bytesOf('axb\r\nxa.bx\n\na.b'), limit: 9 })).to.deep.equal([
        { line: 2, text: 'xa.bx' },
        { line: 4, text: 'a.b' },
      ])
      expect(await search.search({ bytes: bytesOf('a.b\na.b\na.b'), limit: 2 })).to.have.length(2)
      expect(await search.search({ bytes: Uint8Array.of(0, 1), limit: 9 })).to.equal(undefined)
      expect(await search.search({ bytes: Uint8Array.of(0x61, 0xff), limit: 9 })).to.equal(undefined)
      expect(await other.search({ bytes: bytesOf('axb\r\nxaxb\n'), limit: 9 })).to.deep.equal([{ line: 1, text: 'axb' }])
    } finally {
      await Promise.all([search.end(), other.end()])
    }
  })

  it('shows the part of a long line around the match', async () => {
    const search = await createSearches().begin(literal('needle'), never)
    try {
      const [found] = (await search.search({ bytes: bytesOf(`${'😀'.repeat(1_000)}needle${'y'.repeat(5_000)}`), limit: 1 })) ?? []
      expect(found?.text).to.match(/^…😀+needley+…$/u)
      expect(found?.text.length).to.be.lessThan(310)
    } finally {
      await search.end()
    }
  })

  it('suggests an alternative for syntax that RE2 does not support', async () => {
    const searches = createSearches()
    const table: readonly (readonly [string, RegExp])[] = [
      ['(a)\\1', /back-references .* write the alternatives out/],
      ['(?<x>a)\\k<x>', /does not support back-references/],
      ['a(?=b)', /look-around/],
      ['(?<!a)b', /look-around/],
      ['(?>a)b', /atomic groups/],
      ['a++', /atomic groups/],
      ['(', /not a regular expression of RE2: .* missing closing \).*leave regular_expression out/],
      ['a{1001}', /Repetitions go up to \{1000\}/],
      ['((a{100}){100}){100}', /Repetitions go up to/],
    ]
    for (const [text, message] of table) {
      const failure = await failureOf(searches.begin(expression(text), never))
      expect(failure, text).to.have.property('code', 'query_unusable')
      expect(failure, text).to.have.property('message').that.matches(message)
    }
    // None of them keeps its place.
    await (await searches.begin(literal('a'), never)).end()
  })

  it('reads what JavaScript and RE2 write differently', async () => {
    for (const text of ['\\u00e9t\\u00e9', '(?<word>\u00e9t\u00e9)', '\\p{L}t\\p{L}', '\\\\1|\u00e9t\u00e9']) {
      const search = await createSearches().begin(expression(text), never)
      expect(await search.search({ bytes: bytesOf('x\n\u00c9T\u00c9'), limit: 9 }), text).to.have.length(1)
      await search.end()
    }
  })

  it('ends with its signal, while everything else goes on', async () => {
    const controller = new AbortController()
    const search = await createSearches().begin(expression('^(a?){1000}b$'), { ...never, signal: controller.signal })
    const found = failureOf(search.search({ bytes: bytesOf(`${'a'.repeat(90)}ba\n`.repeat(100_000)), limit: 1 }))
    const stopped = new Error('stopped')
    // Comes only if the event loop is free meanwhile.
    setTimeout(() => controller.abort(stopped), 300)
    expect(await found).to.equal(stopped)
    await search.end()
    await search.end()
  })

  it('runs one at a time for each user, and releases its slot', async () => {
    const quotas = createFakeQuotas()
    const searches = createLineSearches(quotas)
    const first = await searches.begin(literal('a'), never)
    expect(await failureOf(searches.begin(literal('a'), never))).to.have.property('code', 'limit_reached')
    await (await searches.begin(literal('a'), { ...never, userId: 'ben' })).end()
    await first.end()
    await (await searches.begin(literal('a'), never)).end()
    expect(quotas.declared.get('workspace-searches')).to.include({ maxPerHolder: 1, maxTotal: 2 })
  })

  it('fails if its thread has ended, instead of waiting', async () => {
    const search = await createSearches().begin(expression('^(a?){1000}b$'), never)
    const found = failureOf(search.search({ bytes: bytesOf(`${'a'.repeat(90)}ba\n`.repeat(100_000)), limit: 1 }))
    await search.end()
    expect(await found).to.be.instanceOf(Error)
  })
})
