import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { EventStream } from '../support/api.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from './support/agents-kernel.js'
import { resultsIn, says, setScript } from './support/scripted-plugin.js'

type Call = readonly [string, JsonObject]

const fileTools = ['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'delete_file', 'move_file']

/** An answer that makes these calls. */
async function* asks(calls: readonly Call[]): AsyncGenerator<ModelEvent> {
  const content = calls.map(([name, input], index) => ({ type: 'tool_call' as const, call_id: `vendor-${index}`, name, arguments: input }))
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

describe('policies about the files of agents', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream
  const ids = new Map<string, string>()

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    for (const handle of ['writer', 'reader']) {
      const made = await ada.request('POST', '/api/agents', { handle, name: handle, tools: fileTools, approval: { '*': 'never' } })
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      ids.set(handle, String(made.body['id']))
    }
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  const workspaceOf = (handle: string): string => path.join(agents.kernel.folder, 'data', 'users', 'ada', 'workspaces', handle)
  /** What an agent that makes these calls in a turn reads of them. */
  const results = async (handle: string, ...calls: readonly Call[]): Promise<readonly string[]> => {
    const script = setScript({ answer: (request) => (resultsIn(request).length === 0 ? asks(calls) : says('Done.')) })
    const chat = String((await ada.request('POST', '/api/chats', { agent_id: ids.get(handle) })).body['id'])
    const run = await ada.post(chat, 'Go')
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    const parts = resultsIn(script.requests.at(-1) ?? expect.fail('The model was not asked again.'))
    return parts.map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n'))
  }
  const withPolicy = async (text: string, work: () => Promise<void>): Promise<void> => {
    const added = await ada.request('POST', '/api/admin/policies', { text })
    expect(added.status, JSON.stringify(added.body)).to.equal(201)
    try {
      await work()
    } finally {
      await ada.request('DELETE', `/api/admin/policies/${String(added.body['id'])}`)
    }
  }

  it('may use the current handle of the agent', async () => {
    const text = `forbid (principal is Agent, action == Action::"write_file", resource is File)
      unless { principal has handle && principal.handle == "writer" };`
    await withPolicy(text, async () => {
      const write: Call = ['write_file', { path: 'notes.md', content: 'mine' }]
      expect((await results('writer', write))[0]).to.contain('Made notes.md')
      const [written, listed] = await results('reader', write, ['list_files', {}])
      expect(written).to.contain('The policies of this service do not let you change “notes.md”')
      expect(listed).to.contain('Nothing in the workspace')

      expect((await ada.request('PATCH', `/api/agents/${ids.get('writer')}`, { handle: 'former' })).status).to.equal(200)
      expect((await results('writer', write))[0]).to.contain('do not let you change')
      expect((await ada.request('PATCH', `/api/agents/${ids.get('writer')}`, { handle: 'writer' })).status).to.equal(200)
    })
  })

  it('37 decide about the real file behind any link in the workspace', async () => {
    const root = workspaceOf('writer')
    await mkdir(path.join(root, 'secret', 'deep'), { recursive: true })
    await writeFile(path.join(root, 'secret', 'key'), 'canary')
    await writeFile(path.join(root, 'secret', 'deep', 'key'), 'canary')
    await writeFile(path.join(root, 'secret', 'shared'), 'canary')
    await mkdir(path.join(root, 'open'))
    await writeFile(path.join(root, 'open', 'plain'), 'plain text')
    await symlink('secret', path.join(root, 'way'))
    await symlink('../way/deep', path.join(root, 'open', 'further'))
    await symlink('open', path.join(root, 'fine'))
    await link(path.join(root, 'secret', 'shared'), path.join(root, 'open', 'hard'))
    const before = await readdir(root, { recursive: true })

    const isSecret = 'resource.path like "workspaces/writer/secret*"'
    const text = `forbid (principal is Agent, action in [Action::"read_file", Action::"write_file"], resource is File) when { ${isSecret} };`
    await withPolicy(text, async () => {
      const calls: readonly Call[] = [
        ['read_file', { path: 'way/key' }],
        ['read_file', { path: 'open/further/key' }],
        ['read_file', { path: 'fine/further/key' }],
        ['write_file', { path: 'way/key', content: 'changed' }],
        ['write_file', { path: 'way/new/key', content: 'changed' }],
        ['edit_file', { path: 'open/further/key', old_text: 'canary', new_text: 'changed' }],
        ['list_files', { path: 'way' }],
        ['list_files', { path: 'open/further' }],
        ['search_files', { path: 'way', query: 'canary' }],
        ['delete_file', { path: 'way/key' }],
        ['delete_file', { path: 'way/deep', recursive: true }],
        ['move_file', { from: 'way/key', to: 'stolen' }],
        ['move_file', { from: 'way/deep', to: 'stolen' }],
        ['move_file', { from: 'open/plain', to: 'way/plain' }],
      ]
      for (const [index, result] of (await results('writer', ...calls)).entries())
        expect(result, JSON.stringify(calls[index])).to.match(/^The policies of this service do not let you (read|change) “secret/)

      const [hard, linked, searched] = await results(
        'writer',
        ['read_file', { path: 'open/hard' }],
        ['read_file', { path: 'fine/plain' }],
        ['search_files', { query: 'canary' }],
      )
      expect(hard).to.contain('not a regular file')
      expect(linked).to.contain('open/plain, lines 1 to 1 of 1').and.contain('plain text')
      expect(searched).to.contain('you may not read some of the files').and.not.contain('secret/key')
    })
    expect((await readdir(root, { recursive: true })).toSorted()).to.deep.equal(before.toSorted())
    expect(await readFile(path.join(root, 'secret', 'key'), 'utf8')).to.equal('canary')
    expect((await results('writer', ['read_file', { path: 'way/key' }]))[0]).to.contain('canary')
  })
})
