import { expect } from 'chai'
import { createGlob } from './glob.js'

describe('createGlob', () => {
  for (const [pattern, fits, others] of [
    ['*.md', ['a.md', 'deep/er/a.md', '.md'], ['a.mdx', 'a.md/b', 'md']],
    ['src/*.ts', ['src/a.ts'], ['src/in/a.ts', 'a.ts', 'lib/src/a.ts']],
    ['./src/*.ts', ['src/a.ts'], ['src/in/a.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/in/a.ts', 'src/in/ner/a.ts'], ['a.ts', 'src/a.js']],
    ['**/test/**', ['test/a', 'a/test/b/c'], ['tests/a']],
    ['a?c', ['abc', 'a😀c', 'x/abc'], ['ac', 'abbc']],
    ['Gro\u0308?e.*', ['Gr\u00f6\u00dfe.md', 'Gro\u0308\u00dfe.md'], ['Grosse.md']],
    ['*', ['a', 'b/c'], []],
    ['[a].{b}', ['[a].{b}'], ['a.b']],
  ] as const)
    it(`reads ${pattern}`, () => {
      const glob = createGlob(pattern)
      for (const path of fits) expect(glob(path), path).to.equal(true)
      for (const path of others) expect(glob(path), path).to.equal(false)
    })

  it('ends soon with patterns that would take for ever by trying every way', () => {
    const name = 'a'.repeat(250)
    expect(createGlob(`${'*a'.repeat(99)}b`)(name)).to.equal(false)
    expect(createGlob(`${'**/a*/'.repeat(30)}b`)(Array.from({ length: 120 }, () => 'aa').join('/'))).to.equal(false)
  })
})
