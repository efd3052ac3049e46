import { fakeApi, problem, render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { whole } from '../../test-support/prompts.js'
import { PromptDialog } from './prompt-dialog.js'

type Shown = Partial<Parameters<typeof PromptDialog>[0]>

function show(props: Shown = {}, { admin = false } = {}) {
  const ended: string[] = []
  const end = (what: string) => () => void ended.push(what)
  const { user } = render(() => <PromptDialog {...props} onClose={end('closed')} />, { admin })
  return { user, ended, save: () => user.click(screen.getByRole('button', { name: 'Save prompt' })) }
}

const field = (name: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(name)
const asked = (): readonly (string | null)[] =>
  within(screen.getByRole('dialog'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('the dialog of a prompt', () => {
  it('saves a new one under a command that follows from its title, once', async () => {
    const service = fakeApi<paths>({ 'post /api/prompts': ({ body }) => whole(body) })
    const held = service.hold('post /api/prompts')
    const { user, ended, save } = show()
    expect(screen.getByRole('dialog', { name: 'New prompt' })).not.to.equal(null)
    expect(document.activeElement).to.equal(field('Title'))
    await user.keyboard(' Translate a Text ')
    expect(field('Command').placeholder).to.equal('translate-a-text')
    await user.click(field('Text'))
    await user.paste('Into German')
    await save()
    expect(screen.getByRole('button', { name: 'Save prompt' }).getAttribute('aria-busy')).to.equal('true')
    await save()
    expect(ended).to.deep.equal([])
    held.release()
    await screen.findByText('/translate-a-text saved')
    expect(ended).to.deep.equal(['closed'])
    const bodies = service.requestsOf('post /api/prompts').map(({ body }) => body)
    expect(bodies).to.deep.equal([{ command: 'translate-a-text', title: 'Translate a Text', text: 'Into German' }])
  })

  it('shows what a text will ask for while it is written', async () => {
    const { user } = show({ begin: { text: 'Into {{language=German}}:' } })
    expect(asked()).to.deep.equal(['languageGerman'])
    await user.click(field('Text'))
    await user.paste(' {{text}} {{date}} {{ no variable! }} {{text}}')
    expect(asked()).to.deep.equal(['languageGerman', 'text'])
    await user.clear(field('Text'))
    expect(asked()).to.deep.equal(['Nothing is asked for when it is used.'])
  })

  it('says of its command what is wrong with it, and what is not of a field above the buttons; what was typed stays', async () => {
    const service = fakeApi<paths>({
      'post /api/prompts': () => problem(400, 'validation_failed', { errors: [{ path: '/command', message: 'must match pattern' }] }),
    })
    const { user, ended, save } = show({ begin: { title: 'Translate', text: 'Into German' } })
    await user.type(field('Command'), 'Not one')
    await save()
    await waitFor(() => expect(field('Command').getAttribute('aria-invalid')).to.equal('true'))
    expect(screen.getByRole('dialog').textContent).to.include('Typed behind “/”: lower-case letters, digits and “-”, at most 32.')
    service.answer({ 'post /api/prompts': () => problem(409, 'prompt_command_taken', { detail: 'You have a prompt /translate.' }) })
    await save()
    await screen.findByText('You have a prompt /translate.')
    expect(field('Command').getAttribute('aria-invalid')).to.equal('true')
    service.answer({ 'post /api/prompts': () => problem(507, 'quota_exceeded', { detail: 'There is no room for more.' }) })
    await save()
    expect((await screen.findByRole('alert')).textContent).to.include('There is no room for more.')
    expect([ended, field('Command').value, field('Title').value, field('Text').value]).to.deep.equal([
      ...[[], 'Not one', 'Translate', 'Into German'],
    ])
  })

  it('changes the version that was shown', async () => {
    const service = fakeApi<paths>({ 'patch /api/prompts/{prompt_id}': () => whole({ version: 4 }) })
    const { user, ended, save } = show({ prompt: whole({ version: 3 }) })
    expect(screen.getByRole('dialog', { name: 'Edit /translate' })).not.to.equal(null)
    await user.clear(field('Title'))
    await user.type(field('Title'), 'Translate')
    await save()
    await waitFor(() => expect(ended).to.deep.equal(['closed']))
    const [request] = service.requestsOf('patch /api/prompts/{prompt_id}')
    expect([request?.path.prompt_id, request?.headers.get('if-match'), request?.body.title]).to.deep.equal([
      ...['prompt_translate', '"3"', 'Translate'],
    ])
  })

  it('lets only those who administrate share it', () => {
    show()
    expect(screen.queryByRole('checkbox')).to.equal(null)
  })

  it('shares what is saved, and when that fails, does not save it twice', async () => {
    const service = fakeApi<paths>({
      'post /api/prompts': ({ body }) => whole({ ...body, version: 1 }),
      'patch /api/prompts/{prompt_id}': () => whole({ version: 2 }),
      'put /api/admin/prompts/{prompt_id}/shared': () => problem(503, 'unavailable', { detail: 'Not now.' }),
    })
    const { user, ended, save } = show({ begin: { title: 'Translate', text: 'Into German' } }, { admin: true })
    await user.click(screen.getByRole('checkbox', { name: /For everyone/ }))
    await save()
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    service.answer({ 'put /api/admin/prompts/{prompt_id}/shared': () => undefined })
    await save()
    await waitFor(() => expect(ended).to.deep.equal(['closed']))
    expect(service.requestsOf('post /api/prompts')).to.have.length(1)
    const shares = service.requestsOf('put /api/admin/prompts/{prompt_id}/shared').map(({ body }) => body)
    expect(shares).to.deep.equal([{ shared: 'everyone' }, { shared: 'everyone' }])
  })
})
