import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createEgressProxy, type TakePlace } from '@agent-service/sdk/egress-proxy'
import type { PageGuard } from './page-guard.js'

/** The proxy of one profile: all traffic of its pages goes through it. */
export interface ProfileProxy {
  /** `http://172.18.0.3:41234`, as the browser is told. */
  readonly server: string
  /** What the browser answers the proxy with. Of this profile alone. */
  readonly credentials: { readonly username: string; readonly password: string }
  close(): void
}

/** What decides about a profile's connections, beside the guard. */
export interface ProxyRules {
  readonly guard: PageGuard
  readonly takePlace: TakePlace
  /** Whether the policies let the agent connect there. */
  allows(destination: { readonly host: string; readonly port: number; readonly address?: string }, signal: AbortSignal): Promise<boolean>
  /** A connection was refused. */
  refused(host: string, port: number): void
}

/**
 * Listens at the address from which the browser service was reached, since the browser may be on
 * another machine. Nothing is reached without the credentials of the profile.
 */
export async function openProfileProxy(address: string, rules: ProxyRules): Promise<ProfileProxy> {
  const credentials = { username: 'browser', password: randomBytes(24).toString('base64url') }
  const { guard, takePlace, refused } = rules
  const proxy = createEgressProxy(
    {
      access: 'some',
      destinations: [],
      allows: async (destination, { signal }) => guard.allows(destination) && (await rules.allows(destination, signal)),
    },
    {
      ...guard.judgement,
      takePlace,
      refused,
      authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
    },
  )
  const server = createServer((socket) => proxy.take(socket)).listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const host = address.includes(':') ? `[${address}]` : address
  return {
    server: `http://${host}:${port}`,
    credentials,
    close() {
      server.close()
      proxy.close()
    },
  }
}
