import './backup.css'
import {
  Button,
  bytesText,
  createAction,
  EmptyState,
  errorText,
  Failure,
  numberText,
  Page,
  PagedRows,
  Skeleton,
  StateMark,
  showToast,
  whenText,
  whileVisible,
} from '@agent-service/sdk/web'
import { type JSX, onCleanup, Show } from 'solid-js'
import { api, createPagedQuery, createQuery, invalidate, onEvent } from '../../api/index.js'
import { BackupRow } from './backup-row.js'
import type { BackupStatus } from './backup-status.js'
import { Side } from './side.js'
import { t } from './texts.js'

type Running = NonNullable<BackupStatus['running']>

const everyMs = 5_000
/** A backup that is older than this deserves attention, in milliseconds. */
const oldMs = 8 * 86_400_000

/** Backups of the whole service: the last one, those that are kept, and making one now. */
export default function Backup(): JSX.Element {
  const status = createQuery({ key: () => ['status'], read: (signal) => api.get('/api/admin/backups/status', { signal }) })
  const list = createPagedQuery({
    key: () => ['backups'],
    read: (cursor, signal) => api.get('/api/admin/backups', { query: { limit: 20, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: (item) => item.id,
  })
  whileVisible(everyMs, () => void status.reload())
  onCleanup(
    onEvent('backup.progress.delta', ({ data: { id, ...progress } }) => {
      const known = status.value()
      if (known?.running?.id === id) status.set({ ...known, running: { ...known.running, progress } })
    }),
  )
  const doing = createAction(
    async (work: () => Promise<unknown>, done: string) => {
      try {
        await work()
        showToast(done)
      } catch (error) {
        showToast(errorText(error), { mark: 'fail' })
      }
      invalidate(['status'], ['backups'])
    },
    { concurrent: true },
  )
  const start = (): Promise<unknown> => doing.run(() => api.post('/api/admin/backups', { query: { wait: false } }), t('begun'))
  const cancel = (): Promise<unknown> => doing.run(() => api.post('/api/admin/backups/cancel'), t('cancelled'))
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button
          kind="main"
          icon="file-zip"
          busy={doing.busy()}
          disabled={(status.value()?.running ?? null) !== null}
          onClick={() => void start()}
        >
          {t('back_up')}
        </Button>
      }
    >
      <Show when={status.error()}>{(error) => <Failure error={error()} onRetry={() => void status.reload()} />}</Show>
      <Show when={status.value()} fallback={<Show when={status.error() === undefined}>{<Skeleton lines={8} />}</Show>}>
        {(found) => (
          <>
            <Summary status={found()} />
            <Show when={found().running}>{(running) => <Progress running={running()} onCancel={() => void cancel()} />}</Show>
            <div class="backup-two">
              <section>
                <h2 class="h3">{t('list')}</h2>
                <PagedRows list={list} label={t('list')} empty={<EmptyState title={t('empty')} text={t('empty_text')} />}>
                  {(item) => <BackupRow backup={item} busy={found().running !== null} />}
                </PagedRows>
              </section>
              <Side status={found()} />
            </div>
          </>
        )}
      </Show>
    </Page>
  )
}

function Summary(props: { readonly status: BackupStatus }): JSX.Element {
  const good = (): BackupStatus['last_good'] => props.status.last_good
  const isOld = (): boolean => {
    const found = good()
    return found === null || Date.now() - Date.parse(found.created_at) > oldMs
  }
  const failed = () => (props.status.last_run?.state === 'failed' ? props.status.last_run : undefined)
  return (
    <section class="backup-summary" classList={{ warn: isOld() || failed() !== undefined }} role="status">
      <Show
        when={good()}
        fallback={
          <>
            <StateMark mark="warn">
              <b>{t('age_none')}</b>
            </StateMark>
            <span class="t2">{t('age_none_text')}</span>
          </>
        }
      >
        {(found) => (
          <>
            <StateMark mark={isOld() ? 'warn' : 'done'}>
              <b>{t(isOld() ? 'age_old' : 'age_well', { time: whenText(found().created_at) })}</b>
            </StateMark>
            <span class="t2">{isOld() ? t('age_old_text') : t('age_well_text', { bytes: bytesText(found().bytes) })}</span>
          </>
        )}
      </Show>
      <Show when={failed()}>
        {(run) => (
          <div class="backup-error">
            <StateMark mark="fail">{t('failed', { time: whenText(run().started_at) })}</StateMark>
            <p class="t2" lang="en">
              {run().error}
            </p>
          </div>
        )}
      </Show>
    </section>
  )
}

const steps = { files: 'step_files', database: 'step_database', check: 'step_check' } as const

function Progress(props: { readonly running: Running; readonly onCancel: () => void }): JSX.Element {
  const step = () => {
    const name = props.running.progress.step
    return t(name === 'database' || name === 'check' ? steps[name] : steps.files)
  }
  const share = (): number | undefined => {
    const { bytes, total_bytes: total } = props.running.progress
    return total ? Math.min(1, bytes / total) : undefined
  }
  return (
    <section class="backup-running">
      <div>
        <StateMark mark="run">
          <b>{step()}</b>
        </StateMark>
        <span class="t2">
          {share() === undefined
            ? t('steps_files', { bytes: bytesText(props.running.progress.bytes), files: props.running.progress.files })
            : t('steps_share', {
                share: numberText(share() ?? 0, { style: 'percent', maximumFractionDigits: 0 }),
                bytes: bytesText(props.running.progress.total_bytes ?? 0),
              })}
        </span>
        <Button size="small" icon="player-stop" onClick={() => props.onCancel()}>
          {t('cancel')}
        </Button>
      </div>
      <progress aria-label={step()} {...(share() === undefined ? {} : { value: share(), max: 1 })} />
    </section>
  )
}
