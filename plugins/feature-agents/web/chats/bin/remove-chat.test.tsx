import { currentPath, navigate } from '@agent-service/sdk/web'
import { fakeApi, problem, render, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { chat } from '../../test-support/things.js'
import { deletedHere } from './deleted-here.js'
import { removeChat } from './remove-chat.js'

const title = 'Deleted “Jam”'

function show({ keepDays = 30, at = '/chats/chat_jam' } = {}) {
  const service = fakeApi<paths>({
    'get /api/chats/bin': () => ({ items: [], next_cursor: null, keep_days: keepDays }),
    'delete /api/chats/{chat_id}': () => undefined,
    'post /api/chats/bin/{chat_id}/restore': () => chat(),
  })
  const { user } = render(() => <p>A chat</p>, { at })
  const done = (): readonly string[] =>
    service.requests
      .filter(({ operation }) => !operation.startsWith('get '))
      .map(({ operation, path }) => `${operation} ${path['chat_id']}`)
  return { service, user, done, press: (name: string) => screen.findByRole('button', { name }).then((button) => user.click(button)) }
}

const deleted = 'delete /api/chats/{chat_id} chat_jam'
const restored = 'post /api/chats/bin/{chat_id}/restore chat_jam'

describe('deleting a chat', () => {
  afterEach(() => deletedHere.clear())

  it('asks nothing, and the toast takes it back and opens the chat again', async () => {
    const { done, press } = show()
    expect(await removeChat(chat())).to.equal(true)
    expect([done(), currentPath(), deletedHere.has('chat_jam')]).to.deep.equal([[deleted], '/', true])
    await screen.findByText(title)
    await press('Undo')
    await waitFor(() => expect(currentPath()).to.equal('/chats/chat_jam'))
    expect([done(), deletedHere.has('chat_jam')]).to.deep.equal([[deleted, restored], false])
  })

  it('leaves who was elsewhere, or has gone on, where they are', async () => {
    const { done, press } = show({ at: '/chats' })
    await removeChat(chat())
    expect(currentPath()).to.equal('/chats')
    await press('Undo')
    await waitFor(() => expect(done()).to.deep.equal([deleted, restored]))
    await navigate('/chats/chat_jam')
    await removeChat(chat())
    await navigate('/agents')
    await press('Undo')
    await waitFor(() => expect(done()).to.have.length(4))
    expect(currentPath()).to.equal('/agents')
  })

  it('asks before a temporary one goes, which no toast brings back', async () => {
    const { done, press } = show()
    const kept = removeChat(chat({ temporary: true, hidden: true }))
    await screen.findByRole('dialog', { name: 'Delete “Jam” for good?' })
    await press('Keep it')
    expect([await kept, done(), currentPath()]).to.deep.equal([false, [], '/chats/chat_jam'])
    const gone = removeChat(chat({ temporary: true, hidden: true }))
    await press('Delete for good')
    expect([await gone, done(), currentPath()]).to.deep.equal([true, [deleted], '/'])
    await screen.findByText(title)
    expect(screen.queryByRole('button', { name: 'Undo' })).to.equal(null)
  })

  it('asks as well where the service keeps nothing that was deleted', async () => {
    const { done, press } = show({ keepDays: 0 })
    const gone = removeChat(chat())
    await press('Delete for good')
    expect([await gone, done()]).to.deep.equal([true, [deleted]])
    expect(screen.queryByRole('button', { name: 'Undo' })).to.equal(null)
  })

  it('asks nothing of an empty one, which is not kept', async () => {
    const { done } = show()
    await removeChat(chat({ message_count: 0 }))
    expect(done()).to.deep.equal([deleted])
    await screen.findByText(title)
    expect(screen.queryByRole('button', { name: 'Undo' })).to.equal(null)
  })

  it('says in a toast why a chat does not come back', async () => {
    const { service, press } = show()
    service.answer({ 'post /api/chats/bin/{chat_id}/restore': () => problem(404, 'not_found', { detail: 'It is gone.' }) })
    await removeChat(chat())
    await press('Undo')
    await screen.findByText(/It is gone\./)
    expect(currentPath()).to.equal('/')
  })

  it('leaves everything as it was when the service refuses', async () => {
    const { service } = show()
    service.answer({ 'delete /api/chats/{chat_id}': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const failure = await removeChat(chat({ id: 'chat_kept' })).then(
      () => expect.fail('It was not refused.'),
      (error: Error) => error.message,
    )
    expect(failure).to.equal('Not now.')
    expect([currentPath(), deletedHere.has('chat_kept')]).to.deep.equal(['/chats/chat_jam', false])
  })
})
