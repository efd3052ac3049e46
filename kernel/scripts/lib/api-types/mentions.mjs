import ts from 'typescript'
import { parseSource, visitAll } from '../source-files.mjs'
import { listFiles } from '../workspaces.mjs'
import { segmentsOf } from './areas.mjs'
import { eventNames } from './select-area.mjs'

/** Takes the place of what is only known when the page runs. */
const unknown = '{}'

/**
 * What the sources of a web folder mention of an OpenAPI document: `paths`, as the document writes them, or the beginning
 * that is known (`/api/skills` of a longer path that is put together); `events`; `schemas`. Of tests nothing counts.
 */
export function findMentions(root, folder, description) {
  const routes = Object.keys(description.paths)
  const events = new Set(eventNames(description))
  const found = { paths: new Set(), events: new Set(), schemas: new Set() }
  const files = listFiles(root, folder, (name) => /\.tsx?$/.test(name) && !/\.(d|test)\.tsx?$/.test(name))
  for (const file of files) {
    const source = parseSource(root, file)
    const hasEvents = namesEvents(source)
    visitAll(source, (node) => {
      const text = textOf(node)
      if (text?.startsWith('/api/')) for (const route of routesOf(text, routes)) found.paths.add(route)
      if (hasEvents && events.has(text)) found.events.add(text)
      const schema = schemaOf(node)
      if (schema in description.components.schemas) found.schemas.add(schema)
    })
  }
  return found
}

/** Names of events are also used otherwise, in words of the audit log for example. */
function namesEvents(source) {
  let found = false
  visitAll(source, (node) => {
    found ||= ts.isIdentifier(node) && ['onEvent', 'createQueries', 'EventName', 'EventOf'].includes(node.text)
  })
  return found
}

/** The text of a literal, what is put into it as {@link unknown}. */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => unknown + literal.text).join('')
}

/** `Chat` of `Schemas['Chat']`. */
function schemaOf(node) {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isLiteralTypeNode(node.indexType)) return undefined
  const { objectType } = node
  const isSchemas = ts.isTypeReferenceNode(objectType) && objectType.typeName.getText() === 'Schemas'
  return isSchemas ? node.indexType.literal.text : undefined
}

/** The paths of the document that a text can be; else its beginning, if there are longer ones. */
function routesOf(text, routes) {
  const segments = segmentsOf(text.split('?')[0])
  const fitting = routes.filter((route) => fits(segments, segmentsOf(route)))
  const whole = fitting.filter((route) => segmentsOf(route).length === segments.length)
  const literal = whole.filter((route) => isLiterally(segments, segmentsOf(route)))
  if (whole.length > 0) return literal.length > 0 ? literal : whole
  return segments.length < 2 ? [] : fitting.map((route) => `/${segmentsOf(route).slice(0, segments.length).join('/')}`)
}

/** Whether a path can begin with these segments. */
function fits(segments, route) {
  if (segments.length > route.length) return false
  return segments.every((segment, index) => segment === route[index] || segment.includes(unknown) || route[index].startsWith('{'))
}

/** Whether no known segment stands for a parameter: `/api/users/me` is not a `/api/users/{user_id}` where both exist. */
const isLiterally = (segments, route) => segments.every((segment, index) => segment === route[index] || segment.includes(unknown))
