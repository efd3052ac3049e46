import { membersOf } from '@agent-service/sdk/web/configuration'
import type { Schemas } from '../api/index.js'
import type { TestRequest } from './live-test.js'

export type Brand = Schemas['CatalogueBrand']
export type Adapter = Schemas['ProviderAdapter']
export type Connection = Schemas['ProviderConnection']
export type Credential = Schemas['Credential']

/** The choice for an endpoint whose brand is not in the catalogue. */
export const otherEndpoint = ''

/** What the form of a connection holds. */
export interface Draft {
  /** A brand of the catalogue, or {@link otherEndpoint}. */
  readonly brand: string
  readonly handle: string
  readonly adapter: string
  readonly baseUrl: string
  /** What was typed: a key, or a reference to a variable. Empty: the saved one stays. */
  readonly key: string
  readonly region: string
  readonly profile: string
  readonly apiVersion: string
}

export const emptyDraft: Draft = {
  brand: otherEndpoint,
  handle: '',
  adapter: 'adapter_alpha',
  baseUrl: '',
  key: '',
  region: '',
  profile: '',
  apiVersion: '',
}

/** A reference to a variable of the environment, as a key. */
export const isReference = (key: string): boolean => /^\$\{\w+\}$/.test(key.trim())

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The draft of an entry in the file. */
export function draftOf(handle: string, entry: Readonly<Record<string, unknown>>, brands: readonly Brand[]): Draft {
  const provider = textOf(entry['provider']) || handle
  return {
    ...emptyDraft,
    handle,
    brand: entry['adapter'] === undefined && brands.some(({ id }) => id === provider) ? provider : otherEndpoint,
    adapter: textOf(entry['adapter']) || emptyDraft.adapter,
    baseUrl: textOf(entry['base_url']),
    region: textOf(entry['aws_region']),
    profile: textOf(entry['aws_profile']),
    apiVersion: textOf(entry['azure_api_version']),
  }
}

/** The members of the entry in the file, without the key; absent ones are to be reset. */
export function entryOf(draft: Draft): Readonly<Record<string, string>> {
  const members = {
    provider: draft.brand === otherEndpoint ? draft.handle : draft.brand,
    adapter: draft.brand === otherEndpoint ? draft.adapter : '',
    base_url: draft.baseUrl.trim(),
    aws_region: draft.region.trim(),
    aws_profile: draft.profile.trim(),
    azure_api_version: draft.apiVersion.trim(),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''))
}

export const entryMembers = ['provider', 'adapter', 'base_url', 'aws_region', 'aws_profile', 'azure_api_version'] as const

/** What the service needs to call a connection that may not run yet. */
export function requestOf(draft: Draft, credentialId: string | undefined): TestRequest {
  const key = draft.key.trim()
  return {
    ...entryOf(draft),
    ...(key !== '' ? { api_key: key } : credentialId === undefined ? {} : { credential_id: credentialId }),
    ...(needsCompletions(draft) && { api: 'completions' }),
  }
}

/** The request for a connection: as it runs, or as the file has it for the next start. */
export function requestOfEntry(connection: {
  readonly handle: string
  readonly running: Connection | undefined
  readonly saved: Readonly<Record<string, unknown>> | undefined
}): TestRequest {
  const { handle, running, saved: entry = {} } = connection
  if (running) return { handle }
  const known = [...entryMembers, 'credential_id'] as const
  const members = known.flatMap((name) => (typeof entry[name] === 'string' ? [[name, entry[name]]] : []))
  const reference = referenceIn(entry['api_key'])
  return {
    provider: handle,
    ...Object.fromEntries(members),
    ...(reference !== undefined && { api_key: reference }),
    ...(entry['adapter'] === 'adapter_alpha' && { api: 'completions' }),
  }
}

/** The reference in the state of a secret; its value is never shown. */
function referenceIn(state: unknown): string | undefined {
  const { reference } = membersOf(state)
  return typeof reference === 'string' ? reference : undefined
}

/** Other endpoints of the OpenAI family rarely speak its newer protocol. */
export const needsCompletions = ({ brand, adapter }: Pick<Draft, 'brand' | 'adapter'>): boolean =>
  brand === otherEndpoint && adapter === 'adapter_alpha'

/** A handle that no connection has: `openai`, `openai-2`. */
export function freeHandle(wanted: string, taken: readonly string[]): string {
  const base = wanted.toLowerCase().replace(/[^a-z0-9-]+/g, '-') || 'endpoint'
  for (let number = 1; ; number += 1) {
    const handle = number === 1 ? base : `${base}-${number}`
    if (!taken.includes(handle)) return handle
  }
}
