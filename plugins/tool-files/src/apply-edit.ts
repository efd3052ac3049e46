/** The outcome of an edit. */
export type EditOutcome =
  | { readonly kind: 'edited'; readonly text: string; readonly places: readonly number[] }
  /** The new text is present, and the old one is not, or only as a part of the new one. */
  | { readonly kind: 'done_already' }
  | { readonly kind: 'absent' }
  /** It occurs in several places; up to the limit. */
  | { readonly kind: 'ambiguous'; readonly places: readonly number[] }
  /** Applying it twice would differ from applying it once. */
  | { readonly kind: 'unrepeatable' }

/** With more places, the edit was probably not meant. */
const maxPlaces = 10_000

/**
 * Replaces an old text that occurs once, or with `all` every occurrence. An old text inside the new
 * one counts as replaced, so that an earlier edit is recognised: applied to its own outcome, an
 * edit always returns `done_already`.
 */
export function applyEdit(text: string, edit: { readonly before: string; readonly after: string; readonly all: boolean }): EditOutcome {
  const { before, after, all } = edit
  const places = openPlaces(text, before, after)
  // If the text to remove is missing, it was removed or never existed: the same for the file.
  if (places.length === 0) return { kind: after === '' || text.includes(after) ? 'done_already' : 'absent' }
  if ((!all && places.length > 1) || places.length > maxPlaces) return { kind: 'ambiguous', places }
  const replaced: number[] = []
  let result = ''
  let from = 0
  for (const place of places) {
    // A place that overlaps the previous one was replaced with it.
    if (place < from) continue
    result += text.slice(from, place) + after
    from = place + before.length
    replaced.push(place)
  }
  result += text.slice(from)
  if (openPlaces(result, before, after).length > 0) return { kind: 'unrepeatable' }
  return { kind: 'edited', text: result, places: replaced }
}

/** Where the old text occurs, except as a part of the new one. */
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
