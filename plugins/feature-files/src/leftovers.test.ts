import { mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'

const hour = 3_600_000

describe('what interrupted writes and removals leave behind', () => {
  const clock = createControlledClock({ now: Date.now() })
  let kernel: TestKernel
  let incoming: string

  before(async () => {
    kernel = await createTestKernel({ clock })
    incoming = path.join(kernel.folder, 'data', 'users', 'ada', '.incoming')
  })
  after(() => kernel?.stop())

  const isThere = async (name: string): Promise<boolean> =>
    stat(path.join(incoming, name)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false
        throw error
      },
    )

  it('is freed by a job of the running service within ten minutes, and a write under way is left alone', async () => {
    await mkdir(path.join(incoming, 'trash-1', 'deep'), { recursive: true })
    await writeFile(path.join(incoming, 'trash-1', 'deep', 'file'), 'removed')
    for (const [name, age] of [
      ['new-old', 25 * hour],
      ['new-young', hour],
    ] as const) {
      await writeFile(path.join(incoming, name), 'partly written')
      await utimes(path.join(incoming, name), new Date(), new Date(clock.now() - age))
    }
    await eventually(
      async () => {
        // In steps, so that each poll of the scheduler can look before the next.
        await clock.advance(60_000)
        return !(await isThere('trash-1')) && !(await isThere('new-old'))
      },
      { what: 'the removal of what was left behind' },
    )
    expect(await isThere('new-young')).to.equal(true)
  })
})
