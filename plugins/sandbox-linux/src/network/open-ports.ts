import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { type SandboxNetwork, sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import { createEgressProxy, type EgressOptions, type EgressProxy, type TakePlace, unlimitedPlaces } from '@agent-service/sdk/egress-proxy'
import type { PrincipalNetwork } from './principal-networks.js'

/** The forwarded and exposed ports of one process. */
export interface OpenPorts {
  /** The port inside of the proxy that leads to the network, unless it is off. */
  readonly proxyPort: number | undefined
  readonly exposed: readonly { readonly port: number; readonly host: string; readonly hostPort: number }[]
  close(): void
}

/** Connections over one port at a time; each takes two descriptors of the service. */
const maxConnectionsOfPort = 256

/** Opens the ports that a request asks for. @throws `sandbox_refused` if one cannot be opened. */
export async function openPorts(
  network: PrincipalNetwork,
  { access, destinations, allows, forward, expose }: SandboxNetwork,
  options: EgressOptions = {},
): Promise<OpenPorts> {
  const { takePlace = unlimitedPlaces } = options
  const undo: (() => void)[] = []
  const close = (): void => {
    for (const each of undo.splice(0).reverse()) each()
  }
  try {
    for (const { port, to } of forward)
      undo.push(
        await network.share(
          port,
          `${to.host} ${to.port}`,
          bounded(takePlace, (inside) => join(inside, connect(to.port, to.host))),
        ),
      )
    const proxy = access === 'off' ? undefined : createEgressProxy({ access, destinations, ...(allows && { allows }) }, options)
    if (proxy) undo.push(() => proxy.close())
    const proxyPort = proxy && (await listenAnywhere(network, proxy, undo))
    const exposed: OpenPorts['exposed'][number][] = []
    for (const port of expose) exposed.push(await exposePort(network, port, takePlace, undo))
    return { proxyPort, exposed, close }
  } catch (error) {
    close()
    throw error
  }
}

async function exposePort(
  network: PrincipalNetwork,
  port: number,
  takePlace: TakePlace,
  undo: (() => void)[],
): Promise<OpenPorts['exposed'][number]> {
  const take = bounded(takePlace, (outside) => {
    network.connect(port).then(
      (inside) => join(outside, inside),
      () => outside.destroy(),
    )
  })
  const server = createServer(take).listen(0, '127.0.0.1')
  undo.push(() => server.close())
  await once(server, 'listening')
  return { port, host: '127.0.0.1', hostPort: (server.address() as AddressInfo).port }
}

/** Ports for proxies. Each process has one of its own, and those of a principal share the loopback. */
const firstPort = 62_000
const maxPorts = 3_000

async function listenAnywhere(network: PrincipalNetwork, proxy: EgressProxy, undo: (() => void)[]): Promise<number> {
  for (let tried = 0; tried < 20; tried += 1) {
    const port = firstPort + Math.floor(Math.random() * maxPorts)
    try {
      const server: Server = await network.listen(port, (inside) => proxy.take(inside))
      undo.push(() => server.close())
      return port
    } catch (error) {
      if (!sandboxRefusedError.isInstance(error)) throw error
    }
  }
  throw sandboxRefusedError.create({ reason: 'no port is free inside for the proxy that leads to the network' })
}

/** Beyond the limits connections are closed at once. */
function bounded(takePlace: TakePlace, take: (socket: Socket) => void): (socket: Socket) => void {
  let open = 0
  return (socket) => {
    const leave = open < maxConnectionsOfPort ? takePlace() : undefined
    if (leave === undefined) return void socket.destroy()
    open += 1
    socket
      .on('error', () => socket.destroy())
      .once('close', () => {
        open -= 1
        leave()
      })
    take(socket)
  }
}

/** Joins two connections: the end of one ends the other. */
function join(one: Socket, other: Socket): void {
  pipeline(one, other, one).catch(() => {
    one.destroy()
    other.destroy()
  })
}
