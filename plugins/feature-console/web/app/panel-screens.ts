import type { IconName, ScreenProps, Text } from '@agent-service/sdk/web'
import { icons } from '@agent-service/sdk/web/host'
import type { Component } from 'solid-js'
import { loadModule } from './load-module.js'
import type { Panel } from './panel.js'
import { allPanels } from './panel-list.js'
import type { NavigationGroup, Screen } from './screen.js'

type ScreenContent = Extract<Panel['content'], { readonly kind: 'screen' }>

/** Screens by what made them: one that has not changed stays the same object, and so stays on the page. */
let known: ReadonlyMap<string, Screen> = new Map()

/** The screens that plugins bring, as last read. */
export function panelScreens(): readonly Screen[] {
  const next = new Map<string, Screen>()
  for (const panel of allPanels() ?? []) {
    const { content } = panel
    if (content.kind !== 'screen' || panel.group === 'user' || panel.group === 'set_up') continue
    const key = JSON.stringify(panel)
    next.set(key, known.get(key) ?? screenOf(panel, content, panel.group))
  }
  known = next
  return [...next.values()]
}

function screenOf(panel: Panel, content: ScreenContent, group: NavigationGroup): Screen {
  const { start } = content
  return {
    name: panel.id,
    routes: panel.page_routes,
    title: textIn(panel.title),
    group,
    order: panel.order,
    icon: Object.hasOwn(icons, panel.icon) ? (panel.icon as IconName) : 'plug',
    admin: group === 'admin',
    ...(panel.keywords !== null && { keywords: textIn(panel.keywords) }),
    ...(start !== null && { start: () => loadModule<{ readonly start: () => void }>(start) }),
    load: () => loadModule<{ readonly default: Component<ScreenProps> }>(content),
  }
}

/** English stands in for a language that the plugin does not have. */
const textIn = ({ en = '', de = en }: Readonly<Record<string, string>>): Text => ({ en, de })
