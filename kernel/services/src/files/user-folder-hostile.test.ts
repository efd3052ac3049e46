import { execFile } from 'node:child_process'
import { link, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
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

const run = promisify(execFile)

for (const [where, locate] of systems) {
  describe(`a hostile folder of a user's files, ${where}`, () => {
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

    it('5.3.2 accepts no path that leads elsewhere, and no handle that is a path', async () => {
      const { folder, files } = under
      for (const bad of [
        '..',
        '../agent-2/f',
        'a/../../agent-2/f',
        '/etc/passwd',
        './f',
        'a//b',
        'a/',
        'a\\b',
        'a\0b',
        'a\nb',
        '\ud800',
        'a/.',
      ]) {
        const codes = [
          await codeOf(folder.stat(bad)),
          await codeOf(folder.list(bad)),
          await codeOf(folder.read(bad)),
          await codeOf(folder.open(bad)),
          await codeOf(folder.write(bad, bytesOf('x'))),
          await codeOf(folder.remove(bad, { recursive: true })),
          await codeOf(folder.move(bad, 'x')),
          await codeOf(folder.makeFolder(bad)),
        ]
        expect(new Set(codes), JSON.stringify(bad)).to.deep.equal(new Set(['path_invalid']))
        expect(await codeOf((async () => files.folder({ handle: 'ada' }, { subsystem: 'workspaces', path: bad }))())).to.equal(
          'path_invalid',
        )
      }
      for (const empty of [folder.write('', bytesOf('x')), folder.remove('', { recursive: true }), folder.move('', 'x'), folder.read('')])
        expect(await codeOf(empty)).to.equal('path_invalid')
      for (const handle of ['', '..', '.', 'ada/../bob', 'Ada', '.incoming', 'a\0', '/'])
        expect(await codeOf((async () => files.folder({ handle }, { subsystem: 'files' }))()), handle).to.equal('path_invalid')
      for (const subsystem of ['', '..', '.incoming', 'workspaces/agent-2', 'notes..drafts'])
        expect(await codeOf((async () => files.folder({ handle: 'ada' }, { subsystem }))())).to.equal('path_invalid')
    })

    for (const [what, target] of [
      ['another agent', '../agent-2'],
      ['everywhere', '/'],
      ['the service itself', '/proc/self'],
      ['the folder above', '..'],
      ['nowhere', 'absent'],
      ['itself', 'x'],
    ] as const) {
      it(`37 does nothing through a link to ${what}`, async () => {
        const { folder, root } = under
        await symlink(target, path.join(root, 'x'))
        await writeFile(path.join(root, 'own'), 'own')
        expect([await folder.stat('x/f'), await folder.read('x/f'), await folder.list('x'), await folder.open('x/f')]).to.deep.equal([
          ...[undefined, undefined, undefined, undefined],
        ])
        expect(await folder.remove('x/f')).to.equal(false)
        for (const change of [
          () => folder.write('x/new', bytesOf('x')),
          () => folder.write('x/f', bytesOf('x')),
          () => folder.write('x/deep/new', bytesOf('x')),
          () => folder.makeFolder('x/new'),
          () => folder.move('own', 'x/own'),
          () => folder.move('x/f', 'stolen'),
        ])
          expect(await codeOf(change())).to.equal('file_not_found')
        expect((await folder.stat('x'))?.kind).to.equal('link')
        expect(await readFile(path.join(root, 'own'), 'utf8')).to.equal('own')
        // The link itself is an ordinary name.
        expect([await codeOf(folder.write('x', bytesOf('x'))), await folder.remove('x')]).to.deep.equal(['file_conflict', true])
      })
    }

    it('37 works through a link that stays inside', async () => {
      const { folder, root } = under
      await mkdir(path.join(root, 'real', 'deep'), { recursive: true })
      await symlink('real/deep', path.join(root, 'near'))
      await folder.write('near/f', bytesOf('mine'))
      await folder.write('near/deeper/g', bytesOf('mine too'))
      expect([textOf(await folder.read('near/f')), textOf(await folder.read('real/deep/deeper/g'))]).to.deep.equal(['mine', 'mine too'])
      expect((await folder.list('near'))?.items.map(({ path: each }) => each)).to.deep.equal(['near/deeper', 'near/f'])
    })

    it('37 does nothing if the folder itself is a link', async () => {
      const { folder, root, outside } = under
      await rm(root, { recursive: true })
      await symlink(outside, root)
      expect([await folder.read('f'), await folder.list('f'), await folder.remove('f')]).to.deep.equal([undefined, undefined, false])
      expect(await codeOf(folder.write('f', bytesOf('x')))).to.equal('file_not_found')
    })

    it('38 neither waits for nor reads what is not a regular file, and writes nothing into it', async () => {
      const { folder, root } = under
      const server = createServer()
      await run('mkfifo', [path.join(root, 'fifo')])
      await new Promise<void>((resolve) => server.listen(path.join(root, 'socket'), resolve))
      await link(path.join(under.outside, 'f'), path.join(root, 'hard'))
      const names = ['fifo', 'socket', 'hard']
      if (
        process.getuid?.() === 0 &&
        (await run('mknod', [path.join(root, 'zero'), 'c', '1', '5']).then(
          () => true,
          () => false,
        ))
      )
        names.push('zero')
      try {
        for (const name of names) {
          expect([name, await folder.read(name), await folder.open(name)]).to.deep.equal([name, undefined, undefined])
          expect((await folder.stat(name))?.kind, name).to.equal('other')
          if (name !== 'hard') expect(await codeOf(folder.write(name, bytesOf('x')))).to.equal('file_conflict')
        }
        // Another name of a file elsewhere is replaced by a new file.
        await folder.write('hard', bytesOf('mine'))
        expect(textOf(await folder.read('hard'))).to.equal('mine')
        for (const name of names) expect(await folder.remove(name), name).to.equal(true)
      } finally {
        await new Promise((resolve) => server.close(resolve))
      }
    })

    it('38 reads no more of a huge sparse file into memory than the limit', async () => {
      const { folder, root } = under
      await writeFile(path.join(root, 'huge'), 'begin')
      await truncate(path.join(root, 'huge'), 2 ** 40)
      expect(await codeOf(folder.read('huge'))).to.equal('file_too_large')
      expect(await codeOf(folder.read('huge', { length: 10 * 1024 * 1024 + 1 }))).to.equal('file_too_large')
      expect(textOf(await folder.read('huge', { length: 5 }))).to.equal('begin')
      expect((await folder.read('huge', { offset: 2 ** 40 - 3 }))?.bytes.byteLength).to.equal(3)
      expect((await folder.read('huge', { offset: 2 ** 41 }))?.bytes.byteLength).to.equal(0)
      const parts: Uint8Array[] = []
      for await (const part of (await folder.open('huge'))?.stream({ offset: 1, length: 4 }) ?? []) parts.push(part)
      expect(Buffer.concat(parts).toString()).to.equal('egin')
      await (await folder.open('huge'))?.stream().return?.()
    })

    it('39 omits names that cannot be in a path, counts them, and removes them with their folder', async () => {
      const { folder, root } = under
      const place = path.join(root, 'odd')
      await mkdir(place)
      for (const name of ['new\nline', 'back\\slash', '\u0001', 'fine', '--bind', '-rf', ' ', '*', '~', '$(id)'])
        await writeFile(path.join(place, name), 'x')
      const latin = Buffer.concat([Buffer.from(`${place}/`), Buffer.from([0x61, 0xff])])
      const others = await writeFile(latin, 'x').then(
        () => 4,
        () => 3,
      )
      const page = await folder.list('odd')
      expect([page?.items.map(({ name }) => name), page?.unnameable]).to.deep.equal([
        [' ', '$(id)', '*', '--bind', '-rf', 'fine', '~'],
        others,
      ])
      for (const name of ['--bind', '-rf', '*', '$(id)', '~', ' ']) expect(textOf(await folder.read(`odd/${name}`)), name).to.equal('x')
      expect(await codeOf(folder.remove('odd'))).to.equal('file_conflict')
      expect(await folder.remove('odd', { recursive: true })).to.equal(true)
      expect(await readdir(root)).to.deep.equal([])
    })

    it('40 treats names that begin with a dash as names', async () => {
      const { folder } = under
      await folder.write('--bind/-x', bytesOf('1'))
      expect((await folder.move('--bind/-x', '-rf')).path).to.equal('-rf')
      expect([await folder.remove('-rf'), await folder.remove('--bind')]).to.deep.equal([true, true])
    })
  })
}
