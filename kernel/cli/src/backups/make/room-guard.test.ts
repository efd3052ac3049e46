import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiskRoom } from '@agent-service/kernel-core/disk'
import { expect } from 'chai'
import { createSmallService, type SmallService } from '../testing/small-service.js'
import { makeBackup } from './make-backup.js'

const { signal } = new AbortController()
const mebibyte = 1_048_576

describe('the room on the disk of a backup', () => {
  let service: SmallService
  let file: string
  beforeEach(async () => {
    service = await createSmallService()
    file = join(service.folder, 'backup.tar')
  })
  afterEach(() => service.remove())

  /** What a backup fails of when it finds so much room, each time it looks. */
  const attempt = async (usable: readonly number[]): Promise<{ readonly code: unknown; readonly looks: number }> => {
    let looks = 0
    const measure = (): Promise<DiskRoom> => {
      const found = usable[Math.min(looks, usable.length - 1)] ?? 0
      looks += 1
      return Promise.resolve({ total: 2 ** 40, free: found + 1_024 * mebibyte, usable: found })
    }
    const code = await makeBackup(service.sources, file, { signal, measure }).then(
      () => undefined,
      (error: { readonly code?: string }) => error.code,
    )
    return { code, looks }
  }
  const left = (): Promise<readonly string[]> => readdir(service.folder)

  it('is looked at before anything is written', async () => {
    expect(await attempt([0])).to.deep.equal({ code: 'backup_no_room', looks: 1 })
    expect(await left()).to.deep.equal(['data'])
  })

  it('is looked at while it is written, so that the reserve is left to the database', async () => {
    for (const name of ['a', 'b', 'c']) await service.write(`users/ada/files/${name}`, Buffer.alloc(50 * mebibyte, 1))
    const plenty = 1_000 * mebibyte
    expect(await attempt([plenty, plenty, 0])).to.deep.equal({ code: 'backup_no_room', looks: 3 })
    expect(await left()).to.deep.equal(['data'])
    expect((await attempt([plenty])).code).to.equal(undefined)
  })

  it('may be small for a small backup', async () => {
    expect((await attempt([mebibyte])).code).to.equal(undefined)
  })

  it('is looked at more often where it is small', async () => {
    await service.write('users/ada/files/a', Buffer.alloc(3 * mebibyte, 1))
    expect(await attempt([mebibyte, 0])).to.deep.equal({ code: 'backup_no_room', looks: 2 })
  })

  it('is looked at while the database is copied', async () => {
    const { database } = service.sources
    let isAborted = false
    const sources = {
      ...service.sources,
      database: {
        ...database,
        async copy(_: string, options: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void }) {
          options.progress(0, 100 * mebibyte)
          await new Promise((resolve) => options.signal.addEventListener('abort', resolve, { once: true }))
          isAborted = true
          throw options.signal.reason
        },
      },
    }
    const measure = (): Promise<DiskRoom> => Promise.resolve({ total: 2 ** 40, free: 2 ** 31, usable: 150 * mebibyte })
    const failed = await makeBackup(sources, file, { signal, measure }).catch((error: { readonly code?: string }) => error.code)
    expect(failed).to.equal('backup_no_room')
    expect(isAborted).to.equal(true)
    expect(await left()).to.deep.equal(['data'])
  })
})
