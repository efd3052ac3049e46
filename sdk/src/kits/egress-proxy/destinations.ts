import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { signalWithin } from '../../async/index.js'
import type { NetworkDestination, SandboxNetwork } from '../../contracts/sandbox-driver/index.js'
import { classifyAddress, plainAddress } from '../addresses/index.js'

/** Why a destination is closed. */
export type ClosedReason = 'not allowed' | 'not decided' | 'not public' | 'not found'

/** What may be reached; the rest of a request's network does not matter here. */
export type Permitted = Pick<SandboxNetwork, 'access' | 'destinations' | 'allows'>

/** The addresses to connect to, all of them checked, or why there is none. */
export type OpenDestination = { readonly host: string; readonly addresses: readonly string[] } | { readonly closed: ClosedReason }

/** How names and addresses are judged. Only tests and proxies for one known address replace it. */
export interface Judgement {
  /** The addresses of a name. Default: as the name servers of this machine say. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** Whether an address may be reached. Default: {@link classifyAddress} says `public`. */
  readonly isPublic?: (address: string) => boolean
}

const decisionLimitMs = 10_000
/** So many addresses of a name are judged and tried. */
const maxAddresses = 8

/** Asks the name servers itself: the system's function would block the threads that read files. */
async function resolveByServers(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}

/**
 * Where a connection of a process may lead: to what its network permits, and never to the host's
 * loopback, the local network or a cloud's metadata. The addresses that were checked are the ones
 * to connect to, so that a name cannot lead elsewhere the second time.
 */
export async function openDestination(
  permitted: Permitted,
  asked: string,
  port: number,
  { resolve = resolveByServers, isPublic = (address) => classifyAddress(address) === 'public' }: Judgement = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<OpenDestination> {
  const host = plainHost(asked)
  if (host === undefined || port < 1) return { closed: 'not found' }
  const isAddress = isIP(host) !== 0
  if (isAddress && !isPublic(host)) return { closed: 'not public' }
  const listed =
    permitted.access === 'on' || (permitted.access === 'some' && permitted.destinations.some((each) => isListed(each, host, port)))
  const decide = (address?: string): Promise<ClosedReason | undefined> =>
    listed ? Promise.resolve(undefined) : decision(permitted, { host, port, ...(address === undefined ? {} : { address }) }, signal)
  if (isAddress) {
    const closed = await decide(host)
    return closed === undefined ? { host, addresses: [host] } : { closed }
  }
  const closed = await decide()
  if (closed !== undefined) return { closed }
  const found = await resolve(host).catch(() => [])
  if (found.length === 0) return { closed: 'not found' }
  // One closed address among them is enough: it may be the one that is used elsewhere.
  if (!found.every(isPublic)) return { closed: 'not public' }
  const addresses = found.slice(0, maxAddresses)
  const decided = await Promise.all(addresses.map(decide))
  const open = addresses.filter((_, index) => decided[index] === undefined)
  return open.length > 0 ? { host, addresses: open } : { closed: decided[0] ?? 'not allowed' }
}

/** Why the host closes it; `undefined` if it does not. */
async function decision(
  { access, allows }: Permitted,
  destination: Parameters<NonNullable<Permitted['allows']>>[0],
  signal: AbortSignal,
): Promise<ClosedReason | undefined> {
  if (access !== 'some' || allows === undefined) return 'not allowed'
  const limited = signalWithin(decisionLimitMs, signal)
  const aborted = new Promise<never>((_, reject) => {
    limited.addEventListener('abort', () => reject(limited.reason as Error), { once: true })
  })
  try {
    return (await Promise.race([allows(destination, { signal: limited }), aborted])) === true ? undefined : 'not allowed'
  } catch {
    return 'not decided'
  }
}

/** They end a host in a URL, or the text of a C library. */
const notInNames = /[\s\p{Cc}#/?@:%\\<>[\]^|]/u
const namePattern = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/

/**
 * A host in its one form. `undefined` for what is neither a name nor an address: a resolver might
 * read but a part of it, up to a NUL.
 */
function plainHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) return plainAddress(bare)
  if (notInNames.test(bare)) return undefined
  const name = domainToASCII(bare).replace(/\.$/, '')
  if (isIP(name) !== 0) return plainAddress(name)
  return namePattern.test(name) ? name : undefined
}

function isListed({ host, port }: NetworkDestination, asked: string, askedPort: number): boolean {
  if (port !== undefined && port !== askedPort) return false
  if (host.startsWith('*.')) return isIP(asked) === 0 && asked.endsWith(host.slice(1)) && asked.length > host.length - 1
  return asked === (isIP(host) === 0 ? host : plainAddress(host))
}
