import { fakeApi, problem, type RenderOptions, render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { Tokens } from './tokens.js'

const tokenOf = (more: Partial<Schemas['Token']> = {}): Schemas['Token'] => ({
  id: 'token_a',
  name: 'Backup script',
  prefix: 'as_12',
  scopes: ['read'],
  last_used_at: null,
  expires_at: null,
  created_at: '2026-01-01T00:00:00Z',
  ...more,
})

function show(tokens: readonly Schemas['Token'][] = [], options: RenderOptions = {}) {
  const service = fakeApi<paths>({
    'get /api/auth/tokens': () => ({ items: [...tokens], next_cursor: null }),
    'post /api/auth/tokens': ({ body: { name, scopes = [] } }) => ({ ...tokenOf({ name, scopes }), token: 'as_12_the_secret' }),
    'delete /api/auth/tokens/{token_id}': () => undefined,
  })
  const { user } = render(() => <Tokens />, options)
  return { service, user }
}

const inDialog = () => within(screen.getByRole('dialog'))

describe('the tokens of a person', () => {
  it('are made for what is chosen, and their secret is shown once', async () => {
    const { service, user } = show()
    await screen.findByText('No tokens yet')
    await user.click(screen.getByRole('button', { name: 'New token' }))
    expect(document.activeElement).to.equal(inDialog().getByLabelText('Name'))
    await user.keyboard(' Backup script ')
    await user.selectOptions(inDialog().getByLabelText('Valid for'), '30')
    await user.click(inDialog().getByLabelText('Write'))
    await user.click(inDialog().getByRole('button', { name: 'Create token' }))
    await screen.findByRole('dialog', { name: 'Token “Backup script”' })
    inDialog().getByText('as_12_the_secret')
    await user.keyboard('{Escape}')
    await user.click(inDialog().getByRole('button', { name: 'I have copied it' }))
    expect(document.body.innerHTML).not.to.include('the_secret')
    expect(screen.getByRole('listitem').textContent)
      .to.include('Backup script')
      .and.include('as_12…')
      .and.include('never used')
      .and.include('Read')
    const bodies = service.requestsOf('post /api/auth/tokens').map(({ body }) => body)
    expect(bodies).to.deep.equal([{ name: 'Backup script', scopes: ['read'], expires_in_days: 30 }])
  })

  it('need a name, and something that they may do', async () => {
    const { service, user } = show()
    await user.click(screen.getByRole('button', { name: 'New token' }))
    await user.click(inDialog().getByLabelText('Write'))
    await user.click(inDialog().getByLabelText('Read'))
    await user.click(inDialog().getByRole('button', { name: 'Create token' }))
    await inDialog().findByText('Choose at least one scope.')
    expect(inDialog().getByLabelText('Name').getAttribute('aria-invalid')).to.equal('true')
    expect(service.requestsOf('post /api/auth/tokens')).to.deep.equal([])
  })

  for (const admin of [false, true])
    it(`may ${admin ? '' : 'not '}administrate and read figures, as their person may`, async () => {
      const { user } = show([], { admin })
      await user.click(screen.getByRole('button', { name: 'New token' }))
      const scopes = ['Read', 'Write', 'Models', 'Metrics', 'Administration']
      const offered = scopes.filter((scope) => inDialog().queryByLabelText(scope) !== null)
      expect(offered).to.deep.equal(admin ? scopes : ['Read', 'Write', 'Models'])
    })

  it('are revoked after a question', async () => {
    const { service, user } = show([tokenOf(), tokenOf({ id: 'token_b', name: 'Old', expires_at: '2026-02-01T00:00:00Z' })])
    await user.click(await screen.findByRole('button', { name: 'Revoke Old' }))
    await user.keyboard('{Escape}')
    expect(service.requestsOf('delete /api/auth/tokens/{token_id}')).to.deep.equal([])
    await user.click(screen.getByRole('button', { name: 'Revoke Old' }))
    await user.click(inDialog().getByRole('button', { name: 'Revoke Old' }))
    await waitFor(() => expect(screen.queryByText('Old')).to.equal(null))
    screen.getByText('Backup script')
    expect(service.requestsOf('delete /api/auth/tokens/{token_id}').map(({ path }) => path.token_id)).to.deep.equal(['token_b'])
  })

  it('stay where they could not be revoked, and the reason is said', async () => {
    const { service, user } = show([tokenOf()])
    service.answer({ 'delete /api/auth/tokens/{token_id}': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    await user.click(await screen.findByRole('button', { name: 'Revoke Backup script' }))
    await user.click(inDialog().getByRole('button', { name: 'Revoke Backup script' }))
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    screen.getByText('Backup script')
  })
})
