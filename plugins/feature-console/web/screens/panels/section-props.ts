import type { Panel } from './panel.js'

/** What a section of a panel gets. */
export interface SectionProps<Section> {
  readonly panel: Panel
  readonly section: Section
  /** Grows when something was changed: data is read again. */
  readonly version: number
  readonly onChanged: () => void
}
