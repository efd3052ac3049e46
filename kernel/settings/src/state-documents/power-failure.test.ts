import { createPowerFailureDisk, type MissingSync } from '@agent-service/kernel-core/disk/testing'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { createStateDocuments } from './lowdb-state-documents.js'

const document = {
  name: 'counter',
  schema: Type.Object({ count: Type.Integer(), padding: Type.String() }),
  initial: { count: 0, padding: '' },
}
const updates = 4

/**
 * Writes until the power fails, then checks every possible state of the disk. Returns the problem
 * of the first bad one.
 */
async function failAt(operation: number, missing: MissingSync): Promise<{ readonly problem?: string; readonly finished: boolean }> {
  const disk = createPowerFailureDisk({ failAt: operation, missing })
  let acknowledged = 0
  let finished = true
  const state = await createStateDocuments('/state', disk.fileSystem).open(document)
  for (let count = 1; count <= updates; count++) {
    try {
      await state.update(() => ({ count, padding: 'x'.repeat(100 * (updates - count)) }))
      acknowledged = count
    } catch {
      finished = false
      break
    }
  }
  for (const fileSystem of disk.survivors()) {
    try {
      const { count } = (await createStateDocuments('/state', fileSystem).open(document)).read()
      const writing = finished ? acknowledged : acknowledged + 1
      if (count !== acknowledged && count !== writing) return { problem: `found ${count}, acknowledged was ${acknowledged}`, finished }
    } catch (error) {
      return { problem: String(error), finished }
    }
  }
  return { finished }
}

/** The problems of a power failure at every operation. */
async function failEverywhere(missing: MissingSync): Promise<{ readonly problems: readonly string[]; readonly failures: number }> {
  const problems: string[] = []
  for (let operation = 1; ; operation++) {
    const { problem, finished } = await failAt(operation, missing)
    if (problem !== undefined) problems.push(`power lost at operation ${operation}: ${problem}`)
    if (finished) return { problems, failures: operation - 1 }
  }
}

describe('state documents after a power failure', () => {
  it('have the last acknowledged value or the one being written, wherever the power failed', async () => {
    const { problems, failures } = await failEverywhere('none')
    expect(problems).to.deep.equal([])
    expect(failures).to.be.at.least(updates * 4)
  })

  it('would fail this test without the sync of the file', async () => {
    const { problems } = await failEverywhere('file')
    expect(problems.join('\n')).to.contain('not JSON')
  })

  it('would fail this test without the sync of the folder', async () => {
    const { problems } = await failEverywhere('folder')
    expect(problems.join('\n')).to.contain('found 0, acknowledged was')
  })
})
