import {
  Badge,
  Button,
  ButtonLink,
  confirmAction,
  createAction,
  currentProfile,
  Failure,
  Page,
  Skeleton,
  showToast,
  Tabs,
  textOf,
  type UserTab,
  usePageTitle,
  whileVisible,
} from '@agent-service/sdk/web'
import { createMemo, createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { api, createQuery } from '../../api/index.js'
import { panelPartsKey } from '../../app/panel-parts.js'
import { AccessTab } from './access-tab.js'
import { AccountTab } from './account-tab.js'
import { loadAddedTabs } from './added-tabs.js'
import { DataTab } from './data-tab.js'
import { t } from './texts.js'
import type { User } from './user.js'

/** Those of the account itself; features add theirs. */
const ownTabs = [
  { name: 'account', order: 10 },
  { name: 'access', order: 20 },
  { name: 'data', order: 90 },
] as const
const everyMs = 10_000

/** One account: who it is, how it is signed in to, what it uses, and what it has. */
export function UserPage(props: { readonly id: string }): JSX.Element {
  const loaded = createQuery({
    key: () => ['user', props.id],
    read: (signal) => api.get('/api/admin/users/{user_id}', { path: { user_id: props.id }, signal }),
  })
  const added = createQuery({ key: () => panelPartsKey('user'), read: loadAddedTabs })
  const tabs = createMemo(() =>
    [
      ...ownTabs.map(({ name, order }) => ({ id: name as string, order, label: t(`tab_${name}`) })),
      ...(added.value() ?? []).map(({ name, order, title }) => ({ id: name, order, label: textOf(title) })),
    ].sort((one, other) => one.order - other.order),
  )
  const [tab, setTab] = createSignal('account')
  const addedTab = (): UserTab | undefined => added.value()?.find(({ name }) => name === tab())
  /** Before, nothing is shown: a tab that came later would move the others. */
  const hasAllTabs = (): boolean => added.value() !== undefined || added.error() !== undefined
  const nameOf = ({ name, username }: User): string => name ?? username
  const isSelf = (): boolean => currentProfile()?.id === props.id
  whileVisible(everyMs, () => void loaded.reload())
  usePageTitle(() => {
    const user = loaded.value()
    return user ? nameOf(user) : t('user')
  })
  const switching = createAction(async (user: User) => {
    loaded.set(await api.patch('/api/admin/users/{user_id}', { path: { user_id: user.id }, body: { disabled: !user.disabled } }))
    showToast(t(user.disabled ? 'enabled_done' : 'disabled_done', { name: nameOf(user) }))
  })
  const toggle = async (user: User): Promise<void> => {
    const sure =
      user.disabled ||
      (await confirmAction({
        title: t('disable_question', { name: nameOf(user) }),
        text: t('disable_text'),
        action: t('disable'),
      }))
    if (sure) await switching.run(user)
  }
  return (
    <Page
      title={(() => {
        const user = loaded.value()
        return user ? nameOf(user) : t('user')
      })()}
      lead={
        <Show when={loaded.value()}>
          {(user) => (
            <span class="users-lead">
              <bdi>{user().username}</bdi>
              <Show when={user().role === 'admin'}>
                <Badge tone="accent">{t('role_admin')}</Badge>
              </Show>
              <Show when={user().disabled}>
                <Badge tone="warn" mark="pause">
                  {t('disabled')}
                </Badge>
              </Show>
              <Show when={isSelf()}>
                <Badge>{t('you')}</Badge>
              </Show>
            </span>
          )}
        </Show>
      }
      actions={
        <>
          <ButtonLink href="/admin/users" kind="quiet" icon="chevron-left">
            {t('title')}
          </ButtonLink>
          <Show when={loaded.value()}>
            {(user) => (
              <Button kind={user().disabled ? 'plain' : 'danger'} busy={switching.busy()} onClick={() => void toggle(user())}>
                {t(user().disabled ? 'enable' : 'disable')}
              </Button>
            )}
          </Show>
        </>
      }
    >
      <Show when={switching.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={loaded.error()}>{(error) => <Failure error={error()} onRetry={() => void loaded.reload()} />}</Show>
      <Show when={added.error()}>{(error) => <Failure error={error()} onRetry={() => void added.reload()} />}</Show>
      <Show when={hasAllTabs() && loaded.value()} fallback={<Show when={loaded.error() === undefined}>{<Skeleton lines={8} />}</Show>}>
        {(user) => (
          <Tabs label={t('sections')} tabs={tabs()} current={tab()} onSelect={setTab}>
            <div class="users-panel">
              <Switch>
                <Match when={tab() === 'account'}>
                  <AccountTab user={user()} onChanged={loaded.set} />
                </Match>
                <Match when={tab() === 'access'}>
                  <AccessTab user={user()} onChanged={loaded.set} />
                </Match>
                <Match when={tab() === 'data'}>
                  <DataTab user={user()} onChanged={loaded.set} />
                </Match>
                <Match when={addedTab()}>{(found) => <Dynamic component={found().View} userId={user().id} />}</Match>
              </Switch>
            </div>
          </Tabs>
        )}
      </Show>
    </Page>
  )
}
