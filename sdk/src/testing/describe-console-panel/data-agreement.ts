import type { ConsolePanel, PanelForm, PanelMember, PanelSection } from '../../contracts/console-panel/index.js'
import type { TSchema } from '../../core/type.js'
import { validate } from '../../core/validate.js'
import { routeOf } from './match-route.js'
import { memberOf, type PlainSchema, propertiesOf, rowOf, typesOf } from './schema-members.js'
import type { PanelSuiteRoute } from './suite-options.js'

type Routes = readonly PanelSuiteRoute[]
type Sections = readonly (readonly [PanelSection, string])[]

/** The types of JSON that a format can write. */
const typesOfFormats: Readonly<Record<string, readonly string[]>> = {
  ...{ number: ['number'], bytes: ['number'], percent: ['number'], duration: ['number'], yes_no: ['boolean'] },
  ...{ moment: ['string', 'number'], text: ['string', 'number', 'boolean'], code: ['string', 'number', 'boolean'] },
}

const sectionsOf = ({ content }: ConsolePanel): Sections =>
  content.kind === 'sections' ? content.sections.map((section, index) => [section, `/content/sections/${index}`] as const) : []

/** The schema of what a GET answers with; undefined if the route is missing or declares none. */
export function answerOf(routes: Routes, path: string): PlainSchema | undefined {
  const answers = routeOf(routes, { method: 'GET', path })?.answers ?? {}
  return answers[200]?.schema as PlainSchema | undefined
}

/** The paths whose answers are not declared, so that nothing is known about their members. */
export function undeclaredAnswers(panel: ConsolePanel, routes: Routes): readonly string[] {
  const sources = sectionsOf(panel).flatMap(([section]) =>
    section.kind === 'values' || section.kind === 'table' ? [section.source] : section.kind === 'form' ? [section.load ?? ''] : [],
  )
  return sources.filter((path) => path !== '' && routeOf(routes, { method: 'GET', path }) && answerOf(routes, path) === undefined)
}

/** What a panel shows that the answers of its routes do not have. */
export function wrongMembers(panel: ConsolePanel, routes: Routes): readonly string[] {
  return sectionsOf(panel).flatMap(([section, pointer]) => {
    if (section.kind !== 'values' && section.kind !== 'table') return []
    const answer = answerOf(routes, section.source)
    if (answer === undefined) return []
    if (section.kind === 'values')
      return section.values.flatMap((member, index) => wrongMember(answer, member, `${pointer}/values/${index}`))
    const row = rowOf(answer)
    if (row === 'unknown') return []
    if (row === 'no list') return [`${pointer}/source: ${section.source} does not answer with a page, { items, next_cursor }`]
    const used = [
      section.key,
      ...(section.actions ?? []).flatMap(({ path }) => [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)),
    ]
    return [
      ...wrongKey(row, section.key, pointer),
      ...used.filter((name) => memberOf(row, name) === 'absent').map((name) => `${pointer}: the rows have no member “${name}”`),
      ...section.columns.flatMap((member, index) => wrongMember(row, member, `${pointer}/columns/${index}`)),
    ]
  })
}

/** A key that does not tell rows apart: all objects, and all lists with the same entries, are one text. */
function wrongKey(row: PlainSchema, key: string, pointer: string): readonly string[] {
  const schema = memberOf(row, key)
  if (typeof schema === 'string') return []
  const wrong = typesOf(schema).filter((type) => type !== 'string' && type !== 'number')
  return wrong.length === 0 ? [] : [`${pointer}/key: “${key}” is ${wrong.join(' or ')}; a row is told by a text or a number`]
}

function wrongMember(schema: PlainSchema, { member, format = 'text' }: PanelMember, pointer: string): readonly string[] {
  const found = memberOf(schema, member)
  if (found === 'unknown') return []
  if (found === 'absent') return [`${pointer}: the answer has no member “${member}”`]
  const wrong = typesOf(found).filter((type) => typesOfFormats[format]?.includes(type) === false)
  return wrong.length === 0 ? [] : [`${pointer}: “${member}” is ${wrong.join(' or ')}, which the format “${format}” does not write`]
}

/** What forms and actions send that their routes do not take, and what forms would overwrite unseen. */
export function wrongBodies(panel: ConsolePanel, routes: Routes): readonly string[] {
  return sectionsOf(panel).flatMap(([section, pointer]) => {
    if (section.kind === 'form') return [...wrongForm(section, routes, pointer), ...unfilled(section, routes, pointer)]
    if (section.kind !== 'table' && section.kind !== 'actions') return []
    return (section.actions ?? []).flatMap(({ method, path, body }, index) => {
      const route = routeOf(routes, { method, path })
      if (route === undefined) return []
      const at = `${pointer}/actions/${index}/body`
      if (route.body?.kind !== 'json')
        return body === undefined || route.body !== undefined ? [] : [`${at}: ${method} ${path} takes no body`]
      if (body === undefined) return [`${at}: ${method} ${path} needs a body`]
      return validate(route.body.schema as TSchema, body).map(({ path: member, message }) => `${at}${member}: ${message}`)
    })
  })
}

/** What two schemas may differ in without a difference in what they accept. */
const annotations = new Set(['title', 'description', 'default', 'examples'])
const constraintsOf = (schema: PlainSchema): string =>
  JSON.stringify(schema, (name, value: unknown) => (annotations.has(name) ? undefined : value))

function wrongForm({ schema, save }: PanelForm, routes: Routes, pointer: string): readonly string[] {
  const route = routeOf(routes, { method: save.method, path: save.path })
  if (route === undefined) return []
  if (route.body?.kind !== 'json') return [`${pointer}/save: ${save.method} ${save.path} takes no JSON`]
  const taken = propertiesOf(route.body.schema as unknown as PlainSchema)
  if (taken === undefined) return []
  const fields = schema.properties as unknown as Readonly<Record<string, PlainSchema>>
  const required = (route.body.schema as { readonly required?: readonly string[] }).required ?? []
  return [
    ...required
      .filter((name) => !Object.hasOwn(fields, name))
      .map((name) => `${pointer}/schema: the route needs “${name}”, which is no field`),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const wanted = Object.hasOwn(taken, name) ? taken[name] : undefined
      if (wanted === undefined) return [`${pointer}/schema/properties/${name}: the route does not take it`]
      if (constraintsOf(field) === constraintsOf(wanted)) return []
      return [`${pointer}/schema/properties/${name}: the form has ${constraintsOf(field)}, the route ${constraintsOf(wanted)}`]
    }),
  ]
}

/** Fields that `load` does not fill: saving the form would empty them. */
function unfilled({ schema, load }: PanelForm, routes: Routes, pointer: string): readonly string[] {
  const answer = load === undefined ? undefined : answerOf(routes, load)
  if (answer === undefined) return []
  return Object.keys(schema.properties)
    .filter((name) => memberOf(answer, name) === 'absent')
    .map((name) => `${pointer}/load: its answer has no “${name}”, so that saving would empty the field`)
}
