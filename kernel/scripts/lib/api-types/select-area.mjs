import { isBelow, isEventOf } from './areas.mjs'

const schemaPrefix = '#/components/schemas/'

/**
 * What an area has of an OpenAPI document: its paths, its events as the union `Event`, the schemas that these reach, and
 * those that it names besides. `unknown` are entries that name nothing, `needless` schemas that are reached anyway.
 */
export function selectArea(description, area) {
  const paths = pickEntries(description.paths, (route) => area.paths.some((entry) => isBelow(route, entry)))
  const schemas = { ...description.components.schemas, ...unionsOf(description, area.events) }
  const reached = reachableFrom([paths, area.events.length > 0 && { $ref: `${schemaPrefix}Event` }], schemas)
  const needed = new Set([
    ...reached,
    ...area.schemas,
    ...reachableFrom(
      pickEntries(schemas, (name) => area.schemas.includes(name)),
      schemas,
    ),
  ])
  const components = { schemas: pickEntries(schemas, (name) => needed.has(name)) }
  return {
    description: { ...description, paths, components },
    unknown: unknownEntries(description, area),
    needless: area.schemas.filter((name) => reached.has(name)),
  }
}

/** The names of all events. */
export const eventNames = ({ components }) => Object.keys(components.schemas.Event?.discriminator.mapping ?? {})

function unknownEntries(description, { paths, events, schemas }) {
  const routes = Object.keys(description.paths)
  const names = eventNames(description)
  return [
    ...paths.filter((entry) => !routes.some((route) => isBelow(route, entry))),
    ...events.filter((entry) => !names.some((name) => isEventOf(name, entry))),
    ...schemas.filter((name) => description.components.schemas[name] === undefined),
  ]
}

/** The unions of all events and of their data, without the events of other areas. */
function unionsOf(description, entries) {
  const { schemas } = description.components
  if (schemas.Event === undefined || schemas.EventData === undefined) return {}
  const events = Object.entries(schemas.Event.discriminator.mapping).filter(([name]) => entries.some((entry) => isEventOf(name, entry)))
  const data = new Set(events.map(([, reference]) => schemas[nameOf(reference)].properties.data.$ref))
  return {
    Event: {
      ...schemas.Event,
      oneOf: events.map(([, $ref]) => ({ $ref })),
      discriminator: { ...schemas.Event.discriminator, mapping: Object.fromEntries(events) },
    },
    EventData: { ...schemas.EventData, anyOf: schemas.EventData.anyOf.filter(({ $ref }) => data.has($ref)) },
  }
}

/** The names of the schemas that a part of the document refers to, directly or through others. */
function reachableFrom(part, schemas) {
  const found = new Set()
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return
    if (typeof value.$ref === 'string' && value.$ref.startsWith(schemaPrefix)) {
      const name = nameOf(value.$ref)
      if (found.has(name)) return
      found.add(name)
      visit(schemas[name])
    } else Object.values(value).forEach(visit)
  }
  visit(part)
  return found
}

const nameOf = (reference) => reference.slice(schemaPrefix.length)

const pickEntries = (object, accept) => Object.fromEntries(Object.entries(object).filter(([name]) => accept(name)))
