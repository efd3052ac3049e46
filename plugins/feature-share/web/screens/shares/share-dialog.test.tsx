import type { ItemTarget } from '@agent-service/sdk/web'
import { fakeApi, problem, type RenderOptions, render, screen } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { chat, newShare } from '../../test-support/shares.js'
import { ShareDialog } from './share-dialog.js'

const report: ItemTarget = { kind: 'file', name: 'report.md', path: 'files/report.md' }
const plan: ItemTarget = { kind: 'chat', name: 'Plan', chatId: 'chat_1' }

/** The dialog for a target, or for one that is chosen in it, and what the service was asked to make. */
function show(target?: ItemTarget, options: RenderOptions = {}) {
  const service = fakeApi<paths>({ 'post /api/shares': () => newShare() })
  const closed: true[] = []
  const { user } = render(() => <ShareDialog {...(target && { target })} onClose={() => void closed.push(true)} />, options)
  return {
    service,
    user,
    closed,
    create: () => user.click(screen.getByRole('button', { name: 'Create link' })),
    made: () => service.requestsOf('post /api/shares').map(({ body }) => body),
  }
}

const value = (name: string): string => screen.getByLabelText<HTMLInputElement>(name).value
const whenReady = (): Promise<unknown> => screen.findByRole('dialog', { name: 'Your link is ready' })

describe('the dialog of a share link', () => {
  it('makes one to a file, for as long as was chosen', async () => {
    const { user, create, made } = show(report)
    screen.getByRole('dialog', { name: 'Share report.md' })
    screen.getByText(/^Everyone with the link can read the file/)
    await user.selectOptions(screen.getByLabelText('Works for'), 'One week')
    await create()
    await whenReady()
    expect(made()).to.deep.equal([{ path: 'files/report.md', expires_in_secs: 7 * 86_400 }])
  })

  it('makes one to a chat, for as long as possible', async () => {
    const { create, made } = show(plan)
    screen.getByText(/Later messages do not show\.$/)
    await create()
    await whenReady()
    expect(made()).to.deep.equal([{ chat_id: 'chat_1' }])
  })

  it('makes one alone, however often it is asked to', async () => {
    const { service, create, made } = show(report)
    const held = service.hold('post /api/shares')
    await create()
    await create()
    held.release()
    await whenReady()
    expect(made()).to.have.length(1)
  })

  it('shows both links once', async () => {
    const { user, create, closed } = show(report)
    await create()
    await whenReady()
    expect([value('Link to the page'), value('Direct link to the content')]).to.deep.equal([
      ...['https://service.example/p/secret', 'https://service.example/s/secret'],
    ])
    await user.click(screen.getByRole('button', { name: 'Done' }))
    expect(closed).to.deep.equal([true])
  })

  it('says what is wrong with the path of a file, and keeps what was chosen', async () => {
    const { service, user, create } = show()
    const errors = [{ path: '/path', message: 'There is no such file.' }]
    service.answer({ 'post /api/shares': () => problem(404, 'not_found', { detail: 'There is no such file.', errors }) })
    screen.getByRole('dialog', { name: 'New link' })
    await user.selectOptions(screen.getByLabelText('Works for'), 'One day')
    await user.type(screen.getByLabelText('Path of the file'), 'missing.pdf ')
    await create()
    await screen.findByText(/There is no such file\./)
    expect([value('Path of the file').trim(), value('Works for')]).to.deep.equal(['files/missing.pdf', 'day'])
    service.answer({ 'post /api/shares': () => newShare() })
    await create()
    await whenReady()
    expect(service.requestsOf('post /api/shares').at(-1)?.body.path).to.equal('files/missing.pdf')
  })

  it('makes one to a chat that is chosen, the last one unless another is', async () => {
    const { service, user, create, made } = show()
    const items = [chat('chat_2', 'Invoices'), chat('chat_1', null)]
    service.answer({ 'get /api/chats': () => ({ items, next_cursor: null }) })
    await user.selectOptions(screen.getByLabelText('What to share'), 'Chat')
    await screen.findByRole('option', { name: 'Untitled chat' })
    screen.getByText(/Later messages do not show\.$/)
    service.answer({ 'post /api/shares': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    await create()
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    service.answer({ 'post /api/shares': () => newShare() })
    await user.selectOptions(screen.getByLabelText('Chat'), 'Untitled chat')
    await create()
    await whenReady()
    expect(made()).to.deep.equal([{ chat_id: 'chat_2' }, { chat_id: 'chat_1' }])
  })

  it('is German for those who read German', async () => {
    const { user } = show(plan, { language: 'de' })
    screen.getByRole('dialog', { name: 'Plan teilen' })
    screen.getByText(/Spätere Nachrichten erscheinen nicht\.$/)
    await user.click(screen.getByRole('button', { name: 'Link erstellen' }))
    await screen.findByRole('dialog', { name: 'Dein Link ist fertig' })
    expect(value('Link zur Seite')).to.equal('https://service.example/p/secret')
  })
})
