import { problem, type RenderOptions, render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import { bodiesOf, connection, credential, page, savedHouse, serviceWith, tested } from '../../test-support/inference.js'
import Providers from './providers.js'

const house = { providers: savedHouse, connections: [connection()], credentials: [credential()] }

function show(given: Parameters<typeof serviceWith>[0], options: RenderOptions = {}) {
  const service = serviceWith(given)
  const { user } = render(() => <Providers />, { at: '/admin/providers', admin: true, ...options })
  return {
    user,
    service,
    press: async (name: string) => user.click(await screen.findByRole('button', { name })),
    async choose(of: string, what: string): Promise<void> {
      await user.click(await screen.findByRole('button', { name: of }))
      await user.click(screen.getByRole('menuitem', { name: what }))
    },
    async fill(name: string, text: string): Promise<void> {
      await user.clear(screen.getByLabelText(name))
      await user.type(screen.getByLabelText(name), text)
    },
  }
}

describe('the screen of providers', () => {
  it('shows a connection of the environment with its variable, and lets it not be changed', async () => {
    const ofEnvironment = { adapter: null, discovered: true, key: 'variable', variable: 'GROQ_API_KEY' } as const
    show({ connections: [connection({ ...ofEnvironment, handle: 'groq', brand: 'groq' })] })
    await screen.findByText('Set by GROQ_API_KEY')
    screen.getByRole('button', { name: 'Test groq' })
    expect(screen.queryByRole('button', { name: 'Actions for groq' })).to.equal(null)
  })

  it('adds a connection once it has answered, with its key in no file', async () => {
    const { press, fill, service, user } = show({})
    await press('Add a provider')
    await user.click(screen.getByRole('radio', { name: /Other endpoint/ }))
    await press('Test and save')
    expect(screen.getByLabelText('Address').getAttribute('aria-invalid')).to.equal('true')
    expect(service.requestsOf('post /api/admin/connections/test')).to.deep.equal([])
    await fill('Address', 'http://models.example/v1')
    await fill('API key', 'sk-right')
    await fill('Handle', 'house')
    await press('Test and save')
    await screen.findByText('house is saved')
    expect(screen.queryByRole('dialog')).to.equal(null)
    expect(service.requestsOf('post /api/admin/connections/test').map(({ body }) => body)).to.deep.equal([
      { provider: 'house', adapter: 'adapter_alpha', base_url: 'http://models.example/v1', api_key: 'sk-right', api: 'completions' },
    ])
    expect(service.requestsOf('post /api/admin/credentials').map(({ body }) => body)).to.deep.equal([
      { brand: 'house', label: 'house', api_key: 'sk-right' },
    ])
    expect(bodiesOf(service)).to.deep.equal([
      {
        set: {
          'providers.house.provider': 'house',
          'providers.house.adapter': 'adapter_alpha',
          'providers.house.base_url': 'http://models.example/v1',
          'providers.house.credential_id': 'credential_new',
        },
        reset: [],
      },
    ])
  })

  it('says why a new connection does not answer, keeps what was typed, and saves it if that is wanted', async () => {
    const { press, fill, service, user } = show({})
    service.answer({ 'post /api/admin/connections/test': () => tested({ ok: false, failure: 'authentication', model: null }) })
    await press('Add a provider')
    await user.click(screen.getByRole('radio', { name: /Other endpoint/ }))
    await fill('Address', 'http://models.example/v1')
    await fill('API key', 'sk-mistyped')
    await press('Test and save')
    await screen.findByText(/^The provider refused the key\./)
    expect(screen.getByLabelText<HTMLInputElement>('API key').value).to.equal('sk-mistyped')
    expect(bodiesOf(service)).to.deep.equal([])
    await press('Save anyway')
    await screen.findByText('endpoint is saved')
  })

  it('tests a connection, and says which model answered or why none did', async () => {
    const { press, service } = show(house)
    await press('Test house')
    await screen.findByText('house-small answered.')
    service.answer({ 'post /api/admin/connections/test': () => tested({ ok: false, failure: 'transport', message: 'It hung up.' }) })
    await press('Test house')
    await screen.findByText('It hung up.')
    expect(screen.queryByText('house-small answered.')).to.equal(null)
    expect(service.requestsOf('post /api/admin/connections/test').map(({ body }) => body)).to.deep.equal([
      { handle: 'house' },
      { handle: 'house' },
    ])
  })

  it('shows the models that a connection offers', async () => {
    const { press } = show(house)
    await press('Models of house')
    const sheet = within(await screen.findByRole('dialog', { name: 'Models of house' }))
    await sheet.findByText('house-large')
    sheet.getByText('house-small')
  })

  it('replaces a key once the provider takes the new one', async () => {
    const { choose, press, fill, service } = show(house)
    await screen.findByText('Saved key')
    service.answer({
      'post /api/admin/connections/test': ({ body }) =>
        body.api_key === 'sk-next' ? tested() : tested({ ok: false, failure: 'authentication', model: null }),
    })
    await choose('Actions for house', 'Replace key')
    screen.getByRole('dialog', { name: 'Replace the key of house' })
    await fill('New key', 'sk-mistyped')
    await press('Replace key')
    await screen.findByText(/^The provider refused the key\./)
    expect(service.requestsOf('patch /api/admin/credentials/{credential_id}')).to.deep.equal([])
    await fill('New key', 'sk-next')
    await press('Replace key')
    await screen.findByText('The key of house is replaced.')
    expect(screen.queryByRole('dialog')).to.equal(null)
    const changes = service.requestsOf('patch /api/admin/credentials/{credential_id}').map(({ path, body }) => [path.credential_id, body])
    expect(changes).to.deep.equal([['credential_house', { api_key: 'sk-next' }]])
  })

  it('names the models that call a connection before it can be deleted, in German too', async () => {
    const primary = { provider: 'other', model: 'large', fallbacks: [{ provider: 'house', model: 'small' }] }
    const { choose, service } = show({ ...house, models: { primary } }, { language: 'de' })
    await choose('Aktionen für house', 'Löschen')
    const dialog = within(await screen.findByRole('dialog', { name: 'house wird genutzt' }))
    dialog.getByText('Hauptmodell')
    expect(dialog.getByRole('link', { name: 'Zu den Modellen' }).getAttribute('href')).to.equal('/admin/models')
    expect(bodiesOf(service)).to.deep.equal([])
  })

  it('deletes a connection that nothing calls, and then its key, each after a question', async () => {
    const { choose, press, service } = show(house)
    await choose('Actions for house', 'Delete')
    await press('Delete house')
    await screen.findByText('house is deleted from the file.')
    await screen.findByRole('heading', { name: 'Keys without a connection' })
    expect(screen.queryByRole('button', { name: 'Test house' })).to.equal(null)
    expect(bodiesOf(service)).to.deep.equal([{ set: {}, reset: ['providers.house'] }])
    await press('Delete the key house')
    await press('Delete key')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Keys without a connection' })).to.equal(null))
    expect(service.requestsOf('delete /api/admin/credentials/{credential_id}')).to.have.length(1)
  })

  it('says why it could not be read, and reads again', async () => {
    const service = serviceWith({})
    service.answer({ 'get /api/admin/connections': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const { user } = render(() => <Providers />, { admin: true })
    await screen.findByText(/Not now\./)
    service.answer({ 'get /api/admin/connections': () => page() })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('No providers yet')
    expect(screen.queryByText(/Not now\./)).to.equal(null)
  })
})
