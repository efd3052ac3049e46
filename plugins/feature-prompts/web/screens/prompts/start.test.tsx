import { type ComposerCommand, composerCommandSources, messageActions, textOf } from '@agent-service/sdk/web'
import { fakeApi, problem, render, runStart, screen, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { listed, whole } from '../../test-support/prompts.js'
import { start } from './start.js'

const prompts = [
  listed(),
  listed({ command: 'mail', own: false, owner: 'Bea', shared: 'everyone' }),
  listed({ command: 'news', own: false, shared: 'everyone' }),
  listed({ command: 'translate', id: 'prompt_of_others', own: false, shadowed: true }),
]

/** The page with what a screen adds to the field of a message, and the command that is chosen there. */
async function commands() {
  const service = fakeApi<paths>({
    'get /api/prompts': () => ({ items: prompts, next_cursor: null }),
    'get /api/prompts/{prompt_id}': () => whole(),
    'post /api/prompts/{prompt_id}/use': () => undefined,
  })
  const { user } = render(() => <p>A chat</p>)
  runStart(start)
  const [source] = composerCommandSources()
  const found = (await source?.read()) ?? []
  return { service, user, found, command: found[0] as ComposerCommand }
}

describe('saved prompts in a chat', () => {
  it('are commands, the last used first, with whose they are; those that an own one stands before are not', async () => {
    const { service, found } = await commands()
    expect(found.map(({ name, note }) => [name, note])).to.deep.equal([
      ...[
        ['translate', undefined],
        ['mail', 'Shared by Bea'],
        ['news', 'Shared'],
      ],
    ])
    expect(service.requestsOf('get /api/prompts').map(({ query }) => query.order)).to.deep.equal(['used'])
  })

  it('ask for what their text needs, with the first value selected, and put it in as text alone', async () => {
    const { service, user, command } = await commands()
    const text = command.text()
    await screen.findByRole('dialog', { name: 'Translate a text' })
    const language = screen.getByLabelText<HTMLTextAreaElement>('language')
    expect(language.value).to.equal('German')
    await waitFor(() => expect([language.selectionStart, language.selectionEnd]).to.deep.equal([0, 'German'.length]))
    await user.type(screen.getByLabelText('text'), '<b>{{{{date}}</b>{Shift>}{Enter}{/Shift}two{Enter}')
    expect(await text).to.equal('Into German:\n<b>{{date}}</b>\ntwo')
    expect(screen.queryByRole('dialog')).to.equal(null)
    expect(service.requestsOf('post /api/prompts/{prompt_id}/use')).to.have.length(1)
  })

  it('stay as they were typed if the person does not want to, and do not count as used', async () => {
    const { service, user, command } = await commands()
    const text = command.text()
    await screen.findByRole('dialog')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await text).to.equal(undefined)
    expect(service.requestsOf('post /api/prompts/{prompt_id}/use')).to.deep.equal([])
  })

  it('are put in at once when they ask for nothing, even where their use cannot be noted', async () => {
    const { service, command } = await commands()
    service.answer({
      'get /api/prompts/{prompt_id}': () => whole({ text: 'Hello.' }),
      'post /api/prompts/{prompt_id}/use': () => problem(503, 'unavailable', { detail: 'Not now.' }),
    })
    expect(await command.text()).to.equal('Hello.')
    await screen.findByText(/Not now\./)
  })

  it('begin with a message of the person', async () => {
    const { service, user } = await commands()
    service.answer({ 'post /api/prompts': ({ body }) => whole(body) })
    const [action] = messageActions()
    expect(action && textOf(action.title)).to.equal('Save as prompt')
    action?.run('Into German')
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Text')).value).to.equal('Into German')
    await user.type(screen.getByLabelText('Title'), 'Mine{Enter}')
    await screen.findByText('/mine saved')
  })
})
