import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { abortable, createLimiter, type Limiter } from '@agent-service/sdk/async'
import { httpConnectionError } from '@agent-service/sdk/services/http-client'
import type { Agent } from 'undici'
import type { AddressGuard, ResolvedAddress } from './address-guard.js'

/** Finds the addresses of a name. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>

const connectMs = 10_000
const keptOpenMs = 4_000
const maxHeaderBytes = 32 * 1024
/** Limits concurrent lookups: each takes one of the few threads that also read files. */
const lookups = createLimiter({ maxConcurrent: 2, maxWaiting: 256 })

/**
 * The connections of one plugin. Connections that may reach addresses that are not public are kept
 * apart from the others.
 */
export interface Connections {
  /**
   * The agent for requests that may reach private addresses, or may not. The first call loads the
   * HTTP library.
   */
  agentFor(allowPrivate: boolean): Promise<Agent>
  /** Closes all connections and ends their requests. */
  close(): Promise<void>
}

/** Options of {@link createConnections}. */
export interface ConnectionsOptions {
  readonly guard: AddressGuard
  /** Default: the resolver of the operating system. */
  readonly resolve?: Resolve
  /** Certificates of further trusted authorities besides those of Node, in PEM. Default: none. */
  readonly trusted?: readonly string[]
  /** Maximum number of connections to one origin. */
  readonly maxPerOrigin: number
}

/** Makes an empty set. */
export function createConnections(options: ConnectionsOptions): Connections {
  const agents = new Map<boolean, Promise<Agent>>()
  let isClosed = false

  return {
    async agentFor(allowPrivate) {
      if (isClosed) throw new Error('The plugin has stopped, so its HTTP client is closed.')
      const known = agents.get(allowPrivate)
      if (known) return known
      const made = makeAgent(options, allowPrivate)
      agents.set(allowPrivate, made)
      return made
    },
    async close() {
      isClosed = true
      const open = [...agents.values()]
      agents.clear()
      await Promise.all(open.map(async (agent) => (await agent).destroy()))
    },
  }
}

async function makeAgent(
  { guard, resolve = resolveName, trusted, maxPerOrigin }: ConnectionsOptions,
  allowPrivate: boolean,
): Promise<Agent> {
  const [{ Agent: Pools }, authorities] = await Promise.all([import('undici'), trusted ? withTrusted(trusted) : undefined])
  return new Pools({
    connections: maxPerOrigin,
    pipelining: 1,
    keepAliveTimeout: keptOpenMs,
    keepAliveMaxTimeout: keptOpenMs,
    maxHeaderSize: maxHeaderBytes,
    // The client itself enforces these timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: connectMs,
      rejectUnauthorized: true,
      autoSelectFamily: true,
      lookup: guardedLookup(guard, allowPrivate, resolve),
      ...(authorities && { ca: [...authorities] }),
    },
  })
}

async function withTrusted(trusted: readonly string[]): Promise<readonly string[]> {
  const { rootCertificates } = await import('node:tls')
  return [...rootCertificates, ...trusted]
}

/**
 * Resolves a name once for each connection, which connects only to addresses that were checked
 * here.
 */
function guardedLookup(guard: AddressGuard, allowPrivate: boolean, resolve: Resolve): LookupFunction {
  return (host, { all }, callback) => {
    const found = limited(lookups, () => resolve(host)).catch((error: unknown) => {
      throw httpConnectionError.create({ host, reason: 'the name cannot be resolved.' }, { cause: error })
    })
    found
      .then((addresses) => guard.checkAddresses(host, addresses, allowPrivate))
      .then(
        (addresses) => {
          const [first] = addresses
          if (all) callback(null, [...addresses])
          else callback(null, first?.address ?? '', first?.family)
        },
        (error: Error) => callback(error, ''),
      )
  }
}

async function limited<T>(limiter: Limiter, work: () => Promise<T>): Promise<T> {
  const release = await limiter.acquire({ signal: AbortSignal.timeout(connectMs) })
  try {
    return await abortable(work, AbortSignal.timeout(connectMs))
  } finally {
    release()
  }
}

const resolveName: Resolve = (host) => lookup(host, { all: true, verbatim: true })
