import {
  Button,
  ButtonLink,
  currentPath,
  EmptyState,
  errorText,
  Failure,
  isAdmin,
  Page,
  Skeleton,
  textOf,
  commonText as ui,
} from '@agent-service/sdk/web'
import { Guarded, MissingPartError, pageTitle } from '@agent-service/sdk/web/host'
import { createEffect, createMemo, type JSX, on, Show, Suspense } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { FoundScreen } from '../app/choose-screen.js'
import { allPanels, loadPanels, panelsFailure } from '../app/panel-list.js'
import type { Screen } from '../app/screen.js'
import { componentOf, findScreen, screens } from '../app/screens.js'
import { t } from './texts.js'

/**
 * Begins to load the files of the screen of the address, and of what other screens have beside it, while the
 * profile is being read. What does not come is asked for again, and reported, where it is used.
 */
export function loadAhead(): void {
  for (const load of [findScreen(currentPath())?.screen.load, ...screens().map(({ start }) => start)]) load?.().catch(() => undefined)
}

/** Whether only admins may see what is shown. What plugins have below `/admin` is told to admins alone: for others there is no screen. */
const isForbidden = (screen: Screen | undefined): boolean =>
  !isAdmin() && (screen ? screen.admin === true : currentPath().startsWith('/admin/'))

/** Of the tab, and of the bar on phones. `screen`: what is shown. */
export const titleOf = (screen: Screen | undefined): string =>
  pageTitle() ?? (screen ? textOf(screen.title) : t(isForbidden(screen) ? 'not_admin_title' : 'not_found_title'))

/** In the place of a screen that is on its way. */
export const ScreenSkeleton = (): JSX.Element => (
  <div class="page">
    <Skeleton lines={6} />
  </div>
)

/** The screen of the address. `open`: only those that need no session. */
export function CurrentScreen(props: { readonly fallback?: FoundScreen | undefined }): JSX.Element {
  const found = createMemo(() => props.fallback ?? findScreen(currentPath()))
  const key = createMemo(() => found()?.screen)
  createEffect(() => {
    document.title = `${titleOf(found()?.screen)} · Agent Service`
  })
  createEffect(on(currentPath, focusHeading, { defer: true }))
  return (
    <Show when={key()} fallback={isForbidden(undefined) ? <NotAdmin /> : <NotFound />}>
      {(screen) => (
        <Show when={!isForbidden(screen())} fallback={<NotAdmin />}>
          <Guarded failed={(error, tryAgain) => <FailedScreen error={error} onRetry={tryAgain} />}>
            <Suspense fallback={<ScreenSkeleton />}>
              <Dynamic component={componentOf(screen())} params={found()?.params ?? {}} />
            </Suspense>
          </Guarded>
        </Show>
      )}
    </Show>
  )
}

/** After a change of place: the new heading has the focus, as after loading a page, unless it is in a field of that page already. */
function focusHeading(): void {
  setTimeout(() => {
    const active = document.activeElement
    if (active && active !== document.body && active.closest('main')) return
    document.querySelector<HTMLElement>('#main h1, main h1')?.focus({ preventScroll: true })
  }, 50)
}

/** In the place of a screen that failed, until another place is opened. */
function FailedScreen(props: { readonly error: unknown; readonly onRetry: () => void }): JSX.Element {
  const isMissing = (): boolean => props.error instanceof MissingPartError
  createEffect(on(currentPath, () => props.onRetry(), { defer: true }))
  return (
    <div class="page" role="alert">
      <EmptyState
        title={isMissing() ? t('missing') : t('crashed')}
        text={isMissing() ? errorText(props.error) : t('crashed_text', { reason: errorText(props.error) })}
      >
        <Button kind="main" icon="refresh" onClick={() => props.onRetry()}>
          {ui('retry')}
        </Button>
        <Button onClick={() => location.reload()}>{ui('reload')}</Button>
        <ButtonLink href="/" kind="quiet">
          {t('to_home')}
        </ButtonLink>
      </EmptyState>
    </div>
  )
}

/** Nobody can say so before it is known which screens there are. */
function NotFound(): JSX.Element {
  return (
    <Show when={allPanels() === undefined && panelsFailure()} fallback={<NoScreen />}>
      {(error) => (
        <Page title={t('missing')}>
          <Failure error={error()} onRetry={() => void loadPanels()} />
        </Page>
      )}
    </Show>
  )
}

function NoScreen(): JSX.Element {
  return (
    <div class="page">
      <h1 class="title">{t('not_found_title')}</h1>
      <p class="t2">
        <bdi>{t('not_found', { path: currentPath() })}</bdi>
      </p>
      <p class="more">
        <ButtonLink href="/">{t('to_home')}</ButtonLink>
      </p>
    </div>
  )
}

function NotAdmin(): JSX.Element {
  return (
    <div class="page">
      <EmptyState title={t('not_admin_title')} text={t('not_admin')}>
        <ButtonLink href="/">{t('to_home')}</ButtonLink>
      </EmptyState>
    </div>
  )
}
