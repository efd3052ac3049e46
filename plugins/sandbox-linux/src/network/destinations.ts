import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { NetworkDestination, SandboxNetwork } from '@agent-service/sdk/contracts/sandbox-driver'
import ipaddr from 'ipaddr.js'

/** Why a destination is closed. */
export type ClosedReason = 'not allowed' | 'not public' | 'not found'

/** The address to connect to, or why there is none. */
export type OpenDestination = { readonly address: string } | { readonly closed: ClosedReason }

/** How names and addresses are judged; tests replace it. */
export interface Judgement {
  /** The addresses of a name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  readonly isPublic?: (address: string) => boolean
}

const resolveByName = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/**
 * Where a connection of a process may lead: to what its network lists, and never to the host's
 * loopback, the local network or a cloud's metadata. The address that was checked is the one to
 * connect to, so that a name cannot lead elsewhere the second time.
 */
export async function openDestination(
  { access, destinations }: Pick<SandboxNetwork, 'access' | 'destinations'>,
  host: string,
  port: number,
  judgement: Judgement = {},
): Promise<OpenDestination> {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  if (access === 'off' || (access === 'some' && !destinations.some((each) => isListed(each, name, port)))) return { closed: 'not allowed' }
  const resolve = judgement.resolve ?? resolveByName
  const addresses = isIP(name) === 0 ? await resolve(name).catch(() => []) : [name]
  const [first] = addresses
  if (first === undefined) return { closed: 'not found' }
  // One closed address among them is enough: it may be the one that is used elsewhere.
  return addresses.every(judgement.isPublic ?? isPublic) ? { address: first } : { closed: 'not public' }
}

function isListed({ host, port }: NetworkDestination, name: string, asked: number): boolean {
  if (port !== undefined && port !== asked) return false
  if (host.startsWith('*.')) return name.endsWith(host.slice(1)) && name.length > host.length - 1
  return isIP(host) !== 0 && isIP(name) !== 0
    ? ipaddr.parse(host).toNormalizedString() === ipaddr.parse(name).toNormalizedString()
    : host === name
}

/** Addresses in public ranges at which clouds give a machine its credentials. */
const metadataAddresses: ReadonlySet<string> = new Set(['168.63.129.16'])
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** IPv4 addresses behind a translating gateway; RFC 6052. */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Whether an address is one of the public Internet. One that carries an IPv4 address counts as that. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast' && !metadataAddresses.has(parsed.toString())
  const wide = parsed as ipaddr.IPv6
  if (wide.match(translated)) return isPublic(new ipaddr.IPv4(wide.toByteArray().slice(12)).toString())
  return wide.range() === 'unicast' && wide.match(globalUnicast)
}
