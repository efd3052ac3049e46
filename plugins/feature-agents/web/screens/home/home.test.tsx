import { chooseNextTemporary, currentPath } from '@agent-service/sdk/web'
import { fakeApi, offline, render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { agent, chat, message, model, pageOf, run } from '../../test-support/things.js'
import Home from './home.js'

const answers = {
  'get /api/agents': () => pageOf(agent()),
  'get /api/models': () => pageOf(model('primary'), model('quick')),
  'get /api/tools': () => pageOf(),
  'get /api/approvals': () => pageOf(),
  'get /api/chats': () => pageOf(chat()),
}

function show() {
  const service = fakeApi<paths>({
    ...answers,
    'post /api/chats': ({ body }) => chat({ id: 'chat_new', temporary: body.temporary ?? false }),
    'post /api/chats/{chat_id}/messages': () => ({
      message: message('user', 'Which one?', { sequence: 0, chat_id: 'chat_new' }),
      run: run(),
    }),
  })
  const { user } = render(() => <Home />)
  const begun = () => service.requestsOf('post /api/chats').map(({ body }) => body)
  const ask = async (): Promise<void> => {
    await user.type(await screen.findByRole('textbox', { name: 'What should get done?' }), 'Which one?{Enter}')
    await waitFor(() => expect(currentPath()).to.equal('/chats/chat_new'))
  }
  return { service, user, begun, ask }
}

const temporary = () => screen.getByRole('button', { name: 'Temporary chat' })

describe('the start page', () => {
  it('says what it could not read where that belongs, and has it after another try', async () => {
    const { service, user } = show()
    service.answer({
      'get /api/agents': () => offline(),
      'get /api/approvals': () => offline(),
      'get /api/chats': () => offline(),
    })
    await waitFor(() => expect(screen.getAllByRole('alert')).to.have.length(3))
    expect(within(screen.getByRole('heading', { name: 'Needs you' }).closest('section') as HTMLElement).getByRole('alert')).not.to.equal(
      null,
    )
    service.answer(answers)
    for (const button of screen.getAllByRole('button', { name: 'Try again' })) await user.click(button)
    await screen.findByRole('link', { name: /^Jam/ })
    await screen.findByRole('button', { name: 'Agent: Helper' })
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Needs you' })).to.equal(null))
    expect(screen.queryByRole('alert')).to.equal(null)
  })

  it('begins a temporary chat if that was chosen, and the one after it is none', async () => {
    const { user, begun, ask } = show()
    expect(temporary().getAttribute('aria-pressed')).to.equal('false')
    await user.click(temporary())
    expect(temporary().getAttribute('aria-pressed')).to.equal('true')
    await screen.findByText('In no list, without memory, and deleted when it has been left alone.')
    await ask()
    expect(begun().map((body) => body.temporary)).to.deep.equal([true])
    expect(temporary().getAttribute('aria-pressed')).to.equal('false')
  })

  it('shows that a temporary chat was chosen elsewhere', () => {
    show()
    chooseNextTemporary(true)
    expect(temporary().getAttribute('aria-pressed')).to.equal('true')
    chooseNextTemporary(false)
  })

  it('begins a chat in which two models are compared', async () => {
    const { service, user, ask } = show()
    await user.click(await screen.findByRole('button', { name: 'Model: primary-model' }))
    await user.click(await screen.findByRole('option', { name: /^Compare with…/ }))
    await user.click(await screen.findByRole('option', { name: /^quick-model/ }))
    await screen.findByRole('button', { name: 'Do not compare with quick-model' })
    await ask()
    expect(
      service.requestsOf('post /api/chats/{chat_id}/messages').map(({ path, body }) => [path.chat_id, body.compare_with]),
    ).to.deep.equal([...[['chat_new', { model: 'quick' }]]])
    expect(screen.queryByRole('button', { name: /^Do not compare/ })).to.equal(null)
  })
})
