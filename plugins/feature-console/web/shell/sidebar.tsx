import {
  beginChat,
  currentPath,
  currentProfile,
  currentQuery,
  Icon,
  IconButton,
  isAdmin,
  language,
  Mark,
  MenuButton,
  type MenuItem,
  navigate,
  type ScreenCount,
  textOf,
  theme,
} from '@agent-service/sdk/web'
import {
  chooseLanguage,
  chooseTheme,
  Guarded,
  isPlaceInSection,
  keyLabels,
  languages,
  type NavigationEntry,
  navigationOf,
  screenCount,
  sidebarSections,
  signOut,
} from '@agent-service/sdk/web/host'
import { For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { arePanelsKnown } from '../app/panel-list.js'
import type { NavigationGroup, Screen } from '../app/screen.js'
import { findScreen, screensOf } from '../app/screens.js'
import { t } from './texts.js'

/** Begins a chat, from everywhere. */
export const newChatKeys = 'shift+mod+o'

/** The navigation. Administration replaces its content. */
export function Sidebar(props: { readonly open: boolean; readonly onClose: () => void; readonly onPalette: () => void }): JSX.Element {
  const inAdmin = (): boolean => findScreen(currentPath())?.screen.group === 'admin' || currentPath().startsWith('/admin/')
  const begin = (temporary: boolean): void => {
    props.onClose()
    void beginChat({ temporary })
  }
  return (
    <nav class="side" classList={{ open: props.open }} id="navigation" aria-label={inAdmin() ? t('administration') : t('main')}>
      <div class="side-top">
        <a class="brand" href="/">
          <Mark name="logo" />
          Agent Service
        </a>
        <span class="grow" />
        <IconButton icon="x" size="small" name={t('close_menu')} class="close-nav" onClick={() => props.onClose()} />
      </div>
      <button type="button" class="find" onClick={() => props.onPalette()}>
        <Icon name="search" />
        <span>{t('show_palette')}</span>
        <kbd>{keyLabels('mod+k').join(' ')}</kbd>
      </button>
      <div class="side-scroll">
        <Show
          when={inAdmin()}
          fallback={
            <>
              <div class="side-new">
                <button type="button" class="nav" title={keyLabels(newChatKeys).join(' ')} onClick={() => begin(false)}>
                  <Icon name="plus" />
                  <span class="cut">{t('new_chat')}</span>
                </button>
                <IconButton icon="clock" size="small" name={t('new_temporary_chat')} onClick={() => begin(true)} />
              </div>
              <For each={shownIn('main')}>{(screen) => <NavigationLink screen={screen} />}</For>
              <For each={navigationOf('main')}>{(entry) => <AddedLink entry={entry} />}</For>
              <For each={sidebarSections()}>
                {(section) => (
                  <Guarded>
                    <Dynamic component={section.view} />
                  </Guarded>
                )}
              </For>
            </>
          }
        >
          <a class="nav" href="/">
            <Icon name="chevron-left" flip />
            <span class="cut">{t('back')}</span>
          </a>
          <h2 class="h3">{t('administration')}</h2>
          <For each={shownIn('admin')}>{(screen) => <NavigationLink screen={screen} />}</For>
          <For each={navigationOf('admin')}>{(entry) => <AddedLink entry={entry} />}</For>
        </Show>
      </div>
      <div class="side-end">
        <AccountMenu />
        <Show when={isAdmin() && screensOf('admin')[0]?.routes[0]}>
          {(href) => (
            <a class="btn quiet s ico" href={href()} aria-label={t('administration')} title={t('administration')}>
              <Icon name="settings" />
            </a>
          )}
        </Show>
      </div>
    </nav>
  )
}

/** All at once: links of the console itself would move when those of plugins come between them. */
const shownIn = (group: NavigationGroup): readonly Screen[] => (arePanelsKnown() ? screensOf(group) : [])

function NavigationLink(props: { readonly screen: Screen }): JSX.Element {
  const isCurrent = (): boolean =>
    findScreen(currentPath())?.screen.name === props.screen.name && !isPlaceInSection(currentPath(), currentQuery())
  return (
    <Show when={!props.screen.admin || isAdmin()}>
      <a class="nav" href={props.screen.routes[0] ?? '/'} aria-current={isCurrent() ? 'page' : undefined}>
        <Show when={props.screen.icon}>{(icon) => <Icon name={icon()} />}</Show>
        <span class="cut">{textOf(props.screen.title)}</span>
        <Show when={screenCount(props.screen.name)}>{(counted) => <Count of={counted()} />}</Show>
      </a>
    </Show>
  )
}

const maxShown = 99

function Count(props: { readonly of: ScreenCount }): JSX.Element {
  return (
    <Show when={props.of.count() > 0}>
      <span class="count new" aria-hidden="true">
        {props.of.count() > maxShown ? `${maxShown}+` : props.of.count()}
      </span>
      <span class="sr">{props.of.label(props.of.count())}</span>
    </Show>
  )
}

const AddedLink = (props: { readonly entry: NavigationEntry }): JSX.Element => (
  <a class="nav" href={props.entry.href} aria-current={currentPath() === props.entry.href ? 'page' : undefined}>
    <Icon name={props.entry.icon} />
    <span class="cut">{props.entry.title()}</span>
  </a>
)

function AccountMenu(): JSX.Element {
  const name = (): string => currentProfile()?.name ?? currentProfile()?.username ?? ''
  const initials = (): string =>
    name()
      .split(/[\s_-]+/)
      .slice(0, 2)
      .map((word) => word.charAt(0).toUpperCase())
      .join('')
  const items = (): readonly MenuItem[] => [
    ...(['system', 'light', 'dark'] as const).map((each) => ({
      label: { system: t('other_theme'), light: t('light'), dark: t('dark') }[each],
      checked: theme() === each,
      run: () => chooseTheme(each),
    })),
    ...Object.entries(languages).map(([tag, label]) => ({
      label,
      checked: language() === tag,
      run: () => chooseLanguage(tag as keyof typeof languages),
    })),
    ...screensOf('personal').map((screen) => ({
      label: textOf(screen.title),
      ...(screen.icon && { icon: screen.icon }),
      run: () => void navigate(screen.routes[0] ?? '/'),
    })),
    ...navigationOf('personal').map(({ title, icon, href }) => ({ label: title(), icon, run: () => void navigate(href) })),
    { label: t('sign_out'), icon: 'logout', run: () => void signOut() },
  ]
  return (
    <MenuButton
      name={t('account', { name: name() })}
      items={items()}
      button={(open) => (
        <button type="button" class="who" aria-haspopup="menu" title={t('account', { name: name() })} onClick={open}>
          <span class="face round" aria-hidden="true">
            {initials()}
          </span>
          <span class="grow cut">{name()}</span>
        </button>
      )}
    />
  )
}
