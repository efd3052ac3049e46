import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { bytesOf, canary, codeOf, type FolderOfFiles, makeFolderOfFiles, openDescriptors, textOf } from './testing/folder-of-files.js'

const composed = 'Gr\u00f6\u00dfe'
const decomposed = 'Gro\u0308\u00dfe'
const forms = [composed, decomposed]

describe('names with accents', () => {
  let under: FolderOfFiles
  let descriptors: number
  beforeEach(async () => {
    under = await makeFolderOfFiles()
    descriptors = await openDescriptors()
  })
  afterEach(async () => {
    expect(await openDescriptors(), 'descriptors left open').to.equal(descriptors)
    expect(await under.outsideNow()).to.deep.equal({ f: canary })
    await under.remove()
  })
  const names = (at = ''): Promise<readonly string[]> => readdir(path.join(under.root, at))

  it('are composed in new files, folders and uploads, whichever form they come in', async () => {
    const { folder, files } = under
    expect((await folder.write(`${decomposed}/${decomposed}.md`, bytesOf('1'))).file).to.include({
      path: `${composed}/${composed}.md`,
      name: `${composed}.md`,
    })
    await folder.makeFolder(`a/${decomposed}`)
    await folder.move(`${decomposed}/${composed}.md`, `b/${decomposed}.txt`)
    const uploads = files.uploads({ handle: 'ada' }, { subsystem: 'workspaces', path: 'agent-1' })
    const { id } = await uploads.begin(`c/${decomposed}`, { size: 1 })
    await uploads.append(
      id,
      (async function* () {
        yield bytesOf('1')
      })(),
      { offset: 0 },
    )
    expect([await names('a'), await names('b'), await names('c')]).to.deep.equal([[composed], [`${composed}.txt`], [composed]])
  })

  for (const stored of forms)
    it(`are found in both forms where the disk has ${stored === composed ? 'the composed' : 'the decomposed'} one`, async () => {
      const { folder, root, files } = under
      await mkdir(path.join(root, stored))
      await writeFile(path.join(root, stored, `${stored}.md`), 'one')
      for (const form of forms) {
        const file = `${form}/${form}.md`
        expect(textOf(await folder.read(file))).to.equal('one')
        expect((await folder.stat(file))?.path).to.equal(`${stored}/${stored}.md`)
        expect((await folder.list(form))?.items.map(({ path: each }) => each)).to.deep.equal([`${stored}/${stored}.md`])
        expect(await folder.realPath(file)).to.equal(`${stored}/${stored}.md`)
        const opened = await folder.open(file)
        await opened?.close()
        expect(opened?.name).to.equal(`${stored}.md`)
        expect(await codeOf(folder.write(file, bytesOf('two'), { ifNoneMatch: '*' }))).to.equal('precondition_failed')
        expect((await folder.write(file, bytesOf('one'))).created).to.equal(false)
        const uploads = files.uploads({ handle: 'ada' }, { subsystem: 'workspaces', path: 'agent-1' })
        const { id } = await uploads.begin(file, { size: 3 })
        await uploads.append(
          id,
          (async function* () {
            yield bytesOf('one')
          })(),
          { offset: 0 },
        )
        expect(await names(stored)).to.deep.equal([`${stored}.md`])
        await folder.move(file, 'moved.md')
        await folder.move('moved.md', `${form}/${form}.md`)
        expect(await folder.remove(file)).to.equal(true)
        await writeFile(path.join(root, stored, `${stored}.md`), 'one')
      }
    })

  it('are found by every form where the disk mixes both in one name', async () => {
    const { folder, root } = under
    const mixed = 'Gr\u00fc\u00dfe aus Ko\u0308ln'
    await mkdir(path.join(root, mixed))
    await writeFile(path.join(root, mixed, `${mixed}.md`), 'one')
    for (const form of [mixed, mixed.normalize('NFC'), mixed.normalize('NFD')]) {
      expect(textOf(await folder.read(`${form}/${form}.md`))).to.equal('one')
      expect(await codeOf(folder.write(`${form}/${form}.md`, bytesOf('two'), { ifNoneMatch: '*' }))).to.equal('precondition_failed')
      expect(await folder.stat(`${mixed}/${mixed}.md/${form}`)).to.equal(undefined)
    }
    expect(await names(mixed)).to.deep.equal([`${mixed}.md`])
    expect((await folder.move(mixed, mixed.normalize('NFC'))).name).to.equal(mixed.normalize('NFC'))
  })

  it('that differ in their form alone are two files, each reached by its own', async () => {
    const { folder, root } = under
    for (const form of forms) await writeFile(path.join(root, form), form)
    for (const form of forms) expect(textOf(await folder.read(form))).to.equal(form)
    expect((await folder.list(''))?.items.map(({ name }) => name)).to.have.members(forms)
    expect(await codeOf(folder.move(decomposed, composed))).to.equal('file_conflict')
    expect(await folder.remove(decomposed)).to.equal(true)
    expect(await names()).to.deep.equal([composed])
  })

  it('can be composed by a move to the same name', async () => {
    await writeFile(path.join(under.root, decomposed), 'one')
    expect((await under.folder.move(decomposed, composed)).name).to.equal(composed)
    expect(await names()).to.deep.equal([composed])
  })

  it('lead nowhere outside, in either form', async () => {
    const { folder, root, outside } = under
    await symlink(outside, path.join(root, decomposed))
    for (const form of forms) {
      expect(await folder.read(`${form}/f`)).to.equal(undefined)
      expect(await folder.realPath(`${form}/f`)).to.equal(undefined)
      expect(await codeOf(folder.write(`${form}/f`, bytesOf('1')))).to.equal('file_not_found')
    }
  })

  it('have the length of their composed form', async () => {
    const long = 'o\u0308'.repeat(100)
    await under.folder.write(long, bytesOf('1'))
    expect(await names()).to.deep.equal(['\u00f6'.repeat(100)])
    expect(await codeOf(under.folder.write('o\u0308'.repeat(128), bytesOf('1')))).to.equal('path_invalid')
  })

  it('keep joiners, marks of direction, dots and blanks at their end, and the names that Windows reserves', async () => {
    const kept = ['a\u200db', 'a\u202eb', 'a. ', 'CON', 'A', 'a']
    for (const name of kept) await under.folder.write(name, bytesOf('1'))
    expect(await names()).to.have.members(kept)
  })
})
