import { expect } from 'chai'
import { createApi } from '../api/create-api.js'
import { fakeApi, problem, render, screen, waitFor } from '../testing.js'
import type { FormSchema } from './json-schema.js'
import { type FormValue, SchemaForm } from './schema-form.js'

interface Paths {
  '/api/dice': { put: { requestBody: { content: { 'application/json': { dice: FormValue } } }; responses: { 204: object } } }
}

const api = createApi<Paths>()

const schema: FormSchema = {
  type: 'object',
  required: ['name', 'sides'],
  properties: {
    name: { type: 'string', title: 'Name', maxLength: 10 },
    sides: { type: 'integer', title: 'Sides', minimum: 2, description: 'How many there are.' },
    colour: { enum: ['red', 'green'], title: 'Colour' },
    is_fair: { type: 'boolean' },
    secret: { type: 'string', writeOnly: true },
    tags: { type: 'array', items: { type: 'string' }, title: 'Tags' },
    note: { type: ['string', 'null'], title: 'Note', format: 'multiline' },
    extra: { type: 'object', title: 'Extra' },
    table: { type: 'object', title: 'Table', required: ['size'], properties: { size: { type: 'number', title: 'Size' } } },
  },
}

function show(value: FormValue, form: FormSchema = schema) {
  const service = fakeApi<Paths>({ 'put /api/dice': () => undefined })
  const save = (dice: FormValue): Promise<void> => api.put('/api/dice', { body: { dice } }).then(() => undefined)
  const { user } = render(() => <SchemaForm schema={form} value={value} action="Save" pointer="/dice" onSubmit={save} />)
  const sent = (): readonly FormValue[] => service.requestsOf('put /api/dice').map(({ body }) => body.dice)
  return { user, service, sent, press: () => user.click(screen.getByRole('button', { name: 'Save' })) }
}

const field = (name: string | RegExp): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(name)

describe('SchemaForm', () => {
  it('has a field for each property in its order, as its schema says, with its value', () => {
    show({ name: 'Blue', sides: 6, colour: 'green', is_fair: true, tags: ['a', 'b'], extra: { a: 1 }, table: { size: 2 } })
    expect([field(/^Name/).value, field(/^Sides/).type, field(/^Sides/).value]).to.deep.equal(['Blue', 'number', '6'])
    screen.getByText('How many there are.')
    expect(field(/^Colour/).value).to.equal('green')
    expect(field('Is fair').checked).to.equal(true)
    expect(field(/^Secret/).type).to.equal('password')
    expect(field(/^Tags/).value).to.equal('a\nb')
    expect(field(/^Extra/).value).to.equal('{\n  "a": 1\n}')
    expect(screen.getByRole('group', { name: 'Table' }).contains(field(/^Size/))).to.equal(true)
  })

  it('sends what was changed beside what was there', async () => {
    const { user, sent, press } = show({ name: 'Blue', sides: 6, note: 'Old' })
    await user.clear(field(/^Name/))
    await user.type(field(/^Name/), 'Red')
    await user.clear(field(/^Sides/))
    await user.type(field(/^Sides/), '20')
    await user.selectOptions(field(/^Colour/), 'red')
    await user.click(field('Is fair'))
    await user.type(field(/^Tags/), 'a{Enter}{Enter}b')
    await user.clear(field(/^Note/))
    await user.type(field(/^Size/), '2.5')
    await press()
    await waitFor(() => expect(sent()).to.have.length(1))
    expect(sent()[0]).to.deep.equal({
      name: 'Red',
      sides: 20,
      colour: 'red',
      is_fair: true,
      tags: ['a', 'b'],
      note: null,
      table: { size: 2.5 },
    })
  })

  it('says what does not fit at its field, the first of which gets the focus, and sends nothing', async () => {
    const { user, sent, press } = show({ sides: 1 })
    await press()
    await waitFor(() => expect(document.activeElement).to.equal(field(/^Name/)))
    expect(screen.getAllByRole('textbox', { hidden: true }).filter((each) => each.getAttribute('aria-invalid') === 'true')).to.have.length(
      1,
    )
    expect(field(/^Sides/).getAttribute('aria-invalid')).to.equal('true')
    await user.type(field(/^Name/), 'Blue')
    expect(field(/^Name/).getAttribute('aria-invalid')).not.to.equal('true')
    expect(sent()).to.deep.equal([])
  })

  it('keeps a text that is no JSON in its field, and does not take it over', async () => {
    const { user, sent, press } = show(
      { name: 'Blue', sides: 6, extra: { a: 1 } },
      { ...schema, properties: { extra: { type: 'object', title: 'Extra' } } },
    )
    await user.clear(field(/^Extra/))
    await user.type(field(/^Extra/), '{{"b"')
    expect(field(/^Extra/).getAttribute('aria-invalid')).to.equal('true')
    await user.type(field(/^Extra/), ': 2}')
    expect(field(/^Extra/).getAttribute('aria-invalid')).not.to.equal('true')
    await press()
    await waitFor(() => expect(sent()).to.deep.equal([{ name: 'Blue', sides: 6, extra: { b: 2 } }]))
  })

  it('says what the service says of a field there, of the whole above it, and is busy meanwhile', async () => {
    const { service, press } = show({ name: 'Blue', sides: 6, table: { size: 20 } })
    service.answer({
      'put /api/dice': () => problem(400, 'validation_failed', { errors: [{ path: '/dice/table/size', message: 'is too large' }] }),
    })
    await press()
    await waitFor(() => expect(document.activeElement).to.equal(field(/^Size/)))
    service.answer({ 'put /api/dice': () => problem(409, 'conflict', { detail: 'Somebody else plays.' }) })
    const held = service.hold('put /api/dice')
    await press()
    expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).to.equal('true')
    held.release()
    await screen.findByText(/Somebody else plays\./)
    expect(field(/^Name/).value).to.equal('Blue')
  })
})
