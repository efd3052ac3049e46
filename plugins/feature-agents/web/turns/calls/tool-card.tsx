import {
  type CallStage,
  CallWords,
  callPieces,
  callText,
  durationText,
  Icon,
  type MarkName,
  toolIcon,
  visibleJson,
  visibleLine,
  visibleLines,
} from '@agent-service/sdk/web'
import { createMemo, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import type { CallState } from '../../live-chat/chat-state.js'
import { knownTool } from '../../live-chat/known-tools.js'
import { AttachedFiles } from '../files/attached-files.js'
import { t } from './texts.js'

type Call = Schemas['ToolCallPart']

/** The state of a call by its mark. `live`: the message or the run is still in progress. */
export function markOfCall(call: CallState | undefined, live: boolean): MarkName {
  if (!call?.result) return live ? 'run' : 'off'
  if (call.result.unknown) return 'warn'
  return call.result.isError ? 'fail' : 'done'
}

export const wordOfMark = (mark: MarkName): string =>
  ({ run: t('running'), done: t('done'), fail: t('failed'), warn: t('outcome_unknown'), wait: t('waits'), off: t('not_run') })[
    mark as 'run'
  ] ?? ''

/** The argument that says most, in one line. */
export const mainArgument = (given: Readonly<Record<string, unknown>>): string => {
  const found = Object.values(given).find((value) => typeof value === 'string' && value !== '') ?? Object.values(given)[0]
  return found === undefined ? '' : visibleLine(typeof found === 'string' ? found : JSON.stringify(found))
}

const stages: Readonly<Partial<Record<MarkName, CallStage>>> = { run: 'running', done: 'done', fail: 'failed' }

/** What an agent called, with what, what came of it and how long it took. */
export function ToolCard(props: {
  readonly part: Call
  readonly call: CallState | undefined
  readonly live: boolean
  readonly onOpen: () => void
}): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const [now, setNow] = createSignal(Date.now())
  const toggle = (): void => {
    setOpen((before) => !before)
    // Times are read when somebody wants to see them.
    if (open() && props.call?.startedAt === undefined) props.onOpen()
  }
  const timer = setInterval(() => setNow(Date.now()), 1_000)
  onCleanup(() => clearInterval(timer))
  const running = (): boolean => props.live && !props.call?.result
  const took = (): string => {
    const began = props.call?.startedAt
    if (began === undefined) return ''
    const end = props.call?.finishedAt ?? (running() ? now() : undefined)
    return end === undefined ? '' : durationText(Math.max(0, end - began))
  }
  const result = createMemo(() =>
    (props.call?.result?.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
  )
  const media = createMemo(() => (props.call?.result?.content ?? []).flatMap((part) => (part.type === 'text' ? [] : [part])))
  const lastLines = (): string => {
    const printed = [props.call?.lines.join('\n') ?? '', props.call?.output ?? ''].filter((text) => text !== '').join('\n')
    return open() ? printed : printed.trimEnd().split('\n').slice(-4).join('\n')
  }
  const tool = () => knownTool(props.part.name)
  /** What was not run, or whose outcome is unknown, is told as what it would do. */
  const stage = (): CallStage => stages[markOfCall(props.call, props.live)] ?? 'ask'
  const given = () => props.part.arguments
  return (
    <article class="tool" aria-label={callText(tool(), stage(), given())}>
      <button type="button" class="tool-head" aria-expanded={open()} onClick={toggle}>
        <Icon name={toolIcon(tool())} />
        <b class="cut">
          <CallWords tool={tool()} stage={stage()} given={given()} />
        </b>
        <Show when={callPieces(tool(), stage(), given()) === undefined}>
          <code class="cut">{mainArgument(given())}</code>
        </Show>
        <span class="grow" />
        <span class="meta">{took()}</span>
        <Icon name={open() ? 'chevron-up' : 'chevron-down'} />
      </button>
      <Show when={open()}>
        <p class="meta tool-name">
          {t('tool')} <code translate="no">{visibleLine(props.part.name)}</code> · {t('arguments')}
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: no field, and no landmark: there are as many as there are calls */}
        <div class="out foreign" role="group" tabindex="0" aria-label={t('arguments')}>
          {props.part.invalid_arguments === undefined ? visibleJson(props.part.arguments) : visibleLines(props.part.invalid_arguments)}
        </div>
      </Show>
      <Show when={lastLines() !== '' && (running() || open())}>
        <Output text={lastLines()} label={t('output')} />
      </Show>
      <Show when={open() && result() !== ''}>
        <Output text={result()} label={t('result')} />
      </Show>
      <Show when={open() && media().length > 0}>
        <div class="tool-media">
          <AttachedFiles parts={media()} />
        </div>
      </Show>
    </article>
  )
}

/** Follows its end until the person scrolls up. */
function Output(props: { readonly text: string; readonly label: string }): JSX.Element {
  let follows = true
  const follow = (element: HTMLElement): void => {
    const observer = new MutationObserver(() => {
      if (follows) element.scrollTop = element.scrollHeight
    })
    observer.observe(element, { childList: true, characterData: true, subtree: true })
    onCleanup(() => observer.disconnect())
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: no field, and no landmark: there are as many as there are calls
    <div
      class="out chat-out foreign"
      role="group"
      tabindex="0"
      aria-label={props.label}
      ref={follow}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows = scrollTop + clientHeight >= scrollHeight - 4
      }}
    >
      {props.text}
    </div>
  )
}
