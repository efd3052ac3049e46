import { createSignal } from 'solid-js'
import type { FieldProblems } from '../api/field-problems.js'

/** What is wrong with the fields of one form, and where it is shown. */
export interface FieldPlaces {
  /** All problems, by their JSON pointers. */
  readonly problems: () => FieldProblems
  /** Takes other problems in place of those before. */
  take(problems: FieldProblems): void
  /** What is to be shown at a path: its own problem, else that of a part which has no place of its own. */
  at(path: string): string | undefined
  /** Whether there are problems, and all of them have a place. */
  readonly areAllShown: () => boolean
}

/** A path has a place once somebody asks what is wrong with it. */
export function createFieldPlaces(): FieldPlaces {
  const [problems, setProblems] = createSignal<FieldProblems>({})
  const places = new Set<string>()
  const placeOf = (path: string): string | undefined => {
    for (let place = path; place !== ''; place = around(place)) if (places.has(place)) return place
    return undefined
  }
  return {
    problems,
    take: (next) => void setProblems(() => next),
    at(path) {
      places.add(path)
      return Object.entries(problems()).find(([wrong]) => placeOf(wrong) === path)?.[1]
    },
    areAllShown() {
      const paths = Object.keys(problems())
      return paths.length > 0 && paths.every((path) => placeOf(path) !== undefined)
    },
  }
}

/** What a path is a part of: `/tools` of `/tools/0`. */
const around = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
