import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { type SandboxNetwork, sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import { createEgressProxy, type EgressOptions, type EgressProxy } from './egress-proxy.js'
import type { PrincipalNetwork } from './principal-networks.js'

/** The forwarded and exposed ports of one process. */
export interface OpenPorts {
  /** The port inside of the proxy that leads to the network, unless it is off. */
  readonly proxyPort: number | undefined
  readonly exposed: readonly { readonly port: number; readonly host: string; readonly hostPort: number }[]
  close(): void
}

/** Opens the ports that a request asks for. @throws `sandbox_refused` if one cannot be opened. */
export async function openPorts(
  network: PrincipalNetwork,
  { access, destinations, forward, expose }: SandboxNetwork,
  options: EgressOptions = {},
): Promise<OpenPorts> {
  const servers: Server[] = []
  const proxies: EgressProxy[] = []
  const close = (): void => {
    for (const server of servers) server.close()
    for (const proxy of proxies) proxy.close()
  }
  try {
    for (const { port, to } of forward) servers.push(await network.listen(port, (inside) => join(inside, connect(to.port, to.host))))
    const proxy = access === 'off' ? undefined : createEgressProxy({ access, destinations }, options)
    const proxyPort = proxy && (await listenAnywhere(network, (inside) => proxy.take(inside), servers))
    if (proxy) proxies.push(proxy)
    const exposed: OpenPorts['exposed'][number][] = []
    for (const port of expose) {
      const server = createServer((outside) => {
        network.connect(port).then(
          (inside) => join(outside, inside),
          () => outside.destroy(),
        )
      })
      servers.push(server.listen(0, '127.0.0.1'))
      await once(server, 'listening')
      exposed.push({ port, host: '127.0.0.1', hostPort: (server.address() as AddressInfo).port })
    }
    return { proxyPort, exposed, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Ports for proxies. Each process has one of its own, and those of a principal share the loopback. */
const firstPort = 61_000
const maxPorts = 4_000

async function listenAnywhere(network: PrincipalNetwork, take: (inside: Socket) => void, servers: Server[]): Promise<number> {
  for (let tried = 0; tried < 20; tried += 1) {
    const port = firstPort + Math.floor(Math.random() * maxPorts)
    try {
      servers.push(await network.listen(port, take))
      return port
    } catch (error) {
      if (!sandboxRefusedError.isInstance(error)) throw error
    }
  }
  throw sandboxRefusedError.create({ reason: 'no port is free inside for the proxy that leads to the network' })
}

/** Joins two connections: the end of one ends the other. */
function join(one: Socket, other: Socket): void {
  pipeline(one, other, one).catch(() => {
    one.destroy()
    other.destroy()
  })
}
