import { identityQuestion } from '@agent-service/sdk/web/host'
import {
  answer,
  type FakeApi,
  fakeApi,
  problem,
  type RenderOptions,
  render,
  screen,
  type User,
  waitFor,
  within,
} from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import Plugins from './plugins.js'
import { pluginOf } from './test-support/plugin-of.js'

type Data = Schemas['PluginData']

const dataOf = (more: Partial<Data> = {}): Data => ({
  id: 'garden',
  version: '1.0.0',
  state: 'gone',
  reason: null,
  decision: null,
  third_party: true,
  cache: false,
  deletable: true,
  collections: [
    { name: 'garden.notes', documents: 3, of_users: true, left_behind: false },
    { name: 'garden.beds', documents: 1, of_users: false, left_behind: false },
  ],
  folders: ['garden'],
  ...more,
})

/** The page of plugins, of a service that has this data. */
async function show(data: Data, plugins: readonly Schemas['Plugin'][] = [], options: RenderOptions = {}) {
  let kept: readonly Data[] = [data]
  let running = plugins
  const service: FakeApi<paths> = fakeApi<paths>({
    'get /api/admin/plugins': () => ({ items: [...running], next_cursor: null }),
    'get /api/admin/plugins/data': () => ({ items: [...kept], next_cursor: null }),
    'post /api/admin/plugins/{id}/data/keep'() {
      kept = kept.map((each) => ({ ...each, decision: 'keep' }))
    },
    'delete /api/admin/plugins/{id}/data'() {
      kept = []
      return answer({})
    },
    'post /api/admin/plugins/{id}/disable'({ path }) {
      running = running.map((plugin) => ({ ...plugin, state: 'disabled' }))
      kept = kept.map((each) => ({ ...each, state: 'disabled' }))
      return { plugin: pluginOf(path.id, { state: 'disabled' }), stopped: [path.id] }
    },
  })
  const { user } = render(() => <Plugins />, { at: '/admin/plugins', admin: true, ...options })
  await screen.findByText(/garden\.notes/)
  return {
    service,
    user,
    deletions: () => service.requestsOf('delete /api/admin/plugins/{id}/data').map(({ path, query }) => [path.id, query]),
  }
}

/** Presses a button, in the question on top if there is one. */
async function press(user: User, name: string): Promise<void> {
  const dialog = screen.queryByRole('dialog')
  await user.click((dialog ? within(dialog) : screen).getByRole('button', { name }))
}

const listed = (): readonly (string | null)[] =>
  screen
    .getAllByRole('listitem')
    .filter((item) => item.querySelector('li') === null)
    .map(({ textContent }) => textContent)

describe('the data of plugins that do not run', () => {
  it('is shown with counts, and kept where that is wanted', async () => {
    const { user } = await show(dataOf())
    screen.getByRole('heading', { name: 'Data of plugins that are not installed' })
    screen.getByText('Not installed')
    expect(listed()).to.deep.equal(['garden.notes 3 documents · of people', 'garden.beds 1 document', 'Folder garden of every person'])
    await press(user, 'Keep data of garden')
    await screen.findByText('Kept')
    expect(screen.queryByRole('button', { name: 'Keep data of garden' })).to.equal(null)
  })

  it('is deleted after a question that says what is lost', async () => {
    const { user, deletions } = await show(dataOf())
    await press(user, 'Delete data of garden')
    const question = await screen.findByRole('dialog', { name: 'Delete the data of garden?' })
    expect(question.textContent).to.include(
      '4 documents in 2 collections are deleted. So are these folders of every person: garden. Its cache and its subscriptions go too. This is data of people; only a backup brings it back.',
    )
    await press(user, 'Cancel')
    expect([deletions(), screen.queryByRole('dialog')]).to.deep.equal([[], null])
    await press(user, 'Delete data of garden')
    await press(user, 'Delete data of garden')
    await screen.findByText('The data of garden was deleted')
    await waitFor(() => expect(screen.queryByText(/garden\.notes/)).to.equal(null))
    expect(screen.queryByRole('heading', { name: 'Data of plugins that are not installed' })).to.equal(null)
    expect(deletions()).to.deep.equal([['garden', {}]])
  })

  it('of one that may be installed is deleted after a second question', async () => {
    const reason = 'it may be installed, since plugins.sources lists what cannot be read: gardn'
    const { user, deletions } = await show(dataOf({ state: 'unknown', reason }))
    screen.getByText('May be installed')
    screen.getByText(reason)
    await press(user, 'Delete data of garden')
    await press(user, 'Delete data of garden')
    const second = await screen.findByRole('dialog', { name: 'Is garden gone for sure?' })
    expect(second.textContent).to.include('gardn')
    await press(user, 'Cancel')
    expect(deletions()).to.deep.equal([])
    await press(user, 'Delete data of garden')
    await press(user, 'Delete data of garden')
    await screen.findByRole('dialog', { name: 'Is garden gone for sure?' })
    await press(user, 'Delete data of garden all the same')
    await screen.findByText('The data of garden was deleted')
    expect(deletions()).to.deep.equal([['garden', { despite_unread_sources: 'true' }]])
  })

  it('that a plugin has left behind is deleted while the plugin runs, and nothing else of it', async () => {
    const collections = [
      { name: 'garden.notes', documents: 3, of_users: false, left_behind: true },
      { name: 'garden.beds', documents: 1, of_users: true, left_behind: false },
    ]
    const { user, deletions } = await show(dataOf({ state: 'active', collections }), [pluginOf('garden')])
    screen.getByText('An earlier version stored this. The one that runs does not use it.')
    expect(screen.queryByText(/garden\.beds/)).to.equal(null)
    await press(user, 'Delete what garden left behind')
    const question = await screen.findByRole('dialog', { name: 'Delete the data of garden?' })
    expect(question.querySelector('p')?.textContent).to.equal('3 documents in 1 collection are deleted.')
    await press(user, 'Delete what garden left behind')
    await screen.findByText('The data of garden was deleted')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete what garden left behind' })).to.equal(null))
    screen.getByText('Running')
    expect(deletions()).to.deep.equal([['garden', { left_behind: 'true' }]])
  })

  it('of one that is disabled is deleted beside its row, in the language of the person', async () => {
    const collections = [{ name: 'garden.notes', documents: 3, of_users: true, left_behind: true }]
    const { user, deletions } = await show(dataOf({ state: 'active', collections }), [pluginOf('garden')], { language: 'de' })
    expect(screen.queryByRole('button', { name: 'Daten von garden löschen' })).to.equal(null)
    await user.click(screen.getByRole('switch'))
    await user.click(await screen.findByRole('button', { name: 'Daten von garden löschen' }))
    const question = await screen.findByRole('dialog', { name: 'Daten von garden löschen?' })
    expect(question.textContent).to.include('Gelöscht werden 3 Dokumente in 1 Sammlung. Ebenso diese Ordner jeder Person: garden.')
    await press(user, 'Daten von garden löschen')
    await screen.findByText('Die Daten von garden sind gelöscht')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Daten von garden löschen' })).to.equal(null))
    expect(deletions()).to.deep.equal([['garden', {}]])
  })

  it('stays, with the reason, where it could not be deleted, or the person does not say who it is', async () => {
    const { service, user } = await show(dataOf())
    service.answer({ 'delete /api/admin/plugins/{id}/data': () => problem(409, 'conflict', { detail: 'It is being deleted.' }) })
    await press(user, 'Delete data of garden')
    await press(user, 'Delete data of garden')
    expect((await screen.findByRole('alert')).textContent).to.include('It is being deleted.')
    service.answer({ 'delete /api/admin/plugins/{id}/data': () => problem(403, 'confirmation_required') })
    await press(user, 'Delete data of garden')
    await press(user, 'Delete data of garden')
    await waitFor(() => expect(identityQuestion()?.reason).to.equal('What is deleted here belongs to everyone. Confirm that it is you.'))
    identityQuestion()?.answer(false)
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Delete data of garden' }).getAttribute('aria-busy')).not.to.equal('true'),
    )
    expect(screen.queryByText('The data of garden was deleted')).to.equal(null)
    screen.getByText(/garden\.notes/)
  })
})
