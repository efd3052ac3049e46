import { type FakeAnswer, type FakeApi, fakeApi, problem } from '@agent-service/sdk/web/testing'
import type { AnswerOf, Schemas } from '../api/index.js'
import type { paths } from '../api/schema.js'
import { at, recordOf } from '../settings/model/schema.js'

/** What the service finds wrong with a change. */
export type Problems = AnswerOf<'post', '/api/admin/config/check'>['problems']

type Values = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const number = { type: 'number' }

/** The settings of a small service. */
const schema = {
  properties: {
    server: {
      type: 'object',
      title: 'Server',
      additionalProperties: false,
      properties: { timezone: { ...text, default: 'UTC' }, shutdown_timeout_secs: { type: 'integer', 'x-unit': 'seconds', default: 10 } },
    },
    auth: { ...{ type: 'object', title: 'Accounts' }, properties: { allow_registration: { type: 'boolean', default: true } } },
    providers: {
      type: 'object',
      title: 'Providers',
      additionalProperties: { type: 'object', properties: { base_url: text, api_key: { ...text, writeOnly: true } } },
    },
    models: {
      type: 'object',
      title: 'Models',
      additionalProperties: { type: 'object', properties: { fallbacks: { type: 'array', items: { $ref: '#/definitions/fallback' } } } },
    },
  },
  definitions: {
    fallback: {
      type: 'object',
      properties: {
        provider: { ...text, description: 'Must be set.' },
        model: { ...text, description: 'Must be set.' },
        temperature: number,
        top_p: number,
        max_output_tokens: number,
        context_window: number,
        name: text,
        retry: { type: 'object', properties: { max_retries: { type: 'integer' } } },
      },
    },
  },
}

/** What the file has at first. */
const written: Values = {
  server: { timezone: 'Europe/Oslo' },
  providers: { work: { base_url: 'https://models.example.org', api_key: { is_set: true } } },
  models: { primary: {} },
}

const configurationOf = (saved: Values, revision: number): Schemas['Configuration'] => ({
  file: '/data/config.yaml',
  schema,
  saved,
  revision: String(revision),
  values: { ...saved, server: { timezone: 'UTC', shutdown_timeout_secs: 10, ...recordOf(saved['server']) } },
  lines: {},
  locked: [],
  pending: [],
  problems: [],
  references: {},
  sources: {},
  restart_required: false,
})

/** The file of a service whose settings are edited. */
export interface ConfigurationService {
  readonly service: FakeApi<paths>
  /** What the file has. */
  saved(path: string): unknown
  /** Another administrator saves. */
  saveElsewhere(set: Values): void
  /** Answers changes in another way, until there is none. */
  refuseSaves(refusal: (() => FakeAnswer) | undefined): void
}

/** A service that keeps the changes of its configuration, and refuses those that began with a former one. */
export function configurationService(check: (set: Values) => Problems = () => []): ConfigurationService {
  let saved = written
  let revision = 1
  let refuse: (() => FakeAnswer) | undefined
  const save = (set: Values, reset: readonly string[] = []): void => {
    for (const [path, value] of Object.entries(set)) saved = withValue(saved, path.split('.'), value)
    for (const path of reset) saved = withValue(saved, path.split('.'), undefined)
    revision += 1
  }
  const service = fakeApi<paths>({
    'get /api/admin/config': () => configurationOf(saved, revision),
    'post /api/admin/config/check': ({ body }) => ({ problems: check(body.set ?? {}), warnings: [], overlaps: [] }),
    'patch /api/admin/config'({ body, headers }) {
      if (refuse) return refuse()
      if (headers.get('if-match') !== `"${revision}"`) return problem(412, 'stale_config')
      save(body.set ?? {}, body.reset)
      return { locked: [], restart_required: true, revision: String(revision) }
    },
  })
  return {
    service,
    saved: (path) => at(saved, path.split('.')),
    saveElsewhere: save,
    refuseSaves: (refusal) => {
      refuse = refusal
    },
  }
}

function withValue(values: Values, [name = '', ...rest]: readonly string[], value: unknown): Values {
  if (rest.length > 0) return { ...values, [name]: withValue(recordOf(values[name]), rest, value) }
  const { [name]: _, ...others } = values
  return value === undefined ? others : { ...others, [name]: value }
}
