import type { PanelSection, PanelText } from '@agent-service/sdk/contracts/console-panel'
import { type IconName, language, type QueryKey } from '@agent-service/sdk/web'
import { icons } from '@agent-service/sdk/web/host'
import type { Panel } from '../../app/panel.js'

export type { Panel }

/** The sections of a page; the service has checked them against the contract of the SDK. */
export const sectionsOf = (panel: Panel): readonly PanelSection[] =>
  panel.content.kind === 'sections' ? (panel.content.sections as unknown as readonly PanelSection[]) : []

/** The text in the person's language, else in English. */
export const panelText = (text: PanelText | Readonly<Record<string, string>>): string => text[language()] ?? text['en'] ?? ''

export const iconOf = (panel: Panel): IconName => (Object.hasOwn(icons, panel.icon) ? (panel.icon as IconName) : 'plug')

export const addressOf = (panel: Panel): string => `${panel.group === 'admin' ? '/admin' : ''}/panels/${panel.id}`

/** Begins the keys of what its routes answer: each change reads all of that again. */
export const dataKey = ({ id }: Panel): QueryKey => ['panel', id]
