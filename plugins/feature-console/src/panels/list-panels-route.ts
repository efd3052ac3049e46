import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ConsolePanel, PanelSection } from '@agent-service/sdk/contracts/console-panel'
import { defineRoute, type HttpRoute, ok, pageOfList, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'
import { consolePanelSchema } from './panel-schemas.js'
import { routesOf, visiblePanels } from './visible-panels.js'

/** `GET /api/console/panels`: what plugins add to the console. */
export function createListPanelsRoute(contributions: Pick<Contributions, 'list'>): HttpRoute {
  return defineRoute({
    method: 'GET',
    path: '/api/console/panels',
    operationId: 'listConsolePanels',
    summary: 'List what plugins add to the web console',
    description: 'Pages and settings forms of the plugins that run now. Those for administration are there for administrators alone.',
    tags: ['console'],
    auth: 'user',
    query: pageQuerySchema,
    answers: { 200: { description: 'One page, by id.', schema: pageSchema(consolePanelSchema) } },
    async handle({ query, principal }) {
      const page = pageOfList(visiblePanels(contributions, principal), ({ key }) => key, query)
      return ok({ items: page.items.map((panel) => toJson(panel, contributions)), next_cursor: page.next_cursor })
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
  content:
    value.content.kind === 'component'
      ? { kind: 'component', element: value.content.element }
      : { kind: 'sections', sections: value.content.sections.map((section) => sectionToJson(section, pluginId)) },
  routes: routesOf(contributions, pluginId),
})

/** Sections are plain data, schemas of forms included. */
function sectionToJson(section: PanelSection, pluginId: string): JsonValue {
  const json = JSON.parse(JSON.stringify(section)) as JsonObject
  return section.kind === 'settings' ? { ...json, section: section.section ?? `plugins.settings.${pluginId}` } : json
}
