import { fakeApi, problem, type RenderOptions, render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { newShare, share } from '../../test-support/shares.js'
import Shares from './shares.js'

/** The service with these links, which keeps what is done with them. */
function serviceWith(...items: readonly Schemas['Share'][]) {
  let kept = items
  return fakeApi<paths>({
    'get /api/shares': () => ({ items: [...kept], next_cursor: null }),
    'post /api/shares'() {
      kept = [share({ id: 'share_2', title: 'plan.md', path: 'files/plan.md' }), ...kept]
      return newShare()
    },
    'delete /api/shares/{share_id}'({ path }) {
      kept = kept.filter(({ id }) => id !== path.share_id)
    },
  })
}

const show = (options: RenderOptions = {}) => render(() => <Shares />, { at: '/shares', ...options }).user
const rows = async (): Promise<readonly string[]> => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent ?? '')

describe('the list of share links', () => {
  it('says what links are for while there are none', async () => {
    serviceWith()
    show()
    await screen.findByText('No links yet')
  })

  it('says where they lead, until when, and how often they were opened', async () => {
    const snapshot = { kind: 'chat', title: '', path: null, chat_id: 'chat_1', created_by: 'agent' } as const
    serviceWith(
      share({ uses: 1 }),
      share({ ...snapshot, id: 'share_2', uses: 3 }),
      share({ id: 'share_3', expired: true, created_by: 'service' }),
    )
    show()
    const [file = '', chat = '', old = ''] = await rows()
    expect(file).to.include('report.md').and.include('files/report.md').and.include('Opened once').and.include('Until Tue 8 Dec')
    expect(chat).to.include('Untitled chat').and.include('Chat as of Tue 1 Dec').and.include('by an agent').and.include('Opened 3 times')
    expect(old).to.include('Expired').and.include('by a channel').and.include('Never opened').and.not.include('Until')
  })

  it('shows one that was made here', async () => {
    serviceWith()
    const user = show()
    await user.click(await screen.findByRole('button', { name: 'New link' }))
    await user.click(screen.getByRole('button', { name: 'Create link' }))
    await user.click(await screen.findByRole('button', { name: 'Done' }))
    await screen.findByText('plan.md')
    expect(screen.queryByRole('dialog')).to.equal(null)
  })

  it('revokes one when the person is sure', async () => {
    const service = serviceWith(share(), share({ id: 'share_2', title: 'plan.md', path: 'files/plan.md' }))
    const user = show()
    const press = async (name: string) => user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
    await user.click(await screen.findByRole('button', { name: 'Revoke the link to report.md' }))
    await screen.findByText('Revoke the link to report.md?')
    await press('Keep it')
    await waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null))
    expect(service.requestsOf('delete /api/shares/{share_id}')).to.deep.equal([])
    await user.click(screen.getByRole('button', { name: 'Revoke the link to report.md' }))
    await press('Revoke link')
    await screen.findByText('The link to report.md no longer works.')
    expect(service.requestsOf('delete /api/shares/{share_id}').map(({ path }) => path.share_id)).to.deep.equal(['share_1'])
    expect((await rows()).join())
      .to.include('plan.md')
      .and.not.include('report.md')
  })

  it('removes an expired one without a question', async () => {
    serviceWith(share({ expired: true }))
    const user = show()
    await user.click(await screen.findByRole('button', { name: 'Remove the expired link to report.md' }))
    await screen.findByText('The expired link to report.md was removed.')
    await screen.findByText('No links yet')
  })

  it('says why one could not be removed', async () => {
    const service = serviceWith(share({ expired: true }))
    service.answer({ 'delete /api/shares/{share_id}': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const user = show()
    await user.click(await screen.findByRole('button', { name: 'Remove the expired link to report.md' }))
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    expect(await rows()).to.have.length(1)
  })

  it('is German for those who read German', async () => {
    serviceWith(share({ uses: 2 }))
    show({ language: 'de' })
    await screen.findByRole('heading', { name: 'Freigabelinks', level: 1 })
    expect((await rows())[0]).to.include('2-mal geöffnet')
    screen.getByRole('button', { name: 'Link zu report.md widerrufen' })
  })
})
