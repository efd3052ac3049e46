import assert from 'node:assert/strict'
import type { DatabaseConnection, SearchTerm } from '../../../contracts/database-driver/index.js'
import { batchOf, expectCommitted } from '../support/suite-data.js'
import type { SuiteTopic } from '../support/suite-store.js'
import { ensureTexts, found, putText, removeText } from '../support/suite-texts.js'

/** Compares searches with a minimal model. */
export function describeSearchModel({ storeTest, options }: SuiteTopic): void {
  storeTest('agree with a simple model over random writes', async (store) => {
    await ensureTexts(store)
    await compareWithModel(store.connection, options.name.length + 1)
  })
}

interface ModelText {
  readonly scope: string
  readonly order: number
  readonly words: string
}

/** The meaning of a search, in terms of word lists. */
function modelHas({ words }: ModelText, terms: readonly SearchTerm[]): boolean {
  const passages = words.split('\n').map((passage) => passage.split(' '))
  return terms.every(({ words: wanted, prefix }) =>
    passages.some((passage) =>
      passage.some((_, start) =>
        wanted.every((word, at) => {
          const there = passage[start + at]
          return at === wanted.length - 1 && prefix ? there?.startsWith(word) : there === word
        }),
      ),
    ),
  )
}

async function compareWithModel(connection: DatabaseConnection, seed: number): Promise<void> {
  let state = seed
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * limit)
  }
  const vocabulary = ['a', 'an', 'and', 'b', 'ba', 'é', '東', '京', 'x1']
  const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item => items[below(items.length)] as Item
  const passage = (most: number): string => Array.from({ length: 1 + below(most) }, () => pick(vocabulary)).join(' ')
  const model = new Map<string, ModelText>()
  for (let round = 0; round < 40; round += 1) {
    const writes = new Map(
      Array.from({ length: 1 + below(6) }, () => {
        const id = `d${below(40)}`
        if (below(5) === 0) return [id, removeText(id)] as const
        if (below(8) === 0) return [id, putText(id)] as const
        const words = Array.from({ length: 1 + below(2) }, () => passage(5)).join('\n')
        return [id, putText(id, words, { scope: pick(['ann', 'bob']), order: below(12) })] as const
      }),
    )
    expectCommitted(await connection.commit(batchOf(...writes.values())))
    for (const [id, write] of writes) {
      if (write.kind === 'put' && write.search) model.set(id, write.search)
      else model.delete(id)
    }
    for (let number = 0; number < 4; number += 1) {
      const terms = Array.from({ length: 1 + below(3) }, () => ({ words: passage(3).split(' '), prefix: below(2) === 0 }))
      const scope = pick(['ann', 'bob'])
      const expected = [...model].filter(([, text]) => text.scope === scope && modelHas(text, terms)).map(([id]) => id)
      const ids = await found(connection, terms, { scope, limit: 1 + below(5) })
      assert.deepEqual([...ids].sort(), expected.sort(), `round ${round}: ${JSON.stringify({ scope, terms })}`)
    }
  }
}
