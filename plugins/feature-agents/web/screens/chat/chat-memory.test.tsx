import { MenuButton } from '@agent-service/sdk/web'
import { answer, type FakeApi, fakeApi, problem, render, screen, sendEvent, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { createChatMemory } from './chat-memory.js'

const chosen = (remember: boolean) => ({ chat_id: 'chat_a', remember })

/** A service with a memory; the answers that a test gives replace its own. */
const withMemory = (answers: Parameters<FakeApi<paths>['answer']>[0] = {}): FakeApi<paths> =>
  fakeApi<paths>({
    'get /api/memory/status': () => answer({ available: true }),
    'get /api/sandbox': () => answer({ driver: 'linux', disabled: false }),
    'get /api/memory/chats/{chat_id}': () => chosen(true),
    'put /api/memory/chats/{chat_id}': ({ body }) => chosen(body.remember),
    ...answers,
  })

/** The menu of a chat, and whether it is left out. */
function show(isListed = true) {
  const { user } = render(() => {
    const memory = createChatMemory('chat_a', () => isListed)
    const items = () => [{ label: 'Rename', run: () => undefined }, ...memory.items()]
    return (
      <>
        <MenuButton name="Actions" items={items()} />
        <p>{memory.isExcluded() ? 'Left out' : 'Taken in'}</p>
      </>
    )
  })
  return {
    offered: async (): Promise<readonly (string | null)[]> => {
      await user.click(screen.getByRole('button', { name: 'Actions' }))
      const names = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
      await user.keyboard('{Escape}')
      return names
    },
    async choose(name: string): Promise<void> {
      await user.click(screen.getByRole('button', { name: 'Actions' }))
      await user.click(await screen.findByRole('menuitem', { name }))
    },
    user,
  }
}

/** All that is asked for has been answered, and what is shown follows. */
const untilAsked = (service: FakeApi<paths>): Promise<unknown> => waitFor(() => expect(service.requests).to.have.length(3))

describe('the memory of a chat', () => {
  it('leaves the chat out, and takes it in again, also by Undo', async () => {
    const service = withMemory()
    const { choose, user } = show()
    await choose('Do not remember this chat')
    await screen.findByText('Left out')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText('Taken in')
    await choose('Do not remember this chat')
    await screen.findByText('Left out')
    await choose('Remember this chat again')
    await screen.findByText('Taken in')
    const wanted = service.requestsOf('put /api/memory/chats/{chat_id}').map(({ path, body }) => [path.chat_id, body.remember])
    expect(wanted).to.deep.equal([false, true, false, true].map((each) => ['chat_a', each]))
  })

  it('follows what is chosen elsewhere', async () => {
    const service = withMemory()
    show()
    await untilAsked(service)
    sendEvent('memory.updated', { change: 'excluded', chat_id: 'chat_b' })
    screen.getByText('Taken in')
    sendEvent('memory.updated', { change: 'excluded', chat_id: 'chat_a' })
    await screen.findByText('Left out')
    sendEvent('memory.updated', { change: 'remembered', chat_id: 'chat_a' })
    sendEvent('memory.updated', { change: 'included', chat_id: 'chat_a' })
    await screen.findByText('Taken in')
  })

  it('says why it could not be changed', async () => {
    withMemory({ 'put /api/memory/chats/{chat_id}': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const { choose } = show()
    await choose('Do not remember this chat')
    await screen.findByText(/Not now\./)
    screen.getByText('Taken in')
  })

  it('has no switch, and no mark, without a back end that keeps memories', async () => {
    const service = withMemory({
      'get /api/memory/status': () => answer({ available: false }),
      'get /api/memory/chats/{chat_id}': () => chosen(false),
    })
    const { offered } = show()
    await untilAsked(service)
    await waitFor(async () => expect(await offered()).to.deep.equal(['Rename']))
    screen.getByText('Taken in')
  })

  it('has no switch without the plugin of the memory', async () => {
    const absent = () => problem(404, 'not_found')
    const service = withMemory({ 'get /api/memory/status': absent, 'get /api/memory/chats/{chat_id}': absent })
    const { offered } = show()
    await untilAsked(service)
    expect(await offered()).to.deep.equal(['Rename'])
  })

  it('is not asked for of a chat that is in no list', async () => {
    const service = withMemory()
    const { offered } = show(false)
    expect(await offered()).to.deep.equal(['Rename'])
    expect(service.requestsOf('get /api/memory/chats/{chat_id}')).to.deep.equal([])
  })
})
