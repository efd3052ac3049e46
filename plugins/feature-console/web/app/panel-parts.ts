import { loadPart, type QueryKey } from '@agent-service/sdk/web'
import { loadModule } from './load-module.js'
import type { Panel } from './panel.js'
import { allPanels, panelsFailure } from './panel-list.js'

/** What a plugin adds to a page of the console itself. */
export interface PanelPart<Part> {
  /** Of the panel: unique, and the same after an update. */
  readonly id: string
  readonly part: Part
}

type Group = 'set_up' | 'user'

const panelsOf = (group: Group) =>
  (allPanels() ?? []).flatMap(({ id, content, ...panel }: Panel) =>
    panel.group === group && content.kind === 'screen' ? [{ id, content }] : [],
  )

/** Names what {@link loadPanelParts} loads now, since plugins come and go; undefined before it is known. */
export const panelPartsKey = (group: Group): QueryKey | undefined =>
  allPanels() || panelsFailure() ? ['panel-parts', group, panelsOf(group)] : undefined

/** Loads what plugins add to pages of the console itself: the default exports of the steps of the set-up, or of the tabs on the page of a user. */
export async function loadPanelParts<Part>(group: Group): Promise<readonly PanelPart<Part>[]> {
  const load = async ({ id, content }: ReturnType<typeof panelsOf>[number]): Promise<PanelPart<Part>> => {
    const module = await loadPart(() => loadModule<{ readonly default: Part }>(content))
    return { id, part: module.default }
  }
  return await Promise.all(panelsOf(group).map(load))
}
