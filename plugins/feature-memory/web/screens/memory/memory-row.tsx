import { Badge, Failure, MenuButton, momentText, whenText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { createMemoryActions } from './memory-actions.js'
import { fadeText, hrefOf, type Memory, type Names } from './read-memory.js'
import { sourceHref } from './sources.js'
import { t } from './texts.js'

/** The most characters of a name for assistive technology. */
const maxNameLength = 60

export const nameOf = ({ title, text }: Pick<Memory, 'title' | 'text'>): string => {
  const words = (title ?? text).replaceAll(/\s+/g, ' ').trim()
  return words.length > maxNameLength ? `${words.slice(0, maxNameLength)}…` : words
}

/** One memory in a list. Its text is shown as it is: nothing in it is a link or a picture. */
export function MemoryRow(props: {
  readonly memory: Memory
  readonly names: Names
  readonly onChanged: (memory: Memory) => void
  readonly onForgotten: () => void
}): JSX.Element {
  const actions = createMemoryActions(() => props.memory, {
    changed: (memory) => props.onChanged(memory),
    forgotten: () => props.onForgotten(),
  })
  return (
    <div class="memory-row">
      <div class="memory-words">
        <Show when={props.memory.title}>
          {(title) => (
            <a class="key" href={hrefOf(props.memory.id)}>
              <bdi>{title()}</bdi>
            </a>
          )}
        </Show>
        <p class="memory-text memory-short foreign" classList={{ over: props.memory.valid_to !== null }}>
          {props.memory.text}
        </p>
        <Show when={props.memory.when_to_use}>
          {(use) => (
            <p class="memory-facts">
              <span>
                <bdi>{t('use_when', { when: use() })}</bdi>
              </span>
            </p>
          )}
        </Show>
        <p class="memory-facts">
          <Show when={props.memory.pinned}>
            <Badge tone="line" icon="star">
              {t('pinned')}
            </Badge>
          </Show>
          <span>
            <bdi>{props.names.scope(props.memory.scope)}</bdi>
          </span>
          <Show when={props.memory.valid_from}>{(at) => <Moment text="since" at={at()} />}</Show>
          <Show when={props.memory.valid_to}>{(at) => <Moment text="until" at={at()} />}</Show>
          <Moment text="changed" at={props.memory.updated_at} />
          <Show when={fadeText(props.memory)}>{(text) => <span title={momentText(props.memory.fades_at ?? '')}>{text()}</span>}</Show>
          <Show when={props.memory.evidence[0]}>
            {(source) => (
              <a href={sourceHref(source())}>
                <bdi>{t('source', { title: props.names.chat(source().chat_id) })}</bdi>
              </a>
            )}
          </Show>
          <Show when={props.memory.evidence.length > 1}>
            <span>{t('more_sources', { count: props.memory.evidence.length - 1 })}</span>
          </Show>
          <a href={hrefOf(props.memory.id)} aria-label={`${t('details')}: ${nameOf(props.memory)}`}>
            {t('details')}
          </a>
        </p>
        <Show when={actions.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <MenuButton name={t('actions_of', { name: nameOf(props.memory) })} size="small" items={actions.items()} />
      {actions.dialog()}
    </div>
  )
}

function Moment(props: { readonly text: 'since' | 'until' | 'changed'; readonly at: string }): JSX.Element {
  return (
    <time dateTime={props.at} title={momentText(props.at)}>
      {t(props.text, { when: whenText(props.at) })}
    </time>
  )
}
