import {
  Button,
  ButtonLink,
  EmptyState,
  Failure,
  isProblem,
  MenuButton,
  momentText,
  navigate,
  Page,
  PagedRows,
  Skeleton,
  usePageTitle,
} from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createPagedQuery, createQuery } from '../../api/index.js'
import { DayField } from './known.js'
import { createMemoryActions } from './memory-actions.js'
import { MemoryRow } from './memory-row.js'
import { createStatus, endOfDay, fadeText, type Memory, type Names } from './read-memory.js'
import { sourceHref } from './sources.js'
import { t } from './texts.js'

/** One memory with everything that is known about it; a page with its statements. */
export function MemoryPage(props: { readonly id: string; readonly names: Names }): JSX.Element {
  const memory = createQuery({
    key: () => ['memory', props.id],
    read: (signal) => api.get('/api/memory/{memory_id}', { path: { memory_id: props.id }, signal }),
  })
  const isGone = (): boolean => isProblem(memory.error(), 'not_found')
  usePageTitle(() => memory.value()?.title ?? t('memory'))
  const back = (): JSX.Element => <ButtonLink href="/memory">{t('back')}</ButtonLink>
  return (
    <Switch
      fallback={
        <Page title={t('memory')}>
          <Skeleton lines={6} />
        </Page>
      }
    >
      <Match when={isGone()}>
        <Page title={t('memory')}>
          <EmptyState title={t('not_found')} text={t('not_found_text')}>
            {back()}
          </EmptyState>
        </Page>
      </Match>
      <Match when={memory.value()}>
        {(found) => (
          <>
            <Show when={memory.error()}>{(error) => <Failure error={error()} onRetry={() => void memory.reload()} />}</Show>
            <Shown memory={found()} names={props.names} onChanged={memory.set} />
          </>
        )}
      </Match>
      <Match when={memory.error()}>
        <Page title={t('memory')}>
          <Failure error={memory.error()} onRetry={() => void memory.reload()} />
        </Page>
      </Match>
    </Switch>
  )
}

function Shown(props: { readonly memory: Memory; readonly names: Names; readonly onChanged: (memory: Memory) => void }): JSX.Element {
  const actions = createMemoryActions(() => props.memory, {
    changed: (memory) => props.onChanged(memory),
    forgotten: () => void navigate('/memory', { replace: true }),
  })
  return (
    <Page
      title={props.memory.title ?? t('memory')}
      lead={t(`kind_${props.memory.kind}`)}
      actions={
        <>
          <ButtonLink href="/memory">{t('back')}</ButtonLink>
          <Button icon="pencil" onClick={actions.correct}>
            {t('correct')}
          </Button>
          <MenuButton name={t('actions_of', { name: props.memory.title ?? t('memory') })} items={actions.items().slice(1)} />
        </>
      }
    >
      <Show when={actions.failure()}>{(error) => <Failure error={error()} />}</Show>
      <p class="memory-text memory-whole foreign">{props.memory.text}</p>
      <Facts memory={props.memory} names={props.names} />
      <Show when={props.memory.kind === 'summary'}>
        <Statements pageId={props.memory.id} names={props.names} />
      </Show>
      {actions.dialog()}
    </Page>
  )
}

function Facts(props: { readonly memory: Memory; readonly names: Names }): JSX.Element {
  const fades = (): string => (props.memory.pinned ? t('pinned_help') : (fadeText(props.memory) ?? t('fades_never')))
  const rows = (): readonly (readonly [string, string])[] => {
    const { scope, created_at, updated_at, valid_from, valid_to, when_to_use } = props.memory
    return [
      ...(when_to_use === null ? [] : [[t('when_to_use'), when_to_use] as const]),
      [t('scope'), props.names.scope(scope)],
      ...(valid_from === null && valid_to === null ? [] : [[t('valid'), validText(valid_from, valid_to)] as const]),
      [t('fades_at'), fades()],
      [t('created_at'), momentText(created_at)],
      [t('changed_at'), momentText(updated_at)],
    ]
  }
  return (
    <dl class="memory-details">
      <For each={rows()}>
        {([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </>
        )}
      </For>
      <dt>{t('evidence')}</dt>
      <dd>
        <Show when={props.memory.evidence.length > 0} fallback={originText(props.memory)}>
          <ul>
            <For each={props.memory.evidence}>
              {(source) => (
                <li>
                  <a href={sourceHref(source)}>
                    <bdi>{props.names.chat(source.chat_id)}</bdi>
                  </a>
                </li>
              )}
            </For>
          </ul>
        </Show>
      </dd>
    </dl>
  )
}

/** Where a memory comes from that names no chat. */
function originText({ kind, origin }: Memory): string {
  if (kind === 'summary') return t('from_statements')
  return t(origin === 'tool' ? 'from_agent' : 'from_person')
}

const validText = (from: string | null, to: string | null): string =>
  [...(from === null ? [] : [t('since', { when: momentText(from) })]), ...(to === null ? [] : [t('until', { when: momentText(to) })])].join(
    ', ',
  )

/** The statements of a page, now or as they were on a day. */
function Statements(props: { readonly pageId: string; readonly names: Names }): JSX.Element {
  const status = createStatus()
  const [day, setDay] = createSignal('')
  const list = createPagedQuery<Memory>({
    key: () => ['memories', { page_id: props.pageId, day: day() }],
    read: (cursor, signal) => {
      const asOf = endOfDay(day())
      return api.get('/api/memory', {
        query: {
          ...{ kind: ['statement'], page_id: props.pageId, limit: 50 },
          ...(asOf !== undefined && { as_of: asOf }),
          ...(cursor !== undefined && { cursor }),
        },
        signal,
      })
    },
    idOf: ({ id }) => id,
  })
  return (
    <section class="memory-part" aria-labelledby="memory-statements">
      <div class="memory-head">
        <h2 class="h3" id="memory-statements">
          {t('statements')}
        </h2>
        <Show when={status.value()?.supports.history}>
          <DayField value={day()} onInput={setDay} />
        </Show>
      </div>
      <PagedRows list={list} label={t('statements')} empty={<EmptyState title={t('statements_empty')} text={t('statements_empty_text')} />}>
        {(memory) => <MemoryRow memory={memory} names={props.names} onChanged={list.put} onForgotten={() => list.remove(memory.id)} />}
      </PagedRows>
    </section>
  )
}
