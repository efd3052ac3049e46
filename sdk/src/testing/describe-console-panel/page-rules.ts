import { panelRoutes } from '../../contracts/console-panel/check-panel-paths.js'
import type { ConsolePanel, PanelAction, PanelSection, PanelText } from '../../contracts/console-panel/index.js'
import { textsIn } from './panel-texts.js'

/** Markup that a page shows as it is written. */
const markup =
  /<\/?(a|b|br|button|div|em|h[1-6]|i|iframe|img|input|li|object|ol|p|script|span|strong|style|svg|table|u|ul)\b[^>]*>|&(#\d+|#x[0-9a-f]+|[a-z]+);/i

/** Control characters but line feeds, and what reorders text or has no width; joiners are letters of some languages. */
const hidden = /(?!\n)\p{Cc}|[\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u

/** Texts with markup, which is shown as text, or with characters that no screen shows or that reorder it. */
export function unreadableTexts(panel: ConsolePanel): readonly string[] {
  return textsIn(panel).flatMap(({ pointer, text }) =>
    Object.entries(text).flatMap(([language, words]: [string, string]) => {
      const at = `${pointer}/${language}`
      if (markup.test(words)) return [`${at} has markup, which is shown as text`]
      return hidden.test(words) ? [`${at} has characters that no screen shows, or that reorder it`] : []
    }),
  )
}

const sectionsOf = ({ content }: ConsolePanel): readonly (readonly [PanelSection, string])[] =>
  content.kind === 'sections' ? content.sections.map((section, index) => [section, `/content/sections/${index}`] as const) : []

const actionsOf = (section: PanelSection): readonly PanelAction[] =>
  section.kind === 'actions' || section.kind === 'table' ? (section.actions ?? []) : []

/** Actions that delete something and do not ask first. */
export const unconfirmed = (panel: ConsolePanel): readonly string[] =>
  sectionsOf(panel).flatMap(([section, pointer]) =>
    actionsOf(section).flatMap(({ method, confirm }, index) => (method === 'DELETE' && !confirm ? [`${pointer}/actions/${index}`] : [])),
  )

/** Actions of a row that delete, and are the same for each row: what they delete is more than the row. */
export const tooMuchDeleted = (panel: ConsolePanel): readonly string[] =>
  sectionsOf(panel).flatMap(([section, pointer]) =>
    section.kind !== 'table'
      ? []
      : actionsOf(section).flatMap(({ method, path }, index) =>
          method === 'DELETE' && !path.includes('{') ? [`${pointer}/actions/${index}/path: DELETE ${path} names no member of the row`] : [],
        ),
  )

/** Names that stand for two things of one section, and sections with one heading. */
export function ambiguousNames(panel: ConsolePanel): readonly string[] {
  const sections = sectionsOf(panel)
  const headings = sections.map(([{ kind, title }]) => title && `${kind} ${title.en}`)
  return [
    ...twice(headings).map((heading) => `two sections are headed “${heading}”`),
    ...sections.flatMap(([section, pointer]) => {
      const members = section.kind === 'values' ? section.values : section.kind === 'table' ? section.columns : []
      const fields = section.kind === 'form' ? Object.values(section.fields ?? {}) : []
      return [
        ...twice(members.map(({ member }) => member)).map((name) => `${pointer} has “${name}” twice`),
        ...[members, fields, actionsOf(section)].flatMap((named: readonly { readonly label: PanelText }[]) =>
          twice(named.map(({ label }) => label.en)).map((label) => `${pointer} has two called “${label}”`),
        ),
      ]
    }),
  ]
}

function twice(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names.filter((name, index) => name !== undefined && names.indexOf(name) !== index))] as readonly string[]
}

/** Fields without a name for people, or with words of the schema alone where other texts have languages. */
export function unnamedFields(panel: ConsolePanel): readonly string[] {
  const isTranslated = Object.keys(panel.title).length > 1
  return sectionsOf(panel).flatMap(([section, pointer]) => {
    if (section.kind !== 'form') return []
    return Object.entries(
      section.schema.properties as Readonly<Record<string, { readonly title?: string; readonly description?: string }>>,
    ).flatMap(([name, { title, description }]) => {
      const field = section.fields?.[name]
      const at = `${pointer}/fields/${name}`
      if (field === undefined && (title === undefined || isTranslated))
        return [`${at}: the field has no label${isTranslated ? ' by language' : ''}`]
      return isTranslated && description !== undefined && field?.help === undefined
        ? [`${at}/help: the schema's description has one language`]
        : []
    })
  })
}

/** Paths of another plugin: a panel's id is its plugin's, or begins with it and a dash. */
export function foreignPaths(panel: ConsolePanel): readonly string[] {
  return panelRoutes(panel)
    .filter(({ path }) => {
      const [, plugin] = /^\/api\/plugins\/([^/]+)\//.exec(path) ?? []
      return plugin !== undefined && plugin !== panel.id && !panel.id.startsWith(`${plugin}-`)
    })
    .map(({ pointer, path }) => `${pointer}: ${path} is of another plugin than the panel “${panel.id}”`)
}
