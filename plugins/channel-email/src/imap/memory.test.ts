import type { JsonObject } from '@agent-service/sdk'
import type { ChannelHost, ChannelMessage, ChannelReceived } from '@agent-service/sdk/contracts/channel'
import { expect } from 'chai'
import { type Cursor, openMemory } from './memory.js'

const cursorAt = (uid: number): Cursor => ({ uidValidity: '1', uid, at: 0 })
const message = { id: '1' } as unknown as ChannelMessage

describe('what a connection knows', () => {
  let stored: ChannelReceived[]
  let state: JsonObject | undefined
  let failure: Error | undefined
  const host: ChannelHost = {
    async receive(given) {
      await new Promise((resolve) => setImmediate(resolve))
      if (failure !== undefined) throw failure
      stored.push(given)
      state = given.state
    },
    state: async () => state,
  }
  beforeEach(() => {
    ;[stored, state, failure] = [[], undefined, undefined]
  })

  it('is there in the next session', async () => {
    const memory = await openMemory(host)
    await memory.receive([message], cursorAt(3), new Map([['c', { subject: 'The time', root: '<a@x>', last: '<b@x>' }]]))
    await memory.sent('d', 'c', { subject: 'The time', root: '<a@x>', last: '<as@x>' })
    const next = await openMemory(host)
    expect([next.cursor, next.thread('c'), next.wasSent('d'), next.wasSent('e')]).to.deep.equal([
      ...[cursorAt(3), { subject: 'The time', root: '<a@x>', last: '<as@x>' }],
      ...[true, false],
    ])
  })

  it('changes one after the other, so that none undoes another', async () => {
    const memory = await openMemory(host)
    await Promise.all([memory.receive([message], cursorAt(5)), memory.sent('d', 'c', { subject: '' }), memory.receive([], cursorAt(6))])
    expect(stored.map(({ messages }) => messages.length)).to.deep.equal([1, 0, 0])
    expect([memory.cursor?.uid, memory.wasSent('d')]).to.deep.equal([6, true])
  })

  it('does not change when it cannot be stored, and can afterwards', async () => {
    const memory = await openMemory(host)
    await memory.receive([], cursorAt(1))
    failure = new Error('the disk is full')
    const error = await memory.receive([message], cursorAt(2)).catch((reason: unknown) => reason)
    expect([error, memory.cursor?.uid]).to.deep.equal([failure, 1])
    failure = undefined
    await memory.receive([message], cursorAt(2))
    expect(memory.cursor?.uid).to.equal(2)
  })

  it('fits into the state, with the latest threads', async () => {
    const memory = await openMemory(host)
    const id = `<${'x'.repeat(190)}@y>`
    for (let round = 0; round < 10; round += 1) {
      const threads = Array.from(
        { length: 100 },
        (_, index) => [`c${round * 100 + index}`, { subject: '時'.repeat(150), root: id, last: id }] as const,
      )
      await memory.receive([], cursorAt(round), new Map(threads))
    }
    for (let count = 0; count < 400; count += 1) await memory.sent(`d${count}`, `c${count}`, { subject: '' })
    expect(Buffer.byteLength(JSON.stringify(state))).to.be.within(20_000, 60_000)
    expect([memory.thread('c999') !== undefined, memory.thread('c500'), memory.wasSent('d399'), memory.wasSent('d0')]).to.deep.equal([
      ...[true, undefined],
      ...[true, false],
    ])
  })
})
