import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import probePlugin, { probe } from '../sandbox/support/probe-plugin.js'
import { confirm, type EventStream } from '../support/api.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from './support/agents-kernel.js'
import { says, setScript } from './support/scripted-plugin.js'
import { writeTestPlugin } from './support/write-test-plugin.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

async function* call(name: string, args: JsonObject): AsyncGenerator<ModelEvent> {
  const content = [{ type: 'tool_call' as const, call_id: 'vendor-1', name, arguments: args }]
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

/** The texts of the message that the run answers. */
const wordsOf = (request: ModelRequest): readonly string[] =>
  (request.messages.findLast(({ role }) => role === 'user')?.content ?? []).map((part) => (part.type === 'text' ? part.text : ''))
/** The result of the newest call after that message. */
const resultOf = ({ messages }: ModelRequest): string | undefined => {
  const last = messages.at(-1)
  return last?.role === 'tool'
    ? last.content.flatMap(({ content }) => content.map((part) => (part.type === 'text' ? part.text : ''))).join('')
    : undefined
}

/** `closed` has no network and asks others; they do what their message says: `worker: shell`, `between: worker`. */
function obey(request: ModelRequest): AsyncIterable<ModelEvent> {
  const result = resultOf(request)
  if (result !== undefined) return says(result)
  // Tasks have words of the service before their instruction.
  const words = wordsOf(request)[0]?.split('\n\n').at(-1) ?? ''
  const [verb = '', ...rest] = words.split(': ')
  const [agent = ''] = rest
  switch (verb) {
    case 'shell':
      return call('shell', { command: 'echo ran' })
    case 'background':
      return call('shell', { command: 'read line; echo "$line"', background: true })
    case 'write':
      return call('write_process', { id: agent, text: 'mine\n', wait_seconds: 0 })
    case 'read':
      return call('read_process', { id: agent })
    case 'stop':
      return call('stop_process', { id: agent })
    case 'again':
      return call(Number(agent) % 2 === 0 ? 'delegate' : 'create_task', deeper(Number(agent)))
    case 'delegate':
      return call('delegate', { agent, task: rest.slice(1).join(': ') })
    case 'task':
      return call('create_task', { agent, instruction: rest.slice(1).join(': '), wait: true })
    case 'later':
      return call('create_task', { agent, instruction: rest.slice(1).join(': '), at: '2999-01-01T09:00' })
    case 'change':
      return call('change_task', { id: agent, instruction: 'shell' })
    default:
      return says('Nothing to do.')
  }
}

/** The arguments of a call that goes one level deeper, to `worker` and `between` in turns. */
const deeper = (level: number): JsonObject => {
  const agent = Math.floor(level / 2) % 2 === 0 ? 'worker' : 'between'
  return level % 2 === 0 ? { agent, task: `again: ${level + 1}` } : { agent, instruction: `again: ${level + 1}` }
}

describe('what is closed to an agent', function () {
  this.timeout(60_000)
  let folder: string
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream
  const ids = new Map<string, string>()

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-restrictions-'))
    const plugin = await writeTestPlugin(
      path.join(folder, 'probe'),
      probePlugin,
      new URL('../sandbox/support/probe-plugin.js', import.meta.url),
    )
    setScript({ answer: obey })
    const disabled = JSON.stringify(['provider-openai', 'sandbox-linux', 'sandbox-macos'])
    agents = await startAgentsKernel({ plugins: [plugin], environment: { SERVICE_PLUGINS_DISABLED: disabled } })
    ada = await agents.person('ada')
    const tools = ['delegate', 'create_task', 'change_task', 'shell', 'read_process', 'write_process', 'stop_process']
    for (const handle of ['closed', 'between', 'worker']) {
      const sandbox = { network: handle !== 'closed' }
      const { status, body } = await ada.request('POST', '/api/agents', {
        handle,
        name: handle,
        tools,
        approval: { '*': 'never' },
        sandbox,
      })
      expect(status, JSON.stringify(body)).to.equal(201)
      ids.set(handle, String(body['id']))
    }
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** What an agent answers in a new chat. */
  async function asked(handle: string, content: string): Promise<string> {
    const chat = String((await ada.request('POST', '/api/chats', { agent_id: ids.get(handle) })).body['id'])
    expect((await endOf(stream, await ada.post(chat, content))).name).to.equal('run.completed')
    return textOf((await ada.messages(chat)).at(-1))
  }
  const newestAccess = () => probe.requests.at(-1)?.network.access
  /** As the sandbox names it: no other work of the agent is on the same one. */
  const loopbackFor = (handle: string): string => {
    const hash = createHash('sha256').update(ids.get(handle) ?? '')
    return `for-${hash.digest('hex').slice(0, 40)}-off`
  }
  /** The newest chat in which an agent was asked by another one. */
  const hiddenChat = (): string =>
    String(stream.events.findLast(({ name, data }) => name === 'message.created' && 'sent_by' in Object(data['message']))?.data['chat_id'])

  it('stays closed to the agents that it asks, directly and through others, and in their whole chat', async () => {
    expect(await asked('worker', 'shell')).to.contain('ran')
    expect([newestAccess(), probe.requests.at(-1)?.network.loopback]).to.deep.equal(['some', undefined])
    expect(await asked('closed', 'delegate: worker: shell')).to.contain('ran')
    expect([newestAccess(), probe.requests.at(-1)?.network.loopback]).to.deep.equal(['off', loopbackFor('closed')])
    const chat = hiddenChat()
    expect(await asked('closed', 'delegate: between: delegate: worker: shell')).to.contain('ran')
    expect(newestAccess()).to.equal('off')
    // The person goes on in the chat that the other agent began.
    expect((await ada.request('GET', `/api/chats/${chat}`)).body['callers']).to.deep.equal([ids.get('closed')])
    await endOf(stream, await ada.post(chat, 'shell'))
    expect(newestAccess()).to.equal('off')
    const again = await ada.request('POST', `/api/chats/${chat}/regenerate`, {})
    await endOf(stream, (again.body['run'] as { readonly id: string }).id)
    expect([newestAccess(), probe.requests.length]).to.deep.equal(['off', 5])
  })

  it('stays closed in the tasks that it creates for them, at once and later', async () => {
    expect(await asked('closed', 'task: worker: shell')).to.contain('ran')
    expect(newestAccess()).to.equal('off')
    await asked('closed', 'later: worker: shell')
    const { body } = await ada.request('GET', '/api/tasks?status=scheduled')
    const [task] = body['items'] as readonly { readonly id: string; readonly callers: readonly string[] }[]
    expect(task?.callers).to.deep.equal([ids.get('closed')])
    const before = probe.requests.length
    expect((await ada.request('POST', `/api/tasks/${task?.id}/run`)).status).to.be.oneOf([200, 202])
    await stream.until(({ name, data }) => name === 'run.completed' && data['run_id'] !== undefined && probe.requests.length > before)
    expect(newestAccess()).to.equal('off')
  })

  it('keeps them from using what works for the person alone: a process with the network, a task', async () => {
    const id = /process (\S+?)\. /.exec(await asked('worker', 'background'))?.[1] ?? 'none'
    for (const verb of ['write', 'read', 'stop'])
      expect(await asked('closed', `delegate: worker: ${verb}: ${id}`), verb).to.contain('You have no process')
    await asked('worker', 'later: worker: nothing')
    const { body } = await ada.request('GET', '/api/tasks?status=scheduled')
    const own = (body['items'] as readonly { readonly id: string; readonly instruction: string }[]).find(
      (task) => task.instruction === 'nothing',
    )
    expect(await asked('closed', `delegate: worker: change: ${own?.id}`)).to.match(/^(?!.*"task")/)
    expect((await ada.request('GET', `/api/tasks/${own?.id}`)).body['instruction']).to.equal('nothing')
    expect(await asked('worker', `write: ${id}`)).not.to.contain('no process')
  })

  it('is nothing more for what an agent plans for itself, or is asked back', async () => {
    const id = /process (\S+?)\. /.exec(await asked('worker', 'background'))?.[1] ?? 'none'
    expect(await asked('worker', `task: worker: read: ${id}`)).not.to.contain('You have no process')
    expect(await asked('worker', 'task: worker: shell'))
      .to.contain('ran')
      .and.not.contain('another agent')
    expect(probe.requests.at(-1)?.network).to.include({ access: 'some' }).and.not.have.property('loopback')
    expect(await asked('worker', 'delegate: between: delegate: worker: shell'))
      .to.contain('ran')
      .and.contain('another agent')
    expect(await asked('worker', `stop: ${id}`)).not.to.contain('You have no process')
  })

  it('lets no task run itself again', async () => {
    await asked('worker', 'later: worker: once more')
    const { body } = await ada.request('GET', '/api/tasks?status=scheduled')
    const task = (body['items'] as readonly { readonly id: string; readonly instruction: string }[]).find(
      ({ instruction }) => instruction === 'once more',
    )
    const answers: string[] = []
    setScript({
      answer(request) {
        const result = resultOf(request)
        if (result === undefined) return call('change_task', { id: String(task?.id), do: 'run' })
        answers.push(result)
        return says(result)
      },
    })
    try {
      await ada.request('POST', `/api/tasks/${task?.id}/run`)
      await stream.until(({ data }) => data['task_id'] === task?.id && data['status'] === 'scheduled' && answers.length > 0)
      expect(answers).to.have.length(1)
      expect(answers[0]).to.contain('the task is at work')
    } finally {
      setScript({ answer: obey })
    }
  })

  it('is not opened by asking one that may ask others', async () => {
    await confirm(ada)
    const text = `forbid (principal == Agent::"${ids.get('closed')}", action == Action::"delegate", resource == Agent::"${ids.get('worker')}");`
    const policy = await ada.request('POST', '/api/admin/policies', { text })
    expect(policy.status, JSON.stringify(policy.body)).to.equal(201)
    const before = probe.requests.length
    try {
      expect(await asked('closed', 'delegate: between: delegate: worker: shell')).to.contain('do not allow')
      expect(await asked('closed', 'delegate: between: task: worker: shell')).to.contain('Not done')
      expect(probe.requests).to.have.length(before)
      expect(await asked('between', 'delegate: worker: shell')).to.contain('ran')
    } finally {
      await ada.request('DELETE', `/api/admin/policies/${String(policy.body['id'])}`)
    }
  })

  it('does not reach what a policy forbids it, through an agent that may', async () => {
    await confirm(ada)
    const text = `forbid (principal == Agent::"${ids.get('between')}", action == Action::"connect", resource) when { resource.host == "closed.example" };`
    const policy = await ada.request('POST', '/api/admin/policies', { text })
    expect(policy.status, JSON.stringify(policy.body)).to.equal(201)
    const { signal } = new AbortController()
    const allows = async (host: string) => probe.requests.at(-1)?.network.allows?.({ host, port: 443 }, { signal })
    try {
      await asked('worker', 'shell')
      expect(await allows('closed.example')).to.equal(true)
      await asked('between', 'delegate: worker: shell')
      expect([await allows('closed.example'), await allows('open.example')]).to.deep.equal([false, true])
    } finally {
      await ada.request('DELETE', `/api/admin/policies/${String(policy.body['id'])}`)
    }
  })

  it('ends three levels below the first run, by tools that ask in turns', async () => {
    const script = setScript({ answer: obey })
    const answeredAt = (level: number): string | undefined =>
      script.requests.flatMap((request) => (wordsOf(request)[0]?.endsWith(`again: ${level}`) ? (resultOf(request) ?? []) : []))[0]
    await asked('between', 'again: 0')
    await stream.until(({ name }) => name === 'run.completed' && answeredAt(3) !== undefined)
    expect(answeredAt(3)).to.match(/^Not done: .*3 levels/)
    expect(answeredAt(4)).to.equal(undefined)
  })

  it('is told with every message: the agent that wrote it, to the person, the model and the audit log', async () => {
    const script = setScript({ answer: obey })
    await asked('closed', 'delegate: worker: shell')
    const chat = hiddenChat()
    const [message] = (await ada.messages(chat)) as readonly { readonly sent_by?: object; readonly run_id?: string }[]
    expect(message?.sent_by).to.deep.equal({ agent_id: ids.get('closed'), name: 'closed' })
    const toWorker = script.requests.find((request) => wordsOf(request)[0] === 'shell')
    expect(toWorker && wordsOf(toWorker)[1]).to.equal('[Written by the agent “closed” of this person, not by the person.]')
    const { body } = await ada.request('GET', '/api/admin/audit?kind=agent.delegated&limit=1')
    const [entry] = body['items'] as readonly JsonObject[]
    expect(entry).to.deep.include({ actor_id: ada.userId, subject_id: ids.get('worker') })
    expect(JSON.stringify(entry))
      .to.contain(`"caller_agent_id":"${ids.get('closed')}"`)
      .and.contain(chat)
    const markdown = await fetch(`${agents.kernel.url}/api/chats/${chat}/export?format=markdown`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    expect(await markdown.text()).to.contain('## Agent closed')
  })

  it('stays closed in its tasks after it was deleted', async () => {
    await asked('closed', 'later: worker: shell')
    const { body } = await ada.request('GET', '/api/tasks?status=scheduled')
    const tasks = body['items'] as readonly { readonly id: string; readonly instruction: string; readonly callers: readonly string[] }[]
    const task = tasks.find(({ instruction, callers }) => instruction === 'shell' && callers[0] === ids.get('closed'))
    expect((await ada.request('DELETE', `/api/agents/${ids.get('closed')}`)).status).to.equal(204)
    const before = probe.requests.length
    await ada.request('POST', `/api/tasks/${task?.id}/run`)
    await stream.until(({ name }) => name === 'run.completed' && probe.requests.length > before)
    expect(newestAccess()).to.equal('off')
  })
})
