import {
  Button,
  beginChat,
  currentPath,
  EmptyState,
  IconButton,
  isAdmin,
  Mark,
  navigate,
  onReturn,
  recall,
  remember,
  signInOptions,
  commonText as ui,
  useCommands,
} from '@agent-service/sdk/web'
import {
  Banners,
  Confirmations,
  chooseTheme,
  identityQuestion,
  LiveRegion,
  openSession,
  pageActions,
  sessionState,
  showBanner,
  sidebarActivity,
  streamState,
  Toasts,
} from '@agent-service/sdk/web/host'
import { createEffect, createMemo, createSignal, type JSX, Match, on, onCleanup, Show, Switch } from 'solid-js'
import { onEvent } from '../api/index.js'
import { arePanelsKnown, ensurePanels, loadPanels, panelsFailure } from '../app/panel-list.js'
import { preloadRemembered } from '../app/remembered-screens.js'
import { findScreen, screens } from '../app/screens.js'
import { compareVersions } from '../app/served-version.js'
import { startScreens } from '../app/start-screens.js'
import { ConfirmIdentity } from './confirm-identity.js'
import { ExpiredDialog } from './expired-dialog.js'
import { Palette } from './palette.js'
import { ShortcutSheet } from './shortcut-sheet.js'
import { newChatKeys, Sidebar } from './sidebar.js'
import { t } from './texts.js'
import { CurrentScreen, loadAhead, ScreenSkeleton, titleOf } from './view.js'

/** What is shown for a shorter time than this only flickers. */
const minApplyingMs = 1_500

/** The whole console, by the state of the session. */
export function Shell(): JSX.Element {
  beginAhead()
  return (
    <>
      <Switch>
        <Match when={sessionState() === 'unreachable'}>
          <Unreachable />
        </Match>
        <Match when={sessionState() === 'signed_out'}>
          <SignedOut />
        </Match>
        <Match when={sessionState() === 'signed_in' || sessionState() === 'expired'}>
          <SignedIn />
        </Match>
      </Switch>
      <Toasts />
      <Confirmations />
      <Show when={identityQuestion()} keyed>
        {({ reason, answer }) => <ConfirmIdentity reason={reason} onAnswer={answer} />}
      </Show>
      <LiveRegion />
    </>
  )
}

/** Reads what plugins add, and loads the files of screens, as soon as it is known that somebody is signed in. */
function beginAhead(): void {
  const begin = (): void => {
    // Asked for before the files of screens are, which would take all connections.
    void ensurePanels().then(loadAhead)
    preloadRemembered(currentPath())
  }
  const saysSignedIn = (): boolean => signInOptions()?.signed_in === true
  createEffect(on(signInOptions, () => saysSignedIn() && begin()))
  // By the link of the demo or another tab, after the ways to sign in were read.
  createEffect(on(sessionState, (state) => state === 'signed_in' && !saysSignedIn() && begin()))
}

/** Screens that need no session; any other address shows the sign-in page and stays. */
function SignedOut(): JSX.Element {
  const fallback = () => {
    if (findScreen(currentPath())?.screen.open) return undefined
    const screen = screens().find(({ name }) => name === 'sign-in')
    return screen && { screen, params: {} }
  }
  return <CurrentScreen fallback={fallback()} />
}

/**
 * The frame is there as soon as it is known who is signed in; the navigation and the screen fill their places when it is known which
 * screens there are.
 */
function SignedIn(): JSX.Element {
  const [menuOpen, setMenuOpen] = createSignal(false)
  const [palette, setPalette] = createSignal(false)
  const [sheet, setSheet] = createSignal(false)
  const group = { en: 'General', de: 'Allgemein' }
  useCommands(
    { id: 'new-chat', title: { en: 'New chat', de: 'Neuer Chat' }, keys: newChatKeys, group, run: () => void beginChat() },
    {
      id: 'new-temporary-chat',
      title: { en: 'New temporary chat', de: 'Neuer temporärer Chat' },
      group,
      run: () => void beginChat({ temporary: true }),
    },
    {
      id: 'palette',
      title: { en: 'Search or jump to', de: 'Suchen oder springen' },
      keys: 'mod+k',
      group,
      run: () => setPalette((now) => !now),
    },
    { id: 'shortcuts', title: { en: 'Keyboard shortcuts', de: 'Tastenkürzel' }, keys: '?', group, run: () => setSheet(true) },
    { id: 'go.home', title: { en: 'Go to the start page', de: 'Zur Startseite' }, keys: 'g h', group, run: () => void navigate('/') },
    { id: 'theme.light', title: { en: 'Light theme', de: 'Helles Design' }, group, run: () => chooseTheme('light') },
    { id: 'theme.dark', title: { en: 'Dark theme', de: 'Dunkles Design' }, group, run: () => chooseTheme('dark') },
    { id: 'theme.system', title: { en: 'System theme', de: 'Design des Systems' }, group, run: () => chooseTheme('system') },
  )
  const [startFailed, setStartFailed] = createSignal(false)
  startScreens((error) => {
    reportError(error)
    setStartFailed(true)
  })
  watchPanels()
  tellOfMissingParts(() => startFailed() || panelsFailure() !== undefined)
  tellOfDemo()
  watchConnection()
  watchApplying()
  createEffect(on(currentPath, () => setMenuOpen(false), { defer: true }))
  return (
    <>
      <a class="skip" href="#main">
        {t('skip')}
      </a>
      <div class="app">
        <Sidebar open={menuOpen()} onClose={() => setMenuOpen(false)} onPalette={() => setPalette(true)} />
        <Show when={menuOpen()}>
          <button type="button" class="scrim" aria-label={t('close_menu')} onClick={() => setMenuOpen(false)} />
        </Show>
        <main class="view" id="main" tabindex="-1">
          <Banners />
          <div class="bar phone-bar">
            <IconButton icon="menu-2" name={t('open_menu')} class="menu" expanded={menuOpen()} onClick={() => setMenuOpen(true)} />
            <Show when={sidebarActivity()}>
              {(activity) => (
                <span class="phone-activity" title={activity().label}>
                  <Mark name={activity().mark} label={activity().label} />
                </span>
              )}
            </Show>
            <span class="cut grow">{arePanelsKnown() ? titleOf(findScreen(currentPath())?.screen) : ''}</span>
            {pageActions()}
          </div>
          <div class="scroll" id="scroll">
            <Show when={arePanelsKnown()} fallback={<ScreenSkeleton />}>
              <CurrentScreen />
            </Show>
          </div>
        </main>
      </div>
      <Show when={palette()}>
        <Palette onClose={() => setPalette(false)} />
      </Show>
      <Show when={sheet()}>
        <ShortcutSheet onClose={() => setSheet(false)} />
      </Show>
      <Show when={sessionState() === 'expired'}>
        <ExpiredDialog />
      </Show>
    </>
  )
}

/** A banner for as long as parts of the page are missing. What a screen has beside others is asked for once; panels are read again. */
function tellOfMissingParts(areMissing: () => boolean): void {
  const isShown = createMemo(areMissing)
  createEffect(() => {
    if (!isShown()) return
    const reload = { label: ui('reload'), run: () => location.reload() }
    onCleanup(showBanner({ id: 'parts', text: t('parts_missing'), action: reload }))
  })
}

/** Plugins come and go while the console is open, and with a restart of the service, which no event tells. */
function watchPanels(): void {
  onCleanup(onEvent('console.panels_changed', () => void loadPanels()))
  onCleanup(onEvent('reset', () => void loadPanels()))
  onReturn(() => {
    void loadPanels()
    void compareVersions()
  })
}

/** Says that no model answers here, until the person has read it. */
function tellOfDemo(): void {
  const isRead = recall('demo_read') !== undefined
  createEffect(() => {
    if (isRead || signInOptions()?.demo !== true) return
    const read = (): void => {
      remember('demo_read', 'yes')
      hide()
    }
    const hide = showBanner({ id: 'demo', mark: 'next', text: t('demo'), action: { label: t('demo_read'), run: read } })
    onCleanup(hide)
  })
}

/** A banner while the connection is down, once that has lasted for two seconds. */
function watchConnection(): void {
  createEffect(() => {
    if (streamState() !== 'reconnecting') return
    let hide: (() => void) | undefined
    const timer = setTimeout(() => {
      hide = showBanner({ id: 'connection', mark: 'pause', text: navigator.onLine ? t('reconnecting') : t('offline') })
    }, 2_000)
    onCleanup(() => {
      clearTimeout(timer)
      hide?.()
    })
  })
}

/** A banner while the service restarts in place, for long enough to be read. */
function watchApplying(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  createEffect(() => {
    if (streamState() !== 'applying') return
    clearTimeout(timer)
    const shownAt = Date.now()
    const hide = showBanner({ id: 'applying', mark: 'run', text: isAdmin() ? t('applying') : t('applying_other') })
    onCleanup(() => {
      timer = setTimeout(hide, Math.max(0, shownAt + minApplyingMs - Date.now()))
    })
  })
}

function Unreachable(): JSX.Element {
  const timer = setInterval(() => void openSession(), 5_000)
  onCleanup(() => clearInterval(timer))
  return (
    <main class="center">
      <EmptyState title={t('unreachable')} text={t('unreachable_text')}>
        <Button icon="refresh" onClick={() => void openSession()}>
          {ui('retry')}
        </Button>
      </EmptyState>
    </main>
  )
}
