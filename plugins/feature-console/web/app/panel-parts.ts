import { loadPart } from '@agent-service/sdk/web'
import { loadModule } from './load-module.js'
import { allPanels } from './panel-list.js'

/** Loads what plugins add to pages of the console itself: the default exports of the steps of the set-up, or of the tabs on the page of a user. */
export async function loadPanelParts<Part>(group: 'set_up' | 'user'): Promise<readonly Part[]> {
  const contents = (allPanels() ?? []).flatMap((panel) => (panel.group === group && panel.content.kind === 'screen' ? [panel.content] : []))
  const loaded = await Promise.all(contents.map((content) => loadPart(() => loadModule<{ readonly default: Part }>(content))))
  return loaded.map((module) => module.default)
}
