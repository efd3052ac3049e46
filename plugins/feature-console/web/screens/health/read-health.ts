import { isProblem, pageQuery, readAll } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

export type Health = Schemas['ServiceHealth']
export type Check = Schemas['HealthCheck']

/** Something that runs or does not. */
export interface Item {
  readonly id: string
  readonly state: 'well' | 'warning' | 'failed'
  readonly title: string
  /** In the words of the service, so in English. */
  readonly reason?: string | undefined
  readonly todo?: string
  readonly link?: { readonly href: string; readonly label: string }
}

/** What is shown, read from several routes. */
export interface Report {
  readonly health: Health
  readonly plugins: readonly Item[]
  readonly running: number
  /** Plugins that start when they are used. */
  readonly ready: number
  readonly providers: readonly Item[]
  readonly sandbox: readonly Item[]
}

export async function readReport(signal: AbortSignal): Promise<Report> {
  const [health, plugins, models, credentials, sandbox] = await Promise.all([
    api.get('/api/admin/health', { signal }),
    readAll((cursor) => api.get('/api/admin/plugins', { query: pageQuery(cursor), signal })),
    ifThere(api.get('/api/models', { query: { limit: 200 }, signal })),
    ifThere(api.get('/api/admin/credentials', { query: { limit: 200 }, signal })),
    ifThere(api.get('/api/sandbox', { signal })),
  ])
  return {
    health,
    running: plugins.filter(({ state }) => state === 'active').length,
    ready: plugins.filter(({ state }) => state === 'ready').length,
    plugins: plugins.flatMap(pluginItem),
    providers: [...(models ? [modelsItem(models.items.length)] : []), ...(credentials?.items.flatMap(credentialItem) ?? [])],
    sandbox: sandbox ? [sandboxItem(sandbox)] : [],
  }
}

/** What the plugin of a feature answers; undefined on a service without it. */
const ifThere = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
  answer.catch((error: unknown) => {
    if (isProblem(error) && error.status === 404) return undefined
    throw error
  })

/** What needs attention beside the checks. */
export const attentionIn = ({ health, plugins, providers, sandbox }: Report): number =>
  Number(health.impaired !== null) +
  health.configuration.warnings.length +
  [...plugins, ...providers, ...sandbox].filter(({ state }) => state !== 'well').length

const troubled = { failed: 'failed', invalid: 'failed', blocked: 'warning', retrying: 'warning' } as const
const isTroubled = (state: string): state is keyof typeof troubled => Object.hasOwn(troubled, state)

const pluginItem = ({ id, state, reason }: Schemas['Plugin']): readonly Item[] =>
  isTroubled(state)
    ? [
        {
          ...{ id, title: id, state: troubled[state], reason: reason ?? undefined, todo: t(`todo_${state}`) },
          link:
            state === 'failed'
              ? { href: `/admin/logs?search=${encodeURIComponent(id)}`, label: t('open_logs') }
              : { href: '/admin/plugins', label: t('open_plugins') },
        },
      ]
    : []

const modelsItem = (count: number): Item => ({
  ...{ id: 'models', title: t('models', { count }), state: count === 0 ? 'warning' : 'well' },
  ...(count === 0 && { todo: t('models_todo') }),
  link: { href: '/admin/models', label: t('open_models') },
})

function credentialItem({ id, label, brand, state, check_ok: isGood }: Schemas['Credential']): readonly Item[] {
  const title = `${label} (${brand})`
  if (state === 'sign_in_needed') return [{ id, title, state: 'failed', todo: t('credential_todo') }]
  return isGood === false ? [{ id, title, state: 'warning', todo: t('credential_refused') }] : []
}

function sandboxItem({ confines, disabled, reason }: Schemas['SandboxStatus']): Item {
  const isConfined = confines && !disabled
  return {
    ...{ id: 'sandbox', title: t(isConfined ? 'confined' : 'not_confined'), state: isConfined ? 'well' : 'warning' },
    ...(reason !== null && { reason }),
    link: { href: '/sandbox', label: t('open_sandbox') },
  }
}
