import { agentName, ButtonLink, EmptyState, Icon, type NamedAgent } from '@agent-service/sdk/web'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { GrantDialog } from '../../../credentials/grant-dialog.js'
import type { Grant, Source } from '../../../credentials/source.js'
import { termText } from '../../../credentials/terms.js'
import { t as shared } from '../../../credentials/texts.js'
import type { Overview } from '../common/read-credentials.js'
import { t } from '../common/texts.js'
import { VaultBadge } from '../common/vault-badge.js'
import { ChangeGrant } from './change-grant.js'

type Opened = { readonly agent: NamedAgent } & ({ readonly source: Source } | { readonly grant: Grant })

/**
 * Which agent may use what: a row for each credential, a column for each agent. On phones a list of
 * agents for each credential.
 */
export function GrantMatrix(props: { readonly overview: Overview }): JSX.Element {
  const [opened, setOpened] = createSignal<Opened>()
  const close = (): void => void setOpened(undefined)
  const sources = createMemo(() => new Map(props.overview.sources.map((source) => [source.key, source])))
  const agents = createMemo(() => new Map(props.overview.agents.map((agent) => [agent.id, agent])))
  return (
    <Show
      when={props.overview.agents.length > 0}
      fallback={
        <EmptyState title={t('no_agents')} text={t('no_agents_text')}>
          <ButtonLink href="/agents">{shared('agent')}</ButtonLink>
        </EmptyState>
      }
    >
      <Show when={sources().size > 0} fallback={<EmptyState title={t('grants_empty')} text={t('grants_empty_text')} />}>
        <p class="credentials-note">{t('grants_lead')}</p>
        <div class="table-wrap credentials-matrix">
          <table class="tbl">
            <thead>
              <tr>
                <th scope="col">{t('title')}</th>
                <For each={[...agents().values()]}>
                  {(agent) => (
                    <th scope="col">
                      <bdi>{agentName(agent.name)}</bdi>
                    </th>
                  )}
                </For>
              </tr>
            </thead>
            <tbody>
              <For each={[...sources().keys()]}>
                {(key) => (
                  <Show when={sources().get(key)}>
                    {(source) => (
                      <tr>
                        <th scope="row">
                          <bdi>{source().title}</bdi>
                          <VaultBadge source={source()} />
                        </th>
                        <For each={[...agents().keys()]}>
                          {(id) => (
                            <Show when={agents().get(id)}>
                              {(agent) => (
                                <td>
                                  <span class="credentials-of">
                                    <bdi>{agentName(agent().name)}</bdi>
                                  </span>
                                  <Cell source={source()} agent={agent()} onOpen={setOpened} />
                                </td>
                              )}
                            </Show>
                          )}
                        </For>
                      </tr>
                    )}
                  </Show>
                )}
              </For>
            </tbody>
          </table>
        </div>
        <Show when={opened()} keyed>
          {(found) =>
            'grant' in found ? (
              <ChangeGrant grant={found.grant} agent={agentName(found.agent.name)} onClose={close} />
            ) : (
              <GrantDialog of={found.source} agents={props.overview.agents} agent={found.agent} onClose={close} />
            )
          }
        </Show>
      </Show>
    </Show>
  )
}

/** The grants of one agent, or the way to one. */
function Cell(props: { readonly source: Source; readonly agent: NamedAgent; readonly onOpen: (opened: Opened) => void }): JSX.Element {
  const grants = (): readonly Grant[] => props.source.grants.filter(({ agent_id }) => agent_id === props.agent.id)
  const names = () => ({ title: props.source.title, agent: agentName(props.agent.name) })
  return (
    <For
      each={grants()}
      fallback={
        <button
          type="button"
          class="btn s quiet ico"
          aria-label={t('grant_to', names())}
          title={t('grant_to', names())}
          disabled={props.source.vault === null}
          onClick={() => props.onOpen({ source: props.source, agent: props.agent })}
        >
          <Icon name="plus" />
        </button>
      }
    >
      {(grant) => (
        <button
          type="button"
          class="btn s"
          aria-label={t('grants_cell', { ...names(), term: termText(grant) })}
          onClick={() => props.onOpen({ grant, agent: props.agent })}
        >
          {termText(grant)}
        </button>
      )}
    </For>
  )
}
