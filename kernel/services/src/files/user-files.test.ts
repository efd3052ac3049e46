import { execFile } from 'node:child_process'
import { link, mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import { type PathOfDescriptor, pathOfDescriptor } from './disk/index.js'
import { filesWithoutLimit } from './testing/files-without-limit.js'
import { streamedText } from './testing/folder-of-files.js'

const secret = 'canary of another agent'

const systems: readonly (readonly [string, PathOfDescriptor])[] = [
  ['with paths of descriptors', pathOfDescriptor],
  ['without paths of descriptors', async () => undefined],
]

for (const [where, locate] of systems) {
  describe(`createUserFiles, ${where}`, () => {
    let folder: string
    let root: string
    let files: UserFiles

    /** The content at a path; `undefined` if it cannot be read. */
    const read = async (text: string, handle = 'ada'): Promise<string | undefined> => {
      const [subsystem = '', ...names] = text.split('/')
      const file = await files.folder({ handle }, { subsystem }).open(names.join('/'))
      return file && streamedText(file)
    }
    const openDescriptors = async (): Promise<number> => (process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0)

    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'agent-service-files-'))
      root = path.join(folder, 'users', 'ada')
      await mkdir(path.join(root, 'files', 'inner'), { recursive: true })
      await mkdir(path.join(root, 'workspaces', 'agent-1'), { recursive: true })
      await mkdir(path.join(root, 'vault'))
      await mkdir(path.join(folder, 'users', 'bob', 'files'), { recursive: true })
      await writeFile(path.join(root, 'files', 'a.txt'), 'hello')
      await writeFile(path.join(root, 'vault', 'key'), secret)
      await writeFile(path.join(folder, 'users', 'bob', 'files', 'b.txt'), secret)
      files = filesWithoutLimit(path.join(folder, 'users'), locate)
    })
    afterEach(() => rm(folder, { recursive: true, force: true }))

    it('makes a folder for a process and gives its real path, however its links are laid', async () => {
      const place = { subsystem: 'workspaces', path: 'agent-2' }
      expect(await files.hostFolder({ handle: 'ada' }, place)).to.equal(path.join(await realpath(root), 'workspaces', 'agent-2'))
      expect(await files.hostFolder({ handle: 'cleo' }, place)).to.equal(path.join(await realpath(folder), 'users/cleo/workspaces/agent-2'))
      await symlink('../vault', path.join(root, 'workspaces', 'agent-3'))
      await writeFile(path.join(root, 'workspaces', 'agent-4'), '')
      const codeOf = (name: string): Promise<unknown> =>
        files
          .hostFolder({ handle: 'ada' }, { subsystem: 'workspaces', path: name })
          .catch((error: { readonly code: unknown }) => error.code)
      expect([await codeOf('agent-3'), await codeOf('agent-4'), await codeOf('../vault')]).to.deep.equal([
        'file_not_found',
        'file_conflict',
        'path_invalid',
      ])
    })

    it('opens the files of their owner', async () => {
      await writeFile(path.join(root, 'workspaces', 'agent-1', '.env'), 'mine')
      expect([await read('files/a.txt'), await read('workspaces/agent-1/.env')]).to.deep.equal(['hello', 'mine'])
      expect([await read('files/a.txt', 'bob'), await read('files/b.txt', 'bob')]).to.deep.equal([undefined, secret])
    })

    it('follows a link of the operator above the users, and a link that stays inside the folder', async () => {
      await symlink(path.join(folder, 'users'), path.join(folder, 'elsewhere'))
      await symlink('../files', path.join(root, 'files', 'inner', 'up'))
      files = filesWithoutLimit(path.join(folder, 'elsewhere'), locate)
      expect([await read('files/a.txt'), await read('files/inner/up/a.txt')]).to.deep.equal(['hello', undefined])
      await symlink('..', path.join(root, 'files', 'inner', 'back'))
      expect(await read('files/inner/back/a.txt')).to.equal('hello')
    })

    for (const [what, plant, asked] of [
      ['a link to another user’s file', () => symlink('../../bob/files/b.txt', path.join(root, 'files', 'x')), 'files/x'],
      ['a link to another user’s folder', () => symlink('../../bob/files', path.join(root, 'files', 'x')), 'files/x/b.txt'],
      ['a link to another subsystem', () => symlink('../vault', path.join(root, 'files', 'x')), 'files/x/key'],
      ['an absolute link', () => symlink('/etc', path.join(root, 'files', 'x')), 'files/x/passwd'],
      ['a link to /proc', () => symlink('/proc/self', path.join(root, 'files', 'x')), 'files/x/environ'],
      ['a link as the last name, also to an own file', () => symlink('a.txt', path.join(root, 'files', 'x')), 'files/x'],
      ['a link that leads to itself', () => symlink('x', path.join(root, 'files', 'x')), 'files/x/x'],
      ['a second name of another file', () => link(path.join(root, 'vault', 'key'), path.join(root, 'files', 'x')), 'files/x'],
      ['a folder', async () => undefined, 'files/inner'],
      ['a name below a file', async () => undefined, 'files/a.txt/b'],
      ['nothing', async () => undefined, 'files/absent'],
      ['a FIFO', () => promisify(execFile)('mkfifo', [path.join(root, 'files', 'x')]), 'files/x'],
    ] as const) {
      it(`5.3.2 opens nothing through ${what}, and leaves no descriptor open`, async () => {
        await plant()
        const before = await openDescriptors()
        expect(await read(asked)).to.equal(undefined)
        expect(await openDescriptors()).to.equal(before)
      })
    }

    it('5.3.2 opens nothing if the folder of a subsystem is a link', async () => {
      await rm(path.join(root, 'workspaces'), { recursive: true })
      await symlink('vault', path.join(root, 'workspaces'))
      expect(await read('workspaces/key')).to.equal(undefined)
    })

    it('opens no socket', async () => {
      const server = createServer()
      const place = path.join(root, 'files', 's')
      await new Promise<void>((resolve) => server.listen(place, resolve))
      try {
        expect(await read('files/s')).to.equal(undefined)
      } finally {
        await new Promise((resolve) => server.close(resolve))
      }
    })

    it('makes the etag from size, time and identity', async () => {
      const etag = async (): Promise<string | undefined> => {
        const file = await files.folder({ handle: 'ada' }, { subsystem: 'files' }).open('a.txt')
        await file?.close()
        return file?.etag
      }
      const first = await etag()
      expect(await etag()).to.equal(first)
      await writeFile(path.join(root, 'files', 'new'), 'hello')
      await rename(path.join(root, 'files', 'new'), path.join(root, 'files', 'a.txt'))
      expect(await etag()).not.to.equal(first)
    })
  })
}

describe('createUserFiles, while a folder is swapped for a link', () => {
  for (const [where, locate] of systems) it(`5.3.2 reads no byte from outside in a thousand attempts, ${where}`, () => attack(locate))

  it('opens a file that was replaced in the meantime', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-files-'))
    const root = path.join(folder, 'users', 'ada', 'files')
    await mkdir(root, { recursive: true })
    const place = path.join(root, 'f')
    await writeFile(place, 'one')
    let replacements = 0
    // Replaced once between opening and checking.
    const files = filesWithoutLimit(path.join(folder, 'users'), async () => {
      if (replacements === 0) {
        replacements += 1
        await unlink(place)
        await writeFile(place, 'two')
      }
      return undefined
    })
    const file = await files.folder({ handle: 'ada' }, { subsystem: 'files' }).open('f')
    const text = file && (await streamedText(file))
    await rm(folder, { recursive: true, force: true })
    expect(text).to.equal('two')
  })
})

/**
 * Reads through a link that is switched back and forth between a folder of the user and one
 * outside.
 */
async function attack(locate: PathOfDescriptor): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-files-'))
  const root = path.join(folder, 'users', 'ada', 'files')
  await mkdir(path.join(root, 'good'), { recursive: true })
  await mkdir(path.join(folder, 'outside'))
  await writeFile(path.join(root, 'good', 'f'), 'mine')
  await writeFile(path.join(folder, 'outside', 'f'), secret)
  await symlink(path.join(folder, 'outside'), path.join(root, 'bad'))
  await symlink('good', path.join(root, 'd'))
  // Switches the target of `d` as fast as possible, in a thread of its own.
  const swap = `const { renameSync, symlinkSync, rmSync } = require('node:fs'); const { workerData } = require('node:worker_threads')
    for (;;) for (const to of ['good', 'bad']) { symlinkSync(to, workerData + '/t'); renameSync(workerData + '/t', workerData + '/d') }`
  const worker = new Worker(swap, { eval: true, workerData: root })
  const files = filesWithoutLimit(path.join(folder, 'users'), locate)
  const counts = { mine: 0, refused: 0 }
  try {
    for (let attempt = 0; attempt < 1_000 || counts.mine === 0 || counts.refused === 0; attempt += 1) {
      const file = await files.folder({ handle: 'ada' }, { subsystem: 'files' }).open('d/f')
      if (!file) {
        counts.refused += 1
        continue
      }
      expect(await streamedText(file)).to.equal('mine')
      counts.mine += 1
    }
  } finally {
    await worker.terminate()
    await rm(folder, { recursive: true, force: true })
  }
}
