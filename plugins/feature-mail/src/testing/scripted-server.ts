import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A mail server that answers as a test scripts it, line by line. */
export interface ScriptedServer {
  readonly port: number
  /** What clients said, without the messages. */
  readonly lines: readonly string[]
  /** The messages that were taken. */
  readonly messages: readonly string[]
  /** The answer to a command; undefined for the usual one. Set it to change the script. */
  answer: (line: string) => string | undefined
  /** Ends the connections. Resolves when they have ended here. */
  hangUp(): Promise<void>
  close(): Promise<void>
}

const usual = (line: string): string => (/^DATA/i.test(line) ? '354 go on' : /^QUIT/i.test(line) ? '221 bye' : '250 ok')

/** Starts one on a free port. */
export async function startScriptedServer({ address = '127.0.0.1' } = {}): Promise<ScriptedServer> {
  const [lines, messages]: [string[], string[]] = [[], []]
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.setEncoding('utf8'))
    socket.write('220 relay.example.org ESMTP\r\n')
    let rest = ''
    let message: string[] | undefined
    const take = (line: string): void => {
      if (message !== undefined && line !== '.') return void message.push(line)
      const reply = message === undefined ? (scripted.answer(line) ?? usual(line)) : (scripted.answer('.') ?? '250 queued')
      if (message === undefined) lines.push(line)
      else if (reply.startsWith('2')) messages.push(message.join('\r\n'))
      message = reply.startsWith('354') ? [] : undefined
      socket.write(`${reply}\r\n`)
    }
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (text: string) => {
      const given = `${rest}${text}`.split('\r\n')
      rest = given.pop() ?? ''
      for (const line of given) take(line)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const scripted: ScriptedServer = {
    ...{ lines, messages, answer: () => undefined, port: (server.address() as AddressInfo).port },
    async hangUp() {
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve).destroy())))
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return scripted
}
