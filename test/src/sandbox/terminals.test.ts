import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { connectTerminal, type TerminalClient } from './support/terminal-client.js'

describe('a terminal in the sandbox', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  let ada: Api
  let agentId: string
  const clients: TerminalClient[] = []

  before(async () => {
    kernel = await createTestKernel()
    ada = await signUp(kernel.url, 'ada')
    const agents = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
    agentId = agents[0]?.id ?? ''
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
    const { body } = await ada.request('GET', '/api/sandbox/processes?state=running')
    for (const { id } of body['items'] as readonly { readonly id: string }[]) await ada.request('POST', `/api/sandbox/processes/${id}/stop`)
  })
  after(() => kernel?.stop())

  const open = async (more: object = {}): Promise<string> => {
    const { status, body } = await ada.request('POST', '/api/sandbox/terminals', { agent_id: agentId, ...more })
    expect(status, JSON.stringify(body)).to.equal(201)
    return String(body['id'])
  }
  const connect = async (id: string, query = '', token = ada.token): Promise<TerminalClient> => {
    const client = await connectTerminal(kernel.url, `/api/sandbox/terminals/${id}?token=${token}${query}`)
    clients.push(client)
    return client
  }

  it('is a login shell with job control, whose size follows the page', async () => {
    const id = await open({ columns: 100, rows: 30 })
    const page = await connect(id)
    expect(await page.hears('attached')).to.include({ process_id: id, from: 0, writer: true, columns: 100, rows: 30 })
    page.type('stty size; echo "<$TERM>"; shopt -q login_shell && echo login\n')
    await page.shows(/30 100\r\n<xterm-256color>\r\nlogin/)
    page.say({ type: 'resize', columns: 132, rows: 43 })
    page.type('stty size\n')
    await page.shows(/43 132/)
    page.type('sleep 1000\n')
    await page.shows(/sleep 1000\r\n/)
    page.type('\x1a')
    await page.shows(/Stopped/)
    page.type('jobs; kill %1; wait; echo over-$?\n')
    await page.shows(/over-\d/)
    page.type('sleep 1000\n')
    await page.shows(/sleep 1000\r\n.*sleep 1000\r\n/s)
    page.type('\x03')
    page.type('echo st=$?\n')
    await page.shows(/st=130/)
    page.type('exit 7\n')
    expect(await page.hears('exit')).to.include({ reason: 'exit', code: 7 })
    expect(await page.closed).to.deep.equal({ code: 1000, reason: '' })
    expect((await ada.request('GET', `/api/sandbox/processes/${id}`)).body).to.deep.include({ kind: 'terminal', terminal: true })
  })
})
