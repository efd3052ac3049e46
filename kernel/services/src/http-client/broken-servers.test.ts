import { createServer as createNetServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { ask, failureOf } from './testing/ask.js'
import { collectOpened, listenOn, openTestClient } from './testing/open-test-client.js'

describe('the guarded HTTP client, with servers that break HTTP', () => {
  const opened = collectOpened()
  afterEach(() => opened.close())

  const serve = async (answer: (socket: Socket) => void): Promise<string> => {
    const server = createNetServer((socket) => {
      opened.add(() => void socket.destroy())
      socket.on('error', () => undefined).once('data', () => answer(socket))
    })
    return `http://127.0.0.1:${await listenOn(opened, server)}/`
  }

  it('ends a flood of headers, of any kind', async () => {
    const one = await serve((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n`))
    const many = await serve((socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}\r\n`))
    for (const url of [one, many]) {
      const { code } = await failureOf(ask(openTestClient(opened), url))
      expect(code).to.be.oneOf(['http_response_too_large', 'http_response_invalid'])
    }
  })

  it('ends a flood of interim answers with the time for the headers', async () => {
    const url = await serve((socket) => {
      const more = (): void => {
        if (!socket.destroyed) socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(50), () => setImmediate(more))
      }
      more()
    })
    expect((await failureOf(ask(openTestClient(opened), url, { limits: { headersMs: 200 } }))).code).to.equal('http_request_timeout')
  })

  it('reports responses that are not HTTP, closed connections, and bodies that are too short', async () => {
    const nonsense = await serve((socket) => socket.end('220 mail.example ESMTP\r\n'))
    const gone = await serve((socket) => socket.destroy())
    const short = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'))
    const client = openTestClient(opened)
    expect((await failureOf(ask(client, nonsense))).code).to.equal('http_response_invalid')
    expect((await failureOf(ask(client, gone))).message).to.contain('it closed the connection')
    expect((await failureOf(ask(client, short))).code).to.be.oneOf(['http_connection_failed', 'http_response_invalid'])
  })
})
