import { expect } from 'chai'
import { setScript } from '../agents/support/scripted-plugin.js'
import { type Asker, askerOf, type PointsKernel, startPointsKernel } from './support/points-kernel.js'
import { clearDesk, type Desk } from './support/points-plugin.js'

describe("plugins' data about chats", function () {
  this.timeout(60_000)
  let kernel: PointsKernel
  let ada: Asker
  let desk: Desk

  before(async () => {
    kernel = await startPointsKernel()
    ada = await askerOf(kernel.agents, 'ada')
  })
  beforeEach(() => {
    desk = clearDesk()
    setScript()
  })
  after(async () => {
    ada?.stream.close()
    await kernel?.close()
  })

  it('is deleted with the chat', async () => {
    const { chatId } = await ada.ask('Hello')
    const other = await ada.person.newChat()
    desk.notes.set(chatId, ['Milk']).set(other, ['Bread'])
    expect((await ada.person.request('DELETE', `/api/chats/${chatId}`)).status).to.equal(204)
    expect([...desk.notes.keys()], 'it can still be restored').to.deep.equal([chatId, other])
    expect((await ada.person.request('DELETE', `/api/chats/bin/${chatId}`)).status).to.equal(204)
    expect([...desk.notes.keys()]).to.deep.equal([other])
    expect((await ada.person.request('DELETE', `/api/chats/bin/${chatId}`)).status).to.equal(404)
  })

  it('keeps the deletion open if it cannot be erased: the chat accepts nothing, and a second request deletes it', async () => {
    const { chatId } = await ada.ask('Hello')
    desk.notes.set(chatId, ['Milk'])
    desk.part.fails = true
    await ada.person.request('DELETE', `/api/chats/${chatId}`)
    const { status, body } = await ada.person.request('DELETE', `/api/chats/bin/${chatId}`)
    expect(status).to.equal(503)
    expect(body).to.include({ code: 'chat_part_failed' })
    expect(body['detail']).to.include('“Notes” could not erase')
    const posted = await ada.person.request('POST', `/api/chats/${chatId}/messages`, { content: 'Still there?' })
    expect(posted.status, 'nothing is added any more').to.equal(404)
    await kernel.agents.restart()
    ada.stream.close()
    ada = await askerOf(kernel.agents, 'ada')
    expect(desk.notes.has(chatId)).to.equal(true)
    desk.part.fails = false
    expect((await ada.person.request('DELETE', `/api/chats/${chatId}`)).status).to.equal(204)
    expect(desk.notes.has(chatId)).to.equal(false)
  })

  it('is in an exported chat, and in the chat imported from it', async () => {
    const { chatId } = await ada.ask('Hello')
    desk.notes.set(chatId, ['Milk', { amount: 2 }])
    const { body: document } = await ada.person.request('GET', `/api/chats/${chatId}/export`)
    expect(document['parts']).to.deep.equal({ 'town-hall-notes': ['Milk', { amount: 2 }] })
    expect(document).not.to.have.property('parts_left_out')
    const { status, body: copy } = await ada.person.request('POST', '/api/chats/import', document)
    expect(status).to.equal(201)
    expect(copy).not.to.have.property('parts_left_out')
    expect(copy['id']).to.not.equal(chatId)
    expect(desk.notes.get(String(copy['id']))).to.deep.equal(['Milk', { amount: 2 }])
  })

  it('is omitted from an import if no plugin has it or it is invalid, and the response names it', async () => {
    const { chatId } = await ada.ask('Hello')
    const { body: document } = await ada.person.request('GET', `/api/chats/${chatId}/export`)
    expect(document).not.to.have.property('parts')
    const { status, body: copy } = await ada.person.request('POST', '/api/chats/import', {
      ...document,
      parts: { tasks: [1], 'town-hall-notes': 'bad' },
    })
    expect(status).to.equal(201)
    expect(copy['parts_left_out']).to.have.deep.members([
      { id: 'tasks', reason: 'not_installed' },
      { id: 'town-hall-notes', reason: 'failed' },
    ])
    expect(desk.part.erased, 'what a failed import may have left').to.deep.equal([copy['id']])
    expect((await ada.person.messages(String(copy['id']))).length).to.equal(2)
  })

  it('is named in an export that lacks it', async () => {
    const { chatId } = await ada.ask('Hello')
    desk.notes.set(chatId, 'x'.repeat(5 * 1024 * 1024))
    const { body: document } = await ada.person.request('GET', `/api/chats/${chatId}/export`)
    expect(document['parts_left_out']).to.deep.equal([{ id: 'town-hall-notes', reason: 'too_large' }])
    expect((await ada.person.request('POST', '/api/chats/import', document)).status).to.equal(201)
  })
})
