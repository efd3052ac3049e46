import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js'

const bodyBytes = 32 * 1024 * 1024

describe('what one account can take from another', function () {
  this.timeout(60_000)
  let service: ServiceProcess
  let greedy: Api
  let other: Api
  const open: ClientRequest[] = []

  before(async () => {
    service = await startServiceProcess()
    greedy = await signUp(service.url, 'greedy')
    other = await signUp(service.url, 'other')
  })
  after(() => service.stop())
  afterEach(() => {
    for (const asked of open.splice(0)) asked.destroy()
  })

  const metrics = async (): Promise<readonly string[]> => (await (await fetch(`${service.url}/metrics`)).text()).split('\n')
  const ask = (api: Api, method: string, target: string, headers: Readonly<Record<string, string | number>> = {}): ClientRequest => {
    const asked = request(`${api.url}${target}`, { method, agent: false, headers: { authorization: `Bearer ${api.token}`, ...headers } })
    asked.on('error', () => undefined)
    open.push(asked)
    return asked
  }
  const openStream = async (api: Api): Promise<number> => {
    const asked = ask(api, 'GET', '/api/events')
    asked.end()
    const [answer] = (await once(asked, 'response')) as [
      { readonly statusCode?: number; resume(): void; on(name: string, done: () => void): void },
    ]
    answer.on('error', () => undefined)
    answer.resume()
    return answer.statusCode ?? 0
  }

  it('is 20 event streams of its own, and no stream of others', async () => {
    const statuses = await Promise.all(Array.from({ length: 25 }, () => openStream(greedy)))
    expect(statuses.filter((status) => status === 200)).to.have.lengthOf(20)
    expect(statuses.filter((status) => status === 429)).to.have.lengthOf(5)
    expect(await openStream(other)).to.equal(200)
    const lines = await metrics()
    expect(lines).to.include('limit_used{limit="event-streams"} 21')
    expect(lines).to.include('limit_holders{limit="event-streams"} 2')
    expect(lines).to.include('limit_refused_total{limit="event-streams"} 5')
  })

  it('is no room for bodies: eight slow ones of 32 MiB do not keep others from posting', async () => {
    const chat = String((await greedy.request('POST', '/api/chats', {})).body['id'])
    const body = Buffer.alloc(bodyBytes - 1, 'm')
    body.write('{"content":"')
    const ended: Promise<unknown>[] = []
    for (let index = 0; index < 8; index += 1) {
      const asked = ask(greedy, 'POST', `/api/chats/${chat}/messages`, { 'content-type': 'application/json', 'content-length': bodyBytes })
      // Either everything of it is there, or it was refused.
      ended.push(Promise.race([new Promise((resolve) => asked.write(body, resolve)), once(asked, 'close')]))
    }
    await Promise.all(ended)
    await eventually(async () => (await metrics()).some((line) => /^limit_used\{limit="request-bodies"\} \d{8}/.test(line)))
    for (let index = 0; index < 5; index += 1) expect((await other.request('POST', '/api/chats', { title: 'small' })).status).to.equal(201)
    expect((await other.request('POST', '/api/chats', { title: 'x'.repeat(300_000) })).status).not.to.equal(503)
    const used = (await metrics()).find((line) => line.startsWith('limit_used{limit="request-bodies"}'))
    expect(Number(used?.split(' ')[1])).to.be.at.most(64 * 1024 * 1024)
  })
})
