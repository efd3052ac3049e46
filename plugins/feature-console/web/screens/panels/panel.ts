import type { PanelSection, PanelText } from '@agent-service/sdk/contracts/console-panel'
import type { Panel } from '../../app/panel-list.js'
import { language } from '../../i18n/language.js'
import { type IconName, icons } from '../../ui/icons.js'

export type { Panel }

/** The sections of a page; the service has checked them against the contract of the SDK. */
export const sectionsOf = (panel: Panel): readonly PanelSection[] =>
  panel.content.kind === 'sections' ? (panel.content.sections as unknown as readonly PanelSection[]) : []

/** The text in the person's language, else in English. */
export const panelText = (text: PanelText | Readonly<Record<string, string>>): string => text[language()] ?? text['en'] ?? ''

export const iconOf = (panel: Panel): IconName => (Object.hasOwn(icons, panel.icon) ? (panel.icon as IconName) : 'plug')

export const addressOf = (panel: Panel): string => `${panel.group === 'admin' ? '/admin' : ''}/panels/${panel.id}`
