import type { Problem } from '../../core/errors.js'
import type { ConsolePanel } from './console-panel.js'
import type { PanelAction, PanelSection } from './panel-section.js'

/** A route that a panel calls. */
export interface PanelRoute {
  /** A JSON pointer to the path in the panel. */
  readonly pointer: string
  /** Of the call. */
  readonly method: string
  /** With `{…}` for members of rows. */
  readonly path: string
  /** Whether the path may have `{…}`. */
  readonly ofRow: boolean
}

/** Every route that a panel made of data calls, in its order. */
export function panelRoutes({ content }: Pick<ConsolePanel, 'content'>): readonly PanelRoute[] {
  if (content.kind !== 'sections') return []
  return content.sections.flatMap((section, index) => routesOf(section, `/content/sections/${index}`))
}

function routesOf(section: PanelSection, pointer: string): readonly PanelRoute[] {
  const at = (member: string, method: string, path: string): PanelRoute => ({ pointer: `${pointer}/${member}`, method, path, ofRow: false })
  const ofActions = (actions: readonly PanelAction[], ofRow: boolean): readonly PanelRoute[] =>
    actions.map(({ method, path }, index) => ({ pointer: `${pointer}/actions/${index}/path`, method, path, ofRow }))
  switch (section.kind) {
    case 'values':
      return [at('source', 'GET', section.source)]
    case 'table':
      return [at('source', 'GET', section.source), ...ofActions(section.actions ?? [], true)]
    case 'form':
      return [
        ...(section.load === undefined ? [] : [at('load', 'GET', section.load)]),
        at('save/path', section.save.method, section.save.path),
      ]
    case 'actions':
      return ofActions(section.actions, false)
    default:
      return []
  }
}

/**
 * What a panel of a third party takes from others, each with a JSON pointer: paths that do not
 * begin with `/api/plugins/<plugin id>/`, sections of the configuration, and pages that are not below
 * `/panels/`.
 */
export function checkPanelPaths(panel: Pick<ConsolePanel, 'content'>, pluginId: string): readonly Problem[] {
  const prefix = `/api/plugins/${pluginId}/`
  const foreign = panelRoutes(panel).filter(({ path }) => !path.startsWith(prefix))
  const sections = panel.content.kind === 'sections' ? panel.content.sections : []
  return [
    ...foreign.map(({ pointer }) => ({
      path: pointer,
      message: `must begin with “${prefix}”: a panel calls the routes of its plugin alone`,
    })),
    ...sections.flatMap((section, index) =>
      section.kind === 'settings' && section.section !== undefined
        ? [{ path: `/content/sections/${index}/section`, message: 'must be absent: only built-in plugins have sections of their own' }]
        : [],
    ),
    ...(panel.content.kind === 'screen' && panel.content.routes !== undefined
      ? [{ path: '/content/routes', message: 'must be absent: only built-in plugins choose the paths of their pages' }]
      : []),
  ]
}
