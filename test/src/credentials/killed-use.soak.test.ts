import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { endOf } from '../agents/support/agents-kernel.js'
import { startWorkingUpstream, type WorkingUpstream } from '../sandbox/support/working-upstream.js'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'

type Json = Readonly<Record<string, unknown>>

const secret = randomBytes(20).toString('hex')
const command = 'printf %s "$CANARY_TOKEN" > used'
const use = { tool: 'shell', arguments: { command, credentials: ['canary'], timeout_seconds: 60 } }

describe('a service that is killed between the line of the access log and the use of the value', function () {
  this.timeout(120_000)
  let upstream: WorkingUpstream
  let folder: string
  let service: ServiceProcess | undefined

  before(async () => {
    upstream = await startWorkingUpstream({ use: (results) => (results.length === 0 ? use : 'I do not know.') })
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-killed-use-'))
    await writeConfiguration(folder, upstream.url)
  })
  after(async () => {
    await service?.kill()
    await upstream?.close()
    await removeFolder(folder)
  })

  const armed = (): string => path.join(folder, 'armed')
  const start = async (): Promise<Api> => {
    const preload = new URL('../programs/kill-at-use.js', import.meta.url)
    preload.searchParams.set('armed', armed())
    service = await startServiceProcess({ folder, environment: { UPSTREAM_KEY: 'key', NODE_OPTIONS: `--import=${preload.href}` } })
    return signUp(service.url, 'ada')
  }
  const itemsOf = async (api: Api, place: string): Promise<readonly Json[]> =>
    (await api.request('GET', place)).body['items'] as readonly Json[]

  it('has the line, has used up the grant, and repeats nothing', async () => {
    const ada = await start()
    const agentId = String((await itemsOf(ada, '/api/agents'))[0]?.['id'])
    await ada.request('PATCH', `/api/agents/${agentId}`, { tools: ['shell'], approval: { '*': 'never' } })
    const fields = [{ name: 'token', value: secret, variable: 'CANARY_TOKEN' }]
    const { body: made } = await ada.request('POST', '/api/credentials', { name: 'canary', title: 'A canary', fields })
    const source = { kind: 'local', credential_id: made['id'] }
    const granted = await ada.request('POST', '/api/credentials/grants', { agent_id: agentId, source, once: true })
    expect(granted.status, JSON.stringify(granted.body)).to.equal(201)
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    await writeFile(armed(), '')
    const dying = service?.child ?? expect.fail('There is no service.')
    const died = once(dying, 'exit')
    // The answer may be lost with the service.
    await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'use' }).catch(() => undefined)
    await died
    expect(dying.signalCode).to.equal('SIGKILL')

    const again = await start()
    const stream = await again.stream({ after: '0' })
    const log = await itemsOf(again, '/api/credentials/log')
    const [opened, ...others] = log.filter(({ kind }) => kind === 'opened')
    expect(others).to.deep.equal([])
    expect(opened).to.include({ outcome: 'ok', name: 'canary', use: 'process', chat_id: chat, agent_id: agentId })
    expect(log.map(({ kind }) => kind)).to.have.members(['granted', 'opened', 'ended'])
    expect(await itemsOf(again, '/api/credentials/grants')).to.deep.equal([])

    expect((await endOf(stream, String(opened?.['run_id']))).name).to.equal('run.completed')
    stream.close()
    const results = upstream.resultsOf('use')
    expect(results).to.have.length(1)
    expect(results[0]).to.match(/^Outcome unknown/)
    const messages = await itemsOf(again, `/api/chats/${chat}/messages`)
    const [result] = messages.flatMap(({ content }) => content as readonly Json[]).filter(({ type }) => type === 'tool_result')
    expect(result).to.include({ outcome: 'unknown', call_id: opened?.['call_id'] })
    const used = access(path.join(folder, 'data/users/ada/workspaces/assistant/used'))
    expect(
      await used.then(
        () => 'used',
        () => 'unused',
      ),
    ).to.equal('unused')
    expect((await itemsOf(again, '/api/credentials/log')).filter(({ kind }) => kind === 'opened')).to.have.length(1)
  })
})
