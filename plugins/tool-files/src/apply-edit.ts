/** What an edit of a text comes to. */
export type EditOutcome =
  | { readonly kind: 'edited'; readonly text: string; readonly places: readonly number[] }
  /** The old text is not there, or only as a part of the new one, and the new one is. */
  | { readonly kind: 'done_already' }
  | { readonly kind: 'absent' }
  /** It stands in several places; those that were counted. */
  | { readonly kind: 'ambiguous'; readonly places: readonly number[] }
  /** Doing it twice would not be the same as doing it once. */
  | { readonly kind: 'unrepeatable' }

/** Something else than these is meant where there are more. */
const maxPlaces = 10_000

/**
 * Puts a new text in the place of an old one: where it stands once, or with `all` wherever it stands. An old text inside of the new one counts as replaced, so
 * that an edit that was made is recognised: applied to its own outcome it always answers `done_already`.
 */
export function applyEdit(text: string, edit: { readonly before: string; readonly after: string; readonly all: boolean }): EditOutcome {
  const { before, after, all } = edit
  const places = openPlaces(text, before, after)
  // What is to be taken out and is not there was taken out, or never was: the same to the file.
  if (places.length === 0) return { kind: after === '' || text.includes(after) ? 'done_already' : 'absent' }
  if ((!all && places.length > 1) || places.length > maxPlaces) return { kind: 'ambiguous', places }
  const replaced: number[] = []
  let result = ''
  let from = 0
  for (const place of places) {
    // One that overlaps the one before is gone with it.
    if (place < from) continue
    result += text.slice(from, place) + after
    from = place + before.length
    replaced.push(place)
  }
  result += text.slice(from)
  if (openPlaces(result, before, after).length > 0) return { kind: 'unrepeatable' }
  return { kind: 'edited', text: result, places: replaced }
}

/** Where the old text stands, those places left out in which it is a part of the new one. */
function openPlaces(text: string, before: string, after: string): readonly number[] {
  const within = after.includes(before) ? placesOf(text, after, after.length) : []
  let next = 0
  return placesOf(text, before, 1).filter((place) => {
    while (next < within.length && (within[next] ?? 0) + after.length < place + before.length) next += 1
    const start = within[next]
    return start === undefined || place < start
  })
}

function placesOf(text: string, wanted: string, step: number): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at !== -1 && places.length <= maxPlaces; at = text.indexOf(wanted, at + step)) places.push(at)
  return places
}
