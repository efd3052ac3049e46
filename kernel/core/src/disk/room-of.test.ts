import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { roomFrom, roomOf } from './room-of.js'

const gibibyte = 1_073_741_824

describe('room on a disk', () => {
  it('is what is free less a reserve of 2 %, at most 1 GiB', () => {
    expect(roomFrom({ free: 100, total: 1_000 }).usable).to.equal(80)
    expect(roomFrom({ free: 10, total: 1_000 }).usable).to.equal(0)
    expect(roomFrom({ free: 500 * gibibyte, total: 1_000 * gibibyte }).usable).to.equal(499 * gibibyte)
  })

  it('is unknown, and refused to nothing, where a file system says 0 blocks', async function () {
    expect((await roomOf('/none', async () => ({ blocks: 0, bavail: 0, bsize: 4_096 }))).usable).to.equal(Number.POSITIVE_INFINITY)
    if (process.platform !== 'linux') this.skip()
    expect((await roomOf('/proc')).usable).to.equal(Number.POSITIVE_INFINITY)
  })

  it('is counted in the blocks that the file system counts, not in those that it transfers', async () => {
    const look = async () => ({ blocks: 1_000, bavail: 100, bsize: 1_048_576, frsize: 4_096 })
    expect(await roomOf('/none', look)).to.deep.equal({ total: 4_096_000, free: 409_600, usable: 327_680 })
  })

  it('of a folder that does not exist is that of the nearest one above', async () => {
    const { total } = await roomOf(tmpdir())
    expect(await roomOf(path.join(tmpdir(), 'no-such-folder', 'below'))).to.include({ total })
  })
})
