import { expect } from 'chai'
import { createLineSearches } from './line-search.js'
import type { SearchQuery } from './search-protocol.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const literal = (text: string): SearchQuery => ({ text, isExpression: false, ignoreCase: false })
const expression = (text: string): SearchQuery => ({ text, isExpression: true, ignoreCase: true })
const never = new AbortController().signal

describe('a search in lines', () => {
  it('finds texts and expressions, and passes over what is no text', async () => {
    const searches = createLineSearches()
    const search = await searches.begin(literal('a.b'), never)
    const other = await searches.begin(expression('^A.B$'), never)
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

  it('shows of a long line what is around the find', async () => {
    const search = await createLineSearches().begin(literal('needle'), never)
    try {
      const [found] = (await search.search({ bytes: bytesOf(`${'😀'.repeat(1_000)}needle${'y'.repeat(5_000)}`), limit: 1 })) ?? []
      expect(found?.text).to.match(/^…😀+needley+…$/u)
      expect(found?.text.length).to.be.lessThan(310)
    } finally {
      await search.end()
    }
  })

  it('ends an expression that takes for ever, while everything else goes on', async () => {
    const controller = new AbortController()
    const search = await createLineSearches().begin(expression('^(a+)+$'), controller.signal)
    const found = search.search({ bytes: bytesOf(`${'a'.repeat(60)}!`), limit: 1 }).catch((error: unknown) => error)
    let longest = 0
    for (let last = performance.now(), turns = 0; turns < 20; turns += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
    expect(longest, 'the longest wait of the event loop').to.be.lessThan(200)
    const stopped = new Error('stopped')
    controller.abort(stopped)
    expect(await found).to.equal(stopped)
    await search.end()
    await search.end()
  })

  it('runs two at once; others wait, or leave', async () => {
    const searches = createLineSearches()
    const [first, second] = [await searches.begin(literal('a'), never), await searches.begin(literal('a'), never)]
    const controller = new AbortController()
    const leaving = searches.begin(literal('a'), controller.signal).catch((error: unknown) => error)
    let begun = false
    const third = searches.begin(literal('a'), never).then((search) => {
      begun = true
      return search
    })
    const stopped = new Error('stopped')
    controller.abort(stopped)
    expect(await leaving).to.equal(stopped)
    expect(begun).to.equal(false)
    await first.end()
    await (await third).end()
    await second.end()
    await (await searches.begin(literal('a'), never)).end()
  })

  it('fails where its thread is gone, rather than to wait', async () => {
    const search = await createLineSearches().begin(expression('^(a+)+$'), never)
    const found = search.search({ bytes: bytesOf(`${'a'.repeat(60)}!`), limit: 1 }).catch((error: unknown) => error)
    await search.end()
    expect(await found).to.be.instanceOf(Error)
  })
})
