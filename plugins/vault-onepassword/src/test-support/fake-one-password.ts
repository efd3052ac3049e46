import type { Item, ItemCreateParams, ItemField } from '@1password/sdk'
import { sleep } from '@agent-service/sdk/async'
import {
  type HttpClient,
  type HttpClientRequest,
  type HttpClientResponse,
  httpConnectionError,
  httpResponseTooLargeError,
  httpTimeoutError,
} from '@agent-service/sdk/services/http-client'
import type { VaultFault } from '@agent-service/sdk/testing'

/** An id as 1Password has them. */
export const idOfNumber = (number: number): string => number.toString(36).padStart(26, 'a')

/** A vault with its items. */
export interface FakeVault {
  readonly title: string
  readonly items: Map<string, Item & { state?: 'archived' }>
}

/** What a token sees, by the ids of vaults. */
export type FakeAccount = Map<string, FakeVault>

/** 1Password's server behind the guarded client. */
export interface FakeOnePassword {
  readonly http: HttpClient
  /** By token. */
  readonly accounts: Map<string, FakeAccount>
  readonly requests: readonly HttpClientRequest[]
  fault: VaultFault | undefined
  /** How many of the next calls the session is said to have ended for. */
  sessionsToEnd: number
  signIns: number
}

/** A failure as the core throws it: a plain text, or JSON with a name. */
type Failure = { readonly name?: string; readonly message: string }

const failures: Readonly<Partial<Record<VaultFault, Failure>>> = {
  failing: { message: 'authentication error: internal server error' },
  busy: { name: 'RateLimitExceeded', message: 'rate limit exceeded' },
  revoked: { message: 'authentication error: you are not authenticated' },
  expired: { name: 'AuthExpired', message: 'session expired' },
  damaged: {
    message: 'error: when deserializing HTTP responses into the corresponding types: Error("expected value", line: 1, column: 1)',
  },
}

/** Makes a server without accounts. */
export function createFakeOnePassword(): FakeOnePassword {
  const requests: HttpClientRequest[] = []
  const sessions = new Map<number, FakeAccount>()
  const request: HttpClient['request'] = async (sent, { signal }) => {
    signal.throwIfAborted()
    requests.push(sent)
    await failAsNetwork(server.fault, sent, signal)
    return respond(server, sessions, sent)
  }
  const server: FakeOnePassword = {
    http: { request, stream: () => Promise.reject(new Error('The connector does not stream.')) },
    ...{ accounts: new Map(), requests, fault: undefined, sessionsToEnd: 0, signIns: 0 },
  }
  return server
}

async function failAsNetwork(fault: VaultFault | undefined, { url, limits }: HttpClientRequest, signal: AbortSignal): Promise<void> {
  const { host } = new URL(url)
  if (fault === 'down') throw httpConnectionError.create({ host, reason: 'the connection was refused.' })
  if (fault === 'untrusted') throw httpConnectionError.create({ host, reason: 'its certificate is not trusted.' })
  if (fault === 'huge') throw httpResponseTooLargeError.create({ host, reason: 'more than it may have.' })
  if (fault !== 'silent') return
  const { totalMs = 0 } = limits ?? {}
  await sleep(totalMs, { signal })
  throw httpTimeoutError.create({ host, what: 'the whole request', limitMs: totalMs })
}

function respond(server: FakeOnePassword, sessions: Map<number, FakeAccount>, { url, body }: HttpClientRequest): HttpClientResponse {
  const answer = (status: number, value: unknown): HttpClientResponse => ({
    ...{ status, headers: {}, url, redirects: 0 },
    body: new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)),
  })
  const refuse = ({ name, message }: Failure): HttpClientResponse => answer(400, name === undefined ? message : { name, message })
  const sent = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as Sent
  const failure = server.fault === undefined ? undefined : failures[server.fault]
  if (failure !== undefined) return refuse(failure)
  if (url.endsWith('/sign-in')) {
    const account = server.accounts.get(sent.serviceAccountToken)
    if (account === undefined) return refuse({ message: 'authentication error: you are not authenticated' })
    server.signIns += 1
    sessions.set(server.signIns, account)
    return answer(200, String(server.signIns))
  }
  if (server.sessionsToEnd > 0) {
    server.sessionsToEnd -= 1
    return refuse({ name: 'AuthExpired', message: 'session expired' })
  }
  const { clientId, parameters } = sent.invocation
  if (server.fault === 'forbidding' && parameters.name !== 'VaultsList')
    return refuse({ message: 'you do not have the right permissions to perform this action: read' })
  try {
    return answer(200, invoke(sessions.get(clientId) ?? new Map(), parameters))
  } catch (error) {
    return refuse({ message: (error as Error).message })
  }
}

interface Sent {
  readonly serviceAccountToken: string
  readonly invocation: { readonly clientId: number; readonly parameters: Invocation }
}

interface Invocation {
  readonly name: string
  readonly parameters: {
    readonly vault_id?: string
    readonly item_id?: string
    readonly item?: Item
    readonly params?: ItemCreateParams
  }
}

function invoke(account: FakeAccount, { name, parameters }: Invocation): unknown {
  const vaultId = parameters.vault_id ?? parameters.item?.vaultId ?? parameters.params?.vaultId ?? ''
  if (name === 'VaultsList') return [...account].map(([id, { title, items }]) => ({ id, title, activeItemCount: items.size }))
  const { items } = account.get(vaultId) ?? fail("vault couldn't be found")
  if (name === 'ItemsList')
    return [...items.values()].filter(({ state }) => state !== 'archived').map(({ fields: _, notes: __, ...each }) => each)
  if (name === 'ItemsCreate') return created(items, parameters.params ?? fail('bad request'))
  const itemId = parameters.item_id ?? parameters.item?.id ?? ''
  const present = items.get(itemId) ?? fail("item couldn't be found")
  if (present.state === 'archived') fail('item is not in an active state')
  if (name === 'ItemsGet') return present
  if (name !== 'ItemsPut' || parameters.item === undefined) return fail('bad request')
  if (parameters.item.version !== present.version)
    fail('item update failed: The submitted item is not up to date. Refetch the item and retry the request.')
  const next = { ...parameters.item, version: present.version + 1, updatedAt: new Date() }
  items.set(itemId, next)
  return next
}

function created(items: FakeVault['items'], params: ItemCreateParams): Item {
  const item = makeItem(idOfNumber(1_000 + items.size), params.vaultId, params.title, params.fields ?? [])
  const whole = { ...item, sections: params.sections ?? [], notes: params.notes ?? '' }
  items.set(item.id, whole)
  return whole
}

/** An item with these fields. */
export function makeItem(id: string, vaultId: string, title: string, fields: ItemField[], version = 1): Item {
  return {
    ...{ id, vaultId, title, fields, version, category: 'Login' as Item['category'], sections: [], notes: '' },
    ...{ tags: [], websites: [], files: [], createdAt: new Date('2024-01-02T03:04:05Z'), updatedAt: new Date('2024-01-02T03:04:05Z') },
  }
}

function fail(message: string): never {
  throw new Error(message)
}
