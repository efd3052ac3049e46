import { createRandom } from '../../../support/random.js'
import type { AttackerRequest } from './attacker.js'
import { type AttackPlaces, attack, attackKinds, names, type TreeAttack } from './tree-attack.js'

/** Attacks a folder: a step at a time as it is asked, or as fast as possible until it is stopped. */
let places: AttackPlaces = { root: '', outside: '', special: [], other: '', isApart: true }
let steps = 0

function makeStep(step: TreeAttack): void {
  attack(step, places)
  steps += 1
}

function race(seed: number): void {
  const random = createRandom(seed)
  const attackOn = (): void => {
    for (let round = 0; round < 50; round += 1)
      makeStep({ kind: random.pick(attackKinds), at: random.between(0, names.length - 1), to: random.between(0, 99) } as TreeAttack)
    setImmediate(attackOn)
  }
  attackOn()
}

process.umask(0)
process.on('disconnect', () => process.exit(1))
process.on('message', (request: AttackerRequest) => {
  if (request.kind === 'begin') {
    places = request.places
    if (request.uid !== undefined) {
      process.setgroups?.([])
      process.setgid?.(request.uid)
      process.setuid?.(request.uid)
    }
  }
  if (request.kind === 'step') makeStep(request.step)
  if (request.kind === 'race') race(request.seed)
  process.send?.(steps, undefined, undefined, () => {
    if (request.kind === 'stop') process.exit(0)
  })
})
