import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import townPlugin, { newTown, said, sentTexts, type Town } from './support/town-plugin.js'

const zip = Buffer.from('PK\x03\x04\xff\xfe\xfd', 'latin1')
const connections = '/api/channels/connections'

describe('files that come over a channel', function () {
  this.timeout(60_000)
  let folder: string
  let agents: AgentsKernel
  let ada: Person
  let town: Town
  let messages = 0

  const userFolder = (...names: readonly string[]): string => path.join(agents.kernel.folder, 'data', 'users', 'ada', ...names)
  /** What the model is shown of a message with a file. */
  const send = async (text: string, name: string, bytes: Uint8Array): Promise<string> => {
    const script = setScript({ answer: () => says('I have it.') })
    messages += 1
    const attachments = [{ id: 'a', name, mediaType: 'application/zip', bytes }]
    await town.hosts.at(-1)?.receive({ messages: [{ ...said(String(messages), text, 'ada'), attachments }] })
    await sentTexts(messages)
    return JSON.stringify(script.requests.at(-1)?.messages)
  }

  before(async () => {
    setScript()
    town = newTown()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-channel-files-'))
    const plugin = await writeTestPlugin(path.join(folder, 'town'), townPlugin, new URL('./support/town-plugin.js', import.meta.url))
    agents = await startAgentsKernel({ plugins: [plugin] })
    ada = await agents.person('ada')
    const members = { channel: 'town', title: 'Town', members: { token: 'x' }, access: 'open' }
    const id = String((await ada.request('POST', connections, members)).body['id'])
    await ada.request('POST', `${connections}/${id}/senders`, { sender_id: 'ada', role: 'owner' })
    for (let connected = false; !connected; ) connected = (await ada.request('GET', `${connections}/${id}`)).body['state'] === 'connected'
  })
  after(async () => {
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('are named, with how to go on, where the agent has no tools for files', async () => {
    const shown = await send('Look', 'plans.zip', zip)
    expect(shown).to.match(/The file “plans\.zip” was sent, too, but it cannot be shown to a model: .* choose one with tools for files/)
    expect(shown).to.contain('Look')
  })

  it('lie in the workspace of an agent with tools for files, whatever they are, and among the files of the person', async () => {
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools: ['read_file'] })
    const workspace = String((await ada.request('GET', `/api/agents/${ada.agentId}`)).body['workspace'])
    expect(await send('', 'plans.zip', zip)).to.contain(
      '[The file “plans.zip” lies in your workspace as “attachments/plans.zip” (7 bytes).]',
    )
    expect(await readFile(userFolder('workspaces', workspace, 'attachments', 'plans.zip'))).to.deep.equal(zip)
    const stored = (await readdir(userFolder('files', 'attachments'), { recursive: true })).filter((name) => name.endsWith('.zip'))
    expect(stored).to.have.length(2)
    expect(await readdir(userFolder('channels', 'inbox'))).to.deep.equal([])
  })
})
