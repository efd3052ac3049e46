import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { EventStream } from '../support/api.js'
import { runCommand } from '../support/command.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from './support/agents-kernel.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

/** A normal stop without any part, as Gemini and Anthropic give it after results of tools. */
async function* saysNothing(): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'response.finished', content: [], stop_reason: 'stop', usage }
}
const afterTool = (request: ModelRequest) => (resultsIn(request).length === 0 ? calls('tool__read') : saysNothing())

describe('an empty answer, also after results of tools', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream
  let token: string

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    stream = await ada.stream()
    token = String(
      (await ada.request('POST', '/api/auth/tokens', { name: 'client', scopes: ['read', 'write', 'inference'] })).body['token'],
    )
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  it('is asked for once more in a chat, which then shows that it was empty and goes on', async () => {
    const { requests } = setScript({ answer: afterTool })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Look.')
    const retrying = await stream.until(({ name, data }) => name === 'run.retrying' && data['run_id'] === run)
    expect(retrying.data).to.include({ failure: 'answer_empty', reason: 'The model returned an empty answer.' })
    const end = await endOf(stream, run)
    expect([end.name, end.data['failure']]).to.deep.equal([
      'run.failed',
      { code: 'answer_empty', message: 'The model returned an empty answer. Try again, or choose another model.' },
    ])
    expect(requests).to.have.length(3)
    const messages = await ada.messages(chat)
    expect(messages.map(({ role, status }) => `${role} ${status}`)).to.deep.equal([
      'user complete',
      'assistant complete',
      'tool complete',
      'assistant failed',
    ])
    const next = setScript({ answer: () => says('Here.') })
    expect((await endOf(stream, await ada.post(chat, 'And now?'))).name).to.equal('run.completed')
    expect(next.requests[0]?.messages.map(({ role }) => role)).to.deep.equal(['system', 'user', 'assistant', 'tool', 'user'])
    const again = await ada.request('POST', `/api/chats/${chat}/regenerate`, { message_id: messages[1]?.id })
    expect((await endOf(stream, (again.body['run'] as { readonly id: string }).id)).name).to.equal('run.completed')
  })

  it('fails a task, whose notification names the reason', async () => {
    setScript({ answer: afterTool })
    const made = await ada.request('POST', '/api/tasks', { instruction: 'Look.', title: 'Look', max_retries: 0 })
    const id = String(made.body['id'])
    const ended = await stream.until(
      ({ name, data }) => name === 'task.updated' && data['task_id'] === id && ['completed', 'failed'].includes(String(data['status'])),
    )
    expect(ended.data['status']).to.equal('failed')
    const [execution] = (await ada.request('GET', `/api/tasks/${id}/executions`)).body['items'] as readonly Record<string, unknown>[]
    expect(execution?.['failure']).to.include({ code: 'answer_empty' })
    const told = await stream.until(
      ({ name, data }) => name === 'notification.created' && (data['about'] as { readonly task_id?: string })['task_id'] === id,
    )
    expect(told.data['kind']).to.equal('task.failed')
    expect(told.data['text']).to.include('The model returned an empty answer.')
  })

  it('ends a command with 1 and the reason on its standard error', async () => {
    setScript({ answer: afterTool })
    const command = runCommand(agents.kernel.folder, ['chat', '--url', agents.kernel.url, '--message', 'Look.'], {
      AGENT_SERVICE_TOKEN: token,
    })
    expect(await command.ended).to.equal(1)
    expect(command.standardOutput().trim()).to.equal('')
    expect(command.standardError()).to.include('The model returned an empty answer.')
  })

  it('is an error of an agent and an empty text of a model in /v1', async () => {
    setScript({ answer: () => saysNothing() })
    const ask = async (model: string) => {
      const answer = await fetch(`${agents.kernel.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Look.' }] }),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const plain = await ask('primary')
    expect(plain.status).to.equal(200)
    expect((plain.body['choices'] as readonly object[])[0]).to.deep.include({ finish_reason: 'stop' })
    const handle = String(((await ada.request('GET', `/api/agents/${ada.agentId}`)).body as { readonly handle: string }).handle)
    const ofAgent = await ask(`agent/${handle}`)
    expect(ofAgent.status).to.equal(503)
    expect(ofAgent.body['error']).to.include({ code: 'agent_run_failed' })
  })
})
