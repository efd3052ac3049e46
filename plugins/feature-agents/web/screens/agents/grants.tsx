import {
  Button,
  createAction,
  ErrorWords,
  Failure,
  Mark,
  momentText,
  readAll,
  showToast,
  visibleLine,
  whenText,
} from '@agent-service/sdk/web'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

type Grant = Schemas['Grant']

/** What the person allowed from now on, tool by tool, in the words that they read; each can be withdrawn at once. */
export function Grants(props: { readonly agentId: string }): JSX.Element {
  const grants = createQuery({
    key: () => ['agent', props.agentId, 'grants'],
    read: (signal) => allGrants(props.agentId, signal),
  })
  const tools = createMemo(() => [...new Set((grants.value() ?? []).map(({ tool }) => tool))])
  const grantsOf = (tool: string): readonly Grant[] => (grants.value() ?? []).filter((grant) => grant.tool === tool)
  /** Revokes one grant, or all of the tool. */
  const revoke = async (tool: string, grant?: Grant): Promise<void> => {
    const path = { agent_id: props.agentId, tool }
    await api.delete('/api/agents/{agent_id}/grants/{tool}', { path, query: grant === undefined ? {} : { scope: grant.scope } })
    grants.set((grants.value() ?? []).filter((each) => each.tool !== tool || (grant !== undefined && each.scope !== grant.scope)))
    showToast(grant === undefined ? t('grants_revoked', { tool }) : t('grant_revoked', { label: visibleLine(grant.label) }))
  }
  const revoking = createAction(revoke, { concurrent: true })
  return (
    <section aria-label={t('grants')}>
      <h2 class="h3 agents-head">{t('grants')}</h2>
      <Switch>
        <Match when={grants.value()?.length === 0}>
          <p class="help">{t('no_grants')}</p>
        </Match>
        <Match when={grants.value()}>
          <For each={tools()}>
            {(tool) => (
              <section aria-label={tool}>
                <div class="row agents-grants-of">
                  <span class="grow">
                    <code>{tool}</code>
                  </span>
                  <Show when={grantsOf(tool).length > 1}>
                    <Button size="small" kind="danger" label={t('revoke_all_of', { tool })} onClick={() => void revoking.run(tool)}>
                      {t('revoke_all')}
                    </Button>
                  </Show>
                </div>
                <VirtualRows items={grantsOf(tool)} label={tool} text={({ label }) => visibleLine(label)} rowClass="item">
                  {(grant) => <GrantRow grant={grant} onRevoke={() => void revoking.run(tool, grant)} />}
                </VirtualRows>
              </section>
            )}
          </For>
        </Match>
        <Match when={grants.error()}>{(error) => <Failure error={error()} onRetry={() => void grants.reload()} />}</Match>
      </Switch>
      <Show when={revoking.failure()}>
        {(error) => (
          <p class="help err" role="alert">
            <Mark name="fail" />
            <ErrorWords error={error()} />
          </p>
        )}
      </Show>
    </section>
  )
}

function GrantRow(props: { readonly grant: Grant; readonly onRevoke: () => void }): JSX.Element {
  const label = (): string => visibleLine(props.grant.label)
  return (
    <>
      <span class="grow agents-words">
        <bdi>{label()}</bdi>
        <Show when={!props.grant.applies}>
          <span class="sub agents-reason">
            <Mark name="warn" />
            {t('grant_without_effect')}
          </span>
        </Show>
      </span>
      <span class="meta" title={momentText(props.grant.granted_at)}>
        {whenText(props.grant.granted_at)}
      </span>
      <Button size="small" kind="danger" label={t('revoke_grant', { tool: props.grant.tool, label: label() })} onClick={props.onRevoke}>
        {t('revoke')}
      </Button>
    </>
  )
}

const allGrants = (agentId: string, signal: AbortSignal): Promise<readonly Grant[]> =>
  readAll((cursor) =>
    api.get('/api/agents/{agent_id}/grants', {
      path: { agent_id: agentId },
      query: { limit: 200, ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  )
