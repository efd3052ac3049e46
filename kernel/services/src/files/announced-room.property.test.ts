import { setImmediate } from 'node:timers/promises'
import { roomFrom } from '@agent-service/kernel-core/disk'
import type { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import fc from 'fast-check'
import { type AnnouncedRoom, createAnnouncedRoom } from './announced-room.js'
import { type PendingUpload, uploadKey } from './pending-uploads.js'

const handles = ['ada', 'bob', 'eve'] as const
const total = 1_000_000

const work = fc.record({
  handle: fc.constantFrom(...handles),
  bytes: fc.integer({ min: 0, max: 400_000 }),
  isUpload: fc.boolean(),
  /** How it ends: before the first byte, before it is an upload, after some bytes, or with its last. */
  end: fc.constantFrom('aborted', 'failed', 'dropped', 'finished'),
  pieces: fc.integer({ min: 1, max: 4 }),
})
type Work = typeof work extends fc.Arbitrary<infer Value> ? Value : never

/** Lets one of those that wait go on at a time, in an order that the numbers decide. */
function createTurns(numbers: readonly number[]) {
  const waiting: (() => void)[] = []
  return {
    wait: () => new Promise<void>((resolve) => waiting.push(resolve)),
    async run(work: Promise<unknown>): Promise<void> {
      let isDone = false
      const done = work.finally(() => {
        isDone = true
      })
      for (let turn = 0; !isDone; turn += 1) {
        const [next] = waiting.splice((numbers[turn % numbers.length] ?? 0) % Math.max(1, waiting.length), 1)
        next?.()
        await setImmediate()
      }
      await done
    },
  }
}

/** A disk whose answers come in any order, and what is announced of it. */
function createStorm({ wait }: Pick<ReturnType<typeof createTurns>, 'wait'>) {
  let free = total
  let now = 0
  let count = 0
  let grants = 0
  /** Bytes of unfinished uploads, as long as they are. */
  const files = new Map<string, PendingUpload>()
  /** What is announced in truth. */
  const announced = new Map<string, PendingUpload>()

  const pause = async (): Promise<void> => {
    now += 50
    await wait()
  }
  const room: AnnouncedRoom = createAnnouncedRoom({
    usersFolder: '/none',
    clock: { monotonic: () => now },
    async measure() {
      await pause()
      return roomFrom({ free, total })
    },
    async find() {
      const found = new Map<string, PendingUpload>()
      for (const handle of handles) {
        await pause()
        for (const [key, file] of files) if (file.handle === handle) found.set(key, file)
      }
      return found
    },
  })
  const leftFor = (handle: string): number => {
    const sum = (isOwn: boolean): number =>
      [...announced.values()].reduce((bytes, one) => ((one.handle === handle) === isOwn ? bytes + one.bytes : bytes), 0)
    return Math.max(0, Math.floor(Math.max(0, roomFrom({ free, total }).usable - sum(false)) * 0.75) - sum(true))
  }
  const take = async (handle: string, bytes: number, upload: string | undefined) => {
    try {
      return await room.take(bytes, { handle, path: 'file', ...(upload === undefined ? {} : { upload }) })
    } catch (error) {
      expect(error).to.deep.include({ code: 'storage_full' })
      expect((error as ServiceError).details['left'], 'left')
        .to.equal(leftFor(handle))
        .and.to.be.below(bytes)
      return undefined
    }
  }

  const play = async ({ handle, bytes, isUpload, end, pieces }: Work): Promise<void> => {
    await pause()
    count += 1
    const name = `upload-${count}`
    const key = uploadKey(handle, name)
    const hold = await take(handle, bytes, isUpload ? name : undefined)
    if (!hold) return
    expect(bytes, 'granted').to.be.at.most(leftFor(handle))
    grants += 1
    announced.set(key, { handle, bytes })
    const over = (): void => {
      hold.release()
      if (isUpload) room.pending(handle, name, 0)
      announced.delete(key)
    }
    await pause()
    if (end === 'aborted') return over()
    if (isUpload) {
      files.set(key, { handle, bytes })
      await pause()
      if (end === 'failed') {
        files.delete(key)
        await pause()
        return over()
      }
      hold.release()
      room.pending(handle, name, bytes)
    }
    for (let piece = 1; piece <= pieces; piece += 1) {
      await pause()
      const done = Math.floor((bytes * piece) / (pieces + (end === 'finished' ? 0 : 1)))
      free -= (announced.get(key)?.bytes ?? 0) - (bytes - done)
      announced.set(key, { handle, bytes: bytes - done })
      if (isUpload) {
        files.set(key, { handle, bytes: bytes - done })
        room.pending(handle, name, bytes - done)
      } else hold.written(done)
    }
    await pause()
    files.delete(key)
    free = Math.min(total, free + bytes - (announced.get(key)?.bytes ?? 0))
    over()
    hold.release()
  }

  return {
    play,
    grants: () => grants,
    /** What each user may announce, as the service says it. */
    lefts: () =>
      Promise.all(
        [...handles, 'new'].map((handle) =>
          room.take(total, { handle, path: 'all' }).catch((error: unknown) => (error as ServiceError).details['left']),
        ),
      ),
    isIdle: () => announced.size === 0 && files.size === 0 && free === total,
  }
}

describe('room that is announced, in a storm of five hundred writes and uploads', () => {
  it('is never counted twice or left out, is shared, and is all given back', async function () {
    this.timeout(60_000)
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const turns = createTurns(fc.sample(fc.nat(), { seed, numRuns: 5_000 }))
        const storm = createStorm(turns)
        await turns.run(Promise.all(fc.sample(work, { seed, numRuns: 500 }).map((one) => storm.play(one))))
        expect(storm.grants()).to.be.above(0)
        expect(storm.isIdle()).to.equal(true)
        const lefts = storm.lefts()
        await turns.run(lefts)
        expect(await lefts).to.deep.equal(Array(4).fill(735_000))
      }),
      { numRuns: 20 },
    )
  })
})
