import { chmod, lstat, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import {
  bytesOf,
  canary,
  codeOf,
  type FolderOfFiles,
  makeFolderOfFiles,
  openDescriptors,
  systems,
  textOf,
} from './testing/folder-of-files.js'

for (const [where, locate] of systems) {
  describe(`a folder of a user's files, ${where}`, () => {
    let under: FolderOfFiles
    let descriptors: number

    beforeEach(async () => {
      under = await makeFolderOfFiles(locate)
      descriptors = await openDescriptors()
    })
    afterEach(async () => {
      expect(await openDescriptors(), 'descriptors left open').to.equal(descriptors)
      expect(await under.outsideNow()).to.deep.equal({ f: canary })
      expect(await under.incoming()).to.deep.equal([])
      await under.remove()
    })

    it('writes, reads, lists, moves and removes, and makes folders on the way', async () => {
      const { folder, root } = under
      const { file, created } = await folder.write('notes/one.md', bytesOf('one'))
      expect([created, file.path, file.name, file.kind, file.size]).to.deep.equal([true, 'notes/one.md', 'one.md', 'file', 3])
      expect((await folder.write('notes/one.md', bytesOf('two!'))).created).to.equal(false)
      expect(textOf(await folder.read('notes/one.md'))).to.equal('two!')
      expect(await folder.stat('notes/one.md')).to.deep.equal(await statOf(folder, 'notes/one.md'))
      expect(await readFile(path.join(root, 'notes', 'one.md'), 'utf8')).to.equal('two!')
      await folder.makeFolder('a/b/c')
      await folder.makeFolder('a/b/c')
      expect((await folder.move('notes/one.md', 'a/b/moved.md')).path).to.equal('a/b/moved.md')
      expect((await folder.list('a/b'))?.items.map(({ path: each, kind }) => [each, kind])).to.deep.equal([
        ['a/b/c', 'folder'],
        ['a/b/moved.md', 'file'],
      ])
      expect([await folder.remove('a/b/moved.md'), await folder.remove('a/b/moved.md')]).to.deep.equal([true, false])
      expect(await folder.remove('notes')).to.equal(true)
      expect((await folder.list(''))?.items.map(({ name }) => name)).to.deep.equal(['a'])
    })

    it('is created by the first write, and is empty before', async () => {
      const folder = under.files.folder({ handle: 'bob' }, { subsystem: 'files' })
      expect([await folder.list(''), await folder.list('x'), await folder.stat('x'), await folder.read('x')]).to.deep.equal([
        ...[{ items: [], unnameable: 0 }, undefined, undefined, undefined],
      ])
      expect([await folder.remove('x'), await codeOf(folder.move('x', 'y'))]).to.deep.equal([false, 'file_not_found'])
      await folder.write('x', bytesOf('1'))
      expect(textOf(await folder.read('x'))).to.equal('1')
      expect((await lstat(path.join(under.home, '..', 'bob'))).mode & 0o777).to.equal(0o700)
    })

    it('removes a deep and wide folder with links in it, but not the links’ targets', async () => {
      const { folder, root, outside } = under
      const deep = Array.from({ length: 300 }, (_, index) => `d${index}`).join('/')
      await mkdir(path.join(root, 'tree', deep), { recursive: true })
      await writeFile(path.join(root, 'tree', deep, 'leaf'), 'x')
      for (let index = 0; index < 200; index += 1) await writeFile(path.join(root, 'tree', 'd0', `f${index}`), 'x')
      await symlink(outside, path.join(root, 'tree', 'd0', 'away'))
      await mkdir(path.join(root, 'tree', 'closed'))
      await writeFile(path.join(root, 'tree', 'closed', 'f'), 'x')
      await chmod(path.join(root, 'tree', 'closed'), 0)
      expect(await folder.remove('tree', { recursive: true })).to.equal(true)
      expect(await folder.list('')).to.deep.equal({ items: [], unnameable: 0 })
    })

    it('lists a folder in pages, each name once, while names are added and removed', async () => {
      const { folder, root } = under
      const names = Array.from({ length: 25 }, (_, index) => `n${String(index).padStart(2, '0')}`)
      for (const name of names) await writeFile(path.join(root, name), name)
      const first = await folder.list('', { limit: 10 })
      await rm(path.join(root, 'n03'))
      await rm(path.join(root, 'n09'))
      await writeFile(path.join(root, 'n095'), '')
      const second = await folder.list('', { limit: 10, after: first?.next ?? '' })
      const third = await folder.list('', { limit: 10, after: second?.next ?? '' })
      const seen = [first, second, third].flatMap((page) => page?.items.map(({ name }) => name) ?? [])
      expect(seen).to.deep.equal([...names.slice(0, 10), 'n095', ...names.slice(10)])
      expect(third?.next).to.equal(undefined)
      expect((await folder.list('', { limit: 5_000 }))?.items).to.have.length(24)
      const stopped = new Error('stopped')
      const rejected = await folder.list('', { signal: AbortSignal.abort(stopped) }).catch((error: unknown) => error)
      expect(rejected).to.equal(stopped)
    })

    it('writes under conditions, and checks them before it reads the content', async () => {
      const { folder } = under
      const never = async function* (): AsyncGenerator<Uint8Array> {
        yield await Promise.reject(new Error('The content was read.'))
      }
      expect(await codeOf(folder.write('f', never(), { ifMatch: '*' }))).to.equal('precondition_failed')
      expect(await codeOf(folder.write('x/f', never(), { ifMatch: '"1"' }))).to.equal('precondition_failed')
      const { file } = await folder.write('f', bytesOf('one'), { ifNoneMatch: '*' })
      const etag = file.etag ?? ''
      expect((await folder.stat('f'))?.etag).to.equal(etag)
      expect(await codeOf(folder.write('f', never(), { ifNoneMatch: '*' }))).to.equal('precondition_failed')
      expect(await codeOf(folder.write('f', never(), { ifNoneMatch: etag }))).to.equal('precondition_failed')
      expect(await codeOf(folder.write('f', never(), { ifMatch: `W/${etag}` }))).to.equal('precondition_failed')
      await folder.write('f', bytesOf('two'), { ifMatch: `"other", ${etag}` })
      expect(await codeOf(folder.write('f', never(), { ifMatch: etag }))).to.equal('precondition_failed')
      expect(await codeOf(folder.remove('f', { ifMatch: etag }))).to.equal('precondition_failed')
      expect(textOf(await folder.read('f'))).to.equal('two')
    })

    it('permits only one of many concurrent creations or conditional changes of a file', async () => {
      const { folder } = under
      const race = async (options: { readonly ifMatch?: string; readonly ifNoneMatch?: string }): Promise<readonly string[]> => {
        const tries = Array.from({ length: 8 }, (_, index) => codeOf(folder.write('f', bytesOf(`by ${index}`), options)))
        return (await Promise.all(tries)).filter((code) => code === 'no error')
      }
      expect(await race({ ifNoneMatch: '*' })).to.have.length(1)
      expect(await race({ ifMatch: (await folder.stat('f'))?.etag ?? '' })).to.have.length(1)
      expect(await race({})).to.have.length(8)
    })

    it('does not change the file if the content fails, is too large, or is aborted', async () => {
      const { folder } = under
      await folder.write('f', bytesOf('old'))
      const controller = new AbortController()
      const broken = async function* (end: () => void): AsyncGenerator<Uint8Array> {
        yield bytesOf('new')
        end()
        yield bytesOf('more')
      }
      const thrown = new Error('The client went away.')
      const fails = broken(() => {
        throw thrown
      })
      expect(await folder.write('f', fails).catch((error: unknown) => error)).to.equal(thrown)
      expect(
        await codeOf(
          folder.write(
            'f',
            broken(() => undefined),
            { maximumBytes: 6 },
          ),
        ),
      ).to.equal('file_too_large')
      const stopped = new Error('stopped')
      const calledOff = folder.write(
        'f',
        broken(() => controller.abort(stopped)),
        { signal: controller.signal },
      )
      expect(await calledOff.catch((error: unknown) => error)).to.equal(stopped)
      expect(textOf(await folder.read('f'))).to.equal('old')
      expect(
        await codeOf(
          folder.write(
            'g',
            broken(() => undefined),
            { maximumBytes: 6 },
          ),
        ),
      ).to.equal('file_too_large')
      expect(await folder.stat('g')).to.equal(undefined)
    })

    it('reports what is in the way', async () => {
      const { folder } = under
      await folder.write('dir/f', bytesOf('x'))
      await folder.write('g', bytesOf('y'))
      for (const change of [
        () => folder.write('dir', bytesOf('x')),
        () => folder.write('g/below', bytesOf('x')),
        () => folder.makeFolder('g'),
        () => folder.makeFolder('g/h'),
        () => folder.remove('dir'),
        () => folder.move('g', 'dir/f'),
        () => folder.move('g', 'dir', { replace: true }),
        () => folder.move('dir', 'g', { replace: true }),
        () => folder.move('dir', 'dir/inner'),
        () => folder.move('g', 'g'),
      ])
        expect(await codeOf(change()), String(change)).to.equal('file_conflict')
      expect(await codeOf(folder.move('absent', 'h'))).to.equal('file_not_found')
      expect((await folder.move('g', 'dir/f', { replace: true })).size).to.equal(1)
      expect([textOf(await folder.read('dir/f')), await folder.stat('g')]).to.deep.equal(['y', undefined])
    })

    it('keeps the mode of a file, and makes a new one accessible only to its owner', async () => {
      const { folder, root } = under
      await folder.write('run.sh', bytesOf('#!/bin/sh'))
      expect((await lstat(path.join(root, 'run.sh'))).mode & 0o777).to.equal(0o600)
      await chmod(path.join(root, 'run.sh'), 0o751)
      await folder.write('run.sh', bytesOf('#!/bin/bash'))
      expect((await lstat(path.join(root, 'run.sh'))).mode & 0o777).to.equal(0o751)
    })

    it('reports a modification time in the past unchanged', async () => {
      const { folder, root } = under
      await folder.write('f', bytesOf('x'))
      await utimes(path.join(root, 'f'), new Date(1_000), new Date(86_400_000))
      expect((await folder.stat('f'))?.modifiedAt).to.equal(86_400_000)
    })
  })
}

/** The entry in the list of its folder. */
async function statOf(folder: FolderOfFiles['folder'], file: string): Promise<unknown> {
  const page = await folder.list(path.posix.dirname(file))
  return page?.items.find((item) => item.path === file)
}
