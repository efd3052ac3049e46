import { announced, render, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import { chatService, type KeptChat } from '../../test-support/chat-service.js'
import { chat, message, run } from '../../test-support/things.js'
import ChatScreen from './chat.js'

const comparison = {
  message_id: 'message_0',
  answers: [
    { branch_id: 'branch_own', run_id: 'run_first' },
    { branch_id: 'branch_other', run_id: 'run_second' },
  ],
}
const going = { status: 'running', finished_at: null } as const
const second = { id: 'run_second', branch_id: 'branch_other', model_group: 'quick', model_source: 'message' } as const

/** A chat in which two models answer, both still at it unless `runs` says otherwise. */
async function show(runs: readonly [Schemas['Run'], Schemas['Run']] = [run(going), run({ ...second, ...going })]) {
  const [open, beside] = runs.map(({ id, finished_at }) => (finished_at === null ? id : null))
  const kept: KeptChat = {
    chat: chat({ comparison, branch_count: 2, active_run_id: open ?? null, beside_run_id: beside ?? null }),
    messages: [
      message('user', 'Which one?', { sequence: 0 }),
      message('assistant', 'First begins', { sequence: 1, status: open ? 'open' : 'complete' }),
      message('assistant', 'Second begins', {
        sequence: 1,
        id: 'message_other',
        run_id: 'run_second',
        branch_id: 'branch_other',
        status: beside ? 'open' : 'complete',
      }),
    ],
    runs,
  }
  const service = chatService(kept)
  const { user } = render(() => <ChatScreen params={{ chatId: 'chat_jam' }} />, { at: '/chats/chat_jam' })
  const first = await screen.findByRole('region', { name: 'primary-model' })
  const other = await screen.findByRole('region', { name: 'quick-model' })
  await within(first).findByText('First begins')
  await within(other).findByText('Second begins')
  const end = (status: 'completed' | 'failed' | 'cancelled', ended: Schemas['Run']): void => {
    const { id: run_id, chat_id } = ended
    const done = { ...ended, status, finished_at: '2026-12-01T08:01:00Z' }
    const rest = kept.chat.active_run_id === run_id ? { active_run_id: null } : { beside_run_id: null }
    kept.runs = kept.runs.map((each) => (each.id === run_id ? done : each))
    kept.chat = { ...kept.chat, ...rest }
    sendEvent(`run.${status}`, { chat_id, run_id, run: done, ...(done.failure && { failure: done.failure }) })
    sendEvent('chat.updated', { chat_id, chat: kept.chat })
  }
  const cancelled = () => service.requestsOf('post /api/runs/{run_id}/cancel').map(({ path }) => path.run_id)
  return { user, kept, service, first: within(first), other: within(other), end, cancelled }
}

describe('two answers that are compared', () => {
  it('stand below the message once, each with what its model writes', async () => {
    const { service, first, other } = await show()
    expect(screen.getAllByText('Which one?')).to.have.length(1)
    expect(first.queryByText('Second begins')).to.equal(null)
    sendEvent('text.delta', {
      ...{
        chat_id: 'chat_jam',
        run_id: 'run_second',
        message_id: 'message_other',
        part: 0,
        text: ' and goes on',
        offset: 'Second begins'.length,
      },
    })
    await other.findByText('Second begins and goes on')
    expect(first.queryByText(/goes on$/)).to.equal(null)
    expect(service.requestsOf('get /api/chats/{chat_id}/messages').map(({ query }) => query.branch_id)).to.deep.equal([
      ...[undefined, 'branch_other'],
    ])
  })

  it('are both stopped by the one Stop beside the message', async () => {
    const { user, cancelled } = await show()
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(cancelled()).to.deep.equal(['run_first', 'run_second']))
  })

  it('are stopped one alone, and told by their models, each once', async () => {
    const { user, kept, first, end, cancelled } = await show()
    await user.click(screen.getByRole('button', { name: 'Stop: primary-model' }))
    await waitFor(() => expect(cancelled()).to.deep.equal(['run_first']))
    kept.messages = kept.messages.map((each) => ({ ...each, status: each.id === 'message_1' ? 'partial' : each.status }))
    for (const each of kept.messages) sendEvent('message.updated', { chat_id: 'chat_jam', run_id: each.run_id, message: each })
    end('cancelled', run(going))
    await first.findByText('Stopped')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop: primary-model' })).to.equal(null))
    await waitFor(() => expect(announced()).to.equal('primary-model was stopped.'))
    expect(cancelled()).to.deep.equal(['run_first'])
    await user.click(screen.getByRole('button', { name: 'Stop: quick-model' }))
    await waitFor(() => expect(cancelled()).to.deep.equal(['run_first', 'run_second']))
    end('cancelled', run({ ...second, ...going }))
    await waitFor(() => expect(announced()).to.equal('quick-model was stopped.'))
  })

  it('of which one fails say why, and leave the other; it is not tried again there', async () => {
    const failure = { code: 'provider_error', message: 'The stream was cut.' }
    const { first, other, end } = await show()
    end('completed', run(going))
    end('failed', run({ ...second, ...going, failure }))
    await other.findByText('Details')
    expect(other.getByText('The stream was cut.')).not.to.equal(null)
    expect(screen.queryByRole('button', { name: 'Try again' })).to.equal(null)
    expect(first.getByText('First begins')).not.to.equal(null)
    await waitFor(() => expect(announced()).to.equal('primary-model has answered. quick-model could not answer.'))
  })

  it('say what they took once they have ended', async () => {
    const { other } = await show([run(), run(second)])
    await other.findByText(/15 tokens/)
  })

  it('go on with the one that is chosen, and the focus goes to the field', async () => {
    const { user, kept, service } = await show([run(), run(second)])
    service.answer({
      'patch /api/chats/{chat_id}'({ body }) {
        const of = [
          { branch_id: 'branch_own', number: 1 },
          { branch_id: 'branch_other', number: 2 },
        ]
        kept.chat = { ...kept.chat, comparison: null, branch_id: body.branch_id ?? '' }
        kept.messages = kept.messages.map((each) => (each.role === 'user' ? each : { ...each, alternatives: of }))
        return kept.chat
      },
    })
    await user.click(screen.getByRole('button', { name: 'Go on with this one: quick-model' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Two answers' })).to.equal(null))
    await screen.findByText('2 of 2')
    expect([screen.queryByText('First begins'), screen.getAllByText('Second begins').length]).to.deep.equal([null, 1])
    expect(document.activeElement).to.equal(screen.getByRole('textbox', { name: 'Message' }))
    expect(service.requestsOf('patch /api/chats/{chat_id}').map(({ body }) => body)).to.deep.equal([{ branch_id: 'branch_other' }])
  })

  it('go on with the first when the next message is sent', async () => {
    const { kept, first } = await show([run(), run(second)])
    expect(first.getByText('First begins')).not.to.equal(null)
    const alternatives = comparison.answers.map(({ branch_id }, index) => ({ branch_id, number: index + 1 }))
    kept.messages = kept.messages.map((each) => (each.role === 'user' ? each : { ...each, alternatives }))
    kept.chat = { ...kept.chat, comparison: null }
    sendEvent('chat.updated', { chat_id: 'chat_jam', chat: kept.chat })
    await screen.findByText('1 of 2')
    expect(screen.queryByRole('region', { name: 'Two answers' })).to.equal(null)
    expect(screen.queryByText('Second begins')).to.equal(null)
  })
})
