import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { type BuiltPart, type ConsolePanel, type PanelSection, pageRoutesOf } from '@agent-service/sdk/contracts/console-panel'
import { defineRoute, type HttpRoute, pageOfList, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'
import { consolePanelSchema } from './panel-schemas.js'
import type { PanelScreens } from './panel-screens.js'
import { routesOf, visiblePanels } from './visible-panels.js'

/** `GET /api/console/panels`: what plugins add to the console. Screens that cannot be shown are left out. */
export function createListPanelsRoute(dependencies: {
  readonly contributions: Pick<Contributions, 'list'>
  readonly screens: Pick<PanelScreens, 'read'>
}): HttpRoute {
  const { contributions, screens } = dependencies
  const toItem = async (panel: Contributed<ConsolePanel>): Promise<readonly (JsonObject & { readonly id: string })[]> => {
    const content = await contentOf(panel, screens)
    return content === undefined ? [] : [{ ...toJson(panel, contributions), id: panel.key, content }]
  }
  return defineRoute({
    method: 'GET',
    path: '/api/console/panels',
    operationId: 'listConsolePanels',
    summary: 'List what plugins add to the web console',
    description:
      'Pages and settings forms of the plugins that run now. Those for administration, tabs of users and steps of the set-up are there for administrators alone.',
    tags: ['console'],
    auth: 'user',
    query: pageQuerySchema,
    answers: { 200: { description: 'One page, by id.', schema: pageSchema(consolePanelSchema) } },
    async handle({ query, principal }) {
      const panels = await Promise.all(visiblePanels(contributions, principal).map(toItem))
      const page = pageOfList(panels.flat(), ({ id }) => id, query)
      return { status: 200, kind: 'json', json: { items: [...page.items], next_cursor: page.next_cursor }, compress: true }
    },
  })
}

const toJson = ({ value, pluginId }: Contributed<ConsolePanel>, contributions: Pick<Contributions, 'list'>): JsonObject => ({
  id: value.id,
  plugin_id: pluginId,
  title: { ...value.title },
  description: value.description === undefined ? null : { ...value.description },
  icon: value.icon ?? 'plug',
  group: value.group,
  order: value.order ?? 50,
  keywords: value.keywords === undefined ? null : { ...value.keywords },
  page_routes: [...pageRoutesOf(value)],
  routes: value.content.kind === 'screen' ? [] : routesOf(contributions, pluginId),
})

/** What is on the page; undefined for a screen that cannot be shown. */
async function contentOf(panel: Contributed<ConsolePanel>, screens: Pick<PanelScreens, 'read'>): Promise<JsonObject | undefined> {
  const { pluginId } = panel
  const { content } = panel.value
  if (content.kind === 'component') return { kind: 'component', element: content.element }
  if (content.kind === 'sections')
    return { kind: 'sections', sections: content.sections.map((section) => sectionToJson(section, pluginId)) }
  const screen = await screens.read(panel)
  if (screen === undefined) return undefined
  return {
    kind: 'screen',
    ...addressesOf(screen, pluginId),
    start: screen.start === undefined ? null : addressesOf(screen.start, pluginId),
  }
}

/** Where the service serves the files of a built folder. */
function addressesOf({ module, styles, imports, kit = [] }: BuiltPart, pluginId: string): JsonObject {
  const addressOf = (file: string): string => `/assets/plugins/${pluginId}/${file}`
  return { module: addressOf(module), styles: styles.map(addressOf), imports: imports.map(addressOf), kit: [...kit] }
}

/** Sections are plain data, schemas of forms included. */
function sectionToJson(section: PanelSection, pluginId: string): JsonValue {
  const json = JSON.parse(JSON.stringify(section)) as JsonObject
  return section.kind === 'settings' ? { ...json, section: section.section ?? `plugins.settings.${pluginId}` } : json
}
