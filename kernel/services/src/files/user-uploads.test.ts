import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, unlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { UserUploads } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import { bytesOf, canary, type FolderOfFiles, makeFolderOfFiles } from './testing/folder-of-files.js'

const owner = { handle: 'ada' }
const place = { subsystem: 'workspaces', path: 'agent-1', links: 'refuse' } as const

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const text of texts) yield bytesOf(text)
}

async function* brokenAfter(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytesOf(text)
  throw new Error('the connection broke')
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
    return 'done'
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? (error as Error).message
  }
}

describe('uploads in pieces', () => {
  let test: FolderOfFiles
  let uploads: UserUploads
  const open = async (options: Parameters<typeof makeFolderOfFiles>[1] = {}): Promise<void> => {
    test = await makeFolderOfFiles(undefined, options)
    uploads = test.files.uploads(owner, place)
  }
  beforeEach(() => open())
  afterEach(() => test.remove())
  const atPath = (name: string): Promise<string> => readFile(path.join(test.root, name), 'utf8')

  it('put the file at its path with the last byte, and not before', async () => {
    const { id } = await uploads.begin('deep/file.txt', { size: 9, note: 'path ZmlsZQ==' })
    expect(await uploads.append(id, pieces('one', 'two'), { offset: 0 })).to.include({ offset: 6, size: 9, path: 'deep/file.txt' })
    expect(await readdir(test.root)).to.deep.equal([])
    expect((await uploads.list()).map((each) => [each.id, each.offset, each.note])).to.deep.equal([[id, 6, 'path ZmlsZQ==']])
    expect(await uploads.append(id, pieces('end'), { offset: 6 })).to.include({ offset: 9 })
    expect(await atPath('deep/file.txt')).to.equal('onetwoend')
    expect(await uploads.find(id)).to.include({ offset: 9 })
    expect(await uploads.list()).to.deep.equal([])
    expect(await uploads.drop(id)).to.equal(false)
    expect(await test.incoming()).to.deep.equal([])
    expect(await uploads.find(id)).to.equal(undefined)
  })

  it('go on after a break and a restart with what has arrived', async () => {
    const { id } = await uploads.begin('file', { size: 9 })
    expect(await codeOf(uploads.append(id, brokenAfter('one'), { offset: 0 }))).to.equal('the connection broke')
    expect(await uploads.find(id)).to.include({ offset: 3 })
    expect(await codeOf(uploads.append(id, pieces('x'), { offset: 0 }))).to.equal('upload_offset_conflict')
    await uploads.append(id, pieces('twoend'), { offset: 3 })
    expect(await atPath('file')).to.equal('onetwoend')
  })

  it('never count as complete before the file is at its path, even if all bytes have arrived', async () => {
    const { id } = await uploads.begin('file', { size: 6, ifNoneMatch: '*' })
    expect(await codeOf(uploads.append(id, brokenAfter('onetwo'), { offset: 0 }))).to.equal('the connection broke')
    expect(await uploads.find(id)).to.include({ offset: 5 })
    await writeFile(path.join(test.root, 'file'), 'meanwhile')
    expect(await codeOf(uploads.append(id, pieces('o'), { offset: 5 }))).to.equal('precondition_failed')
    expect(await atPath('file')).to.equal('meanwhile')
    await unlink(path.join(test.root, 'file'))
    await uploads.append(id, pieces('o'), { offset: 5 })
    expect(await atPath('file')).to.equal('onetwo')
  })

  it('take a piece with a checksum whole or not at all', async () => {
    const { id } = await uploads.begin('file', { size: 6 })
    const checksum = { algorithm: 'sha1', digest: createHash('sha1').update('one').digest('base64') } as const
    expect(await codeOf(uploads.append(id, pieces('onx'), { offset: 0, checksum }))).to.equal('upload_checksum_mismatch')
    expect(await codeOf(uploads.append(id, brokenAfter('on'), { offset: 0, checksum }))).to.equal('the connection broke')
    expect(await uploads.find(id)).to.include({ offset: 0 })
    expect(await uploads.append(id, pieces('one'), { offset: 0, checksum })).to.include({ offset: 3 })
  })

  it('take no byte more than was announced, and one piece at a time', async () => {
    const { id } = await uploads.begin('file', { size: 4 })
    expect(await codeOf(uploads.append(id, pieces('on', 'etwo'), { offset: 0 }))).to.equal('upload_too_long')
    let isReading = (): void => undefined
    let goOn = (): void => undefined
    const reading = new Promise<void>((resolve) => {
      isReading = resolve
    })
    const released = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const slow = async function* () {
      isReading()
      await released
      yield bytesOf('et')
    }
    const first = uploads.append(id, slow(), { offset: 2 })
    await reading
    expect(await codeOf(uploads.append(id, pieces('xx'), { offset: 2 }))).to.equal('upload_locked')
    expect(await codeOf(uploads.drop(id))).to.equal('upload_locked')
    goOn()
    expect(await first).to.include({ offset: 4 })
    expect(await atPath('file')).to.equal('onet')
  })

  it('take their whole room at the beginning, over a restart too, and give it back', async () => {
    await test.remove()
    await open({ max: 100 })
    const { id } = await uploads.begin('file', { size: 60 })
    expect(await codeOf(uploads.begin('other', { size: 60 }))).to.equal('quota_exceeded')
    expect((await test.files.stored(owner)).usedBytes).to.be.within(60 + canary.length, 100)
    expect(await uploads.drop(id)).to.equal(true)
    expect(await test.incoming()).to.deep.equal([])
    await uploads.begin('other', { size: 60 })
  })

  it('are there at once if they are empty, and at most a hundred are unfinished', async () => {
    expect(await uploads.begin('empty', { size: 0 })).to.include({ offset: 0, size: 0 })
    expect(await atPath('empty')).to.equal('')
    for (let count = 0; count < 100; count += 1) await uploads.begin(`file-${count}`, { size: 1 })
    expect(await codeOf(uploads.begin('one-more', { size: 1 }))).to.equal('too_many_uploads')
    expect(await uploads.list()).to.have.length(100)
  })

  it('belong to one folder, and no text is taken for an id', async () => {
    const { id } = await uploads.begin('file', { size: 3 })
    const others = test.files.uploads(owner, { ...place, path: 'agent-2' })
    const bobs = test.files.uploads({ handle: 'bob' }, place)
    for (const foreign of [others, bobs]) {
      expect(await foreign.find(id)).to.equal(undefined)
      expect(await foreign.append(id, pieces('one'), { offset: 0 })).to.equal(undefined)
      expect(await foreign.drop(id)).to.equal(false)
      expect(await foreign.list()).to.deep.equal([])
    }
    for (const text of ['', '..', '../../f', `${id}.record`, id.toUpperCase(), 'x'.repeat(32)])
      expect(await uploads.find(text)).to.equal(undefined)
    expect(await uploads.find(id)).to.include({ offset: 0 })
  })

  it('do not follow a link at their end, nor on the way to it', async () => {
    const { id } = await uploads.begin('a/f', { size: 1 })
    await symlink(test.outside, path.join(test.root, 'a'))
    expect(await codeOf(uploads.append(id, pieces('x'), { offset: 0 }))).to.equal('file_not_found')
    expect(await codeOf(uploads.begin('a/g', { size: 1 }))).to.equal('file_not_found')
    await unlink(path.join(test.root, 'a'))
    await mkdir(path.join(test.root, 'a'))
    await symlink(path.join(test.outside, 'f'), path.join(test.root, 'a', 'f'))
    expect(await codeOf(uploads.append(id, pieces('x'), { offset: 0 }))).to.equal('file_conflict')
    expect(await test.outsideNow()).to.deep.equal({ f: canary })
  })

  it('are removed a day after the last piece, record first, and younger ones stay', async () => {
    const old = await uploads.begin('old', { size: 3 })
    const young = await uploads.begin('young', { size: 3 })
    const finished = await uploads.begin('finished', { size: 1 })
    await uploads.append(finished.id, pieces('x'), { offset: 0 })
    const orphan = `upload-${'0'.repeat(32)}`
    const incoming = path.join(test.home, '.incoming')
    await writeFile(path.join(incoming, orphan), 'x')
    const yesterday = new Date(Date.now() - 25 * 3_600_000)
    const aged = (await readdir(incoming)).filter((name) => !name.includes(young.id))
    for (const name of aged) await utimes(path.join(incoming, name), yesterday, yesterday)
    // Of one that goes on, only the record is touched.
    await utimes(path.join(incoming, `upload-${young.id}`), yesterday, yesterday)
    expect((await uploads.find(old.id))?.expiresAt).to.be.below(Date.now())
    await test.files.freeLeftovers({ signal: new AbortController().signal })
    expect((await readdir(incoming)).sort()).to.deep.equal([`upload-${young.id}`, `upload-${young.id}.record`])
    expect(await uploads.find(old.id)).to.equal(undefined)
    expect(await uploads.find(young.id)).to.include({ offset: 0 })
  })

  it('whose begin a crash cut off are removed after ten minutes, since they cannot be seen', async () => {
    const begun = await uploads.begin('begun', { size: 3 })
    const incoming = path.join(test.home, '.incoming')
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)
    for (const [digit, age] of [
      ['2', 11],
      ['3', 9],
    ] as const) {
      const name = path.join(incoming, `upload-${digit.repeat(32)}`)
      await writeFile(name, 'x')
      await utimes(name, minutesAgo(age), minutesAgo(age))
    }
    await utimes(path.join(incoming, `upload-${begun.id}`), minutesAgo(11), minutesAgo(11))
    await test.files.freeLeftovers({ signal: new AbortController().signal })
    expect((await readdir(incoming)).sort()).to.deep.equal(
      [`upload-${'3'.repeat(32)}`, `upload-${begun.id}`, `upload-${begun.id}.record`].sort(),
    )
  })

  it('pass over a record that a crash left half written', async () => {
    await uploads.begin('file', { size: 3 })
    const torn = '1'.repeat(32)
    await writeFile(path.join(test.home, '.incoming', `upload-${torn}.record`), '00000000000')
    expect(await uploads.find(torn)).to.equal(undefined)
    expect(await uploads.list()).to.have.length(1)
  })
})
