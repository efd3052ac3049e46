import { addItemActions } from '@agent-service/sdk/web'
import { fakeApi, problem, render, runStart, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../api/schema.js'
import { chat, pageOf } from '../test-support/things.js'
import { type Chat, ChatMenu } from './chat-menu.js'

function show(shown: Chat) {
  const changes: (Chat | undefined)[] = []
  const { user } = render(() => (
    <ChatMenu
      chat={shown}
      name="Actions"
      more={[{ label: 'Do not remember', icon: 'bulb', run: () => undefined }]}
      onChange={(changed) => void changes.push(changed)}
    />
  ))
  const open = () => user.click(screen.getByRole('button', { name: 'Actions' }))
  return {
    changes,
    async offered(): Promise<readonly (string | null)[]> {
      await open()
      return screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    },
    async choose(name: string): Promise<void> {
      await open()
      await user.click(screen.getByRole('menuitem', { name }))
    },
    press: async (name: string) => user.click(await screen.findByRole('button', { name })),
  }
}

/** What a screen adds that shares chats. */
const startSharing = (): void =>
  void addItemActions({
    order: 10,
    actionsFor: ({ name }) => [
      { label: 'Share by link', icon: 'share', namedLabel: `Share ${name} by link`, isUsable: () => true, run: () => undefined },
    ],
  })

describe('the menu of a chat', () => {
  it('has what is done with one in a list, also what other screens add', async () => {
    runStart(startSharing)
    const { offered } = show(chat())
    expect(await offered()).to.deep.equal([
      ...['Rename', 'Pin', 'Move to a space', 'Archive', 'Do not remember', 'Share by link'],
      ...['Export as JSON', 'Export as Markdown', 'Delete'],
    ])
  })

  it('has nothing of a list for a temporary one', async () => {
    runStart(startSharing)
    const { offered } = show(chat({ temporary: true }))
    expect(await offered()).to.deep.equal(['Rename', 'Do not remember', 'Export as JSON', 'Export as Markdown', 'Delete'])
  })

  it('deletes the chat', async () => {
    const service = fakeApi<paths>({
      'get /api/chats/bin': () => ({ ...pageOf(), keep_days: 30 }),
      'delete /api/chats/{chat_id}': () => undefined,
    })
    const { changes, choose } = show(chat())
    await choose('Delete')
    await waitFor(() => expect(changes).to.deep.equal([undefined]))
    await screen.findByText('Deleted “Jam”')
    expect(service.requestsOf('delete /api/chats/{chat_id}').map(({ path }) => path.chat_id)).to.deep.equal(['chat_jam'])
  })

  it('says in a toast what went wrong', async () => {
    fakeApi<paths>({ 'patch /api/chats/{chat_id}': () => problem(409, 'conflict', { detail: 'It is being changed.' }) })
    const { changes, choose } = show(chat())
    await choose('Pin')
    await screen.findByText(/It is being changed\./)
    expect(changes).to.deep.equal([])
  })

  it('archives, which the toast takes back', async () => {
    const service = fakeApi<paths>({ 'patch /api/chats/{chat_id}': ({ body }) => chat({ archived: body.archived ?? false }) })
    const { changes, choose, press } = show(chat())
    await choose('Archive')
    await screen.findByText('Archived “Jam”')
    await press('Undo')
    await waitFor(() => expect(changes.map((changed) => changed?.archived)).to.deep.equal([true, false]))
    expect(service.requestsOf('patch /api/chats/{chat_id}').map(({ body }) => body)).to.deep.equal([
      { archived: true },
      { archived: false },
    ])
  })
})
