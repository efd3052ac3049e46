import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { UserFolder } from '@agent-service/sdk/services/user-files'
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
  describe(`the real path of a user's file, ${where}`, () => {
    let under: FolderOfFiles
    let refusing: UserFolder
    let descriptors: number

    beforeEach(async () => {
      under = await makeFolderOfFiles(locate)
      refusing = under.files.folder({ handle: 'ada' }, { subsystem: 'workspaces', path: 'agent-1', links: 'refuse' })
      await mkdir(path.join(under.root, 'real', 'deep'), { recursive: true })
      await writeFile(path.join(under.root, 'real', 'deep', 'f'), 'mine')
      for (const [name, target] of Object.entries({
        near: 'real',
        further: 'near/deep',
        file: 'real/deep/f',
        here: '.',
        out: '../agent-2',
        loop: 'loop',
        nowhere: 'absent',
      }))
        await symlink(target, path.join(under.root, name))
      descriptors = await openDescriptors()
    })
    afterEach(async () => {
      expect(await openDescriptors(), 'descriptors left open').to.equal(descriptors)
      expect(await under.outsideNow()).to.deep.equal({ f: canary })
      await under.remove()
    })

    it('37 follows links, for the last name only on request and if it is a folder', async () => {
      for (const folder of [under.folder, refusing])
        for (const [given, real, followed = real] of [
          ['', ''],
          ['real/deep/f', 'real/deep/f'],
          ['near/deep/f', 'real/deep/f'],
          ['further/f', 'real/deep/f'],
          ['here/here/further/f', 'real/deep/f'],
          ['near', 'near', 'real'],
          ['near/deep', 'real/deep'],
          ['here', 'here', ''],
          ['file', 'file'],
          ['near/absent/new', 'real/absent/new'],
          ['nowhere/new', 'nowhere/new'],
          ['real/deep/f/below', 'real/deep/f/below'],
          ['loop', 'loop', undefined],
          ['loop/f', undefined],
          ['out', 'out', undefined],
          ['out/f', undefined],
          ['out/absent', undefined],
        ] as const) {
          expect(await folder.realPath(given), given).to.equal(real)
          const last = ['loop', 'out'].includes(given) ? undefined : followed
          expect(await folder.realPath(given, { followLast: true }), `${given}, followed`).to.equal(last)
        }
      expect(await codeOf(refusing.realPath('../agent-2'))).to.equal('path_invalid')
      const absent = under.files.folder({ handle: 'ada' }, { subsystem: 'workspaces', path: 'absent' })
      expect(await absent.realPath('a/b')).to.equal('a/b')
    })

    it('37 is the only path that works in a folder that refuses links', async () => {
      for (const place of ['near', 'further', 'here', 'nowhere']) {
        const name = place === 'near' ? 'deep/f' : 'f'
        expect([
          await refusing.stat(`${place}/${name}`),
          await refusing.read(`${place}/${name}`),
          await refusing.list(place),
        ]).to.deep.equal([undefined, undefined, undefined])
        expect(await refusing.open(`${place}/${name}`)).to.equal(undefined)
        expect(await refusing.remove(`${place}/${name}`)).to.equal(false)
        for (const change of [
          () => refusing.write(`${place}/new`, bytesOf('x')),
          () => refusing.write(`${place}/inner/new`, bytesOf('x')),
          () => refusing.makeFolder(`${place}/inner`),
          () => refusing.move('real/deep/f', `${place}/moved`),
          () => refusing.move(`${place}/${name}`, 'moved'),
        ])
          expect(await codeOf(change()), place).to.equal('file_not_found')
        expect((await refusing.stat(place))?.kind).to.equal('link')
      }
      expect(textOf(await refusing.read('real/deep/f'))).to.equal('mine')
      await refusing.write('real/deep/inner/g', bytesOf('new'))
      expect(await readFile(path.join(under.root, 'real', 'deep', 'inner', 'g'), 'utf8')).to.equal('new')
      expect((await refusing.list('real/deep'))?.items.map(({ name }) => name)).to.deep.equal(['f', 'inner'])
    })

    it('37 is unique: a file with several names is not read, and a write replaces it by a new file', async () => {
      await link(path.join(under.root, 'real', 'deep', 'f'), path.join(under.root, 'hard'))
      expect([await refusing.read('hard'), await refusing.read('real/deep/f')]).to.deep.equal([undefined, undefined])
      await refusing.write('hard', bytesOf('other'))
      expect(textOf(await refusing.read('real/deep/f'))).to.equal('mine')
    })
  })
}
