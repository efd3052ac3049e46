import { Button, CopyButton, createAction, Mark, timeText } from '@agent-service/sdk/web'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import { createEffect, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import type { Entry, FollowedLog, Line } from './follow-log.js'
import { t } from './texts.js'

/** The lines, oldest first. It follows the end until the person scrolls up. */
export function LineList(props: { readonly log: FollowedLog }): JSX.Element {
  const [following, setFollowing] = createSignal(true)
  let box: HTMLElement | undefined
  const toEnd = (): void => {
    if (box) box.scrollTop = box.scrollHeight
  }
  createEffect(() => {
    if (props.log.lines().length >= 0 && following()) queueMicrotask(toEnd)
  })
  /** Lines that become rows may be higher than they were taken for. */
  const followHeight = (lines: Element): void => {
    const observer = new ResizeObserver(() => following() && toEnd())
    observer.observe(lines)
    onCleanup(() => observer.disconnect())
  }
  const older = createAction(async () => {
    const before = box ? box.scrollHeight - box.scrollTop : 0
    await props.log.older()
    if (box) box.scrollTop = box.scrollHeight - before
  })
  return (
    <div class="logs-frame">
      <section
        class="logs-box foreign"
        tabindex="0"
        aria-label={t('title')}
        ref={(element) => {
          box = element
        }}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < 24)
        }
      >
        <div class="logs-start">
          <Show when={props.log.hasOlder()} fallback={<span class="meta">{t('start')}</span>}>
            <Button size="small" kind="quiet" busy={older.busy()} onClick={() => void older.run()}>
              {t('older')}
            </Button>
          </Show>
        </div>
        <div ref={followHeight}>
          <VirtualRows items={props.log.lines()} label={t('title')} text={textOf} rowHeight={24} class="logs-rows" fromEnd>
            {(line) =>
              line.kind === 'entry' ? <EntryLine entry={line.entry} /> : <p class="logs-gap">{t('gap', { count: line.missed })}</p>
            }
          </VirtualRows>
        </div>
      </section>
      <Show when={!following()}>
        <div class="logs-follow">
          <Button
            size="small"
            icon="chevron-down"
            onClick={() => {
              setFollowing(true)
              toEnd()
            }}
          >
            {t('follow')}
          </Button>
        </div>
      </Show>
    </div>
  )
}

/** What is found of a line while it is far from what is seen. */
const textOf = (line: Line): string =>
  line.kind === 'entry'
    ? [lineTime(line.entry.at), line.entry.level, line.entry.source, line.entry.message, summaryOf(line.entry.fields)].join(' ')
    : t('gap', { count: line.missed })

const marks = { warn: 'warn', error: 'fail' } as const

function EntryLine(props: { readonly entry: Entry }): JSX.Element {
  const hasFields = (): boolean => Object.keys(props.entry.fields).length > 0
  const summary = () => (
    <>
      <span class="logs-time num" title={props.entry.at}>
        {lineTime(props.entry.at)}
      </span>
      <span class="logs-level">
        <Show
          when={props.entry.level === 'warn' || props.entry.level === 'error'}
          fallback={<span class="meta">{t(props.entry.level)}</span>}
        >
          <Mark name={marks[props.entry.level as 'warn' | 'error']} />
          {t(props.entry.level)}
        </Show>
      </span>
      <span class="logs-source t2">
        <bdi>{props.entry.source}</bdi>
      </span>
      <span class="logs-message">
        <bdi>{props.entry.message}</bdi>
        <span class="logs-more">{summaryOf(props.entry.fields)}</span>
      </span>
    </>
  )
  return (
    <Show when={hasFields()} fallback={<div class="logs-line">{summary()}</div>}>
      <details>
        <summary class="logs-line">{summary()}</summary>
        <div class="logs-fields">
          <CopyButton text={() => JSON.stringify(props.entry, null, 2)} />
          <pre translate="no">{fieldsText(props.entry.fields)}</pre>
        </div>
      </details>
    </Show>
  )
}

const lineTime = (at: string): string => timeText(at, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 })

/** Short members in a row: what an operation was, and how it went. */
const summaryOf = (fields: Entry['fields']): string =>
  Object.entries(fields)
    .filter(([name, value]) => !name.endsWith('_id') && name !== 'address' && isShort(value))
    .slice(0, 4)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('  ')

const isShort = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 60 && !value.includes('\n'))

/** One member on a line; texts with line breaks, such as stacks, as they are. */
const fieldsText = (fields: Entry['fields']): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2).replaceAll('\\n', '\n')}`)
    .join('\n')
