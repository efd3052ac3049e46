import { fakeApi, offline, render, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../api/schema.js'
import { chat, pageOf, space } from '../test-support/things.js'
import { ChatList } from './chat-list.js'

const answers = {
  'get /api/chats': () => pageOf(chat()),
  'get /api/approvals': () => pageOf(),
  'get /api/spaces': () => pageOf(space('Garden')),
}
const failures = (): readonly (string | null)[] => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const sectionOf = (heading: string) => within(screen.getByRole('heading', { name: heading }).closest('section') ?? document.body)

describe('the chats and spaces beside every screen', () => {
  it('say where they could not be read, and are there after another try', async () => {
    const service = fakeApi<paths>({ ...answers, 'get /api/spaces': () => offline(), 'get /api/chats': () => offline() })
    const { user } = render(() => <ChatList />)
    await waitFor(() => expect(failures()).to.deep.equal(['Chats not loaded.Try again', 'Not loaded.Try again']))
    service.answer(answers)
    await user.click(sectionOf('Spaces').getByRole('button', { name: 'Try again' }))
    await screen.findByRole('link', { name: 'Garden' })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('link', { name: 'Jam' })
    expect(failures()).to.deep.equal([])
  })

  it('say when it is not known which of them wait, and ask again', async () => {
    const service = fakeApi<paths>({ ...answers, 'get /api/approvals': () => offline() })
    const { user } = render(() => <ChatList />)
    await screen.findByRole('alert')
    await screen.findByRole('link', { name: 'Jam' })
    service.answer(answers)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(failures()).to.deep.equal([]))
  })

  it('stay as they were read when events were lost and reading again fails', async () => {
    const service = fakeApi<paths>(answers)
    const { user } = render(() => <ChatList />)
    await screen.findByRole('link', { name: 'Garden' })
    service.answer({ 'get /api/spaces': () => offline() })
    sendEvent('reset', {})
    await waitFor(() => expect(failures()).to.deep.equal(['Not loaded.Try again']))
    expect(sectionOf('Spaces').getByRole('link', { name: 'Garden' })).not.to.equal(null)
    service.answer({ 'get /api/spaces': () => pageOf(space('Garden'), space('Kitchen')) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('link', { name: 'Kitchen' })
    expect(failures()).to.deep.equal([])
  })

  it('follow what events say of chats: new, renamed, archived, deleted ones', async () => {
    fakeApi<paths>(answers)
    render(() => <ChatList />)
    const link = await screen.findByRole('link', { name: 'Jam' })
    expect(link.getAttribute('href')).to.equal('/chats/chat_jam')
    sendEvent('chat.created', { chat: chat({ title: 'Compote' }), chat_id: 'chat_compote' })
    sendEvent('chat.created', { chat: chat({ title: 'Secret', hidden: true }), chat_id: 'chat_secret' })
    sendEvent('chat.updated', { chat: chat({ title: 'Jelly', id: 'chat_jam' }), chat_id: 'chat_jam' })
    await screen.findByRole('link', { name: 'Jelly' })
    expect(screen.getByRole('link', { name: 'Compote' })).not.to.equal(null)
    expect(screen.queryByRole('link', { name: 'Secret' })).to.equal(null)
    sendEvent('chat.deleted', { chat_id: 'chat_jam' })
    sendEvent('chat.updated', { chat: chat({ title: 'Compote', archived: true }), chat_id: 'chat_compote' })
    await waitFor(() => expect(screen.queryAllByRole('link').map(({ textContent }) => textContent)).to.deep.equal(['Garden']))
  })
})
