import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { openStream } from './open-stream.js'

describe('a stream that is read to its end', () => {
  let server: Server
  let address: string
  const answers: ServerResponse[] = []

  before(async () => {
    server = createServer((_, response) => {
      answers.push(response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: begun\n\n')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())

  for (const [how, end] of [
    ['complete', (answer: ServerResponse) => answer.end('data: last\n\n')],
    ['broken', (answer: ServerResponse) => answer.destroy()],
  ] as const)
    it(`is ${how} when the service ${how === 'complete' ? 'ends it' : 'only closes the connection'}`, async () => {
      const stream = await openStream(address, {})
      await stream.shows(/begun/)
      end(answers.at(-1) ?? expect.fail('Nothing was asked.'))
      expect((await stream.ended).how).to.equal(how)
      expect(stream.text().includes('last')).to.equal(how === 'complete')
    })
})
