import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { resultsIn, type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import townPlugin, { newTown, said, sentTexts, type Town } from './support/town-plugin.js'

const connections = '/api/channels/connections'

/** An answer that sends these files. */
async function* sends(inputs: readonly JsonObject[]): AsyncGenerator<ModelEvent> {
  const content = inputs.map((input, index) => ({
    ...{ type: 'tool_call' as const, call_id: `vendor-${index}`, name: 'send_file', arguments: input },
  }))
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

describe('files that agents send over a channel', function () {
  this.timeout(60_000)
  let folder: string
  let agents: AgentsKernel
  let ada: Person
  let town: Town
  let id: string
  let contents: string[]
  let messages = 0

  const userFolder = (...names: readonly string[]): string => path.join(agents.kernel.folder, 'data', 'users', 'ada', ...names)
  const modelThatSends = (...inputs: readonly JsonObject[]): Script =>
    setScript({ answer: (request) => (resultsIn(request).length === 0 ? sends(inputs) : says('Done.')) })
  /** What the agent reads of its calls, in a chat of its own with a person of the channel. */
  const asked = async (from: string, ...inputs: readonly JsonObject[]) => {
    const script = modelThatSends(...inputs)
    const before = town.sent.filter(({ text }) => text === 'Done.').length
    const host = town.hosts.at(-1)
    for (const text of ['/new', 'Send it.']) {
      messages += 1
      await host?.receive({ messages: [said(String(messages), text, from)] })
    }
    for (let count = town.sent.length; town.sent.filter(({ text }) => text === 'Done.').length === before; ) {
      count += 1
      await sentTexts(count)
    }
    const offered = (script.requests[0]?.tools ?? []).map(({ name }) => name)
    const read = resultsIn(script.requests.at(-1) ?? expect.fail('The model was not asked.')).map(({ content }) =>
      content.map((part) => (part.type === 'text' ? part.text : '')).join(),
    )
    return { offered, read }
  }

  before(async () => {
    setScript()
    town = newTown()
    contents = []
    town.onSend = async ({ attachments = [] }) => {
      for (const { bytes } of attachments) {
        const pieces: Uint8Array[] = []
        for await (const piece of bytes) pieces.push(piece)
        contents.push(Buffer.concat(pieces).toString())
      }
    }
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-send-file-'))
    const plugin = await writeTestPlugin(path.join(folder, 'town'), townPlugin, new URL('./support/town-plugin.js', import.meta.url))
    agents = await startAgentsKernel({ plugins: [plugin] })
    ada = await agents.person('ada')
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools: ['send_file', 'get_time'] })
    const { handle } = (await ada.request('GET', `/api/agents/${ada.agentId}`)).body
    const workspace = userFolder('workspaces', String(handle))
    await mkdir(path.join(workspace, 'docs'), { recursive: true })
    await mkdir(userFolder('workspaces', 'other'), { recursive: true })
    await mkdir(userFolder('files'), { recursive: true })
    await writeFile(path.join(workspace, 'docs', 'report.txt'), 'Seven.')
    await writeFile(path.join(workspace, 'long.txt'), 'x'.repeat(1_001))
    for (const place of [userFolder('files', 'canary.txt'), userFolder('workspaces', 'other', 'canary.txt')])
      await writeFile(place, 'CANARY')
    await symlink('docs', path.join(workspace, 'inside'))
    await symlink('../../files', path.join(workspace, 'outside'))
    await symlink('../../files/canary.txt', path.join(workspace, 'canary.txt'))
    await symlink('docs/report.txt', path.join(workspace, 'linked.txt'))
    const members = { channel: 'town', title: 'Town', members: { token: 'x' }, access: 'open' }
    id = String((await ada.request('POST', connections, members)).body['id'])
    await ada.request('POST', `${connections}/${id}/senders`, { sender_id: 'ada', role: 'owner' })
    for (let connected = false; !connected; ) connected = (await ada.request('GET', `${connections}/${id}`)).body['state'] === 'connected'
  })
  after(async () => {
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('arrive before the answer, from behind links inside of the workspace too, and leave no copy', async () => {
    const { read } = await asked('ada', { path: 'docs/report.txt', caption: 'Here.' }, { path: 'inside/report.txt' })
    expect(read.map((text) => text.split(' is sent')[0])).to.deep.equal(['“report.txt” (6 bytes)', '“report.txt” (6 bytes)'])
    expect(town.sent.slice(-3).map(({ text, attachments = [] }) => [text, attachments.length])).to.deep.equal([
      ['Here.', 1],
      ['', 1],
      ['Done.', 0],
    ])
    expect(contents).to.deep.equal(['Seven.', 'Seven.'])
    for (let left = 1; left > 0; ) left = (await readdir(userFolder('channels', 'outbox'))).length
  })

  it('are never what links, other workspaces and the own files of the person have', async () => {
    const { read } = await asked(
      'ada',
      ...[{ path: 'canary.txt' }, { path: 'outside/canary.txt' }, { path: '../other/canary.txt' }, { path: 'linked.txt' }],
      ...[{ path: 'canary.txt', from: 'files' }, { path: userFolder('files', 'canary.txt') }],
    )
    expect(read).to.have.length(6)
    for (const text of read) expect(text).to.match(/^Not sent\. /)
    expect(read[4]).to.contain('policies of this service do not let you read')
    expect(contents.join()).not.to.contain('CANARY')
  })

  it('that are too large are links that work', async () => {
    const { read } = await asked('ada', { path: 'long.txt' })
    expect(read[0]).to.contain('a link to it is sent')
    const { text = '' } = town.sent.at(-2) ?? {}
    const link = /\/s\/\S+/.exec(text)?.[0] ?? expect.fail(`There is no link in ${text}.`)
    expect(read[0]).not.to.contain(link)
    expect(await (await fetch(new URL(link, agents.kernel.url))).text()).to.equal('x'.repeat(1_001))
  })

  it('are a matter of channels: in a chat of the console there is no such tool', async () => {
    const script = modelThatSends({ path: 'docs/report.txt' })
    const stream = await ada.stream()
    try {
      await endOf(stream, await ada.post(await ada.newChat(), 'Send it.'))
    } finally {
      stream.close()
    }
    expect((script.requests[0]?.tools ?? []).map(({ name }) => name)).to.deep.equal(['get_time'])
    expect(JSON.stringify(resultsIn(script.requests.at(-1) ?? expect.fail('The model was not asked.')))).to.contain('does not exist')
  })

  it('reach guests only if the connection says so, and then from the workspace alone', async () => {
    const sent = contents.length
    const without = await asked('grace', { path: 'docs/report.txt' })
    expect(without.offered).to.deep.equal([])
    expect(without.read[0]).to.contain('does not exist')
    await ada.request('PATCH', `${connections}/${id}`, { guest_tools: ['send_file'] })
    const { offered, read } = await asked(
      'grace',
      { path: 'docs/report.txt' },
      { path: 'canary.txt', from: 'files' },
      { path: 'canary.txt' },
    )
    expect(offered).to.deep.equal(['send_file'])
    expect(read.map((text) => text.startsWith('Not sent. '))).to.deep.equal([false, true, true])
    expect(contents.slice(sent)).to.deep.equal(['Seven.'])
  })
})
