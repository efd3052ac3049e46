import { announced, render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import { bodiesOf, connection, page, savedHouse, serviceWith } from '../../test-support/inference.js'
import Models from './models.js'

const primary = { provider: 'house', model: 'house-large', fallbacks: [{ provider: 'house', model: 'gone' }] }

const runningPrimary: Schemas['ModelGroup'] = {
  brand: 'house',
  brand_name: 'house',
  context_window: 128_000,
  fallbacks: ['gone'],
  model: 'house-large',
  name: 'primary',
  provider: 'house',
  title: 'house-large',
}

const assistant: Schemas['Agent'] = {
  approval: {},
  avatar: '',
  created_at: '2026-12-01T08:00:00Z',
  description: '',
  enabled: true,
  handle: 'assistant',
  id: 'agent_assistant',
  instructions: '',
  limits: {},
  memory: { enabled: false },
  model_group: 'primary',
  name: 'Clerk',
  prompts: {},
  sandbox: { network: false },
  shared: null,
  skills: [],
  titles: { enabled: false },
  tools: [],
  updated_at: '2026-12-01T08:00:00Z',
  version: 1,
  warnings: [],
  workspace: 'assistant',
}

function show(models: Readonly<Record<string, unknown>>, language: 'en' | 'de' = 'en') {
  const service = serviceWith({ providers: savedHouse, models, connections: [connection()] })
  const { user } = render(() => <Models />, { at: '/admin/models', admin: true, language })
  return { user, service, press: async (name: string) => user.click(await screen.findByRole('button', { name })) }
}

const fields = (name: string): readonly HTMLInputElement[] => screen.getAllByLabelText<HTMLInputElement>(name)
const field = (name: string, index = 0): HTMLInputElement => fields(name)[index] as HTMLInputElement

describe('the screen of models', () => {
  it('makes the main model first, with fallbacks in an order that the keyboard changes', async () => {
    const { user, press, service } = show({})
    await press('Add a model')
    expect(screen.queryByLabelText('Name')).to.equal(null)
    await user.selectOptions(field('Provider'), 'house')
    await screen.findByRole('option', { name: 'house-large' })
    await user.selectOptions(field('Model'), 'house-large')
    await press('Add a fallback')
    await user.selectOptions(field('Provider', 1), 'house')
    await waitFor(() => within(field('Model', 1)).getByRole('option', { name: 'house-small' }))
    await user.selectOptions(field('Model', 1), 'house-small')
    await press('Add a fallback')
    await user.selectOptions(field('Provider', 2), 'house')
    await waitFor(() => within(field('Model', 2)).getByRole('option', { name: 'house-small' }))
    await user.selectOptions(field('Model', 2), 'Another model')
    await user.type(field('Model', 2), 'gone')
    screen.getByRole('button', { name: 'Move fallback 2 up' }).focus()
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    // The focus goes with the fallback, which cannot move up any more.
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).to.equal('Move fallback 1 down'))
    expect(announced()).to.include('gone')
    await press('Check and save')
    await screen.findByText('Main model is saved')
    expect(bodiesOf(service)).to.deep.equal([
      {
        set: {
          'models.primary.provider': 'house',
          'models.primary.model': 'house-large',
          'models.primary.fallbacks': [
            { provider: 'house', model: 'gone' },
            { provider: 'house', model: 'house-small' },
          ],
        },
        reset: [],
      },
    ])
  })

  it('says which parameter the service does not take, which stays as it was typed', async () => {
    const { user, press, service } = show({ primary })
    await user.click(await screen.findByRole('button', { name: 'Actions for Main model' }))
    await user.click(screen.getByRole('menuitem', { name: 'Edit' }))
    await waitFor(() => within(field('Model')).getByRole('option', { name: 'house-large' }))
    service.answer({
      'post /api/admin/config/check': () => ({
        overlaps: [],
        warnings: [],
        problems: [{ path: 'models.primary.extra_params', message: 'is set by the service itself' }],
      }),
    })
    await user.clear(field('extra_params'))
    await user.click(field('extra_params'))
    await user.paste('{"model": "another"}')
    await press('Check and save')
    await screen.findByText('is set by the service itself')
    expect(field('extra_params').value).to.equal('{"model": "another"}')
    expect(field('extra_params').getAttribute('aria-invalid')).to.equal('true')
    expect(bodiesOf(service)).to.deep.equal([])
  })

  it('shows who uses a model, and tests each model that stands behind it', async () => {
    const { press, service } = show({ primary })
    const target = {
      failure: null,
      fallback: 0,
      message: null,
      model: 'house-large',
      ok: true,
      provider: 'house',
      took_ms: 12,
      tools: true,
    }
    service.answer({
      'get /api/models': () => page(runningPrimary),
      'get /api/agents': () => page(assistant),
      'post /api/admin/model-groups/{group}/test': () => ({
        ok: false,
        targets: [target, { ...target, fallback: 1, model: 'gone', ok: false, failure: 'model_not_found' as const }],
      }),
    })
    await press('Test Main model')
    await screen.findByText('house-large answered.')
    screen.getByText('The provider does not have this model.')
    screen.getByText(/Clerk/)
    expect(service.requestsOf('post /api/admin/model-groups/{group}/test').map(({ path }) => path.group)).to.deep.equal(['primary'])
  })

  it('deletes a model after a question, in German too', async () => {
    const { user, press, service } = show({ primary }, 'de')
    await user.click(await screen.findByRole('button', { name: 'Aktionen für Hauptmodell' }))
    await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
    await press('Hauptmodell löschen')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Aktionen für Hauptmodell' })).to.equal(null))
    expect(bodiesOf(service)).to.deep.equal([{ set: {}, reset: ['models.primary'] }])
  })
})
