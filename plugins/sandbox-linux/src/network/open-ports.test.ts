import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { forwardAddress, openPorts } from './open-ports.js'
import type { PrincipalNetwork } from './principal-networks.js'

describe('the forwarded ports of a sandboxed process', () => {
  const servers: Server[] = []
  const listen = async (server: Server): Promise<number> => {
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  afterEach(() => {
    for (const each of servers.splice(0)) each.close()
  })

  it('come from an address that is no reverse proxy’s', async () => {
    const outside = await listen(createServer((socket) => socket.end(socket.remoteAddress ?? '')))
    const inside: number[] = []
    const network: PrincipalNetwork = {
      pid: 0,
      listen: () => Promise.reject(new Error('not expected')),
      connect: () => Promise.reject(new Error('not expected')),
      release: () => undefined,
      async share(_port, _purpose, onConnection) {
        inside.push(await listen(createServer(onConnection)))
        return () => undefined
      },
    }
    const ports = await openPorts(network, {
      ...{ access: 'off', destinations: [], expose: [] },
      forward: [{ port: 61_000, to: { host: '127.0.0.1', port: outside } }],
    })
    const socket = connect(inside[0] ?? 0, '127.0.0.1').setEncoding('utf8')
    let seen = ''
    for await (const text of socket) seen += String(text)
    ports.close()
    expect(seen).to.equal(forwardAddress)
    expect(seen).to.not.equal('127.0.0.1')
  })
})
