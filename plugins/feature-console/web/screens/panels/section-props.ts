import type { Panel } from './panel.js'

/** What a section of a panel gets. */
export interface SectionProps<Section> {
  readonly panel: Panel
  readonly section: Section
}
