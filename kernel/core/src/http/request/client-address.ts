import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { HttpSettings } from '../http-options.js'
import { hasForeignScheme } from './credentials.js'

/** The origin of a request. */
export interface Client {
  /**
   * The client's address, or behind trusted proxies the forwarded one. IPv4 in its plain form, also
   * if it was mapped into IPv6.
   */
  readonly address: string
  /**
   * The request was made on this machine: the peer address is loopback, `Host` is a loopback name,
   * there is no forwarding header, no `Origin` of a page from elsewhere, no credential of another
   * scheme than `Bearer` (which is meant for something in front), and the configuration names neither
   * a proxy nor an address of the service beyond this machine. Never true of HTTP/1.0, which nginx
   * speaks unless it is told otherwise, and of programs that the service runs for others.
   */
  readonly loopback: boolean
  /** The request came through the listener for programs that the service runs for others. */
  readonly program: boolean
}

/** The settings that show whether there is a proxy between the service and its clients. */
export type ClientSettings = Pick<HttpSettings, 'trusted_proxies' | 'base_url' | 'backend_url' | 'frontend_url' | 'external_url'>

/**
 * Headers that proxies, tunnels and content delivery networks add, besides those that begin with
 * `x-forwarded`.
 */
const forwardingHeaders: ReadonlySet<string> = new Set([
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'x-original-host', 'x-original-forwarded-for'],
  ...[
    'x-proxyuser-ip',
    'x-envoy-external-address',
    'cf-connecting-ip',
    'cf-ray',
    'true-client-ip',
    'fastly-client-ip',
    'fly-client-ip',
    'cdn-loop',
  ],
])

const isForwarded = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.0' || Object.keys(headers).some((name) => name.startsWith('x-forwarded') || forwardingHeaders.has(name))

/**
 * Whether a page of another machine sent it. A proxy that sends a `Host` of its own leaves the
 * `Origin` that the browser gave.
 */
const isFromElsewhere = ({ headers: { origin } }: IncomingMessage): boolean => origin !== undefined && !isLoopbackUrl(origin)

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * An address without zone, port or brackets, IPv4 unmapped; `undefined` for any other text, also
 * for octal, hexadecimal and short forms.
 */
function parseAddress(text: string): Address | undefined {
  const trimmed = text.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1]
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1]
  const address = (bracketed ?? withPort ?? trimmed).replace(/%.*$/, '')
  return isIP(address) === 0 ? undefined : ipaddr.process(address)
}

/** {@link parseAddress} in its canonical form. */
export const normalizeAddress = (text: string): string | undefined => parseAddress(text)?.toString()

/** Whether a URL leads to this machine. False for an invalid URL. */
const isLoopbackUrl = (url: string): boolean => URL.canParse(url) && isLoopbackHost(new URL(url).host)

const proxiesOf = ({ trusted_proxies: proxies = '' }: ClientSettings): readonly string[] =>
  proxies.split(',').flatMap((text) => (text.trim() === '' ? [] : [text.trim()]))

/**
 * Whether the configuration shows that the service is reached from beyond this machine: it names a
 * proxy, or an address of the service that is not loopback. Then no request counts as local, since
 * a proxy on this machine can make every request look local: it need not add a header, and many
 * send a `Host` of their own.
 */
export const servesOthers = (settings: ClientSettings): boolean =>
  proxiesOf(settings).length > 0 ||
  [settings.base_url, settings.backend_url, settings.frontend_url, settings.external_url].some(
    (url) => url !== undefined && !isLoopbackUrl(url),
  )

/**
 * Makes the function that finds a request's client. `isOfProgram`: whether a connection is that of a
 * program which the service runs for others. It reaches the service from the loopback, so it could
 * pass for a proxy or an operator there; it counts as neither.
 */
export function createClientResolver(
  settings: ClientSettings,
  isOfProgram: (socket: Socket) => boolean = () => false,
): (request: IncomingMessage) => Client {
  const trusted = proxiesOf(settings)
    .map(trustedRange)
    .filter((range) => range !== undefined)
  const forOthers = servesOthers(settings)
  const isTrusted = (address: Address) =>
    trusted.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits] as [ipaddr.IPv4, number]))
  let lastHost = { host: undefined as string | undefined, isLoopback: false }
  const namesLoopback = (host: string | undefined): boolean => {
    if (lastHost.host !== host) lastHost = { host, isLoopback: isLoopbackHost(host) }
    return lastHost.isLoopback
  }
  const peers = new WeakMap<Socket, Peer>()
  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket)
    if (known) return known
    const address = parseAddress(socket.remoteAddress ?? '')
    const ofProgram = isOfProgram(socket)
    const peer: Peer = {
      address: address?.toString() ?? '',
      trusted: !ofProgram && address !== undefined && isTrusted(address),
      loopback: !ofProgram && address?.range() === 'loopback',
      program: ofProgram,
    }
    peers.set(socket, peer)
    return peer
  }

  return (request) => {
    const peer = peerOf(request.socket)
    return {
      address: peer.trusted ? forwardedClient(request, peer.address, isTrusted) : peer.address,
      loopback: !forOthers && peer.loopback && namesLoopback(request.headers.host) && isDirect(request),
      program: peer.program,
    }
  }
}

/** Whether nothing in the request shows that it came by way of something in front, or from elsewhere. */
const isDirect = (request: IncomingMessage): boolean => !isForwarded(request) && !isFromElsewhere(request) && !hasForeignScheme(request)

/** The peer of a connection. It is examined once, since it never changes. */
interface Peer {
  readonly address: string
  readonly trusted: boolean
  readonly loopback: boolean
  readonly program: boolean
}

/** A network of proxies; `undefined` for an invalid entry. */
function trustedRange(entry: string): readonly [Address, number] | undefined {
  const [text = '', bits] = entry.split('/')
  const address = parseAddress(text)
  return address && [address, bits === undefined ? address.toByteArray().length * 8 : Number(bits)]
}

/**
 * From right to left: the first address that is not a trusted proxy. Text that is not an address
 * ends the search.
 */
function forwardedClient(request: IncomingMessage, peer: string, isTrusted: (address: Address) => boolean): string {
  const header = request.headers['x-forwarded-for']
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').slice(-50)
  let client = peer
  for (const hop of hops.reverse()) {
    const address = parseAddress(hop)
    if (address === undefined) return client
    client = address.toString()
    if (!isTrusted(address)) return client
  }
  return client
}

function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(host ?? '')?.[1]?.toLowerCase()
  return name !== undefined && (name === 'localhost' || parseAddress(name)?.range() === 'loopback')
}
