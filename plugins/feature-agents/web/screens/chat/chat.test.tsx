import { currentPath } from '@agent-service/sdk/web'
import { render, screen, sendEvent, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import { deletedHere } from '../../chats/bin/deleted-here.js'
import { chatService, type KeptChat } from '../../test-support/chat-service.js'
import { chat, memoryStatus, message, run } from '../../test-support/things.js'
import ChatScreen from './chat.js'

function show(members: Partial<KeptChat['chat']> = {}) {
  const kept: KeptChat = {
    chat: chat(members),
    messages: [message('user', 'Rhubarb or plum?', { sequence: 0 }), message('assistant', 'Rhubarb it is.', { sequence: 1 })],
    runs: [run()],
  }
  const service = chatService(kept)
  const { user } = render(() => <ChatScreen params={{ chatId: kept.chat.id }} />, { at: `/chats/${kept.chat.id}` })
  return { user, kept, service }
}

describe('the screen of a chat', () => {
  afterEach(() => deletedHere.clear())

  it('shows what was said', async () => {
    show()
    await screen.findByText('Rhubarb or plum?')
    await screen.findByText('Rhubarb it is.')
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Jam')
  })

  it('is left when the chat is deleted elsewhere, which a toast says', async () => {
    show()
    await screen.findByText('Rhubarb it is.')
    sendEvent('chat.deleted', { chat_id: 'chat_jam' })
    await screen.findByText('This chat was deleted')
    expect(currentPath()).to.equal('/')
  })

  it('is left without a second toast when it was deleted here', async () => {
    show()
    await screen.findByText('Rhubarb it is.')
    deletedHere.add('chat_jam')
    sendEvent('chat.deleted', { chat_id: 'chat_jam' })
    await waitFor(() => expect(currentPath()).to.equal('/'))
    expect(screen.queryByText('This chat was deleted')).to.equal(null)
  })

  it('says that a chat is temporary until it is kept, and remembers nothing of it', async () => {
    const { user, service } = show({ temporary: true, hidden: true, expires_at: '2026-12-02T08:00:00Z' })
    service.answer({ 'patch /api/chats/{chat_id}': () => chat() })
    await screen.findByText(/^Temporary chat: in no list/)
    await screen.findByText('Rhubarb it is.')
    expect(service.requestsOf('get /api/memory/chats/{chat_id}')).to.deep.equal([])
    await user.click(screen.getByRole('button', { name: 'Keep this chat' }))
    await waitFor(() => expect(screen.queryByText(/^Temporary chat/)).to.equal(null))
    await waitFor(() => expect(service.requestsOf('get /api/memory/chats/{chat_id}')).to.have.length(1))
    expect(document.activeElement).to.equal(screen.getByRole('textbox', { name: 'Message' }))
  })

  it('has the switch of its memory in its menu, where something remembers', async () => {
    const { user, service } = show()
    service.answer({ 'put /api/memory/chats/{chat_id}': ({ path, body }) => ({ chat_id: path.chat_id, remember: body.remember }) })
    await user.click(await screen.findByRole('button', { name: 'Actions of this chat' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Do not remember this chat' }))
    await screen.findByText('Not remembered')
    expect(service.requestsOf('put /api/memory/chats/{chat_id}').map(({ body }) => body)).to.deep.equal([{ remember: false }])
  })

  it('has no such switch where nothing remembers', async () => {
    const { user, service } = show()
    service.answer({ 'get /api/memory/status': () => memoryStatus(false) })
    await screen.findByText('Rhubarb it is.')
    await user.click(screen.getByRole('button', { name: 'Actions of this chat' }))
    await waitFor(() => expect(screen.queryByRole('menuitem', { name: /remember/ })).to.equal(null))
    expect(service.requestsOf('get /api/memory/chats/{chat_id}')).to.have.length(1)
    expect(screen.getByRole('menuitem', { name: 'Rename' })).not.to.equal(null)
  })
})
