import { fakeApi, problem, render, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import { createSignal } from 'solid-js'
import type { paths } from '../../../api/schema.js'
import { chat, sandbox } from '../../../test-support/things.js'
import { DockNotes } from './dock-notes.js'

const temporary = chat({ temporary: true, hidden: true, expires_at: '2026-12-02T08:00:00Z' })

/** The notes above the field of a message, which is there as in the chat. */
function show(shown = temporary) {
  const [found, setFound] = createSignal(shown)
  const { user } = render(() => (
    <div class="chat">
      <DockNotes chat={found()} onChange={setFound} />
      <div class="dock">
        <textarea aria-label="Message" />
      </div>
    </div>
  ))
  return user
}

describe('what is said above the field of a message', () => {
  it('is that a chat is temporary and when it goes, until it is kept; then the focus goes to the field', async () => {
    const service = fakeApi<paths>({
      'get /api/sandbox': () => sandbox(),
      'patch /api/chats/{chat_id}': ({ body }) => chat({ temporary: body.temporary ?? true }),
    })
    const user = show()
    await screen.findByText(/^Temporary chat: in no list, not remembered, deleted on .*2 Dec.* if nothing more happens here\.$/)
    await user.click(screen.getByRole('button', { name: 'Keep this chat' }))
    await waitFor(() => expect(screen.queryByText(/^Temporary chat/)).to.equal(null))
    await screen.findByText('The chat is kept')
    expect(document.activeElement).to.equal(screen.getByRole('textbox', { name: 'Message' }))
    expect(service.requestsOf('patch /api/chats/{chat_id}').map(({ path, body }) => [path.chat_id, body])).to.deep.equal([
      ...[['chat_jam', { temporary: false }]],
    ])
  })

  it('is why a chat could not be kept, beside the button', async () => {
    fakeApi<paths>({
      'get /api/sandbox': () => sandbox(),
      'patch /api/chats/{chat_id}': () => problem(503, 'unavailable', { detail: 'Not now.' }),
    })
    const user = show()
    await user.click(screen.getByRole('button', { name: 'Keep this chat' }))
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    expect(screen.getByRole('button', { name: 'Keep this chat' })).not.to.equal(null)
  })

  it('is nothing of a chat that stays', async () => {
    const service = fakeApi<paths>({ 'get /api/sandbox': () => sandbox() })
    show(chat())
    await waitFor(() => expect(service.requests).to.have.length(1))
    expect(screen.queryByRole('button')).to.equal(null)
  })
})
