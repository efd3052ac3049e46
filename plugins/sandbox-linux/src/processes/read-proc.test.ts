import { expect } from 'chai'
import { readProcessTable } from './process-table.js'
import { readProc } from './read-proc.js'

describe('files of processes', () => {
  it('are read of all processes, or of those that are named and still there', async () => {
    const lines = await readProc('cmdline')
    expect(lines.get(process.pid)).to.include('\0')
    expect([...(await readProc('cmdline', [process.pid, 999_999_999])).keys()]).to.deep.equal([process.pid])
    expect((await readProcessTable()).get(process.pid)?.parent).to.equal(process.ppid)
  })

  it('leave other work its turns', async () => {
    let turns = 0
    const count = setInterval(() => {
      turns += 1
    }, 1)
    await readProc(
      'stat',
      Array.from({ length: 20_000 }, () => process.pid),
    )
    clearInterval(count)
    expect(turns).to.be.greaterThan(3)
  })
})
