import { ApiProblem, BannerBar, Button, EmptyState, errorText, Mark, Skeleton, send } from '@agent-service/sdk/web'
import { onFrameGreeting } from '@agent-service/sdk/web/host'
import { createEffect, createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { createAppearance } from './appearance.js'
import { type FrameBridge, openFrameBridge } from './frame-bridge.js'
import { type Panel, panelText } from './panel.js'
import { t } from './texts.js'

const greeting = 'agent-service-panel'
/** How long a panel may take from its page to its element. */
const maxStartMs = 10_000
const maxHeight = 20_000

/** A page that a plugin draws. Shows what is wrong where it cannot be shown, with a way to start again. */
export function FramePanel(props: { readonly panel: Panel }): JSX.Element {
  const [attempt, setAttempt] = createSignal(1)
  const [failure, setFailure] = createSignal<string>()
  const again = (): void => {
    setFailure(undefined)
    setAttempt((now) => now + 1)
  }
  return (
    <Show
      when={failure()}
      fallback={
        <Show when={attempt()} keyed>
          <Frame panel={props.panel} onBroken={setFailure} />
        </Show>
      }
    >
      {(reason) => (
        <div role="alert">
          <EmptyState title={t('frame_failed')} text={reason()}>
            <Button icon="refresh" onClick={again}>
              {t('restart')}
            </Button>
          </EmptyState>
        </div>
      )}
    </Show>
  )
}

type FrameState = 'starting' | 'shown' | 'stopped'

function Frame(props: { readonly panel: Panel; readonly onBroken: (reason: string) => void }): JSX.Element {
  const [state, setState] = createSignal<FrameState>('starting')
  const [height, setHeight] = createSignal(0)
  const [report, setReport] = createSignal<string>()
  const appearance = createAppearance()
  const address = `/api/console/panels/${encodeURIComponent(props.panel.id)}/frame`
  let frame: HTMLIFrameElement | undefined
  let bridge: FrameBridge | undefined
  let loads = 0

  const broken = (reason: string): void => {
    if (state() === 'stopped') return
    setState('stopped')
    bridge?.close()
    props.onBroken(reason)
  }
  const endStart = (): void => {
    if (state() === 'starting') void whyNotStarted(address).then(broken)
  }
  const startTimer = setTimeout(endStart, maxStartMs)

  const endWait = onFrameGreeting(
    () => frame,
    greeting,
    (port) => {
      bridge = openFrameBridge(port, props.panel, {
        onReady: () => void setState((now) => (now === 'starting' ? 'shown' : now)),
        onHeight: (pixels) => void setHeight(Math.min(maxHeight, Math.ceil(pixels))),
        onFailed: (message, final) => (final || state() === 'starting' ? broken(t('from_panel', { message })) : void setReport(message)),
        onStopped: () => broken(t('flooded')),
      })
      bridge.sendAppearance(appearance())
    },
  )

  createEffect(() => {
    const next = appearance()
    bridge?.sendAppearance(next)
  })
  createEffect(() => frame?.style.setProperty('block-size', `${Math.max(80, height())}px`))
  onCleanup(() => {
    endWait()
    clearTimeout(startTimer)
    bridge?.close()
  })

  /** Its script runs before the first load is over; a second one is another page. */
  const onLoad = (): void => {
    loads += 1
    if (loads > 1) broken(t('left'))
    else setTimeout(() => bridge === undefined && endStart(), 1_000)
  }
  return (
    <Switch>
      <Match when={state() !== 'stopped'}>
        <Show when={report()}>
          {(message) => <BannerBar banner={{ id: 'panel', tone: 'warn', text: t('report', { message: message() }) }} />}
        </Show>
        <Show when={state() === 'starting'}>
          <p class="panels-starting t2">
            <Mark name="run" />
            {t('starting')}
          </p>
          <Skeleton lines={4} />
        </Show>
        <iframe
          class="panels-frame"
          classList={{ starting: state() === 'starting' }}
          title={panelText(props.panel.title)}
          sandbox="allow-scripts"
          referrerpolicy="no-referrer"
          src={address}
          ref={(element) => {
            frame = element
          }}
          onLoad={onLoad}
        />
      </Match>
    </Switch>
  )
}

/** The service's reason, where it has one. */
async function whyNotStarted(address: string): Promise<string> {
  try {
    await send('get', address, { headers: { accept: 'text/html' } })
    return t('not_started')
  } catch (error) {
    return error instanceof ApiProblem ? `${t('not_started')} ${errorText(error)}` : t('not_started')
  }
}
