import type { UserFileEntry, UserFolder } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import { createGlob } from './glob.js'
import { walk } from './walk.js'

/** A folder of many files with the longest names, as one page. */
const folderOf = (count: number): UserFolder => {
  const items = Array.from({ length: count }, (_, index): UserFileEntry => {
    const name = `${'a'.repeat(250)}${index}`
    return { path: name, name, kind: 'file', size: 1, modifiedAt: new Date(0).toISOString(), etag: '' } as unknown as UserFileEntry
  })
  return { list: async () => ({ items, unnameable: 0 }) } as unknown as UserFolder
}

describe('a walk', () => {
  it('yields to other work, whatever pattern the names are compared with', async () => {
    const fits = createGlob(`${'*a'.repeat(99)}b`)
    let turns = 0
    let next = setImmediate(function turn() {
      turns += 1
      next = setImmediate(turn)
    })
    let found = 0
    const began = performance.now()
    for await (const { path } of walk(folderOf(10_000), '', { names: 20_000, signal: new AbortController().signal }))
      found += fits(path) ? 1 : 0
    const took = performance.now() - began
    clearImmediate(next)
    expect(found).to.equal(0)
    expect(took, 'milliseconds, or the test means nothing').to.be.above(50)
    expect(turns).to.be.at.least(3)
  })
})
