import {
  Badge,
  Button,
  confirmAction,
  createAction,
  Failure,
  momentText,
  PagedRows,
  Skeleton,
  showToast,
  whenText,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createPagedQuery, createQuery, type Schemas } from '../../api/index.js'
import { ChangeList } from './change-list.js'
import type { Agent } from './definition.js'
import { memberText, t } from './texts.js'

type Version = Schemas['ListedAgentVersion']

/** The history of the agent: what each version changed, and the way back to it. */
export function VersionsTab(props: {
  readonly agent: Agent
  /** Whether there are changes that are not saved; restoring would discard them. */
  readonly dirty: boolean
  readonly onRestored: (agent: Agent) => void
}): JSX.Element {
  const list = createPagedQuery<Version>({
    key: () => ['agent', props.agent.id, 'versions'],
    read: (cursor, signal) =>
      api.get('/api/agents/{agent_id}/versions', {
        path: { agent_id: props.agent.id },
        query: { limit: 50, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    idOf: (version) => String(version.number),
  })
  const restore = createAction(async (number: number) => {
    const yes =
      !props.dirty ||
      (await confirmAction({ title: t('restore_question', { number }), text: t('restore_text'), action: t('restore_version', { number }) }))
    if (!yes) return
    const path = { agent_id: props.agent.id, number }
    const headers = { 'if-match': `"${props.agent.version}"` }
    const agent = await api.post('/api/agents/{agent_id}/versions/{number}/restore', { path, headers })
    props.onRestored(agent)
    showToast(t('restored', { number, version: agent.version }))
  })
  return (
    <>
      <Show when={restore.failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('versions')} empty={<p class="help">{t('no_versions')}</p>}>
        {(version) => <VersionRow version={version} onRestore={() => void restore.run(version.number)} />}
      </PagedRows>
    </>
  )
}

function VersionRow(props: { readonly version: Version; readonly onRestore: () => void }): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const id = (): string => `agents-version-${props.version.number}`
  const what = (): string => {
    const { cause, changed, restored_from } = props.version
    if (cause === 'restored') return t('cause_restored', { number: restored_from ?? 0 })
    if (cause !== 'changed') return t(`cause_${cause}`)
    return changed.map(memberText).join(', ')
  }
  return (
    <div class="agents-version">
      <div class="item">
        <span class="grow">
          <b class="agents-number">{t('version', { number: props.version.number })}</b>
          <span class="sub">
            {what()}
            {props.version.by.kind === 'token' ? ` · ${t('by_token')}` : ''}
          </span>
        </span>
        <Show when={props.version.current}>
          <Badge tone="accent">{t('current')}</Badge>
        </Show>
        <span class="meta" title={momentText(props.version.created_at)}>
          {whenText(props.version.created_at)}
        </span>
        <Button
          size="small"
          kind="quiet"
          expanded={open()}
          controls={id()}
          label={t('changes_of', { number: props.version.number })}
          onClick={() => setOpen((now) => !now)}
        >
          {t('changes')}
        </Button>
        <Show when={!props.version.current}>
          <Button size="small" label={t('restore_version', { number: props.version.number })} onClick={() => props.onRestore()}>
            {t('restore')}
          </Button>
        </Show>
      </div>
      <div id={id()}>
        <Show when={open()}>
          <VersionChanges version={props.version} />
        </Show>
      </div>
    </div>
  )
}

function VersionChanges(props: { readonly version: Version }): JSX.Element {
  const path = () => ({ agent_id: props.version.agent_id, number: props.version.number })
  const diff = createQuery({
    key: () => ['agent', props.version.agent_id, 'changes', props.version.number],
    read: (signal) => api.get('/api/agents/{agent_id}/versions/{number}/diff', { path: path(), signal }),
    // A version stays as it was made.
    follow: false,
  })
  return (
    <Switch fallback={<Skeleton lines={3} />}>
      <Match when={diff.error()}>{(error) => <Failure error={error()} onRetry={() => void diff.reload()} />}</Match>
      <Match when={diff.value()?.changes.length === 0}>
        <p class="help">{t('same')}</p>
      </Match>
      <Match when={diff.value()}>
        {(found) => <ChangeList label={t('changes_of', { number: props.version.number })} changes={found().changes} />}
      </Match>
    </Switch>
  )
}
