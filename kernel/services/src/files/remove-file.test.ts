import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { pathOfDescriptor } from './disk/index.js'
import { createFileTree } from './file-tree.js'
import type { PathLocks } from './path-locks.js'
import { removeFile } from './remove-file.js'
import type { StoredBytes } from './stored-bytes.js'

describe('the removal of a folder', () => {
  let usersFolder: string
  beforeEach(async () => {
    usersFolder = await mkdtemp(path.join(tmpdir(), 'remove-file-'))
  })
  afterEach(() => rm(usersFolder, { recursive: true, force: true }))

  it('holds up no other change of its path while what was in it is removed', async () => {
    await mkdir(path.join(usersFolder, 'bob/files/many/deep'), { recursive: true })
    for (const name of ['one', 'two', 'deep/three']) await writeFile(path.join(usersFolder, 'bob/files/many', name), name)
    const tree = createFileTree({ usersFolder, locate: pathOfDescriptor, handle: 'bob', names: ['files'], links: 'follow' })
    const trash = (): Promise<readonly string[]> => readdir(path.join(usersFolder, 'bob/.incoming'))
    /** What waited to be removed when the path was free again, and when bytes counted as freed. */
    const seen: number[] = []
    const locks: PathLocks = {
      async run(_path, work) {
        const result = await work()
        seen.push((await trash()).length)
        return result
      },
    }
    const freed: unknown[] = []
    const stored: StoredBytes = {
      reserve: () => Promise.reject(new Error('Nothing is written.')),
      max: undefined,
      pending: () => undefined,
      usage: () => Promise.reject(new Error('Nothing is asked.')),
      freed: (handle, bytes) => void freed.push([handle, bytes]),
    }
    expect(await removeFile(tree, 'many', { recursive: true, locks, stored })).to.equal(true)
    expect(seen).to.deep.equal([1])
    expect(await trash()).to.deep.equal([])
    expect(freed).to.deep.equal([['bob', undefined]])
    expect(await removeFile(tree, 'many', { recursive: true, locks, stored })).to.equal(false)
  })
})
