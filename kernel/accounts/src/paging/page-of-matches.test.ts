import { expect } from 'chai'
import { pageOfMatches } from './page-of-matches.js'

const numbers = Array.from({ length: 5_000 }, (_, index) => index)

/** A list of numbers whose cursor is the position. */
function listOfNumbers() {
  const reads: number[] = []
  const query = async ({ limit, cursor = '0' }: { readonly limit: number; readonly cursor?: string }) => {
    reads.push(limit)
    const end = Number(cursor) + limit
    return { items: numbers.slice(Number(cursor), end), ...(end < numbers.length ? { nextCursor: String(end) } : {}) }
  }
  return { reads, query }
}

/** All items, page by page. */
async function all(matches: (item: number) => boolean, limit: number): Promise<readonly (readonly number[])[]> {
  const pages: (readonly number[])[] = []
  let cursor: string | undefined
  do {
    const page = await pageOfMatches({ query: listOfNumbers().query, matches, limit, ...(cursor === undefined ? {} : { cursor }) })
    pages.push(page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages
}

describe('a page of what matches', () => {
  for (const [name, matches] of Object.entries({
    everything: () => true,
    'every third': (item: number) => item % 3 === 0,
    'the last alone': (item: number) => item === 4_999,
    nothing: () => false,
  })) {
    it(`gives each match once and in order, in pages of at most the limit: ${name}`, async () => {
      for (const limit of [1, 7, 200]) {
        if (limit === 1 && name === 'everything') continue
        const pages = await all(matches, limit)
        expect(pages.flat()).to.deep.equal(numbers.filter(matches))
        expect(Math.max(...pages.map(({ length }) => length))).to.be.at.most(limit)
      }
    })
  }

  it('reads at most 2,000 records for one page', async () => {
    const { reads, query } = listOfNumbers()
    const page = await pageOfMatches({ query, matches: () => false })
    expect(page).to.deep.equal({ items: [], nextCursor: '2000' })
    expect(reads).to.have.length(10)
  })
})
