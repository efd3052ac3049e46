import { type Component, createSignal, type JSX, onCleanup } from 'solid-js'
import { untilGone } from '../core/until-gone.js'
import type { Text } from '../i18n/messages.js'
import type { IconName } from '../ui/icons.js'

/** One line that the command palette offers. */
export interface PaletteHit {
  /** In the language of the page, or as the person named it. */
  readonly title: string
  /** Before the title. */
  readonly icon: IconName
  /** At the end of the line: a time, a place. */
  readonly note?: string
  /** A path of the console, or what it does. */
  readonly go: string | (() => void)
}

/** Finds lines for the palette, such as chats or files. */
export interface PaletteSource {
  /** Above its lines. */
  readonly heading: Text
  /** Order among the sources, from low to high. */
  readonly order: number
  /** Called 120 ms after the last key, with at least one character; at most ten lines are shown. */
  readonly find: (query: string, signal: AbortSignal) => Promise<readonly PaletteHit[]>
}

const [sources, setSources] = createSignal<readonly PaletteSource[]>([])
const [sections, setSections] = createSignal<readonly SidebarSection[]>([])

/** All that were added, in their order. */
export const paletteSources = sources

/**
 * Adds a source to the palette (⌘K); the undo removes it. Call it in `start` of a screen, or in a component. What `find` throws is
 * as if it had found nothing.
 *
 * @example
 * export function start(): void {
 *   addPaletteSource({
 *     heading: { en: 'Dice', de: 'Würfel' },
 *     order: 60,
 *     find: async (query, signal) => {
 *       const { items } = await api.get('/api/plugins/tool-dice/rolls', { query: { search: query, limit: 10 }, signal })
 *       return items.map(({ id, name }) => ({ title: name, icon: 'bolt', go: `/panels/tool-dice-table/${id}` }))
 *     },
 *   })
 * }
 */
export function addPaletteSource(source: PaletteSource): () => void {
  setSources((before) => [...before, source].sort((one, other) => one.order - other.order))
  return untilGone(() => void setSources((before) => before.filter((other) => other !== source)))
}

/** Something runs, or waits for the person. */
export interface Activity {
  /** `wait`: for the person. It is shown before what runs. */
  readonly mark: 'run' | 'wait'
  /** What goes on, in a few words, for assistive technology. */
  readonly label: string
}

/** A part of the sidebar below the navigation, such as the list of chats. */
export interface SidebarSection {
  /** Among the parts, from low to high. */
  readonly order: number
  /** Shown as long as the section is there, also beside the screens of others. */
  readonly view: Component
  /** What goes on in what it lists; the bar of a phone shows it, where the sidebar is closed. */
  readonly activity?: () => Activity | undefined
  /** Whether it marks this place as the current one: then its screen is not marked too. */
  readonly hasPlace?: (path: string, query: URLSearchParams) => boolean
}

/** All that were added, in their order. */
export const sidebarSections = sections

/** The most urgent of what the parts of the sidebar report. */
export function sidebarActivity(): Activity | undefined {
  const all = sections().flatMap(({ activity }) => activity?.() ?? [])
  return all.find(({ mark }) => mark === 'wait') ?? all[0]
}

/** Whether a part of the sidebar marks a place as the current one. */
export const isPlaceInSection = (path: string, query: URLSearchParams): boolean =>
  sections().some(({ hasPlace }) => hasPlace?.(path, query) ?? false)

/**
 * Adds a part of the sidebar; the undo removes it. Call it in `start` of a screen. It is loaded with the console, so its
 * component stays small.
 *
 * @example
 * export function start(): void {
 *   addSidebarSection({ order: 50, view: lazyPart(() => import('./dice-section.js'), ({ DiceSection }) => DiceSection) })
 * }
 */
export function addSidebarSection(section: SidebarSection): () => void {
  setSections((before) => [...before, section].sort((one, other) => one.order - other.order))
  return untilGone(() => void setSections((before) => before.filter((other) => other !== section)))
}

/** A place that is known only while the console runs, such as a page of a plugin. */
export interface NavigationEntry {
  /** Among the main places, in the account menu, or in administration. */
  readonly group: 'main' | 'personal' | 'admin'
  /** Among the added ones of its group, from low to high. */
  readonly order: number
  /** In the language of the page. */
  readonly title: () => string
  /** Before the title. */
  readonly icon: IconName
  /** A path of the console. */
  readonly href: string
}

const [navigation, setNavigation] = createSignal<readonly (() => readonly NavigationEntry[])[]>([])

/** The added places of a group, in their order. */
export const navigationOf = (group: NavigationEntry['group']): readonly NavigationEntry[] =>
  navigation()
    .flatMap((entries) => entries())
    .filter((entry) => entry.group === group)
    .sort((one, other) => one.order - other.order)

/** Adds places behind the screens; they follow the signals that `entries` reads. The undo removes them. */
export function addNavigation(entries: () => readonly NavigationEntry[]): () => void {
  setNavigation((before) => [...before, entries])
  return untilGone(() => void setNavigation((before) => before.filter((other) => other !== entries)))
}

/** A number beside a screen in the navigation, such as what is unread. */
export interface ScreenCount {
  /** Nothing is shown for 0. */
  readonly count: () => number
  /** What the number means, for assistive technology. */
  readonly label: (count: number) => string
}

const [counts, setCounts] = createSignal<ReadonlyMap<string, ScreenCount>>(new Map())

/** The number beside the screen with this name. */
export const screenCount = (name: string): ScreenCount | undefined => counts().get(name)

/**
 * Puts a number beside a screen in the navigation; the undo removes it. `name` is the id of the panel. Call it in `start` of the
 * screen.
 *
 * @example
 * export function start(): void {
 *   const [count, setCount] = createSignal(0)
 *   const read = async (): Promise<void> => void setCount((await readRolls(undefined)).items.length)
 *   onReturn(() => void read())
 *   void read()
 *   addScreenCount('tool-dice-table', { count, label: (rolls) => t('rolls', { count: rolls }) })
 * }
 */
export function addScreenCount(name: string, count: ScreenCount): () => void {
  setCounts((before) => new Map([...before, [name, count]]))
  return untilGone(() => void setCounts((before) => new Map([...before].filter(([, other]) => other !== count))))
}

const [title, setTitle] = createSignal<() => string>()

/** The title of what is shown, if a screen knows a better one than its own. */
export const pageTitle = (): string | undefined => title()?.()

/** Names what a screen shows, such as the chat, in the tab and the bar. */
export function usePageTitle(of: () => string): void {
  setTitle(() => of)
  onCleanup(() => setTitle((current) => (current === of ? undefined : current)))
}

const [actions, setActions] = createSignal<() => JSX.Element>()

/** What the bar of a phone has at its end. */
export const pageActions = (): JSX.Element => actions()?.()

/** Puts actions of a screen into the bar of a phone, where its own bar is not shown. */
export function usePageActions(view: () => JSX.Element): void {
  setActions(() => view)
  onCleanup(() => setActions((current) => (current === view ? undefined : current)))
}
