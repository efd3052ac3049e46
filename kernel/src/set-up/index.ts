export { openSetUp } from './open-set-up.js'
export type { SetUp } from './set-up.js'
