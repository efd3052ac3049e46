import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { createTaker, type Received, type Vendor, type VendorFault } from './vendor.js'

/** A vendor with the protocol of the example `channel-lines`, with keys. */
export async function startLinesVendor(): Promise<Vendor> {
  const sockets = new Set<Socket>()
  const unstored = new Map<string, object>()
  const got: Received[] = []
  let fault: VendorFault | undefined
  const write = (socket: Socket, line: object): void => void socket.write(`${JSON.stringify(line)}\n`)
  const take = (socket: Socket, line: Readonly<Record<string, string>>): void => {
    const { key = '', conversation = '', text = '' } = line
    if (fault === 'failing') write(socket, { type: 'failed', key })
    else if (fault === 'throttled') write(socket, { type: 'wait', key, seconds: 1 })
    else {
      got.push({ key, person: Number(conversation), text })
      if (fault === 'losing') socket.destroy()
      else write(socket, { type: 'sent', key, id: `sent-${got.length}` })
    }
  }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    // A service that is killed resets its lines.
    const reader = createInterface({ input: socket }).on('error', () => undefined)
    reader.on('line', (text) => {
      const line = JSON.parse(text) as Readonly<Record<string, string>>
      if (line['type'] === 'hello') {
        sockets.add(socket)
        write(socket, { type: 'welcome', account: 'bot', name: 'Bot' })
        for (const message of unstored.values()) write(socket, message)
      }
      if (line['type'] === 'stored') unstored.delete(String(line['id']))
      if (line['type'] === 'send') take(socket, line)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...{ kind: 'lines', hasKeys: true, take: createTaker(() => got) },
    members: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, token: 'a token' },
    conversationOf: String,
    write(person, number, text) {
      const id = `${person}-${number}`
      const sender = `person-${person}`
      const message = { type: 'message', id, conversation: String(person), group: false, sender, bot: false, text, at: Date.now() }
      unstored.set(id, message)
      for (const socket of sockets) write(socket, message)
    },
    suffer(next) {
      fault = next
    },
    reach: () => undefined,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
