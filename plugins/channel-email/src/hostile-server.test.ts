import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { connectTo, createPlainHost } from './testing/plain-connection.js'

const greeting = '* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n'

describe('a hostile mail server', () => {
  let server: Server
  let speak: (socket: Socket, line: string) => void
  const open = new Set<Socket>()
  beforeEach(async () => {
    server = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
      socket.write(greeting)
      socket.setEncoding('utf8').on('data', (text) => {
        for (const line of String(text).split('\r\n')) if (line !== '') speak(socket, line)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const failure = async () => {
    const { port } = server.address() as AddressInfo
    return await connectTo(port, createPlainHost()).catch((error: unknown) => error as Error & { readonly code: string })
  }

  it('gets no more memory than an answer may take', async () => {
    let sent = 0
    speak = (socket, line) => {
      if (!/^\w+ (?:LOGIN|AUTHENTICATE)/.test(line)) return
      const piece = 'x'.repeat(65_536)
      const write = (): void => {
        while (!socket.destroyed && sent < 200_000_000) {
          sent += piece.length
          if (!socket.write(piece)) return void socket.once('drain', write)
        }
      }
      socket.write('* ')
      write()
    }
    const error = await failure()
    expect(error).to.include({ code: 'channel_unavailable' })
    expect(sent).to.be.below(50_000_000)
  })

  it('cannot put the password into an error', async () => {
    speak = (socket, line) => {
      const [tag = '', command = ''] = line.split(' ')
      if (command === 'AUTHENTICATE' || command === 'LOGIN')
        socket.write(`${tag} NO [AUTHENTICATIONFAILED] ${line} password-of-the-test\r\n`)
      else socket.write(`${tag} OK done\r\n`)
    }
    const error = await failure()
    expect(error).to.include({ code: 'channel_unauthorized' })
    expect(inspect(error, { depth: 10, showHidden: true })).not.to.include('password-of-the-test')
  })
})
