import { Button, ButtonLink, createAction, Failure, isProblem, Skeleton, StateBadge, showToast, whenText } from '@agent-service/sdk/web'
import { type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import { t } from './texts.js'

/** For administrators: whether e-mail can be sent, and a test. */
export function MailServer(): JSX.Element {
  const state = createQuery({ key: () => ['mail'], read: (signal) => api.get('/api/admin/mail', { signal }) })
  const test = createAction(async () => {
    try {
      const { to } = await api.post('/api/admin/mail/test', {})
      showToast(t('test_sent', { to }))
    } finally {
      void state.reload()
    }
  })
  const isAbsent = (): boolean => isProblem(state.error(), 'not_found')
  return (
    <Show when={!isAbsent()}>
      <section class="notifications-part">
        <h2 class="h3">{t('server')}</h2>
        <Switch>
          <Match when={state.value()}>
            {(value) => (
              <>
                <p class="notifications-note">
                  <Show when={value().available} fallback={t('server_none')}>
                    <bdi>{t('server_from', { from: value().from ?? '', host: value().host ?? '' })}</bdi>
                  </Show>
                </p>
                <Show when={value().paused}>
                  {(paused) => (
                    <p class="notifications-note">
                      <StateBadge mark="warn">{t('server_paused', { until: whenText(paused().until) })}</StateBadge>
                      <span class="help notifications-reason" lang="en">
                        {paused().reason}
                      </span>
                    </p>
                  )}
                </Show>
                <Show when={value().available && value().unreachable_admins.length > 0}>
                  <p class="notifications-note">
                    <StateBadge mark="warn">{t('server_unreachable', { names: value().unreachable_admins.join(', ') })}</StateBadge>
                  </p>
                </Show>
                <Show when={test.failure()}>{(error) => <Failure error={error()} />}</Show>
                <div class="row">
                  <Button icon="mail" busy={test.busy()} disabled={!value().available} onClick={() => void test.run()}>
                    {t('test')}
                  </Button>
                  <ButtonLink href="/admin/settings?section=mail">{t('settings_mail')}</ButtonLink>
                </div>
              </>
            )}
          </Match>
          <Match when={state.error()}>{(error) => <Failure error={error()} onRetry={() => void state.reload()} />}</Match>
          <Match when={true}>
            <Skeleton lines={2} />
          </Match>
        </Switch>
      </section>
    </Show>
  )
}
