import { createPowerFailureDisk, failEverywhere, type MissingSync, type PowerFailure } from '@agent-service/kernel-core/disk/testing'
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
async function failAt(operation: number, missing: MissingSync): Promise<PowerFailure> {
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

const withPowerFailures = (missing: MissingSync) => failEverywhere((operation) => failAt(operation, missing))

describe('state documents after a power failure', () => {
  it('have the last acknowledged value or the one being written, wherever the power failed', async () => {
    const { problems, failures } = await withPowerFailures('none')
    expect(problems).to.deep.equal([])
    expect(failures).to.be.at.least(updates * 4)
  })

  it('would fail this test without the sync of the file', async () => {
    const { problems } = await withPowerFailures('file')
    expect(problems.join('\n')).to.contain('not JSON')
  })

  it('would fail this test without the sync of the folder', async () => {
    const { problems } = await withPowerFailures('folder')
    expect(problems.join('\n')).to.contain('found 0, acknowledged was')
  })
})
