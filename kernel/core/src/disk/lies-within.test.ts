import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { followLinks, liesWithin, overlaps } from './lies-within.js'

describe('liesWithin', () => {
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'lies-within-')))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const at = (...names: readonly string[]): string => path.join(folder, ...names)

  it('compares names if the paths do not exist', () => {
    expect(liesWithin(at('data', 'x'), at('data'))).to.equal(true)
    expect(liesWithin(at('data'), at('data'))).to.equal(true)
    expect(liesWithin(at('data-plugins'), at('data'))).to.equal(false)
    expect(liesWithin(at('..data'), at('data'))).to.equal(false)
    expect(liesWithin(at('data'), at('data', 'x'))).to.equal(false)
    expect(overlaps(at('data'), at('data', 'x'))).to.equal(true)
  })

  it('follows links on either side, also to a path that does not exist yet', async () => {
    await mkdir(at('srv', 'data'), { recursive: true })
    await symlink(at('srv'), at('link'))
    await symlink('srv/data/later', at('dangling'))
    await symlink('../other', at('srv', 'relative'))
    expect(liesWithin(at('link', 'data', 'x'), at('srv', 'data'))).to.equal(true)
    expect(liesWithin(at('srv', 'data', 'x'), at('link', 'data'))).to.equal(true)
    expect(liesWithin(at('link', 'new', 'x'), at('srv', 'new'))).to.equal(true)
    expect(liesWithin(at('dangling'), at('srv', 'data'))).to.equal(true)
    expect(followLinks(at('link', 'relative', 'x'))).to.equal(at('other', 'x'))
    expect(liesWithin(at('srv', 'relative'), at('srv', 'relative'))).to.equal(true)
  })

  it('ends on a loop of links', async () => {
    await symlink(at('two'), at('one'))
    await symlink(at('one'), at('two'))
    expect(followLinks(at('one', 'x'))).to.contain(folder)
  })
})
