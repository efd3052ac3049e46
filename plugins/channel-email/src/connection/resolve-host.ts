import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { classifyAddress } from '@agent-service/sdk/addresses'
import { abortable } from '@agent-service/sdk/async'
import { channelConnectionInvalidError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import { mailServer } from './failures.js'
import type { ServerSettings } from './settings.js'

/** Where a connection goes: an address that was checked, and the name that its certificate must have. */
export interface Destination {
  readonly address: string
  /** Absent for a server that is given by its address. */
  readonly servername?: string
}

/**
 * Looks a server up once, so that what was checked is what is connected to. Servers that a user chose
 * have public addresses alone; those that give a machine its credentials are always refused, and
 * without protection an address must not be public.
 */
export async function resolveHost(
  { protocol, host, security }: Pick<ServerSettings, 'protocol' | 'host' | 'security'>,
  { origin, signal }: { readonly origin: 'system' | 'user'; readonly signal: AbortSignal },
): Promise<Destination> {
  const addresses = isIP(host) === 0 ? await lookUp(host, signal) : [host]
  const classes = addresses.map(classifyAddress)
  const invalid = (member: string, reason: string): Error =>
    channelConnectionInvalidError.create({ member: `${protocol}_${member}`, reason })
  if (classes.some((each) => each === 'metadata' || (origin === 'user' && each !== 'public')))
    throw invalid('host', 'leads to an address that is not public')
  if (security === 'none' && classes.includes('public'))
    throw invalid('security', 'must be “tls” or “starttls”: the password would cross the internet in plain text')
  const [address] = addresses
  if (address === undefined) throw notFound()
  return { address, ...(isIP(host) === 0 && { servername: host.replace(/\.$/, '') }) }
}

async function lookUp(host: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const found = await abortable(() => lookup(host, { all: true, order: 'ipv4first' }), signal)
    return found.map(({ address }) => address)
  } catch (cause) {
    signal.throwIfAborted()
    throw notFound(cause)
  }
}

const notFound = (cause?: unknown): Error =>
  channelUnavailableError.create({ channel: mailServer, reason: 'its name has no address' }, { cause })
