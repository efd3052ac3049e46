import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import type { ServerSection } from '../../config/sections/server.js'

/** Where a request came from. */
export interface Client {
  /** The client's address; behind trusted proxies the forwarded one. IPv4 in its plain form, also where it came mapped into IPv6. */
  readonly address: string
  /**
   * The request was made on this machine: the peer address is loopback, `Host` is a loopback name, no forwarding header is there, and the configuration names
   * neither a proxy nor an address of the service beyond this machine.
   */
  readonly loopback: boolean
}

/** What the configuration says about who stands between the service and its clients. */
export type ClientSettings = Pick<ServerSection, 'trusted_proxies' | 'base_url' | 'backend_url' | 'frontend_url' | 'external_url'>

/** What proxies, tunnels and content networks add, beside everything that begins with `x-forwarded`. */
const forwardingHeaders: ReadonlySet<string> = new Set([
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'x-original-host', 'x-original-forwarded-for'],
  ...['x-proxyuser-ip', 'x-envoy-external-address', 'cf-connecting-ip', 'cf-ray', 'true-client-ip', 'fastly-client-ip'],
])

const isForwarded = ({ headers }: IncomingMessage): boolean =>
  Object.keys(headers).some((name) => name.startsWith('x-forwarded') || forwardingHeaders.has(name))

const loopbackAddresses = new BlockList()
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4')
loopbackAddresses.addAddress('::1', 'ipv6')

/** An address without zone, port or brackets, IPv4 unmapped; `undefined` when it is none. */
export function normalizeAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1]
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1]
  const address = (bracketed ?? withPort ?? trimmed).replace(/%.*$/, '').toLowerCase()
  if (isIP(address) === 0) return undefined
  return unmap(address)
}

function unmap(address: string): string {
  const dotted = /^(?:0*:)*:?(?:0+:)*ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (dotted !== undefined) return dotted
  const groups = isIP(address) === 6 ? expandIpv6(address) : undefined
  if (!groups?.slice(0, 5).every((group) => group === 0) || groups[5] !== 0xffff) return address
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** The eight groups of an IPv6 address that {@link normalizeAddress} gave. */
export function expandIpv6(address: string): readonly number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const plain = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : address
  const [head = '', tail] = plain.split('::')
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const left = groupsOf(head)
  if (tail === undefined) return left
  const right = groupsOf(tail)
  return [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => 0), ...right]
}

/** Whether an address leads to this machine alone. What cannot be read does not. */
const isLoopbackUrl = (url: string): boolean => URL.canParse(url) && isLoopbackHost(new URL(url).host)

const proxiesOf = ({ trusted_proxies: proxies = '' }: ClientSettings): readonly string[] =>
  proxies.split(',').flatMap((text) => (text.trim() === '' ? [] : [text.trim()]))

/**
 * Whether the configuration shows that the service is reached from beyond this machine: it names a proxy, or an address of the service that is not loopback.
 * Then nothing counts as local, since a proxy on this machine can make every request of the world look so: it need not add a header, and many send a `Host`
 * of their own.
 */
export const servesOthers = (settings: ClientSettings): boolean =>
  proxiesOf(settings).length > 0 ||
  [settings.base_url, settings.backend_url, settings.frontend_url, settings.external_url].some(
    (url) => url !== undefined && !isLoopbackUrl(url),
  )

/** Makes the function that finds a request's client. */
export function createClientResolver(settings: ClientSettings): (request: IncomingMessage) => Client {
  const trusted = new BlockList()
  const forOthers = servesOthers(settings)
  for (const entry of proxiesOf(settings)) {
    const [text = '', bits] = entry.split('/')
    const address = normalizeAddress(text)
    if (address === undefined) continue
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  const peers = new WeakMap<Socket, Peer>()
  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket)
    if (known) return known
    const address = normalizeAddress(socket.remoteAddress ?? '') ?? ''
    const peer = { address, trusted: isIP(address) !== 0 && isTrusted(address), loopback: isLoopback(address) }
    peers.set(socket, peer)
    return peer
  }

  return (request) => {
    const peer = peerOf(request.socket)
    return {
      address: peer.trusted ? forwardedClient(request, peer.address, isTrusted) : peer.address,
      loopback: !forOthers && peer.loopback && isLoopbackHost(request.headers.host) && !isForwarded(request),
    }
  }
}

/** The other end of a connection, looked at once: a connection does not change hands. */
interface Peer {
  readonly address: string
  readonly trusted: boolean
  readonly loopback: boolean
}

/** From right to left: the first address that is no trusted proxy. What is not an address ends the search. */
function forwardedClient(request: IncomingMessage, peer: string, isTrusted: (address: string) => boolean): string {
  const header = request.headers['x-forwarded-for']
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').slice(-50)
  let client = peer
  for (const hop of hops.reverse()) {
    const address = normalizeAddress(hop)
    if (address === undefined) return client
    client = address
    if (!isTrusted(address)) return client
  }
  return client
}

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && loopbackAddresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(host ?? '')?.[1]?.toLowerCase()
  if (name === undefined) return false
  return name === 'localhost' || name === '127.0.0.1' || isLoopback(normalizeAddress(name) ?? '')
}

export { networkOf } from '@agent-service/sdk/services/quotas'
