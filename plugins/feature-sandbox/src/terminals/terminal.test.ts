import { createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTerminal, maxUnattendedMs, type Viewer } from './terminal.js'

describe('a terminal with its connections', () => {
  function start() {
    const clock = createTestClock()
    const did: string[] = []
    let end: () => void = () => undefined
    const exited = new Promise<never>((resolve) => {
      end = resolve as () => void
    })
    const terminal = createTerminal(
      {
        exited,
        readTo: (position) => void did.push(`read to ${String(position)}`),
        resize: async ({ columns, rows }) => void did.push(`resize ${columns}x${rows}`),
        stop: async (reason) => {
          did.push(`stop ${String(reason)}`)
          return exited
        },
      },
      { clock, size: { columns: 80, rows: 24 } },
    )
    const heard: string[] = []
    const viewer = (name: string): Viewer => ({
      control: (writer) => void heard.push(`${name} ${writer ? 'writes' : 'watches'}`),
      size: ({ columns, rows }) => void heard.push(`${name} ${columns}x${rows}`),
    })
    return { clock, terminal, did, heard, viewer, end: () => end() }
  }
  const writing = { watches: false, from: 0 }

  it('ends when it was unattended for half an hour, from its start and from the last connection on', async () => {
    const { clock, terminal, did, viewer } = start()
    await clock.advance(maxUnattendedMs - 1)
    const first = terminal.attach(viewer('a'), writing)
    const second = terminal.attach(viewer('b'), { ...writing, watches: true })
    await clock.advance(maxUnattendedMs * 3)
    first.detach()
    await clock.advance(maxUnattendedMs * 3)
    second.detach()
    second.detach()
    await clock.advance(maxUnattendedMs - 1)
    expect(did.filter((each) => each.startsWith('stop'))).to.deep.equal([])
    await clock.advance(1)
    expect(did.filter((each) => each.startsWith('stop'))).to.deep.equal(['stop timeout'])
  })

  it('is not ended after it has ended', async () => {
    const { clock, did, terminal, viewer, end } = start()
    const only = terminal.attach(viewer('a'), writing)
    end()
    await clock.advance(0)
    only.detach()
    await clock.advance(maxUnattendedMs * 2)
    expect(did.filter((each) => each.startsWith('stop'))).to.deep.equal([])
  })

  it('is written to by the one that came or asked last, and each hears what changes for it', async () => {
    const { terminal, heard, viewer } = start()
    const [a, b, c] = ['a', 'b', 'c'].map((name) => terminal.attach(viewer(name), { watches: name === 'c', from: 0 }))
    expect([a?.writes(), b?.writes(), c?.writes()]).to.deep.equal([false, true, false])
    expect(heard.splice(0)).to.deep.equal(['a writes', 'a watches', 'b writes'])
    c?.take()
    b?.take()
    expect(heard.splice(0)).to.deep.equal([])
    a?.take()
    expect(heard.splice(0)).to.deep.equal(['b watches', 'a writes'])
    await b?.resize({ columns: 1, rows: 1 })
    await a?.resize({ columns: 132, rows: 43 })
    expect(heard.splice(0)).to.have.members(['b 132x43', 'c 132x43'])
    expect(terminal.size).to.deep.equal({ columns: 132, rows: 43 })
    a?.detach()
    expect(heard.splice(0)).to.deep.equal(['b writes'])
    a?.take()
    expect(b?.writes()).to.equal(true)
    b?.detach()
    expect([heard.splice(0), c?.writes(), terminal.attended]).to.deep.equal([[], false, true])
  })

  it('keeps the process at the pace of the one that writes, and at none without one', () => {
    const { terminal, did, viewer } = start()
    const a = terminal.attach(viewer('a'), { watches: false, from: 5 })
    a.got(10)
    const b = terminal.attach(viewer('b'), { watches: false, from: 2 })
    a.got(20)
    b.got(7)
    b.detach()
    a.detach()
    expect(did).to.deep.equal(['read to 5', 'read to 10', 'read to 2', 'read to 7', 'read to 20', 'read to undefined'])
  })
})
