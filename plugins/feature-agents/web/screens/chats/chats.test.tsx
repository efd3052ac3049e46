import { currentPath, currentQuery } from '@agent-service/sdk/web'
import { fakeApi, offline, problem, render, screen, sendEvent, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { chat, pageOf, space } from '../../test-support/things.js'
import Chats from './chats.js'

const deleted = (title: string): Schemas['DeletedChat'] => ({
  archived: false,
  deleted_at: '2026-12-01T08:00:00Z',
  erased_at: '2026-12-31T08:00:00Z',
  id: `chat_${title.toLowerCase()}`,
  message_count: 2,
  title,
})

/** The service with a space, a chat, and what was deleted. */
function serviceWith(...titles: readonly string[]) {
  let bin = titles.map(deleted)
  const take = (id: string): void => {
    bin = bin.filter((each) => each.id !== id)
  }
  return fakeApi<paths>({
    'get /api/chats': () => pageOf(chat()),
    'get /api/spaces': () => pageOf(space('Garden')),
    'get /api/chats/bin': () => ({ ...pageOf(...bin), keep_days: 30 }),
    'post /api/chats/bin/{chat_id}/restore'({ path }) {
      take(path.chat_id)
      return chat({ id: path.chat_id })
    },
    'delete /api/chats/bin/{chat_id}': ({ path }) => take(path.chat_id),
  })
}

const show = (at = '/chats') =>
  render(
    () => (
      <div id="main">
        <Chats />
      </div>
    ),
    { at },
  ).user

const button = (name: string) => screen.findByRole('button', { name })
const whenDeleted = (...titles: readonly string[]): Promise<unknown> =>
  waitFor(() => {
    const names = screen.queryAllByRole('button', { name: /^Restore / }).map((each) => each.getAttribute('aria-label'))
    expect(names).to.deep.equal(titles.map((title) => `Restore ${title}`))
  })

describe('the screen of all chats', () => {
  it('says that the spaces could not be read, and shows them after another try', async () => {
    const service = serviceWith()
    service.answer({ 'get /api/spaces': () => offline() })
    const user = show()
    await screen.findByText(/^The spaces could not be read\./)
    expect(screen.queryByRole('combobox', { name: 'Space' })).to.equal(null)
    service.answer({ 'get /api/spaces': () => pageOf(space('Garden')) })
    await user.click(await button('Try again'))
    await screen.findByRole('combobox', { name: 'Space' })
    expect(screen.queryByText(/^The spaces could not be read\./)).to.equal(null)
  })
})

describe('the deleted chats', () => {
  it('are listed under Chats, with when they go for good', async () => {
    serviceWith('Compote', 'Crumble')
    const user = show()
    await user.click(await screen.findByRole('radio', { name: 'Recently deleted' }))
    await whenDeleted('Compote', 'Crumble')
    expect([currentPath(), currentQuery().toString()]).to.deep.equal(['/chats', 'deleted=true'])
    expect(screen.getAllByText(/^gone for good on .*31/)).to.have.length(2)
    expect(screen.queryByText('Jam')).to.equal(null)
  })

  it('come back one by one, and the focus goes to the row that moves up', async () => {
    const service = serviceWith('Crumble', 'Compote')
    const user = show('/chats?deleted=true')
    await user.click(await button('Restore Crumble'))
    await whenDeleted('Compote')
    expect(service.requestsOf('post /api/chats/bin/{chat_id}/restore').map(({ path }) => path.chat_id)).to.deep.equal(['chat_crumble'])
    expect(document.activeElement).to.equal(await button('Restore Compote'))
    await screen.findByText('Restored “Crumble”')
    await user.click(await button('Show'))
    expect(currentPath()).to.equal('/chats/chat_crumble')
  })

  it('are deleted for good after a question, and with the last one the focus goes to the heading', async () => {
    const service = serviceWith('Compote')
    const user = show('/chats?deleted=true')
    await user.click(await button('Delete Compote for good'))
    await screen.findByRole('dialog', { name: 'Delete “Compote” for good?' })
    await user.click(await button('Keep it'))
    await whenDeleted('Compote')
    expect(service.requestsOf('delete /api/chats/bin/{chat_id}')).to.deep.equal([])
    await user.click(await button('Delete Compote for good'))
    await user.click(await button('Delete for good'))
    await screen.findByRole('heading', { name: 'Nothing was deleted lately' })
    expect(document.activeElement).to.equal(screen.getByRole('heading', { level: 1 }))
    expect(service.requestsOf('delete /api/chats/bin/{chat_id}').map(({ path }) => path.chat_id)).to.deep.equal(['chat_compote'])
  })

  it('stay when the service refuses, which says why', async () => {
    const service = serviceWith('Compote')
    service.answer({ 'post /api/chats/bin/{chat_id}/restore': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const user = show('/chats?deleted=true')
    await user.click(await button('Restore Compote'))
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    await whenDeleted('Compote')
  })

  it('follow what is deleted and restored elsewhere', async () => {
    const service = serviceWith('Compote')
    show('/chats?deleted=true')
    await whenDeleted('Compote')
    sendEvent('chat.updated', { chat: chat({ title: 'Compote' }), chat_id: 'chat_compote' })
    await whenDeleted()
    service.answer({ 'get /api/chats/bin': () => ({ ...pageOf(deleted('Tart')), keep_days: 30 }) })
    sendEvent('chat.deleted', { chat_id: 'chat_tart' })
    await whenDeleted('Tart')
  })
})
