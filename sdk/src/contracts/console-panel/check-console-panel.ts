import path from 'node:path'
import { Refine, type TObject, type TSchema } from 'typebox'
import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { checkRoutePath } from '../http-route/check-route-agreement.js'
import { aContributionId, aName, aRange, checkShape, firstSpecVersion, oneOf } from '../shape/check-shape.js'
import { aSchema } from '../shape/contributed-schema.js'
import { screenName } from './built-screens.js'
import { panelRoutes } from './check-panel-paths.js'
import type { ConsolePanel } from './console-panel.js'
import { checkPageRoutes, pageRoute } from './page-routes.js'

const languageTag = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** Texts by language, `en` among them. */
const texts = (maxLength: number, lines: 'one line' | 'lines' = 'one line'): TSchema =>
  Refine(
    Type.Unknown(),
    (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || !('en' in value)) return false
      return Object.entries(value).every(
        ([language, text]) =>
          languageTag.test(language) &&
          typeof text === 'string' &&
          text.trim() !== '' &&
          text.length <= maxLength &&
          (lines === 'lines' || !/[\r\n]/.test(text)),
      )
    },
    () => `must be texts by language, “en” among them, each of ${lines === 'lines' ? '' : 'one line with '}1 to ${maxLength} characters`,
  )

const absoluteFile = Refine(
  Type.Unknown(),
  (value) => typeof value === 'string' && path.isAbsolute(value) && value.length <= 4_000,
  () => 'must be the absolute path of a file: fileURLToPath(new URL(…, import.meta.url))',
)
const routePath = aName(/^\/api\/\S{1,499}$/, 'a path of the plugin, such as /api/plugins/tool-dice/rolls')
const memberName = aName(/^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$/, 'the name of a member, such as eyes or last.eyes')
const heading = Type.Optional(texts(100))

const member = Type.Object({
  member: memberName,
  label: texts(60),
  format: Type.Optional(oneOf(['text', 'number', 'bytes', 'percent', 'moment', 'duration', 'yes_no', 'code'])),
})

const action = Type.Object({
  label: texts(60),
  method: oneOf(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: routePath,
  body: Type.Optional(Type.Unknown()),
  confirm: Type.Optional(Type.Object({ title: texts(100), text: texts(500) })),
  done: texts(200),
})

const sectionShapes: Readonly<Record<string, TObject>> = {
  text: Type.Object({ kind: Type.Literal('text'), title: heading, text: texts(2_000, 'lines') }),
  values: Type.Object({
    kind: Type.Literal('values'),
    title: heading,
    source: routePath,
    values: Type.Array(member, { minItems: 1, maxItems: 40 }),
  }),
  table: Type.Object({
    kind: Type.Literal('table'),
    title: texts(100),
    source: routePath,
    key: memberName,
    columns: Type.Array(member, { minItems: 1, maxItems: 12 }),
    empty: texts(200),
    actions: Type.Optional(Type.Array(action, { maxItems: 5 })),
  }),
  form: Type.Object({
    kind: Type.Literal('form'),
    title: heading,
    schema: aSchema('object'),
    fields: Type.Optional(Type.Record(Type.String(), Type.Object({ label: texts(100), help: Type.Optional(texts(500)) }))),
    load: Type.Optional(routePath),
    save: Type.Object({ method: oneOf(['POST', 'PUT', 'PATCH']), path: routePath }),
    action: texts(60),
    done: texts(200),
  }),
  settings: Type.Object({
    kind: Type.Literal('settings'),
    title: heading,
    section: Type.Optional(aName(/^[a-z]+$/, 'the name of a section')),
  }),
  actions: Type.Object({ kind: Type.Literal('actions'), title: heading, actions: Type.Array(action, { minItems: 1, maxItems: 10 }) }),
}

const absoluteFolder = Refine(
  Type.Unknown(),
  (value) => typeof value === 'string' && path.isAbsolute(value) && value.length <= 4_000,
  () => 'must be the absolute path of a built folder: fileURLToPath(new URL(…, import.meta.url))',
)

const contentShapes: Readonly<Record<string, TObject>> = {
  sections: Type.Object({ kind: Type.Literal('sections'), sections: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 20 }) }),
  component: Type.Object({
    kind: Type.Literal('component'),
    element: aName(/^(?=.{3,60}$)[a-z][a-z0-9]*(-[a-z0-9]+)+$/, 'the name of a custom element, such as dice-board'),
    module: absoluteFile,
    styles: Type.Optional(absoluteFile),
  }),
  screen: Type.Object({
    kind: Type.Literal('screen'),
    folder: absoluteFolder,
    screen: aName(screenName, 'the name of a screen in kebab-case, such as open-tasks'),
    routes: Type.Optional(
      Type.Array(aName(pageRoute, 'the pattern of a path, such as /tasks, /chats/:chatId or /files/*'), {
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
      }),
    ),
  }),
}

const shape = Type.Object({
  specVersion: firstSpecVersion,
  id: aContributionId,
  title: texts(60),
  description: Type.Optional(texts(300)),
  icon: Type.Optional(aName(/^[a-z][a-z0-9-]{0,39}$/, 'the name of an icon, such as chart-bar')),
  group: oneOf(['main', 'personal', 'admin', 'none', 'user', 'set_up']),
  order: Type.Optional(aRange(0, 1_000)),
  keywords: Type.Optional(texts(300)),
  content: Type.Unknown(),
})

/**
 * Everything that is wrong with a panel, each with a JSON pointer. Empty when the console can show
 * it. Reads no file. Never throws.
 */
export function checkConsolePanel(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  if (problems.length > 0) return problems
  const panel = contribution as ConsolePanel
  const wrong = checkContent(panel.content)
  return wrong.length > 0 ? wrong : checkAgreement(panel)
}

function checkContent(content: unknown): readonly Problem[] {
  const problems = checkKind(contentShapes, content, '/content')
  if (problems.length > 0) return problems
  const { sections = [] } = content as { readonly sections?: readonly unknown[] }
  return sections.flatMap((section, index) => checkKind(sectionShapes, section, `/content/sections/${index}`))
}

/** Checks a value against the shape of its `kind`. */
function checkKind(shapes: Readonly<Record<string, TObject>>, value: unknown, pointer: string): readonly Problem[] {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined
  const found = typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined
  if (found === undefined) {
    const kinds = Object.keys(shapes).map((name) => `“${name}”`)
    return [{ path: `${pointer}/kind`, message: `must be ${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}` }]
  }
  return checkShape(found, value).map(({ path: at, message }) => ({ path: at === '/' ? pointer : `${pointer}${at}`, message }))
}

function checkAgreement(panel: ConsolePanel): readonly Problem[] {
  const { content, group } = panel
  const sections = content.kind === 'sections' ? content.sections : []
  return [
    ...checkPageRoutes(panel),
    ...panelRoutes(panel).flatMap(({ pointer, path: called, ofRow }) => {
      if (!ofRow && called.includes('{')) return [{ path: pointer, message: 'must have no parameters: only actions of a table have a row' }]
      return checkRoutePath(called).map(({ message }) => ({ path: pointer, message }))
    }),
    ...sections.flatMap((section, index): readonly Problem[] => {
      const pointer = `/content/sections/${index}`
      if (section.kind === 'settings' && group !== 'admin')
        return [{ path: pointer, message: 'must be in the group “admin”: only administrators change the configuration' }]
      if (section.kind !== 'form') return []
      return Object.keys(section.fields ?? {}).flatMap((name) =>
        Object.hasOwn(section.schema.properties, name)
          ? []
          : [{ path: `${pointer}/fields/${name}`, message: 'must be absent: the schema has no such property' }],
      )
    }),
  ]
}
