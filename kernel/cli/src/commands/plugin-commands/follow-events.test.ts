import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createApiClient } from '../api-client.js'
import { followEvents } from './follow-events.js'

describe('the events of a command', () => {
  let server: Server
  let answers: ((response: ServerResponse) => void)[]
  let cursors: (string | undefined)[]
  let closing: AbortController

  beforeEach(async () => {
    answers = []
    cursors = []
    closing = new AbortController()
    server = createServer((request, response) => {
      cursors.push(request.headers['last-event-id'] as string | undefined)
      const answer = answers.shift()
      if (answer) answer(response)
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    closing.abort()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const follow = (after?: string) => followEvents(createApiClient(url()), '/api/events?', { after, signal: closing.signal })
  const sends =
    (text: string, end: (response: ServerResponse) => void = () => undefined) =>
    (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(text, () => end(response))
    }
  const take = async (events: AsyncIterable<unknown>, count: number): Promise<readonly unknown[]> => {
    const taken: unknown[] = []
    for await (const event of events) if (taken.push(event) === count) break
    return taken
  }

  it('continue after the last one when the connection ends or is interrupted', async () => {
    answers = [
      sends('id: 7\nevent: one\ndata: {"a":1}\n\n', (response) => response.end()),
      sends('id: 8\nevent: two\ndata: {}\n\n', (response) => response.destroy()),
      (response) => response.destroy(),
      sends('event: reset\ndata: {}\n\nid: 9\nevent: three\ndata: {}\n\n'),
    ]
    expect(await take(await follow('6'), 4)).to.deep.equal([
      { id: '7', name: 'one', data: { a: 1 } },
      { id: '8', name: 'two', data: {} },
      { name: 'reset', data: {} },
      { id: '9', name: 'three', data: {} },
    ])
    expect(cursors).to.deep.equal(['6', '7', '8', '8'])
  })

  it('are refused if the service refuses them, at once and later', async () => {
    const refuses = (response: ServerResponse): void => void response.writeHead(401).end('{"code":"unauthorized","detail":"Sign in."}')
    answers = [refuses]
    expect(await follow().catch((error: unknown) => error)).to.have.property('code', 'service_problem')
    answers = [sends('id: 1\nevent: one\ndata: {}\n\n', (response) => response.end()), refuses]
    const failure: unknown = await take(await follow(), 2).catch((error: unknown) => error)
    expect(failure).to.have.property('message', 'Sign in. (unauthorized, 401)')
  })

  it('end with the reason of the signal, also while the service is silent', async () => {
    const events = (await follow())[Symbol.asyncIterator]()
    const next = events.next().catch((error: unknown) => error)
    const reason = new Error('over')
    closing.abort(reason)
    expect(await next).to.equal(reason)
  })
})
