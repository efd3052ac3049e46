import { isBelow, isEventOf } from './areas.mjs'
import { eventNames, selectArea } from './select-area.mjs'

/** The area that holds what a folder mentions, and nothing that it does not. */
export function areaOf(mentions, description) {
  const paths = [...mentions.paths].filter((route) => ![...mentions.paths].some((other) => other !== route && isBelow(route, other))).sort()
  const events = grouped(mentions.events, eventNames(description))
  const { description: reached } = selectArea(description, { paths, events, schemas: [] })
  const schemas = [...mentions.schemas].filter((name) => !(name in reached.components.schemas) && !unions.includes(name)).sort()
  return { paths, events, ...(schemas.length > 0 && { schemas }) }
}

const unions = ['Event', 'EventData']

/** The entries of an area that its folder does not mention. */
export function findUnmentioned(area, mentions) {
  return [
    ...area.paths.filter((entry) => ![...mentions.paths].some((route) => isBelow(route, entry))),
    ...area.events.filter((entry) => ![...mentions.events].some((name) => isEventOf(name, entry))),
    ...area.schemas.filter((name) => !mentions.schemas.has(name)),
  ]
}

/** Names of events, sorted; where all of a group are used, the group. */
function grouped(used, all) {
  const groups = [...used].map((name) => {
    const group = `${name.split('.')[0]}.*`
    const members = all.filter((other) => isEventOf(other, group))
    return members.length > 1 && members.every((member) => used.has(member)) ? group : name
  })
  return [...new Set(groups)].sort()
}
