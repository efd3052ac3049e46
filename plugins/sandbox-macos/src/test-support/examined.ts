import type { Probe } from '../machine/probe.js'

/** A machine on which every way out is closed. */
export const closedEverywhere: Probe = {
  ...{ writesInside: true, reachesForwarded: true },
  ...{ readsOutside: false, writesOutside: false, signalsService: false, reachesLoopback: false },
}
