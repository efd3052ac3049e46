import { expect } from 'chai'
import fc from 'fast-check'
import { eraseChat } from '../chats/erase-chat.js'
import { chatCollection, newChat } from '../store/chats/chat.js'
import { resultPieceCollection } from '../store/runs/result-piece.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { createKeptResults, maxKeptResultLength } from './kept-results.js'

const signal = new AbortController().signal
const place = { callId: 'call', chatId: 'chat', userId: 'user' }
const begin = async (text: string) => {
  const { database, documents } = createMemoryDatabase()
  const results = createKeptResults({ database })
  await results.keep({ ...place, tool: 'look' }, text)
  for (const piece of documents(resultPieceCollection).values()) expect(piece.text, 'what no store could hold').to.not.match(lone)
  return results
}
const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

describe('stored results', () => {
  it('are read in any part, never through a pair of surrogates', async () => {
    const text = `${'x'.repeat(63_999)}😀${'😀'.repeat(33_000)}end`
    const results = await begin(text)
    expect(await results.lengthOf(place)).to.equal(text.length)
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length), fc.integer({ min: 1, max: 70_000 }), async (offset, length) => {
        const read = await results.read(place, { offset, length, signal })
        const wanted = text.slice(offset, offset + length)
        expect(read).to.not.match(lone)
        expect(wanted.length - read.length).to.be.within(0, 2)
        expect(wanted.includes(read)).to.equal(true)
      }),
      { numRuns: 60 },
    )
  })

  it('are searched across their pieces, ignoring case, from any offset on', async () => {
    const text = `${'.'.repeat(63_996)}Needle${'.'.repeat(10_000)}(needle)+${'.'.repeat(60_000)}NEEDLE`
    const results = await begin(text)
    const find = (wanted: string, from = 0, limit = 20) => results.search(place, { text: wanted, from, limit, signal })
    expect((await find('needle')).map(({ offset }) => offset)).to.deep.equal([63_996, 74_003, 134_011])
    expect((await find('needle', 63_997)).map(({ offset }) => offset)).to.deep.equal([74_003, 134_011])
    expect((await find('needle', 0, 1)).map(({ offset }) => offset)).to.deep.equal([63_996])
    expect((await find('(needle)+'))[0]?.text, 'literally, with the text around it').to.match(/^\.{120}\(needle\)\+\.{120}$/)
    expect(await find('absent')).to.deep.equal([])
  })

  it('belong to their chat and their user', async () => {
    const results = await begin('secret')
    for (const other of [{ chatId: 'another' }, { userId: 'another' }, { callId: 'another' }]) {
      expect(await results.lengthOf({ ...place, ...other })).to.equal(undefined)
      expect(await results.read({ ...place, ...other }, { offset: 0, length: 10, signal })).to.equal('')
      expect(await results.search({ ...place, ...other }, { text: 's', from: 0, limit: 5, signal })).to.deep.equal([])
    }
  })

  it('are deleted with their chat', async () => {
    const { database, documents } = createMemoryDatabase()
    const results = createKeptResults({ database })
    const now = '2026-01-01T00:00:00.000Z'
    documents(chatCollection).set('chat', newChat({ id: 'chat', user_id: 'user', agent_id: 'a', title: null }, now))
    await results.keep({ ...place, tool: 'look' }, 'x'.repeat(200_000))
    await results.keep({ ...place, callId: 'other', chatId: 'other chat', tool: 'look' }, 'kept')
    const runs = { cancel: () => Promise.reject(new Error('there is no run')) }
    const [clock, parts, events] = [{ now: () => 0 }, { erase: async () => undefined }, { record: () => undefined }]
    await eraseChat({ database, events, clock, parts, runs }, { chatId: 'chat', userId: 'user', signal })
    expect([...documents(resultPieceCollection).values()].map(({ text }) => text)).to.deep.equal(['kept'])
  })

  it('have a limit', async () => {
    const results = await begin('y'.repeat(maxKeptResultLength + 10))
    expect(await results.lengthOf(place)).to.equal(maxKeptResultLength)
    expect(await results.read(place, { offset: maxKeptResultLength - 3, length: 10, signal })).to.equal('yyy')
  })
})
