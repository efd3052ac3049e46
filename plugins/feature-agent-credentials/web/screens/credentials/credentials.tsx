import './common/credentials.css'
import { currentPath, Failure, Page, Routes, route, Skeleton } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { AccessLog } from './access-log.js'
import { readOverview } from './common/read-credentials.js'
import { t } from './common/texts.js'
import { CredentialList } from './credential-list.js'
import { AddCredential } from './form/add-credential.js'
import { GrantMatrix } from './grants/grant-matrix.js'
import { WaitingRequests } from './waiting-requests.js'

/** What the person keeps for agents, which agent may use what, and what was done with it. */
export default function Credentials(): JSX.Element {
  const overview = createQuery({ key: () => ['overview'], read: readOverview })
  const tabs = () => [
    { href: '/credentials', label: t('tab_list') },
    { href: '/credentials/grants', label: t('tab_grants') },
    { href: '/credentials/log', label: t('tab_log') },
  ]
  return (
    <Page title={t('title')} lead={t('lead')} actions={<AddCredential />}>
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
      <Show when={overview.error()}>{(error) => <Failure error={error()} onRetry={() => void overview.reload()} />}</Show>
      <Show when={overview.value()} fallback={<Show when={!overview.error()}>{<Skeleton lines={6} />}</Show>}>
        {(found) => (
          <Routes
            of={[
              route('/credentials/grants', () => <GrantMatrix overview={found()} />),
              route('/credentials/log', () => <AccessLog overview={found()} />),
            ]}
            fallback={<CredentialList overview={found()} />}
          />
        )}
      </Show>
    </Page>
  )
}
