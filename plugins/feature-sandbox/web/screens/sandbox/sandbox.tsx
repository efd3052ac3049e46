import './sandbox.css'
import { currentPath, isAdmin, Page, type ScreenProps } from '@agent-service/sdk/web'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { SandboxBanner } from '../../sandbox/sandbox-banner.js'
import { AgentAccess } from './agent-access.js'
import { AllProcesses } from './all-processes.js'
import { Confinement } from './confinement.js'
import { OpenTerminal } from './open-terminal.js'
import { ProcessList } from './process-list.js'
import { ProcessPage } from './process-page.js'
import { t } from './texts.js'

/** What agents run, what confines it, and what each agent may do. */
export default function Sandbox(props: ScreenProps): JSX.Element {
  return (
    <Show when={props.params['processId']} keyed fallback={<Overview agentId={props.params['agentId']} />}>
      {(id) => <ProcessPage id={id} />}
    </Show>
  )
}

function Overview(props: { readonly agentId: string | undefined }): JSX.Element {
  const tabs = () => [
    { href: '/sandbox', label: t('processes') },
    { href: '/sandbox/machine', label: t('confinement') },
    { href: '/sandbox/agents', label: t('agents') },
    ...(isAdmin() ? [{ href: '/sandbox/users', label: t('all_users') }] : []),
  ]
  const current = (): string => `/${currentPath().split('/').slice(1, 3).join('/')}`
  return (
    <Page title={t('title')} lead={t('lead')} actions={<OpenTerminal />}>
      <SandboxBanner />
      <nav class="tabs sandbox-tabs" aria-label={t('title')}>
        <For each={tabs()}>
          {(tab) => (
            <a href={tab.href} aria-current={current() === tab.href ? 'page' : undefined}>
              {tab.label}
            </a>
          )}
        </For>
      </nav>
      <Switch fallback={<ProcessList />}>
        <Match when={current() === '/sandbox/machine'}>
          <Confinement />
        </Match>
        <Match when={current() === '/sandbox/agents'}>
          <AgentAccess agentId={props.agentId} />
        </Match>
        <Match when={current() === '/sandbox/users' && isAdmin()}>
          <AllProcesses />
        </Match>
      </Switch>
    </Page>
  )
}
