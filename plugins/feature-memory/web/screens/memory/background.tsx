import {
  Button,
  confirmAction,
  createAction,
  EmptyState,
  Failure,
  type MarkName,
  momentText,
  PagedRows,
  StateMark,
  showToast,
  untilText,
  whenText,
  whileVisible,
} from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import type { Names, Status } from './read-memory.js'
import { t } from './texts.js'

type Pass = Schemas['MemoryPass']
type Revision = Schemas['MemoryRevision']

/** Passes go on by themselves, and no event reports it. Who reads further down does not have all of them read as often. */
const everyMs = 10_000
const pageSize = 20

/** What happens with memories while people are not looking: only what the back end has. */
export function Background(props: { readonly status: Status | undefined; readonly names: Names }): JSX.Element {
  return (
    <Show when={props.status}>
      {(status) => (
        <>
          <LastSweep status={status()} />
          <Show when={status().supports.passes}>
            <Passes names={props.names} />
          </Show>
          <Show when={status().supports.revisions}>
            <Revisions names={props.names} />
          </Show>
        </>
      )}
    </Show>
  )
}

function LastSweep(props: { readonly status: Status }): JSX.Element {
  const words = (): readonly [MarkName, string] => {
    const sweep = props.status.last_sweep
    if (sweep === null) return ['off', t('last_sweep_none')]
    if (sweep.failed) return ['fail', t('last_sweep_failed', { when: whenText(sweep.finished_at ?? sweep.started_at) })]
    if (sweep.finished_at === null) return ['run', t('last_sweep_running', { when: whenText(sweep.started_at) })]
    return ['done', t('last_sweep', { when: whenText(sweep.finished_at) })]
  }
  return (
    <p class="memory-sweep">
      <StateMark mark={words()[0]}>{words()[1]}</StateMark>
    </p>
  )
}

const marks: Readonly<Record<Pass['state'], MarkName>> = {
  running: 'run',
  waiting: 'pause',
  done: 'done',
  abandoned: 'fail',
  failed: 'fail',
}

function Passes(props: { readonly names: Names }): JSX.Element {
  const list = createPagedQuery<Pass>({
    key: () => ['passes'],
    read: (cursor, signal) =>
      api.get('/api/memory/passes', { query: { limit: pageSize, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: ({ id }) => id,
  })
  whileVisible(everyMs, () => list.items().length <= pageSize && void list.reload())
  return (
    <section class="memory-part" aria-labelledby="memory-passes">
      <h2 class="h3" id="memory-passes">
        {t('passes')}
      </h2>
      <PagedRows list={list} label={t('passes')} empty={<EmptyState title={t('passes_empty')} text={t('passes_empty_text')} />}>
        {(pass) => <PassRow pass={pass} title={props.names.chat(pass.chat_id)} />}
      </PagedRows>
    </section>
  )
}

function PassRow(props: { readonly pass: Pass; readonly title: string }): JSX.Element {
  const retry = createAction(async () => {
    await api.post('/api/memory/passes/{pass_id}/retry', { path: { pass_id: props.pass.id } })
    showToast(t('retried'))
  })
  const ended = (): boolean => props.pass.state === 'abandoned' || props.pass.state === 'failed'
  return (
    <div class="memory-row">
      <div class="memory-words">
        <a class="key" href={`/chats/${encodeURIComponent(props.pass.chat_id)}`}>
          <bdi>{props.title}</bdi>
        </a>
        <p class="memory-facts">
          <StateMark mark={marks[props.pass.state]}>{t(`state_${props.pass.state}`)}</StateMark>
          <span>
            <bdi>{t('stage', { stage: props.pass.stage })}</bdi>
          </span>
          <span>{t('attempt', { count: props.pass.attempt })}</span>
          <Show when={props.pass.next_attempt_at}>
            {(at) => <span title={momentText(at())}>{t('next_attempt', { when: untilText(at()) })}</span>}
          </Show>
          <span title={momentText(props.pass.started_at)}>{t('started', { when: whenText(props.pass.started_at) })}</span>
          <Show when={props.pass.finished_at}>
            {(at) => <span title={momentText(at())}>{t('finished', { when: whenText(at()) })}</span>}
          </Show>
        </p>
        <Show when={props.pass.error}>
          <p class="memory-error" lang="en">
            {props.pass.error}
          </p>
        </Show>
        <Show when={retry.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <Show when={ended()}>
        <Button
          size="small"
          icon="refresh"
          busy={retry.busy()}
          label={t('retry_of', { title: props.title })}
          onClick={() => void retry.run()}
        >
          {t('retry')}
        </Button>
      </Show>
    </div>
  )
}

function Revisions(props: { readonly names: Names }): JSX.Element {
  const list = createPagedQuery<Revision>({
    key: () => ['revisions'],
    // There is one page.
    read: async (_, signal) => ({ items: (await api.get('/api/memory/revisions', { signal })).items, next_cursor: null }),
    idOf: ({ id }) => id,
  })
  whileVisible(6 * everyMs, () => void list.reload())
  return (
    <section class="memory-part" aria-labelledby="memory-revisions">
      <h2 class="h3" id="memory-revisions">
        {t('revisions')}
      </h2>
      <PagedRows list={list} label={t('revisions')} empty={<EmptyState title={t('revisions_empty')} text={t('revisions_empty_text')} />}>
        {(revision) => <RevisionRow revision={revision} scope={props.names.scope(revision.scope)} />}
      </PagedRows>
    </section>
  )
}

function RevisionRow(props: { readonly revision: Revision; readonly scope: string }): JSX.Element {
  const when = (): string => whenText(props.revision.replaced_at)
  const restore = createAction(async (id: string) => {
    await api.post('/api/memory/revisions/{revision_id}/restore', { path: { revision_id: id } })
    showToast(t('restored'))
  })
  const ask = async (): Promise<void> => {
    const { id } = props.revision
    const question = { title: t('bring_back_title'), text: t('bring_back_text'), action: t('bring_back'), danger: false }
    if (await confirmAction(question)) await restore.run(id)
  }
  return (
    <div class="memory-row">
      <div class="memory-words">
        <p class="memory-text memory-short foreign">{props.revision.text}</p>
        <p class="memory-facts">
          <span>
            <bdi>{props.scope}</bdi>
          </span>
          <span title={momentText(props.revision.replaced_at)}>{t('replaced', { when: when() })}</span>
          <span title={momentText(props.revision.expires_at)}>{t('until_bring_back', { when: whenText(props.revision.expires_at) })}</span>
        </p>
        <Show when={restore.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <Button
        size="small"
        icon="arrow-back-up"
        busy={restore.busy()}
        label={t('bring_back_of', { when: when() })}
        onClick={() => void ask()}
      >
        {t('bring_back')}
      </Button>
    </div>
  )
}
