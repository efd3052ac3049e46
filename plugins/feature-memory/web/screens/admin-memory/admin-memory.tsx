import './admin-memory.css'
import { ButtonLink, Failure, momentText, Page, readAll, Skeleton, StateMark, whenText, whileVisible } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { type AnswerOf, api, createQuery } from '../../api/index.js'
import { type Backend, backendsOf } from './backends.js'
import { Move } from './move.js'
import { t } from './texts.js'

type Status = AnswerOf<'get', '/api/memory/status'>

/** The work on a move is reported by no event. */
const everyMs = 3_000

/** The memory of the service: which back end has it, and the move to another one. */
export default function AdminMemory(): JSX.Element {
  const [isRestarting, setRestarting] = createSignal(false)
  const status = createQuery({ key: () => ['status'], read: (signal) => api.get('/api/memory/status', { signal }) })
  const migration = createQuery({
    key: () => ['migration'],
    read: async (signal) => (await api.get('/api/admin/memory/migration', { signal })).migration,
  })
  const choice = createQuery({
    key: () => ['backends'],
    async read(signal) {
      const page = (cursor: string | undefined) => ({ query: { limit: 200, ...(cursor !== undefined && { cursor }) }, signal })
      const [configuration, plugins] = await Promise.all([
        api.get('/api/admin/config', { signal }),
        readAll((cursor) => api.get('/api/admin/plugins', page(cursor))),
      ])
      return { configuration, backends: backendsOf(configuration, plugins) }
    },
  })
  const look = (): void => {
    if (isRestarting()) return
    void status.reload()
    void migration.reload()
  }
  const lookAgain = (): void => {
    look()
    void choice.reload()
  }
  whileVisible(everyMs, look)
  const error = () => status.error() ?? migration.error() ?? choice.error()
  const found = () => {
    const [state, known] = [status.value(), choice.value()]
    return state && known && migration.value() !== undefined ? { state, ...known, migration: migration.value() ?? null } : undefined
  }
  return (
    <Page title={t('title')} lead={t('lead')} actions={<ButtonLink href="/admin/settings?section=memory">{t('settings')}</ButtonLink>}>
      <Show when={!isRestarting() && error()}>{(cause) => <Failure error={cause()} onRetry={lookAgain} />}</Show>
      <Show when={found()} fallback={<Show when={!error()}>{<Skeleton lines={6} />}</Show>}>
        {(known) => (
          <>
            <InUse status={known().state} backends={known().backends} />
            <Move
              inUse={known().state.backend}
              backends={known().backends}
              configuration={known().configuration}
              migration={known().migration}
              onRestarting={setRestarting}
            />
          </>
        )}
      </Show>
    </Page>
  )
}

const abilities = ['history', 'sweep', 'passes', 'revisions'] as const

function InUse(props: { readonly status: Status; readonly backends: readonly Backend[] }): JSX.Element {
  const known = (): Backend | undefined => props.backends.find(({ value }) => value === props.status.backend)
  const has = () => abilities.filter((name) => props.status.supports[name])
  const sweep = (): string => {
    const last = props.status.last_sweep
    if (last === null) return t('never')
    if (last.failed) return t('sweep_failed', { when: whenText(last.finished_at ?? last.started_at) })
    return last.finished_at === null ? t('sweep_running', { when: whenText(last.started_at) }) : momentText(last.finished_at)
  }
  return (
    <section class="admin-memory-part" aria-labelledby="memory-in-use">
      <h2 class="h3" id="memory-in-use">
        {t('in_use')}
      </h2>
      <dl class="admin-memory-facts">
        <dt>{known()?.title ?? props.status.title ?? props.status.backend}</dt>
        <dd>
          <code>{props.status.backend}</code>
          <Show when={known()}>{(backend) => <p lang={backend().isForeign ? 'en' : undefined}>{backend().text}</p>}</Show>
        </dd>
        <dt>{t('state')}</dt>
        <dd>
          <StateMark mark={props.status.available ? 'done' : 'fail'}>{t(props.status.available ? 'running' : 'not_running')}</StateMark>
        </dd>
        <Show when={props.status.available}>
          <dt>{t('supports')}</dt>
          <dd>
            <ul>
              <For each={has()} fallback={<li>{t('no_supports')}</li>}>
                {(name) => <li>{t(`has_${name}`)}</li>}
              </For>
            </ul>
          </dd>
        </Show>
        <Show when={props.status.supports.sweep}>
          <dt>{t('last_sweep')}</dt>
          <dd>{sweep()}</dd>
        </Show>
      </dl>
    </section>
  )
}
