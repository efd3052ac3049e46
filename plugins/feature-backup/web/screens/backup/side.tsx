import { ButtonLink, bytesText, momentText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { BackupStatus } from './backup-status.js'
import { t } from './texts.js'

/** The schedule, what a backup does not have, and how to restore one. */
export function Side(props: { readonly status: BackupStatus }): JSX.Element {
  const schedule = (): BackupStatus['schedule'] => props.status.schedule
  const times = (): string => {
    const { cron, timezone, every_hours: hours } = schedule()
    if (cron !== null) return `${cron} (${timezone ?? ''})`
    return hours === null ? t('never') : t('every_hours', { count: hours })
  }
  const kept = (): string => {
    const { keep, keep_days: days } = schedule()
    return days === null ? t('keeps', { count: keep }) : t('keeps_days', { count: keep, days })
  }
  return (
    <div class="backup-side">
      <section>
        <h2 class="h3">{t('schedule')}</h2>
        <dl>
          <dt>{t('times')}</dt>
          <dd>{times()}</dd>
          <Show when={schedule().next_at}>
            {(next) => (
              <>
                <dt>{t('next')}</dt>
                <dd>{momentText(next())}</dd>
              </>
            )}
          </Show>
          <dt>{t('retention')}</dt>
          <dd>{kept()}</dd>
          <dt>{t('folder')}</dt>
          <dd>
            <bdi>{props.status.folder}</bdi>
          </dd>
          <Show when={props.status.free_bytes !== null}>
            <dt>{t('free')}</dt>
            <dd>{bytesText(props.status.free_bytes ?? 0)}</dd>
          </Show>
        </dl>
        <ButtonLink href="/admin/settings" size="small" icon="adjustments-horizontal">
          {t('set_up')}
        </ButtonLink>
      </section>
      <section>
        <h2 class="h3">{t('not_in')}</h2>
        <ul>
          <li>{t('not_in_secret')}</li>
          <li>{t('not_in_literals')}</li>
          <li>{t('not_in_caches')}</li>
        </ul>
      </section>
      <section>
        <h2 class="h3">{t('restore')}</h2>
        <ol>
          <li>{t('restore_1')}</li>
          <li>
            {t('restore_2')}
            <code>agent-service restore backup.tar</code>
          </li>
          <li>{t('restore_3')}</li>
        </ol>
      </section>
    </div>
  )
}
