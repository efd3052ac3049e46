import { addPaletteSource } from '@agent-service/sdk/web'
import { addNavigation, type NavigationEntry } from '@agent-service/sdk/web/host'
import { allPanels } from '../../app/panel-list.js'
import { addressOf, iconOf, type Panel, panelText } from './panel.js'

type Group = NavigationEntry['group']

const groupOf = ({ content, group }: Panel): Group | undefined =>
  content.kind !== 'screen' && (group === 'main' || group === 'personal' || group === 'admin') ? group : undefined

const entryOf = (panel: Panel, group: Group): NavigationEntry => ({
  group,
  order: panel.order,
  title: () => panelText(panel.title),
  icon: iconOf(panel),
  href: addressOf(panel),
})

/** Those that the screen `panels` shows and the navigation names. */
const listed = (): readonly NavigationEntry[] =>
  (allPanels() ?? []).flatMap((panel) => {
    const group = groupOf(panel)
    return group === undefined ? [] : [entryOf(panel, group)]
  })

/** Puts the pages of plugins into the navigation and the palette, but for screens, which are there as the console's own are. */
export function start(): void {
  addNavigation(listed)
  addPaletteSource({
    heading: { en: 'From plugins', de: 'Aus Plugins' },
    order: 5,
    find: async (query) =>
      listed()
        .filter(({ title }) => title().toLowerCase().includes(query.toLowerCase()))
        .map(({ title, icon, href }) => ({ title: title(), icon, go: href })),
  })
}
