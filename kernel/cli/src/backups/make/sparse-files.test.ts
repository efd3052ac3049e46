import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { readArchive } from '../archive/archive-reader.js'
import { findData, maxSegments } from '../archive/sparse-map.js'
import { restoreBackup } from '../restore/restore-backup.js'
import { createSmallService, type SmallService } from '../testing/small-service.js'
import { verifyBackup } from '../verify/verify-backup.js'
import { makeBackup } from './make-backup.js'
import { isByUser, nameFile } from './noted-files.js'

const { signal } = new AbortController()
const mebibyte = 1_048_576
/** In memory where there is such a place: some disks take a minute to remove a file of 20,000 pieces. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const emptyDatabase = { layouts: () => Promise.resolve([]), close: () => Promise.resolve() } as unknown as DatabaseConnection

describe('a file with holes', () => {
  let service: SmallService
  let file: string
  beforeEach(async () => {
    service = await createSmallService(parent)
    file = join(service.folder, 'backup.tar')
    await service.write('users/ada/files/letter.txt', 'Dear Bob')
  })
  afterEach(() => service.remove())

  /** Makes a file of `size` bytes with texts at places. */
  const makeSparse = async (path: string, size: number, texts: Readonly<Record<number, string>> = {}): Promise<string> => {
    await service.write(path, '')
    const place = join(service.sources.dataFolder, path)
    const handle = await open(place, 'r+')
    for (const [at, text] of Object.entries(texts)) await handle.write(text, Number(at))
    await handle.truncate(size)
    await handle.sync()
    await handle.close()
    return place
  }
  /** Makes a file of one byte in each part. */
  const makeDots = async (path: string, { count, every }: { readonly count: number; readonly every: number }): Promise<string> => {
    const place = await makeSparse(path, count * every)
    const handle = await open(place, 'r+')
    for (let number = 0; number < count; number += 1) await handle.write('x', number * every)
    await handle.sync()
    await handle.close()
    return place
  }
  const occupied = async (path: string): Promise<number> => (await stat(path)).blocks * 512

  it('takes the room of its data in a backup, which is verified, and has its holes again when it is restored', async () => {
    const size = 300 * mebibyte + 7
    const place = await makeSparse('users/ada/files/disk.img', size, { 0: 'begin', [150 * mebibyte]: 'middle', [size - 3]: 'end' })
    const zeros = await makeSparse('users/ada/files/zeros', 50 * mebibyte)
    const summary = await makeBackup(service.sources, file, { signal })
    expect(summary).to.deep.include({ files: 3, tooSparse: 0, noted: [] })
    expect(summary.bytes).to.be.below(10 * mebibyte)
    const report = await verifyBackup(file, {
      ...{ signal, scratch: join(service.folder, 'scratch'), encryptionSecret: 'the secret' },
      open: () => Promise.resolve(emptyDatabase),
    })
    expect(report).to.include({ sound: true, proof: 'proven' })
    await restoreBackup(file, service.places)
    const restored = join(service.places.dataFolder, 'users/ada/files/disk.img')
    expect((await readFile(restored)).equals(await readFile(place))).to.equal(true)
    expect(await occupied(restored)).to.be.below(10 * mebibyte)
    const restoredZeros = join(service.places.dataFolder, 'users/ada/files/zeros')
    expect((await stat(restoredZeros)).size).to.equal((await stat(zeros)).size)
    expect(await occupied(restoredZeros)).to.be.below(mebibyte)
  })

  it('comes out of the backup by tar, too', async function () {
    const version = await promisify(execFile)('tar', ['--version']).catch(() => ({ stdout: '' }))
    if (!version.stdout.includes('GNU tar')) this.skip()
    const size = 20 * mebibyte
    const name = `disk ${'ä'.repeat(80)}.img`
    const place = await makeSparse(`users/ada/files/${name}`, size, { 5: 'begin', [9 * mebibyte + 100]: 'middle' })
    await makeBackup(service.sources, file, { signal })
    const out = join(service.folder, 'out')
    await mkdir(out)
    await promisify(execFile)('tar', ['-xf', file, '-C', out])
    const restored = join(out, 'users/ada/files', name)
    expect((await readFile(restored)).equals(await readFile(place))).to.equal(true)
    expect(await occupied(restored)).to.be.below(10 * mebibyte)
  })

  it('is left out if it has more of them than may be read, and named with its owner, and the rest is backed up', async () => {
    await makeSparse('users/eve/workspaces/agent/bomb', 4 * 1_024 ** 4)
    await makeSparse('users/ada/files/disk.img', 20 * mebibyte, { 0: 'begin' })
    const summary = await makeBackup(service.sources, file, { signal, limits: { holesOfFile: 32 * mebibyte, holesOfUser: 64 * mebibyte } })
    expect(summary).to.deep.include({
      ...{ files: 2, tooSparse: 1, bytes: (await stat(file)).size },
      noted: [{ user: 'eve', path: 'workspaces/agent/bomb', reason: 'too_sparse' }],
    })
    await restoreBackup(file, service.places)
    expect((await stat(join(service.places.dataFolder, 'users/ada/files/disk.img'))).size).to.equal(20 * mebibyte)
  })

  it('takes nothing from what may be read of another user, however many there are', async () => {
    for (let number = 0; number < 4; number += 1) await makeSparse(`users/eve/files/bomb-${number}`, 20 * mebibyte)
    await makeSparse('users/zoe/files/disk.img', 20 * mebibyte)
    const { noted, tooSparse } = await makeBackup(service.sources, file, {
      signal,
      limits: { holesOfFile: 30 * mebibyte, holesOfUser: 50 * mebibyte },
    })
    expect(tooSparse).to.equal(2)
    expect(noted.every(({ user }) => user === 'eve')).to.equal(true)
  })

  it('is refused in a backup whose map leads out of it', async () => {
    await makeSparse('users/ada/files/disk.img', 20 * mebibyte, { [3 * mebibyte]: 'middle' })
    await makeBackup(service.sources, file, { signal })
    const whole = await readFile(file)
    const map = Buffer.from('2\n3145728\n4096\n20971520\n0\n')
    const at = whole.indexOf(map)
    expect(at).to.be.above(0)
    const maps = ['2\n3145728\n4096\n20971521\n0\n', '2\n9145728\n4096\n00000001\n0\n', '2\n3145728\n4097\n20971520\n0\n', 'x\n']
    for (const forged of maps) {
      // What is wrong with it is found before any digest is compared.
      const changed = Buffer.from(whole)
      changed.write(forged.padEnd(map.length, '\0'), at, 'latin1')
      await writeFile(file, changed)
      const refused = await readArchive(file, { signal, encryptionSecret: 'the secret' }).catch((error: Error) => error.message)
      expect(String(refused), forged).to.match(/its map|than its map/)
    }
  })

  it('of one byte in each mebibyte takes hardly more room in the backup than on the disk, also for tar', async function () {
    const place = await makeDots('users/eve/workspaces/agent/dots', { count: 128, every: mebibyte })
    const summary = await makeBackup(service.sources, file, { signal })
    expect(summary).to.include({ files: 2, tooSparse: 0 })
    expect(summary.bytes).to.be.below((await occupied(place)) + mebibyte)
    await restoreBackup(file, service.places)
    const restored = join(service.places.dataFolder, 'users/eve/workspaces/agent/dots')
    expect((await readFile(restored)).equals(await readFile(place))).to.equal(true)
    const version = await promisify(execFile)('tar', ['--version']).catch(() => ({ stdout: '' }))
    if (!version.stdout.includes('GNU tar')) this.skip()
    const out = join(service.folder, 'out')
    await mkdir(out)
    await promisify(execFile)('tar', ['-xf', file, '-C', out])
    expect((await readFile(join(out, 'users/eve/workspaces/agent/dots'))).equals(await readFile(place))).to.equal(true)
  })

  it('has its shortest ones filled if there are too many, and is whole again', async () => {
    const place = await makeDots('users/eve/files/dots', { count: 20_000, every: 8_192 })
    const handle = await open(place)
    const data = await findData(handle, 20_000 * 8_192, { maxZeros: Number.MAX_SAFE_INTEGER, signal })
    await handle.close()
    expect(data?.segments.length).to.be.within(1, maxSegments)
    const summary = await makeBackup(service.sources, file, { signal })
    expect(summary).to.include({ files: 2, tooSparse: 0 })
    await restoreBackup(file, service.places)
    expect((await readFile(join(service.places.dataFolder, 'users/eve/files/dots'))).equals(await readFile(place))).to.equal(true)
  })

  it('that cannot be read is left out and named, as is a folder, and the rest is backed up', async () => {
    const place = (path: string): string => join(service.sources.dataFolder, path)
    for (const path of [
      'users/eve/workspaces/agent/closed',
      'users/eve/workspaces/agent/open',
      'users/eve/files/folder/inside',
      'users/eve/files/names/inside',
    ]) {
      await mkdir(dirname(place(path)), { recursive: true })
      await writeFile(place(path), 'x')
    }
    await chmod(place('users/eve/workspaces/agent/closed'), 0)
    await chmod(place('users/eve/files/folder'), 0)
    // Its names can be listed, and nothing of them looked at.
    await mkdir(place('users/eve/files/names/below'))
    await chmod(place('users/eve/files/names'), 0o400)
    const summary = await asOrdinaryUser(service.folder, () => makeBackup(service.sources, file, { signal }))
    expect(summary.noted.map(({ user, path, reason }) => [user, path, reason]).sort()).to.deep.equal([
      ['eve', 'files/folder', 'unreadable'],
      ['eve', 'files/names/below', 'unreadable'],
      ['eve', 'files/names/inside', 'unreadable'],
      ['eve', 'workspaces/agent/closed', 'unreadable'],
    ])
    expect(summary).to.include({ unreadable: 4 })
    await restoreBackup(file, service.places)
    expect(await readFile(join(service.places.dataFolder, 'users/eve/workspaces/agent/open'), 'utf8')).to.equal('x')
  })

  it('that cannot be read fails the backup unless a program of its user can be the cause', () => {
    const found = { path: 'users/ada/files/deep/a', source: '/data/users/ada/files/deep/a' }
    const isByAda = (code: string, { path, source } = found): boolean =>
      isByUser(nameFile(Object.assign(new Error('no'), { code, syscall: 'open', path: source }), { path, source }), path)
    for (const code of ['EACCES', 'EPERM', 'ENAMETOOLONG', 'ELOOP', 'EAGAIN']) expect(isByAda(code), code).to.equal(true)
    for (const code of ['EIO', 'ESTALE', 'EMFILE', 'ENFILE', 'ENOMEM', 'EUCLEAN', 'ETIMEDOUT', 'ENOTCONN'])
      expect(isByAda(code), code).to.equal(false)
    expect(isByUser(nameFile(new Error('it changes faster than it can be read'), found), found.path)).to.equal(true)
    expect(isByUser(nameFile(new TypeError('a mistake'), found), found.path)).to.equal(false)
    const skill = { path: 'skills/weather/SKILL.md', source: '/data/skills/weather/SKILL.md' }
    expect(isByAda('EACCES', skill)).to.equal(false)
  })

  it('that cannot be read is named with its owner', () => {
    const found = { path: 'users/ada/files/deep/a', source: '/data/users/ada/files/deep/a' }
    const named = nameFile(Object.assign(new Error('no'), { code: 'EACCES', syscall: 'open', path: found.source }), found)
    expect(named).to.include({ code: 'backup_file_unreadable' })
    expect((named as Error).message).to.include('The file "files/deep/a" of the user ada cannot be backed up: EACCES')
    expect(nameFile(Object.assign(new Error('no'), { code: 'EIO', syscall: 'read' }), found)).to.include({ code: 'backup_file_unreadable' })
    const full = Object.assign(new Error('no'), { code: 'ENOSPC', syscall: 'write' })
    expect(nameFile(full, found)).to.equal(full)
  })
})

/** The superuser reads everything, whatever its rights are. */
async function asOrdinaryUser<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return work()
  const nobody = 65_534
  await promisify(execFile)('chown', ['-R', String(nobody), folder])
  process.seteuid?.(nobody)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
