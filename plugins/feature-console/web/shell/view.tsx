import { createEffect, createMemo, type JSX, lazy, on, Show, Suspense } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { pageTitle } from '../app/contributions.js'
import { currentPath } from '../app/router.js'
import type { Screen } from '../app/screen.js'
import { type FoundScreen, findScreen } from '../app/screens.js'
import { isAdmin } from '../app/session.js'
import { textOf } from '../i18n/messages.js'
import { ButtonLink } from '../ui/button.js'
import { EmptyState, Skeleton } from '../ui/states.js'
import { t } from './texts.js'

const loaded = new Map<string, ReturnType<typeof lazy>>()

/** The component of a screen, loaded once. */
function componentOf(screen: Screen) {
  const known = loaded.get(screen.name) ?? lazy(screen.load)
  loaded.set(screen.name, known)
  return known
}

/** The screen of the address. `open`: only those that need no session. */
export function CurrentScreen(props: { readonly fallback?: FoundScreen | undefined }): JSX.Element {
  const found = createMemo(() => props.fallback ?? findScreen(currentPath()))
  const key = createMemo(() => found()?.screen)
  const isForbidden = (): boolean => (found()?.screen.admin ?? false) && !isAdmin()
  createEffect(() => {
    const screen = found()?.screen
    const title = pageTitle() ?? (screen ? textOf(screen.title) : t('not_found_title'))
    document.title = `${title} · Agent Service`
  })
  createEffect(on(currentPath, focusHeading, { defer: true }))
  return (
    <Show when={key()} fallback={<NotFound />}>
      {(screen) => (
        <Show when={!isForbidden()} fallback={<NotAdmin />}>
          <Suspense
            fallback={
              <div class="page">
                <Skeleton lines={6} />
              </div>
            }
          >
            <Dynamic component={componentOf(screen())} params={found()?.params ?? {}} />
          </Suspense>
        </Show>
      )}
    </Show>
  )
}

/** After a change of place: the new heading has the focus, as after loading a page. */
function focusHeading(): void {
  setTimeout(() => {
    const active = document.activeElement
    if (active && active !== document.body && active.closest('#main')) return
    document.querySelector<HTMLElement>('#main h1, main h1')?.focus({ preventScroll: true })
  }, 50)
}

function NotFound(): JSX.Element {
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
