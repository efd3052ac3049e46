import { expect } from 'chai'
import { createSignal, type JSX, Show } from 'solid-js'
import { createApi } from '../api/create-api.js'
import { createForm } from '../forms/create-form.js'
import { fakeApi, problem, render, screen, waitFor } from '../testing.js'
import { TextField } from './field.js'
import { FormDialog } from './form-dialog.js'

interface Paths {
  '/api/rolls': {
    post: {
      requestBody: { content: { 'application/json': { name: string; note: string } } }
      responses: { 201: { content: { 'application/json': { id: string } } } }
    }
  }
}

const api = createApi<Paths>()

/** A page with a button that opens a form. */
function Rolls(props: { readonly check?: (name: string) => string | undefined }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        New roll
      </button>
      <Show when={isOpen()}>
        <Adding {...props} onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}

function Adding(props: { readonly check?: (name: string) => string | undefined; readonly onClose: () => void }): JSX.Element {
  const form = createForm({
    initial: { name: '', note: '' },
    codes: { name_taken: '/name' },
    check({ name }) {
      const said = props.check?.(name)
      return said === undefined ? {} : { '/name': said }
    },
    async submit(body) {
      await api.post('/api/rolls', { body })
      props.onClose()
    },
  })
  return (
    <FormDialog form={form} title="A new roll" action="Add" onClose={props.onClose}>
      <TextField label="Name" autofocus {...form.field('name')} />
      <TextField label="Note" {...form.field('note')} />
    </FormDialog>
  )
}

const nameField = (): HTMLInputElement => screen.getByRole('textbox', { name: 'Name' })
const noteField = (): HTMLInputElement => screen.getByRole('textbox', { name: 'Note' })

describe('FormDialog', () => {
  it('takes the focus in, sends what was typed, closes and gives the focus back', async () => {
    const service = fakeApi<Paths>({ 'post /api/rolls': () => ({ id: 'first' }) })
    const { user } = render(() => <Rolls />)
    await user.click(screen.getByRole('button', { name: 'New roll' }))
    expect(screen.getByRole('dialog', { name: 'A new roll' })).to.have.property('open', true)
    expect(document.activeElement).to.equal(nameField())
    await user.keyboard('Who begins{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null))
    expect(document.activeElement).to.equal(screen.getByRole('button', { name: 'New roll' }))
    expect(service.requestsOf('post /api/rolls').map(({ body }) => body)).to.deep.equal([{ name: 'Who begins', note: '' }])
  })

  it('is busy while it waits for the answer, and sends nothing twice', async () => {
    const service = fakeApi<Paths>({ 'post /api/rolls': () => ({ id: 'first' }) })
    const held = service.hold('post /api/rolls')
    const { user } = render(() => <Rolls />)
    await user.click(screen.getByRole('button', { name: 'New roll' }))
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect(screen.getByRole('button', { name: 'Add' }).getAttribute('aria-busy')).to.equal('true')
    await user.click(screen.getByRole('button', { name: 'Add' }))
    await user.type(nameField(), '{Enter}')
    expect(service.requests).to.have.length(1)
    held.release()
    await waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null))
    expect(service.requests).to.have.length(1)
  })

  it('says what the service says of a field at that field, which gets the focus, and keeps what was typed', async () => {
    const errors = [{ path: '/note', message: 'must not be empty' }]
    fakeApi<Paths>({ 'post /api/rolls': () => problem(400, 'validation_failed', { errors }) })
    const { user } = render(() => <Rolls />)
    await user.click(screen.getByRole('button', { name: 'New roll' }))
    await user.keyboard('Who begins')
    await user.click(screen.getByRole('button', { name: 'Add' }))
    await waitFor(() => expect(noteField().getAttribute('aria-invalid')).to.equal('true'))
    await waitFor(() => expect(document.activeElement).to.equal(noteField()))
    expect(screen.queryByRole('alert')).to.equal(null)
    expect(nameField().value).to.equal('Who begins')
  })

  it('says at a field what a problem says that is about it alone', async () => {
    fakeApi<Paths>({ 'post /api/rolls': () => problem(409, 'name_taken', { detail: 'There is one.' }) })
    const { user } = render(() => <Rolls />)
    await user.click(screen.getByRole('button', { name: 'New roll' }))
    await user.keyboard('Who begins{Enter}')
    await screen.findByText('There is one.')
    await waitFor(() => expect(document.activeElement).to.equal(nameField()))
    expect(nameField().getAttribute('aria-invalid')).to.equal('true')
  })

  it('says what concerns no field above the buttons, and is there for another try', async () => {
    const service = fakeApi<Paths>({ 'post /api/rolls': () => problem(409, 'conflict', { detail: 'Somebody else rolls.' }) })
    const { user } = render(() => <Rolls />)
    await user.click(screen.getByRole('button', { name: 'New roll' }))
    await user.click(screen.getByRole('button', { name: 'Add' }))
    expect((await screen.findByRole('alert')).textContent).to.include('Somebody else rolls.')
    service.answer({ 'post /api/rolls': () => ({ id: 'first' }) })
    await user.click(screen.getByRole('button', { name: 'Add' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null))
  })

  it('asks the service nothing while its own check finds something wrong', async () => {
    const service = fakeApi<Paths>({ 'post /api/rolls': () => ({ id: 'first' }) })
    const { user } = render(() => <Rolls check={(name) => (name === '' ? 'Needs a name.' : undefined)} />)
    await user.click(screen.getByRole('button', { name: 'New roll' }))
    await user.click(screen.getByRole('button', { name: 'Add' }))
    await screen.findByText('Needs a name.')
    expect(service.requests).to.deep.equal([])
    await user.type(nameField(), 'Who begins{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null))
  })

  it('is closed by its buttons alone, in the language of the person', async () => {
    const { user } = render(() => <Rolls />, { language: 'de' })
    await user.click(screen.getByRole('button', { name: 'New roll' }))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).not.to.equal(null)
    await user.click(screen.getByRole('button', { name: 'Abbrechen' }))
    expect(screen.queryByRole('dialog')).to.equal(null)
  })
})
