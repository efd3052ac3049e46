import { loadPart } from '@agent-service/sdk/web'
import { loadModule } from './load-module.js'
import { allPanels } from './panel-list.js'

/** What a plugin adds to a page of the console itself. */
export interface PanelPart<Part> {
  /** Of the panel: unique, and the same after an update. */
  readonly id: string
  readonly part: Part
}

/** Loads what plugins add to pages of the console itself: the default exports of the steps of the set-up, or of the tabs on the page of a user. */
export async function loadPanelParts<Part>(group: 'set_up' | 'user'): Promise<readonly PanelPart<Part>[]> {
  const loading = (allPanels() ?? []).flatMap(({ id, content, ...panel }) =>
    panel.group === group && content.kind === 'screen'
      ? [loadPart(() => loadModule<{ readonly default: Part }>(content)).then((module) => ({ id, part: module.default }))]
      : [],
  )
  return await Promise.all(loading)
}
