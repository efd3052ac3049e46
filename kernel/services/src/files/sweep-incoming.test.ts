import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { expect } from 'chai'
import { pathOfDescriptor } from './disk/index.js'
import { sweepIncoming } from './sweep-incoming.js'
import { canary, type FolderOfFiles, makeFolderOfFiles } from './testing/folder-of-files.js'

const now = Date.parse('2026-03-01T12:00:00Z')
const hour = 3_600_000

describe('the sweep of interrupted writes and removals', () => {
  let under: FolderOfFiles
  let incoming: string
  const sweep = (signal = new AbortController().signal) => under.files.freeLeftovers({ signal })

  beforeEach(async () => {
    under = await makeFolderOfFiles(undefined, { clock: createControlledClock({ now }) })
    incoming = path.join(under.home, '.incoming')
    await mkdir(incoming)
  })
  afterEach(() => under.remove())

  it('removes stale files and trashed folders, and nothing else', async () => {
    for (const [name, age] of [
      ['new-old', 25 * hour],
      ['new-young', 23 * hour],
    ] as const) {
      await writeFile(path.join(incoming, name), 'x')
      await utimes(path.join(incoming, name), new Date(), new Date(now - age))
    }
    await mkdir(path.join(incoming, 'trash-1', 'deep', 'er'), { recursive: true })
    await writeFile(path.join(incoming, 'trash-1', 'deep', 'f'), 'x')
    await symlink(under.outside, path.join(incoming, 'trash-1', 'deep', 'away'))
    await symlink(under.outside, path.join(incoming, 'trash-2'))
    await mkdir(path.join(under.home, '..', 'Not a user', '.incoming', 'trash-1'), { recursive: true })
    await sweep()
    expect(await readdir(incoming)).to.deep.equal(['new-young'])
    expect(await under.outsideNow()).to.deep.equal({ f: canary })
    expect(await readdir(under.root)).to.deep.equal([])
    await sweep()
    expect(await readdir(incoming)).to.deep.equal(['new-young'])
  })

  it('does nothing without users, and stops when it is aborted', async () => {
    const nowhere = { usersFolder: '/nowhere/at/all', locate: pathOfDescriptor }
    await sweepIncoming(nowhere, { now, signal: new AbortController().signal })
    const stopped = new Error('stopped')
    expect(await sweep(AbortSignal.abort(stopped)).catch((error: unknown) => error)).to.equal(stopped)
  })
})
