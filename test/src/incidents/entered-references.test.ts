import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import type { JsonObject } from '@agent-service/sdk'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { seenTexts } from '../bad-input/support/described-requests.js'
import { fillPath } from '../bad-input/support/operations.js'
import { requestBytes, sendBytes } from '../bad-input/support/raw-http.js'
import { startWorkingUpstream, type WorkingUpstream } from '../sandbox/support/working-upstream.js'
import { createSecretSearch, type Finding } from '../security/support/secret-search.js'
import { type Api, confirm, signUp } from '../support/api.js'
import { type ApiDescription, readDescription } from '../support/api-description.js'
import { writeConfiguration } from '../support/configuration.js'
import { removeFolder } from '../support/service-process.js'
import { type BodyOperation, bodyOperations, withText } from './support/described-bodies.js'

const variable = 'CANARY_OF_THE_MACHINE'
const secrets = new Map([
  ['the variable', 'canary-of-a-variable-4711'],
  ['the file', 'canary-of-a-file-4711'],
])

/** They end the session, wait for guesses at a password, or ask a vendor that the service knows. */
const leftOut = new Set(['confirmSession', 'changePassword', 'changeUser', 'restart', 'beginAccountSignIn', 'login'])

/** Every way in which programs write “the value of this variable” or “the content of this file”. */
const referencesTo = (file: string): readonly string[] => [
  ...[`\${${variable}}`, `$${variable}`, `%${variable}%`, `{{${variable}}}`, `{{ env.${variable} }}`, `\${env:${variable}}`],
  ...[`\${process.env.${variable}}`, `<%= process.env.${variable} %>`, `$(printenv\${IFS}${variable})`, `\`printenv ${variable}\``],
  ...[`#{${variable}}`, `env:${variable}`, `env://${variable}`, `file:${file}`, `file://${file}`, `@${file}`, `\${file:${file}}`],
]

type Ids = Readonly<Record<string, string>>

/** Bodies that reach no one but a server of this machine, where the example of an operation names vendors. */
function ownBodies(address: string): Readonly<Record<string, JsonObject>> {
  const webhook = { channel: 'webhook', title: 'Town', members: { url: `${address}/hook`, secret: 'x'.repeat(32), token: 'x'.repeat(32) } }
  const draft = { provider: 'other', adapter: 'adapter_alpha', base_url: `${address}/v1`, api_key: 'typed-by-hand' }
  const fetched = { url: 'https://127.0.0.1/skill.zip' }
  return {
    ...{ createChannelConnection: webhook, createSharedChannelConnection: webhook },
    ...{ updateAgent: {}, changeOwnProfile: {}, changeChannelConnection: {}, changeSharedChannelConnection: {} },
    ...{ testConnection: draft, listModelsOfConnection: draft, installSkill: fetched, installSharedSkill: fetched },
    createVault: { connector: 'kv2', title: 'Store', members: { address: 'https://127.0.0.1:9', token: 'x'.repeat(32), mount: 'secret' } },
  }
}

/** CVE-2026-32625: `${JWT_SECRET}` in an address that a user may set was sent there with its value. */
describe('references to variables and files in what people enter', function () {
  this.timeout(120_000)
  let folder: string
  let kernel: TestKernel
  let upstream: WorkingUpstream
  let admin: Api
  let ada: Api
  let texts: readonly string[]
  let ids: Ids
  let address: string
  let description: ApiDescription
  const heard: string[] = []
  const ear = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)} ${body}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')
    })
  })
  const search = createSecretSearch(secrets)
  const found: Finding[] = []
  const taken = new Set<string>()
  let clients = 0

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-references-'))
    const file = path.join(folder, 'canary.txt')
    await writeFile(file, secrets.get('the file') ?? '')
    process.env[variable] = secrets.get('the variable') ?? ''
    await new Promise<void>((resolve) => ear.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(ear.address() as AddressInfo).port}`
    upstream = await startWorkingUpstream({})
    await writeConfiguration(folder, upstream.url)
    kernel = await createTestKernel({
      folder,
      httpLimits: { maxExpensivePerMinute: 100_000 },
      environment: { UPSTREAM_KEY: 'upstream-key-0123456789', [variable]: process.env[variable] },
    })
    admin = await signUp(kernel.url, 'admin')
    await confirm(admin)
    ada = await signUp(kernel.url, 'ada')
    await confirm(ada)
    description = await readDescription(kernel.url)
    const [one, alone] = [referencesTo(file), `\${${variable}}`]
    texts = [one.join(' '), `${address}/${alone}/$${variable}`, alone, `file://${file}`]
    const agent = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
    const chat = await ada.request('POST', '/api/chats', {})
    const space = await ada.request('POST', '/api/spaces', { name: 'Home' })
    ids = { agent_id: agent[0]?.id ?? '', chat_id: String(chat.body['id']), space_id: String(space.body['id']) }
  })
  after(async () => {
    delete process.env[variable]
    await kernel?.stop()
    await upstream?.close()
    ear.closeAllConnections()
    await new Promise((resolve) => ear.close(resolve))
    await removeFolder(folder)
  })

  const send = async ({ id, method, path: template }: BodyOperation, token: string, body: unknown, known: Ids): Promise<void> => {
    clients += 1
    const target = fillPath(template, { run_id: 'nothing', agent_id: '', chat_id: '', space_id: '', ...known })
    const bytes = requestBytes(target, { method, token, body: JSON.stringify(body) })
    const answer = await sendBytes(kernel.url, bytes, { from: `127.8.${clients >> 8}.${clients & 255 || 1}` })
    found.push(...search.inText(`${method} ${target}`, answer.text))
    if (answer.status < 300) taken.add(id)
  }
  /** Puts every text into every place of the bodies of these operations that takes one. */
  const everywhere = async (chosen: (operation: BodyOperation) => boolean, known: Ids): Promise<void> => {
    const exported = (await ada.request('GET', `/api/chats/${known['chat_id']}/export`)).body as JsonObject
    const bodies = { ...ownBodies(address), importChat: exported }
    const operations = bodyOperations(description, { ids: known, bodies }).filter((each) => !leftOut.has(each.id) && chosen(each))
    await Promise.all(
      operations.map(async (operation) => {
        const { token } = operation.auth === 'admin' ? admin : ada
        for (const text of texts)
          for (const { body } of withText(operation.schema, operation.body, text)) await send(operation, token, body, known)
      }),
    )
  }

  it('are texts like others in every body that can be sent: no answer has their value', async () => {
    const makes = ({ method, path: template }: BodyOperation): boolean => method === 'POST' && !template.includes('{')
    await everywhere(makes, ids)
    const seen = await seenTexts(description, { user: ada, admin })
    const list = await admin.request('GET', '/api/admin/channels/connections')
    const [shared] = list.body['items'] as readonly { readonly id: string }[]
    const known = Object.fromEntries(
      [...seen].flatMap(([name, [text]]) => (name.endsWith('_id') && text !== undefined ? [[name, text]] : [])),
    )
    await everywhere((operation) => !makes(operation), { ...known, ...ids, connection_id: String(shared?.id) })
    expect(found).to.deep.equal([])
    expect([...seen].flatMap(([name, all]) => search.inText(name, all.join(' ')))).to.deep.equal([])
    expect([...taken]).to.include.members([
      ...[
        'createAgent',
        'updateAgent',
        'createChat',
        'createMessage',
        'importChat',
        'createTask',
        'createMemory',
        'updateMemory',
        'createSkill',
      ],
      ...['createVault', 'createChannelConnection', 'createSharedChannelConnection', 'createPersonalCredential', 'createCredential'],
      ...['testConnection', 'listModelsOfConnection', 'changeSharedChannelConnection', 'changeOwnProfile', 'createSpace'],
      ...['createChatCompletion', 'createResponse'],
    ])
  })

  it('go to models and to addresses as they were entered', async () => {
    await eventually(() => heard.some((line) => line.includes('/v1') && line.includes(variable)) || undefined, { what: () => heard })
    await eventually(() => heard.some((line) => line.includes('x-signature') && line.includes(variable)) || undefined, {
      what: () => heard,
    })
    expect(upstream.received.some((body) => body.includes(`\${${variable}}`))).to.equal(true)
    expect([...heard, ...upstream.received].flatMap((text) => search.inText(text.slice(0, 200), text))).to.deep.equal([])
  })

  it('are nowhere resolved in what is stored and logged', async () => {
    await kernel.stop()
    expect(search.inText('the log', JSON.stringify(kernel.log))).to.deep.equal([])
    expect(await search.inFolder(path.join(folder, 'data'))).to.deep.equal([])
    // Both would be found.
    expect((await search.inFolder(folder)).map(({ secret }) => secret)).to.deep.equal(['the file'])
    expect(search.inText('the machine', process.env[variable] ?? '').map(({ secret }) => secret)).to.deep.equal(['the variable'])
  })
})
