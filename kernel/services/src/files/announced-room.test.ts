import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { quietLog } from '@agent-service/kernel-core/database/testing'
import { type DiskRoom, roomFrom } from '@agent-service/kernel-core/disk'
import { createPlainQuotas } from '@agent-service/kernel-core/quotas/testing'
import type { ServiceError } from '@agent-service/sdk'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import { type AnnouncedRoom, createAnnouncedRoom } from './announced-room.js'
import { createStoredBytes, type StoredBytes } from './stored-bytes.js'
import { codeOf } from './testing/folder-of-files.js'
import { createUserFiles } from './user-files.js'

const gibibyte = 1_073_741_824
/** A disk of 100 GiB: one is the reserve. */
const total = 100 * gibibyte

describe('room that is announced', () => {
  const clock = createControlledClock()
  let usersFolder: string
  let free: number
  let measured: () => DiskRoom
  let room: AnnouncedRoom
  let stored: StoredBytes
  let files: UserFiles

  const open = (): AnnouncedRoom => createAnnouncedRoom({ usersFolder, clock, measure: async () => measured() })
  const start = (asked = open(), max?: number): void => {
    room = asked
    stored = createStoredBytes({ usersFolder, max, quotas: createPlainQuotas(), clock, log: quietLog, room })
    files = createUserFiles({ usersFolder, stored, now: () => clock.now() })
  }
  beforeEach(async () => {
    usersFolder = await mkdtemp(path.join(tmpdir(), 'agent-service-room-'))
    free = 81 * gibibyte
    measured = () => roomFrom({ free, total })
    start()
  })
  afterEach(() => rm(usersFolder, { recursive: true }))

  const uploads = (handle: string) => files.uploads({ handle }, { subsystem: 'files' })
  const begin = (handle: string, gibibytes: number) => uploads(handle).begin('video', { size: gibibytes * gibibyte })
  const write = (handle: string, gibibytes: number) =>
    files
      .folder({ handle }, { subsystem: 'files' })
      .write('note', emptyStream(), { expectedBytes: gibibytes * gibibyte })
      .then(({ file }) => file.size)
  /** What a refusal says. */
  const leftFor = async (handle: string): Promise<unknown> => {
    const error: unknown = await room.take(Number.MAX_SAFE_INTEGER, { handle, path: 'all' }).catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'storage_full' })
    return (error as ServiceError).details['left']
  }

  it('refuses an upload that the disk cannot take, and says what is needed and left', async () => {
    const error = await begin('ada', 500).catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'storage_full', status: 507 })
    expect((error as Error).message).to.include(`needs ${500 * gibibyte} bytes, and ${60 * gibibyte} are left`)
    expect(await codeOf(begin('ada', 60))).to.equal('no error')
  })

  it('leaves a reserve to the database, and a part to others, whatever one user has announced', async () => {
    await begin('ada', 60)
    expect(await codeOf(begin('ada', 1))).to.equal('storage_full')
    expect(await codeOf(begin('bob', 16))).to.equal('storage_full')
    expect(await codeOf(begin('bob', 15))).to.equal('no error')
    // 80 of 81 are usable, and 75 are announced.
    expect(await codeOf(write('eve', 4))).to.equal('storage_full')
    expect(await write('eve', 3)).to.equal(0)
  })

  it('is shared however much one user announces at the same time', async () => {
    const sizes = [60, 15, 3, 1, 1]
    const codes = await Promise.all(sizes.map((size) => codeOf(begin('eve', size))))
    const announced = sizes.filter((_, index) => codes[index] === 'no error').reduce((sum, size) => sum + size, 0)
    expect(announced).to.be.at.most(60)
    const hold = await room.take((60 - announced) * gibibyte, { handle: 'eve', path: 'rest' })
    expect(await codeOf(room.take(1, { handle: 'eve', path: 'more', upload: 'upload' }))).to.equal('storage_full')
    expect(await codeOf(begin('ada', 15))).to.equal('no error')
    hold.release()
  })

  it('is one share for writes and uploads, by user', async () => {
    const hold = await room.take(30 * gibibyte, { handle: 'eve', path: 'write' })
    await room.take(20 * gibibyte, { handle: 'eve', path: 'upload', upload: 'upload' })
    expect(await codeOf(write('eve', 11))).to.equal('storage_full')
    expect(await codeOf(begin('eve', 11))).to.equal('storage_full')
    // Of the 30 that eve leaves.
    expect(await codeOf(write('ada', 23))).to.equal('storage_full')
    expect(await write('ada', 22)).to.equal(0)
    hold.release()
    expect(await codeOf(begin('eve', 40))).to.equal('no error')
  })

  it('is asked for by each write of a known size, and held while it is written', async () => {
    const one = await room.take(50 * gibibyte, { handle: 'bob', path: 'one' })
    expect(await codeOf(write('ada', 23))).to.equal('storage_full')
    one.written(20 * gibibyte)
    expect(await codeOf(write('ada', 38))).to.equal('storage_full')
    expect(await write('ada', 37)).to.equal(0)
    one.release()
    one.release()
    expect(await codeOf(write('ada', 61))).to.equal('storage_full')
    expect(await write('ada', 60)).to.equal(0)
  })

  for (const max of [undefined, 2 ** 50])
    it(`is held until bytes are written, not only until they have come, ${max === undefined ? 'without' : 'with'} a limit of each user`, async () => {
      start(room, max)
      free = gibibyte + 10_000
      const lefts: unknown[] = []
      async function* content(): AsyncGenerator<Uint8Array, void, undefined> {
        lefts.push(await leftFor('bob'))
        yield new Uint8Array(2_000)
        lefts.push(await leftFor('bob'))
      }
      await files.folder({ handle: 'ada' }, { subsystem: 'files' }).write('note', content(), { expectedBytes: 6_000 })
      expect(lefts).to.deep.equal([3_000, 4_500])
      const reservation = await stored.reserve('ada', 6_000, { path: 'note' })
      await reservation.grow(2_000)
      expect(await leftFor('bob')).to.equal(3_000)
      reservation.written(2_000)
      expect(await leftFor('bob')).to.equal(4_500)
      reservation.store(2_000)
      reservation.release()
      expect(await leftFor('bob')).to.equal(7_500)
    })

  it('that is unknown is refused to nothing', async () => {
    measured = () => roomFrom({ free: 0, total: 0 })
    expect(await codeOf(begin('ada', 4_000))).to.equal('no error')
    expect(await write('ada', 4_000)).to.equal(0)
  })

  it('of an upload is given back as its bytes arrive, and when it ends', async () => {
    const { id } = await uploads('ada').begin('small', { size: 4_096 })
    free = gibibyte + 10_000
    expect(await leftFor('bob')).to.equal((10_000 - 4_096) * 0.75)
    await uploads('ada').append(id, bytes(1_096), { offset: 0 })
    expect(await leftFor('bob')).to.equal(7_000 * 0.75)
    await uploads('ada').drop(id)
    expect(await leftFor('bob')).to.equal(7_500)
    const again = await uploads('ada').begin('small', { size: 4_096 })
    await uploads('ada').append(again.id, bytes(4_096), { offset: 0 })
    expect([await leftFor('bob'), await leftFor('ada')]).to.deep.equal([7_500, 7_500])
  })

  it('of an upload that could not be begun is given back', async () => {
    const before = await leftFor('bob')
    // A record of that length is not read.
    const error: unknown = await uploads('ada')
      .begin('long', { size: gibibyte, note: 'x'.repeat(100_000) })
      .catch((reason: unknown) => reason)
    expect(error).to.be.an('error')
    expect(await leftFor('bob')).to.equal(before)
  })

  it('of an upload whose bytes cannot be made is given back, though they were found meanwhile', async () => {
    const before = await leftFor('bob')
    measured = () => {
      rmSync(path.join(usersFolder, 'ada', '.incoming'), { recursive: true, force: true })
      return roomFrom({ free, total })
    }
    const said: (readonly [name: string | undefined, bytes: number])[] = []
    const { take, pending } = room
    start({
      take(bytes, options) {
        said.push([options.upload, bytes])
        return take(bytes, options)
      },
      pending(handle, name, bytes) {
        said.push([name, bytes])
        pending(handle, name, bytes)
      },
    })
    expect(await begin('ada', 1).catch((reason: unknown) => reason)).to.be.an('error')
    const [name] = said[0] ?? []
    expect(name).to.match(/^upload-[0-9a-f]{32}$/)
    expect(said).to.deep.equal([
      [name, gibibyte],
      [name, 0],
    ])
    expect(await leftFor('bob')).to.equal(before)
  })

  it('of an upload is counted once while it is begun, and not at all when that fails', async () => {
    const key = `ada/upload-${'1'.repeat(32)}`
    const name = key.slice('ada/'.length)
    let isOnDisk = false
    room = createAnnouncedRoom({
      usersFolder,
      clock,
      measure: async () => measured(),
      find: async () => new Map(isOnDisk ? [[key, { handle: 'ada', bytes: 40 * gibibyte }]] : []),
    })
    for (const isStored of [true, false]) {
      const hold = await room.take(40 * gibibyte, { handle: 'ada', path: 'video', upload: name })
      isOnDisk = true
      // The disk is looked through.
      await clock.advance(11_000)
      expect(await leftFor('bob')).to.equal(30 * gibibyte)
      isOnDisk = isStored
      hold.release()
      room.pending('ada', name, isStored ? 40 * gibibyte : 0)
      expect(await leftFor('bob')).to.equal((isStored ? 30 : 60) * gibibyte)
      isOnDisk = false
      room.pending('ada', name, 0)
    }
  })

  it('of an upload that ends while the disk is looked through is not counted afterwards', async () => {
    let goOn = (): void => undefined
    const upload = { handle: 'ada', bytes: 40 * gibibyte }
    room = createAnnouncedRoom({
      usersFolder,
      clock,
      measure: async () => measured(),
      find: () =>
        new Promise((resolve) => {
          goOn = () => resolve(new Map([['ada/upload', upload]]))
        }),
    })
    const left = leftFor('bob')
    room.pending('ada', 'upload', 0)
    goOn()
    expect(await left).to.equal(60 * gibibyte)
  })

  it('counts the uploads of before a restart, and forgets those that are gone', async () => {
    await begin('ada', 60)
    await mkdir(path.join(usersFolder, 'bob', '.incoming'), { recursive: true })
    const other = path.join(usersFolder, 'bob', '.incoming', `upload-${'0'.repeat(32)}`)
    await writeFile(other, '')
    await truncate(other, 10 * gibibyte)
    start()
    expect(await codeOf(write('eve', 8))).to.equal('storage_full')
    expect(await write('eve', 7)).to.equal(0)
    await rm(other)
    await clock.advance(11_000)
    expect(await write('eve', 15)).to.equal(0)
  })
})

async function* emptyStream(): AsyncGenerator<Uint8Array, void, undefined> {
  // Nothing comes: what was announced is what counts.
}

async function* bytes(count: number): AsyncGenerator<Uint8Array, void, undefined> {
  yield new Uint8Array(count)
}
