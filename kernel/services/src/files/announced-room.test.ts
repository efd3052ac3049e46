import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { quietLog } from '@agent-service/kernel-core/database/testing'
import { roomFrom } from '@agent-service/kernel-core/disk'
import { createPlainQuotas } from '@agent-service/kernel-core/quotas/testing'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import { type AnnouncedRoom, createAnnouncedRoom } from './announced-room.js'
import { createStoredBytes } from './stored-bytes.js'
import { codeOf } from './testing/folder-of-files.js'
import { createUserFiles } from './user-files.js'

const gibibyte = 1_073_741_824
/** A disk of 100 GiB: one is the reserve. */
const total = 100 * gibibyte

describe('room that is announced', () => {
  const clock = createControlledClock()
  let usersFolder: string
  let free: number
  let room: AnnouncedRoom
  let files: UserFiles

  const open = (): void => {
    room = createAnnouncedRoom({ usersFolder, clock, measure: () => Promise.resolve(roomFrom({ free, total })) })
    const stored = createStoredBytes({ usersFolder, max: undefined, quotas: createPlainQuotas(), clock, log: quietLog, room })
    files = createUserFiles({ usersFolder, stored, now: () => clock.now() })
  }
  beforeEach(async () => {
    usersFolder = await mkdtemp(path.join(tmpdir(), 'agent-service-room-'))
    free = 81 * gibibyte
    open()
  })
  afterEach(() => rm(usersFolder, { recursive: true }))

  const uploads = (handle: string) => files.uploads({ handle }, { subsystem: 'files' })
  const begin = (handle: string, gibibytes: number) => uploads(handle).begin('video', { size: gibibytes * gibibyte })
  const write = (handle: string, gibibytes: number) =>
    files
      .folder({ handle }, { subsystem: 'files' })
      .write('note', emptyStream(), { expectedBytes: gibibytes * gibibyte })
      .then(({ file }) => file.size)

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
    expect(await codeOf(write('eve', 6))).to.equal('storage_full')
    expect(await write('eve', 5)).to.equal(0)
  })

  it('is asked for by each write of a known size, and held while it is written', async () => {
    const one = await room.take(50 * gibibyte, { path: 'one' })
    expect(await codeOf(write('ada', 31))).to.equal('storage_full')
    one.written(20 * gibibyte)
    expect(await codeOf(write('ada', 51))).to.equal('storage_full')
    expect(await write('ada', 50)).to.equal(0)
    one.release()
    one.release()
    expect(await codeOf(write('ada', 81))).to.equal('storage_full')
    expect(await write('ada', 80)).to.equal(0)
  })

  it('of an upload is given back as its bytes arrive, and when it ends', async () => {
    const { id } = await uploads('ada').begin('small', { size: 4_096 })
    free = gibibyte + 10_000
    expect(await codeOf(room.take(6_000, { path: 'a' }))).to.equal('storage_full')
    await uploads('ada').append(id, bytes(1_096), { offset: 0 })
    const hold = await room.take(7_000, { path: 'a' })
    expect(await codeOf(room.take(1, { path: 'a' }))).to.equal('storage_full')
    hold.release()
    await uploads('ada').drop(id)
    const again = await uploads('ada').begin('small', { size: 4_096 })
    await uploads('ada').append(again.id, bytes(4_096), { offset: 0 })
    await room.take(10_000, { path: 'a' })
  })

  it('counts the uploads of before a restart, and forgets those that are gone', async () => {
    await begin('ada', 60)
    await mkdir(path.join(usersFolder, 'bob', '.incoming'), { recursive: true })
    const other = path.join(usersFolder, 'bob', '.incoming', `upload-${'0'.repeat(32)}`)
    await writeFile(other, '')
    await truncate(other, 10 * gibibyte)
    open()
    expect(await codeOf(write('eve', 11))).to.equal('storage_full')
    expect(await write('eve', 10)).to.equal(0)
    await rm(other)
    await clock.advance(11_000)
    expect(await write('eve', 20)).to.equal(0)
  })
})

async function* emptyStream(): AsyncGenerator<Uint8Array, void, undefined> {
  // Nothing comes: what was announced is what counts.
}

async function* bytes(count: number): AsyncGenerator<Uint8Array, void, undefined> {
  yield new Uint8Array(count)
}
