import { createAction, Failure, isAdmin, Skeleton, Toggle } from '@agent-service/sdk/web'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { DeviceSettings } from './devices.js'
import { languageOf, localText } from './kind-titles.js'
import { MailServer } from './mail-server.js'
import { t } from './texts.js'

type Kind = Schemas['NotificationKind']
type Choice = { readonly [Place in 'app' | 'mail' | 'push']?: boolean }

/** Which kinds the person gets, and where. Takes effect at once. */
export function NotificationSettings(): JSX.Element {
  const preferences = createQuery({ key: () => ['preferences'], read: (signal) => api.get('/api/notifications/preferences', { signal }) })
  const choosing = createAction(
    async ({ kind }: Kind, choice: Choice) => {
      const before = preferences.value()
      // The switch stands where the person put it while the service stores that.
      if (before) preferences.set({ ...before, kinds: before.kinds.map((each) => (each.kind === kind ? { ...each, ...choice } : each)) })
      try {
        preferences.set(await api.patch('/api/notifications/preferences', { body: { kinds: { [kind]: choice } } }))
      } catch (error) {
        void preferences.reload()
        throw error
      }
    },
    { concurrent: true },
  )
  return (
    <>
      <DeviceSettings />
      <Switch>
        <Match when={preferences.value()}>
          {(value) => (
            <section class="notifications-part">
              <h2 class="h3">{t('kinds')}</h2>
              <MailNote mail={value().mail} />
              <Show when={choosing.failure()}>{(error) => <Failure error={error()} />}</Show>
              <ul class="rows">
                <For each={value().kinds.map(({ kind }) => kind)}>
                  {(id) => (
                    <Show when={value().kinds.find(({ kind }) => kind === id)}>
                      {(kind) => (
                        <KindRow kind={kind()} canMail={value().mail.available} onChoose={(choice) => void choosing.run(kind(), choice)} />
                      )}
                    </Show>
                  )}
                </For>
              </ul>
            </section>
          )}
        </Match>
        <Match when={preferences.error()}>{(error) => <Failure error={error()} onRetry={() => void preferences.reload()} />}</Match>
        <Match when={true}>
          <Skeleton lines={6} />
        </Match>
      </Switch>
      <Show when={isAdmin()}>
        <MailServer />
      </Show>
    </>
  )
}

function MailNote(props: { readonly mail: Schemas['NotificationMail'] }): JSX.Element {
  return (
    <p class="help notifications-note">
      <Show when={props.mail.reason} fallback={t('mail_address', { address: props.mail.address ?? '' })}>
        {(reason) => t(`mail_${reason()}`)}
      </Show>
      <Show when={props.mail.reason === 'no_address' || props.mail.reason === 'unconfirmed_address'}>
        {' '}
        <a href="/profile">{t(props.mail.reason === 'no_address' ? 'profile' : 'profile_confirm')}</a>
      </Show>
    </p>
  )
}

function KindRow(props: { readonly kind: Kind; readonly canMail: boolean; readonly onChoose: (choice: Choice) => void }): JSX.Element {
  const title = (): string => localText(props.kind.title)
  return (
    <li class="notifications-choice">
      <div lang={languageOf(props.kind.title)}>
        <p class="key">{title()}</p>
        <p class="help">{localText(props.kind.description)}</p>
      </div>
      <fieldset class="notifications-switches">
        <legend class="sr">{title()}</legend>
        <Toggle label={t('app')} value={props.kind.app} onInput={(app) => props.onChoose({ app })} />
        <Toggle label={t('mail')} value={props.kind.mail} disabled={!props.canMail} onInput={(mail) => props.onChoose({ mail })} />
        <Toggle label={t('push_by')} value={props.kind.push} onInput={(push) => props.onChoose({ push })} />
      </fieldset>
    </li>
  )
}
