import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type ControlledClock, createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { createPlainQuotas } from '@agent-service/kernel-core/quotas/testing'
import { expect } from 'chai'
import { createStoredBytes } from './stored-bytes.js'
import { codeOf, type FolderOfFiles, makeFolderOfFiles } from './testing/folder-of-files.js'

const max = 10_000
const bytes = (length: number): Uint8Array => new Uint8Array(length)

/** A content in chunks that counts how many were read; `gate` is awaited before each. */
function inPieces(pieces: number, length: number, gate: Promise<void> = Promise.resolve()) {
  const asked = { pieces: 0 }
  const content = async function* (): AsyncIterable<Uint8Array> {
    for (let piece = 0; piece < pieces; piece += 1) {
      await gate
      asked.pieces += 1
      yield bytes(length)
    }
  }
  return { asked, content: content() }
}

describe('the bytes that a user may keep', () => {
  let of: FolderOfFiles
  let clock: ControlledClock

  beforeEach(async () => {
    clock = createControlledClock()
    of = await makeFolderOfFiles(undefined, { max, clock })
    // The files before the first write: the canary of another agent, and this one.
    await writeFile(path.join(of.root, 'there'), bytes(1_000))
  })
  afterEach(() => of.remove())

  const usedNow = async (): Promise<number> => (await of.files.stored({ handle: 'ada' })).usedBytes
  const canaryBytes = 'canary of somebody else'.length

  it('are counted over all subsystems, with existing files', async () => {
    await of.folder.write('a', bytes(500))
    await of.files.folder({ handle: 'ada' }, { subsystem: 'files' }).write('b', bytes(700))
    await of.files.folder({ handle: 'eve' }, { subsystem: 'files' }).write('c', bytes(9_000))
    expect(await of.files.stored({ handle: 'ada' })).to.deep.equal({ usedBytes: 2_200 + canaryBytes, maxBytes: max })
  })

  it('are up to date right after a write, also without a limit', async () => {
    const free = await makeFolderOfFiles(undefined, { clock })
    try {
      const used = async (): Promise<number> => (await free.files.stored({ handle: 'ada' })).usedBytes
      const before = await used()
      await free.folder.write('a', bytes(500))
      expect((await used()) - before).to.equal(500)
      await free.folder.write('a', bytes(200))
      expect((await used()) - before).to.equal(200)
    } finally {
      await free.remove()
    }
  })

  it('are not exceeded by one write, of which nothing remains', async () => {
    expect(await codeOf(of.folder.write('a', bytes(9_500)))).to.equal('quota_exceeded')
    expect(await of.folder.stat('a')).to.equal(undefined)
    expect(await of.incoming()).to.deep.equal([])
    await of.folder.write('a', bytes(8_000))
    expect(await codeOf(of.folder.write('b', bytes(1_000)))).to.equal('quota_exceeded')
  })

  it('are not exceeded by a write with an announced length: none of its bytes is read', async () => {
    const { asked, content } = inPieces(100, 1_000)
    expect(await codeOf(of.folder.write('a', content, { expectedBytes: 100_000 }))).to.equal('quota_exceeded')
    expect(asked.pieces).to.equal(0)
  })

  it('are not exceeded by a write that announces no length or a smaller one: it ends with the first chunk that does not fit', async () => {
    for (const expectedBytes of [undefined, 1]) {
      const { asked, content } = inPieces(100, 1_000)
      const options = expectedBytes === undefined ? {} : { expectedBytes }
      expect(await codeOf(of.folder.write('a', content, options))).to.equal('quota_exceeded')
      expect(asked.pieces).to.equal(9)
      expect(await of.incoming()).to.deep.equal([])
    }
    expect(await usedNow()).to.equal(1_000 + canaryBytes)
  })

  it('are not exceeded by concurrent writes, whatever they replace', async () => {
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const writes = Array.from({ length: 20 }, (_, index) => of.folder.write(`f${index % 3}`, inPieces(3, 1_000, gate).content))
    const announced = Array.from({ length: 20 }, (_, index) =>
      of.folder.write(`g${index}`, inPieces(3, 1_000, gate).content, { expectedBytes: 3_000 }),
    )
    const all = Promise.allSettled([...writes, ...announced])
    open()
    const written = (await all).filter(({ status }) => status === 'fulfilled').length
    expect(written).to.be.within(1, 10)
    expect(await usedNow()).to.be.at.most(max)
    expect(await of.incoming()).to.deep.equal([])
  })

  it('are free again when something is removed, replaced, or moved over', async () => {
    await of.folder.write('a', bytes(4_000))
    await of.folder.write('b', bytes(4_000))
    await of.folder.remove('a')
    await of.folder.write('a', bytes(4_500))
    await of.folder.remove('a')
    await of.folder.write('b', bytes(100))
    expect(await usedNow()).to.equal(1_100 + canaryBytes)
    await of.folder.write('c', bytes(5_000))
    await of.folder.move('b', 'c', { replace: true })
    expect(await usedNow()).to.equal(1_100 + canaryBytes)
    await of.folder.write('many/a/b', bytes(7_000))
    await of.folder.remove('many', { recursive: true })
    await clock.advance(1_000)
    await of.folder.write('d', bytes(8_000))
    expect(await usedNow()).to.equal(9_100 + canaryBytes)
  })

  it('are measured again after a start, including files that a killed process left in the incoming folder', async () => {
    await mkdir(path.join(of.home, '.incoming'), { recursive: true })
    await writeFile(path.join(of.home, '.incoming', 'new-left'), bytes(8_000))
    expect(await codeOf(of.folder.write('a', bytes(1_500)))).to.equal('quota_exceeded')
    await rm(path.join(of.home, '.incoming', 'new-left'))
  })

  it('are measured again once ten minutes old, or before a refusal, when others have removed files', async () => {
    await of.folder.write('a', bytes(5_000))
    const before = await usedNow()
    // As the deletion of a plugin's data removes folders: past the counts.
    await rm(path.join(of.root, 'a'))
    await clock.advance(600_000)
    expect(await usedNow(), 'exactly ten minutes').to.equal(before)
    await clock.advance(1)
    expect(await usedNow()).to.equal(before - 5_000)
    await of.folder.write('b', bytes(5_000))
    await rm(path.join(of.root, 'b'))
    await clock.advance(9_999)
    expect(await codeOf(of.folder.write('c', bytes(7_000)))).to.equal('quota_exceeded')
    await clock.advance(1)
    await of.folder.write('c', bytes(7_000))
    expect(await usedNow()).to.equal(before - 5_000 + 7_000)
  })

  it('without a limit are measured again when the last measurement is older than a second', async () => {
    const free = await makeFolderOfFiles(undefined, { clock })
    try {
      const used = async (): Promise<number> => (await free.files.stored({ handle: 'ada' })).usedBytes
      const before = await used()
      await free.folder.write('a', bytes(500))
      await rm(path.join(free.root, 'a'))
      expect(await used()).to.equal(before + 500)
      await clock.advance(1_001)
      expect(await used()).to.equal(before)
    } finally {
      await free.remove()
    }
  })

  it('are not limited if no limit is set', async () => {
    const free = await makeFolderOfFiles()
    await free.folder.write('a', bytes(max * 2))
    expect(await free.files.stored({ handle: 'ada' })).to.deep.equal({ usedBytes: max * 2 + canaryBytes })
    await free.remove()
  })

  it('of many users are forgotten, but not of one who is writing', async () => {
    const measured: string[] = []
    const stored = createStoredBytes({
      ...{ usersFolder: '/users', max, clock, quotas: createPlainQuotas(), log: { warn: () => undefined } },
      measureFiles: async (folder) => {
        measured.push(path.basename(folder))
        return 0
      },
    })
    const writer = await stored.reserve('writer', 100, { path: 'a' })
    writer.writeAs('new-1')
    await stored.usage('reader')
    for (let user = 0; user < 10_000; user += 1) await stored.usage(`user-${user}`)
    writer.store(100)
    expect((await stored.usage('writer')).usedBytes).to.equal(100)
    await stored.usage('reader')
    expect(measured.filter((name) => name === 'writer' || name === 'reader')).to.deep.equal(['writer', 'reader', 'reader'])
  })

  it('keep the last known count if it cannot be measured, and log the reason', async () => {
    const warned: unknown[] = []
    const failure = new Error('the disk is gone')
    let isBroken = false
    const stored = createStoredBytes({
      ...{ usersFolder: path.dirname(of.home), max, clock, quotas: createPlainQuotas() },
      log: { warn: (_, fields) => void warned.push(fields?.['error']) },
      measureFiles: async () => {
        if (isBroken) throw failure
        return 1_000
      },
    })
    ;(await stored.reserve('ada', 10, { path: 'a' })).release()
    isBroken = true
    await clock.advance(3_600_000)
    ;(await stored.reserve('ada', 10, { path: 'a' })).release()
    await new Promise(setImmediate)
    expect(warned).to.deep.equal([failure])
  })
})
