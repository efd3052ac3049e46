import { type FakeApi, fakeApi } from '@agent-service/sdk/web/testing'
import type { Schemas } from '../api/index.js'
import type { paths } from '../api/schema.js'

type Entries = Readonly<Record<string, unknown>>

/** A page that is the last one. */
export const page = <Item>(...items: Item[]): { items: Item[]; next_cursor: string | null } => ({ items, next_cursor: null })

/** A connection to an endpoint of the house, which runs. */
export const connection = (changes: Partial<Schemas['ProviderConnection']> = {}): Schemas['ProviderConnection'] => ({
  adapter: 'adapter_alpha',
  base_url: 'http://models.example/v1',
  brand: 'house',
  credential_id: 'credential_house',
  discovered: false,
  groups: [],
  handle: 'house',
  key: 'saved',
  name: 'house',
  state: 'ready',
  ...changes,
})

export const credential = (changes: Partial<Schemas['Credential']> = {}): Schemas['Credential'] => ({
  brand: 'house',
  check_ok: null,
  checked_at: null,
  connections: ['house'],
  created_at: '2026-12-01T08:00:00Z',
  hint: 'ight',
  id: 'credential_house',
  kind: 'api_key',
  label: 'house',
  state: 'ready',
  ...changes,
})

/** How the file has that connection. */
export const savedHouse = { house: { provider: 'house', adapter: 'adapter_alpha', credential_id: 'credential_house' } }

const adapter: Schemas['ProviderAdapter'] = {
  id: 'adapter_alpha',
  lists_models: true,
  name: 'OpenAI',
  protocols: ['completions'],
  requires_base_url: true,
}

/** A result of a test: a model answered, or what is wrong. */
export const tested = (changes: Partial<Schemas['ConnectionTest']> = {}): Schemas['ConnectionTest'] => ({
  checked_at: '2026-12-01T08:00:00Z',
  failure: null,
  message: null,
  model: 'house-small',
  ok: true,
  took_ms: 12,
  tools: true,
  ...changes,
})

const model = (id: string): Schemas['OfferedModel'] => ({
  abilities: ['tools'],
  answers: true,
  context_window: 128_000,
  id,
  input: ['text'],
  max_output_tokens: null,
  name: null,
  price: null,
  tools: true,
})

/** The service with this in its file, and what runs. A change of the file is in effect at once. */
export function serviceWith(given: {
  readonly providers?: Entries
  readonly models?: Entries
  readonly connections?: readonly Schemas['ProviderConnection'][]
  readonly credentials?: readonly Schemas['Credential'][]
}): FakeApi<paths> {
  const sections: Record<string, Record<string, unknown>> = { providers: { ...given.providers }, models: { ...given.models } }
  const saved = { ...sections }
  let credentials = given.credentials ?? []
  return fakeApi<paths>({
    'get /api/admin/config': () => ({
      file: 'config.json',
      lines: {},
      locked: [],
      pending: [],
      problems: [],
      references: {},
      restart_required: false,
      revision: '1',
      saved,
      schema: {},
      sources: {},
      values: saved,
    }),
    'patch /api/admin/config'({ body }) {
      for (const path of body.reset ?? []) {
        const [section = '', name = '', member] = path.split('.')
        if (member === undefined) delete sections[section]?.[name]
      }
      return { locked: [], restart_required: false, revision: '2' }
    },
    'post /api/admin/config/check': () => ({ overlaps: [], problems: [], warnings: [] }),
    'get /api/admin/connections': () =>
      page(...(given.connections ?? []).filter(({ handle, discovered }) => discovered || sections['providers']?.[handle] !== undefined)),
    'get /api/admin/credentials': () =>
      page(
        ...credentials.map((each) => ({
          ...each,
          connections: each.connections.filter((handle) => handle in (sections['providers'] ?? {})),
        })),
      ),
    'delete /api/admin/credentials/{credential_id}'({ path }) {
      credentials = credentials.filter(({ id }) => id !== path.credential_id)
    },
    'patch /api/admin/credentials/{credential_id}': () => credential(),
    'post /api/admin/credentials': () => credential({ id: 'credential_new' }),
    'get /api/catalogue/brands': () => page(),
    'get /api/admin/connections/adapters': () => page(adapter),
    'post /api/admin/connections/test': () => tested(),
    'post /api/admin/connections/models': () => ({
      failure: null,
      message: null,
      models: [model('house-large'), model('house-small')],
      ok: true,
      source: 'provider' as const,
    }),
    'get /api/models': () => page(),
    'get /api/agents': () => page(),
  })
}

export const bodiesOf = (service: FakeApi<paths>) => service.requestsOf('patch /api/admin/config').map(({ body }) => body)
