import {
  Button,
  bytesText,
  confirmAction,
  durationText,
  EmptyState,
  Failure,
  PagedRows,
  StateBadge,
  whenText,
  whileVisible,
} from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import { createStopper, type Stopper } from './stop-process.js'
import { t } from './texts.js'

type Usage = Schemas['SandboxProcessUsage']

const everyMs = 5_000

/** What runs of all users with what it uses, for administrators; read again every five seconds. */
export function AllProcesses(): JSX.Element {
  const list = createPagedQuery<Usage>({
    key: () => ['all-processes'],
    read: (cursor, signal) =>
      api.get('/api/admin/sandbox/processes', { query: { limit: 100, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: ({ id }) => id,
  })
  const stopper = createStopper(async (id) => {
    await api.post('/api/admin/sandbox/processes/{process_id}/stop', { path: { process_id: id } })
    await list.reload()
  })
  whileVisible(everyMs, () => list.state() !== 'loading' && void list.reload())
  return (
    <>
      <p class="help sandbox-note">{t('all_text')}</p>
      <PagedRows list={list} label={t('all_users')} empty={<EmptyState title={t('nothing_runs_now')} text={t('nothing_runs_now_text')} />}>
        {(process) => <UsageRow process={process} stopper={stopper} />}
      </PagedRows>
    </>
  )
}

function UsageRow(props: { readonly process: Usage; readonly stopper: Stopper }): JSX.Element {
  const owner = (): string => props.process.username ?? props.process.user_id
  const stop = async (): Promise<void> => {
    const confirmed = await confirmAction({ title: t('stop_of', { user: owner() }), text: t('stop_of_text'), action: t('stop') })
    if (confirmed) await props.stopper.stop(props.process.id)
  }
  return (
    <div class="sandbox-process">
      <div>
        <span class="key cut">
          <bdi>{owner()}</bdi>
        </span>
        <span class="sub">
          <span>
            <bdi>{props.process.actor.handle ?? props.process.actor.id}</bdi>
          </span>
          <span>{props.process.kind}</span>
          <span>{t('since', { time: whenText(props.process.started_at) })}</span>
          <Show when={props.process.usage}>
            {(usage) => (
              <>
                <span>{t('cpu_used', { time: durationText(usage().cpu_ms) })}</span>
                <span>{bytesText(usage().memory_bytes)}</span>
                <span>{t('tree', { count: usage().processes })}</span>
              </>
            )}
          </Show>
        </span>
      </div>
      <div class="row">
        <StateBadge mark={props.stopper.isStopping(props.process.id) ? 'wait' : 'run'}>
          {props.stopper.isStopping(props.process.id) ? t('stopping') : t('running')}
        </StateBadge>
        <Button
          size="small"
          busy={props.stopper.isStopping(props.process.id)}
          label={t('stop_of', { user: owner() })}
          onClick={() => void stop()}
        >
          {t('stop')}
        </Button>
      </div>
      <Show when={props.stopper.failure(props.process.id)}>{(error) => <Failure error={error()} />}</Show>
    </div>
  )
}
