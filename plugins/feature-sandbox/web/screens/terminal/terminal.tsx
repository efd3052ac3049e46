import './terminal.css'
import {
  Button,
  ButtonLink,
  confirmAction,
  copyText,
  createAction,
  currentQuery,
  Failure,
  loadPart,
  MenuButton,
  navigate,
  recall,
  remember,
  type ScreenProps,
  StateBadge,
  StateMark,
  theme,
  usePageTitle,
} from '@agent-service/sdk/web'
import { createEffect, createSignal, type JSX, Match, on, onCleanup, onMount, Show, Switch } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import { exitText } from '../../sandbox/exit-text.js'
import { SandboxBanner } from '../../sandbox/sandbox-banner.js'
import type { Emulator, Size } from './emulator.js'
import { KeyBar, withControl } from './key-bar.js'
import { connectTerminal, type Exit, type LinkState, type TerminalLink } from './terminal-link.js'
import { t } from './texts.js'

/** A terminal in the workspace of an agent. */
export default function TerminalScreen(props: ScreenProps): JSX.Element {
  return (
    <Show when={props.params['processId']} keyed>
      {(id) => <TerminalPage id={id} />}
    </Show>
  )
}

function TerminalPage(props: { readonly id: string }): JSX.Element {
  // Why it cannot be read is not said: the terminal works without it, or says itself what is wrong.
  const { value: process, reload: describe } = createQuery({
    key: () => ['process', props.id],
    read: (signal) => api.get('/api/sandbox/processes/{process_id}', { path: { process_id: props.id }, signal }),
  })
  const [state, setState] = createSignal<LinkState>('connecting')
  const [exit, setExit] = createSignal<Exit | null>(null)
  const [writes, setWrites] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const [control, setControl] = createSignal(false)
  const isOver = (): boolean => state() === 'ended' || state() === 'gone'
  const name = (): string => process()?.actor.handle ?? ''
  const heading = (): string => (name() === '' ? t('title_plain') : t('title', { name: name() }))
  usePageTitle(heading)

  let box: HTMLDivElement | undefined
  let stopButton: HTMLButtonElement | undefined
  let emulator: Emulator | undefined
  let link: TerminalLink | undefined
  let sent: Size | undefined

  /** The box decides about the size while this page writes. */
  const fitToBox = (): void => {
    const place = emulator?.place()
    if (!writes() || !emulator || !place || (place.columns === sent?.columns && place.rows === sent.rows)) return
    sent = place
    emulator.resize(place)
    link?.resize(place)
  }
  const type = (bytes: Uint8Array, byPerson: boolean): void => {
    link?.type(control() ? withControl(bytes) : bytes, byPerson)
    setControl(false)
  }
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (event.key === 'F6' && event.shiftKey) {
      event.preventDefault()
      stopButton?.focus()
      return false
    }
    if (!(event.ctrlKey && event.shiftKey && event.code === 'KeyC' && emulator?.hasSelection())) return true
    event.preventDefault()
    void copyText(emulator.selection()).catch(setFailure)
    return false
  }
  const openLink = async (address: string): Promise<void> => {
    if (!/^https?:/i.test(address)) return
    const text = t('link_text', { address })
    if (await confirmAction({ title: t('link_title'), text, action: t('link_open'), danger: false }))
      window.open(address, '_blank', 'noopener,noreferrer')
  }

  onMount(async () => {
    let left = false
    onCleanup(() => {
      left = true
      link?.close()
      emulator?.dispose()
    })
    const observer = new ResizeObserver(() => fitToBox())
    onCleanup(() => observer.disconnect())
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const refresh = (): void => emulator?.refreshColours()
    dark.addEventListener('change', refresh)
    onCleanup(() => dark.removeEventListener('change', refresh))
    createEffect(on(theme, refresh, { defer: true }))
    createEffect(() => emulator?.setWritable(writes()))
    try {
      const { openEmulator } = await loadPart(() => import('./emulator.js'))
      if (left || !box) return
      emulator = openEmulator(box, {
        label: t('label'),
        screenReader: recall('terminal.screen-reader') === 'on',
        onKeys: type,
        onKeyDown,
        onLink: (address) => void openLink(address),
      })
    } catch (error) {
      setFailure(error)
      return
    }
    observer.observe(box)
    const terminal = emulator
    link = connectTerminal(props.id, currentQuery().has('watch'), {
      onState: setState,
      onOutput: (bytes) => terminal.write(bytes),
      onSkipped: () => void terminal.write(`\r\n\u001b[0m\u001b[2m[${t('skipped')}]\u001b[0m\r\n`),
      onWriter: (now) => {
        setWrites(now)
        terminal.setWritable(now)
        sent = undefined
        fitToBox()
      },
      onSize: (size) => {
        if (!writes()) terminal.resize(size)
      },
      onExit: (found) => {
        setExit(found)
        void describe()
      },
    })
    terminal.focus()
  })

  const watch = (): void => {
    link?.watch()
    void navigate(`/sandbox/terminals/${props.id}?watch=1`, { replace: true })
  }
  const take = (): void => {
    link?.take()
    emulator?.setWritable(true)
    void navigate(`/sandbox/terminals/${props.id}`, { replace: true })
    emulator?.focus()
  }
  const stop = createAction(async () => {
    setFailure(undefined)
    await api.post('/api/sandbox/processes/{process_id}/stop', { path: { process_id: props.id } })
  })
  const another = createAction(async () => {
    const agentId = process()?.actor.id
    if (agentId === undefined) return
    const opened = await api.post('/api/sandbox/terminals', { body: { agent_id: agentId, columns: 80, rows: 24 } })
    await navigate(`/sandbox/terminals/${opened.id}`)
  })
  return (
    <div class="terminal-page">
      <SandboxBanner />
      <header class="terminal-head">
        <ButtonLink href="/sandbox" kind="quiet" size="small" icon="chevron-left">
          {t('back')}
        </ButtonLink>
        <h1 class="cut" tabindex="-1">
          <bdi>{heading()}</bdi>
        </h1>
        <State state={state()} stopping={stop.busy()} exit={exit()} />
        <span class="grow" />
        <Show
          when={!isOver()}
          fallback={
            <Show when={process()}>
              <Button size="small" icon="terminal-2" onClick={() => void another.run()}>
                {t('new_terminal')}
              </Button>
            </Show>
          }
        >
          <Show when={state() === 'open' && !writes()}>
            <Button size="small" icon="pencil" onClick={take}>
              {t('take')}
            </Button>
          </Show>
          <Button
            size="small"
            kind="danger"
            busy={stop.busy()}
            ref={(element) => {
              stopButton = element
            }}
            onClick={() => void stop.run()}
          >
            {stop.busy() ? t('stopping') : t('stop')}
          </Button>
          <MenuButton
            name={t('more')}
            size="small"
            items={[
              { label: t('watch'), icon: 'eye', checked: !writes(), run: watch },
              {
                label: t('screen_reader'),
                icon: 'users',
                checked: recall('terminal.screen-reader') === 'on',
                run: () => {
                  remember('terminal.screen-reader', recall('terminal.screen-reader') === 'on' ? undefined : 'on')
                  location.reload()
                },
              },
            ]}
          />
        </Show>
      </header>
      <Show when={failure() ?? another.failure() ?? stop.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={state() === 'gone'}>
        <p class="terminal-note" role="status">
          {t('gone')}
        </p>
      </Show>
      <div
        class="terminal-box"
        translate="no"
        classList={{ watching: !writes() }}
        ref={(element) => {
          box = element
        }}
      />
      <KeyBar
        control={control()}
        disabled={!writes()}
        onControl={(on) => {
          setControl(on)
          emulator?.focus()
        }}
        applicationKeys={() => emulator?.sendsApplicationKeys() ?? false}
        onKeys={(text) => {
          type(new TextEncoder().encode(text), true)
          emulator?.focus()
        }}
      />
      <p class="terminal-note hide-s">
        <Show when={state() === 'open' && !writes()} fallback={t('leave')}>
          <StateMark mark="pause">{t('watching')}</StateMark> {t('watching_text')}
        </Show>
      </p>
    </div>
  )
}

function State(props: { readonly state: LinkState; readonly stopping: boolean; readonly exit: Exit | null }): JSX.Element {
  return (
    <span role="status">
      <Switch>
        <Match when={props.state === 'ended' || props.state === 'gone'}>
          <StateBadge mark="off">{props.exit === null ? t('ended') : exitText(props.exit)}</StateBadge>
        </Match>
        <Match when={props.stopping}>
          <StateBadge mark="wait">{t('stopping')}</StateBadge>
        </Match>
        <Match when={props.state === 'connecting'}>
          <StateBadge mark="run">{t('connecting')}</StateBadge>
        </Match>
        <Match when={props.state === 'reconnecting'}>
          <StateBadge mark="wait">{t('reconnecting')}</StateBadge>
        </Match>
        <Match when={props.state === 'open'}>
          <StateBadge mark="done">{t('live')}</StateBadge>
        </Match>
      </Switch>
    </span>
  )
}
