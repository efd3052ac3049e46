import { monitorEventLoopDelay } from 'node:perf_hooks'
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
  it('lets others have their turn, whatever is looked for in the names', async () => {
    const fits = createGlob(`${'*a'.repeat(99)}b`)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    let found = 0
    for await (const { path } of walk(folderOf(10_000), '', { names: 20_000, signal: new AbortController().signal }))
      found += fits(path) ? 1 : 0
    delay.disable()
    expect(found).to.equal(0)
    expect(delay.max / 1e6, 'the longest that the event loop was held').to.be.below(100)
  })
})
