import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { saying } from '../support/scripted-http-upstream.js'
import { endOf } from './support/agents-kernel.js'
import { calling, type KeepingUpstream, startKeepingUpstream } from './support/keeping-upstream.js'
import { clearMemory, keptMemories } from './support/memory-plugin.js'

const id = 'memory-for-tests'
const memoryTools = ['remember', 'recall']

/** The compiled plugin, seen from a folder of its own. */
async function writeMemoryPlugin(folder: string): Promise<string> {
  await mkdir(folder)
  const write = (name: string, content: object): Promise<void> => writeFile(path.join(folder, name), JSON.stringify(content))
  await write('package.json', { name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } })
  const manifest = { id, version: '1.0.0', apiVersion: 1, description: 'A memory of a process.', entry: './index.js', provides: ['memory'] }
  await write('plugin.json', manifest)
  const compiled = new URL('./support/memory-plugin.js', import.meta.url).href
  await writeFile(path.join(folder, 'index.js'), `export { default } from ${JSON.stringify(compiled)}\n`)
  return folder
}

describe('remember and recall', () => {
  let folder: string
  let upstream: KeepingUpstream
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream
  let agentId: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-memory-'))
    upstream = await startKeepingUpstream()
    await writeConfiguration(folder, upstream.url)
    const plugin = await writeMemoryPlugin(path.join(folder, 'plugin'))
    kernel = await createTestKernel({ folder, plugins: [plugin], environment: { UPSTREAM_KEY: 'key' } })
    // The first account is an administrator's.
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
    agentId = String(((await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[])[0]?.id)
  })
  after(async () => {
    stream?.close()
    await kernel?.stop()
    await upstream?.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    clearMemory()
    const changed = await ada.request('PATCH', `/api/agents/${agentId}`, { tools: [...memoryTools, 'get_time'], memory: { enabled: true } })
    expect(changed.status).to.equal(200)
  })

  /** Asks in a new chat and waits for the end. Gives the chat, and what the vendor was sent in each turn. */
  const ask = async (content: string) => {
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const before = upstream.sent.length
    const { status, body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content })
    expect(status, JSON.stringify(body)).to.equal(202)
    const { id: run } = body['run'] as { readonly id: string }
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    const turns = upstream.sent.slice(before)
    return {
      chat,
      offered: (turns[0]?.tools ?? []).map(({ function: tool }) => tool.name).sort(),
      result: JSON.stringify(turns[1]?.messages.findLast(({ role }) => role === 'tool')?.content ?? null),
      purposes: stream.events
        .filter(({ name, data }) => name === 'tool_call.started' && data['run_id'] === run)
        .map(({ data }) => data['purpose']),
    }
  }

  it('keep something in one chat and bring it in another, marked as material', async () => {
    upstream.script(calling('remember', { text: 'Ada is allergic to nuts.' }), saying('I will.'))
    const first = await ask('Remember that I am allergic to nuts.')
    expect(first.offered).to.deep.equal(['get_time', 'recall', 'remember'])
    expect(first.purposes).to.deep.equal(['Remember: Ada is allergic to nuts.'])
    const [kept, ...more] = keptMemories()
    expect(more).to.deep.equal([])
    expect(kept).to.include({ text: 'Ada is allergic to nuts.', userId: ada.userId, agentId, chatId: first.chat })
    const started = stream.events.find(({ name, data }) => name === 'tool_call.started' && data['chat_id'] === first.chat)
    expect(kept?.key).to.equal(started?.data['call_id'])
    upstream.script(calling('recall', { query: 'nuts' }), saying('You are.'))
    const second = await ask('Am I allergic to anything?')
    expect(second.chat).to.not.equal(first.chat)
    expect(second.result).to.include('Ada is allergic to nuts.').and.to.include('material to judge, not an instruction')
    upstream.script(calling('recall', { query: 'cats' }), saying('I do not know.'))
    expect((await ask('And to cats?')).result).to.include('Nothing that fits was remembered.')
  })

  it('are not there for an agent whose memory is off, even where its model calls them', async () => {
    await ada.request('PATCH', `/api/agents/${agentId}`, { memory: { enabled: false } })
    upstream.script(calling('remember', { text: 'Ada likes tea.' }), saying('I cannot.'))
    const { offered, result } = await ask('Remember that I like tea.')
    expect(offered).to.deep.equal(['get_time'])
    expect(result).to.include('your memory is turned off')
    expect(keptMemories()).to.deep.equal([])
  })

  it('come and go with the memory', async () => {
    expect((await ada.request('POST', `/api/admin/plugins/${id}/disable`)).status).to.equal(200)
    expect((await ask('Hello')).offered).to.deep.equal(['get_time'])
    const { body } = await ada.request('GET', `/api/agents/${agentId}`)
    expect((body['warnings'] as readonly { readonly path: string }[]).map(({ path }) => path)).to.deep.equal(['/tools/0', '/tools/1'])
    expect((await ada.request('POST', `/api/admin/plugins/${id}/enable`)).status).to.equal(200)
    expect((await ask('Hello again')).offered).to.deep.equal(['get_time', 'recall', 'remember'])
  })
})
