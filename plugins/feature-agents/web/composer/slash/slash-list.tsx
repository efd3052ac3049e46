import './slash.css'
import { errorText, Icon, showToast } from '@agent-service/sdk/web'
import {
  type Accessor,
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  type JSX,
  on,
  onCleanup,
  onMount,
  Show,
} from 'solid-js'
import { slashActions } from './actions.js'
import { actionOption, fitting, readOptions, type SlashOption } from './options.js'
import type { SlashHost } from './slash-host.js'
import { t } from './texts.js'
import type { TypedCommand } from './typed-command.js'

interface SlashListProps {
  readonly command: Accessor<TypedCommand | undefined>
  readonly host: SlashHost
  /** Which option the keys are at. */
  readonly onActive: (active: { readonly list: string; readonly option: string } | undefined) => void
  /** Hands out what takes keys, while the list is there. */
  readonly onKey: (take: ((event: KeyboardEvent) => boolean) | undefined) => void
  readonly onClose: () => void
}

/** The list behind “/”, above the field. The focus stays in the field, which has the keys. */
export function SlashList(props: SlashListProps): JSX.Element {
  const id = createUniqueId()
  const actions = slashActions.filter(({ isAvailable }) => isAvailable?.(props.host) ?? true).map(actionOption)
  /** Undefined until they have been read. */
  const [read, setRead] = createSignal<readonly SlashOption[]>()
  const [at, setAt] = createSignal(0)
  void readOptions(props.host).then(({ options, errors }) => {
    setRead(options)
    if (errors.length > 0) showToast(errorText(errors[0]), { mark: 'fail' })
  })
  const query = createMemo(() => props.command()?.query ?? '')
  const options = createMemo(() => (read() === undefined ? [] : fitting([...(read() ?? []), ...actions], query())))
  const idOf = (index: number): string => `${id}-${index}`
  createEffect(on(query, () => setAt(0)))
  createEffect(() => props.onActive(options().length === 0 ? undefined : { list: id, option: idOf(at()) }))
  const go = (index: number): void => {
    const count = options().length
    setAt((index + count) % count)
    document.getElementById(idOf(at()))?.scrollIntoView({ block: 'nearest' })
  }
  const choose = (option: SlashOption | undefined): void => {
    const command = props.command()
    props.onClose()
    if (option && command) void use(option, command, props.host)
  }
  const takeKey = (event: KeyboardEvent): boolean => {
    const isChoice = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey
    // A key that comes before the list must not send half a command.
    if (read() === undefined) return isChoice
    if (options().length === 0) return false
    if (isChoice) choose(options()[at()])
    else if (event.key === 'ArrowDown') go(at() + 1)
    else if (event.key === 'ArrowUp') go(at() - 1)
    else return false
    return true
  }
  props.onKey(takeKey)
  onCleanup(() => {
    props.onKey(undefined)
    props.onActive(undefined)
  })
  return (
    <Show when={options().length > 0}>
      <Popover field={props.host.field()} size={options().length}>
        <div id={id} role="listbox" aria-label={t('commands')}>
          <For each={options()}>
            {(option, index) => (
              <>
                <Show when={option.heading !== options()[index() - 1]?.heading}>
                  <div class="menu-group" role="presentation">
                    {option.heading}
                  </div>
                </Show>
                <Option
                  option={option}
                  id={idOf(index())}
                  active={index() === at()}
                  onActive={() => setAt(index())}
                  onChoose={() => choose(option)}
                />
              </>
            )}
          </For>
        </div>
        <p class="sr" role="status">
          {t('count', { count: options().length })}
        </p>
      </Popover>
    </Show>
  )
}

function Option(props: {
  readonly option: SlashOption
  readonly id: string
  readonly active: boolean
  readonly onActive: () => void
  readonly onChoose: () => void
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      id={props.id}
      role="option"
      aria-selected={props.active}
      classList={{ active: props.active }}
      onPointerMove={() => props.active || props.onActive()}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => props.onChoose()}
    >
      <Icon name={props.option.icon} />
      <bdi class="mono">/{props.option.command}</bdi>
      <bdi class="cut grow">{props.option.title}</bdi>
      <Show when={props.option.note}>{(note) => <span class="meta">{note()}</span>}</Show>
    </div>
  )
}

/** In the top layer, as wide as the composer: above it, or below where there is more room. */
function Popover(props: {
  readonly field: HTMLTextAreaElement | undefined
  readonly size: number
  readonly children: JSX.Element
}): JSX.Element {
  let element: HTMLDivElement | undefined
  const put = (): void => {
    const frame = props.field?.form?.getBoundingClientRect()
    if (!frame || !element) return
    const isAbove = frame.top > innerHeight - frame.bottom
    const room = (isAbove ? frame.top : innerHeight - frame.bottom) - 12
    const set = (name: string, value: string): void => element?.style.setProperty(name, value)
    set('top', isAbove ? 'auto' : `${frame.bottom + 4}px`)
    set('bottom', isAbove ? `${innerHeight - frame.top + 4}px` : 'auto')
    set('left', `${frame.left}px`)
    set('width', `${frame.width}px`)
    set('max-height', `${Math.max(96, Math.min(320, room))}px`)
  }
  onMount(() => {
    element?.showPopover()
    put()
    addEventListener('resize', put)
    onCleanup(() => removeEventListener('resize', put))
  })
  createEffect(on(() => props.size, put, { defer: true }))
  return (
    <div ref={element} class="menu-pop slash-pop" popover="manual">
      {props.children}
    </div>
  )
}

/** Replaces the command with what was chosen. */
async function use({ what }: SlashOption, command: TypedCommand, host: SlashHost): Promise<void> {
  if ('action' in what) {
    put(host, command, '')
    return what.action.run(host)
  }
  try {
    const text = await what.text()
    if (text !== undefined) put(host, command, text)
  } catch (error) {
    showToast(errorText(error), { mark: 'fail' })
  }
}

/** Puts in plain text, with the caret after it. What the person typed in between stays. */
function put({ field, setText }: SlashHost, { from, query }: TypedCommand, text: string): void {
  const element = field()
  if (!element) return
  const before = element.value
  const to = from + query.length + 1
  const isThere = before.slice(from, to).toLowerCase() === `/${query}`
  const [start, end] = isThere ? [from, to] : [before.length, before.length]
  setText(before.slice(0, start) + text + before.slice(end))
  element.focus({ preventScroll: true })
  element.setSelectionRange(start + text.length, start + text.length)
}
