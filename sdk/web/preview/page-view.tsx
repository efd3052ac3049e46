import './page.css'
import { createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { type FramePort, onFrameGreeting, openFramePort } from '../core/frame-port.js'
import { Button } from '../ui/button.js'
import { Mark } from '../ui/mark.js'
import { Skeleton } from '../ui/states.js'
import { createBesideReader } from './read-beside.js'
import { t } from './texts.js'

const greeting = 'agent-service-page'
const maxStartMs = 30_000
const maxMissing = 5

type Message = { readonly kind: 'want'; readonly names: readonly string[] } | { readonly kind: 'shown' } | { readonly kind: 'left' }
type State = 'starting' | 'shown' | 'left' | 'failed'

/**
 * A page of a person with its scripts, in a frame without network, without our origin, and without a
 * way to any other place. `GET /api/console/pages/frame` says what confines it.
 */
export function PageView(props: { readonly html: string; readonly path: string; readonly name: string }): JSX.Element {
  const [round, setRound] = createSignal(1)
  return (
    <Show when={round()} keyed>
      <Frame {...props} onAgain={() => setRound(round() + 1)} />
    </Show>
  )
}

function Frame(props: { readonly html: string; readonly path: string; readonly name: string; readonly onAgain: () => void }): JSX.Element {
  const [state, setState] = createSignal<State>('starting')
  const [missing, setMissing] = createSignal<readonly string[]>([])
  const controller = new AbortController()
  const beside = createBesideReader(props.path, controller.signal)
  let element: HTMLIFrameElement | undefined
  let port: FramePort | undefined
  const end = (next: State): void => {
    controller.abort()
    port?.close()
    setState(next)
  }
  const timer = setTimeout(() => state() === 'starting' && end('failed'), maxStartMs)
  const answer = async (names: readonly string[]): Promise<void> => {
    try {
      const files = await beside.readAll(names)
      setMissing([...beside.missing])
      port?.send({ kind: 'files', files })
    } catch {
      if (!controller.signal.aborted) end('failed')
    }
  }
  const take = (message: Message): void => {
    if (message.kind === 'want' && state() === 'starting') void answer(message.names)
    else if (message.kind === 'shown') setState('shown')
    else end('left')
  }
  const endWait = onFrameGreeting(
    () => element,
    greeting,
    (given) => {
      port = openFramePort<Message>(given, {
        maxLength: 200_000,
        size: 10,
        perSecond: 2,
        read: readMessage,
        onMessage: take,
        onBroken: () => end('failed'),
      })
      port.send({ kind: 'page', html: props.html })
    },
  )
  onCleanup(() => {
    clearTimeout(timer)
    endWait()
    controller.abort()
    port?.close()
  })
  const isOver = (): boolean => state() === 'left' || state() === 'failed'
  return (
    <div class="page-view">
      <Switch>
        <Match when={isOver()}>
          <div class="page-note" role="alert">
            <Mark name="warn" />
            <span class="grow">{t(state() === 'left' ? 'page_left' : 'page_slow')}</span>
            <Button size="small" icon="refresh" onClick={props.onAgain}>
              {t('page_again')}
            </Button>
          </div>
        </Match>
        <Match when={!isOver()}>
          <Show when={state() === 'starting'}>
            <Skeleton lines={6} />
          </Show>
          <iframe
            ref={(made) => {
              element = made
            }}
            classList={{ starting: state() === 'starting' }}
            title={props.name}
            sandbox="allow-scripts allow-forms"
            referrerpolicy="no-referrer"
            src="/api/console/pages/frame"
          />
        </Match>
      </Switch>
      <p class="help">{t('page_offline')}</p>
      <Show when={missing().length > 0}>
        <p class="help">
          <bdi>{t('page_missing', { names: namesText(missing()) })}</bdi>
        </p>
      </Show>
    </div>
  )
}

const namesText = (names: readonly string[]): string => `${names.slice(0, maxMissing).join(', ')}${names.length > maxMissing ? ', …' : ''}`

function readMessage({ kind, names }: Readonly<Record<string, unknown>>): Message | undefined {
  if (kind === 'shown' || kind === 'left') return { kind }
  const isList = kind === 'want' && Array.isArray(names) && names.length <= 200 && names.every((name) => typeof name === 'string')
  return isList ? { kind, names } : undefined
}
