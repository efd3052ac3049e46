import { addNavigation, addPaletteSource } from '../../app/contributions.js'
import { addressOf, iconOf, type Panel, panelText } from './panel.js'
import { allPanels, loadPanels } from './panel-list.js'

const maxAgeMs = 60_000

const entryOf = (panel: Panel) => ({
  group: panel.group,
  order: panel.order,
  title: () => panelText(panel.title),
  icon: iconOf(panel),
  href: addressOf(panel),
})

/** Puts the panels of plugins into the navigation and the palette, and looks for others when the person comes back. */
export function start(): void {
  let loadedAt = Date.now()
  void loadPanels()
  addNavigation(() => (allPanels() ?? []).map(entryOf))
  addPaletteSource({
    heading: { en: 'From plugins', de: 'Aus Plugins' },
    order: 5,
    find: async (query) =>
      (allPanels() ?? [])
        .filter((panel) => panelText(panel.title).toLowerCase().includes(query.toLowerCase()))
        .map((panel) => ({ title: panelText(panel.title), icon: iconOf(panel), go: addressOf(panel) })),
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - loadedAt < maxAgeMs) return
    loadedAt = Date.now()
    void loadPanels()
  })
}
