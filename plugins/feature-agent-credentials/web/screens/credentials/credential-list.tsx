import { ButtonLink, EmptyState, KeyedRows } from '@agent-service/sdk/web'
import { createMemo, createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { GrantDialog } from '../../credentials/grant-dialog.js'
import type { Source } from '../../credentials/source.js'
import type { Overview } from './common/read-credentials.js'
import { t } from './common/texts.js'
import { CredentialRow } from './credential-row.js'
import { EditCredential } from './form/edit-credential.js'
import { ReplaceValues } from './form/replace-values.js'

type Opened = { readonly what: 'grant' | 'replace' | 'edit'; readonly source: Source }

/** What is kept here, then what is granted from vaults. */
export function CredentialList(props: { readonly overview: Overview }): JSX.Element {
  const [opened, setOpened] = createSignal<Opened>()
  const close = (): void => void setOpened(undefined)
  const sources = createMemo(() => new Map(props.overview.sources.map((source) => [source.key, source])))
  return (
    <>
      <Show
        when={sources().size > 0}
        fallback={
          <EmptyState title={t('empty')} text={t('empty_text')}>
            <ButtonLink href="/vaults" icon="lock">
              {t('to_vaults')}
            </ButtonLink>
          </EmptyState>
        }
      >
        <KeyedRows items={sources()} label={t('title')}>
          {(source) => (
            <CredentialRow source={source()} agents={props.overview.agents} onOpen={(what) => setOpened({ what, source: source() })} />
          )}
        </KeyedRows>
      </Show>
      <WhatAgentsSee />
      <Show when={opened()} keyed>
        {({ what, source }) => (
          <Switch>
            <Match when={what === 'grant'}>
              <GrantDialog of={source} agents={props.overview.agents} onClose={close} />
            </Match>
            <Match when={what === 'replace' && source.credential} keyed>
              {(credential) => <ReplaceValues credential={credential} onClose={close} />}
            </Match>
            <Match when={what === 'edit' && source.credential} keyed>
              {(credential) => <EditCredential credential={credential} onClose={close} />}
            </Match>
          </Switch>
        )}
      </Show>
    </>
  )
}

/** What a model learns of a credential, what it never does, and what its programs can do. */
function WhatAgentsSee(): JSX.Element {
  return (
    <section class="credentials-help" aria-labelledby="credentials-help">
      <h2 class="h3" id="credentials-help">
        {t('help_title')}
      </h2>
      <ul>
        <For each={['help_sees', 'help_never', 'help_program'] as const}>{(key) => <li>{t(key)}</li>}</For>
      </ul>
    </section>
  )
}
