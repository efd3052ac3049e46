import { render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import { configurationService, type Problems } from '../../test-support/configuration.js'
import Settings from './settings.js'

const setting = 'models.primary.fallbacks'

/** The editor of a list of objects, and what is typed into the fields of its entries. */
async function show(check?: (set: Readonly<Record<string, unknown>>) => Problems) {
  const file = configurationService(check)
  const { user } = render(() => <Settings />, { at: '/admin/settings?section=models', admin: true })
  const press = (name: string): Promise<void> => user.click(screen.getByRole('button', { name }))
  await screen.findByText(setting)
  return {
    file,
    user,
    press,
    async type(number: number, label: string, text: string): Promise<void> {
      await user.clear(fieldOf(number, label))
      await user.type(fieldOf(number, label), text)
    },
    async write(text: string): Promise<void> {
      await user.click(json())
      json().select()
      await user.paste(text)
    },
    async save(): Promise<unknown> {
      await press('Review 1 change')
      await waitFor(() => expect(screen.getByRole('button', { name: 'Save 1 change' })).to.have.property('disabled', false))
      await press('Save 1 change')
      await screen.findByText(/^Saved\./)
      return file.saved(setting)
    },
  }
}

const entry = (number: number): HTMLElement => screen.getByRole('group', { name: `Entry ${number}` })
const fieldOf = (number: number, label: string): HTMLInputElement => within(entry(number)).getByLabelText(label)
const json = (): HTMLTextAreaElement => screen.getByPlaceholderText('JSON')

/** What the fields of all entries have. */
const rows = (): readonly Readonly<Record<string, string>>[] =>
  screen.queryAllByRole('group', { name: /^Entry/ }).map((group) =>
    Object.fromEntries(
      within(group)
        .getAllByRole<HTMLInputElement>('textbox')
        .map(({ labels, value }) => [labels?.[0]?.textContent ?? '', value]),
    ),
  )

describe('a list of objects among the settings', () => {
  it('is rows with fields for what has to be set, and for what is chosen', async () => {
    const { user, press, type, save } = await show()
    await press('Add an entry')
    expect(rows()).to.deep.equal([{ Provider: '', Model: '' }])
    await type(1, 'Provider', 'work')
    await type(1, 'Model', 'small')
    await user.selectOptions(within(entry(1)).getByLabelText('Add a field'), 'Temperature')
    await type(1, 'Temperature', '0.5')
    expect(rows()).to.deep.equal([{ Provider: 'work', Model: 'small', Temperature: '0.5' }])
    expect(await save()).to.deep.equal([{ provider: 'work', model: 'small', temperature: 0.5 }])
  })

  it('keeps what does not fit in its field, with what the service says of it', async () => {
    const { user, press, type } = await show((set) =>
      JSON.stringify(set[setting]).includes('warm') ? [{ path: `${setting}[0].temperature`, message: 'must be a number' }] : [],
    )
    await press('Add an entry')
    await user.selectOptions(within(entry(1)).getByLabelText('Add a field'), 'Temperature')
    await type(1, 'Temperature', 'warm')
    await screen.findByText('[0].temperature: must be a number')
    expect(fieldOf(1, 'Temperature').value).to.equal('warm')
    await type(1, 'Temperature', '0.5')
    await waitFor(() => expect(screen.queryByText('[0].temperature: must be a number')).to.equal(null))
  })

  it('is moved and removed in place, with the fields of each entry', async () => {
    const { user, press, type } = await show()
    for (const [number, model] of ['small', 'tiny'].entries()) {
      await press('Add an entry')
      await type(number + 1, 'Model', model)
    }
    await user.selectOptions(within(entry(1)).getByLabelText('Add a field'), 'Temperature')
    await press('Move entry 2 up')
    expect(rows()).to.deep.equal([
      { Provider: '', Model: 'tiny' },
      { Provider: '', Model: 'small', Temperature: '' },
    ])
    expect(screen.getByRole('button', { name: 'Move entry 1 up' })).to.have.property('disabled', true)
    await press('Remove entry 1')
    expect(rows()).to.deep.equal([{ Provider: '', Model: 'small', Temperature: '' }])
    await press('Remove entry 1')
    expect(rows()).to.deep.equal([])
    expect(screen.queryByRole('button', { name: /^Review/ })).to.equal(null)
  })

  it('is JSON where that is wanted, and keeps what has no field', async () => {
    const { press, type, write, save } = await show()
    await press('Add an entry')
    await type(1, 'Model', 'tiny')
    await press('Edit as JSON')
    expect(JSON.parse(json().value)).to.deep.equal([{ model: 'tiny' }])
    await write('[{ "provider": "work", "model": "tiny", "retry": { "max_retries": 1 } }]')
    await press('Edit in fields')
    within(entry(1)).getByText('Only as JSON: retry')
    await type(1, 'Model', 'smallest')
    expect(await save()).to.deep.equal([{ provider: 'work', model: 'smallest', retry: { max_retries: 1 } }])
  })

  it('stays JSON while it has something else than objects in it', async () => {
    const { press, write } = await show()
    await press('Edit as JSON')
    await write('[1')
    await press('Edit in fields')
    expect(json().value).to.equal('[1')
    screen.getByText('This is not valid JSON.')
    await write('[1]')
    expect([json().value, rows()]).to.deep.equal(['[1]', []])
  })
})
