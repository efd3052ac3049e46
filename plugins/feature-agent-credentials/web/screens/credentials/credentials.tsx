import './common/credentials.css'
import { createLoaded, currentPath, Failure, Page, Skeleton } from '@agent-service/sdk/web'
import { For, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { onEvent } from '../../api/index.js'
import { AccessLog } from './access-log.js'
import { readOverview } from './common/read-credentials.js'
import { t } from './common/texts.js'
import { CredentialList } from './credential-list.js'
import { AddCredential } from './form/add-credential.js'
import { GrantMatrix } from './grants/grant-matrix.js'
import { WaitingRequests } from './waiting-requests.js'

/** What the person keeps for agents, which agent may use what, and what was done with it. */
export default function Credentials(): JSX.Element {
  const overview = createLoaded(readOverview)
  const reload = (): void => void overview.reload()
  for (const name of ['credential.updated', 'vault.updated', 'agent.deleted', 'reset'] as const) onCleanup(onEvent(name, reload))
  const tabs = () => [
    { href: '/credentials', label: t('tab_list') },
    { href: '/credentials/grants', label: t('tab_grants') },
    { href: '/credentials/log', label: t('tab_log') },
  ]
  return (
    <Page title={t('title')} lead={t('lead')} actions={<AddCredential onAdded={reload} />}>
      <WaitingRequests agents={overview.value()?.agents ?? []} />
      <nav class="tabs credentials-tabs" aria-label={t('title')}>
        <For each={tabs()}>
          {(tab) => (
            <a href={tab.href} aria-current={currentPath() === tab.href ? 'page' : undefined}>
              {tab.label}
            </a>
          )}
        </For>
      </nav>
      <Show when={overview.error()}>{(error) => <Failure error={error()} onRetry={reload} />}</Show>
      <Show when={overview.value()} fallback={<Show when={!overview.error()}>{<Skeleton lines={6} />}</Show>}>
        {(found) => (
          <Switch fallback={<CredentialList overview={found()} onChanged={reload} />}>
            <Match when={currentPath() === '/credentials/grants'}>
              <GrantMatrix overview={found()} onChanged={reload} />
            </Match>
            <Match when={currentPath() === '/credentials/log'}>
              <AccessLog overview={found()} />
            </Match>
          </Switch>
        )}
      </Show>
    </Page>
  )
}
